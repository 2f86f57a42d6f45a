"""Whatever is taken in, replaced, removed and interrupted: the index is the store."""

import tempfile
from pathlib import Path

import library
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lastro.index.fuse import Candidate, ranked
from lastro.index.search import Searcher
from lastro.index.select import parents, selected
from lastro.model.ids import DocumentId, PassageId

pytestmark = pytest.mark.property

NAMES = ("a", "b", "c", "d")
STEPS = st.lists(
    st.tuples(
        st.sampled_from(("take", "drop")),
        st.dictionaries(st.sampled_from(NAMES), st.integers(0, 3), min_size=1),
        st.booleans(),
    ),
    min_size=1,
    max_size=6,
)
CANDIDATES = st.lists(
    st.builds(
        lambda score, document, ordinal: Candidate(
            score,
            PassageId(f"{document}::{ordinal:03d}"),
            DocumentId(document),
            ordinal,
        ),
        st.sampled_from((0.0, 0.5, 1.0, 2.0)),
        st.sampled_from(NAMES),
        st.integers(0, 9),
    ),
    unique_by=lambda one: one.passage,
)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(STEPS)
def test_what_is_found_is_what_was_last_acknowledged(
    steps: list[tuple[str, dict[str, int], bool]],
) -> None:
    model: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as folder:
        kb = Path(folder) / "kb"
        library.make(kb).close()
        for step, versions, publish in steps:
            if step == "take":
                model |= versions
                texts = {n: f"unique{n} version{v}." for n, v in versions.items()}
                made = [library.document(name, text) for name, text in texts.items()]
                library.take(kb, made, publish=publish)
            else:
                model = {n: v for n, v in model.items() if n not in versions}
                library.drop(kb, *versions, publish=publish)
            assert found(kb) == model


def found(kb: Path) -> dict[str, int]:
    """Return every document's version, as a search shows it and as the list does."""
    searcher = Searcher.open(kb)
    seen: dict[str, int] = {}
    for name in NAMES:
        passages = searcher.search(f"unique{name}", locale="en", k=9).selected
        assert len(passages) <= 1
        for hit in passages:
            assert hit.document_id == name
            seen[name] = int(hit.passage.text.strip(".")[-1])
    assert [line.id for line in searcher.documents()] == sorted(seen)
    searcher.close()
    return seen


@given(CANDIDATES, st.integers(1, 6), st.integers(1, 4))
def test_selection_keeps_the_order_and_its_bounds(
    candidates: list[Candidate], count: int, most: int
) -> None:
    order = ranked(candidates)
    documents, prompt = parents(order, count), selected(order, count, most)

    assert list(order) == sorted(order, key=lambda one: (-one.score, one.passage))
    assert len({one.document for one in documents}) == len(documents) <= count
    assert [one for one in order if one in prompt] == list(prompt)
    assert len(prompt) <= count
    for name in NAMES:
        mine = [one for one in order if one.document == name]
        assert sum(one.document == name for one in prompt) <= min(most, len(mine))
        assert [one for one in documents if one.document == name] in ([], mine[:1])
