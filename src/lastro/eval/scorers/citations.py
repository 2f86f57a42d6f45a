"""Citations: does the answer point at the right documents, and truly.

Citations are the ones in the trace; markers inside an answer's text are read by
importers, never here.
"""

from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from lastro.eval.scorers.groundedness import all_held
from lastro.eval.scorers.scorer import Measure, Needs, Scorer, always
from lastro.eval.scorers.view import NO_CITATIONS, NO_EVIDENCE, NO_TEXT, View, ids
from lastro.model.case import Case
from lastro.model.score import Score, Scored, Unscored
from lastro.model.trace import TraceCitation, TracePassage
from lastro.text.ids import canonical
from lastro.text.terms import Match


def precision(expected: AbstractSet[str], pointed: AbstractSet[str]) -> float:
    """Share of the cited documents that were expected.

    Args:
        expected: ids of documents; not empty.
        pointed: ids of the documents cited; may be empty.

    Returns:
        A number in [0, 1]; higher is better.

    Edge cases:
        nothing cited, though something was expected, gives 0.0.

    Reference:
        set precision; Manning, Raghavan & Schuetze (2008), section 8.3.

    >>> precision({"a", "b"}, {"a", "x"})
    0.5
    """
    return len(expected & pointed) / len(pointed) if pointed else 0.0


def pointed_at(
    citation: TraceCitation, evidence: Iterable[TracePassage]
) -> list[TracePassage]:
    """Return the passages of the evidence that a citation points to.

    They are of its document; where both name a passage, of that passage.
    """
    document = canonical(citation.document_id)
    own = [item for item in evidence if canonical(item.document_id) == document]
    if citation.passage_id is None:
        return own
    passage = canonical(citation.passage_id)
    return [
        item
        for item in own
        if item.passage_id is None or canonical(item.passage_id) == passage
    ]


def stands(citation: TraceCitation, passage: TracePassage) -> bool:
    """Say whether the quote stands in the passage, at its offsets if it has any."""
    text = passage.text or ""
    quote = citation.quote or ""
    if citation.start is None or passage.start is None:
        return quote in text
    start = citation.start - passage.start
    end = start + len(quote) if citation.end is None else citation.end - passage.start
    return 0 <= start <= end <= len(text) and text[start:end] == quote


def _nothing_to_cite(case: Case) -> str:
    if not case.answerable:
        return "the case is not answerable"
    return "" if case.must_cite_one_of else "no gold: must_cite_one_of"


def _nothing_expected(case: Case) -> str:
    if not case.answerable:
        return "the case is not answerable"
    return "" if case.expected_doc_ids else "no expected_doc_ids"


def _coverage(case: Case, view: View, _k: int) -> Score:
    if view.cited is None:
        return Unscored(NO_CITATIONS)
    return Scored(float(not ids(case.must_cite_one_of).isdisjoint(view.cited)))


def _correctness(_case: Case, view: View, _k: int) -> Score:
    made = view.citations
    if made is None:
        return Unscored(NO_CITATIONS)
    if not made:
        return Unscored("no citations")
    evidence = view.passages
    if evidence is None:
        return Unscored(NO_EVIDENCE)
    right = 0
    for citation in made:
        found = pointed_at(citation, evidence)
        if citation.quote and found:
            read = [item for item in found if item.text is not None]
            if not read:
                return Unscored(NO_TEXT)
            right += any(stands(citation, item) for item in read)
        else:
            right += bool(found)
    return Scored(right / len(made))


def _precise(match: Match) -> Measure:
    def measure(case: Case, view: View, _k: int) -> Score:
        if view.cited is None:
            return Unscored(NO_CITATIONS)
        if case.citation_terms:
            if view.texts is None:
                return Unscored(NO_TEXT)
            pool = [item.text for item in view.texts]
            if not all_held(case.citation_terms, pool, match, case.locale):
                return Scored(0.0, ("a citation term is missing from the evidence",))
        return Scored(precision(ids(case.expected_doc_ids), frozenset(view.cited)))

    return measure


def citation_scorers(match: Match) -> tuple[Scorer, ...]:
    """Return the citation metrics, in report order."""
    return (
        Scorer(
            name="citation_coverage",
            what="1 if the answer cites one of must_cite_one_of",
            binary=True,
            needs=Needs.GOLD,
            applies=_nothing_to_cite,
            measure=_coverage,
            reads=("must_cite_one_of", "answerable", "cited_ids", "claims"),
            reads_answer=True,
        ),
        Scorer(
            name="citation_correctness",
            what="citations that point to evidence and whose quote stands there / "
            "citations",
            binary=False,
            needs=Needs.ALWAYS,
            applies=always,
            measure=_correctness,
            reads=("claims", "cited_ids", "evidence", "retrieved"),
            reads_answer=True,
        ),
        Scorer(
            name="citation_precision",
            what="|cited documents ∩ expected| / |cited documents|; 0 if a citation "
            "term is missing from the evidence",
            binary=False,
            needs=Needs.GOLD,
            applies=_nothing_expected,
            measure=_precise(match),
            reads=("expected_doc_ids", "expected_citation_terms", "cited_ids"),
            reads_answer=True,
        ),
    )
