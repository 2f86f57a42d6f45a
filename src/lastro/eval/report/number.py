"""How a number is written in every report.  The only place that rounds."""

from lastro.model.score import Summary

ABSENT = "-"


def number(value: float | None, digits: int = 3) -> str:
    """Write one number; what is not there is a dash, never a zero or a one.

    A value near 0 or 1 gets the digits it takes not to be taken for them.

    >>> number(0.5), number(None), number(1.0), number(0.99996)
    ('0.500', '-', '1.000', '0.99996')
    """
    if value is None:
        return ABSENT
    for more in range(digits, 12):
        text = f"{value:.{more}f}"
        if value in (0, 1) or float(text) not in (0, 1):
            break
    return text.replace("-0." + "0" * digits, "0." + "0" * digits)


def pair(one: float | None, two: float | None) -> tuple[str, str]:
    """Write two numbers so that they look different if they are.

    >>> pair(0.79996, 0.8)
    ('0.79996', '0.80000')
    """
    for digits in range(3, 10):
        texts = number(one, digits), number(two, digits)
        if one == two or texts[0] != texts[1]:
            break
    return texts


def mean(found: Summary) -> str:
    """Write a mean with its interval.

    >>> from lastro.model.score import Summary
    >>> mean(Summary(mean=0.5, n=1, eligible=1, failed=0, ci_lo=None, ci_hi=None,
    ...     method="none", resamples=0, seed=17))
    '0.500 [-]'
    """
    if found.mean is None:
        return "not measured"
    return f"{number(found.mean)} {interval(found.ci_lo, found.ci_hi)}"


def interval(low: float | None, high: float | None) -> str:
    """Write an interval; one that cannot be had is a dash in its brackets.

    >>> interval(0.25, 1.0), interval(None, None)
    ('[0.250, 1.000]', '[-]')
    """
    if low is None or high is None:
        return f"[{ABSENT}]"
    return f"[{number(low)}, {number(high)}]"


def count(found: Summary) -> str:
    """Write how many cases a mean stands on, of how many it could have."""
    return f"{found.n} of {found.eligible}"


def cases(n: int) -> str:
    """Write a number of cases.

    >>> cases(1), cases(2)
    ('1 case', '2 cases')
    """
    return f"{n} case" if n == 1 else f"{n} cases"


def coordinate(value: float) -> str:
    """Write a place in a drawing, to a hundredth of a unit.

    >>> coordinate(1.5), coordinate(2.0), coordinate(1 / 3), coordinate(-0.001)
    ('1.5', '2', '0.33', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
