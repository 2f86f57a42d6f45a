"""A BEIR folder to cases: corpus.jsonl, queries.jsonl and judgements.

Of the corpus the ids alone are kept, to say which judgements point nowhere.
"""

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from os import PathLike, fspath
from pathlib import Path
from typing import TypeVar

import msgspec

from lastro.errors import InputError, Problem, UsageError
from lastro.eval.imports.columns import Shape, Table, refuse_pipe
from lastro.eval.imports.kinds import QUERIES
from lastro.eval.imports.qrels import Asked, Qrels, read_qrels
from lastro.eval.imports.told import some
from lastro.model.case import Case, Origin, Provenance
from lastro.text.ids import canonical, unseen
from lastro.trace.lines import Unreadable, numbered, parse
from lastro.trace.read import MOST_PROBLEMS

CORPUS = "corpus.jsonl"
_USUAL = ("qrels/test.tsv", "qrels.tsv")
_LOCALES = ("locale", "language", "lang")


class _Document(msgspec.Struct, frozen=True):
    """What is read of a line of the corpus."""

    id: str | int = msgspec.field(name="_id")


class _Query(msgspec.Struct, frozen=True):
    """What is read of a line of the queries."""

    id: str | int = msgspec.field(name="_id")
    text: str
    locale: str | None = None
    language: object = None
    lang: object = None
    metadata: object = None

    @property
    def spoken(self) -> str | None:
        """The language, under whichever name and at whichever level it stands."""
        inside = self.metadata if isinstance(self.metadata, dict) else {}
        named = (self.locale, self.language, self.lang, *map(inside.get, _LOCALES))
        said = (each.strip() for each in named if isinstance(each, str))
        return next(filter(None, said), None)


R = TypeVar("R", _Document, _Query)


@dataclass(frozen=True, slots=True, kw_only=True)
class Beir:
    """The cases of a folder; ``counts`` and ``warnings`` say how it fits together."""

    cases: tuple[Case, ...]
    counts: Mapping[str, int]
    warnings: tuple[str, ...]


def read_beir(folder: str | PathLike[str], qrels: str = "") -> Beir:
    """Read a BEIR folder: a case for every query that is judged.

    A judgement of a document that the corpus lacks stays gold, one of a query
    that the queries lack gives no case; both are counted and named.  The locale
    of a query is its ``locale``, ``language`` or ``lang``, there or in its
    ``metadata``.

    Args:
        folder: holds queries.jsonl, judgements and mostly corpus.jsonl.
        qrels: which judgements, as a path inside ``folder``; by default
            ``qrels/test.tsv``, ``qrels.tsv``, or the only ones; where there are
            others, which were read is the first of ``warnings``.

    Raises:
        InputError: with every problem of a file: file, line and field.
        UsageError: it is not clear which judgements are meant.
    """
    here = Path(folder)
    chosen, told = _chosen(here, qrels)
    judged = read_qrels(chosen)
    asked = dict(_rows(here / QUERIES, _Query))
    known = None
    if (here / CORPUS).exists():
        known = frozenset(key for key, _ in _rows(here / CORPUS, _Document))
    given = Provenance(origin=Origin.PUBLIC, source=here.resolve().name)
    cases = tuple(
        replace(case, query=query.text, locale=query.spoken, provenance=given)
        for case in judged.cases()
        if (query := asked.get(canonical(case.id)))
    )
    counts, warnings = _lint(judged, asked.keys(), known)
    return Beir(
        cases=cases,
        counts={"cases": len(cases), **counts},
        warnings=(*told, *judged.warnings, *warnings),
    )


def read_queries(path: str | PathLike[str]) -> dict[str, Asked]:
    """Return queries by comparable id: JSON Lines as in BEIR, or id, tab, text.

    Raises:
        InputError: with every problem of the file: file, line and field.
    """
    refuse_pipe(path)
    first = next((line for _, line in numbered(path)), b"{")
    if first.startswith(b"{"):
        rows = _rows(path, _Query)
        return {key: Asked(query.text, query.spoken) for key, query in rows}
    table = Table(fspath(path), Shape(names=("query", "text"), tabs=True))
    found: dict[str, Asked] = {}
    for block in table.blocks():
        pairs = zip(table.texts(block, 0), table.texts(block, 1), strict=True)
        for line, (name, text) in zip(block.lines, pairs, strict=True):
            if found.setdefault(canonical(name), Asked(text)).text != text:
                table.wrong(line, "query", f"{name!r} has another text further up")
    table.close()
    return found


def _chosen(folder: Path, qrels: str) -> tuple[Path, tuple[str, ...]]:
    """Return the judgements to read, and that there are others if nobody chose."""
    found = sorted([*folder.glob("qrels/*.tsv"), *folder.glob("qrels*.tsv")])
    names = [path.relative_to(folder).as_posix() for path in found]
    if qrels in names:
        return folder / qrels, ()
    usual = [name for name in _USUAL if name in names]
    if not qrels and (usual or len(names) == 1):
        taken = (usual or names)[0]
        others = some([name for name in names if name != taken])
        told = f"judgements were read from {taken}, and not from {others}"
        return folder / taken, (told,) if others else ()
    wanted = f"no judgements {qrels!r}" if qrels else "which judgements is not clear"
    raise UsageError(
        f"{folder}: {wanted}; there are: {', '.join(names) or 'none'}",
        hint="Name one of them: `lastro import beir --qrels`, or give `lastro score` "
        "the file itself.",
    )


def _rows(path: str | PathLike[str], kind: type[R]) -> Iterator[tuple[str, R]]:
    """Yield what is read of each line by its comparable id, in flat memory.

    Raises:
        InputError: with every problem of the file, once all lines were read.
    """
    decode = msgspec.json.Decoder(kind).decode
    problems: list[Problem] = []
    stands: dict[str, int] = {}
    for number, raw in numbered(path):
        try:
            row = decode(raw)
            name = str(row.id)
            key = canonical(name)
            wrong = _wrong(row, stands.setdefault(key, number), number)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            wrong = _unread(raw, error)
        if wrong:
            field, what = wrong
            problems.append(
                Problem(file=fspath(path), line=number, field=field, what=what)
            )
            if len(problems) == MOST_PROBLEMS:
                break
        else:
            yield key, row
    if problems:
        raise InputError(problems)


def _wrong(row: R, first: int, line: int) -> tuple[str, str] | None:
    name = str(row.id)
    if not name.strip():
        return "_id", "the id is blank"
    if unseen(name):
        return "_id", f"nothing of the id can be seen: {name!a}"
    if not name.isprintable():
        return "_id", f"control character in {name!r}"
    if first != line:
        return "_id", f"{name!r} stands on line {first} already"
    if isinstance(row, _Query) and not row.text.strip():
        return "text", "blank"
    return None


def _unread(raw: bytes, error: Exception) -> tuple[str, str]:
    """Say in which field a line is wrong, or that it is no JSON object."""
    try:
        given = parse(raw)
    except Unreadable as why:
        return "", str(why)
    if not isinstance(given, dict):
        return "", "a JSON object is needed"
    for field in ("_id", "text", "locale"):
        if field in str(error):
            return field, "missing" if field not in given else "text is needed"
    return "", "this line cannot be read"


def _lint(
    qrels: Qrels, queries: AbstractSet[str], documents: AbstractSet[str] | None
) -> tuple[dict[str, int], list[str]]:
    """Say which judgements point nowhere, and which queries have none."""
    judged = [name for each in qrels.judged.values() for name in each.documents]
    unasked = [e.query for key, e in qrels.judged.items() if key not in queries]
    unjudged = sorted(queries - qrels.judged.keys())
    counts = {
        "judgements": len(judged),
        "queries": len(queries),
        "queries_missing": len(unasked),
        "queries_not_judged": len(unjudged),
    }
    told = []
    if unasked:
        told.append(
            f"queries judged and not in {QUERIES}: {len(unasked)}, no case is made of "
            f"them: {some(unasked)}"
        )
    if documents is None:
        return counts, [*told, f"no {CORPUS}: judged documents were not looked up"]
    lost = sorted(set(judged) - documents)
    counts |= {"documents": len(documents), "documents_missing": len(lost)}
    if lost:
        told.append(
            f"documents judged and not in {CORPUS}: {len(lost)}, they stay gold: "
            f"{some(lost)}"
        )
    return counts, told
