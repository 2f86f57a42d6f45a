"""Of a baseline's dozens of bars those are read that say something; none is lost."""

from dataclasses import replace

import pytest
from measured import run_of

from lastro.eval.report.markdown import markdown
from lastro.eval.report.terminal import terminal
from lastro.eval.report.web import html
from lastro.model.score import Bar, BarKind, BarState, Verdict

IDS = ", ".join(f"pt.case-{n}" for n in range(12))


def bar(name: str, kind: BarKind, *, held: bool = True, why: str = "") -> Bar:
    return Bar(
        metric=name,
        required=-0.05,
        observed=-0.1,
        state=BarState.ACTIVE,
        held=held,
        why=why,
        kind=kind,
        n=40,
    )


QUIET = tuple(bar(f"by_locale.en.metric_{n}", BarKind.DROP) for n in range(70))
VERDICT = Verdict(
    bars=(
        *QUIET,
        bar("accuracy", BarKind.DROP, why="beyond tolerance, may be chance: p 0.3"),
        bar("groundedness", BarKind.MEAN),
        bar(
            "citation_coverage",
            BarKind.DROP,
            held=False,
            why="beyond tolerance, p 0.001 (corrected for all 74 tested); "
            f"lower: {IDS}",
        ),
    )
)


def test_what_was_missed_comes_first_and_drops_within_tolerance_are_counted() -> None:
    text = terminal(run_of(), VERDICT).split("\nMetrics\n")[0]

    rows = [line.split()[0] for line in text.splitlines() if " active, " in line]
    assert rows == ["citation_coverage", "groundedness", "accuracy"]
    assert "70 bars on drops held: none beyond tolerance; report.json has them." in text
    assert "metric_69" not in text


@pytest.mark.parametrize("observed", [0.0, 0.25])
def test_where_nothing_dropped_it_is_not_called_a_drop(observed: float) -> None:
    quiet = tuple(replace(each, observed=observed) for each in QUIET)

    text = terminal(run_of(), Verdict(bars=quiet))

    assert "70 bars on drops held: nothing dropped; report.json has them." in text
    assert "tolerance" not in text


def test_every_form_folds_them_and_the_page_opens_them() -> None:
    page = html(run_of(), VERDICT).split('id="bars"')[1].split("</section>")[0]

    assert "metric_69" not in markdown(run_of(), VERDICT)
    shown, folded = page.split("<summary>Bars on drops that held (70)</summary>")
    assert "metric_69" not in shown
    assert "metric_69" in folded


def test_a_reason_has_a_line_of_its_own_and_ids_stand_behind_it() -> None:
    page = html(run_of(), VERDICT)
    row = page.split("citation_coverage</th>")[1].split("</tr>")
    state, under = row[0], row[1]

    assert '<span class="missed">active, MISSED</span>' in state
    assert "pt.case" not in state
    assert under.startswith('<tr class="under"><td colspan="7"><details><summary>')
    assert f"<p>lower: {IDS}</p>" in under


def test_a_long_table_is_folded_in_markdown_but_not_what_is_read_first() -> None:
    page = markdown(run_of(), VERDICT)
    metrics = page.split("## Metrics")[1].split("## ")[0]
    labels = page.split("## Failure labels")[1].split("## ")[0]

    assert "<details>" not in metrics
    assert "<details><summary>16 rows</summary>\n\n| label |" in labels
    assert labels.rstrip().endswith("|\n\n</details>")
