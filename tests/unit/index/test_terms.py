"""The words of a query: counted in the index, scored in a passage as it scores them."""

from pathlib import Path

import library
import pytest

from lastro.index.bm25 import idf, weight
from lastro.index.lexical import Lexical
from lastro.index.publish import folder_of
from lastro.index.search import Searcher
from lastro.index.store import Store
from lastro.index.terms import Terms
from lastro.text.analyse import query_words

SHELF = [
    library.document("one", "Printing costs money. " * 3, title="Printing"),
    library.document("two", "The money is in the bank, and the bank is old."),
    library.document("três", "Licitação aberta: pregão.", locale="pt-BR"),
    library.document("넷", "연결 프로그램. 연결이 끊겼습니다.", locale="ko"),
]


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Path:
    kb = tmp_path_factory.mktemp("kb")
    library.take(kb, SHELF)
    return kb


@pytest.mark.parametrize(
    ("query", "locale"),
    [
        ("printing money bank", "en"),
        ("licitacao pregão", "pt-BR"),
        ("연결 프로그램", "ko"),
        ("the printing is old", "en"),
    ],
)
def test_weighed_term_scores_add_up_to_the_score_of_the_passage(
    kb: Path, query: str, locale: str
) -> None:
    searcher = Searcher.open(kb)
    ranking = searcher.search(query, locale=locale)
    words = query_words(query, [locale])
    searcher.close()

    assert ranking.selected
    for hit in ranking.selected:
        weighed = zip(words, hit.term_scores, strict=True)
        total = sum(weight(word) * score for word, score in weighed)
        assert total == pytest.approx(hit.lexical_score, rel=1e-3)


def test_a_word_found_in_titles_only_counts_too(kb: Path) -> None:
    searcher = Searcher.open(kb)
    (term,) = searcher.search("printing", locale="en").terms
    searcher.close()
    assert term.df == 1


def test_in_an_empty_base_no_passage_holds_any_word() -> None:
    words = query_words("printing 5G", ["en"])
    described = Terms(words, None).described()

    assert [term.df for term in described] == [0, 0]
    assert [term.idf for term in described] == [idf(0, 0)] * 2
    assert [term.exact for term in described] == [False, True]


def test_a_passage_whose_terms_the_index_lacks_is_analysed_again(kb: Path) -> None:
    with Store(kb) as store:
        rows = [row for (row,) in store.db.execute("SELECT row FROM passages")]
        found = store.passages(rows)
    words = query_words("printing money licitacao 연결", ["en", "pt", "ko"])
    terms = Terms(words, Lexical(folder_of(kb, 1)).snapshot())
    elsewhere = {1000 + row: one for row, one in found.items()}

    scores = terms.scores(found)

    assert any(map(any, scores.values()))
    assert terms.scores(elsewhere) == {1000 + row: one for row, one in scores.items()}
