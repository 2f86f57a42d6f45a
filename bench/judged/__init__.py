"""Judged collections, and the arithmetic that every retrieval bench shares."""

import hashlib
import json
import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

DATA = Path(__file__).parents[3] / "shared" / "data"
DEPTH = 10
RESAMPLES = 10_000
SEED = 20_260_101

Qrels = Mapping[str, Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class Question:
    """A judged question."""

    id: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The questions of one locale, and the documents that they are put to."""

    name: str
    locale: str
    corpus: Path
    documents: tuple[Mapping[str, str], ...]
    questions: tuple[Question, ...]
    qrels: Qrels

    @property
    def chosen_on(self) -> np.ndarray:
        """Return which questions settings may be chosen on: about half."""
        return np.array([half(question.id) == 0 for question in self.questions])


def half(question: str) -> int:
    """Return 0 or 1 for the id of a question, by its hash."""
    return int(hashlib.sha256(question.encode()).hexdigest(), 16) % 2


def load(data: Path, folder: str, locales: Sequence[str]) -> list[Judged]:
    """Read a collection in BEIR form, apart by locale."""
    where = data / folder
    corpus, queries = (_rows(where / f"{name}.jsonl") for name in ("corpus", "queries"))
    qrels: dict[str, dict[str, int]] = defaultdict(dict)
    for line in (where / "qrels.tsv").read_text("utf-8").splitlines()[1:]:
        question, document, grade = line.split("\t")
        qrels[question][document] = int(grade)
    return [
        Judged(
            name=folder if len(locales) == 1 else f"{folder} {locale}",
            locale=locale,
            corpus=where / "corpus.jsonl",
            documents=tuple(d for d in corpus if d.get("locale", locale) == locale),
            questions=tuple(
                Question(q["_id"], q["text"])
                for q in queries
                if q.get("locale", locale) == locale and q["_id"] in qrels
            ),
            qrels=qrels,
        )
        for locale in locales
    ]


def _rows(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def unaccented(text: str) -> str:
    """Return a question as somebody types it who leaves accents out."""
    parts = unicodedata.normalize("NFD", text)
    return "".join(char for char in parts if not unicodedata.combining(char))


def ndcg(ranked: Sequence[str], grades: Mapping[str, int]) -> float:
    """Return nDCG at 10: gain is the grade, discount the logarithm of the rank.

    >>> round(ndcg(["x", "a"], {"a": 1}), 4)
    0.6309
    """
    gained = [grades.get(document, 0) for document in ranked[:DEPTH]]
    ideal = sorted(grades.values(), reverse=True)[:DEPTH]
    return _discounted(gained) / _discounted(ideal)


def _discounted(gains: Sequence[int]) -> float:
    return sum(gain / math.log2(rank + 2) for rank, gain in enumerate(gains))


def interval(differences: np.ndarray) -> tuple[float, float]:
    """Return the paired bootstrap interval (95 %) of a mean difference."""
    drawn = np.random.default_rng(SEED).integers(
        0, len(differences), (RESAMPLES, len(differences))
    )
    low, high = np.percentile(differences[drawn].mean(axis=1), [2.5, 97.5])
    return float(low), float(high)


class Bm25:
    """BM25 over bags of terms, by the formula; k1 1.2, b 0.75."""

    def __init__(self, bags: Sequence[Sequence[str]]) -> None:
        lengths = np.array([len(bag) for bag in bags], dtype=float)
        self.count = len(bags)
        self._norm = 1.2 * (1 - 0.75 + 0.75 * lengths / lengths.mean())
        found: dict[str, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
        for at, bag in enumerate(bags):
            for term, times in Counter(bag).items():
                found[term][0].append(at)
                found[term][1].append(times)
        self._held = {
            term: (np.array(a), np.array(b)) for term, (a, b) in found.items()
        }

    def scores(self, term: str) -> np.ndarray:
        """Return what a term adds to the score of every bag."""
        scores = np.zeros(self.count)
        if term in self._held:
            at, times = self._held[term]
            rarity = math.log(1 + (self.count - len(at) + 0.5) / (len(at) + 0.5))
            scores[at] = rarity * 2.2 * times / (times + self._norm[at])
        return scores


_WORD = re.compile(r"\w+")


def plain_words(text: str) -> list[str]:
    """Return the words of a text as plain word BM25 takes them."""
    return _WORD.findall(text.casefold())


def best(scores: np.ndarray, ids: Sequence[str]) -> list[str]:
    """Return the first ten ids by score above zero; ties by id."""
    found = map(int, np.flatnonzero(scores > 0))
    order = sorted(found, key=lambda at: (-scores[at], ids[at]))
    return [ids[at] for at in order[:DEPTH]]


def plain_bm25(judged: Judged, texts: Sequence[str]) -> np.ndarray:
    """Return nDCG of plain word BM25 over whole documents, a question each."""
    ids = [document["_id"] for document in judged.documents]
    index = Bm25([plain_words(f"{d['title']} {d['text']}") for d in judged.documents])
    found = []
    for question, text in zip(judged.questions, texts, strict=True):
        scores = sum(map(index.scores, plain_words(text)), np.zeros(index.count))
        found.append(ndcg(best(scores, ids), judged.qrels[question.id]))
    return np.array(found)
