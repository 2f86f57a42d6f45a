"""What is measured beyond what always is, as options of a command: declared once."""

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, TypedDict

import click

if TYPE_CHECKING:
    from lastro.eval.scorers import Match


class Asked(TypedDict):
    """Further cut-offs, slices by combined labels, and how terms are looked for."""

    at: tuple[int, ...]
    combine: tuple[str, ...]
    match: "Match"


_OPTIONS = (
    click.option(
        "--at",
        type=int,
        multiple=True,
        metavar="K",
        help="A further cut-off: adds retrieval_hit_at_K and so on.  [repeatable]",
    ),
    click.option(
        "--slice",
        "combine",
        multiple=True,
        metavar="A+B",
        help="Slices by labels combined, e.g. locale+query_type.  [repeatable]",
    ),
    click.option(
        "--match",
        type=click.Choice(["substring", "word", "stem"]),
        default="substring",
        show_default=True,
        help="How texts are looked through for expected terms.",
    ),
)


def asked_options(command: Callable[..., int]) -> Callable[..., int]:
    """Add them to a command, which is handed them as one value, ``asked``."""

    @wraps(command)
    def judged(
        *,
        at: tuple[int, ...],
        combine: tuple[str, ...],
        match: str,
        **given: Any,  # noqa: ANN401 - the command's own options too
    ) -> int:
        from lastro.eval.scorers import Match

        return command(asked=Asked(at=at, combine=combine, match=Match(match)), **given)

    for option in reversed(_OPTIONS):
        judged = option(judged)
    return judged
