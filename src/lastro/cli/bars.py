"""The bars of a build as options of a command: declared once for all that judge."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from lastro.errors import UsageError

if TYPE_CHECKING:
    from lastro.eval.verdict import Bars

T = TypeVar("T")

_FILE = click.Path(path_type=Path, readable=False)
_OPTIONS = (
    click.option("--min-hit", type=float, help="Least mean hit rate."),
    click.option(
        "--min-recall",
        type=float,
        help="Least mean recall (a conservative lower bound).",
    ),
    click.option(
        "--min",
        "minimums",
        multiple=True,
        metavar="METRIC=X",
        help="Any metric, also of a slice: by_locale.ko.METRIC=X.",
    ),
    click.option(
        "--min-lower",
        "lower",
        multiple=True,
        metavar="METRIC=X",
        help="The same for the lower end of its 95 % interval.",
    ),
    click.option(
        "--min-scored",
        type=float,
        help="Share of eligible cases a bar needs to be judged.  [default: 1.0]",
    ),
    click.option(
        "--min-n", type=int, help="Cases that a bar needs to be judged.  [default: 1]"
    ),
    click.option(
        "--fail-on-case", is_flag=True, help="No case may fail, in any of its runs."
    ),
    click.option(
        "--baseline", type=_FILE, help="No metric may drop below this baseline."
    ),
    click.option(
        "--tolerance",
        type=float,
        help="How far it may drop; 0.03 more in a locale.  [default: 0.05]",
    ),
    click.option(
        "--bars",
        "file",
        type=_FILE,
        help="Bars of a TOML file; those given here count instead of its own.",
    ),
)


_NAMES = (
    *("min_hit", "min_recall", "minimums", "lower", "min_scored", "min_n"),
    *("fail_on_case", "baseline", "tolerance", "file"),
)


def bar_options(command: Callable[..., int]) -> Callable[..., int]:
    """Add the bars to a command, which is handed them as one value, ``bars``."""

    @wraps(command)
    def judged(**given: Any) -> int:  # noqa: ANN401 - the command's own options too
        own = {name: given.pop(name) for name in _NAMES}
        return command(bars=_bars(**own), **given)

    for option in reversed(_OPTIONS):
        judged = option(judged)
    return judged


def _bars(
    *,
    min_hit: float | None,
    min_recall: float | None,
    minimums: tuple[str, ...],
    lower: tuple[str, ...],
    min_scored: float | None,
    min_n: int | None,
    fail_on_case: bool,
    baseline: Path | None,
    tolerance: float | None,
    file: Path | None,
) -> "Bars":
    """Return the bars of the options, and of a file those that no option names."""
    from lastro.eval import bars_file
    from lastro.eval.verdict import HIT, RECALL, Bars, refuse_unusable

    asked = bars_file.Written() if file is None else bars_file.read(file)
    shipped = ((HIT, min_hit), (RECALL, min_recall))
    least = [(name, x) for name, x in shipped if x is not None]
    means = asked.minimums | _once("--min", (*least, *_pairs("--min", minimums)))
    ends = asked.min_lower | _once("--min-lower", _pairs("--min-lower", lower))
    against = baseline or asked.baseline
    bars = Bars(
        min_hit=means.pop(HIT, None),
        min_recall=means.pop(RECALL, None),
        minimums=means,
        min_lower=ends,
        min_scored=_first(min_scored, asked.min_scored, 1.0),
        min_n=_first(min_n, asked.min_n, 1),
        min_n_of=asked.min_n_of,
        fail_on_case=fail_on_case or asked.fail_on_case,
        tolerance=_first(tolerance, asked.tolerance, 0.05),
    )
    refuse_unusable(bars)
    if against is None and (tolerance, asked.tolerance) != (None, None):
        raise UsageError("a tolerance is for a baseline, and none is given")
    if against is None:
        return bars
    from lastro.eval import baseline_file

    return replace(bars, baseline=baseline_file.read(against))


def _first(*values: T | None) -> T:
    return next(value for value in values if value is not None)


def _once(option: str, pairs: Iterable[tuple[str, float]]) -> dict[str, float]:
    listed = list(pairs)
    found = dict(listed)
    if len(found) < len(listed):
        names = [name for name, _ in listed]
        twice = ", ".join(sorted({name for name in names if names.count(name) > 1}))
        raise UsageError(f"{option} is given twice for {twice}")
    return found


def _pairs(option: str, texts: Iterable[str]) -> Iterator[tuple[str, float]]:
    for text in texts:
        name, _, value = text.rpartition("=")
        try:
            yield name.strip(), float(value)
        except ValueError:
            raise UsageError(f"{option} {text!r} is not METRIC=NUMBER") from None
