"""What one sentence is worth as an answer, and what it adds to others; pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from lastro.answer.analyse import Ask
from lastro.answer.lines import Line
from lastro.answer.pool import Pool
from lastro.gate.holding import most, share

_MONEY = re.compile(
    r"[$€£¥₩]|\d ?(?:원|(?:euros?|reais|real|pesos?|soles|d[oó]lar\w*|dollars?|cents?|"
    r"usd|eur|brl|mxn|krw)\b)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Taste:
    """The weights of the choice; measured in decision record 0050."""

    most_lines: int = 5
    most_steps: int = 8
    most_readings: int = 3
    above: float = 0.3  # what headings hold, beside the sentence itself
    title: float = 0.2  # what the title holds
    alone: float = 0.6  # the same, where the question has one word only
    asked: float = 0.12  # a sentence of the kind that was asked for (a number, …)
    defines: float = 0.3  # a sentence that says what something is, where asked
    first: float = 0.12  # the document ranked first, the next half of it, …
    gain: float = 0.1  # what another sentence must add of the question
    beside: float = 0.4  # how much of the best sentence another one must be worth
    elsewhere: float = 0.75  # the same, of a sentence of another document
    longest: int = 45  # words; beyond, a sentence holds much by its length alone
    too_long: float = 0.004  # taken off for every word beyond
    shortest: int = 4  # words; a shorter sentence hardly says anything
    short: float = 0.5  # what such a sentence keeps of its worth
    fragment: float = 0.8  # the same, of one that opens in lower case
    equal: float = 0.85  # of the steps' section, for another one to fit as well
    near_best: float = 0.9  # of the best document, for its steps to be the answer
    on_topic: float = 0.6  # of its document's best section, for the steps
    headed: float = 0.6  # of the question in the heading, for steps nobody asked for
    side: float = 0.5  # of one side of a comparison, for a sentence to speak of it


TASTE = Taste()


@dataclass(frozen=True)  # no slots: what is the same for all lines is kept
class Scale:
    """Weighs the lines of one pool for one question."""

    pool: Pool
    asks: frozenset[Ask]
    taste: Taste

    def worth(self, line: Line) -> float:
        """Return how well ``line`` answers by itself."""
        taste = self.taste
        own = self.pool.share(line.holds)
        there = self.pool.share(most((line.holds, line.above), len(line.holds)))
        worth = own + taste.above * (there - own)
        asked = sum(term.informative for term in self.pool.terms)
        titled = taste.alone if asked == 1 else taste.title
        worth += titled * self.pool.share(line.title)
        return self.adjusted(line, worth)

    def adjusted(self, line: Line, worth: float) -> float:
        """Return ``worth`` with what does not depend on the words of the question."""
        taste = self.taste
        worth += taste.first * 0.5**line.rank
        worth -= taste.too_long * max(0, len(line.words) - taste.longest)
        worth += self._as_asked(line) if any(line.holds) else 0.0
        if len(line.words) < taste.shortest:
            worth *= taste.short
        return worth * taste.fragment if line.text[:1].islower() else worth

    def for_side(self, line: Line, number: int) -> float:
        """Return how well ``line`` answers for one side of a comparison."""
        others = [v for at, v in enumerate(line.sides) if at != number]
        apart = line.sides[number] - 0.6 * max(others, default=0.0)
        if not self._aspect:
            return apart + self.worth(line)
        weights = [
            weight if at in self._aspect else 0.0
            for at, weight in enumerate(self.pool.weights)
        ]
        return apart + self.adjusted(line, share(weights, line.holds))

    def in_aspect(self, line: Line) -> bool:
        """Whether ``line`` says something of what is compared in the sides.

        A comparison without an aspect ("the difference between …") takes any line.
        """
        aspect = self._aspect
        return not aspect or any(line.holds[at] > 0 for at in aspect)

    @cached_property
    def _aspect(self) -> list[int]:
        named = {word for side in self.pool.sides for word in side.surfaces}
        return [
            at
            for at, term in enumerate(self.pool.terms)
            if term.informative and term.word not in named
            if any(line.holds[at] for line in self.pool.lines)
        ]

    def section(self, part: Sequence[Line]) -> float:
        """Return how well a section answers: its heads first, then its lines."""
        rows = (row for line in part for row in (line.holds, line.above))
        there = self.pool.share(most(rows, len(self.pool.terms)))
        heads = self.pool.share(part[0].above)
        best = max(map(self.worth, part))
        return 0.3 * there + 0.5 * heads + 0.2 * best

    def gain(self, chosen: Sequence[Line], line: Line) -> float:
        """Return what ``line`` adds of the question's informative words."""
        had = most((one.holds for one in chosen), len(line.holds))
        both = most((had, line.holds), len(had))
        return self.pool.share(both, informative=True) - self.pool.share(
            had, informative=True
        )

    def on_topic(self, line: Line) -> bool:
        """Whether the line or its headings hold one of the two rarest words held."""
        here = most((line.holds, line.above), len(self.pool.terms))
        return any(here[at] > 0 for at in self._rarest)

    @cached_property
    def _rarest(self) -> list[int]:
        rows = (row for line in self.pool.lines for row in (line.holds, line.above))
        anywhere = most(rows, len(self.pool.terms))
        known = [at for at, value in enumerate(anywhere) if value > 0]
        return sorted(known, key=lambda at: -self.pool.weights[at])[:2]

    def _as_asked(self, line: Line) -> float:
        priced = Ask.PRICE in self.asks  # "what does it cost" asks for nothing else
        if Ask.MEANING in self.asks and line.defines and not priced:
            return self.taste.defines
        kinds = {Ask.PRICE} if priced else self.asks - {Ask.MEANING}
        return self.taste.asked if any(self._is(line, kind) for kind in kinds) else 0.0

    def _is(self, line: Line, ask: Ask) -> bool:
        asked = {term.word for term in self.pool.terms}
        if ask in (Ask.NUMBER, Ask.TIME):
            return any(re.search(r"\d", w) and w not in asked for w in line.words)
        if ask is Ask.PRICE:
            return _MONEY.search(line.text.lower()) is not None
        if ask in (Ask.PERSON, Ask.PLACE):
            names = re.findall(r"(?<=[\w,;] )[A-ZÀ-Þ]\w+", line.text)
            return any(name.lower() not in asked for name in names)
        return False


def same(line: Line, other: Line) -> bool:
    """Whether two sentences say the same in (nearly) the same words."""
    if (line.document_id, line.start) == (other.document_id, other.start):
        return True
    a, b = set(line.words), set(other.words)
    return len(a & b) >= 0.85 * len(a | b)
