"""What a build's page shows: the step summary, and annotations beside the log.

Pure: who calls it knows whether there is such a build, and where its summary is.
"""

from collections.abc import Iterator

from lastro.eval.report.closed import open_or_closed
from lastro.eval.report.markdown import FOLD, UNFOLD
from lastro.eval.report.number import number, pair
from lastro.eval.report.page import headline
from lastro.eval.report.plain import plain
from lastro.eval.results import Run
from lastro.model.score import BarState, Verdict

LIMIT = 1_000_000  # bytes; a page of a build beyond 1 MiB is dropped without a word
ANNOTATIONS = 10  # of a kind and a step; the build shows no more

_CUT = "This page was cut: {lines} more lines ({size} bytes), from “{title}” on."
_WHERE = "report.md of the run's folder has all of it."


def summary(page: str, *, limit: int = LIMIT) -> str:
    """Return a Markdown page that fits into ``limit`` bytes, saying what was cut.

    Args:
        page: the whole report as Markdown.
        limit: bytes of UTF-8 that are left; with none, nothing is returned.

    Returns:
        The page, or its first lines and what they leave out.  No line is cut, so
        no row of a table and no character is; a folded part is whole or left out.
    """
    if len(page.encode()) <= limit:
        return page
    lines = page.splitlines(keepends=True)
    sizes = [len(line.encode()) for line in lines]
    kept, size, room = 0, 0, limit - _longest_note(lines, sum(sizes))
    while kept < len(lines) and size + sizes[kept] <= room:
        size += sizes[kept]
        kept += 1
    kept = _unfolded(lines, kept)
    size = sum(sizes[:kept])
    said = _note(lines, kept, sum(sizes) - size)
    return "".join(lines[:kept]) + said if kept else said if room > 0 else ""


def _unfolded(lines: list[str], kept: int) -> int:
    """Return how many lines to keep so that no folded part is left open."""
    marks = [at for at in range(kept) if lines[at].startswith((FOLD, UNFOLD))]
    cut = marks and lines[marks[-1]].startswith(FOLD)
    return marks[-1] if cut else kept


def _note(lines: list[str], kept: int, size: int) -> str:
    heads = [line[3:].strip() for line in lines[: kept + 1] if line.startswith("## ")]
    title = heads[-1] if heads else "the first line"
    cut = _CUT.format(lines=f"{len(lines) - kept:,}", size=f"{size:,}", title=title)
    return f"\n{cut}\n{_WHERE}\n"


def _longest_note(lines: list[str], size: int) -> int:
    longest = max(
        (len(line.encode()) for line in lines if line.startswith("## ")), default=0
    )
    return len(_note([], 0, size).encode()) + longest + len(str(len(lines))) * 2


def annotations(run: Run, verdict: Verdict) -> Iterator[str]:
    """Yield a line for each missed bar and each that could not be measured.

    The last is a notice of how the run ended; more of a kind than a build shows
    are counted in it.
    """
    run, verdict = open_or_closed(run, verdict)
    errors = [*_breaches(verdict), *_unmeasured(verdict)]
    for title, said in errors[:ANNOTATIONS]:
        yield _command("error", title, said)
    for bar in verdict.bars:
        if bar.state is BarState.INACTIVE and bar.required is not None:
            yield _command("warning", "lastro: a bar was not applied", bar.metric)
    more = len(errors) - ANNOTATIONS
    rest = f" ({more} more are in the report)" if more > 0 else ""
    yield _command("notice", "lastro", f"{headline(run, verdict)}{rest}")


def _breaches(verdict: Verdict) -> Iterator[tuple[str, str]]:
    for bar in verdict.breaches:
        required, observed = pair(bar.required, bar.observed)
        n = "" if bar.n is None else f", n = {number(bar.n, 0)}"
        said = f"{bar.metric}: observed {observed}, required {required}{n}"
        yield "lastro: a bar was missed", said


def _unmeasured(verdict: Verdict) -> Iterator[tuple[str, str]]:
    for said in verdict.unmeasured:
        yield "lastro: could not be measured", said


def _command(kind: str, title: str, said: str) -> str:
    """Return a workflow command; its own signs inside of a text are escaped.

    >>> _command("error", "a:b", "50%, two")
    '::error title=a%3Ab::50%25, two'
    """
    safe = _data(title).replace(":", "%3A").replace(",", "%2C")
    return f"::{kind} title={safe}::{_data(said)}"


def _data(text: str) -> str:
    return plain(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
