"""A run and its verdict, for people and for machines.  Text out, nothing printed."""

from lastro.eval.report.baseline_page import baseline_text, suggested
from lastro.eval.report.build import annotations, summary
from lastro.eval.report.compare_data import compare_json
from lastro.eval.report.compare_page import compare_text
from lastro.eval.report.data import as_json, scores_lines
from lastro.eval.report.junit import junit
from lastro.eval.report.markdown import markdown
from lastro.eval.report.terminal import terminal
from lastro.eval.report.view import CaseView, shown, views
from lastro.eval.report.web import compare_html, html

__all__ = [
    "CaseView",
    "annotations",
    "as_json",
    "baseline_text",
    "compare_html",
    "compare_json",
    "compare_text",
    "html",
    "junit",
    "markdown",
    "scores_lines",
    "shown",
    "suggested",
    "summary",
    "terminal",
    "views",
]
