"""A build's page fits and says what it leaves out; annotations steer nothing."""

import pytest
from measured import CASES, HELD, MISSED, THIN, run_of

from lastro.eval.report.build import LIMIT, annotations, summary
from lastro.eval.report.markdown import markdown
from lastro.eval.verdict import Bars, judge
from lastro.model.score import Bar, BarState, Verdict

PAGE = markdown(run_of(), judge(run_of(), MISSED))


def test_a_page_that_fits_is_left_as_it_is() -> None:
    assert summary(PAGE) == PAGE
    assert summary(PAGE, limit=len(PAGE.encode())) == PAGE


@pytest.mark.parametrize("limit", [500, 1000, 2500, 4321])
def test_p05_a_page_is_cut_at_a_line_and_says_what_was_cut(limit: int) -> None:
    short = summary(PAGE, limit=limit)
    kept, _, said = short.partition("\nThis page was cut: ")

    assert len(short.encode()) <= limit
    assert PAGE.startswith(kept)
    assert kept.endswith("\n")
    rest = PAGE.removeprefix(kept)
    assert said.startswith(
        f"{len(rest.splitlines()):,} more lines ({len(rest.encode()):,} bytes), from “"
    )
    assert "report.md" in said


def test_p05_the_limit_is_in_bytes_of_utf8() -> None:
    page = "# 수강료\n" + "수강료 €\n" * 100_000

    short = summary(page)

    assert LIMIT == 1_000_000
    assert LIMIT - 500 < len(short.encode()) <= LIMIT


@pytest.mark.parametrize("limit", [0, 1, 100, 250])
def test_p05_with_hardly_any_room_nothing_is_torn(limit: int) -> None:
    short = summary(PAGE, limit=limit)

    assert len(short.encode()) <= limit
    assert short in {"", PAGE[: len(short)]} or "This page was cut" in short


@pytest.mark.parametrize(
    ("bars", "kinds"),
    [
        (HELD, ["notice"]),
        (MISSED, ["error", "notice"]),
        (THIN, ["error", "notice"]),
        (Bars(), ["notice"]),
    ],
)
def test_a07_annotations_come_of_the_same_verdict(bars: Bars, kinds: list[str]) -> None:
    lines = list(annotations(run_of(), judge(run_of(), bars)))

    assert [line[2:].split(" ")[0] for line in lines] == kinds


def test_a_missed_bar_says_what_was_seen_and_required() -> None:
    first, last = annotations(run_of(), judge(run_of(), MISSED))

    assert first.startswith("::error title=lastro%3A a bar was missed::retrieval_hit")
    assert "observed 0.800, required 0.900" in first
    assert last.endswith("::FAIL: 1 of 2 bars missed: retrieval_hit_at_k")


def test_more_than_a_build_shows_are_counted() -> None:
    bars = tuple(
        Bar(
            metric=f"m{i}",
            required=0.5,
            observed=0.4,
            state=BarState.ACTIVE,
            held=False,
        )
        for i in range(13)
    )
    *errors, notice = annotations(run_of(CASES, ()), Verdict(bars=bars))

    assert len(errors) == 10
    assert notice.endswith("(3 more are in the report)")


def test_p04_nothing_in_a_name_is_a_command() -> None:
    bar = Bar(
        metric="x\n::error::y\r%0A,a:b",
        required=0.5,
        observed=0.4,
        state=BarState.ACTIVE,
        held=False,
    )
    for line in annotations(run_of(), Verdict(bars=(bar,))):
        assert len(line.splitlines()) == 1
        assert "%250A" in line


def test_a_folded_part_is_never_left_open() -> None:
    page = "# A\n## B\n<details><summary>3 rows</summary>\n\nx\ny\n</details>\n"
    page += "## C\n<details><summary>900 rows</summary>\n\n" + "row\n" * 900

    short = summary(page, limit=600)

    assert short.count("<details>") == short.count("</details>") == 1
    assert "from “C” on" in short
