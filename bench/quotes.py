"""What the quote provider quotes, and when it declines, on public sets.

    .venv/bin/python bench/quotes.py

A question of a set with extractive answers is *hit* if an answer of the set
stands in a quoted sentence.  The weights of the choice were tuned on every
third question of faquad, sixth of squad2_dev_half and eighth of xquad; the other
questions of a set were kept back and are the figures to read.  *Lead* is how
often the first words of the best passage would have been a hit.  Off-topic
questions are put to gnome_help.  Writes ``bench/results/quotes.*``.
"""

import argparse
import json
import platform
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import cast

import lastro
from lastro.compose import KnowledgeBase
from lastro.model.answer import Answer, AnswerStatus
from lastro.text.normalise import fold

HERE = Path(__file__).parent
DATA = HERE.parent.parent / "shared" / "data"
SETS = (
    ("faquad", "", 3),
    ("squad2_dev_half", "", 6),
    ("xquad_en_es", "es", 8),
    ("xquad_en_es", "en", 8),
)
LEAD = 53  # words: as many as a quote has; the first ones of the best passage
HEAD = (
    "| set | questions | n | in evidence | answered | hit | hit of answered "
    "| lead of answered | partial | sentences | words | unanswerable | declined |"
)


@dataclass(slots=True)
class Tally:
    """What became of the questions of one part of one set."""

    n: int = 0
    in_evidence: int = 0
    answered: int = 0
    hit: int = 0
    lead: int = 0
    partial: int = 0
    sentences: int = 0
    words: int = 0
    unanswerable: int = 0
    declined: int = 0
    wrong_offsets: int = 0

    def row(self, name: str, part: str) -> str:
        """Return the line of the table."""
        cells = (
            name,
            part,
            self.n,
            self.in_evidence,
            self.answered,
            self.hit,
            _share(self.hit, self.answered),
            _share(self.lead, self.answered),
            self.partial,
            _share(self.sentences, self.answered),
            _share(self.words, self.answered),
            self.unanswerable,
            _share(self.declined, self.unanswerable),
        )
        return "| " + " | ".join(map(str, cells)) + " |"


def main() -> None:
    """Ask everything, print the tables, store the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--results", type=Path, default=HERE / "results")
    args = parser.parse_args()
    lines = ["# What is quoted", "", HEAD, "|" + "---|" * 13]
    figures: dict[str, Mapping[str, object]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, locale, step in SETS:
            with _base(Path(folder) / name, args.data / name) as base:
                for part, tally in _asked(base, args.data / name, locale, step).items():
                    label = f"{name} {locale}".strip()
                    lines.append(tally.row(label, part))
                    figures[f"{label}, {part}"] = _plain(tally)
        lines += ["", "# Off-topic questions on gnome_help", ""]
        with _base(Path(folder) / "gnome", args.data / "gnome_help") as base:
            lines += _off_topic(base, args.data / "gnome_help", figures)
    text = "\n".join(lines) + "\n"
    print(text)
    args.results.mkdir(exist_ok=True)
    (args.results / "quotes.md").write_text(text, encoding="utf-8")
    stored = {
        "python": platform.python_version(),
        "tantivy": version("tantivy"),
        "figures": figures,
    }
    (args.results / "quotes.json").write_text(
        json.dumps(stored, indent=1, sort_keys=True) + "\n", encoding="utf-8"
    )


def _base(kb: Path, data: Path) -> KnowledgeBase:
    base = lastro.open(kb, environ={})
    base.ingest([data / "corpus.jsonl"])
    return base


def _asked(
    base: KnowledgeBase, data: Path, locale: str, step: int
) -> Mapping[str, Tally]:
    gold = _gold(data)
    tallies = {"tuned on": Tally(), "kept back": Tally()}
    rows = [row for row in _rows(data / "queries.jsonl")
            if not locale or row["locale"] == locale]  # fmt: skip
    for number, row in enumerate(rows):
        tally = tallies["kept back" if number % step else "tuned on"]
        answer = base.ask(
            str(row["text"]), locale=str(row["locale"]), filter_locale=locale or None
        )
        tally.wrong_offsets += _wrong(base, answer)
        _count(tally, row, answer, gold[str(row["_id"])])
    return tallies


def _count(
    tally: Tally, row: Mapping[str, object], answer: Answer, gold: set[str]
) -> None:
    if not row.get("answerable", True):
        tally.unanswerable += 1
        tally.declined += answer.abstained
        return
    tally.n += 1
    if not gold & {one.document_id for one in answer.evidence}:
        return
    tally.in_evidence += 1
    if answer.abstained:
        return
    quotes = [_plain_text(claim.claim) for claim in answer.claims]
    answers = [_plain_text(one) for one in cast("list[str]", row["answers"])]
    lead = " ".join(_plain_text(answer.evidence[0].text).split()[:LEAD])
    tally.answered += 1
    tally.partial += answer.status is AnswerStatus.PARTIAL
    tally.hit += any(one in quote for one in answers for quote in quotes)
    tally.lead += any(one in lead for one in answers)
    tally.sentences += len(quotes)
    tally.words += sum(len(quote.split()) for quote in quotes)


def _wrong(base: KnowledgeBase, answer: Answer) -> int:
    wrong = 0
    for citation in (c for claim in answer.claims for c in claim.citations):
        document = base.document(citation.document_id)
        text = document.text if document else ""
        wrong += text[citation.start : citation.end] != citation.quote
    return wrong


def _off_topic(
    base: KnowledgeBase, data: Path, figures: dict[str, Mapping[str, object]]
) -> Iterator[str]:
    off = list(_rows(HERE / "data" / "offtopic.jsonl"))
    own = list(_rows(data / "queries.jsonl"))
    for label, rows in (("off-topic", off), ("the set's own", own)):
        answers = [_ask_in(base, row) for row in rows]
        declined = sum(answer.abstained for answer in answers)
        partial = sum(answer.status is AnswerStatus.PARTIAL for answer in answers)
        figures[f"gnome_help, {label}"] = {
            "n": len(rows),
            "declined": declined,
            "partial": partial,
        }
        yield (
            f"- {label}: {len(rows)} questions, {declined} declined "
            f"({declined / len(rows):.3f}), {partial} partial"
        )


def _ask_in(base: KnowledgeBase, row: Mapping[str, object]) -> Answer:
    locale = str(row["locale"])
    return base.ask(str(row["text"]), locale=locale, filter_locale=locale)


def _rows(path: Path) -> Iterator[Mapping[str, object]]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def _gold(data: Path) -> Mapping[str, set[str]]:
    gold: dict[str, set[str]] = defaultdict(set)
    lines = (data / "qrels.tsv").read_text("utf-8").splitlines()[1:]
    for query, document, _ in (line.split("\t") for line in lines):
        gold[query].add(document)
    return gold


def _plain(tally: Tally) -> Mapping[str, object]:
    return {name: getattr(tally, name) for name in Tally.__slots__}


def _plain_text(text: object) -> str:
    return " ".join(fold(str(text)).split())


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.3f}" if whole else "-"


if __name__ == "__main__":
    main()
