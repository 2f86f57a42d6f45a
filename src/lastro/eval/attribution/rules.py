"""The rules of attribution: pure complaints about a failed case, in order."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from lastro import errors
from lastro.eval.attribution.lost import lost
from lastro.eval.scorers.comparison import grounded_target
from lastro.eval.scorers.groundedness import all_held
from lastro.eval.scorers.view import View, ids
from lastro.model.case import Case, QueryType, TargetSpec
from lastro.model.decision import ReasonCode
from lastro.model.failure import Failure
from lastro.model.ranking import Stage
from lastro.model.score import Failed, Score, Scored
from lastro.model.trace import Trace
from lastro.text.terms import Match, folded

HIT = "retrieval_hit_at_k"
COVERAGE = "citation_coverage"
GROUNDED = "groundedness"
COMPARISON = "comparison_groundedness"
GATE = "gate_accuracy"
CLAIMS = ("citation_correctness", "claim_citation_alignment")

AT_ZERO = (HIT, COVERAGE, GROUNDED, "abstention", "refusal", GATE)
UNDER_ONE = (COMPARISON, *CLAIMS)
DECIDING = (*AT_ZERO, *UNDER_ONE)


def failed(scores: Mapping[str, Score], *, errored: bool) -> bool:
    """Say whether a case has failed.

    Args:
        scores: what every scorer said of it, by metric.
        errored: whether its turn ended in an error, or left no trace.

    Returns:
        True if it errored, if a metric of ``AT_ZERO`` is 0 or one of
        ``UNDER_ONE`` is under 1, or if one of those scorers broke on it.

    Edge cases:
        what was not measured fails nobody: a case of which nothing was
        measured has not failed (see :func:`undecided`).

    Reference:
        spec/evaluation.md, "Failure attribution".
    """
    return errored or any(_fails(metric, scores.get(metric)) for metric in DECIDING)


def failing(scores: Mapping[str, Score]) -> tuple[str, ...]:
    """Name the metrics by which a case fails, in the order of ``DECIDING``."""
    return tuple(metric for metric in DECIDING if _fails(metric, scores.get(metric)))


def _fails(metric: str, score: Score | None) -> bool:
    if isinstance(score, Scored):
        return score.value < 1 if metric in UNDER_ONE else score.value == 0
    return isinstance(score, Failed)


@dataclass(frozen=True, slots=True)
class _Seen:
    """A failed case with all that the rules look at; ``lost`` where no gold came."""

    case: Case
    view: View
    values: Mapping[str, float]
    match: Match
    lost: Failure | None

    @property
    def trace(self) -> Trace:
        return self.view.trace

    @property
    def gold(self) -> frozenset[str]:
        return ids(self.case.retrieval_gold)

    @property
    def sides(self) -> tuple[TargetSpec, ...]:
        """The sides of a comparison; of anything else there are none."""
        if self.case.query_type is not QueryType.COMPARISON:
            return ()
        return self.case.expected_claim_citations

    def at(self, metric: str, value: float) -> bool:
        """Whether a metric was measured and is ``value``."""
        return self.values.get(metric) == value


Rule = Callable[[_Seen], bool]


def attribute(
    case: Case,
    trace: Trace | View | None,
    scores: Mapping[str, Score],
    match: Match = Match.SUBSTRING,
) -> Failure | None:
    """Return the first layer at which a failed case broke; None if it did not fail.

    The rules below are tried in the order of :class:`Failure`; the first that
    holds wins.  No trace, or no rule that holds, is ``unknown``.

    Gold is that of retrieval, and one document of it is enough, as it is for
    ``retrieval_hit_at_k``: a side of a comparison that was not fetched beside
    one that was is ``one_sided_comparison``.  A turn that broke through no
    fault of its provider is looked at as far as it came: up to its prompt.

    Args:
        case: the labelled question.
        trace: what its turn left behind; None if it left nothing.
        scores: what every scorer said of it, by metric.
        match: how those scorers looked for terms.
    """
    view = None if trace is None else View.of(trace)
    broke = view is None or view.trace.error is not None
    if not failed(scores, errored=broke):
        return None
    if view is None:
        return Failure.UNKNOWN
    values = {
        name: score.value
        for name in DECIDING
        if isinstance(score := scores.get(name), Scored)
    }
    gone = lost(case, view.trace) if values.get(HIT) == 0 else None
    seen = _Seen(case, view, values, match, gone)
    rules = _UNTIL_THE_PROMPT if broke else _RULES
    found = (label for label, holds in rules.items() if holds(seen))
    return next(found, Failure.UNKNOWN)


def _provider_error(seen: _Seen) -> bool:
    """The turn ended in an error, other than one of this engine's own."""
    error = seen.trace.error
    if error is None:
        return False
    return error.provider is not None or not _own(error.kind)


def _own(kind: str) -> bool:
    """Whether this engine, or its runner, wrote an error of that kind."""
    own = kind in {ReasonCode.RETRIEVAL_ERROR, "unfinished"}
    return own or kind.startswith("crash: ") or hasattr(errors, kind)


def _answered_unanswerable(seen: _Seen) -> bool:
    """Nothing should have been answered (unanswerable, or to be refused), and was."""
    return seen.at("abstention", 0) or (
        seen.at("refusal", 0) and not seen.view.abstained
    )


def _refused_answerable(seen: _Seen) -> bool:
    """The turn declined an answerable case although its evidence held the answer.

    The evidence of a comparison does if each side's terms stand in one passage
    of its own documents; any other if every expected term stands in one text.
    Where no term is named, or no text kept, a gold document in it has to do.
    """
    case, view = seen.case, seen.view
    if not case.answerable or not view.abstained:
        return False
    evidence = view.texts
    if evidence is None or not (seen.sides or case.expected_terms):
        return not seen.gold.isdisjoint(view.documents or ())
    if seen.sides:
        return all(
            grounded_target(side, evidence, seen.match, case.locale)
            for side in seen.sides
        )
    pool = [item.text for item in evidence]
    return all_held(case.expected_terms, pool, seen.match, case.locale)


def _corpus_gap(seen: _Seen) -> bool:
    """No search can find it: the knowledge base holds none of the gold documents.

    One of them there would be enough.  Of a comparison that is not grounded on
    every side it is enough that one side has none of its documents there.
    """
    missing = ids(seen.trace.gold_not_indexed or ())
    needed = [] if seen.at(HIT, 1) else [seen.gold]
    if seen.values.get(COMPARISON, 1) < 1:
        needed += [ids(side.expected_doc_ids) for side in seen.sides]
    return any(gold and gold <= missing for gold in needed)


def _lost_as(label: Failure) -> Rule:
    """Give the rule for gold that is not in the window: see :func:`lost`."""
    return lambda seen: seen.lost is label


def _selection_miss(seen: _Seen) -> bool:
    """Gold was retrieved, and none of it stands in the prompt.

    The prompt is ``evidence``, or where that is absent ``stages.selected``.
    """
    prompt = _prompt(seen.view)
    return seen.at(HIT, 1) and prompt is not None and prompt.isdisjoint(seen.gold)


def _prompt(view: View) -> frozenset[str] | None:
    if view.trace.evidence is not None:
        return view.documents
    chosen = (view.trace.stages or {}).get(Stage.SELECTED)
    return None if chosen is None else ids([entry.document_id for entry in chosen])


def _gate_miss(seen: _Seen) -> bool:
    """The gate called the retrieval by another word than expected."""
    return seen.at(GATE, 0)


def _under_decomposition(seen: _Seen) -> bool:
    """A comparison asked for fewer sides than it has, and is not wholly grounded.

    Its sides are the targets of the case, those expected to stay open too.
    """
    plan = seen.trace.plan
    if plan is None or not seen.sides or seen.at(COMPARISON, 1):
        return False
    named = (side.target for side in seen.sides)
    targets = {folded(each) for each in (*named, *seen.case.expected_missing_targets)}
    return len(plan) < len(targets)


def _citation_miss(seen: _Seen) -> bool:
    """Gold was retrieved, and the answer does not cite what it has to.

    A turn that declined wrote no answer, so it missed no citation.
    """
    if not seen.at(COVERAGE, 0) or seen.view.abstained:
        return False
    there = seen.view.documents or frozenset()
    return seen.at(HIT, 1) or not there.isdisjoint(seen.gold)


def _one_sided_comparison(seen: _Seen) -> bool:
    """Some sides of a comparison are grounded in their own documents, not all."""
    return 0 < seen.values.get(COMPARISON, 0) < 1


def _ungrounded(seen: _Seen) -> bool:
    """No side of a comparison is grounded, or an expected term stands nowhere."""
    return seen.at(GROUNDED, 0) or seen.at(COMPARISON, 0)


def _unsupported_claim(seen: _Seen) -> bool:
    """A citation, or a claim, does not stand in the evidence that it points to."""
    return any(seen.values.get(metric, 1) < 1 for metric in CLAIMS)


_UNTIL_THE_PROMPT: Mapping[Failure, Rule] = {
    Failure.PROVIDER_ERROR: _provider_error,
    Failure.ANSWERED_UNANSWERABLE: _answered_unanswerable,
    Failure.REFUSED_ANSWERABLE: _refused_answerable,
    Failure.CORPUS_GAP: _corpus_gap,
    Failure.CANDIDATE_MISS: _lost_as(Failure.CANDIDATE_MISS),
    Failure.FUSION_MISS: _lost_as(Failure.FUSION_MISS),
    Failure.RERANK_MISS: _lost_as(Failure.RERANK_MISS),
    Failure.SELECTION_MISS: _selection_miss,
    Failure.RETRIEVAL_MISS: _lost_as(Failure.RETRIEVAL_MISS),
}
_RULES: Mapping[Failure, Rule] = {
    **_UNTIL_THE_PROMPT,
    Failure.GATE_MISS: _gate_miss,
    Failure.UNDER_DECOMPOSITION: _under_decomposition,
    Failure.CITATION_MISS: _citation_miss,
    Failure.ONE_SIDED_COMPARISON: _one_sided_comparison,
    Failure.UNGROUNDED: _ungrounded,
    Failure.UNSUPPORTED_CLAIM: _unsupported_claim,
}
