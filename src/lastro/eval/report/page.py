"""What a report says, before it is rendered: the same page for every reader.

Terminal, Markdown, HTML and the build's summary are made of these sections, so
that none says what another does not.  No text of a case stands on a page, only
ids, labels and numbers.
"""

from collections.abc import Iterable

from lastro.eval.report.closed import open_or_closed
from lastro.eval.report.number import cases
from lastro.eval.report.section import Page
from lastro.eval.report.sections import sections
from lastro.eval.results import Run
from lastro.model.score import BarState, Verdict

_UNBARRED = "MEASURED: no bar is set, so nothing was required"


def page(run: Run, verdict: Verdict) -> Page:
    """Put a run and its verdict on a page; of a private run only aggregates."""
    run, verdict = open_or_closed(run, verdict)
    return Page(
        headline=headline(run, verdict),
        lead=tuple(_lead(run, verdict)),
        sections=tuple(sections(run, verdict)),
    )


def headline(run: Run, verdict: Verdict) -> str:
    """Say in one line how the run ended; nothing passed where nothing was required."""
    if verdict.unmeasured:
        more = len(verdict.unmeasured) - 1
        rest = f" (and {more} more)" if more else ""
        return f"COULD NOT MEASURE: {verdict.unmeasured[0]}{rest}"
    active = [bar for bar in verdict.bars if bar.state is BarState.ACTIVE]
    if verdict.breaches:
        names = ", ".join(bar.metric for bar in verdict.breaches)
        return f"FAIL: {len(verdict.breaches)} of {len(active)} bars missed: {names}"
    if not active:
        return f"{_UNBARRED}; {_ended(run)}"
    return f"PASS: {len(active)} of {len(active)} bars held"


def _ended(run: Run) -> str:
    failed, broke = sum(run.attribution.values()), len(run.broken)
    some = f", {broke} of them broke" if broke else ""
    return f"{failed} of {cases(len(run.results))} failed{some}"


def _lead(run: Run, verdict: Verdict) -> Iterable[str]:
    yield from verdict.unmeasured[1:]
    systems = run.provenance.get("systems")
    named = ", ".join(map(str, systems)) if isinstance(systems, list | tuple) else ""
    yield f"{cases(len(run.results))}, k = {run.k}, system: {named or 'not named'}."
    yield (
        f"Gold of retrieval: relevant_ids in {cases(run.gold.relevant_ids)}, "
        f"must_cite_one_of in {cases(run.gold.must_cite_one_of)}, "
        f"none in {cases(run.gold.none)}."
    )
    if run.broken:
        named = "" if run.private else "; they are named under Broken cases"
        yield f"{len(run.broken)} of {cases(len(run.results))} broke{named}."
    if run.private:
        yield "Aggregates only: no case is named, no text of theirs is shown."
