"""Collections as knowledge bases, with parts taken out, and what their search shows."""

import hashlib
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import lastro
from lastro.gate.features import Features, features
from lastro.gate.signals import signals
from lastro.grounding.negation import denials
from lastro.model.ranking import Ranking, Stage
from lastro.text.lists import language

LOCALES = {language(each): each for each in ("en", "pt-BR", "es", "ko")}
OFF_TOPIC = Path(__file__).parent.parent / "data" / "offtopic.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question of a set, what its search showed, and whether the base holds it.

    ``plain``: it denies nothing.  ``signals_ms`` is what reading its signals took.
    """

    held: bool
    locale: str
    seen: Features
    signals: dict[str, float]
    plain: bool
    signals_ms: float

    @property
    def cosine(self) -> float:
        """The dense leg's best; 0 where it did not look."""
        return self.signals.get("cosine", 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Set:
    """Documents, and questions with their language and whether the base holds them."""

    name: str
    documents: Sequence[dict[str, object]]
    questions: Sequence[tuple[str, str, bool]]


def sets(data: Path) -> Iterator[Set]:
    """Yield every set; half of the documents of a *gone* one are not in the base."""
    squad, gold = data / "squad2_dev_half", "qrels.tsv"
    documents, queries = rows(squad / "corpus.jsonl"), rows(squad / "queries.jsonl")
    answerable = [(str(q["text"]), "", bool(q["answerable"])) for q in queries]
    yield Set(name="squad2", documents=documents, questions=answerable)
    yield gone("squad2, gone", documents, queries, judged(squad / gold))
    xquad = data / "xquad_en_es"
    documents = [d for d in rows(xquad / "corpus.jsonl") if d["locale"] == "es"]
    queries = [q for q in rows(xquad / "queries.jsonl") if q["locale"] == "es"]
    yield gone("xquad es, gone", documents, queries, judged(xquad / gold))
    gnome = data / "gnome_help"
    documents, queries = rows(gnome / "corpus.jsonl"), rows(gnome / "queries.jsonl")
    yield gone("gnome_help, gone", documents, queries, judged(gnome / gold))
    own = [(str(q["text"]), str(q["locale"]), True) for q in queries]
    off = [(str(q["text"]), str(q["locale"]), False) for q in rows(OFF_TOPIC)]
    yield Set(name="gnome_help, off topic", documents=documents, questions=own + off)


def gone(
    name: str,
    documents: Sequence[dict[str, object]],
    queries: Sequence[dict[str, object]],
    gold: dict[str, set[str]],
) -> Set:
    """Return a set of which every other document is missing, drawn by its id."""
    kept = {str(d["_id"]) for d in documents if _kept(str(d["_id"]))}
    return Set(
        name=name,
        documents=[d for d in documents if d["_id"] in kept],
        questions=[
            (str(q["text"]), str(q["locale"]), not kept.isdisjoint(gold[str(q["_id"])]))
            for q in queries
            if str(q["_id"]) in gold
        ],
    )


def _kept(document: str) -> bool:
    return hashlib.sha256(document.encode()).digest()[0] % 2 == 0


def rows(path: Path) -> list[dict[str, object]]:
    """Return the objects of a file of lines."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def judged(path: Path) -> dict[str, set[str]]:
    """Return the gold documents of each query."""
    found: dict[str, set[str]] = {}
    for line in path.read_text("utf-8").splitlines()[1:]:
        query, document, grade = line.split("\t")
        if int(grade) > 0:
            found.setdefault(query, set()).add(document)
    return found


def built(one: Set, folder: Path) -> Path:
    """Return the base of a set, with the vectors of the base install."""
    kb = folder / one.name.replace(", ", "-").replace(" ", "_")
    if not kb.exists():
        source = kb.with_suffix(".jsonl")
        lines = (json.dumps(each, ensure_ascii=False) for each in one.documents)
        source.write_text("\n".join(lines), encoding="utf-8")
        with lastro.open(kb) as base:
            base.ingest(source)
    return kb


def rankings(kb: Path, one: Set, legs: str) -> Iterator[tuple[str, bool, Ranking]]:
    """Put the questions to the search of a turn, each within its language."""
    with lastro.open(kb) as base:
        for text, locale, held in one.questions:
            where = LOCALES[language(locale)] if locale else None
            ranking = base.search(
                text, k=4, locale=where, filter_locale=where, legs=legs
            )
            yield where or "", held, ranking


def ask(kb: Path, one: Set, legs: str) -> list[Asked]:
    """Return what the search shows of each question."""
    found = []
    for locale, held, ranking in rankings(kb, one, legs):
        seen = features(ranking)
        began = time.process_time()
        shown = dict(signals(ranking, seen))
        spent = (time.process_time() - began) * 1000
        spoken = locale or next(iter(ranking.locales), "en")
        plain = not denials(ranking.query, spoken)
        if Stage.DENSE not in ranking.stages and legs == "hybrid":
            raise RuntimeError(f"{one.name}: the dense leg did not look")
        found.append(
            Asked(
                held=held,
                locale=locale,
                seen=seen,
                signals=shown,
                plain=plain,
                signals_ms=spent,
            )
        )
    return found
