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
    above: float = 0.3  # what headings hold, beside the sentence itself
    title: float = 0.2  # what the title holds
    asked: float = 0.12  # a sentence of the kind that was asked for (a number, …)
    first: float = 0.06  # the document ranked first, the next half of it, …
    gain: float = 0.1  # what another sentence must add of the question
    beside: float = 0.4  # how much of the best sentence another one must be worth
    elsewhere: float = 0.75  # the same, of a sentence of another document
    longest: int = 45  # words; beyond, a sentence holds much by its length alone
    too_long: float = 0.004  # taken off for every word beyond
    shortest: int = 4  # words; a shorter sentence hardly says anything
    on_topic: float = 0.6  # of the best section, for steps to be the answer


TASTE = Taste()
NEAR = 4  # code points between two sentences that follow each other


def pick(pool: Pool, asks: frozenset[Ask], *, taste: Taste = TASTE) -> tuple[Line, ...]:
    """Return the lines to quote, documents best first, lines in reading order."""
    lines = [line for line in pool.lines if quotable(line)]
    choice = _Choice(pool, asks, taste)
    chosen = choice.steps(lines) if Ask.HOW in asks else []
    chosen = chosen or choice.understood(choice.sentences(lines))
    order = list(dict.fromkeys(line.document_id for line in chosen))
    return tuple(sorted(chosen, key=lambda x: (order.index(x.document_id), x.start)))


def covered(pool: Pool, lines: Sequence[Line]) -> float:
    """Return the share of the informative words that ``lines`` and their heads hold."""
    rows = (row for line in lines for row in (line.holds, line.above))
    return pool.share(most(rows, len(pool.terms)), informative=True)


def quotable(line: Line) -> bool:
    """Whether a line can stand as a quote: a sentence, and nothing that forges."""
    return not line.heading and bool(line.words) and "```" not in line.text


@dataclass(frozen=True, slots=True)
class _Choice:
    pool: Pool
    asks: frozenset[Ask]
    taste: Taste

    def worth(self, line: Line) -> float:
        """Return how well ``line`` answers by itself."""
        taste = self.taste
        own = self.pool.share(line.holds)
        there = self.pool.share(most((line.holds, line.above), len(line.holds)))
        worth = own + taste.above * (there - own)
        worth += taste.title * self.pool.share(line.title)
        worth += taste.first * 0.5**line.rank
        worth -= taste.too_long * max(0, len(line.words) - taste.longest)
        if own and any(_is_asked(line, ask, self.pool) for ask in self.asks):
            worth += taste.asked
        return worth / 2 if len(line.words) < taste.shortest else worth

    def sentences(self, lines: Sequence[Line]) -> list[Line]:
        """Return the best line, then lines that hold what is still missing."""
        worth = {id(line): self.worth(line) for line in lines}
        rest = sorted(lines, key=lambda x: (-worth[id(x)], x.rank, x.start))
        chosen = rest[:1]
        while chosen and len(chosen) < self.taste.most_lines:
            rest = [x for x in rest if not _same(x, chosen[-1])]
            had = most((x.holds for x in chosen), len(self.pool.terms))
            adding = [
                (self._gain(had, x), worth[id(x)], x)
                for x in rest
                if worth[id(x)] >= self._least(chosen[0], x) * worth[id(chosen[0])]
            ]
            best = max(adding, key=lambda row: row[0] + 0.3 * row[1], default=None)
            if best is None or best[0] < self.taste.gain:
                break
            chosen.append(best[2])
        return chosen

    def understood(self, chosen: Sequence[Line]) -> list[Line]:
        """Return the lines with what they point back to, while there is room."""
        all_lines = self.pool.lines
        out = list(chosen)
        for line in chosen:
            at = all_lines.index(line)
            before = all_lines[at - 1] if at else None
            if not line.dangling or before is None or before in out:
                continue
            near = before.document_id == line.document_id and not before.heading
            if (
                near
                and line.start - before.end <= NEAR
                and len(out) < self.taste.most_lines
            ):
                out.append(before)
        return out

    def _least(self, best: Line, other: Line) -> float:
        same = best.document_id == other.document_id
        return self.taste.beside if same else self.taste.elsewhere

    def steps(self, lines: Sequence[Line]) -> list[Line]:
        """Return the steps of the section that fits best; none if none does."""
        parts: dict[tuple[str, int], list[Line]] = {}
        for line in lines:
            parts.setdefault((line.document_id, line.section), []).append(line)
        there = [(self._section(part), part) for part in parts.values()]
        with_steps = [(value, part) for value, part in there if _run(part)]
        if not with_steps:
            return []
        best, part = max(with_steps, key=lambda row: row[0])
        if best < self.taste.on_topic * max(value for value, _ in there):
            return []
        return self._window(part)

    def _section(self, part: Sequence[Line]) -> float:
        rows = (row for line in part for row in (line.holds, line.above))
        there = self.pool.share(most(rows, len(self.pool.terms)))
        heads = self.pool.share(part[0].above)
        best = max(map(self.worth, part))
        return 0.4 * there + 0.3 * heads + 0.3 * best

    def _window(self, part: list[Line]) -> list[Line]:
        """Return the run of steps, with the one line before it that says what for."""
        run, room = _run(part), self.taste.most_steps
        start = part.index(run[0])
        top = max(part, key=self.worth)
        if top in run:
            first = max(run.index(top) - room + 1, 0)
            return run[first : first + room]
        before = [top] if part.index(top) < start else []
        return [*before, *run[: room - len(before)]]

    def _gain(self, had: tuple[float, ...], line: Line) -> float:
        return self.pool.share(most((had, line.holds), len(had))) - self.pool.share(had)


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


def _run(part: Sequence[Line]) -> list[Line]:
    """Return the longest run of short rows that follow each other: the steps."""
    rows: dict[int, list[Line]] = {}
    for line in part:
        rows.setdefault(line.row, []).append(line)
    best = max(_runs(list(rows.values())), key=len)
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
