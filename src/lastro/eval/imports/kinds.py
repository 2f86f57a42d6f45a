"""What a file or a folder holds, told by its content and never by its name."""

from enum import StrEnum
from itertools import islice
from os import PathLike
from pathlib import Path

from lastro.errors import EvaluationError, InputError, Problem
from lastro.eval.folder import REPORT, TRACES
from lastro.eval.imports.qrels import HEADS
from lastro.trace.lines import numbered

QUERIES = "queries.jsonl"
_LOOKED_AT = 20  # lines, of which all but one may be broken


class Kind(StrEnum):
    """What ``lastro score`` can be handed."""

    JSON_LINES = "JSON Lines"
    QRELS = "judgements of TREC or BEIR (qrels)"
    RUN = "a run of TREC"
    BEIR = "a BEIR folder"
    RUN_FOLDER = "the folder of a run"


def kind_of(path: str | PathLike[str]) -> Kind:
    """Tell what a path leads to by the first of its lines that shows it.

    A run whose first line is cut off is still one.  What is none of the others is
    taken for JSON Lines, whose reader says what is wrong; so is a pipe, which can
    be read only once.

    Raises:
        InputError: it cannot be read, or is a folder of nothing that is known.
        EvaluationError: it is the folder of a run that kept no traces.
    """
    if Path(path).is_dir():
        return _folder(Path(path))
    if Path(path).exists() and not Path(path).is_file():
        return Kind.JSON_LINES
    lines = (line for _, line in numbered(path) if not line.startswith(b"#"))
    kinds = map(_line, islice(lines, _LOOKED_AT))
    return next(filter(None, kinds), Kind.JSON_LINES)


def _folder(path: Path) -> Kind:
    if (path / QUERIES).exists():
        return Kind.BEIR
    if (path / TRACES).exists():
        return Kind.RUN_FOLDER
    if (path / REPORT).exists():
        raise EvaluationError(
            f"{path} holds no {TRACES}: of a run of TREC, of private cases and with "
            "--aggregates-only, reports are kept and no traces",
            hint="Give what was judged then: `lastro score CASES TRACES`.",
        )
    what = f"a folder with neither {QUERIES} (BEIR) nor {TRACES} (a run)"
    raise InputError([Problem(file=str(path), line=0, field="", what=what)])


def _line(line: bytes) -> Kind | None:
    words, tabs = line.split(), line.split(b"\t")
    if line.startswith((b"{", b"[")):
        return Kind.JSON_LINES
    if len(words) >= 5 and words[1] == b"Q0":  # with one column missing, too
        return Kind.RUN
    if len(words) >= 6 and _number(words[4]):
        return Kind.RUN
    if (len(words) == 4 or len(tabs) in {3, 4}) and (
        _number(words[-1]) or words[-1].decode("utf-8", "replace").lower() in HEADS
    ):
        return Kind.QRELS
    return None


def _number(word: bytes) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True
