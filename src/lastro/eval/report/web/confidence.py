"""Whether a confidence means what it says: reliability bins, risk against coverage."""

from collections.abc import Iterator, Sequence
from math import sqrt

from lastro.eval.report.number import cases, coordinate, number
from lastro.eval.report.web.markup import Html, join, tag
from lastro.eval.report.web.scale import picture
from lastro.eval.results import Calibration, ConfidenceBin, RiskPoint

_WIDE, _HIGH = 320, 260
_LEFT, _TOP, _SIDE, _TALL = 40.0, 10.0, 270.0, 206.0
_POINTS = 400  # of a curve: more cannot be seen


def charts(found: Calibration) -> Html:
    """Draw both beside each other; nothing where no case has a confidence."""
    if not found.n:
        return Html()
    return tag(
        "div",
        tag(
            "figure",
            _reliability(found.bins),
            tag(
                "figcaption",
                "Reliability: the share that was correct at each confidence. On the "
                "dashed line a confidence means what it says; the larger a point, "
                "the more cases.",
            ),
        ),
        tag(
            "figure",
            _risk(found.curve),
            tag(
                "figcaption",
                "Risk against coverage: the share that is wrong if only the most "
                "confident cases are answered. Lower is better.",
            ),
        ),
        class_="charts",
    )


def _x(share: float) -> float:
    return _LEFT + share * _SIDE


def _y(share: float) -> float:
    return _TOP + (1 - share) * _TALL


def _reliability(bins: Sequence[ConfidenceBin]) -> Html:
    held = [each for each in bins if each.n]
    most = max((each.n for each in held), default=1)
    said = "; ".join(
        f"{number(each.confidence)} confident, {number(each.correct)} correct, "
        f"{cases(each.n)}"
        for each in held
    )
    ideal = tag("line", x1=_x(0), y1=_y(0), x2=_x(1), y2=_y(1), class_="ideal")
    return picture(
        _WIDE,
        _HIGH,
        f"Reliability: {said}",
        *_frame("confidence", "correct"),
        ideal,
        *(_bin(each, most) for each in held),
        class_="plot",
    )


def _bin(each: ConfidenceBin, most: int) -> Html:
    if each.confidence is None or each.correct is None:
        return Html()
    x, y = _x(each.confidence), _y(each.correct)
    stem = tag("line", x1=x, x2=x, y1=_y(each.confidence), y2=y, class_="stem")
    size = 3 + 7 * sqrt(each.n / most)
    return join((stem, tag("circle", cx=x, cy=y, r=size, class_="bin")))


def _risk(curve: Sequence[RiskPoint]) -> Html:
    step = max(1, len(curve) // _POINTS)
    shown = [*curve[::step], *curve[-1:]]
    points = " ".join(
        f"{coordinate(_x(each.coverage))},{coordinate(_y(each.risk))}" for each in shown
    )
    end = curve[-1] if curve else None
    said = (
        f"answering all {number(end.coverage)} of them, {number(end.risk)} are wrong"
        if end
        else "no point"
    )
    return picture(
        _WIDE,
        _HIGH,
        f"Risk against coverage: {said}",
        *_frame("coverage", "risk"),
        tag("polyline", points=points, class_="curve"),
        class_="plot",
    )


def _frame(across: str, up: str) -> Iterator[Html]:
    yield tag("rect", x=_LEFT, y=_TOP, width=_SIDE, height=_TALL, class_="frame")
    for value, label in ((0.0, "0"), (0.5, ".5"), (1.0, "1")):
        middle = {"text_anchor": "middle"}
        yield tag("text", label, x=_x(value), y=_TOP + _TALL + 15, **middle)
        yield tag("text", label, x=_LEFT - 6, y=_y(value) + 4, text_anchor="end")
    yield tag("text", across, x=_x(0.5), y=_TOP + _TALL + 32, text_anchor="middle")
    turned = f"rotate(-90 12 {coordinate(_y(0.5))})"
    yield tag("text", up, x=12, y=_y(0.5), text_anchor="middle", transform=turned)
