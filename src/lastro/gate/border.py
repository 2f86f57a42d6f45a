"""The one strict comparison: what stands exactly on a border passes it."""

EPSILON = 1e-9


def below(observed: float, required: float) -> bool:
    """Compare strictly, forgiving what binary fractions do to decimals.

    >>> below(1.5, 1.5), below(2.0 - 1.85, 0.15), below(1.49, 1.5)
    (False, False, True)
    """
    return observed < required - EPSILON
