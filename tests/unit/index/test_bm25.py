"""What each query word adds to a passage's score, as tantivy computes it."""

import math
from collections import Counter
from collections.abc import Sequence

import pytest
from tantivy import Document, Index, Searcher

from lastro.index.bm25 import HEAD_WEIGHT, K1, B, Scoring, Stats, idf, weight
from lastro.index.lexical import schema
from lastro.index.query import build
from lastro.text.analyse import index_terms, query_words
from lastro.text.emit import Word

# (title, text): short enough that tantivy keeps their lengths exactly.
PASSAGES = {
    "pt": (
        ("Rede sem fio", "Conecte o teclado à rede sem fio e reinicie o computador."),
        ("Teclado", "O teclado Bluetooth pode ser conectado com o Wi-Fi desligado."),
        ("Licitação", "A licitação PP-12/2024 exige C++ e 12,5 horas por semana."),
        ("Licitacao antiga", "Sem acento: licitacao, rede, e mais rede."),
        ("Impressora", "Ligue a impressora."),
    ),
    "ko": (
        ("네트워크", "네트워크를 연결하려면 설정을 엽니다."),
        ("앱", "앱이 열리지 않으면 다시 시작합니다."),
        ("프린터", "프린터를 네트워크에 연결합니다. 네트워크 설정을 봅니다."),
    ),
}
QUERIES = (
    ("pt", "Como conectar o teclado na rede?"),
    ("pt", "licitação com C++"),
    ("pt", "licitacao PP-12/2024 wifi"),
    ("pt", "wi-fi e o que mais"),
    ("ko", "네트워크를 연결하려면 어떻게 하나요"),
    ("ko", "앱을 다시 시작"),
)


@pytest.mark.parametrize(("locale", "query"), QUERIES)
def test_the_weighed_scores_of_the_words_are_tantivys_score(
    locale: str, query: str
) -> None:
    words = query_words(query, [locale])

    expected = _by_tantivy(locale, words)

    for at in range(len(PASSAGES[locale])):
        scores = _scores(words, locale, at)
        score = math.fsum(
            weight(word) * own for word, own in zip(words, scores, strict=True)
        )
        assert score == pytest.approx(expected.get(at, 0.0), rel=1e-5)


@pytest.mark.parametrize(("locale", "query"), QUERIES)
def test_a_slow_definition_gives_the_same(locale: str, query: str) -> None:
    words = query_words(query, [locale])

    for at in range(len(PASSAGES[locale])):
        slow = [
            _slow_field(word, locale, at, field=1)
            + HEAD_WEIGHT * _slow_field(word, locale, at, field=0)
            for word in words
        ]

        assert _scores(words, locale, at) == pytest.approx(slow)


def test_emissions_of_a_word_combine_by_maximum_and_not_by_sum() -> None:
    (word,) = query_words("licitação", ["pt"])
    stats = _stats({"licit": 1, "licitaca": 1})

    both = Scoring([word], stats).scores({"licit": 1, "licitaca": 1}, 2, {}, 0)
    one = Scoring([word], stats).scores({"licit": 1}, 2, {}, 0)

    assert both == one


def test_a_hangul_word_scores_the_mean_of_its_bigrams() -> None:
    (word,) = query_words("네트워크", ["ko"])
    stats = _stats({"네트": 1, "트워": 1, "워크": 1})

    (whole,) = Scoring([word], stats).scores(
        {"네트": 1, "트워": 1, "워크": 1}, 3, {}, 0
    )
    (third,) = Scoring([word], stats).scores({"네트": 1}, 3, {}, 0)

    assert third == pytest.approx(whole / 3)


def test_a_noun_of_one_syllable_is_found_behind_another_particle() -> None:
    (word,) = query_words("앱을", ["ko"])
    held = Counter(index_terms("앱이", "ko"))

    (score,) = Scoring([word], _stats({"앱": 1})).scores(held, 2, {}, 0)

    assert score > 0


def test_title_and_headings_count_half() -> None:
    (word,) = query_words("teclado", ["pt"])
    stats = _stats({"tecl": 1})

    (body,) = Scoring([word], stats).scores({"tecl": 1}, 1, {}, 0)
    (head,) = Scoring([word], stats).scores({}, 0, {"tecl": 1}, 1)

    assert head == pytest.approx(body / 2)


def test_a_passage_without_the_word_or_without_any_scores_zero() -> None:
    words = query_words("teclado rede", ["pt"])

    assert Scoring(words, _stats({})).scores({}, 0, {}, 0) == (0.0, 0.0)
    assert Scoring((), _stats({})).scores({"x": 1}, 1, {}, 0) == ()


def test_what_says_little_counts_half_q15() -> None:
    """Q15: function words made every document a hit of the first rank."""
    weights = {word.surface: weight(word) for word in query_words("o teclado", ["pt"])}

    assert weights == {"o": 0.5, "teclado": 1.0}


def test_idf_is_never_negative_q31() -> None:
    """Q31: a missing or common match is no negative score."""
    assert idf(10, 10) > 0
    assert idf(0, 0) == pytest.approx(math.log(2))


def _stats(df: dict[str, int]) -> Stats:
    return Stats(passages=4, body_avg=1.0, head_avg=1.0, body_df=df, head_df=df)


def _terms(locale: str, at: int, field: int) -> list[str]:
    return index_terms(PASSAGES[locale][at][field], locale)


def _all(locale: str, field: int) -> list[list[str]]:
    return [_terms(locale, at, field) for at in range(len(PASSAGES[locale]))]


def _scores(words: Sequence[Word], locale: str, at: int) -> tuple[float, ...]:
    head, body = _all(locale, 0), _all(locale, 1)
    stats = Stats(
        passages=len(body),
        body_avg=sum(map(len, body)) / len(body),
        head_avg=sum(map(len, head)) / len(head),
        body_df=Counter(term for terms in body for term in set(terms)),
        head_df=Counter(term for terms in head for term in set(terms)),
    )
    return Scoring(words, stats).scores(
        Counter(body[at]), len(body[at]), Counter(head[at]), len(head[at])
    )


def _slow_field(word: Word, locale: str, at: int, field: int) -> float:
    every = _all(locale, field)
    average = sum(map(len, every)) / len(every)

    def of(term: str) -> float:
        df = sum(term in terms for terms in every)
        rarity = math.log(1 + (len(every) - df + 0.5) / (df + 0.5))
        tf = every[at].count(term)
        length = 1 - B + B * len(every[at]) / average
        return rarity * tf * (K1 + 1) / (tf + K1 * length)

    if word.script != "hangul":
        return max(map(of, word.emissions))
    surface = word.surface
    pairs = [surface[i : i + 2] for i in range(len(surface) - 1)] or [surface]
    mean = sum(map(of, pairs)) / len(pairs)
    return max(mean, *(of(term) for term in word.emissions if len(term) == 1), 0.0)


def _by_tantivy(locale: str, words: Sequence[Word]) -> dict[int, float]:
    searcher = _index(locale)
    hits = searcher.search(build(words), len(PASSAGES[locale])).hits
    rows = searcher.fast_field_values("row", [address for _, address in hits])
    return {int(row or 0): score for (score, _), row in zip(hits, rows, strict=True)}


def _index(locale: str) -> Searcher:
    index = Index(schema())
    writer = index.writer(15_000_000, 1)
    for at, (title, text) in enumerate(PASSAGES[locale]):
        row = Document()
        row.add_text("head", " ".join(index_terms(title, locale)))
        row.add_text("body", " ".join(index_terms(text, locale)))
        row.add_integer("row", at)
        writer.add_document(row)
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    return index.searcher()
