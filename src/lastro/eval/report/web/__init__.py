"""The report as one HTML file: no script, no network, nothing outside of it."""

from lastro.eval.report.web.compare import compare_html
from lastro.eval.report.web.report import html

__all__ = ["compare_html", "html"]
