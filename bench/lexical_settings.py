"""What the lexical leg's settings were chosen by, on half of the questions.

    .venv/bin/python bench/lexical_settings.py

Scores the passages of gnome_help (four languages), scifact, faquad and xquad (es)
in memory, by the same formula as the index, and changes one setting at a time.
Only questions of the half *chosen on* are asked; figures on the other half are in
``bench/retrieval.py``, which asks the real search.  Prints the difference in
nDCG@10 to plain word BM25 and writes ``bench/results/lexical_settings.*``.
"""

import argparse
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
from judged import DATA, Bm25, Judged, best, load, ndcg, plain_bm25, unaccented

from lastro.corpus.found import Readable
from lastro.corpus.sources import scan
from lastro.corpus.split import split
from lastro.index.bm25 import HEAD_WEIGHT, LITTLE
from lastro.model.document import Document
from lastro.text.analyse import index_terms, query_words
from lastro.text.emit import Word, lookups

HERE = Path(__file__).parent
SETS = (
    ("gnome_help", ("en", "es", "pt-BR", "ko")),
    ("scifact", ("en",)),
    ("faquad", ("pt",)),
    ("xquad_en_es", ("es",)),
)
BARE = ("gnome_help es", "gnome_help pt-BR")
WHOLE = 1_000_000

Way = Callable[[Word], tuple[tuple[str, ...], ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One way to score; the defaults are the ones in use."""

    name: str = "as it is"
    words: int = 120
    head: float = HEAD_WEIGHT
    stop: float = LITTLE
    generic: float = LITTLE
    ways: Way = lookups
    combine: str = "best"
    second: float = 0.0


@dataclass(frozen=True, slots=True)
class Passages:
    """The passages of a set, analysed; ``owner`` is the place of their document."""

    ids: tuple[str, ...]
    owner: np.ndarray
    body: Bm25
    head: Bm25


def main() -> None:
    """Try every setting, print the table, store it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--results", type=Path, default=HERE / "results")
    args = parser.parse_args()
    if not args.data.exists():
        print(f"the public collections are not at {args.data}: nothing is measured")
        return
    sets = [
        judged
        for folder, locales in SETS
        for judged in load(args.data, folder, locales)
    ]
    halves = [chosen(judged) for judged in sets]
    halves += [bare(half) for half in halves if half.name in BARE]
    plain = [float(plain_bm25(h, [q.text for q in h.questions]).mean()) for h in halves]
    rows: dict[str, list[float]] = {}
    for setting in settings():
        found = [
            score(half, setting) - base
            for half, base in zip(halves, plain, strict=True)
        ]
        rows[setting.name] = found
        print(line(setting.name, found), flush=True)
    args.results.mkdir(exist_ok=True)
    names = [f"{half.name} (n {len(half.questions)})" for half in halves]
    page = "\n".join([*head(names), *(line(name, row) for name, row in rows.items())])
    title = (
        "# Settings of the lexical leg, on the half chosen on: difference to plain BM25"
    )
    (args.results / "lexical_settings.md").write_text(f"{title}\n\n{page}\n", "utf-8")
    report = {"sets": names, "differences": rows}
    written = json.dumps(report, indent=1, ensure_ascii=False) + "\n"
    (args.results / "lexical_settings.json").write_text(written, "utf-8")


def settings() -> Iterator[Setting]:
    """Yield the setting in use, and each with one change."""
    own = Setting()
    yield own
    for weight in (0.0, 0.25, 0.4, 0.75, 1.0):
        yield replace(own, name=f"title and headings {weight}", head=weight)
    for weight in (0.0, 0.25, 0.75, 1.0):
        yield replace(own, name=f"stop words {weight}", stop=weight)
    for weight in (0.25, 0.75, 1.0):
        yield replace(own, name=f"generic words {weight}", generic=weight)
    yield replace(own, name="emissions by sum", combine="sum")
    yield replace(own, name="first emission alone", ways=_first)
    for name, ways in HANGUL.items():
        yield replace(own, name=f"Hangul: {name}", ways=ways)
    yield replace(
        own, name="Hangul: sum of word and bigrams", ways=_flat, combine="sum"
    )
    for words in (80, 160, 200, WHOLE):
        label = "whole documents" if words == WHOLE else f"passages of {words} words"
        yield replace(own, name=label, words=words)
    for share in (0.1, 0.2):
        yield replace(
            own, name=f"document: best + {share} second passage", second=share
        )


def _first(word: Word) -> tuple[tuple[str, ...], ...]:
    return lookups(word)[:1]


def _flat(word: Word) -> tuple[tuple[str, ...], ...]:
    return tuple((term,) for term in word.emissions)


def _word(word: Word) -> tuple[tuple[str, ...], ...]:
    return (word.emissions[:1],) if word.script == "hangul" else lookups(word)


def _either(word: Word) -> tuple[tuple[str, ...], ...]:
    return (*lookups(word), word.emissions[:1])


def _pairs(word: Word) -> tuple[tuple[str, ...], ...]:
    return lookups(word)[:1] if word.script == "hangul" else lookups(word)


HANGUL: Mapping[str, Way] = {
    "the whole word": _word,
    "best of word and bigrams": _flat,
    "best of word and mean of bigrams": _either,
    "mean of bigrams, no noun of one syllable": _pairs,
}


def chosen(judged: Judged) -> Judged:
    """Return a set with the questions of the half that settings are chosen on."""
    kept = zip(judged.questions, judged.chosen_on, strict=True)
    return replace(judged, questions=tuple(question for question, on in kept if on))


def bare(judged: Judged) -> Judged:
    """Return a set with the accents taken out of its questions."""
    typed = (replace(q, text=unaccented(q.text)) for q in judged.questions)
    name = f"{judged.name}, no accents"
    return replace(judged, name=name, questions=tuple(typed))


def score(judged: Judged, setting: Setting) -> float:
    """Return mean nDCG@10 of a set's questions."""
    indexed = passages(judged.corpus, judged.locale, setting.words)
    found = []
    for question in judged.questions:
        total = np.zeros(indexed.body.count)
        for word in query_words(question.text, [judged.locale]):
            total += weight(word, setting) * scored(word, indexed, setting)
        documents = owners(total, indexed, setting.second)
        found.append(ndcg(best(documents, indexed.ids), judged.qrels[question.id]))
    return float(np.mean(found))


def weight(word: Word, setting: Setting) -> float:
    """Return how much a word counts."""
    if word.stop:
        return setting.stop
    return 1.0 if word.informative else setting.generic


def scored(word: Word, indexed: Passages, setting: Setting) -> np.ndarray:
    """Return what a word adds to the score of every passage."""
    join = np.sum if setting.combine == "sum" else np.max
    total = np.zeros(indexed.body.count)
    for field, share in ((indexed.body, 1.0), (indexed.head, setting.head)):
        ways = [
            np.mean([field.scores(term) for term in way], axis=0)
            for way in setting.ways(word)
        ]
        total += share * join(ways, axis=0)
    return total


def owners(scores: np.ndarray, indexed: Passages, second: float) -> np.ndarray:
    """Return the scores of documents: the best passage's, and a share of the next."""
    top = np.zeros(len(indexed.ids))
    np.maximum.at(top, indexed.owner, scores)
    if not second:
        return top
    order = np.argsort(-scores, kind="stable")
    first = np.unique(indexed.owner[order], return_index=True)[1]
    rest = np.delete(order, first)
    following = np.zeros(len(top))
    np.maximum.at(following, indexed.owner[rest], scores[rest])
    return np.asarray(top + second * following)


@cache
def passages(corpus: Path, locale: str, words: int) -> Passages:
    """Return the passages of one locale of a corpus."""
    documents = _documents(corpus, locale)
    pieces = [
        (at, document, passage)
        for at, document in enumerate(documents)
        for passage in split(document, words)
    ]
    heads = ["\n".join((d.title, *p.heading_path)) for _, d, p in pieces]
    return Passages(
        tuple(str(document.id) for document in documents),
        np.array([at for at, _, _ in pieces]),
        Bm25([index_terms(passage.text, locale) for _, _, passage in pieces]),
        Bm25([index_terms(text, locale) for text in heads]),
    )


@cache
def _documents(corpus: Path, locale: str) -> Sequence[Document]:
    found = (one for one in scan([corpus], locale=locale) if isinstance(one, Readable))
    every = [one.document for one in found]
    return [document for document in every if document.locale == locale]


def head(names: Sequence[str]) -> list[str]:
    """Return the head of the table."""
    return [
        f"| setting | {' | '.join(names)} | mean |",
        f"|---|{'---:|' * (len(names) + 1)}",
    ]


def line(name: str, found: Sequence[float]) -> str:
    """Return a line of the table."""
    cells = " | ".join(f"{value:+.4f}" for value in (*found, float(np.mean(found))))
    return f"| {name} | {cells} |"


if __name__ == "__main__":
    main()
