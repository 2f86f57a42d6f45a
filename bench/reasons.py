"""What the gate calls the bundled cases, beside what people call them.

    python bench/reasons.py

Puts every bundled case with an expected reason to the search of the bundled base,
as a turn does, and prints a confusion matrix a locale with the share that agrees and
its Wilson interval: as the base is shipped, and calibrated on ``dev.jsonl`` (which
the figures of ``test.jsonl`` did not see).  Writes ``bench/results/reasons.*``.
"""

import argparse
import json
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import lastro
from lastro.corpus import bundled
from lastro.eval.aggregate.interval import wilson
from lastro.eval.calibrate.run import calibrate
from lastro.eval.inputs import read_case_set
from lastro.gate.calibrated import Calibration, judged
from lastro.gate.decide import decide
from lastro.model.case import Case
from lastro.model.decision import ReasonCode

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """A case, by which file and locale it stands, and how it was called."""

    file: str
    locale: str
    expected: ReasonCode
    plain: ReasonCode
    calibrated: ReasonCode


def main() -> None:
    """Ask, print, store."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=Path, default=HERE / "results")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        kb = Path(folder) / "kb"
        with lastro.open(kb) as base:
            base.ingest(bundled.sources())
            found = list(called(base))
    text = page(found)
    print(text)
    rows = [
        {
            "file": one.file,
            "locale": one.locale,
            "expected": one.expected,
            "plain": one.plain,
            "calibrated": one.calibrated,
        }
        for one in found
    ]
    report = {"lastro": version("lastro"), "cases": rows}
    written = json.dumps(report, indent=1, ensure_ascii=False)
    (args.results / "reasons.json").write_text(written + "\n", encoding="utf-8")
    (args.results / "reasons.md").write_text(text + "\n", encoding="utf-8")


def called(base: lastro.KnowledgeBase) -> Iterator[Called]:
    """Yield every bundled case with an expected reason, and what it is called."""
    files = {file.name: read_case_set(file) for file in bundled.cases()}
    fitted = calibrate(files["dev.jsonl"], base, seed=0).calibration
    for name, cases in files.items():
        for case in cases:
            if case.expected_reason is not None:
                yield one(base, name, case, case.expected_reason, fitted)


def one(
    base: lastro.KnowledgeBase,
    file: str,
    case: Case,
    expected: ReasonCode,
    fitted: Calibration,
) -> Called:
    """Put one case to the search of a turn."""
    policy = base.settings.retrieval
    ranking = base.search(case.query, k=policy.top_k, locale=case.locale or None)
    return Called(
        file=file,
        locale=case.locale or "",
        expected=expected,
        plain=decide(judged(ranking, None), policy).reason,
        calibrated=decide(judged(ranking, fitted), policy).reason,
    )


def page(found: Sequence[Called]) -> str:
    """Return a table of shares, and a matrix a locale."""
    lines = [
        "# What the gate calls the bundled cases",
        "",
        "| file | locale | n | as shipped [95 %] | calibrated on dev [95 %] |",
        "|---|---|---|---|---|",
    ]
    locales = sorted({one.locale for one in found})
    for file in sorted({one.file for one in found}):
        for locale in (*locales, ""):
            part = [
                one for one in found if one.file == file and locale in {"", one.locale}
            ]
            plain = share([one.plain is one.expected for one in part])
            fitted = share([one.calibrated is one.expected for one in part])
            shown = locale or "all"
            lines.append(f"| {file} | {shown} | {len(part)} | {plain} | {fitted} |")
    for locale in locales:
        lines += ["", f"## {locale}, both files, as shipped", ""]
        lines += matrix([one for one in found if one.locale == locale])
    return "\n".join(lines)


def share(right: Sequence[bool]) -> str:
    """Return a share with its interval."""
    low, high = wilson(sum(right) / len(right), len(right))
    return f"{sum(right) / len(right):.3f} [{low:.3f}, {high:.3f}]"


def matrix(found: Sequence[Called]) -> list[str]:
    """Return a row an expected reason, a column what it was called."""
    columns = [c for c in ReasonCode if any(c in {o.plain, o.expected} for o in found)]
    lines = [
        "| expected | " + " | ".join(columns) + " |",
        "|---|" + "---|" * len(columns),
    ]
    for expected in columns:
        counts = Counter(o.plain for o in found if o.expected is expected)
        cells = " | ".join(str(counts[c] or "·") for c in columns)
        lines.append(f"| {expected} | {cells} |")
    return lines


if __name__ == "__main__":
    main()
