"""HTML becomes what a reader sees, in order, and nothing is fetched or run."""

import time

import pytest

from lastro.corpus.read import html
from lastro.corpus.read.draft import Draft, Page, Refusal


def read(text: str) -> Draft:
    draft = html.read(text)
    assert isinstance(draft, Draft)
    return draft


def test_a_page_is_its_title_language_headings_and_text() -> None:
    draft = read(
        "<!doctype html><html lang='pt_BR'><head><title>Um\n &amp; dois</title>"
        "<meta name=x content=y></head><body><h1>A <i>b</i><a>¶</a></h1>"
        "<p>um\n  texto<br>linha<h2>C</h2>fim</body></html>"
    )

    assert (draft.title, draft.locale) == ("Um & dois", "pt_BR")
    assert draft.text == "A b\n\num texto\nlinha\n\nC\n\nfim"
    assert [(h.level, h.text) for h in draft.headings] == [(1, "A b"), (2, "C")]


@pytest.mark.parametrize(
    "hidden",
    [
        "<script>x</script>", "<style>x</style>", "<nav>x</nav>", "<!-- x -->",
        "<template>x</template>", "<noscript>x</noscript>", "<svg><text>x</text></svg>",
        "<p hidden>x</p>", "<iframe>x</iframe>", "<select><option>x</select>",
    ],
)  # fmt: skip
def test_what_a_reader_does_not_see_is_left_out(hidden: str) -> None:
    assert read(f"<p>a</p>{hidden}<p>b</p>").text == "a\n\nb"


def test_a_picture_is_its_description_and_is_not_fetched() -> None:
    """I48: image links of a document were fetched by the server."""
    draft = read("a <img src='http://169.254.169.254/x' alt='map of the site'> b")

    assert draft.text == "a map of the site b"


def test_lists_have_markers_numbers_and_margins() -> None:
    draft = read(
        "<ul><li>one<ol start=3><li>x<li><p>y</p><p>z</p></ol><li>two</ul>"
        "<ol start=-1><li>a</ol><li>loose"
    )

    assert draft.text == "- one\n  3. x\n  4. y\nz\n- two\n1. a\n- loose"


def test_a_table_is_rows_in_one_piece() -> None:
    draft = read(
        "<table><caption>Fees</caption><thead><tr><th>Who<th>How much</thead>"
        "<tr><td>All<script>no</script><td>12<br>€</table>"
    )

    (span,) = draft.whole
    assert draft.text[span.start : span.end] == draft.text
    assert draft.text == "| Fees |\n| Who | How much |\n| All | 12 € |"


def test_a_table_that_lays_out_a_page_is_read_cell_by_cell() -> None:
    draft = read(
        "<table><tr><td><h2>Left</h2>text<td><table><tr><td>a<td>b</table></table>"
    )

    assert draft.text == "Left\n\ntext\n\n| a | b |"
    assert [h.text for h in draft.headings] == ["Left"]


def test_code_keeps_its_lines() -> None:
    draft = read("<p>a<pre>\n  x &lt;\n\n    y\n</pre>b")

    (span,) = draft.whole
    assert draft.text[span.start : span.end] == "  x <\n\n    y"


def test_elements_that_nobody_knows_break_no_sentence() -> None:
    assert read("<p>a <x-y>b</x-y><foo>c</foo></p>").text == "a bc"


def test_entities_do_not_bring_back_what_normalising_removed() -> None:
    """I18, I19: NUL and lone surrogates reached the database."""
    assert read("<p>a&#0;b&#xD800;c e&#x301;").text == "a\ufffdb\ufffdc é"


@pytest.mark.parametrize("element", ["<div>", "<b>", "<i></p>", "<span>"])
def test_endless_nesting_is_refused_in_time(element: str) -> None:
    started = time.process_time()

    found = html.read(element * 200_000)

    assert isinstance(found, Refusal)
    assert time.process_time() - started < 5


def test_many_flat_elements_are_no_nesting() -> None:
    assert len(read("<p>a<br>" * 20_000).text) > 20_000


def test_a_fragment_is_written_into_another_page() -> None:
    page = Page()
    html.write_fragment("<details><summary>More</summary>text", page)
    html.write_fragment("</details>", page)

    assert page.draft().text == "More\n\ntext"
