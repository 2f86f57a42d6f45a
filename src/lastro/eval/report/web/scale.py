"""Intervals as strips: a track, the interval on it, the mean, what stands beside."""

from collections.abc import Sequence
from dataclasses import dataclass

from lastro.eval.report.number import coordinate
from lastro.eval.report.web.markup import Html, join, tag

WIDE, HIGH = 240, 20
_EDGE = 7.0
_MIDDLE = HIGH / 2


@dataclass(frozen=True, slots=True)
class Scale:
    """What the ends of a strip stand for, and how wide it is drawn."""

    low: float = 0.0
    high: float = 1.0
    wide: int = WIDE

    def x(self, value: float) -> float:
        """Return where a value lies; one outside lies at the end."""
        share = (value - self.low) / (self.high - self.low)
        return _EDGE + min(1.0, max(0.0, share)) * (self.wide - 2 * _EDGE)


UNIT = Scale()
SMALL = Scale(wide=120)


def around_zero(values: Sequence[float | None]) -> Scale:
    """Return a scale with zero in its middle that holds all values.

    >>> around_zero((0.13, -0.02, None)).high
    0.25
    """
    most = max((abs(value) for value in values if value is not None), default=0.0)
    high = next((each for each in (0.1, 0.25, 0.5) if most <= each), 1.0)
    return Scale(-high, high)


@dataclass(frozen=True, slots=True)
class Mark:
    """Something beside a mean: a floor, what is required, the mean of all."""

    kind: str  # random | one_passage | required | all
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A figure with its interval, as a strip shows it."""

    mean: float | None
    low: float | None = None
    high: float | None = None


def strip(
    seen: Seen,
    *,
    says: str,
    scale: Scale = UNIT,
    marks: Sequence[Mark] = (),
    tone: str = "",
) -> Html:
    """Draw one figure; ``says`` is the same in words, for who cannot see it."""
    drawn = [_track(scale)]
    if seen.mean is None:
        drawn = [tag("line", **_line(_EDGE, scale.wide - _EDGE), class_="absent")]
    if seen.low is not None and seen.high is not None:
        drawn.append(_interval(scale.x(seen.low), scale.x(seen.high)))
    drawn += [_mark(mark.kind, scale.x(mark.value)) for mark in marks]
    if seen.mean is not None:
        at = scale.x(seen.mean)
        drawn.append(tag("circle", cx=at, cy=_MIDDLE, r=4.5, class_="mean"))
    return picture(scale.wide, HIGH, says, *drawn, class_=f"strip {tone}".strip())


def lost(left: int, gone: int, total: int, *, says: str) -> Html:
    """Draw one layer of a waterfall: what is left of ``total``, what went here."""
    scale = Scale(0, total)
    start, edge, end = scale.x(0), scale.x(left), scale.x(left + gone)
    end = max(end, edge + 1.5) if gone else end
    drawn = [tag("rect", x=start, y=4, width=edge - start, height=12, class_="left")]
    if gone:
        drawn.append(
            tag("rect", x=edge, y=4, width=end - edge, height=12, class_="lost")
        )
    return picture(WIDE, HIGH, says, *drawn, class_="strip")


def two(one: float | None, other: float | None, *, says: str) -> Html:
    """Draw two runs on one track: A hollow, B filled, the way between them."""
    drawn = [_track(UNIT)]
    if one is not None and other is not None:
        way = _line(UNIT.x(one), UNIT.x(other))
        drawn.append(tag("line", **way, class_="way"))
    if one is not None:
        drawn.append(tag("circle", cx=UNIT.x(one), cy=_MIDDLE, r=4.5, class_="hollow"))
    if other is not None:
        drawn.append(tag("circle", cx=UNIT.x(other), cy=_MIDDLE, r=4.5, class_="mean"))
    return picture(WIDE, HIGH, says, *drawn, class_="strip")


def axis(scale: Scale, labels: Sequence[tuple[float, str]]) -> Html:
    """Draw the numbers that the strips below it share."""
    ends = {scale.low: "start", scale.high: "end"}
    shift = {scale.low: -_EDGE, scale.high: _EDGE}
    written = (
        tag(
            "text",
            label,
            x=scale.x(value) + shift.get(value, 0.0),
            y=14,
            text_anchor=ends.get(value, "middle"),
            class_="axis",
        )
        for value, label in labels
    )
    return tag(
        "svg",
        join(written),
        viewBox=f"0 0 {WIDE} {HIGH}",
        class_="strip",
        aria_hidden="true",
    )


def picture(wide: int, high: int, says: str, *drawn: Html, class_: str) -> Html:
    """Return a drawing that says in words what it shows."""
    return tag(
        "svg",
        tag("title", says),
        *drawn,
        viewBox=f"0 0 {wide} {high}",
        class_=class_,
        role="img",
        aria_label=says,
    )


def sample(kind: str) -> Html:
    """Draw a mark alone, for a legend."""
    drawn = {
        "mean": tag("circle", cx=8, cy=8, r=4.5, class_="mean"),
        "hollow": tag("circle", cx=8, cy=8, r=4.5, class_="hollow"),
        "interval": tag("rect", x=1, y=5, width=14, height=6, rx=3, class_="interval"),
        "left": tag("rect", x=1, y=2, width=14, height=12, class_="left"),
        "lost": tag("rect", x=1, y=2, width=14, height=12, class_="lost"),
    }.get(kind) or _mark(kind, 8.0, 8.0)
    return tag("svg", drawn, viewBox="0 0 16 16", class_="sample", aria_hidden="true")


def _track(scale: Scale) -> Html:
    ends = tag("line", **_line(_EDGE, scale.wide - _EDGE), class_="track")
    zero = scale.x((scale.low + scale.high) / 2)
    middle = tag("line", x1=zero, x2=zero, y1=4, y2=16, class_="tick")
    return join((ends, middle))


def _line(start: float, end: float) -> dict[str, float]:
    return {"x1": start, "x2": end, "y1": _MIDDLE, "y2": _MIDDLE}


def _interval(start: float, end: float) -> Html:
    wide = max(end - start, 2.0)
    return tag(
        "rect", x=start, y=_MIDDLE - 3, width=wide, height=6, rx=3, class_="interval"
    )


def _mark(kind: str, x: float, y: float = _MIDDLE) -> Html:
    if kind == "required":
        return tag("line", x1=x, x2=x, y1=y - 9, y2=y + 9, class_="required")
    if kind == "all":
        return tag("line", x1=x, x2=x, y1=y - 8, y2=y + 8, class_="all")
    size = 4.5
    corners = (
        ((0, -size), (size, 0), (0, size), (-size, 0))
        if kind == "one_passage"
        else ((-size, size), (size, size), (0, -size + 1))
    )
    points = (f"{coordinate(x + dx)} {coordinate(y + dy)}" for dx, dy in corners)
    path = f"M{'L'.join(points)}Z"
    return tag("path", d=path, class_="floor")
