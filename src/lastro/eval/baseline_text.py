"""A baseline as text, and back: what was changed by hand or cut is refused.  Pure.

The file ends in a seal, the SHA-256 of everything else in it: a baseline that has
lost a metric, a case or a locale would hold no later run to anything.
"""

import hashlib
import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict

import msgspec

from lastro.errors import InputError, Problem
from lastro.eval.baseline import HASH, SCHEMA_VERSION, Baseline

SEAL = "seal"

_AGAIN = "`lastro baseline update RUN_DIR --out FILE` writes one of a run."
_WHERE = re.compile(r" - at `\$\.?(.*)`$")


def dumps(baseline: Baseline) -> str:
    """Return a baseline as a file: a line a case, the same bytes for the same one."""
    parts = asdict(baseline)
    parts[SEAL] = _seal(parts)
    scores = parts.pop("scores")
    lines = [f"{_json(key)}: {_json(parts[key], indent=1)}" for key in sorted(parts)]
    rows = [f"{_json(key)}: {_json(scores[key])}" for key in sorted(scores or {})]
    body = "{\n" + ",\n".join(rows) + "\n}" if scores is not None else "null"
    return "{\n" + ",\n".join((*lines, f'"scores": {body}')) + "\n}\n"


def _seal(parts: Mapping[str, object]) -> str:
    kept = {name: value for name, value in parts.items() if name != SEAL}
    text = json.dumps(kept, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _json(value: object, indent: int | None = None) -> str:
    return json.dumps(value, sort_keys=True, allow_nan=False, indent=indent)


def loads(written: object, file: str) -> Baseline:
    """Return the baseline that was written as this JSON value.

    Args:
        written: what the file holds, read as JSON.
        file: what it is called in messages.

    Raises:
        InputError: it is not what ``dumps`` writes; the field is named.
    """
    found, seal = _converted(written, file)
    for place, hashed in (
        ("commit", found.measured.commit),
        ("tree", found.measured.tree),
    ):
        if hashed is not None and not HASH.fullmatch(hashed):
            raise refused(file, f"measured.{place}", "is no hash of git")
    for place, value in _numbers(found):
        if not math.isfinite(value):
            raise refused(file, place, "is not a finite number")
    if not any(summary.n for summary in found.aggregates.values()):
        raise refused(file, "aggregates", "no metric was measured: nothing to hold to")
    if seal != _seal(asdict(found)):
        raise refused(file, SEAL, "the file was changed or cut after it was written")
    return found


def _converted(written: object, file: str) -> tuple[Baseline, object]:
    """Return the baseline as it is written, and its seal."""
    parts = written if isinstance(written, dict) else {}
    version = parts.get("schema_version")
    if version != SCHEMA_VERSION:
        what = f"{version!r} is unknown; this Lastro reads {SCHEMA_VERSION}"
        raise refused(file, "schema_version", what)
    try:
        return msgspec.convert(written, Baseline), parts.get(SEAL)
    except msgspec.ValidationError as error:
        at = _WHERE.search(str(error))
        what = _WHERE.sub("", str(error)).replace("`", "")
        raise refused(file, at[1] if at else "", what[:1].lower() + what[1:]) from None


def _numbers(baseline: Baseline) -> Iterator[tuple[str, float]]:
    groups = {"aggregates": baseline.aggregates} | {
        f"by_locale.{key}": group for key, group in baseline.by_locale.items()
    }
    for place, group in groups.items():
        for metric, summary in group.items():
            for value in (summary.mean, summary.ci_lo, summary.ci_hi):
                if value is not None:
                    yield f"{place}.{metric}", value
    for case, scores in (baseline.scores or {}).items():
        for metric, value in scores.items():
            yield f"scores.{case}.{metric}", value


def refused(file: str, field: str, what: str) -> InputError:
    """Return the refusal of a file that is no baseline, with what to do."""
    error = InputError([Problem(file=file, line=0, field=field, what=what)])
    error.hint = _AGAIN
    return error
