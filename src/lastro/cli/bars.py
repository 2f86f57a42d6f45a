"""The bars of a build as options of a command: declared once for all that judge."""

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from lastro.errors import UsageError

if TYPE_CHECKING:
    from lastro.eval.verdict import Bars

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
        "--min-scored",
        type=float,
        default=1.0,
        show_default=True,
        help="Share of eligible cases a bar needs to be judged.",
    ),
)


def bar_options(command: Callable[..., int]) -> Callable[..., int]:
    """Add the bars to a command, which is handed them as one value, ``bars``."""

    @wraps(command)
    def judged(
        *,
        min_hit: float | None,
        min_recall: float | None,
        minimums: tuple[str, ...],
        min_scored: float,
        **rest: Any,  # noqa: ANN401 - the command's own options
    ) -> int:
        bars = _bars(min_hit, min_recall, minimums, min_scored)
        return command(bars=bars, **rest)

    for option in reversed(_OPTIONS):
        judged = option(judged)
    return judged


def _bars(
    min_hit: float | None,
    min_recall: float | None,
    minimums: tuple[str, ...],
    min_scored: float,
) -> "Bars":
    from lastro.eval.verdict import Bars

    pairs = [_minimum(text) for text in minimums]
    twice = {name for name, _ in pairs if [n for n, _ in pairs].count(name) > 1}
    if twice:
        raise UsageError(f"--min is given twice for {', '.join(sorted(twice))}")
    return Bars(
        min_hit=min_hit,
        min_recall=min_recall,
        minimums=dict(pairs),
        min_scored=min_scored,
    )


def _minimum(text: str) -> tuple[str, float]:
    name, _, value = text.rpartition("=")
    try:
        return name.strip(), float(value)
    except ValueError:
        raise UsageError(f"--min {text!r} is not METRIC=NUMBER") from None
