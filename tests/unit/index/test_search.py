"""A search always has an answer, and the answer says how it came about."""

import math
from collections.abc import Callable, Iterator
from pathlib import Path

import library
import pytest

from lastro.errors import KnowledgeBaseError, UsageError
from lastro.index.lock import writing
from lastro.index.publish import folder_of
from lastro.index.search import Searcher
from lastro.model.ranking import HybridPath, LegStatus, Ranking, Stage

SHELF = [
    library.document(
        "codes", "A guest code lasts 24 hours. " * 40, title="Guest codes"
    ),
    library.document("print", "Printing a page costs 16 pence.", title="Printing"),
    library.document("senha", "A senha vale 365 dias.", title="Senhas", locale="pt-BR"),
    library.document(
        "키보드", "블루투스 키보드를 연결합니다.", title="블루투스", locale="ko"
    ),
    library.document("lib", "The guest book.", title="Book", collection="library"),
]


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Path:
    kb = tmp_path_factory.mktemp("kb")
    library.take(kb, SHELF)
    return kb


@pytest.fixture
def searcher(kb: Path) -> Iterator[Searcher]:
    searcher = Searcher.open(kb)
    yield searcher
    searcher.close()


def ids(ranking: Ranking) -> list[str]:
    return [hit.document_id for hit in ranking.hits]


def test_documents_come_by_their_best_passage_each_once(searcher: Searcher) -> None:
    ranking = searcher.search("guest code hours")

    assert ids(ranking) == ["codes", "lib"]
    assert [hit.rank for hit in ranking.hits] == [1, 2]
    best = ranking.stages[Stage.FUSED][0]
    assert ranking.hits[0].passage_id == best.passage_id
    assert ranking.hits[0].score == best.score
    assert ranking.hits[0].stages[Stage.LEXICAL].rank == 1


def test_selected_takes_at_most_so_many_of_a_document(searcher: Searcher) -> None:
    for most in (1, 2, 3):
        ranking = searcher.search("guest code", max_chunks_per_source=most)
        taken = [str(hit.document_id) for hit in ranking.selected]
        assert taken.count("codes") == min(most, 2)
        assert len(taken) <= 4
        assert [h.passage_id for h in ranking.selected] == [
            entry.passage_id for entry in ranking.stages[Stage.SELECTED]
        ]


def test_a_hit_knows_its_passage_and_its_document(searcher: Searcher) -> None:
    (hit,) = searcher.search("senha").hits
    document = searcher.document("senha")

    assert document is not None
    assert document.text[hit.passage.start : hit.passage.end] == hit.passage.text
    assert (hit.title, hit.source, hit.passage.locale) == (
        "Senhas",
        "shelf/senha",
        "pt-BR",
    )
    assert searcher.document("nobody") is None


def test_the_terms_say_what_the_index_knows_of_the_query(searcher: Searcher) -> None:
    ranking = searcher.search("guest zebra 365", locale="en")
    guest, zebra, number = ranking.terms

    assert [term.word for term in ranking.terms] == ["guest", "zebra", "365"]
    assert zebra.df == 0
    assert guest.df > 1
    assert number.df == 1
    assert number.exact
    assert zebra.idf > number.idf > guest.idf > 0
    assert ranking.passages == 6
    for hit in (*ranking.hits, *ranking.selected):
        assert len(hit.term_scores) == 3
        assert hit.term_scores[1] == 0.0


def test_the_term_scores_add_up_to_the_lexical_score(searcher: Searcher) -> None:
    for hit in searcher.search("guest hours", locale="en").hits:
        assert math.fsum(hit.term_scores) == pytest.approx(hit.lexical_score, rel=0.05)


def test_a_hangul_word_counts_where_all_its_bigrams_are(searcher: Searcher) -> None:
    ranking = searcher.search("키보드", locale="ko")

    assert ids(ranking) == ["키보드"]
    assert ranking.terms[0].df == 1
    assert searcher.search("키보코", locale="ko").terms[0].df == 0


def test_the_language_is_given_or_detected_or_all_of_the_base(
    searcher: Searcher,
) -> None:
    given = searcher.search("senha", locale="pt-BR")
    detected = searcher.search("블루투스 키보드")
    unsure = searcher.search("zzz")
    absent = searcher.search("senha", locale="fr")

    assert (given.locales, given.locale_detected) == (("pt-BR",), False)
    assert (detected.locales, detected.locale_detected) == (("ko",), True)
    assert (unsure.locales, unsure.locale_detected) == (("en", "ko", "pt"), False)
    assert absent.locales == ("fr", "en", "ko", "pt")
    assert ids(absent) == ["senha"]


def test_filters_apply_before_ranking(searcher: Searcher) -> None:
    assert ids(searcher.search("guest", collection="library")) == ["lib"]
    assert ids(searcher.search("guest", collection="none")) == []
    assert ids(searcher.search("guest senha", filter_locale="pt")) == ["senha"]


def test_a_filter_that_takes_no_document_is_said(searcher: Searcher) -> None:
    nowhere = searcher.search("guest", filter_locale="fr", collection="attic")
    assert nowhere.notes == (
        "no document is in 'fr'; there are: en, ko, pt-BR",
        "no document is in the collection 'attic'; there are: library",
    )
    assert searcher.search("zebra", filter_locale="en").notes == ()
    assert searcher.search("guest", filter_locale="en").notes == ()


def test_q05_q07_q08_a_query_is_data_and_has_no_operators(searcher: Searcher) -> None:
    plain = searcher.search("guest code hours", locale="en")
    for query in (
        "guest: code hours",
        "body:guest code hours",
        "-guest +code hours",
        "guest' code OR hours",
        '"guest code" AND hours*',
        "guest~2 (code hours",
        "guest code hours^ [TO]",
    ):
        assert ids(searcher.search(query, locale="en")) == ids(plain), query
    assert ids(searcher.search("-guest")) == ids(searcher.search("guest"))


@pytest.mark.parametrize("query", ["", " \n", "?!…", "-", "\x00", "()", "🙂"])
def test_q09_a_query_without_a_word_is_blind_and_says_so(
    searcher: Searcher, query: str
) -> None:
    ranking = searcher.search(query)

    assert ranking.legs["lexical"].status is LegStatus.BLIND
    assert ranking.legs["lexical"].why
    assert ranking.hybrid_path is HybridPath.NONE
    assert (ranking.hits, ranking.selected, ranking.terms) == ((), (), ())


@pytest.mark.parametrize(
    "query",
    [
        "guest " * 20_000,
        " ".join(f"word{n}" for n in range(12_000)) + " guest",
        "guest " + "a" * 100_000,
        "\ud800 guest \x00",
        "연결" * 50_000 + " guest",
    ],
    ids=["repeats", "words", "one word", "surrogate", "hangul"],
)
def test_a_very_long_or_broken_query_is_answered(
    searcher: Searcher, query: str
) -> None:
    ranking = searcher.search(query, locale="en")

    assert "codes" in ids(ranking)
    assert ranking.legs["lexical"].status is LegStatus.OK


def test_q21_a_long_query_is_cut_to_the_words_that_say_most(
    searcher: Searcher,
) -> None:
    ranking = searcher.search(" ".join(f"word{n}" for n in range(200)) + " guest")

    assert len(ranking.terms) < 100
    assert "guest" in [term.word for term in ranking.terms]
    assert any("of 201 words" in note for note in ranking.notes)


def test_a_leg_that_does_not_exist_is_reported_and_invents_nothing(
    searcher: Searcher,
) -> None:
    dense = searcher.search("guest", legs="dense")
    assert dense.hits == ()
    assert dense.hybrid_path is HybridPath.NONE
    assert dense.legs["lexical"].status is LegStatus.OFF
    assert dense.legs["dense"].status is LegStatus.OFF
    assert "no dense index" in dense.legs["dense"].why

    hybrid = searcher.search("guest", legs="hybrid")
    assert ids(hybrid) == ids(searcher.search("guest"))
    assert hybrid.hybrid_path is HybridPath.LEXICAL_ONLY
    assert "no dense index" in hybrid.legs["dense"].why


@pytest.mark.parametrize(
    "choice",
    [{"legs": "both"}, {"k": 0}, {"candidate_k": 0}, {"max_chunks_per_source": 0}],
)
def test_choices_that_make_no_sense_are_refused(
    searcher: Searcher, choice: dict[str, object]
) -> None:
    search: Callable[..., Ranking] = searcher.search
    with pytest.raises(UsageError, match=next(iter(choice))):
        search("guest", **choice)


def test_time_comes_from_the_clock_that_was_handed_in(searcher: Searcher) -> None:
    ticks = iter([1.0, 1.25])

    ranking = searcher.search("guest", clock=lambda: next(ticks))
    assert ranking.legs["lexical"].took_ms == 250.0
    assert ranking.legs["lexical"].tokens == 1


def test_the_same_query_has_the_same_answer(kb: Path) -> None:
    rankings = []
    for _ in range(2):
        searcher = Searcher.open(kb)
        rankings.append(searcher.search("guest code", clock=lambda: 0.0))
        searcher.close()

    assert rankings[0] == rankings[1]


def test_ties_end_by_id_at_the_cut_too(tmp_path: Path) -> None:
    names = [f"d{n:03d}" for n in range(100)]
    library.take(
        tmp_path, [library.document(n, "Alpha.", title="T") for n in names[::-1]]
    )
    searcher = Searcher.open(tmp_path)
    ranking = searcher.search("alpha", k=4)
    searcher.close()

    assert ids(ranking) == names[:4]
    stage = ranking.stages[Stage.LEXICAL]
    assert [entry.document_id for entry in stage] == names[:24]


def test_i41_q18_an_empty_base_is_answered(tmp_path: Path) -> None:
    library.make(tmp_path).close()
    for _ in range(2):
        searcher = Searcher.open(tmp_path)
        ranking = searcher.search("anything at all")
        assert ranking.hits == ()
        assert ranking.legs["lexical"].status is LegStatus.OK
        assert ranking.passages == 0
        assert ranking.notes == ("the knowledge base is empty",)
        assert {term.df for term in ranking.terms} == {0}
        assert list(searcher.documents()) == []
        assert searcher.document("a") is None
        searcher.close()
        library.take(tmp_path, [library.document("a", "Alpha.")])
        library.drop(tmp_path, "a")


def test_q41_a_long_lived_searcher_sees_every_commit(tmp_path: Path) -> None:
    library.take(tmp_path, [library.document("a", "Alpha.")])
    searcher = Searcher.open(tmp_path)
    assert ids(searcher.search("alpha beta")) == ["a"]

    library.take(tmp_path, [library.document("b", "Beta.")])
    assert ids(searcher.search("alpha beta")) == ["a", "b"]
    library.drop(tmp_path, "a")
    assert ids(searcher.search("alpha beta")) == ["b"]
    assert searcher.document("a") is None
    assert [line.id for line in searcher.documents()] == ["b"]
    searcher.close()


def test_a_broken_index_is_a_failed_leg_and_not_an_empty_answer(
    tmp_path: Path,
) -> None:
    library.take(tmp_path, [library.document("a", "Alpha.")])
    (path,) = folder_of(tmp_path, 1).glob("*.term")
    path.write_bytes(b"\x00" * 400)
    with writing(tmp_path):
        searcher = Searcher.open(tmp_path)
        ranking = searcher.search("alpha")
        document = searcher.document("a")
        searcher.close()

    assert ranking.legs["lexical"].status is LegStatus.FAILED
    assert "damaged" in ranking.legs["lexical"].why
    assert ranking.hybrid_path is HybridPath.NONE
    assert document is not None


def test_opening_what_is_no_knowledge_base_is_refused(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeBaseError, match="not a knowledge base"):
        Searcher.open(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["k", "candidate_k", "max_chunks_per_source"])
@pytest.mark.parametrize("value", [0, -1, 1001, 10**9, "3", 2.5, True, None, [4]])
def test_a_count_is_a_whole_number_from_1_to_1000(
    searcher: Searcher, name: str, value: object
) -> None:
    with pytest.raises(UsageError, match=f"{name} is .*whole number from 1 to 1000"):
        searcher.search("guest", **{name: value})  # type: ignore[arg-type]


def test_the_most_that_can_be_asked_for_is_given(searcher: Searcher) -> None:
    ranking = searcher.search(
        "guest", k=1000, candidate_k=1000, max_chunks_per_source=1000
    )
    assert set(ids(ranking)) == {"codes", "lib"}


@pytest.mark.parametrize("name", ["query", "locale", "filter_locale", "collection"])
def test_what_has_to_be_text_and_is_none_is_refused(
    searcher: Searcher, name: str
) -> None:
    with pytest.raises(UsageError, match=f"{name} is 5: it is text"):
        searcher.search(**{"query": "guest", name: 5})  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="id is 5"):
        searcher.document(5)  # type: ignore[arg-type]


@pytest.mark.parametrize("sign", ["\0", "\ud800", "\udfff a", "x\ud800y\0"])
def test_signs_that_no_text_holds_are_data_that_is_not_found(
    searcher: Searcher, sign: str
) -> None:
    assert ids(searcher.search("guest", collection=sign)) == []
    assert ids(searcher.search("guest", filter_locale=sign)) == []
    assert ids(searcher.search("guest", locale=sign)) == ["codes", "lib"]
    assert searcher.document(sign) is None
    ranking = searcher.search(f"guest {sign}")
    assert ids(ranking)[:2] == ["codes", "lib"]
    ranking.query.encode("utf-8")
