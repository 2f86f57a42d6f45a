"""Where failed cases broke first: labels, the waterfall, the cases behind them."""

from lastro.eval.attribution import Layer, undecided, untraced
from lastro.eval.attribution import waterfall as steps
from lastro.eval.report.labels import MEANINGS
from lastro.eval.report.number import cases
from lastro.eval.report.picked import failing, picked
from lastro.eval.report.section import SHOWN, Row, Section, cut, some
from lastro.eval.results import Run
from lastro.model.failure import Failure
from lastro.model.score import Verdict

_IDS = 12  # ids named a label; scores.jsonl has all of them
_UNMEASURED = (
    "Lost at measured: nothing was measured that could have failed these cases; "
    "they neither failed nor passed."
)
_WIDE = 24  # characters of a full bar


def waterfall(run: Run, _verdict: Verdict) -> Section | None:
    """Show how many cases survive each layer of a turn."""
    total = len(run.results)
    if not total:
        return None
    rows: list[Row] = [("layer", "lost", "left", "", "labels")]
    for layer in layers(run):
        drawn = bar(layer.left, layer.lost, total) if layer.lost else ""
        names = ", ".join(map(str, layer.labels))
        rows.append((layer.name, str(layer.lost), str(layer.left), drawn, names))
    notes = (_UNMEASURED,) if any(row[0] == "measured" for row in rows) else ()
    return Section(title="Where cases were lost", notes=notes, rows=tuple(rows))


def layers(run: Run) -> tuple[Layer, ...]:
    """Return the waterfall of a run: every layer, with what it lost and left."""
    total = len(run.results)
    gone, silent = untraced(run), undecided(run)
    return steps(run.attribution, total, unmeasured=silent, untraced=gone)


def labels(run: Run, _verdict: Verdict) -> Section | None:
    """Count every label, also those that no case carries."""
    if not run.results:
        return None
    failed = sum(run.attribution.values())
    note = (
        f"{failed} of {cases(len(run.results))} failed; each has the first label "
        "that applies."
    )
    rows = tuple(
        (str(label), str(n), MEANINGS[label].what)
        for label, n in run.attribution.items()
    )
    head = ("label", "cases", "")
    return Section(title="Failure labels", notes=(note,), rows=(head, *rows))


def bar(left: int, lost: int, total: int, wide: int = _WIDE) -> str:
    """Draw what is left of ``total`` and what was lost here, in blocks.

    What is not nothing is drawn with at least one block.

    >>> bar(6, 2, 8, 8), bar(999, 1, 1000, 8)
    ('██████░░', '███████░')
    """
    gone = max(1, round(wide * lost / total)) if lost else 0
    kept = min(wide - gone, max(1, round(wide * left / total)) if left else 0)
    return "█" * kept + "░" * gone


def failing_cases(run: Run, _verdict: Verdict) -> Section | None:
    """Name the failing cases by label."""
    if run.private:
        return None
    found: dict[Failure, list[str]] = {}
    for result in failing(run):
        if result.failure is not None:
            found.setdefault(result.failure, []).append(str(result.id))
    if not found:
        return None
    rows = tuple(
        (str(label), str(len(found[label])), some(tuple(found[label]), _IDS))
        for label in Failure
        if label in found
    )
    head = ("label", "cases", "ids")
    return Section(title="Failing cases", rows=(head, *rows))


def repeats(run: Run, _verdict: Verdict) -> Section | None:
    """Name the cases of several runs that failed in some of them (A10)."""
    repeated = picked(run, lambda result: result.repeats > 1)
    if not repeated:
        return None
    failed = sorted(
        (each for each in repeated if each.failures),
        key=lambda each: (-each.failures / each.repeats, each.id),
    )
    always = sum(each.failures == each.repeats for each in failed)
    ran = (
        f"{cases(len(repeated))} ran more than once; {len(failed)} failed at least "
        f"once, {always} every time."
    )
    mean = "A score of theirs is the mean over its runs; intervals are over cases."
    if run.private or not failed:
        return Section(title="Repeated cases", notes=(ran, mean))
    rows = tuple(
        (str(each.id), f"{each.failures} of {each.repeats}", str(each.failure or ""))
        for each in failed[:SHOWN]
    )
    notes = (ran, mean, *cut(len(failed)))
    head = ("case", "failed", "label")
    return Section(title="Repeated cases", notes=notes, rows=(head, *rows))
