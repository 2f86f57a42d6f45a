"""Scores of single cases to means with intervals.  Nothing here reads a case's text.

The recipe of the interval is fixed, so that anybody can recompute it:

- values stand in the order of their case ids (code points);
- values without spread (all equal, so also every mean of 0 or 1) and those of
  binary scorers, where all are 0 or 1, get the Wilson score interval;
- shares that crowd at one end, the skewness of their mean being beyond a third, get
  it for as many yes-or-no cases as have their variance (``effective``);
- else ``index = Generator(PCG64(seed)).integers(0, n, size=(resamples, n))``,
  the means of ``values[index]`` along each row, and their percentiles 2.5 and
  97.5, linear.  Over ``MANY`` cases the same law is drawn by counts:
  ``Generator(PCG64(seed)).multinomial(n, share, size=resamples)``, ``share``
  being that of each distinct value, ascending;
- one value gives no interval.
"""

from lastro.eval.aggregate.interval import (
    MANY,
    RESAMPLES,
    SEED,
    Interval,
    apart,
    bootstrap,
    bootstraps,
    effective,
    wilson,
)
from lastro.eval.aggregate.slices import (
    DIMENSIONS,
    UNSET,
    dimension_of,
    keys,
    slices,
)
from lastro.eval.aggregate.summary import Named, aggregate, summarise

__all__ = [
    "DIMENSIONS",
    "MANY",
    "RESAMPLES",
    "SEED",
    "UNSET",
    "Interval",
    "Named",
    "aggregate",
    "apart",
    "bootstrap",
    "bootstraps",
    "dimension_of",
    "effective",
    "keys",
    "slices",
    "summarise",
    "wilson",
]
