"""Scores drawn from populations whose mean is known: what an interval has to cover."""

from simulated.populations import MADE, Population, differing, redrawn

__all__ = ["MADE", "Population", "differing", "redrawn"]
