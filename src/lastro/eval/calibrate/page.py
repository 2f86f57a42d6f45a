"""What a calibration is worth, for people and for programs; pure."""

from collections.abc import Iterator, Mapping, Sequence

from lastro.eval.calibrate.run import Found
from lastro.eval.calibration import (
    Seen,
    area,
    auroc,
    binned,
    brier,
    curve,
    expected_error,
)
from lastro.eval.report.number import number
from lastro.model.decision import ReasonCode

_COVERAGES = (0.25, 0.5, 0.75, 1.0)
_WIDE = 22


def lines(found: Found) -> Iterator[str]:
    """Yield the page: what was asked, the confidence, the thresholds, the reasons."""
    n, held = len(found.after), sum(outcome == 1 for _, outcome in found.after)
    yield (
        f"{n} cases with an outcome: the search found the answer of {held}, "
        f"not of {n - held}; without an outcome: {found.no_outcome}"
    )
    yield ""
    yield f"{'confidence':{_WIDE}}  before   after, on cases that it did not see"
    for name, values in _worth(found).items():
        yield f"  {name:{_WIDE - 2}}  {'   '.join(map(number, values))}"
    yield ""
    heads = "  ".join(f"{share:6.0%}" for share in _COVERAGES)
    yield f"{'wrong among the surest':{_WIDE}}  {heads}"
    for name, seen in (("before", found.before), ("after", found.after)):
        risks = "  ".join(f"{number(each):>6}" for each in _risks(seen))
        yield f"  {name:{_WIDE - 2}}  {risks}"
    yield ""
    yield from _thresholds(found)
    yield from _confusion(found.confusion)


def data(found: Found) -> dict[str, object]:
    """Return the same as an object of plain values."""
    return {
        "n": len(found.after),
        "held": sum(outcome == 1 for _, outcome in found.after),
        "no_outcome": found.no_outcome,
        "confidence": {
            name: {"before": before, "after": after}
            for name, (before, after) in _worth(found).items()
        },
        "risk_coverage": {
            "before": _curve(found.before),
            "after": _curve(found.after),
        },
        "reasons": {
            "n": found.reasons,
            "agreement": {"before": found.agreed_before, "after": found.agreed_after},
            "confusion": {
                str(expected): {str(code): n for code, n in sorted(called.items())}
                for expected, called in sorted(found.confusion.items())
            },
        },
        "thresholds": {
            "before": dict(found.thresholds_before),
            "after": dict(found.thresholds_after),
        },
    }


def _worth(found: Found) -> Mapping[str, tuple[float | None, float | None]]:
    both = found.before, found.after
    auc, ece, score, risk = (
        tuple(measure(each) for each in both) for measure in (auroc, _ece, brier, area)
    )
    return {
        "AUROC": (auc[0], auc[1]),
        "ECE": (ece[0], ece[1]),
        "Brier": (score[0], score[1]),
        "risk-coverage area": (risk[0], risk[1]),
    }


def _ece(seen: Sequence[Seen]) -> float | None:
    return expected_error(binned(seen))


def _risks(seen: Sequence[Seen]) -> tuple[float, ...]:
    """Return the share of wrong ones among the surest part of the cases."""
    points = curve(seen)
    return tuple(
        next(point.risk for point in points if point.coverage >= share - 1e-9)
        for share in _COVERAGES
    )


def _curve(seen: Sequence[Seen]) -> list[list[float]]:
    return [[point.coverage, point.risk] for point in curve(seen)]


def _thresholds(found: Found) -> Iterator[str]:
    if found.agreed_after is None:
        yield f"thresholds: as they were; {found.reasons} cases have an expected reason"
        return
    before, after = number(found.agreed_before), number(found.agreed_after)
    yield (
        f"reasons: {found.reasons} cases; called as expected: {before} before, "
        f"{after} after, on cases that it did not see"
    )
    for name, value in found.thresholds_after.items():
        was = found.thresholds_before[name]
        moved = number(value) if value == was else f"{number(was)} -> {number(value)}"
        yield f"  {name:{_WIDE}}  {moved}"


def _confusion(found: Mapping[ReasonCode, Mapping[ReasonCode, int]]) -> Iterator[str]:
    if not found:
        return
    yield ""
    yield "expected, and what it is called with that"
    for expected in sorted(found):
        called = sorted(found[expected].items(), key=lambda pair: (-pair[1], pair[0]))
        shown = ", ".join(f"{code} {n}" for code, n in called)
        yield f"  {expected:{_WIDE}}  {shown}"
