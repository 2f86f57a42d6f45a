"""At which stage of a search gold was lost that did not come back."""

from collections.abc import Mapping, Sequence

from lastro.eval.scorers.view import comparable, ids
from lastro.model.case import Case
from lastro.model.failure import Failure
from lastro.model.ranking import LegStatus, Stage
from lastro.model.trace import Trace

LEGS = (Stage.LEXICAL, Stage.DENSE)
RERANKER = "reranker"
# A leg that ended so gave no candidates, and its stage may be absent.
SILENT = frozenset({LegStatus.OFF, LegStatus.BLIND, LegStatus.FAILED})


def lost(case: Case, trace: Trace) -> Failure:
    """Return the stage at which gold that is not in the window was lost.

    Args:
        case: has gold of retrieval; one document of it is enough.
        trace: its ``retrieved`` holds none of them within the cut-off.

    Returns:
        ``candidate_miss``: in the candidates of no leg, where each leg's are
        known or the leg gave none (off, blind, failed).
        ``rerank_miss``: passed on to a reranker that ran, and below the cut
        afterwards.  Passed on is what stands in the fused order as far as the
        reranker read (``legs.reranker.hits``), or in the reranked order where
        no fused one is known.
        ``fusion_miss``: among the candidates or in the fused order, and not
        passed on; without a reranker the fused order decides the window.
        ``retrieval_miss``: the stages do not tell.
    """
    gold = ids(case.retrieval_gold)
    found = {
        stage: _places(gold, [entry.document_id for entry in order])
        for stage, order in (trace.stages or {}).items()
    }
    among = any(found.get(leg) for leg in LEGS)
    if not among and _candidates_known(trace):
        return Failure.CANDIDATE_MISS
    if Stage.RERANKED in found and _passed_on(trace, found):
        return Failure.RERANK_MISS
    if among or found.get(Stage.FUSED):
        return Failure.FUSION_MISS
    return Failure.RETRIEVAL_MISS


def _places(gold: frozenset[str], order: Sequence[str]) -> list[int]:
    return [at for at, document in enumerate(comparable(order)) if document in gold]


def _candidates_known(trace: Trace) -> bool:
    """Whether it is known what every leg found, and be it nothing."""
    reports, orders = trace.legs or {}, trace.stages or {}
    told = [leg for leg in LEGS if leg in reports or leg in orders]
    return bool(told) and all(
        leg in orders or reports[leg].status in SILENT for leg in told
    )


def _passed_on(trace: Trace, found: Mapping[str, list[int]]) -> bool:
    fused = found.get(Stage.FUSED)
    if fused is None:
        return bool(found[Stage.RERANKED])
    report = (trace.legs or {}).get(RERANKER)
    read = None if report is None else report.hits
    return any(read is None or place < read for place in fused)
