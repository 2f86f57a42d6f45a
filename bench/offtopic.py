"""Off-topic questions on a help desk: what the gate says of them.

    .venv/bin/python bench/offtopic.py

Builds knowledge bases of gnome_help, asks the set's own questions and 100 of
other domains (``bench/data/offtopic.jsonl``), prints the share called
``insufficient_context`` of each, the area under the curve of the top score and
of the confidence, and every reason's count; writes ``bench/results/offtopic.*``.
"""

import argparse
import json
import platform
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from lastro.gate.confidence import confidence
from lastro.gate.decide import decide
from lastro.gate.features import Features, features
from lastro.gate.policy import RetrievalPolicy
from lastro.index.ingest import ingest
from lastro.index.search import Searcher
from lastro.model.decision import Decision, ReasonCode
from lastro.text.lists import language

HERE = Path(__file__).parent
DATA = HERE.parent.parent / "shared" / "data" / "gnome_help"
LOCALES = ("en", "pt-BR", "es", "ko")
POLICY = RetrievalPolicy()
HEAD = (
    "| locale | n off-topic | insufficient | not ok | n own | insufficient "
    "| not ok | AUC top score | AUC confidence |"
)


@dataclass(frozen=True, slots=True)
class Asked:
    """One question and what the gate saw and said."""

    locale: str
    off_topic: bool
    seen: Features
    decision: Decision

    @property
    def insufficient(self) -> bool:
        """Whether the question was called insufficient."""
        return self.decision.reason is ReasonCode.INSUFFICIENT_CONTEXT


@dataclass(frozen=True, slots=True)
class Query:
    """A question, in the locale of the documents that it is put to."""

    text: str
    locale: str
    off_topic: bool


def main() -> None:
    """Ask everything, print the tables, store the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--results", type=Path, default=HERE / "results")
    args = parser.parse_args()
    queries = [
        *questions(args.data / "queries.jsonl", off_topic=False),
        *questions(HERE / "data" / "offtopic.jsonl", off_topic=True),
    ]
    with tempfile.TemporaryDirectory() as folder:
        settings = {
            "one knowledge base of four languages": whole(args.data, folder, queries),
            "a knowledge base a language": apart(args.data, folder, queries),
        }
    report = {
        "lastro": version("lastro"),
        "tantivy": version("tantivy"),
        "python": platform.python_version(),
        "min_score": POLICY.min_score,
        "settings": {name: summary(rows) for name, rows in settings.items()},
    }
    text = "\n\n".join(table(name, rows) for name, rows in settings.items())
    print(text)
    args.results.mkdir(exist_ok=True)
    written = json.dumps(report, ensure_ascii=False, indent=1, sort_keys=True)
    (args.results / "offtopic.json").write_text(written + "\n", encoding="utf-8")
    page = f"# Off-topic questions on gnome_help\n\n{text}\n"
    (args.results / "offtopic.md").write_text(page, encoding="utf-8")


def questions(path: Path, *, off_topic: bool) -> Iterator[Query]:
    """Read a file of questions; a locale becomes the documents' of that language."""
    known = {language(locale): locale for locale in LOCALES}
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield Query(row["text"], known[language(row["locale"])], off_topic)


def whole(data: Path, folder: str, queries: Sequence[Query]) -> list[Asked]:
    """Ask all questions of one knowledge base, each among its language's pages."""
    kb = Path(folder) / "whole"
    ingest(kb, [data / "corpus.jsonl"])
    return ask(kb, queries)


def apart(data: Path, folder: str, queries: Sequence[Query]) -> list[Asked]:
    """Ask each language's questions of a knowledge base of that language alone."""
    lines = (data / "corpus.jsonl").read_text(encoding="utf-8").splitlines()
    found: list[Asked] = []
    for locale in LOCALES:
        part = Path(folder) / f"{locale}.jsonl"
        of_locale = [line for line in lines if json.loads(line)["locale"] == locale]
        part.write_text("\n".join(of_locale), encoding="utf-8")
        kb = Path(folder) / locale
        ingest(kb, [part])
        found += ask(kb, [query for query in queries if query.locale == locale])
    return found


def ask(kb: Path, queries: Iterable[Query]) -> list[Asked]:
    """Put questions to the gate through the public search, at its defaults."""
    searcher = Searcher.open(kb)
    found = []
    for query in queries:
        ranking = searcher.search(
            query.text,
            k=POLICY.top_k,
            candidate_k=POLICY.candidate_k,
            locale=query.locale,
            filter_locale=query.locale,
            max_chunks_per_source=POLICY.max_chunks_per_source,
        )
        seen = features(ranking)
        found.append(Asked(query.locale, query.off_topic, seen, decide(seen, POLICY)))
    searcher.close()
    return found


def auc(good: Sequence[float], bad: Sequence[float]) -> float:
    """Return the chance that one of ``good`` is above one of ``bad``; ties half.

    >>> auc([2.0, 3.0], [1.0, 2.0])
    0.875
    """
    pairs = [(a > b) + 0.5 * (a == b) for a in good for b in bad]
    return sum(pairs) / len(pairs)


def summary(rows: Sequence[Asked]) -> Mapping[str, Mapping[str, object]]:
    """Return the figures of each locale, and of all."""
    named = {locale: [r for r in rows if r.locale == locale] for locale in LOCALES}
    return {name: figures(part) for name, part in [*named.items(), ("all", rows)]}


def figures(rows: Sequence[Asked]) -> Mapping[str, object]:
    """Return one line of the table, and the reasons of both kinds of question."""
    off = [row for row in rows if row.off_topic]
    own = [row for row in rows if not row.off_topic]
    tops = [[row.seen.top_score or 0.0 for row in part] for part in (own, off)]
    sure = [[confidence(row.seen) for row in part] for part in (own, off)]
    return {
        "n_off_topic": len(off),
        "n_own": len(own),
        "insufficient_off_topic": sum(row.insufficient for row in off) / len(off),
        "insufficient_own": sum(row.insufficient for row in own) / len(own),
        "not_ok_off_topic": sum(bool(row.decision.reasons) for row in off) / len(off),
        "not_ok_own": sum(bool(row.decision.reasons) for row in own) / len(own),
        "auc_top_score": auc(*tops),
        "auc_confidence": auc(*sure),
        "reasons_off_topic": Counter(row.decision.reason.value for row in off),
        "reasons_own": Counter(row.decision.reason.value for row in own),
    }


def table(title: str, rows: Sequence[Asked]) -> str:
    """Render the figures and the confusion of reasons as Markdown."""
    lines = [
        f"## {title}",
        "",
        HEAD,
        "|---|---|---|---|---|---|---|---|---|",
    ]
    found = summary(rows)
    for name, row in found.items():
        lines.append(
            f"| {name} | {row['n_off_topic']} | {row['insufficient_off_topic']:.2f} "
            f"| {row['not_ok_off_topic']:.2f} | {row['n_own']} "
            f"| {row['insufficient_own']:.3f} | {row['not_ok_own']:.2f} "
            f"| {row['auc_top_score']:.3f} | {row['auc_confidence']:.3f} |"
        )
    lines += ["", "| reason | off-topic | own |", "|---|---|---|"]
    of_off = Counter(row.decision.reason for row in rows if row.off_topic)
    of_own = Counter(row.decision.reason for row in rows if not row.off_topic)
    lines += [
        f"| {code} | {of_off[code]} | {of_own[code]} |"
        for code in ReasonCode
        if of_off[code] or of_own[code]
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
