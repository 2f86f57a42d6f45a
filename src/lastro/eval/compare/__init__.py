"""Two runs side by side: what differs, how sure, and in which layer.  Pure."""

from lastro.eval.compare.claims import MIN_N
from lastro.eval.compare.runs import compare

__all__ = ["MIN_N", "compare"]
