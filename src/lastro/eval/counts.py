"""What a set of cases holds, counted by what its cases are labelled with.  Pure."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from lastro.eval.results import GoldUsed
from lastro.model.case import Case

NONE = "not given"


def _comparison(case: Case) -> str:
    if not case.expected_claim_citations:
        return "no target specs"
    return "one-sided" if case.expected_missing_targets else "every side"


LABELS: Mapping[str, Callable[[Case], str]] = {
    "locale": lambda case: case.locale or NONE,
    "category": lambda case: case.category.value,
    "query_type": lambda case: case.query_type.value if case.query_type else NONE,
    "expected_reason": lambda case: (
        case.expected_reason.value if case.expected_reason else NONE
    ),
    "gold": lambda case: "with gold" if case.retrieval_gold else "without gold",
    "answerable": lambda case: "answerable" if case.answerable else "unanswerable",
    "comparison": _comparison,
}


def counts(cases: Iterable[Case]) -> dict[str, dict[str, int]]:
    """Return by label how many cases carry each value, the most frequent first.

    ``comparison`` tells comparisons whose sides both stand in the documents from
    those that are one-sided by design.
    """
    listed = list(cases)
    return {
        label: dict(
            sorted(Counter(map(of, listed)).items(), key=lambda row: (-row[1], row[0]))
        )
        for label, of in LABELS.items()
    }


def gold_used(cases: Iterable[Case]) -> GoldUsed:
    """Count by which of their labels the retrieval metrics take gold from."""
    used = Counter(
        "relevant_ids"
        if case.relevant_ids
        else "must_cite_one_of"
        if case.must_cite_one_of
        else "none"
        for case in cases
    )
    return GoldUsed(**used)
