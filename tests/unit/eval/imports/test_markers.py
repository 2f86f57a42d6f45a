"""Markers of other systems become citations, findings, or are said to be none."""

import pytest

from lastro.eval.imports.apart import Apart
from lastro.eval.imports.brackets import FindingCode
from lastro.eval.imports.markers import Parsed, parse, with_markers
from lastro.eval.scorers import SCORERS
from lastro.model.case import Case
from lastro.model.ids import CaseId
from lastro.model.score import Scored
from lastro.model.trace import (
    Retrieved,
    Trace,
    TraceCitation,
    TraceError,
    TracePassage,
)

SOURCES = ("a", "b", "c")


def claims(text: str, sources: tuple[str, ...] = SOURCES) -> list[tuple[str, str]]:
    """Return each claim with its sources as one word."""
    return [
        (claim.text, "".join(each.document_id for each in claim.citations))
        for claim in parse(text, sources).claims
    ]


def codes(found: Parsed) -> list[tuple[str, str]]:
    return [(str(each.code), each.text) for each in found.findings]


def others(found: Parsed) -> list[tuple[Apart, str]]:
    return [(each.why, each.text) for each in found.others]


@pytest.mark.parametrize(
    "text",
    [
        "It opens at nine. [1] It closes at noon. [2]",
        "It opens at nine [1]. It closes at noon [2].",
        "It opens at nine.[1] It closes at noon.[2]",
        "It opens at nine. [1]. It closes at noon. [2].",
        "It opens at nine. [1]\nIt closes at noon. [2]\n",
        "It opens at nine.\n[1]\n\nIt closes at noon.\n\n[2]",
        "[1] It opens at nine.\n[2] It closes at noon.",
        "- [1] It opens at nine.\n- It closes at noon. [2]",
        "1. It opens [1] at nine.\n2. [2] It closes at noon.",
    ],
)
def test_c01_a_marker_belongs_to_the_sentence_before_it_or_to_its_line(
    text: str,
) -> None:
    assert claims(text) == [("It opens at nine.", "a"), ("It closes at noon.", "b")]


def test_c01_sentences_end_as_in_their_language() -> None:
    assert claims("코드는 24시간 유효합니다[1]. 손님용입니다.[2] 끝.") == [
        ("코드는 24시간 유효합니다", "a"),
        ("손님용입니다.", "b"),
        ("끝.", ""),
    ]
    assert claims("Fale com o Sr. Silva [1]. Custa 1.5 [2].") == [
        ("Fale com o Sr. Silva.", "a"),
        ("Custa 1.5.", "b"),
    ]


@pytest.mark.parametrize(
    "marker",
    [
        "[1,2]",
        "[1, 2]",
        "[1，2]",
        "[1;2]",
        "[1、2]",
        "[ 1 , 2 ]",
        "[1-2]",
        "[1–2]",
        "[1 ~ 2]",
        "[^1][^2]",
        "[^1, ^2]",
        "[1][2]",
        "[1] [2]",
        "［1］［2］",
        "［１，２］",
        "【1】【2】",
        "【1、2】",
        "[1:1][2:7]",
        "[[1]][[2]]",
        "[cite:a][cite:b]",
        "[cite:a, b]",
        "[cite: a; cite: b]",
        "[a][b]",
        "【a】【b】",
        "[01][002]",
        "[1, 1, 2][2]",
    ],
)
def test_c02_c07_the_accepted_forms_name_their_sources(marker: str) -> None:
    for text in (f"It is so {marker}.", f"It is so. {marker}", f"It is so.{marker}"):
        found = parse(text, SOURCES)

        assert [c.document_id for c in found.claims[0].citations] == ["a", "b"]
        assert (found.findings, found.others, len(found.claims)) == ((), (), 1)


def test_c03_brackets_in_code_are_no_citations() -> None:
    text = (
        "Use `x[1]` so:\n```py\ny[2]\n```\n~~~\nz[3]\n~~~\n<code>w[1]</code> Done [2]."
    )
    found = parse(text, SOURCES)

    assert others(found) == [(Apart.CODE, f"[{n}]") for n in (1, 2, 3, 1)]
    assert [each.place for each in found.citations] == [1]


def test_c04_links_and_images_are_no_citations() -> None:
    text = (
        "See [1](http://x/y), [the [2] guide](u), ![figure [3]](p.png), "
        "<http://x/[1]>, https://x/?a[2]=3, [page][1] and <a title='[3]'>that</a>. [2]"
        "\n\n[1]: http://x\n"
    )
    found = parse(text, SOURCES)

    assert [each.place for each in found.citations] == [1]
    assert [text for _, text in others(found)] == [
        *(f"[{n}]" for n in (1, 2, 3, 1, 2, 1, 3)),
        "[1]",
    ]


def test_c04_a_marker_behind_an_address_is_one() -> None:
    found = parse("It stands at https://example.org/a[1]. So does b [2].", SOURCES)

    assert [each.place for each in found.citations] == [0, 1]


def test_c05_what_is_malformed_is_a_finding_and_never_vanishes() -> None:
    markers = ["[1,]", "[-1]", "[1--2]", "[1 2]", "[#1]", "[1.]", "[^1^]", "[cite:]"]
    markers += ["[1］", "［1]", "[1-]", "[1?]"]
    found = parse(" ".join(f"So {marker}." for marker in markers), SOURCES)

    assert codes(found) == [("malformed", marker) for marker in markers]
    assert found.citations == ()


def test_c05_a_bracket_that_is_never_closed_is_a_finding() -> None:
    assert codes(parse("It is so [1. And [^2\nAnd [cite:a", SOURCES)) == [
        ("malformed", "[1"),
        ("malformed", "[^2"),
        ("malformed", "[cite:a"),
    ]


def test_c07_other_styles_are_told() -> None:
    markers = [
        "【4:0†source】",
        "{1}",
        "〔1, 2〕",
        "《3》",
        "<1>",
        "[source 1]",
        "[출처 2]",
    ]
    found = parse(" ".join(f"So {marker}." for marker in markers), SOURCES)

    assert codes(found) == [("unknown_style", marker) for marker in markers]


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("코드는 24시간 유효합니다.①", ["①"]),
        ("코드는 24시간 유효합니다①②. 손님용입니다 ③.", ["①②", "③"]),
        ("It is so ❷\nThat too ⑴.", ["❷", "⑴"]),
        ("It is so.¹ It is free²,³ and open⁴⁻⁶.", ["¹", "²,³", "⁴⁻⁶"]),
        ("유효합니다¹. It is said⁽¹⁾.", ["¹", "⁽¹⁾"]),
        ("It is so [①]. That too [¹, ²].", ["[①]", "[¹, ²]"]),
    ],
)
def test_c07_ringed_and_raised_numbers_behind_what_is_said_are_told(
    text: str, marks: list[str]
) -> None:
    found = parse(text, SOURCES)

    assert codes(found) == [("unknown_style", mark) for mark in marks]
    assert found.citations == ()


@pytest.mark.parametrize(
    "text",
    [
        "① 신청서를 낸다 ② 회비를 낸다\n③확인한다",
        "순서: ①신청, ②납부",
        "It has 20 m², 5 km² and 10³ of x² + (a + b)².",
    ],
)
def test_numbers_of_lists_and_powers_are_no_markers(text: str) -> None:
    assert parse(text, SOURCES).findings == ()


@pytest.mark.parametrize(
    "marker", ["[１][２]", "[１，２]", "［１－２］", "【１】【２】"]
)
def test_c02_digits_are_read_at_full_width(marker: str) -> None:
    found = parse(f"코드는 24시간 유효합니다{marker}.", SOURCES)

    assert [cited.place for cited in found.citations] == [0, 1]
    assert found.findings == ()


def test_c08_three_markers_side_by_side_are_three() -> None:
    for end in ("", "\n\n[1:2]: http://x\n[1:3]: http://y"):
        found = parse(f"It is so. [1:1][1:2][1:3]{end}", SOURCES)

        assert [each.place for each in found.citations] == [0, 0, 0]
        assert len({each.span for each in found.citations}) == 3
        assert len(found.claims[0].citations) == 1


def test_c09_zero_years_and_what_there_is_not_are_typed() -> None:
    text = "A [0]. B [2023]. C [2019-2023]. D [4]. E [2-4]. F [3-1]. G [1-999999]."
    found = parse(f"{text} H [0, 1]. I [99999999999999999999].", SOURCES)

    assert codes(found) == [
        ("zero", "[0]"),
        ("out_of_range", "[4]"),
        ("out_of_range", "[2-4]"),
        ("reversed_range", "[3-1]"),
        ("huge_range", "[1-999999]"),
        ("zero", "[0, 1]"),
        ("out_of_range", "[99999999999999999999]"),
    ]
    assert others(found) == [(Apart.YEAR, "[2023]"), (Apart.YEAR, "[2019-2023]")]
    assert [each.place for each in found.citations] == [1, 2]


def test_c09_a_range_names_all_its_sources() -> None:
    assert claims("It is so [1-3].") == [("It is so.", "abc")]


def test_c09_with_enough_sources_a_number_is_no_year() -> None:
    sources = tuple(f"d{n}" for n in range(1, 2100))

    assert claims("It is so [2023].", sources) == [("It is so.", "d2023")]


def test_c10_an_address_is_no_source() -> None:
    """Neither a link nor an address in a marker is a source that was shown."""
    text = "It is [so](https://search.example/?q=so). It is [cite:https://x/?q=so]."
    found = parse(text, SOURCES)

    assert found.citations == ()
    assert codes(found) == [("unknown_source", "[cite:https://x/?q=so]")]


def test_c10_a_link_for_a_citation_scores_nothing() -> None:
    trace = Trace(
        case_id=CaseId("c"),
        answer_text="The code is valid for 24 hours [1](https://search.example/?q=code).",
        retrieved=(Retrieved(id="a", text="The code is valid for 24 hours."),),
    )

    assert scored(trace, "claim_citation_alignment") == 0.0
    assert scored(trace, "citation_coverage") == 0.0


def test_c11_the_right_fact_under_the_wrong_number_is_seen() -> None:
    hits = (
        Retrieved(id="a", text="The code is valid for 24 hours."),
        Retrieved(id="b", text="Dogs are welcome on Mondays only."),
    )
    told = "The code is valid for 24 hours [{}]."
    right, wrong = (
        Trace(case_id=CaseId("c"), answer_text=told.format(n), retrieved=hits)
        for n in (1, 2)
    )

    assert scored(right, "claim_citation_alignment") == 1.0
    assert scored(wrong, "claim_citation_alignment") == 0.0
    assert scored(wrong, "groundedness") == 1.0


@pytest.mark.parametrize("word", ["No", "Não", "아니요"])
def test_g13_a_bare_no_is_a_claim_and_keeps_what_it_cites(word: str) -> None:
    for text in (f"{word}. [1]", f"{word} [1].", f"{word}[1]."):
        assert claims(text) == [(f"{word}.", "a")]
    assert claims(f"{word}.") == [(f"{word}.", "")]


def scored(trace: Trace, metric: str) -> float:
    """Return what a metric gives for a trace whose markers were read."""
    case = Case(
        id=CaseId("c"),
        query="q",
        must_cite_one_of=("a",),
        expected_terms=("24 hours",),
    )
    (scorer,) = (each for each in SCORERS if each.name == metric)
    score = scorer.score(case, with_markers(trace)[0], 4)
    assert isinstance(score, Scored)
    return score.value


@pytest.mark.parametrize(
    "head",
    ["Sources:", "## References", "**Fuentes**", "Fontes:", "참고 문헌", "출처:"],
)
def test_a_list_of_sources_is_neither_claimed_nor_cited(head: str) -> None:
    text = f"It is so [1].\n\n{head}\n\n[1] A guide.\n- [2] Another.\n\nThat is it [3]."
    found = parse(text, SOURCES)

    assert claims(text) == [("It is so.", "a"), ("That is it.", "c")]
    assert others(found) == [(Apart.SOURCES, "[1]"), (Apart.SOURCES, "[2]")]


def test_what_a_marker_is_defined_as_is_no_claim() -> None:
    text = "It is so [^1]. And so [2].\n\n[^1]: A guide, page 3.\n[2]: http://x/y"

    assert claims(text) == [("It is so.", "a"), ("And so.", "b")]


def test_headings_questions_greetings_and_what_announces_a_list_claim_nothing() -> None:
    text = (
        "# Hours\n\nHello! What do you need? These hours:\n- from nine [1]\n- to noon"
    )
    found = parse(text, SOURCES)

    assert claims(text) == [("from nine", "a"), ("to noon", "")]
    assert [text[s.start : s.end] for s in found.silent] == [
        "# Hours",
        "Hello!",
        "What do you need?",
        "These hours:",
    ]


def test_a_heading_that_cites_claims() -> None:
    assert claims("## Open from nine [1]\n") == [("Open from nine", "a")]


def test_a_marker_without_a_sentence_is_a_finding() -> None:
    assert codes(parse("[1]\n`x`", SOURCES)) == [("no_sentence", "[1]")]


def test_spans_are_code_points_into_the_text_as_it_was() -> None:
    text = "Ação é às 9 🙂 [1, 3]. 문서 【2】 `[1]` fim [7]."
    found = parse(text, SOURCES)
    shown = [(text[c.span.start : c.span.end], c.place) for c in found.citations]

    assert shown == [("[1, 3]", 0), ("[1, 3]", 2), ("【2】", 1)]
    told = [(each.span, each.text) for each in found.findings]
    told += [(each.span, each.text) for each in found.others]
    assert [shown for _, shown in told] == ["[7]", "[1]"]
    assert all(text[span.start : span.end] == shown for span, shown in told)


@pytest.mark.parametrize("text", ["", " \n", "\ud800[1]", "[" * 5000, "[1" * 5000])
def test_odd_texts_are_read_and_not_refused(text: str) -> None:
    parse(text, SOURCES)


def test_words_in_brackets_and_escaped_ones_are_no_markers() -> None:
    text = r"It [sic] is [TODO], [x], [COVID-19], 【공지】, \[1\], \frac{1}{2}, x^{2}."
    found = parse(text, SOURCES)

    assert (found.citations, found.findings) == ((), ())
    assert others(found) == [(Apart.ESCAPED, r"[1\]")]


def test_numbers_are_those_of_the_evidence_else_of_what_was_retrieved() -> None:
    evidence = (TracePassage(document_id="e", passage_id="e::1", text="x"),)
    hits = (Retrieved(id="r::1", parent_id="r"), Retrieved(id="s"))
    trace = Trace(case_id=CaseId("c"), answer_text="So [1].", retrieved=hits)
    of_hits, _ = with_markers(trace)
    shown = Trace(
        case_id=CaseId("c"), answer_text="So [1].", retrieved=hits, evidence=evidence
    )
    of_evidence, _ = with_markers(shown)

    assert of_hits.cited_ids == ("r",)
    assert of_hits.claims is not None
    assert of_hits.claims[0].citations == (
        TraceCitation(document_id="r", passage_id="r::1"),
    )
    assert of_evidence.cited_ids == ("e",)


def test_an_id_is_that_of_a_passage_or_of_a_document() -> None:
    hits = (
        Retrieved(id="d::1", parent_id="d"),
        Retrieved(id="d::2", parent_id="d"),
        Retrieved(id="e::1", parent_id="e"),
    )
    text = "So [cite:d::2]. So [cite:e]. So [cite:d]."
    trace = Trace(case_id=CaseId("c"), answer_text=text, retrieved=hits)
    found, parsed = with_markers(trace)

    assert found.cited_ids == ("d", "e")
    assert parsed is not None
    assert [each.place for each in parsed.citations] == [1, 2, 0]


@pytest.mark.parametrize(
    "trace",
    [
        Trace(case_id=CaseId("c"), answer_text="So [1]."),
        Trace(case_id=CaseId("c"), retrieved=()),
        Trace(case_id=CaseId("c"), answer_text="So [1].", retrieved=(), claims=()),
        Trace(case_id=CaseId("c"), answer_text="No.", retrieved=(), abstained=True),
        Trace(
            case_id=CaseId("c"),
            answer_text="",
            retrieved=(),
            error=TraceError(kind="timeout"),
        ),
    ],
)
def test_what_says_its_claims_or_has_none_stays_as_it_is(trace: Trace) -> None:
    assert with_markers(trace) == (trace, None)


def test_an_answer_without_a_marker_cites_nothing_and_that_is_measured() -> None:
    trace = Trace(case_id=CaseId("c"), answer_text="It is so.", retrieved=())
    found, _ = with_markers(trace)

    assert found.cited_ids == ()
    assert found.claims is not None
    assert found.claims[0].citations == ()


def test_every_code_of_a_finding_is_met_here() -> None:
    text = "A [0] [9] [1,] [3-1] [1-500] [cite:z] {1}."
    met = {each.code for each in parse(text, SOURCES).findings}

    assert met | {FindingCode.NO_SENTENCE} == set(FindingCode)
