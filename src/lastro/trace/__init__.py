"""The record a turn leaves behind: writing it, and reading anybody's.

``None`` is *not measured*; it is never written, and reads like absence.
"""

from lastro.trace.read import read
from lastro.trace.write import dumps

__all__ = ["dumps", "read"]
