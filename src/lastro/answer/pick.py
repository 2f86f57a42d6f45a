"""Which sentences answer: a pure choice, the same for the same prompt.

Two shapes.  A question for a way of doing something gets the steps of the best
section, as they follow each other.  Any other question gets the sentence that
holds most of it, and then only sentences that add something.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lastro.answer.analyse import Ask
from lastro.answer.pool import Line, Pool, most


@dataclass(frozen=True, slots=True, kw_only=True)
class Taste:
    """The weights of the choice; measured in decision record 0050."""

    most_lines: int = 5
    most_steps: int = 8
    above: float = 0.4  # what a title or heading holds, beside the sentence itself
    asked: float = 0.12  # a sentence of the kind that was asked for (a number, …)
    first: float = 0.04  # the document ranked first, the next half of it, …
    gain: float = 0.15  # what another sentence must add of the question
    steps: float = 0.2  # a section with steps, where steps were asked for
    longest: int = 45  # words; beyond, a sentence holds much by its length alone
    too_long: float = 0.004  # taken off for every word beyond
    shortest: int = 4  # words; a shorter sentence hardly says anything


TASTE = Taste()


def pick(pool: Pool, asks: frozenset[Ask], *, taste: Taste = TASTE) -> tuple[Line, ...]:
    """Return the lines to quote, documents best first, lines in reading order."""
    lines = [line for line in pool.lines if quotable(line)]
    if not lines:
        return ()
    worth = {id(line): value(pool, line, asks, taste) for line in lines}
    chosen: list[Line] = []
    if Ask.HOW in asks:
        chosen = _steps(pool, lines, worth, taste)
    if not chosen:
        chosen = _sentences(pool, lines, worth, taste)
    order = list(dict.fromkeys(line.document_id for line in chosen))
    return tuple(sorted(chosen, key=lambda x: (order.index(x.document_id), x.start)))


def covered(pool: Pool, lines: Sequence[Line]) -> float:
    """Return the share of the informative words that ``lines`` and their heads hold."""
    rows = (row for line in lines for row in (line.holds, line.above))
    return pool.share(most(rows, len(pool.terms)), informative=True)


def quotable(line: Line) -> bool:
    """Whether a line can stand as a quote: a sentence, and nothing that forges."""
    return not line.heading and bool(line.words) and "```" not in line.text


def value(pool: Pool, line: Line, asks: frozenset[Ask], taste: Taste) -> float:
    """Return how well ``line`` answers by itself."""
    own = pool.share(line.holds)
    there = pool.share(most((line.holds, line.above), len(pool.terms)))
    worth = own + taste.above * (there - own)
    worth -= taste.too_long * max(0, len(line.words) - taste.longest)
    worth += taste.first * 0.5**line.rank
    if own and any(_is_asked(line, ask, pool) for ask in asks):
        worth += taste.asked
    return worth / 2 if len(line.words) < taste.shortest else worth


def _is_asked(line: Line, ask: Ask, pool: Pool) -> bool:
    asked = {term.word for term in pool.terms}
    if ask in (Ask.NUMBER, Ask.TIME):
        return any(re.search(r"\d", w) and w not in asked for w in line.words)
    if ask in (Ask.PERSON, Ask.PLACE):
        names = re.findall(r"(?<=[\w,;] )[A-ZÀ-Þ]\w+", line.text)
        return any(name.lower() not in asked for name in names)
    if ask is Ask.MEANING:
        head = line.words[:6]
        return any(t.informative and t.word in head for t in pool.terms)
    return False


def _sentences(
    pool: Pool, lines: Sequence[Line], worth: dict[int, float], taste: Taste
) -> list[Line]:
    size = len(pool.terms)
    chosen: list[Line] = []
    rest = sorted(lines, key=lambda x: (-worth[id(x)], x.rank, x.start))
    while rest and len(chosen) < taste.most_lines:
        had = most((line.holds for line in chosen), size)
        base = pool.share(had)

        def adds(line: Line, had: tuple[float, ...] = had, base: float = base) -> float:
            return pool.share(most((had, line.holds), size)) - base

        best = (
            max(rest, key=lambda x: adds(x) + 0.3 * worth[id(x)]) if chosen else rest[0]
        )
        if chosen and adds(best) < taste.gain:
            break
        chosen.append(best)
        rest = [line for line in rest if not _same(line, best)]
    return chosen


def _steps(
    pool: Pool, lines: Sequence[Line], worth: dict[int, float], taste: Taste
) -> list[Line]:
    sections: dict[tuple[str, int], list[Line]] = {}
    for line in lines:
        sections.setdefault((line.document_id, line.section), []).append(line)
    ranked = sorted(
        sections.values(),
        key=lambda part: -_section_value(pool, part, worth, taste),
    )
    best = ranked[0]
    run = _run(best)
    if not run:
        return []
    top = max(best, key=lambda x: worth[id(x)])
    if top in run:
        first = max(0, best.index(top) - taste.most_steps + 1)
        first = max(first, best.index(run[0]))
        return best[first : first + taste.most_steps]
    start = best.index(run[0])
    before = [top] if best.index(top) < start else []
    return [*before, *best[start : start + taste.most_steps - len(before)]]


def _section_value(
    pool: Pool, part: Sequence[Line], worth: dict[int, float], taste: Taste
) -> float:
    size = len(pool.terms)
    there = pool.share(
        most((x for line in part for x in (line.holds, line.above)), size)
    )
    best = max(worth[id(line)] for line in part)
    return 0.5 * there + 0.5 * best + (taste.steps if _run(part) else 0.0)


def _run(part: Sequence[Line]) -> list[Line]:
    """Return the longest run of short lines that follow each other: the steps."""
    rows: dict[int, list[Line]] = {}
    for line in part:
        rows.setdefault(line.row, []).append(line)
    best: list[list[Line]] = []
    for run in _runs(list(rows.values())):
        if len(run) > len(best):
            best = run
    return [line for row in best for line in row] if len(best) >= 2 else []


def _runs(rows: Sequence[list[Line]]) -> Iterator[list[list[Line]]]:
    run: list[list[Line]] = []
    for row in rows:
        if len(row) <= 3 and sum(len(line.words) for line in row) <= 60:
            run.append(row)
        else:
            yield run
            run = []
    yield run


def _same(line: Line, other: Line) -> bool:
    """Whether two sentences say the same in (nearly) the same words."""
    if (line.document_id, line.start) == (other.document_id, other.start):
        return True
    a, b = set(line.words), set(other.words)
    return len(a & b) >= 0.85 * len(a | b)
