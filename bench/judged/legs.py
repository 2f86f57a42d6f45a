"""What each leg of a search finds for judged questions, and how the legs are fused.

A question across languages is put to a base as if that held no document in the
question's own language: it stands for the reader whose documents are foreign.
"""

import math
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import lastro
from judged import DEPTH, Judged, Qrels, half, load, ndcg
from lastro.corpus.found import Readable
from lastro.corpus.sources import scan
from lastro.corpus.split import split
from lastro.index.search import Searcher
from lastro.model.ranking import Stage

FETCHED = 60  # the best passages of a leg, as a search fetches them
RANK_CONSTANT = 60
COLLECTIONS = {
    "gnome_help": ("en", "es", "pt-BR", "ko"),
    "faquad": ("pt",),
    "xquad_en_es": ("en", "es"),
    "scifact": ("en",),
}
FOREIGN = "qrels_crosslingual.tsv"

Floats = NDArray[np.float64]
Vectors = NDArray[np.float32]
Rows = NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """The passages of a collection, in the order of the splitter."""

    name: str
    ids: tuple[str, ...]
    documents: tuple[str, ...]
    locales: tuple[str, ...]
    full: tuple[str, ...]  # title, headings and text, a line each
    bare: tuple[str, ...]  # the text alone


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Questions, what may be found for them, and what the lexical leg found."""

    name: str
    across: bool
    corpus: Corpus
    texts: tuple[str, ...]
    grades: tuple[Mapping[str, int], ...]
    chosen_on: NDArray[np.bool_]
    among: NDArray[np.bool_]
    lexical: tuple[tuple[Rows, Floats], ...]


def collected(data: Path, only: Sequence[str] = ()) -> list[Asked]:
    """Return every set of questions with the lexical leg's findings.

    Args:
        data: the folder of the public collections.
        only: names of collections; none: all of them.
    """
    found: list[Asked] = []
    for folder, locales in COLLECTIONS.items():
        if only and folder not in only:
            continue
        sets = load(data, folder, locales)
        given = locales[0] if len(locales) == 1 else ""
        corpus = passages(folder, sets[0].corpus, given)
        foreign = graded(data / folder / FOREIGN)
        with tempfile.TemporaryDirectory() as kept:
            base = Path(kept) / "kb"
            with lastro.open(base, environ={}) as kb:
                kb.ingest([sets[0].corpus], locale=given)
            searcher = Searcher.open(base)
            for judged in sets:
                found.append(asked(searcher, judged, corpus, None))
                if foreign:
                    found.append(asked(searcher, judged, corpus, foreign))
            searcher.close()
    return found


def graded(path: Path) -> Qrels:
    """Return the judgements of a file; none if there is no such file."""
    grades: dict[str, dict[str, int]] = defaultdict(dict)
    if path.exists():
        for line in path.read_text("utf-8").splitlines()[1:]:
            question, document, grade = line.split("\t")
            grades[question][document] = int(grade)
    return grades


def passages(name: str, source: Path, locale: str) -> Corpus:
    """Return a collection's passages as Lastro reads and splits them."""
    rows = [
        (passage, found.document)
        for found in scan([source], locale=locale)
        if isinstance(found, Readable)
        for passage in split(found.document)
    ]
    return Corpus(
        name=name,
        ids=tuple(str(passage.id) for passage, _ in rows),
        documents=tuple(str(document.id) for _, document in rows),
        locales=tuple(document.locale for _, document in rows),
        full=tuple(
            "\n".join((document.title, *passage.heading_path, passage.text))
            for passage, document in rows
        ),
        bare=tuple(passage.text for passage, _ in rows),
    )


def asked(
    searcher: Searcher, judged: Judged, corpus: Corpus, foreign: Qrels | None
) -> Asked:
    """Put the questions of a locale to the lexical leg; ``foreign``: across."""
    qrels = judged.qrels if foreign is None else foreign
    questions = [one for one in judged.questions if one.id in qrels]
    own = np.array([at in (judged.locale, "") for at in corpus.locales])
    among = own if foreign is None else ~own
    at = {passage: row for row, passage in enumerate(corpus.ids)}
    lexical: list[tuple[Rows, Floats]] = []
    for question in questions:
        ranking = searcher.search(
            question.text,
            k=10,
            candidate_k=20 if foreign is None else 1000,
            locale=judged.locale,
            filter_locale=judged.locale if foreign is None else "",
        )
        entries = ranking.stages.get(Stage.LEXICAL, ())
        rows = np.array([at[str(one.passage_id)] for one in entries], dtype=np.intp)
        scores = np.array([one.score for one in entries])
        kept = np.flatnonzero(among[rows])[:FETCHED]
        lexical.append((rows[kept], scores[kept]))
    return Asked(
        name=judged.name if foreign is None else f"{judged.name} → others",
        across=foreign is not None,
        corpus=corpus,
        texts=tuple(question.text for question in questions),
        grades=tuple(qrels[question.id] for question in questions),
        chosen_on=np.array([half(question.id) == 0 for question in questions]),
        among=among,
        lexical=tuple(lexical),
    )


def lexical_alone(put: Asked) -> Floats:
    """Return nDCG of every question by the lexical leg."""
    return _ndcgs(put, [rows for rows, _ in put.lexical])


def fused(put: Asked, cosines: Floats, weights: Sequence[float]) -> dict[str, Floats]:
    """Return nDCG of every question: ``dense``, ``rank``, and each weight's.

    Args:
        put: the questions.
        cosines: a row for each question, a column for each passage of the corpus.
        weights: what a cosine weighs against the best lexical score.
    """
    orders: dict[str, list[Rows]] = defaultdict(list)
    for cosine, (rows, scores) in zip(cosines, put.lexical, strict=True):
        masked = np.where(put.among, cosine, -math.inf)
        dense = np.lexsort((np.arange(len(masked)), -masked))[:FETCHED]
        dense = dense[put.among[dense]]
        orders["dense"].append(dense)
        orders["rank"].append(_by_rank(rows, dense))
        union = np.union1d(rows, dense)
        share = np.zeros(len(cosine))
        if len(rows):
            share[rows] = scores / scores[0]
        for weight in weights:
            total = share[union] + weight * cosine[union]
            orders[f"{weight:g}"].append(union[np.argsort(-total, kind="stable")])
    return {name: _ndcgs(put, found) for name, found in orders.items()}


def _by_rank(*legs: Rows) -> Rows:
    sums: dict[int, float] = defaultdict(float)
    for leg in legs:
        for rank, row in enumerate(leg.tolist(), start=1):
            sums[row] += 1 / (RANK_CONSTANT + rank)
    order = sorted(sums, key=lambda row: (-sums[row], row))
    return np.array(order, dtype=np.intp)


def _ndcgs(put: Asked, orders: Sequence[Rows]) -> Floats:
    """Return nDCG of rankings of passages; a document stands by its best one."""
    values = []
    for order, grades in zip(orders, put.grades, strict=True):
        documents = dict.fromkeys(put.corpus.documents[row] for row in order.tolist())
        values.append(ndcg([*documents][:DEPTH], grades))
    return np.array(values)
