"""What a base should hold: ``catalogue.jsonl`` in its folder."""

from pathlib import Path

from lastro.errors import InputError, KnowledgeBaseError, Problem
from lastro.gate.gap import Entry, Known, entry
from lastro.trace.lines import Unreadable, numbered, parse

FILE = "catalogue.jsonl"
_TEXTS = ("title", "slug", "excerpt", "locale")


def read(kb: Path) -> tuple[Entry, ...]:
    """Return the documents that the base at ``kb`` should hold; none without a file.

    Raises:
        KnowledgeBaseError: the file cannot be read, or a line names no document;
            every such line is named.
    """
    path = kb / FILE
    if not path.exists():
        return ()
    found: list[Entry] = []
    problems: list[Problem] = []
    try:
        for number, raw in numbered(path):
            try:
                found.append(entry(_known(parse(raw))))
            except Unreadable as error:
                what = str(error)
                problems.append(
                    Problem(file=str(path), line=number, field="", what=what)
                )
    except InputError as error:
        raise KnowledgeBaseError(str(error), hint=_HINT) from None
    if problems:
        raise KnowledgeBaseError("; ".join(map(str, problems)), hint=_HINT)
    return tuple(found)


_HINT = 'Each line is an object: {"id": "...", "title": "...", "excerpt": "..."}.'


def _known(row: object) -> Known:
    if not isinstance(row, dict):
        raise Unreadable("it is no object")
    identifier, title = row.get("id"), row.get("title")
    if not isinstance(identifier, str) or not identifier.strip():
        raise Unreadable("id is no text")
    if not isinstance(title, str) or not title.strip():
        raise Unreadable("title is no text")
    given = {name: row.get(name) for name in _TEXTS}
    texts = {name: "" if value is None else value for name, value in given.items()}
    if wrong := [name for name, value in texts.items() if not isinstance(value, str)]:
        raise Unreadable(f"{wrong[0]} is no text")
    return Known(id=identifier, **texts)
