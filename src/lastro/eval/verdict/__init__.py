"""Bars and what was measured in, one verdict out.  Nothing is measured here."""

from lastro.eval.verdict.bars import (
    ANSWERED,
    DECLINED,
    HIT,
    RECALL,
    Bars,
    refuse_unusable,
)
from lastro.eval.verdict.judging import judge, verdict

__all__ = [
    "ANSWERED",
    "DECLINED",
    "HIT",
    "RECALL",
    "Bars",
    "judge",
    "refuse_unusable",
    "verdict",
]
