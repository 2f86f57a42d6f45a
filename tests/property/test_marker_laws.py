"""Whatever an answer holds, it is read, and no marker vanishes."""

import re
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastro.eval.imports.markers import Parsed, parse, with_markers
from lastro.model.document import Span
from lastro.model.ids import CaseId
from lastro.model.trace import Retrieved, Trace

pytestmark = pytest.mark.property

SOURCES = ("a", "en/b.md", "ação")
PLAIN_MARKER = re.compile(r"\[\d{1,6}\]")
pieces = st.sampled_from(
    [
        *("[1]", "[2, 3]", "[1-3]", "[0]", "[7]", "[2023]", "[^1]", "［２］", "【3】"),
        *("[cite:a]", "[cite:en/b.md, x]", "[cite:", "[1:2]", "[1,]", "{1}", "[[2]]"),
        *(
            "`",
            "```",
            "~~~",
            "\n",
            "\n\n",
            "    ",
            "\\",
            "[",
            "]",
            "(",
            ")",
            "(u)",
            "!",
        ),
        *("<code>", "</code>", "<b>", "http://x/", "[1]: u", "Sources:", "# ", "- "),
        *(
            "It is so",
            ". ",
            "?",
            "유효합니다",
            " é",
            "🙂",
            "\ud800",
            "\x00",
            "\u2028",
            " ",
        ),
    ]
)
texts = st.lists(pieces, max_size=30).map("".join) | st.text(max_size=60)


def told(found: Parsed) -> list[tuple[Span, str | None]]:
    """Return every span that is accounted for, with the text it is shown by."""
    return [
        *((each.span, None) for each in found.citations),
        *((each.span, each.text) for each in found.findings),
        *((each.span, each.text) for each in found.others),
    ]


@settings(max_examples=500)
@given(texts)
def test_every_marker_is_a_citation_a_finding_or_declared_to_be_none(text: str) -> None:
    spans = told(parse(text, SOURCES))
    places = {(span.start, span.end) for span, _ in spans}

    assert all(
        text[s.start : s.end] == shown for s, shown in spans if shown is not None
    )
    assert all(match.span() in places for match in PLAIN_MARKER.finditer(text))


@given(texts)
def test_spans_are_in_order_and_markers_never_overlap(text: str) -> None:
    found = parse(text, SOURCES)
    starts = [each.span.start for each in found.citations]
    spans = sorted({(span.start, span.end) for span, _ in told(found)})

    assert starts == sorted(starts)
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(a[1] <= b[0] for a, b in pairwise(spans))


@given(texts)
def test_claims_and_citations_say_the_same(text: str) -> None:
    found = parse(text, SOURCES)
    by_claim = {(each.claim, SOURCES[each.place]) for each in found.citations}

    assert by_claim == {
        (number, citation.document_id)
        for number, claim in enumerate(found.claims)
        for citation in claim.citations
    }
    assert all(any(map(str.isalnum, claim.text)) for claim in found.claims)


@given(texts)
def test_a_text_without_brackets_styles_and_odd_digits_has_nothing_to_say(
    text: str,
) -> None:
    bare = re.sub(r"[\[\]［］【】{}<>〔〕]", "", text)
    bare = "".join(char for char in bare if unicodedata.category(char) != "No")
    found = parse(bare, SOURCES)

    assert told(found) == []


@given(texts, st.integers(0, 3))
def test_a_trace_keeps_all_but_its_claims(text: str, n: int) -> None:
    hits = tuple(Retrieved(id=name) for name in SOURCES[:n])
    trace = Trace(case_id=CaseId("c"), answer_text=text, retrieved=hits)
    found, parsed = with_markers(trace)

    assert parsed is not None
    assert found.claims == parsed.claims
    assert found.answer_text == text
    assert found.retrieved == hits
    assert set(found.cited_ids or ()) <= set(SOURCES[:n])
