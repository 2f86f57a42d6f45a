"""Made-up builds for ``bars.py``: systems that drop or do not, and three rules."""

from barred.rules import RULES, Build, build
from barred.systems import Shape, hurt, pair

__all__ = ["RULES", "Build", "Shape", "build", "hurt", "pair"]
