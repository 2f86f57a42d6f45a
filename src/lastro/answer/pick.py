"""Which sentences answer: a pure choice, the same for the same prompt.

A question for a way of doing something gets the steps of the best section, as
they follow each other; a comparison the best sentence for each side; any other
question the sentence that holds most of it, what that one needs to be
understood, and then only sentences that add something.
"""

from collections.abc import Iterator, Sequence

from lastro.answer.analyse import Ask
from lastro.answer.lines import Line
from lastro.answer.pool import Pool
from lastro.answer.worth import TASTE, Scale, Taste, same
from lastro.gate.holding import Holds, most, share
from lastro.model.ranking import QueryTerm

NEAR = 4  # code points between two sentences that follow each other
FACTS = frozenset({Ask.NUMBER, Ask.PRICE, Ask.TIME, Ask.PERSON, Ask.PLACE})


def pick(
    pool: Pool,
    asks: frozenset[Ask],
    *,
    readings: bool = False,
    taste: Taste = TASTE,
) -> tuple[Line, ...]:
    """Return the lines to quote, documents best first, lines in reading order.

    With ``readings`` every document that fits about as well as the best gives a
    line of its own, if they differ: which is meant is not for us to choose.
    """
    lines = [line for line in pool.lines if quotable(line)]
    scale = Scale(pool, asks, taste)
    chosen = _sides(scale, lines)
    if not chosen:
        chosen = (readings and _readings(scale, lines)) or _steps(scale, lines)
    if not chosen:
        chosen = _understood(scale, _sentences(scale, lines))
    chosen = _with_heads(pool.lines, chosen)
    order = list(dict.fromkeys(line.document_id for line in chosen))
    return tuple(sorted(chosen, key=lambda x: (order.index(x.document_id), x.start)))


def covered(
    pool: Pool,
    lines: Sequence[Line],
    doubled: frozenset[str],
    *,
    stated: bool = False,
) -> float:
    """Return the share of the informative words that an answer of ``lines`` holds.

    Lines and their headings of one document count together, those of two only
    in a comparison.  The words in ``doubled`` (names that nothing holds) count
    twice: an answer about something else is no answer.  A word that stands
    nowhere is as rare as the rarest that does: that may be a matter of wording.
    In what is ``stated`` rather than asked, a number that nothing holds does not
    count: it may be the mistake that the documents put right.
    """
    anywhere = most((line.holds for line in pool.lines), len(pool.terms))
    pairs = list(zip(pool.terms, pool.weights, strict=True))
    known = [weight for term, weight in pairs if term.informative and term.df]
    rarest = max(known, default=1.0)
    weights = [
        (2.0 if term.word in doubled else 1.0) * min(weight, rarest)
        if term.informative and not (stated and not value and _number(term))
        else 0.0
        for (term, weight), value in zip(pairs, anywhere, strict=True)
    ]
    return max((share(weights, row) for row in _together(pool, lines)), default=0.0)


def _number(term: QueryTerm) -> bool:
    return term.exact and not any(map(str.isalpha, term.word))


def words_held(pool: Pool, lines: Sequence[Line]) -> int:
    """Return how many informative words an answer of ``lines`` holds."""
    informative = [at for at, term in enumerate(pool.terms) if term.informative]
    counts = (sum(row[at] > 0 for at in informative) for row in _together(pool, lines))
    return max(counts, default=0)


def holds_of(pool: Pool, lines: Sequence[Line]) -> Holds:
    """Return how far an answer of ``lines``, of any document, holds each term."""
    rows = (row for line in lines for row in (line.holds, line.above))
    return most(rows, len(pool.terms))


def _together(pool: Pool, lines: Sequence[Line]) -> list[Holds]:
    groups: dict[str, list[Holds]] = {}
    for line in lines:
        document = "" if pool.sides else line.document_id
        groups.setdefault(document, []).extend((line.holds, line.above))
    return [most(rows, len(pool.terms)) for rows in groups.values()]


def quotable(line: Line) -> bool:
    """Whether a line can stand as a quote: a sentence, and nothing that forges."""
    return not line.heading and bool(line.words) and "```" not in line.text


def _sides(scale: Scale, lines: Sequence[Line]) -> list[Line]:
    """Return the best line for each side of a comparison that any line speaks of."""
    chosen: list[Line] = []
    for number in range(len(scale.pool.sides)):
        speaking = [
            (scale.for_side(line, number), line)
            for line in lines
            if line.sides[number] >= scale.taste.side and scale.in_aspect(line)
        ]
        best = max(speaking, key=lambda row: (row[0], -row[1].rank), default=None)
        if best is not None and best[1] not in chosen:
            chosen.append(best[1])
    return chosen


def _readings(scale: Scale, lines: Sequence[Line]) -> list[Line]:
    best: dict[str, tuple[float, Line]] = {}
    for line in lines:
        row = (scale.worth(line), line)
        kept = best.get(line.document_id)
        if kept is None or row[0] > kept[0]:
            best[line.document_id] = row
    rows = sorted(best.values(), key=lambda row: -row[0])
    least = scale.taste.elsewhere * rows[0][0] if rows else 0.0
    apart: list[Line] = []
    for worth, line in rows:
        if worth >= least and not any(same(line, other) for other in apart):
            apart.append(line)
    return apart[: scale.taste.most_readings] if len(apart) > 1 else []


def _sentences(scale: Scale, lines: Sequence[Line]) -> list[Line]:
    """Return the best line, then lines that hold what is still missing."""
    worth = {id(line): scale.worth(line) for line in lines}
    rest = sorted(lines, key=lambda x: (-worth[id(x)], x.rank, x.start))
    chosen = rest[:1]
    while chosen and len(chosen) < scale.taste.most_lines:
        rest = [x for x in rest if not same(x, chosen[-1])]
        adding = [
            (scale.gain(chosen, x), worth[id(x)], x)
            for x in rest
            if _beside(scale, chosen[0], x, worth)
        ]
        best = max(adding, key=lambda row: row[0] + 0.3 * row[1], default=None)
        if best is None or best[0] < scale.taste.gain:
            break
        chosen.append(best[2])
    return chosen


def _beside(scale: Scale, best: Line, other: Line, worth: dict[int, float]) -> bool:
    """Whether ``other`` is good enough to stand beside ``best``."""
    ratio = worth[id(other)] / worth[id(best)] if worth[id(best)] > 0 else 0.0
    if best.document_id == other.document_id:
        return ratio >= scale.taste.beside
    return ratio >= scale.taste.elsewhere and scale.on_topic(other)


def _understood(scale: Scale, chosen: Sequence[Line]) -> list[Line]:
    """Return the lines with what they point back to and, if there is room, go on to.

    A fact stands in its sentence; an explanation goes on after it.
    """
    lines, out = scale.pool.lines, list(chosen)
    for line in chosen:
        at = lines.index(line)
        if line.dangling and at and _follows(lines[at - 1], line):
            out += [lines[at - 1]] if lines[at - 1] not in out else []
    more = 0 if scale.asks & FACTS else 2 if Ask.REASON in scale.asks else 1
    at = lines.index(chosen[0]) if chosen else len(lines)
    for before, after in zip(lines[at:], lines[at + 1 : at + 1 + more], strict=False):
        if before.table >= 0 or not _follows(before, after):
            break
        out += [after] if after not in out else []
    return out[: scale.taste.most_lines]


def _with_heads(lines: Sequence[Line], chosen: Sequence[Line]) -> list[Line]:
    """Return the lines, rows of a table with its head: it says what they hold."""
    tables = {(x.document_id, x.table) for x in chosen if x.table >= 0}
    heads = (x for x in lines if (x.document_id, x.start) in tables and x.words)
    return list(dict.fromkeys((*chosen, *heads)))


def _follows(before: Line, after: Line) -> bool:
    near = after.start - before.end <= NEAR and before.section == after.section
    return near and before.document_id == after.document_id and quotable(before)


def _steps(scale: Scale, lines: Sequence[Line]) -> list[Line]:
    """Return the steps of the document that fits best; none if it has none.

    Where nothing is asked in so many words ("pair a keyboard"), the heading has
    to say that these are the steps.
    """
    if scale.asks and Ask.HOW not in scale.asks:
        return []
    documents = _sections(scale, lines)
    best = max((value for parts in documents for value, _ in parts), default=0.0)
    for parts in documents:
        top = max(value for value, _ in parts)
        part = _with_steps(parts, scale.taste.on_topic * top)
        if part and top >= scale.taste.near_best * best:
            headed = scale.pool.share(part[0].above) >= scale.taste.headed
            if not scale.asks and not headed:
                return []
            return [*_otherwise(scale, parts, part), *_window(scale, part)]
    return []


def _otherwise(
    scale: Scale, parts: Sequence[tuple[float, list[Line]]], steps: list[Line]
) -> list[Line]:
    """Return the best line of another section that answers as well as the steps do.

    Neither headings nor a line tell which of the two is meant: both are given.
    """
    share = scale.pool.share
    least = scale.taste.equal * next(v for v, part in parts if part is steps)
    own = max(share(line.holds) for line in steps)
    heads = share(steps[0].above)
    fitting = [
        line
        for value, part in parts
        if part is not steps and value >= least and share(part[0].above) >= heads
        for line in part
        if own and share(line.holds) >= own
    ]
    best = max(fitting, key=lambda x: (scale.worth(x), -x.start), default=None)
    return [best] if best else []


def _sections(
    scale: Scale, lines: Sequence[Line]
) -> list[list[tuple[float, list[Line]]]]:
    """Return each document's sections with their values, the best document first."""
    parts: dict[tuple[str, int], list[Line]] = {}
    for line in lines:
        parts.setdefault((line.document_id, line.section), []).append(line)
    documents: dict[str, list[tuple[float, list[Line]]]] = {}
    for (document, _), part in parts.items():
        documents.setdefault(document, []).append((scale.section(part), part))
    return sorted(documents.values(), key=lambda own: -max(value for value, _ in own))


def _with_steps(parts: list[tuple[float, list[Line]]], least: float) -> list[Line]:
    ordered = sorted(parts, key=lambda own: -own[0])
    return next((part for value, part in ordered if value >= least and _run(part)), [])


def _window(scale: Scale, part: list[Line]) -> list[Line]:
    """Return the run of steps, with the one line before it that says what for."""
    run, room = _run(part), scale.taste.most_steps
    start = part.index(run[0])
    top = max(part, key=scale.worth)
    if top in run:
        first = max(run.index(top) - room + 1, 0)
        return _ended(run[first : first + room])
    before = [top] if part.index(top) < start else []
    return _ended([*before, *run[: room - len(before)]])


def _ended(lines: list[Line]) -> list[Line]:
    """Return ``lines`` without a last one that only announces what follows."""
    while len(lines) > 1 and lines[-1].text.endswith(":"):
        lines = lines[:-1]
    return lines


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
