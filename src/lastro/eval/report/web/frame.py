"""The frame that every page stands in: verdict, facts, contents, parts."""

from collections.abc import Iterable, Sequence

from lastro.eval.report.web.markup import Html, document, slug, tag

_STATES = (
    ("COULD NOT MEASURE", "unmeasured", "?"),
    ("FAIL", "fail", "✕"),
    ("PASS", "pass", "✓"),
    ("COMPARED", "neutral", "⇄"),
    ("MEASURED", "neutral", "·"),
)
_FOOT = "One file: nothing is loaded, nothing is run, nothing leaves it."


def whole(
    headline: str,
    *,
    kicker: str,
    facts: Sequence[tuple[str, str]],
    lead: Sequence[str],
    parts: Iterable[tuple[str, Html]],
    end: Html | None = None,
) -> str:
    """Return a page: its verdict first and large, then its titled parts."""
    titled = tuple(parts)
    return document(
        headline,
        tag(
            "header",
            tag("p", kicker, class_="kicker"),
            _banner(headline),
            _facts(facts),
            tag("ul", *(tag("li", each) for each in lead), class_="lead"),
        ),
        _contents([title for title, _ in titled]),
        tag("main", *(part for _, part in titled), *(() if end is None else (end,))),
        tag("footer", _FOOT),
    )


def _banner(headline: str) -> Html:
    """Return the verdict, first and large, told by word, mark and colour."""
    word, state, mark = next(each for each in _STATES if headline.startswith(each[0]))
    rest = headline.removeprefix(word).removeprefix(": ")
    sign = tag("span", mark, class_="mark", aria_hidden="true")
    return tag("div", tag("h1", sign, word), tag("p", rest), class_=f"verdict {state}")


def _contents(titles: Sequence[str]) -> Html:
    """Return links to the parts of the page."""
    items = (tag("li", tag("a", each, href=f"#{slug(each)}")) for each in titles)
    return tag("nav", tag("ul", *items), aria_label="Contents")


def _facts(facts: Sequence[tuple[str, str]]) -> Html:
    items = (tag("li", tag("b", value), tag("span", what)) for value, what in facts)
    return tag("ul", *items, class_="facts")
