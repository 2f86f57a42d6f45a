"""HTML that cannot be broken out of: text is escaped unless it is markup already.

The page carries no script and may load nothing: its policy says so to the
browser, whatever slipped into it.
"""

import base64
import hashlib
from collections.abc import Iterable
from html import escape

from lastro.eval.report.number import coordinate
from lastro.eval.report.plain import paragraphs, xml_text
from lastro.eval.report.web.style import STYLE

_VOID = frozenset(("meta", "br", "line", "rect", "circle", "path", "polyline"))

Value = str | int | float | None


class Html(str):
    """Markup; every other string is text."""

    __slots__ = ()


def text(value: str) -> Html:
    r"""Return text as markup: escaped, and without what steers or breaks a parser.

    >>> text("<b>\x00\u202e&")
    '&lt;b&gt;��&amp;'
    """
    return Html(escape(xml_text(paragraphs(value)), quote=True))


def join(parts: Iterable[str]) -> Html:
    """Return the parts as one, text escaped."""
    return Html("".join(p if isinstance(p, Html) else text(p) for p in parts))


def tag(name: str, /, *children: str, **attributes: Value) -> Html:
    """Return an element; a child that is not markup is escaped.

    ``class_`` and ``aria_label`` are written ``class`` and ``aria-label``; an
    attribute of None is left out.

    >>> tag("a", "1 < 2", href="#x", class_="n", title=None)
    '<a href="#x" class="n">1 &lt; 2</a>'
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in _VOID and not children:
        return Html(f"<{name}{written}/>" if name != "meta" else f"<{name}{written}>")
    return Html(f"<{name}{written}>{join(children)}</{name}>")


def _value(value: Value) -> str:
    if isinstance(value, float):
        return coordinate(value)
    return text(str(value))


def slug(title: str) -> str:
    """Return a heading as an anchor.

    >>> slug("Declining, in both directions")
    'declining-in-both-directions'
    """
    kept = "".join(c if c.isascii() and c.isalnum() else " " for c in title.lower())
    return "-".join(kept.split())


def document(title: str, *body: Html) -> str:
    """Return a whole page with its style and its policy."""
    digest = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; style-src 'sha256-{digest}'; "
        "base-uri 'none'; form-action 'none'"
    )
    head = (
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("meta", name="robots", content="noindex"),
        tag("title", title),
        Html(f"<style>{STYLE}</style>"),
    )
    lines = (
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        *head,
        "</head>",
        "<body>",
        *body,
        "</body>",
        "</html>",
    )
    return "\n".join(lines) + "\n"
