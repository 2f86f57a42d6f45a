"""report.html: one file, no script, everything escaped, every figure also in words."""

import dataclasses
import re
from html.parser import HTMLParser

import pytest
from measured import CASES, FLOORS, HELD, HOSTILE, MISSED, THIN, TRACES, case, run_of

from lastro.eval.repeats import Repeats
from lastro.eval.report.page import page
from lastro.eval.report.view import CaseView, shown, views
from lastro.eval.report.web import html
from lastro.eval.report.web.markup import slug, tag, text
from lastro.eval.report.web.style import DARK, LIGHT
from lastro.eval.results import (
    BothWays,
    Calibration,
    ConfidenceBin,
    RiskPoint,
    Run,
)
from lastro.eval.score import score
from lastro.eval.scorers import SCORERS
from lastro.eval.verdict import Bars, judge
from lastro.model.case import Origin, Provenance, QueryType, TargetSpec
from lastro.model.failure import Failure
from lastro.model.ids import CaseId
from lastro.model.trace import Retrieved, Trace, TraceClaim, TraceError, TracePassage

BINS = tuple(
    ConfidenceBin(
        low=i / 10,
        high=(i + 1) / 10,
        n=i,
        confidence=(i + 0.5) / 10 if i else None,
        correct=i / 10 if i else None,
    )
    for i in range(10)
)
CALIBRATION = Calibration(
    n=45,
    outcome="every expected term was found",
    ece=0.05,
    brier=0.125,
    area=0.25,
    bins=BINS,
    curve=tuple(
        RiskPoint(confidence=1 - i / 45, coverage=i / 45, risk=i / 90)
        for i in range(1, 46)
    ),
)


class Page(HTMLParser):
    """What a browser would make of a page: tags in order, attributes, text."""

    VOID = frozenset(("meta", "br"))

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.open: list[str] = []
        self.said: list[str] = []
        self.feed(page)
        self.close()
        assert self.open == [], f"never closed: {self.open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.said.append(data)

    @property
    def text(self) -> str:
        return " ".join(self.said)

    def values(self, name: str) -> list[str]:
        return [value for _, each, value in self.attributes if each == name]


def rich() -> Run:
    both = BothWays(
        declined=run_of().aggregates["abstention"],
        answered=run_of().aggregates["accuracy"],
    )
    return dataclasses.replace(
        run_of(), floors=FLOORS, calibration=CALIBRATION, both_ways=both
    )


RICH = rich()
SHOWN = views(RICH, CASES, TRACES)


def rendered(run: Run = RICH, bars: Bars = MISSED) -> Page:
    return Page(html(run, judge(run, bars), SHOWN if run is RICH else ()))


def test_p02_nothing_on_the_page_runs_loads_or_leaves() -> None:
    found = rendered()
    policy = next(v for v in found.values("content") if "default-src" in v)

    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    assert not {"script", "iframe", "object", "form", "link", "img", "base"} & {
        *found.tags
    }
    assert not [n for _, n, _ in found.attributes if n.startswith("on")]
    assert found.values("style") == []
    assert all(each.startswith("#") for each in found.values("href"))
    assert not [v for n in ("src", "srcset", "action") for v in found.values(n)]
    assert "url(" not in html(RICH, judge(RICH, MISSED))
    assert "@import" not in html(RICH, judge(RICH, MISSED))


@pytest.mark.parametrize("bars", [HELD, MISSED, THIN, Bars()])
def test_p11_the_page_says_all_that_every_other_report_says(bars: Bars) -> None:
    verdict = judge(RICH, bars)
    said = rendered(RICH, bars).text

    for section in page(RICH, verdict).sections:
        assert section.title in said
        for cell in (cell for row in section.rows for cell in row if "█" not in cell):
            # A state and its reason stand on two lines.
            assert all(part in said for part in cell.split(": ", 1))
        for note in section.notes:
            assert note in said


@pytest.mark.parametrize(
    ("bars", "word", "state"),
    [
        (HELD, "PASS", "pass"),
        (MISSED, "FAIL", "fail"),
        (THIN, "COULD", "unmeasured"),
        (Bars(), "MEASURED", "neutral"),
    ],
)
def test_a07_the_banner_is_the_verdict(bars: Bars, word: str, state: str) -> None:
    written = html(RICH, judge(RICH, bars))

    assert f'<div class="verdict {state}">' in written
    assert word in written.split("</h1>")[0].split("<h1>")[1]


def test_every_link_leads_to_a_heading_and_every_id_is_unique() -> None:
    found = rendered()
    ids = found.values("id")

    assert len(ids) == len(set(ids))
    assert {each.removeprefix("#") for each in found.values("href")} <= set(ids)
    assert set(found.values("aria-labelledby")) <= set(ids)


def test_every_drawing_says_in_words_what_it_shows_and_every_table_has_a_name() -> None:
    found = rendered()
    drawings = found.tags.count("svg")

    silent = found.values("aria-hidden").count("true")
    titles = found.tags.count("title") - 1  # the page's own
    assert drawings > 40
    assert titles + silent >= drawings
    assert found.tags.count("caption") == found.tags.count("table")
    assert found.tags.count("h1") == 1


def test_a_metric_that_was_not_measured_is_drawn_without_a_mean() -> None:
    run = run_of(CASES, ())
    written = html(run, judge(run, Bars()))
    metrics = written.split('id="metrics"')[1].split("</section>")[0]

    assert 'class="absent"' in metrics
    assert 'class="mean"' not in metrics.split("</p>")[1]


def test_g17_every_formula_and_what_it_reads_stands_on_the_page() -> None:
    said = rendered().text

    for scorer in SCORERS:
        assert scorer.what in said
        assert ", ".join(scorer.reads) in said
    for method in ("wilson", "wilson-effective", "bootstrap", "none"):
        assert f"{method}: " in said


def test_the_floors_stand_beside_the_metric_they_belong_to() -> None:
    written = html(RICH, judge(RICH, MISSED))
    row = written.split('id="metrics"')[1].split("retrieval_hit_at_k")[2]

    assert "floor one_passage 0.600; floor random 0.100" in row


LEAK = case(
    "leak",
    "en",
    query="Which tariff is cheaper, <b>A</b> or B?",
    query_type=QueryType.COMPARISON,
    must_cite_one_of=("a", "b"),
    expected_doc_ids=("a", "b"),
    expected_terms=("30 euros", "20 euros"),
    expected_claim_citations=(
        TargetSpec(target="A", expected_doc_ids=("a",), expected_terms=("30 euros",)),
        TargetSpec(target="B", expected_doc_ids=("b",), expected_terms=("20 euros",)),
    ),
)
NOWHERE = dataclasses.replace(LEAK, id=CaseId("nowhere"))


def leaked(name: str, document: str) -> Trace:
    return Trace(
        case_id=CaseId(name),
        system="naive",
        retrieved=(Retrieved(id=document), Retrieved(id="b")),
        evidence=(
            TracePassage(document_id=document, text="A is 30 euros, B is 20 euros."),
        ),
        answer_text="A costs 30 euros, B costs 20 euros.",
        claims=(TraceClaim(text="A costs 30 euros"),),
        cited_ids=(document, "b"),
        abstained=False,
    )


def test_the_pinned_leak_is_seen_beside_pooled_groundedness() -> None:
    left = (leaked("leak", "a"), leaked("nowhere", "other"))
    run = run_of((LEAK, NOWHERE), left)
    written = html(run, judge(run, Bars()), views(run, (LEAK, NOWHERE), left))
    one, other = (
        written.split(f"<code>{name}</code>")[1].split("</details>")[0]
        for name in ("leak", "nowhere")
    )

    assert run.aggregates["groundedness"].mean == 1.0
    assert run.results[0].failure is Failure.ONE_SIDED_COMPARISON
    assert "<li>groundedness 1.000</li>" in one
    assert '<li class="short">comparison_groundedness 0.500</li>' in one
    assert "<summary><code>one_sided_comparison</code> · 1 case</summary>" in written
    assert "<li>groundedness 1.000</li>" in other
    assert '<li class="short">comparison_groundedness 0.000</li>' in other
    assert "side A: passage 1" in one
    assert "side B: no passage of its own holds its terms" in one
    assert "side A: no passage of its own holds its terms" in other
    assert "A costs 30 euros, B costs 20 euros." in one
    assert "&lt;b&gt;A&lt;/b&gt;" in one


def test_where_the_gold_was_is_told_layer_by_layer() -> None:
    written = html(RICH, judge(RICH, MISSED), SHOWN)
    missed = written.split("<code>c2</code>")[1].split("</details>")[0]
    row = missed.split("Where the gold was")[2].split("</table>")[0]

    cells = re.findall(r"<t[hd][^>]*>([^<]*)</t[hd]>", row)
    assert cells == [
        *("sought", "fused", "retrieved", "evidence", "cited"),
        *("gold", "?", "2", "2", "- lost"),
    ]


def test_a_hundred_failing_cases_are_shown_some_of_each_label() -> None:
    lost = tuple(case(f"c{i:03d}", "en") for i in range(150))
    said = tuple(case(f"d{i:03d}", "en") for i in range(3))
    left = tuple(
        Trace(case_id=each.id, retrieved=(Retrieved(id="no"),)) for each in lost
    )
    run = run_of((*lost, *said), left)

    chosen = shown(run)

    labels = [each.failure for each in chosen]
    assert len(chosen) == 100
    assert labels.count(Failure.UNKNOWN) == 3
    written = html(run, judge(run, Bars()), views(run, (*lost, *said), left))
    assert "100 of 153 cases that failed are shown here" in written


def test_a_long_text_is_cut_and_says_so() -> None:
    long = dataclasses.replace(
        TRACES[2], answer_text="x" * 5000, evidence=(TRACES[2].evidence or ()) * 4
    )
    run = run_of((CASES[2],), (long,))
    written = html(run, judge(run, Bars()), views(run, (CASES[2],), (long,)))

    assert "x … (3,800 more characters)" in written
    assert "And 2 more passages." in written


def test_a_page_of_thousands_of_tags_can_still_be_opened() -> None:
    tagged = tuple(case(f"c{i}", "en", tags=(f"t{i}",)) for i in range(400))
    left = tuple(dataclasses.replace(TRACES[0], case_id=each.id) for each in tagged)
    run = run_of(tagged, left)
    written = html(run, judge(run, Bars()))

    assert "rows), the first 1,000 of them here; report.md has all" in written
    assert written.split('id="by-tag"')[1].split("</section>")[0].count("<tr>") == 1001


def test_of_private_cases_no_text_is_shown_whatever_is_handed_over() -> None:
    secret = case("hush", "en", provenance=Provenance(origin=Origin.PRIVATE))
    run = run_of((secret,), (dataclasses.replace(TRACES[2], case_id=secret.id),))
    view = CaseView(case=secret, result=run.results[0], trace=TRACES[2])

    assert views(run, (secret,), TRACES) == ()
    assert "hush" not in html(run, judge(run, Bars()), (view,))


def test_hostile_names_stay_text() -> None:
    hostile = case(HOSTILE, "en", query=HOSTILE, tags=(HOSTILE, "t"))
    run = run_of((hostile,), ())
    found = Page(html(run, judge(run, Bars()), views(run, (hostile,), ())))

    assert "script" not in found.tags
    assert "\x1b" not in found.text
    assert "\u202e" not in found.text
    assert "<script>alert(1)</script>" in found.text


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("front", "behind", "least"),
    [
        *(
            (ink, paper, 4.5)
            for ink in ("ink", "soft", "data")
            for paper in ("paper", "surface", "sunk")
        ),
        *((state, "surface", 4.5) for state in ("pass", "fail", "unmeasured")),
        *((state, f"{state}-pale", 4.5) for state in ("pass", "fail", "unmeasured")),
        *(("ink", f"{state}-pale", 7) for state in ("pass", "fail", "unmeasured")),
        ("lost", "surface", 3),
        ("mark", "surface", 3),
        ("data", "data-pale", 3),
    ],
)
def test_colours_are_far_enough_apart(
    theme: dict[str, str], front: str, behind: str, least: float
) -> None:
    lights = sorted((luminance(theme[front]), luminance(theme[behind])))

    assert (lights[1] + 0.05) / (lights[0] + 0.05) >= least


def luminance(colour: str) -> float:
    """Relative luminance after WCAG 2.2."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_text_is_escaped_unless_it_is_markup() -> None:
    assert tag("p", "a < b", tag("b", "&")) == "<p>a &lt; b<b>&amp;</b></p>"
    assert tag("a", href='"><script>') == '<a href="&quot;&gt;&lt;script&gt;"></a>'
    assert text("\ud800\ufffe") == "\ufffd\ufffd"
    assert slug("By locale and query type") == "by-locale-and-query-type"


def test_a10_of_a_case_that_failed_in_some_runs_one_that_failed_is_shown() -> None:
    asked = case("c", "en", must_cite_one_of=("a",), query="which")
    good = Trace(case_id=asked.id, retrieved=(Retrieved(id="a"),), answer_text="fine")
    bad = dataclasses.replace(good, retrieved=(Retrieved(id="z"),), answer_text="off")
    runs = (good, bad, good)
    run = score([asked], enumerate(runs, 1), repeats=Repeats.MEAN)

    (view,) = views(run, (asked,), runs)
    written = html(run, judge(run, Bars()), (view,))

    assert view.trace is bad
    assert "failed 1 of 3 · which" in written
    assert "Scores, means of 3 runs" in written


def test_what_a_turn_does_not_hold_is_said_and_not_shown_as_nothing() -> None:
    asked = tuple(case(name, "en") for name in ("bare", "broke", "cut", "own"))
    bare = Trace(case_id=asked[0].id, retrieved=(Retrieved(id="z"),))
    error = TraceError(kind="timeout")
    broke = dataclasses.replace(bare, case_id=asked[1].id, error=error)
    cut = dataclasses.replace(broke, case_id=asked[2].id, answer_text="It")
    own = dataclasses.replace(bare, case_id=asked[3].id, evidence=())
    left = (bare, broke, cut, own)
    run = run_of(asked, left)
    page = html(run, judge(run, Bars()), views(run, asked, left))
    said = {
        str(each.id): page.split(f"<code>{each.id}</code>")[1].split("</details>")[0]
        for each in asked
    }

    instead = "Those retrieved: the trace names no evidence."
    assert instead in said["bare"]
    assert instead not in said["own"]
    assert "No answer: the trace has none." in said["bare"]
    assert "No answer. The turn broke: timeout." in said["broke"]
    assert "No answer" not in said["cut"]
    assert "The turn broke: timeout." in said["cut"]
    assert not any(">None:" in each for name, each in said.items() if name != "own")


def test_a_case_without_a_trace_says_so_and_asks_for_no_report() -> None:
    asked = case("c", "en")
    run = run_of((asked,), ())
    written = html(run, judge(run, Bars()), views(run, (asked,), ()))

    assert "The run left no trace of it: run the case again." in written
