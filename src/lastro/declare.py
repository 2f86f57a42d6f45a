"""How a setting is declared once, loaded from its sources, and listed.

A room writes a frozen dataclass whose fields are made by :func:`setting`.
Everything else (environment names, range check, ``lastro settings``, the page
in the docs) derives from that declaration.  This file reads no environment:
the sources are handed in as mappings.
"""

import dataclasses
import difflib
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeVar, cast, get_type_hints

from lastro.errors import SettingsError

T = TypeVar("T")
P = TypeVar("P")

OWN_PREFIX = "LASTRO_"
TWIN_PREFIX = "ACL_"


def setting(
    default: T,
    meaning: str,
    *,
    env: str,
    low: float | None = None,
    high: float | None = None,
    twin: bool = False,
) -> T:
    """Declare a field of a policy.  Typed as its default: mypy sees a plain field.

    ``env`` is the environment name without its prefix; with ``twin`` the same
    name is read under ``ACL_`` too.  ``low`` and ``high`` are inclusive.
    """
    meta = {"meaning": meaning, "low": low, "high": high, "env": env, "twin": twin}
    return field(default=default, metadata=meta)


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """One setting as it was declared."""

    name: str
    type: type
    default: object
    meaning: str
    low: float | None
    high: float | None
    env: str
    twin: bool

    @property
    def key(self) -> str:
        """The name in files and flags: the environment name in lower case."""
        return self.env.lower()

    @property
    def own_env(self) -> str:
        """The full name in the environment."""
        return OWN_PREFIX + self.env

    @property
    def range(self) -> str:
        """The range in words.

        >>> Declaration(name="k", type=int, default=1, meaning="", low=1, high=9,
        ...     env="K", twin=False).range
        '1 to 9'
        """
        if issubclass(self.type, StrEnum):
            return ", ".join(self.type)
        if self.type is bool:
            return "true, false"
        if self.low is None and self.high is None:
            return "any"
        return f"{self.low:g} to {self.high:g}"


def declarations(policy: type) -> Iterator[Declaration]:
    """Yield the settings of one policy class, in the order of its fields."""
    hints = get_type_hints(policy)
    for item in dataclasses.fields(policy):
        meta = item.metadata
        yield Declaration(
            name=item.name,
            type=hints[item.name],
            default=item.default,
            meaning=meta["meaning"],
            low=meta["low"],
            high=meta["high"],
            env=meta["env"],
            twin=meta["twin"],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """Where values may come from, strongest first; all are plain mappings.

    ``flags`` and ``kb`` are keyed by :attr:`Declaration.key`, the two
    environments by the full name.
    """

    flags: Mapping[str, object] = field(default_factory=dict)
    environ: Mapping[str, str] = field(default_factory=dict)
    dotenv: Mapping[str, str] = field(default_factory=dict)
    kb: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """The policies with their values, each value's source, and what to warn of."""

    policies: Mapping[type, Any]
    origin: Mapping[str, str]
    warnings: tuple[str, ...]

    def policy(self, kind: type[P]) -> P:
        """Return the loaded policy of class ``kind``."""
        return cast("P", self.policies[kind])


def load(
    policies: tuple[type, ...],
    sources: Sources,
    *,
    deprecated: Mapping[str, str] | None = None,
    known: tuple[str, ...] = (),
) -> Loaded:
    """Read every setting from its strongest source and check all of them.

    Args:
        policies: the dataclasses to fill.
        sources: flags, environment, ``.env`` and the knowledge base's values.
        deprecated: environment names (no prefix) that are ignored, and why.
        known: further ``LASTRO_*`` names (no prefix) that are no settings.

    Raises:
        SettingsError: naming every unknown name and every bad value at once.
    """
    found = [item for policy in policies for item in declarations(policy)]
    problems: dict[str, str] = {}
    origin: dict[str, str] = {}
    warnings: list[str] = []
    values: dict[str, object] = {}
    for item in found:
        raw, where = _strongest(item, sources, warnings)
        origin[item.key] = where
        try:
            values[item.key] = item.default if where == "default" else parse(item, raw)
        except ValueError as error:
            problems[item.key if where in ("flag", "kb") else where] = str(error)
    problems |= _unknown(found, sources, deprecated or {}, known, warnings)
    if problems:
        raise SettingsError(problems)
    filled = {
        policy: policy(**{d.name: values[d.key] for d in declarations(policy)})
        for policy in policies
    }
    return Loaded(policies=filled, origin=origin, warnings=tuple(warnings))


def _strongest(
    item: Declaration, sources: Sources, warnings: list[str]
) -> tuple[object, str]:
    if item.key in sources.flags:
        return sources.flags[item.key], "flag"
    twin = TWIN_PREFIX + item.env
    for env, file in ((sources.environ, ""), (sources.dotenv, ".env: ")):
        if item.own_env in env:
            if item.twin and env.get(twin, env[item.own_env]) != env[item.own_env]:
                warnings.append(f"{twin} is ignored: {item.own_env} is set too")
            return env[item.own_env], file + item.own_env
        if item.twin and twin in env:
            return env[twin], file + twin
    if item.key in sources.kb:
        return sources.kb[item.key], "kb"
    return item.default, "default"


def _unknown(
    found: list[Declaration],
    sources: Sources,
    deprecated: Mapping[str, str],
    known: tuple[str, ...],
    warnings: list[str],
) -> dict[str, str]:
    keys = {item.key for item in found}
    names = {item.own_env for item in found} | {OWN_PREFIX + name for name in known}
    problems = {key: "no such setting" for key in sources.flags if key not in keys}
    problems |= {
        key: "no such setting (in lastro.toml)" for key in sources.kb if key not in keys
    }
    for env in (sources.environ, sources.dotenv):
        for name in sorted(env):
            bare = name.removeprefix(OWN_PREFIX).removeprefix(TWIN_PREFIX)
            if bare != name and bare in deprecated:
                warnings.append(f"{name} is deprecated and ignored: {deprecated[bare]}")
            elif name.startswith(OWN_PREFIX) and name not in names:
                near = difflib.get_close_matches(name, sorted(names), n=1)
                meant = f"; did you mean {near[0]}?" if near else ""
                problems[name] = f"no such setting{meant}"
    return problems


def parse(item: Declaration, raw: object) -> object:
    """Turn ``raw`` (text, or a value of a TOML file) into a checked value.

    Raises:
        ValueError: naming the value and the range, as a sentence for people.
    """
    text = str(raw).strip()
    if item.type is bool:
        if text.lower() in ("1", "true", "yes", "on"):
            return True
        if text.lower() in ("0", "false", "no", "off"):
            return False
        raise ValueError(f"{text!r} is not one of {item.range}")
    if issubclass(item.type, StrEnum):
        if text not in list(item.type):
            raise ValueError(f"{text!r} is not one of {item.range}")
        return item.type(text)
    if item.type is str:
        return text
    return _number(item, text)


def _number(item: Declaration, text: str) -> float:
    try:
        value = int(text) if item.type is int else float(text)
    except ValueError:
        kind = "a whole number" if item.type is int else "a number"
        raise ValueError(f"{text!r} is not {kind}; range {item.range}") from None
    low = -math.inf if item.low is None else item.low
    high = math.inf if item.high is None else item.high
    if not math.isfinite(value) or not low <= value <= high:
        raise ValueError(f"{text} is out of range; range {item.range}")
    return value
