"""What judging costs, beside others who do the same: processor time and memory.

    python bench/scoring.py
    python bench/scoring.py --only statistics --only "scoring, in process"

Rows: *scoring, cold process* (TREC files to means, a process from its first
instruction to its last), *scoring, in process* (dictionaries to a value a query),
*runner* (a case without a model), *statistics* (10,000 resamples and a paired test)
and *traces* (100,000 full traces by every deterministic scorer, with intervals and
slices).  Rivals are those that are installed; the others are named.  Prints a table
and stores it in bench/results/scoring.md and scoring.json.
"""

import argparse
import json
import math
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from scored import made
from scored.process import Took, apart, child, took, versions

RESULTS = Path(__file__).parent / "results" / "scoring.json"
LASTRO = Path(sys.executable).with_name("lastro")
_TURNS = 5
_RIVALS = ("pytrec_eval", "ir_measures", "ranx")
_SLOW = ("ranx",)
_PACKAGES = (
    "lastro", "numpy", "pytrec-eval-terrier", "ir-measures", "ranx", "scipy",
    "trulens-core", "pydantic-evals", "inspect-ai", "deepeval",
)  # fmt: skip
_MODULES = {
    "ir_measures": "ir_measures", "ranx": "ranx", "pytrec_eval": "pytrec_eval",
    "scipy": "scipy", "trulens": "trulens.core", "pydantic-evals": "pydantic_evals",
    "inspect-ai": "inspect_ai", "deepeval": "deepeval",
}  # fmt: skip
_NO_TREC_EVAL = "not installed: pytrec_eval is its C code without its program"
_MOST = {"inspect-ai": 1000, "deepeval": 1000}  # cases; more would take minutes

Row = dict[str, object]


def installed(rival: str) -> bool:
    """Tell whether a rival can be measured here."""
    module = _MODULES[rival]
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def row(kind: str, who: str, n: int, cpu_s: float, **more: object) -> Row:
    """Return one line of the table."""
    return {"row": kind, "who": who, "n": n, "cpu_s": round(cpu_s, 3), **more}


def absent(kind: str, who: str, n: int) -> Row:
    """Return the line of a rival that is not here: it has no figure."""
    return {"row": kind, "who": who, "n": n, "why": "not installed"}


def cold(folder: Path, sizes: list[int]) -> Iterator[Row]:
    """Measure processes that read TREC files and give means; ours with intervals.

    Each is run in turn, and its least counts; one that takes long is run once.
    """
    kind = "scoring, cold process"
    for n in sizes:
        qrels, run = apart(made.write_trec, folder, n)
        command = [str(LASTRO), "score", str(qrels), str(run), "--json"]
        command += ["-k", "10", "--at", "100"]
        runs: dict[str, list[Took]] = {name: [] for name in ("lastro", *_RIVALS)}
        for turn in range(_TURNS):
            runs["lastro"].append(took(command, folder / f"cold-{n}.json"))
            for rival in filter(installed, _RIVALS):
                if turn == 0 or rival not in _SLOW:
                    runs[rival].append(child(f"cold-{rival}", n, folder))
        ours, *_ = sorted(runs.pop("lastro"), key=lambda one: one.cpu_s)
        yield _whole(kind, "lastro, with intervals", n, ours)
        yield {**absent(kind, "trec_eval", n), "why": _NO_TREC_EVAL}
        for rival, found in runs.items():
            if not found:
                yield absent(kind, rival, n)
                continue
            theirs, *_ = sorted(found, key=lambda one: one.cpu_s)
            said = json.loads(theirs.out.splitlines()[-1])["means"]
            _agree(_means(ours.out), said, rival)
            yield _whole(kind, rival, n, theirs)


def _whole(kind: str, who: str, n: int, found: Took) -> Row:
    return row(kind, who, n, found.cpu_s, wall_s=found.wall_s, peak_mb=found.peak_mb)


def _means(report: str) -> list[float]:
    found = json.loads(report)["aggregates"]
    names = ("hit_at_k", "recall_at_k", "ndcg_at_k", "recall_at_100", "ndcg_at_100")
    return sorted(found[f"retrieval_{name}"]["mean"] for name in names)


def _agree(ours: list[float], theirs: Mapping[str, float], who: str) -> None:
    """See that both give the same means, whatever they are called.

    Raises:
        RuntimeError: they do not.
    """
    if not all(
        math.isclose(x, y, abs_tol=1e-6)
        for x, y in zip(ours, sorted(theirs.values()), strict=True)
    ):
        raise RuntimeError(f"{who} gives {theirs}, lastro {ours}")


def warm(folder: Path, n: int) -> Iterator[Row]:
    """Measure values in memory to three numbers a query, at cut-offs of 10 and 100.

    Each starts from its own values, made before the clock starts: cases and traces,
    or lists of ids, here; dictionaries for pytrec_eval and ranx.  Each ends with
    three numbers a query.
    """
    kind = "scoring, in process"
    for k, suffix in ((10, ""), (100, "-100")):
        ours = json.loads(child(f"warm-lastro{suffix}", n, folder).out)
        values = ours.pop("values")
        yield row(kind, f"lastro, cases and traces, k={k}", n, **ours)
        lists = json.loads(child(f"warm-lists{suffix}", n, folder).out)
        apart = _apart(values, lists.pop("values"))
        yield row(
            kind, f"lastro, lists, k={k}", n, largest_difference=apart, **lists
        )  # fmt: skip
        if not installed("pytrec_eval"):
            yield absent(kind, "pytrec_eval", n)
            continue
        theirs = json.loads(child(f"warm-pytrec_eval{suffix}", n, folder).out)
        apart = _apart(values, theirs.pop("values"))
        yield row(kind, f"pytrec_eval, k={k}", n, largest_difference=apart, **theirs)
    if not installed("ranx"):
        yield absent(kind, "ranx", n)
        return
    found = json.loads(child("warm-ranx", n, folder).out.splitlines()[-1])
    yield row(kind, "ranx, k=10, compiled before", n, found["cpu_s"])
    told = "ranx, k=10, compiled, dictionaries read before"
    yield row(kind, told, n, found["without_reading"])


def _apart(ours: Mapping[str, list[float]], theirs: Mapping[str, list[float]]) -> float:
    """Return the largest difference between the values of two sides."""
    return max(
        abs(x - y)
        for name, values in ours.items()
        for x, y in zip(values, theirs[name], strict=True)
    )


def runner(folder: Path, sizes: list[int]) -> Iterator[Row]:
    """Measure what a case costs where answering costs nothing."""
    script = str(Path(__file__).with_name("runner.py"))
    for n in sizes:
        for name, choices in (("", "1 1 1"), (", without floors", "1 0 1")):
            command = [sys.executable, script, "--one", str(n), *choices.split()]
            found = json.loads(took(command, folder / f"runner-{n}.out").out)
            yield _per_case(f"lastro{name}", n, found["cpu_ms"], found["peak_mb"])
        for rival in ("pydantic-evals", "inspect-ai", "deepeval"):
            if n > _MOST.get(rival, n):
                continue
            if not installed(rival):
                yield absent("runner", rival, n)
                continue
            out = child(f"runner-{rival}", n, folder).out
            theirs = json.loads(out.splitlines()[-1])
            ms = theirs["cpu_s"] * 1000 / n
            yield _per_case(rival, n, ms, theirs["peak_mb"])


def _per_case(who: str, n: int, ms: float, peak_mb: float) -> Row:
    more = {"ms_a_case": round(ms, 3), "peak_mb": round(peak_mb, 1)}
    return row("runner", who, n, ms * n / 1000, **more)


def statistics(folder: Path, n: int) -> Iterator[Row]:
    """Measure 10,000 resamples and a paired test."""
    for rival in ("lastro", "scipy", "trulens"):
        if rival != "lastro" and not installed(rival):
            yield absent("statistics", rival, n)
            continue
        found = json.loads(child(f"paired-{rival}", n, folder).out.splitlines()[-1])
        found.pop("found", None)
        yield row("statistics", rival, n, **found)


def traces(folder: Path, sizes: list[int]) -> Iterator[Row]:
    """Measure full traces by every deterministic scorer, intervals and slices.

    ``bytes_a_case`` is what the peak grew by since the size before, for each case.
    """
    before: tuple[int, float] | None = None
    for n in sizes:
        cases, left = apart(made.write_traces, folder, n)
        command = [str(LASTRO), "score", str(cases), str(left), "--json"]
        found = took(command, folder / f"traces-{n}.json")
        more: Row = {"wall_s": found.wall_s, "peak_mb": found.peak_mb}
        if before is not None:
            grown = (found.peak_mb - before[1]) * 2**20 / (n - before[0])
            more["bytes_a_case"] = round(grown)
        before = n, found.peak_mb
        size = round(left.stat().st_size / 2**20, 1)
        yield row("traces", "lastro", n, found.cpu_s, file_mb=size, **more)
        left.unlink()


def table(rows: list[Row]) -> str:
    """Return the rows as Markdown; a figure that is not there is a dash."""
    keys = (
        "row", "who", "n", "cpu_s", "ratio", "wall_s", "ms_a_case", "peak_mb",
        "bytes_a_case",
    )  # fmt: skip
    lines = [" | ".join(["", *keys, ""]).strip(), "|" + "---|" * len(keys)]
    for one in rows:
        cells = [str(one.get(key, one.get("why", "-") if key == "cpu_s" else "-"))
                 for key in keys]  # fmt: skip
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def with_ratios(rows: list[Row]) -> list[Row]:
    """Add how many times of ours each rival takes, row by row, n by n and k by k."""

    def like(one: Row) -> tuple[object, ...]:
        return one["row"], one["n"], re.findall(r"k=(\d+)", str(one["who"]))

    ours = [one for one in rows if str(one["who"]).startswith("lastro")]
    for one in rows:
        own = [float(str(each["cpu_s"])) for each in ours if like(each) == like(one)]
        if own and "cpu_s" in one and not str(one["who"]).startswith("lastro"):
            one["ratio"] = round(float(str(one["cpu_s"])) / own[0], 2)
    return rows


def main() -> None:
    """Measure the rows that are asked for, print and store them."""
    parser = argparse.ArgumentParser()
    parser.add_argument(
        "--only", action="append", help="a row; its figures alone are stored anew"
    )
    parser.add_argument("--small", action="store_true", help="a hundredth of each n")
    given = parser.parse_args()
    part = 100 if given.small else 1
    measured: dict[str, Callable[[Path], Iterator[Row]]] = {
        "scoring, cold process": partial(cold, sizes=[1000 // part, 10_000 // part]),
        "scoring, in process": partial(warm, n=50_000 // part),
        "runner": partial(runner, sizes=[100, 1000, 10_000, 100_000][: 4 // part or 1]),
        "statistics": partial(statistics, n=5000),
        "traces": partial(
            traces, sizes=[n // part for n in (10_000, 100_000, 200_000)]
        ),
    }
    asked = given.only or list(measured)
    rows = [] if given.small else [one for one in stored() if one["row"] not in asked]
    with tempfile.TemporaryDirectory() as place:
        for name in asked:
            for found in measured[name](Path(place)):
                rows.append(found)
                print(json.dumps(found), flush=True)
            if not given.small:
                store(
                    sorted(rows, key=lambda one: list(measured).index(str(one["row"])))
                )
    print(table(with_ratios(rows)))


def stored() -> list[Row]:
    """Return the rows of earlier runs: what is not measured again stays."""
    if not RESULTS.exists():
        return []
    found: list[Row] = json.loads(RESULTS.read_text(encoding="utf-8"))["rows"]
    return found


def store(rows: list[Row]) -> None:
    """Write the rows for machines and for people."""
    packages = versions(_PACKAGES)
    text = json.dumps({"versions": packages, "rows": with_ratios(rows)}, indent=1)
    RESULTS.write_text(text + "\n", encoding="utf-8")
    note = ", ".join(f"{name} {version}" for name, version in packages.items())
    head = "What judging costs: CPU seconds; `ratio` is how many times of ours.\n"
    page = f"{head}\n{table(rows)}\n{note}\n"
    RESULTS.with_suffix(".md").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
