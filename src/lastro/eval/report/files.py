"""Every file that a run's folder has of its report, by name."""

from collections.abc import Iterable

from lastro.eval.report.data import as_json, scores_lines
from lastro.eval.report.junit import junit
from lastro.eval.report.markdown import markdown
from lastro.eval.report.view import views
from lastro.eval.report.web import html
from lastro.eval.results import Run
from lastro.model.case import Case
from lastro.model.score import Verdict
from lastro.model.trace import Trace


def files(
    run: Run, verdict: Verdict, cases: Iterable[Case], traces: Iterable[Trace]
) -> dict[str, str | Iterable[str]]:
    """Return the text of each file; a private run has no scores.

    Args:
        run: what was judged.
        verdict: what became of the bars.
        cases: the judged cases: failing ones are shown with their texts.
        traces: what they left, for the failing cases alone.
    """
    found: dict[str, str | Iterable[str]] = {
        "report.md": markdown(run, verdict),
        "report.html": html(run, verdict, views(run, cases, traces)),
        "report.json": as_json(run, verdict),
        "junit.xml": junit(run, verdict),
    }
    if not run.private:
        found["scores.jsonl"] = scores_lines(run)
    return found
