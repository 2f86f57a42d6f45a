"""A baseline: what a run measured, kept to hold later runs against.  Pure.

A later run may be of other code, settings and models: that is what it is held
against the baseline for.  What was asked and how it was judged has to be the same:
cases, knowledge base, cut-off, rule for terms, judge.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from lastro.eval.results import Run
from lastro.model.score import Aggregates
from lastro.text.ids import canonical

SCHEMA_VERSION = 1
SHOWN = 12  # ids of a sentence; the rest is counted
STAGE = "stage."

_OF = ("kb_snapshot", "system", "config_hash", "models")
HASH = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What a baseline was measured on, and with; None or empty is not known.

    ``kb`` tells a state of the knowledge base from every other; ``settings`` are
    those that ``config_hash`` is of.  ``commit``, ``tree`` and ``dirty`` are those
    of the repository that the run was started in, ``at`` is when.
    """

    case_set: str
    cases: int
    k: int
    match: str
    judge: str | None = None
    kb: Mapping[str, object] | None = None
    system: str | None = None
    config_hash: str | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    models: Mapping[str, str] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    commit: str | None = None
    tree: str | None = None
    dirty: bool | None = None
    at: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """Aggregates, scores by case and where they come from.

    ``scores`` gives what was measured of each case by its id, without the stages
    of retrieval; None of a private set, of which no case is named.
    """

    measured: Measured
    aggregates: Aggregates
    by_locale: Mapping[str, Aggregates]
    scores: Mapping[str, Mapping[str, float]] | None
    schema_version: int = SCHEMA_VERSION


def from_run(run: Run, recorded: Mapping[str, object] | None = None) -> Baseline:
    """Return the baseline that a run makes.

    Args:
        run: what was judged; of a private one the cases are left out.
        recorded: what ``run.json`` says of it: commit, settings, time.
    """
    scores = {
        str(result.id): {
            metric: value
            for metric, value in run.scores(result).items()
            if not metric.startswith(STAGE)
        }
        for result in run.results
    }
    return Baseline(
        measured=measured(run, recorded),
        aggregates=run.aggregates,
        by_locale=run.slices.get("by_locale", {}),
        scores=None if run.private else scores,
    )


def measured(run: Run, recorded: Mapping[str, object] | None = None) -> Measured:
    """Return what a run was measured on, and with; its report goes first."""
    record = recorded or run.recorded or {}
    named = {"kb" if each == "kb_snapshot" else each: record.get(each) for each in _OF}
    said = {**named, **run.provenance}
    lastro = {"lastro": said["lastro"]} if "lastro" in said else {}
    dirty, cases, kb = record.get("dirty"), said.get("cases"), said.get("kb")
    return Measured(
        case_set=_text(said.get("case_set")) or "",
        cases=cases if isinstance(cases, int) else len(run.results),
        k=run.k,
        match=_text(said.get("match")) or "",
        judge=_text(said.get("judge")),
        kb=dict(kb) if isinstance(kb, Mapping) else None,
        system=_text(said.get("system")),
        config_hash=_text(said.get("config_hash")),
        settings=settings(_texts(record.get("key_parts"))),
        models=_texts(said.get("models")),
        versions=_texts(record.get("versions")) | _texts(lastro),
        commit=_text(record.get("commit")),
        tree=_text(record.get("tree")),
        dirty=dirty if isinstance(dirty, bool) else None,
        at=_text(record.get("at")),
    )


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _texts(value: object) -> dict[str, str]:
    if not isinstance(value, Mapping):
        return {}
    return {str(key): str(each) for key, each in sorted(value.items())}


def settings(parts: Mapping[str, str]) -> dict[str, str]:
    """Return the settings that the parts of a run's key name."""
    mark = "setting "
    return {
        name.removeprefix(mark): value
        for name, value in parts.items()
        if name.startswith(mark)
    }


def comparable(baseline: Baseline, run: Run) -> tuple[str, ...]:
    """Say why a run cannot be held against a baseline; empty if it can.

    Another case set, k, rule for terms or judge, or another state of the
    knowledge base: then the numbers are answers to other questions.
    """
    then, now = baseline.measured, measured(run)
    found = list(other_inputs(then, now))
    if then.case_set != now.case_set and baseline.scores is not None:
        found[0] += _moved(baseline.scores, run)
    return tuple(found)


def other_inputs(then: Measured, now: Measured) -> Iterator[str]:
    """Yield what was asked otherwise or judged otherwise; first the case set."""
    if then.case_set != now.case_set:
        yield (
            f"another case set: {then.cases} cases, hash {_short(then.case_set)}, "
            f"then; {now.cases}, {_short(now.case_set)}, now"
        )
    yield from _differing("k", then.k, now.k)
    yield from _differing("match", then.match, now.match)
    if then.judge and now.judge:
        yield from _differing("judge", then.judge, now.judge)
    if then.kb and now.kb and then.kb != now.kb:
        yield (
            f"another knowledge base: {_snapshot(then.kb)} then, "
            f"{_snapshot(now.kb)} now"
        )


def other_system(then: Measured, now: Measured) -> Iterator[str]:
    """Yield what else differs: the system that is held against the baseline.

    What one of both does not know is not said to differ.
    """
    if then.system and now.system:
        yield from _differing("system", then.system, now.system)
    if then.config_hash and now.config_hash and then.config_hash != now.config_hash:
        named = list(_between("setting ", then.settings, now.settings))
        yield from named or _differing("settings", then.config_hash, now.config_hash)
    yield from _between("model ", then.models, now.models)


def _between(
    what: str, then: Mapping[str, str], now: Mapping[str, str]
) -> Iterator[str]:
    if then and now:
        for name in sorted(then.keys() | now.keys()):
            yield from _differing(what + name, then.get(name), now.get(name))


def _differing(name: str, then: object, now: object) -> Iterator[str]:
    if then != now:
        yield f"{name}: {_short(then)} then, {_short(now)} now"


def _snapshot(kb: Mapping[str, object]) -> str:
    return f"{kb.get('documents')} documents, hash {_short(kb.get('listing'))}"


def _short(value: object) -> str:
    """Show a hash by its first digits, and nothing as a word.

    >>> _short("a" * 64), _short(4), _short(None)
    ('aaaaaaaaaaaa', '4', 'none')
    """
    text = "" if value is None else str(value)
    return (text[:12] if HASH.fullmatch(text) else text) or "none"


def _moved(scores: Mapping[str, object], run: Run) -> str:
    """Name the cases of one side alone; nothing of a private run."""
    if run.private:
        return ""
    then = {canonical(each): each for each in scores}
    now = {canonical(result.id): str(result.id) for result in run.results}
    gone = [then[key] for key in sorted(then.keys() - now.keys())]
    new = [now[key] for key in sorted(now.keys() - then.keys())]
    if not gone and not new:
        return "; the ids are the same, questions or labels are not"
    return f"; gone: {listed(gone)}; new: {listed(new)}"


def listed(ids: Sequence[str]) -> str:
    """Name the first ids and count the rest.

    >>> listed(["a", "b"]), listed([]), listed([str(i) for i in range(14)])[-16:]
    ('a, b', 'none', '11 and 2 more')
    """
    more = len(ids) - SHOWN
    shown = ", ".join(ids[:SHOWN]) or "none"
    return f"{shown} and {more} more" if more > 0 else shown
