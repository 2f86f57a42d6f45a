"""How often a clear question is called ambiguous, and an ambiguous one is.

    python bench/ambiguous.py

asqa_sample holds questions that people found to have several answers, gnome_help and
the answerable half of squad2 questions that have one.  Each is put to the search of a
turn; counted is ``ambiguous_retrieval`` as the reason that names the decision, and as
one of its reasons.  Then every gnome page is given a second copy of its passages
under one more heading, which must make no question ambiguous that was not.
Writes ``bench/results/ambiguous.*``.
"""

import argparse
import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from gated.asked import Set, built, judged, rankings, rows, sets

from lastro.eval.aggregate.interval import wilson
from lastro.gate.decide import decide
from lastro.gate.features import features
from lastro.gate.policy import RetrievalPolicy
from lastro.model.decision import ReasonCode

HERE = Path(__file__).parent
DATA = HERE.parent.parent / "shared" / "data"
POLICY = RetrievalPolicy()
AMBIGUOUS = ReasonCode.AMBIGUOUS_RETRIEVAL


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """How many questions of a set were called ambiguous, first or at all."""

    name: str
    n: int
    first: int
    among: int


def main() -> None:
    """Ask, print, store."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--results", type=Path, default=HERE / "results")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = [
            counted(one, built(one, Path(folder))) for one in collections(args.data)
        ]
    text = page(found)
    print(text)
    report = {
        "lastro": version("lastro"),
        "margin": POLICY.min_score_margin,
        "rows": [{"set": c.name, "n": c.n, "first": c.first, "among": c.among}
                 for c in found],
    }  # fmt: skip
    written = json.dumps(report, indent=1, ensure_ascii=False)
    (args.results / "ambiguous.json").write_text(written + "\n", encoding="utf-8")
    (args.results / "ambiguous.md").write_text(text, encoding="utf-8")


def collections(data: Path) -> Iterator[Set]:
    """Yield ambiguous questions, clear ones, and clear ones over doubled pages."""
    asqa = data / "asqa_sample"
    gold = judged(asqa / "qrels.tsv")
    several = [
        (str(q["text"]), "", True)
        for q in rows(asqa / "queries.jsonl")
        if len(gold.get(str(q["_id"]), ())) > 1
    ]
    documents = rows(asqa / "corpus.jsonl")
    yield Set(
        name="asqa_sample, several documents", documents=documents, questions=several
    )
    for one in sets(data):
        if one.name == "squad2":
            clear = [each for each in one.questions if each[2]]
            yield Set(
                name="squad2, answerable", documents=one.documents, questions=clear
            )
        if one.name == "gnome_help, off topic":
            own = [each for each in one.questions if each[2]]
            yield Set(name="gnome_help", documents=one.documents, questions=own)
            yield Set(
                name="gnome_help, every page twice in one document",
                documents=[doubled(each) for each in one.documents],
                questions=own,
            )


def doubled(document: dict[str, object]) -> dict[str, object]:
    """Return a document whose text stands in it twice."""
    text = str(document["text"])
    return document | {"text": f"{text}\n\n# {document['title']}\n\n{text}"}


def counted(one: Set, kb: Path) -> Counted:
    """Put the questions of a set to the gate as it is shipped."""
    first = among = 0
    for _, _, ranking in rankings(kb, one, "hybrid"):
        decision = decide(features(ranking), POLICY)
        first += decision.reason is AMBIGUOUS
        among += AMBIGUOUS in {reason.code for reason in decision.reasons}
    return Counted(name=one.name, n=len(one.questions), first=first, among=among)


def page(found: Sequence[Counted]) -> str:
    """Return the table."""
    lines = [
        "# Questions called ambiguous",
        "",
        "| set | n | as the reason [95 %] | as one of the reasons |",
        "|---|---|---|---|",
    ]
    for one in found:
        low, high = wilson(one.first / one.n, one.n)
        lines.append(
            f"| {one.name} | {one.n} | {one.first / one.n:.3f} [{low:.3f}, {high:.3f}] "
            f"| {one.among / one.n:.3f} |"
        )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
