"""A run and its verdict, for people and for machines.  Text out, nothing printed."""

from lastro.eval.report.data import as_json, scores_lines
from lastro.eval.report.markdown import markdown
from lastro.eval.report.terminal import terminal

__all__ = ["as_json", "markdown", "scores_lines", "terminal"]
