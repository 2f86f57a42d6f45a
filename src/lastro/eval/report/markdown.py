"""The report as Markdown, for a pull request or a build's page."""

import re
from collections.abc import Iterable

from lastro.eval.report.page import page
from lastro.eval.report.plain import plain
from lastro.eval.report.section import Section
from lastro.eval.results import Run
from lastro.model.score import Verdict

FOLD, UNFOLD = "<details>", "</details>"
_LONG = 12  # rows; a longer table is folded, but those that are read first
_OPEN = frozenset(("Bars", "Where to look", "Metrics", "Where cases were lost"))
# No emphasis: an underscore inside a word.  No link: brackets without a target.
_MARKUP = re.compile(r"([\\`*<>|~&$]|(?<!\w)_|_(?!\w)|\](?=[(\[:]))")


def markdown(run: Run, verdict: Verdict) -> str:
    """Render the report; whatever a case is called, it stays text."""
    shown = page(run, verdict)
    lines = [f"# {escape(shown.headline)}", "", *_list(shown.lead)]
    for section in shown.sections:
        lines += ["", *_section(section)]
    return "\n".join(lines) + "\n"


def escape(text: str) -> str:
    r"""Make ``text`` safe for a table cell or a line of Markdown.

    >>> print(escape("a_b | _c_ <script>"))
    a_b \| \_c\_ \<script\>
    """
    return _MARKUP.sub(r"\\\1", plain(text))


def _section(section: Section) -> Iterable[str]:
    yield f"## {escape(section.title)}"
    if section.notes:
        yield ""
        yield from _list(section.notes)
    if section.rows:
        yield ""
        head, *rows = section.rows
        long = len(rows) > _LONG and section.title not in _OPEN
        if long:
            yield from (f"{FOLD}<summary>{len(rows):,} rows</summary>", "")
        yield _row(head)
        yield _row("---" for _ in head)
        yield from (_row(map(escape, row)) for row in rows)
        if long:
            yield from ("", UNFOLD)


def _list(sentences: Iterable[str]) -> Iterable[str]:
    return (f"- {escape(sentence)}" for sentence in sentences)


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"
