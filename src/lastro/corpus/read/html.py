"""HTML becomes a page: what a reader sees, in the order of the source.

Scripts, styles and navigation are left out, nothing is fetched, and markup is
never part of the text.
"""

import re
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from lastro.corpus.read.draft import Draft, Page, Refusal, indent
from lastro.text.normalise import normalise

DROPPED = frozenset({
    "script", "style", "nav", "template", "noscript", "svg", "iframe", "object",
    "embed", "canvas", "audio", "video", "select", "datalist", "head", "title",
    "-comment", "-doctype",
})  # fmt: skip
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_INLINE = frozenset({
    "-text", "a", "abbr", "acronym", "area", "b", "bdi", "bdo", "big", "br",
    "button", "cite", "code", "data", "del", "dfn", "em", "font", "i", "img",
    "input", "ins", "kbd", "label", "link", "map", "mark", "math", "meta", "meter",
    "nobr", "output", "picture", "progress", "q", "rb", "rp", "rt", "ruby", "s",
    "samp", "small", "source", "span", "strike", "strong", "sub", "sup", "textarea",
    "time", "track", "tt", "u", "var", "wbr",
})  # fmt: skip
_BLOCK = frozenset({
    "address", "article", "aside", "blockquote", "body", "caption", "center", "col",
    "colgroup", "dd", "details", "dialog", "dir", "div", "dl", "dt", "fieldset",
    "figcaption", "figure", "footer", "form", "frame", "frameset", "h1", "h2", "h3",
    "h4", "h5", "h6", "header", "hgroup", "hr", "html", "legend", "li", "main",
    "menu", "ol", "optgroup", "option", "p", "param", "pre", "search", "section",
    "slot", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
})  # fmt: skip
KNOWN = _INLINE | _BLOCK | DROPPED
# A table that holds one of these lays out a page; it is read cell by cell.
_LAYOUT = frozenset({"table", "pre", "ul", "ol", *_HEADINGS})
_BLANKS = re.compile(r"[ \t\r\n\f]{2,}|[\t\r\n\f]")
_TAG = re.compile(r"<(/?)([a-zA-Z][\w:-]*)")
# Elements that close themselves or need no end tag do not nest.
_FLAT = frozenset({
    "p", "li", "td", "th", "tr", "dd", "dt", "option", "br", "hr", "img", "input",
    "meta", "link", "col", "wbr", "source", "area",
})  # fmt: skip
# The parser's time grows with the square of the depth; browsers stop at 512.
_DEEPEST = 1000
_MANY_TAGS = 10_000


def read(text: str) -> Draft | Refusal:
    r"""Return the text of an HTML document with its headings and tables.

    >>> draft = read("<title>T</title><nav>x</nav><h1>A</h1><p>b <b>c</b><li>d")
    >>> assert isinstance(draft, Draft)
    >>> draft.title, draft.text
    ('T', 'A\n\nb c\n\n- d')
    """
    if _too_deep(text):
        return Refusal(f"elements are nested more than {_DEEPEST} deep")
    tree = LexborHTMLParser(text)
    page = Page()
    root = tree.root
    title = tree.css_first("title")
    if root is not None:
        Renderer(page).render(root)
    lang = (root.attributes.get("lang") or "") if root is not None else ""
    name = " ".join(title.text(deep=True).split()) if title is not None else ""
    return page.draft(title=normalise(name), locale=lang.strip())


def write_fragment(text: str, page: Page) -> None:
    """Write the text of a piece of HTML that stands inside another format."""
    if _too_deep(text):
        page.paragraph(text)
        return
    root = LexborHTMLParser(text).root
    if root is not None:
        Renderer(page).render(root)


def _too_deep(text: str) -> bool:
    if text.count("<") < _MANY_TAGS:
        return False
    depth = 0
    for match in _TAG.finditer(text):
        if match[2].lower() in _FLAT:
            continue
        depth = depth + 1 if not match[1] else max(0, depth - 1)
        if depth > _DEEPEST:
            return True
    return False


class Renderer:
    """Writes the elements of a tree to a page, without recursion."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._line: list[str] = []
        self._lists: list[int | None] = []
        self._marker = ""

    def render(self, root: LexborNode) -> None:
        """Write everything under ``root``."""
        stack: list[LexborNode | str] = [root]
        while stack:
            item = stack.pop()
            if isinstance(item, str):
                self._close(item)
                continue
            tag = item.tag or ""
            if tag in DROPPED or _hidden(item, tag) or self._leaf(item, tag):
                continue
            if tag in _BLOCK:
                self._open(item, tag)
                stack.append(tag)
            stack.extend(reversed(list(_children(item))))
        self._flush()

    def _leaf(self, node: LexborNode, tag: str) -> bool:
        """Write ``node`` at once if nothing inside it matters; say so."""
        if tag == "-text":
            text = node.text(deep=False)
            if self._line or not text.isspace():
                self._line.append(_BLANKS.sub(" ", text) if "\n" in text else text)
        elif tag == "br":
            self._line.append("\n")
        elif tag == "img":
            self._line.append(node.attributes.get("alt") or "")
        elif tag in _HEADINGS:
            self._flush()
            # Documentation tools end a heading in a link to itself.
            self._page.heading(_HEADINGS[tag], _inline(node).rstrip(" ¶"))
        elif tag == "pre":
            self._flush()
            self._page.whole(node.text(deep=True))
        elif tag == "table" and not _lays_out(node):
            self._flush()
            self._page.table(_rows(node))
        else:
            return False
        return True

    def _open(self, node: LexborNode, tag: str) -> None:
        self._flush()
        if tag in ("ul", "menu", "dir"):
            self._lists.append(None)
        elif tag == "ol":
            start = node.attributes.get("start") or ""
            self._lists.append(int(start) if re.fullmatch("[0-9]{1,9}", start) else 1)
        elif tag == "li":
            self._marker = self._next_marker()

    def _close(self, tag: str) -> None:
        self._flush()
        if tag in ("ul", "menu", "dir", "ol"):
            self._lists.pop()
        elif tag == "li":
            self._marker = ""

    def _next_marker(self) -> str:
        if not self._lists:
            return "- "
        margin = indent(len(self._lists))
        number = self._lists[-1]
        if number is None:
            return f"{margin}- "
        self._lists[-1] = number + 1
        return f"{margin}{number}. "

    def _flush(self) -> None:
        if not self._line:
            return
        text = _collapsed("".join(self._line))
        self._line.clear()
        if text:
            tight = bool(self._lists or self._marker)
            self._page.paragraph(text, prefix=self._marker, tight=tight)
            self._marker = ""


def _children(node: LexborNode) -> Iterator[LexborNode]:
    child = node.first_child
    while child is not None:
        yield child
        child = child.next


def _hidden(node: LexborNode, tag: str) -> bool:
    if tag == "-text":
        return False
    attributes = node.attributes
    return "hidden" in attributes and attributes["hidden"] != "until-found"


def _inside(root: LexborNode) -> Iterator[LexborNode]:
    """Yield the nodes under ``root`` that are seen, in the order of the source."""
    stack = [*reversed(list(_children(root)))]
    while stack:
        node = stack.pop()
        tag = node.tag or ""
        if tag not in DROPPED and not _hidden(node, tag):
            yield node
            stack.extend(reversed(list(_children(node))))


def _inline(root: LexborNode) -> str:
    return _collapsed("".join(_words(node) for node in _inside(root)))


def _words(node: LexborNode) -> str:
    tag = node.tag
    if tag == "-text":
        return node.text(deep=False)
    if tag == "img":
        return node.attributes.get("alt") or ""
    return " " if tag in _BLOCK or tag == "br" else ""


def _lays_out(table: LexborNode) -> bool:
    return any(node.tag in _LAYOUT for node in _inside(table))


def _rows(table: LexborNode) -> list[list[str]]:
    rows: list[list[str]] = [[]]
    for node in _inside(table):
        tag = node.tag
        if tag in ("tr", "caption"):
            rows.append([""] if tag == "caption" else [])
        elif tag in ("td", "th"):
            rows[-1].append("")
        else:
            if not rows[-1]:
                rows[-1].append("")
            rows[-1][-1] += _words(node)
    return [row for row in rows if any(cell.strip() for cell in row)]


def _collapsed(text: str) -> str:
    if "\n" not in text:
        return _BLANKS.sub(" ", text).strip(" ")
    lines = (_BLANKS.sub(" ", line).strip(" ") for line in text.split("\n"))
    return "\n".join(filter(None, lines))
