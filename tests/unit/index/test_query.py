"""A query of the lexical index is built from words; its text has no operators."""

from collections.abc import Sequence

import pytest
from tantivy import Document, Index, Searcher

from lastro.index.lexical import schema
from lastro.index.query import MOST_WORDS, build, choose, named
from lastro.text.analyse import index_text, query_words

TEXTS = {
    "pt": ["conexão de rede", "teclado e mouse", "rede rede teclado", "o que é isto"],
    "en": ["turn it on -40 and +1", "field body:head OR (x)", "don't panic", "wifi"],
    "ko": ["네트워크를 연결합니다", "프린터 설정", "앱이 열립니다", "와이파이"],
}


@pytest.mark.parametrize(
    "hostile",
    [
        "body:turn",
        'panic" OR "',
        "don't'",
        "-40 +1",
        "(((turn",
        "turn^99999 ~2 *",
        "AND OR NOT",
        "\\ / [a TO b] {x}",
    ],
)
def test_query_text_is_data_q05_q07_q08(hostile: str) -> None:
    """Q05, Q07, Q08: signs in a question broke the query or became operators."""
    assert _found("en", hostile) == _found("en", _words_only(hostile))


def test_a_minus_sign_excludes_nothing_q08() -> None:
    """Q08: "-40" was a filter that excluded what it should find."""
    assert 0 in _found("en", "-40")


def test_a_query_without_words_finds_nothing() -> None:
    assert _found("en", "?! -- ...") == []


@pytest.mark.parametrize("query", ["o que é", "isto"])
def test_stop_words_never_empty_a_query_q15(query: str) -> None:
    """Q15: function words weigh little, and still find when they are all there is."""
    assert 3 in _found("pt", query)


def test_stop_words_alone_do_not_outrank_a_word_that_says_something_q15() -> None:
    """Q15: a document of function words came before the one asked for."""
    texts = [*["o que é o que é", "que dia é o dia"] * 5, "teclado, rede e mouse"]

    assert _found_in(texts, "pt", "o que é mouse?")[0] == 10


def test_a_korean_query_finds_q09_q12() -> None:
    """Q09, Q12: no token, or the whole sentence as one token: nothing found."""
    assert _found("ko", "네트워크에 연결")[0] == 0
    assert _found("ko", "앱을 어떻게 하나요")[0] == 2


def test_an_unaccented_word_finds_the_accented_q24_q29() -> None:
    """Q24, Q29: the index was folded and the query not, or the other way round."""
    assert _found("pt", "conexao") == _found("pt", "conexão") == [0]


def test_a_query_of_few_words_is_looked_up_whole() -> None:
    words = query_words("o teclado e a rede", ["pt"])

    assert choose(words, lambda _: 0) == words


def test_a_long_prompt_is_cut_to_its_telling_words_q21() -> None:
    """Q21: a long prompt as a query overflowed the number of clauses."""
    filler = " ".join(f"palavra{letter}" for letter in _names(200))
    words = query_words(f"o a de {filler} teclado", ["pt"])

    kept = choose(words, lambda term: 3 if term == "tecl" else 0)

    assert len(kept) == MOST_WORDS
    assert "teclado" in [word.surface for word in kept]
    assert "de" not in [word.surface for word in kept]
    assert list(kept) == [word for word in words if word in kept]


def test_the_cut_keeps_rare_words_before_common_ones_q21() -> None:
    """Q21: what fills every document is the first to go."""
    words = query_words("impressora teclado monitor", ["pt"])
    df = {"impressor": 900, "tecl": 2, "monitor": 5}

    kept = choose(words, lambda term: df.get(term, 0), most=2)

    assert [word.surface for word in kept] == ["teclado", "monitor"]


def test_thousands_of_words_are_still_a_query_q21() -> None:
    """Q21: repeats multiplied the clauses."""
    words = query_words("rede teclado " * 5000, ["pt"])

    assert len(words) == 2
    assert _found("pt", "rede teclado " * 5000) == _found("pt", "rede teclado")


def _names(count: int) -> list[str]:
    letters = "abcdefghij"
    return [
        letters[n // 100] + letters[n // 10 % 10] + letters[n % 10]
        for n in range(count)
    ]


def _words_only(query: str) -> str:
    return " ".join(word.surface for word in query_words(query, ["en"]))


def _found(locale: str, query: str) -> list[int]:
    return _found_in(TEXTS[locale], locale, query)


def _found_in(texts: Sequence[str], locale: str, query: str) -> list[int]:
    searcher = _index(texts, locale)
    hits = searcher.search(build(query_words(query, [locale])), 10).hits
    rows = searcher.fast_field_values("row", [address for _, address in hits])
    return [int(row or 0) for row in rows]


def _index(texts: Sequence[str], locale: str) -> Searcher:
    index = Index(schema())
    writer = index.writer(15_000_000, 1)
    for at, text in enumerate(texts):
        row = Document()
        row.add_text("body", index_text(text, locale))
        row.add_integer("row", at)
        writer.add_document(row)
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    return index.searcher()


@pytest.mark.parametrize(
    ("text", "locale", "wanted"),
    [
        ("Where did Luther nail the 95 theses?", "en", ["luther", "95"]),
        ("Add a keyboard shortcut.", "en", []),
        ("¿Qué hizo Lutero? Él escribió.", "es", ["lutero"]),
        ("블루투스 USB 키보드 연결", "ko", ["usb"]),
        ("", "en", []),
    ],
)
def test_names_and_codes_are_told_from_words(
    text: str, locale: str, wanted: list[str]
) -> None:
    found = named(query_words(text, [locale]), text)

    assert [word.surface for word in found] == wanted
