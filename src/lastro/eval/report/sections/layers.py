"""Where failed cases broke first: labels, the waterfall, the cases behind them."""

from lastro.eval.report.labels import MEANINGS
from lastro.eval.report.number import cases
from lastro.eval.report.section import SHOWN, Row, Section, cut, some
from lastro.eval.results import Run
from lastro.model.failure import Failure
from lastro.model.score import Verdict

_IDS = 12  # ids named a label; scores.jsonl has all of them
_WIDE = 24  # characters of a full bar


def waterfall(run: Run, _verdict: Verdict) -> Section | None:
    """Show every label with its count and how many cases survive that layer."""
    total = len(run.results)
    if not total:
        return None
    left = total
    rows: list[Row] = [("layer", "lost", "left", "", "")]
    for label, lost in run.attribution.items():
        left -= lost
        drawn = bar(left, lost, total) if lost else ""
        rows.append((str(label), str(lost), str(left), drawn, MEANINGS[label].what))
    failed = total - left
    notes = (
        f"{failed} of {cases(total)} failed; each has the first label that applies.",
    )
    return Section(title="Where cases were lost", notes=notes, rows=tuple(rows))


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
    for result in run.results:
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
    repeated = [result for result in run.results if result.repeats > 1]
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
