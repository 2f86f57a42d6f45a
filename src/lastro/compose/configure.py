"""Where the values of settings come from: flag, environment, file, base, default."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from lastro import declare
from lastro.answer.policy import AnswerPolicy
from lastro.compose import calibration
from lastro.compose.embedders import KEY
from lastro.errors import SettingsError
from lastro.gate.calibrated import Calibration
from lastro.gate.policy import DEPRECATED, RetrievalPolicy
from lastro.index import folder
from lastro.index.policy import SearchPolicy

# The key of a judge's endpoint, without its prefix; no setting (eval/judges).
JUDGE_KEY = "JUDGE_KEY"
POLICIES: tuple[type, ...] = (RetrievalPolicy, SearchPolicy, AnswerPolicy)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Every policy with its values, where each came from, and what to warn of."""

    retrieval: RetrievalPolicy
    search: SearchPolicy
    answer: AnswerPolicy
    origin: Mapping[str, str]
    warnings: tuple[str, ...]


def settings(
    kb: Path | None,
    *,
    environ: Mapping[str, str] | None = None,
    flags: Mapping[str, object] | None = None,
    fitted: Calibration | None = None,
) -> Settings:
    """Read every setting: flag, environment, ``.env``, knowledge base, default.

    What was ``fitted`` to a base stands behind what people wrote on its page.

    Raises:
        SettingsError: naming every unknown name and every bad value at once.
        KnowledgeBaseError: the page of the knowledge base cannot be read.
    """
    loaded = declare.load(
        POLICIES,
        declare.Sources(
            flags=flags or {},
            environ=os.environ if environ is None else environ,
            dotenv=dotenv(Path(".env")),
            kb=_of_base(kb, fitted) if kb and folder.exists(kb) else {},
        ),
        deprecated=DEPRECATED,
        known=(KEY, JUDGE_KEY),
    )
    return Settings(
        retrieval=loaded.policy(RetrievalPolicy),
        search=loaded.policy(SearchPolicy),
        answer=loaded.policy(AnswerPolicy),
        origin=loaded.origin,
        warnings=loaded.warnings,
    )


def _of_base(kb: Path, fitted: Calibration | None) -> Mapping[str, object]:
    return {**(fitted.thresholds if fitted else {}), **folder.read(kb).settings}


def describe_settings(
    kb: Path | None, environ: Mapping[str, str]
) -> tuple[list[dict[str, object]], tuple[str, ...]]:
    """Return every setting with value and source, and what to warn of."""
    fitted = calibration.read(kb) if kb else None
    seen = settings(kb, environ=environ, fitted=fitted)
    held = {
        RetrievalPolicy: seen.retrieval,
        SearchPolicy: seen.search,
        AnswerPolicy: seen.answer,
    }
    rows: list[dict[str, object]] = [
        {
            "key": item.key,
            "env": item.own_env,
            "twin": declare.TWIN_PREFIX + item.env if item.twin else None,
            "value": getattr(held[policy], item.name),
            "source": seen.origin[item.key],
            "default": item.default,
            "range": item.range,
            "meaning": item.meaning,
        }
        for policy in POLICIES
        for item in declare.declarations(policy)
    ]
    return rows, seen.warnings


def chosen(seen: Settings) -> dict[str, object]:
    """Return the value of every setting by its key."""
    return {
        item.key: getattr(policy, item.name)
        for policy in (seen.retrieval, seen.search, seen.answer)
        for item in declare.declarations(type(policy))
    }


def dotenv(path: Path) -> Mapping[str, str]:
    """Return the ``NAME=value`` lines of a file; an absent file is an empty one."""
    if not path.is_file():
        return {}
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError):
        raise SettingsError({str(path): "cannot be read as UTF-8 text"}) from None
    found: dict[str, str] = {}
    for line in lines:
        name, equals, value = line.strip().removeprefix("export ").partition("=")
        if equals and not name.startswith("#"):
            found[name.strip()] = _unquoted(value.strip())
    return found


def _unquoted(value: str) -> str:
    if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"":
        return value[1:-1]
    return value.partition(" #")[0].strip()
