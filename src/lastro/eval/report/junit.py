"""``junit.xml``: failure is a missed bar, error what could not be measured.

A build that reads it comes to the same end as the exit code: an error stands in
it exactly where that is 3, else a failure exactly where it is 1.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from lastro.eval.report.closed import open_or_closed
from lastro.eval.report.labels import MEANINGS
from lastro.eval.report.number import number, pair
from lastro.eval.report.plain import plain, xml_text
from lastro.eval.results import CaseResult, Run
from lastro.model.score import Bar, BarKind, BarState, Verdict

FAILURE, ERROR, SKIPPED = "failure", "error", "skipped"


@dataclass(frozen=True, slots=True)
class Test:
    """One testcase: ``outcome`` is empty where it passed, ``why`` then too."""

    name: str
    outcome: str = ""
    why: str = ""


def junit(run: Run, verdict: Verdict) -> str:
    """Render the verdict for a build: a suite of bars and, if required, of cases.

    Cases stand in it where a bar of cases is set, and nothing of a private run
    is named.  There is no clock: every time is 0.
    """
    run, verdict = open_or_closed(run, verdict)
    suites = {"run": [_measured(verdict)], "bars": [_bar(b) for b in verdict.bars]}
    required = [bar for bar in verdict.bars if bar.kind is BarKind.CASES]
    if required and not run.private:
        suites["cases"] = [_case(result, required[0]) for result in run.results]
    every = [test for tests in suites.values() for test in tests]
    lines = (
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuites name="lastro"{_counts(every)}>',
        *(line for name, tests in suites.items() for line in _suite(name, tests)),
        "</testsuites>",
    )
    return "\n".join(lines) + "\n"


def _measured(verdict: Verdict) -> Test:
    """Give what could not be measured and belongs to no bar: every case broke."""
    bars = [f"{bar.metric}: " for bar in verdict.bars]
    general = [said for said in verdict.unmeasured if not said.startswith(tuple(bars))]
    missing = any(bar.state is BarState.NOT_MEASURED for bar in verdict.bars)
    if not general and (missing or not verdict.unmeasured):
        return Test("measured")
    return Test("measured", ERROR, "; ".join(general or verdict.unmeasured))


def _bar(bar: Bar) -> Test:
    name = bar.metric if bar.kind is BarKind.MEAN else f"{bar.metric} ({bar.kind})"
    match bar.state:
        case BarState.INACTIVE:
            return Test(name, SKIPPED, f"inactive: {bar.why}")
        case BarState.NOT_MEASURED:
            return Test(name, ERROR, f"not measured: {bar.why}")
        case BarState.ACTIVE:
            required, observed = pair(bar.required, bar.observed)
            n = "" if bar.n is None else f" of n = {number(bar.n, 0)}"
            missed = f"observed {observed}{n}, required {required}"
            return Test(name) if bar.held else Test(name, FAILURE, missed)


def _case(result: CaseResult, bar: Bar) -> Test:
    """A failing case breaks the build where it is the cases' bar that was missed.

    Where that bar was not measured, a case that broke is why.
    """
    if not (result.failure or result.failures or result.broke):
        return Test(result.id)
    said = result.broke
    if result.failure is not None:
        said = f"{result.failure}: {MEANINGS[result.failure].what}"
    if result.repeats > 1:
        said += f"; failed {result.failures} of {result.repeats} times"
    if bar.state is BarState.ACTIVE and not bar.held:
        return Test(result.id, FAILURE, said)
    if bar.state is BarState.NOT_MEASURED and result.broke:
        return Test(result.id, ERROR, said)
    state = "held" if bar.held else "was not measured"
    return Test(result.id, SKIPPED, f"failed, and the bar of cases {state}: {said}")


def _suite(name: str, tests: list[Test]) -> Iterator[str]:
    yield f"  <testsuite name={_attribute(name)}{_counts(tests)}>"
    for test in tests:
        head = f"name={_attribute(test.name)} classname={_attribute(f'lastro.{name}')}"
        if not test.outcome:
            yield f'    <testcase {head} time="0"/>'
            continue
        kind = "" if test.outcome == SKIPPED else ' type="lastro"'
        said = f"message={_attribute(test.why)}{kind}"
        yield f'    <testcase {head} time="0">'
        yield f"      <{test.outcome} {said}>{_text(test.why)}</{test.outcome}>"
        yield "    </testcase>"
    yield "  </testsuite>"


def _counts(tests: list[Test]) -> str:
    outcomes = [test.outcome for test in tests]
    counted = {
        "tests": len(tests),
        "failures": outcomes.count(FAILURE),
        "errors": outcomes.count(ERROR),
        "skipped": outcomes.count(SKIPPED),
    }
    return "".join(f' {name}="{n}"' for name, n in counted.items()) + ' time="0"'


def _attribute(value: str) -> str:
    return quoteattr(xml_text(plain(value)))


def _text(value: str) -> str:
    return escape(xml_text(plain(value)))
