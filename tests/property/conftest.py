"""Property tests share their generators, and are not judged by a busy machine."""

import sys
from pathlib import Path

from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parent))  # ``strategies``

settings.register_profile(
    "laws", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("laws")
