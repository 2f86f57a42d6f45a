"""Every generator that more than one property test uses."""

from hypothesis import strategies as st

from lastro.model.ids import CaseId
from lastro.model.trace import (
    Retrieved,
    Trace,
    TraceCitation,
    TraceClaim,
    TraceDecision,
    TraceError,
    TracePassage,
    TraceStageEntry,
)

# Few documents, so that repeats and hits happen; some ids are not ASCII.
DOCUMENTS = ("a", "b", "c", "d", "e", "ação", "문서", "A B")

document_ids = st.sampled_from(DOCUMENTS)
rankings = st.lists(document_ids, max_size=12)
golds = st.lists(document_ids, min_size=1, max_size=6)
cutoffs = st.integers(1, 12)

# Text around the rules of numbers: digits, both separators, blanks, letters.
term_texts = st.text(alphabet="0123.,ab 1 ２\u00a0Aß", max_size=14)
terms = st.text(alphabet="0123.,ab ２ß", min_size=1, max_size=4).filter(
    lambda term: bool(term.strip())
)

_plain = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
_ids = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1).filter(
    lambda text: bool(text.strip())
)
_numbers = st.floats(allow_nan=False, allow_infinity=False)
_maybe = st.none() | _plain
_hits = st.builds(
    Retrieved,
    id=_ids,
    parent_id=st.none() | _ids,
    score=st.none() | _numbers,
    text=_maybe,
)
_entries = st.builds(
    TraceStageEntry, passage_id=_ids, document_id=_ids, score=st.none() | _numbers
)
_passages = st.builds(
    TracePassage,
    document_id=_ids,
    passage_id=st.none() | _ids,
    text=_maybe,
    start=st.none() | st.integers(0, 10_000),
)
_citations = st.builds(
    TraceCitation, document_id=_ids, passage_id=st.none() | _ids, quote=_maybe
)
_json = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**40), 2**40) | _numbers | _plain,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_plain, inner),
    max_leaves=6,
)


def _tuples(item: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    return st.none() | st.lists(item, max_size=3).map(tuple)


traces = st.builds(
    Trace,
    case_id=_ids.map(CaseId),
    query=_maybe,
    system=_maybe,
    retrieved=_tuples(_hits),
    stages=st.none()
    | st.dictionaries(
        st.sampled_from(["lexical", "fused"]),
        st.lists(_entries, max_size=3).map(tuple),
    ),
    evidence=_tuples(_passages),
    gold_not_indexed=_tuples(_ids),
    decision=st.none()
    | st.builds(TraceDecision, reason=_maybe, confidence=st.none() | _numbers),
    answer_text=_maybe,
    answer=st.none() | st.dictionaries(_plain.filter(lambda k: k != "claims"), _json),
    cited_ids=_tuples(_ids),
    claims=_tuples(
        st.builds(
            TraceClaim,
            text=_plain,
            target=_maybe,
            citations=st.lists(_citations, max_size=2).map(tuple),
        )
    ),
    abstained=st.none() | st.booleans(),
    refused=st.none() | st.booleans(),
    error=st.none() | st.builds(TraceError, kind=_plain),
    timings_ms=st.none() | st.dictionaries(_plain, _numbers),
)
