"""Property tests share generators (``strategies``) and fakes (``rankings``)."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "fakes"))
