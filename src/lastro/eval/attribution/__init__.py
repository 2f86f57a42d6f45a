"""Where a failed case broke first: one label a case, and how many survive each layer.

Nothing is judged anew here: the scores say *that* a case failed, the trace says
*where*.  What a trace does not tell is never guessed; the label is then the
broader one (``retrieval_miss``) or ``unknown``.
"""

from lastro.eval.attribution.lost import SILENT, lost
from lastro.eval.attribution.rules import DECIDING, attribute, failed, failing
from lastro.eval.attribution.waterfall import Layer, undecided, untraced, waterfall

__all__ = [
    "DECIDING",
    "SILENT",
    "Layer",
    "attribute",
    "failed",
    "failing",
    "lost",
    "undecided",
    "untraced",
    "waterfall",
]
