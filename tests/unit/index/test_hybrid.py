"""A search over both legs: what ran is said, and a leg that cannot is left out."""

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import meaning
import numpy as np
import pytest
from numpy.typing import NDArray

from lastro.errors import EmbedderError
from lastro.gate.decide import decide
from lastro.gate.features import features
from lastro.gate.policy import RetrievalPolicy
from lastro.index.asked import Reranking
from lastro.index.folder import DENSE, LEXICAL
from lastro.index.ingest import ingest
from lastro.index.lock import writing
from lastro.index.search import Searcher
from lastro.model.decision import ReasonCode
from lastro.model.ranking import HybridPath, LegStatus, Ranking, Stage

MADE = meaning.Synonyms(costly=False)
BACK = "guest wireless password on the back"


@pytest.fixture
def kb(tmp_path: Path) -> Path:
    meaning.take(tmp_path / "kb")
    return tmp_path / "kb"


@pytest.fixture
def searcher(kb: Path) -> Iterator[Searcher]:
    searcher = Searcher.open(kb, embedders=lambda _: MADE)
    yield searcher
    searcher.close()


def ids(ranking: Ranking) -> list[str]:
    return [str(hit.document_id) for hit in ranking.hits]


def test_both_legs_are_fused_and_every_stage_is_kept(searcher: Searcher) -> None:
    ranking = searcher.search(BACK, legs="hybrid")

    assert ranking.hybrid_path is HybridPath.RRF_ONLY
    assert {name: leg.status for name, leg in ranking.legs.items()} == {
        "lexical": LegStatus.OK,
        "dense": LegStatus.OK,
    }
    assert list(ranking.stages) == [
        Stage.LEXICAL,
        Stage.DENSE,
        Stage.FUSED,
        Stage.SELECTED,
    ]
    best = ranking.hits[0]
    assert best.document_id == "wifi.md"
    assert best.stages.keys() == {*ranking.stages}
    assert best.score == best.stages[Stage.FUSED].score
    assert best.lexical_score > 0


def test_meaning_alone_finds_what_no_word_does(searcher: Searcher) -> None:
    ranking = searcher.search("buero", legs="hybrid")

    assert searcher.search("buero", legs="lexical").hits == ()
    assert "keys.md" in ids(ranking)
    assert ranking.hits[0].lexical_score == 0
    assert ranking.legs["lexical"].hits == 0


def test_the_words_alone_do_not_load_the_embedder(kb: Path) -> None:
    def refused(_: str) -> meaning.Synonyms:
        raise AssertionError("nobody asked for vectors")

    searcher = Searcher.open(kb, embedders=refused)
    ranking = searcher.search("guest", legs="lexical")
    searcher.close()

    assert ranking.hybrid_path is HybridPath.LEXICAL_ONLY
    assert ranking.legs["dense"].status is LegStatus.OFF
    assert Stage.DENSE not in ranking.stages


def test_meaning_alone_says_so(searcher: Searcher) -> None:
    ranking = searcher.search(BACK, legs="dense")

    assert ranking.hybrid_path is HybridPath.DENSE_ONLY
    assert ranking.legs["lexical"].status is LegStatus.OFF
    assert Stage.LEXICAL not in ranking.stages
    assert ids(ranking)[0] == "wifi.md"


def test_a_leg_that_is_blind_is_left_out_and_reported(searcher: Searcher) -> None:
    """Q09, Q10: a leg without a token took part with most of the weight."""
    ranking = searcher.search("@ %", legs="hybrid")

    assert ranking.legs["lexical"].status is LegStatus.BLIND
    assert ranking.legs["dense"].status is LegStatus.OK
    assert ranking.hybrid_path is HybridPath.DENSE_ONLY


def test_an_embedder_without_an_answer_leaves_the_words_as_they_are(kb: Path) -> None:
    class Down(meaning.Synonyms):
        def query(self, text: str) -> NDArray[np.float32]:
            raise EmbedderError(f"no answer for {len(text)} characters")

    searcher = Searcher.open(kb, embedders=lambda _: Down(costly=False))
    hybrid = searcher.search("guest network", legs="hybrid")
    words = searcher.search("guest network", legs="lexical")
    searcher.close()

    assert hybrid.legs["dense"].status is LegStatus.FAILED
    assert hybrid.hybrid_path is HybridPath.LEXICAL_ONLY
    assert hybrid.hits and ids(hybrid) == ids(words)  # noqa: PT018 - one fact
    assert "no answer" in hybrid.legs["dense"].why
    assert Stage.DENSE not in hybrid.stages


def test_a_lexical_index_that_fails_leaves_the_meaning(kb: Path) -> None:
    with writing(kb):
        shutil.rmtree(kb / LEXICAL)
        (kb / LEXICAL).mkdir()
        searcher = Searcher.open(kb, embedders=lambda _: MADE)
        ranking = searcher.search(BACK, legs="hybrid")
        searcher.close()

    assert ranking.legs["lexical"].status is LegStatus.FAILED
    assert ranking.hybrid_path is HybridPath.DENSE_ONLY
    assert ids(ranking)[0] == "wifi.md"


def test_the_indexes_are_kept_and_no_query_writes_them(
    kb: Path, searcher: Searcher
) -> None:
    """Q41: the index was built anew for each question."""
    before = {p: p.stat().st_mtime_ns for p in kb.rglob("*") if p.parent != kb}

    for _ in range(3):
        searcher.search("guest network", legs="hybrid")

    after = {p: p.stat().st_mtime_ns for p in kb.rglob("*") if p.parent != kb}
    assert {p for p in after if p.suffix in {".vec", ".key", ".json"}}
    assert after == before


def test_an_empty_base_is_no_error(tmp_path: Path) -> None:
    """Q18: an empty collection divided by zero."""
    kb = tmp_path / "kb"
    meaning.take(kb)
    meaning.take(kb, {"only": "one"})
    source = meaning.write(kb.with_name("notes"), {})
    ingest(kb, [source], sync=True, vectors=meaning.vectors(MADE))
    searcher = Searcher.open(kb, embedders=lambda _: MADE)

    for legs in ("lexical", "dense", "hybrid"):
        ranking = searcher.search("guest network", legs=legs)
        assert ranking.hits == ()
        assert "the knowledge base is empty" in ranking.notes
    searcher.close()
    assert not list((kb / DENSE).glob("*.vec"))


def test_the_same_query_gives_the_same_answer(searcher: Searcher) -> None:
    def without_times(ranking: Ranking) -> tuple[object, ...]:
        return ranking.hits, ranking.selected, ranking.stages

    rankings = [searcher.search(BACK, legs="hybrid") for _ in range(3)]

    assert without_times(rankings[0]) == without_times(rankings[1])
    assert without_times(rankings[1]) == without_times(rankings[2])


def test_a_filter_holds_for_both_legs(searcher: Searcher) -> None:
    ranking = searcher.search(BACK, legs="hybrid", filter_locale="ko")

    assert ranking.hits == ()
    assert "no document is in 'ko'" in ranking.notes[-1]


class Backwards:
    """Likes short texts."""

    name = "backwards"
    blend: float | None = None

    def scores(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        del query
        return [-float(len(text)) for text in texts]


def test_a_reranker_has_the_last_word(searcher: Searcher) -> None:
    wanted = Reranking(reranker=Backwards(), budget_ms=1000)

    ranking = searcher.search("guest desk page", legs="hybrid", reranking=wanted)

    assert ranking.hybrid_path is HybridPath.FULL
    assert ranking.legs["reranker"].hits == 3
    lengths = [len(hit.title) + len(hit.passage.text) for hit in ranking.hits]
    assert lengths == sorted(lengths)
    assert ranking.hits[0].score == ranking.hits[0].stages[Stage.RERANKED].score
    assert Stage.RERANKED in ranking.stages


def test_a_reranker_over_its_budget_is_skipped_and_said_so(kb: Path) -> None:
    """Q40: a reranker took half a minute."""
    meaning.take(kb, {f"n{at}": f"guest desk {at}" for at in range(9)})
    searcher = Searcher.open(kb, embedders=lambda _: MADE)
    ticks = iter(range(0, 10_000, 5))
    wanted = Reranking(reranker=Backwards(), budget_ms=1)
    plain = searcher.search("guest desk", legs="hybrid")

    ranking = searcher.search(
        "guest desk",
        legs="hybrid",
        reranking=wanted,
        clock=lambda: float(next(ticks)),
    )
    searcher.close()

    assert ranking.legs["reranker"].status is LegStatus.OFF
    assert "skipped: over 1 ms after 4 of 9" in ranking.legs["reranker"].why
    assert ranking.hybrid_path is HybridPath.RRF_ONLY
    assert ids(ranking) == ids(plain)


def test_a_prefix_that_looks_like_a_field_is_data_for_both_legs(
    searcher: Searcher,
) -> None:
    """Q06: a prefix of the program's own broke the words; only vectors were left."""
    ranking = searcher.search("intent: guest network", legs="hybrid")

    assert {leg.status for leg in ranking.legs.values()} == {LegStatus.OK}
    assert ranking.legs["lexical"].hits > 0
    assert ids(ranking)[0] == "wifi.md"


def test_what_is_near_to_an_off_topic_question_is_not_enough(kb: Path) -> None:
    """Q36: an off-topic question was answered from what lay nearest."""
    searcher = Searcher.open(kb, embedders=lambda _: MADE)
    ranking = searcher.search("photosynthesis of orchids", legs="hybrid")
    searcher.close()

    decision = decide(features(ranking), RetrievalPolicy())
    assert ranking.legs["dense"].status is not LegStatus.FAILED
    assert decision.reason is ReasonCode.INSUFFICIENT_CONTEXT
