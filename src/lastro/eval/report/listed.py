"""The list of what may be said of private cases: names, words, nothing else.

Metrics come from the table of scorers, labels and reasons from their own
tables, so that a new one is on the list with its first line.
"""

import re
from dataclasses import fields

from lastro.eval.attribution import waterfall
from lastro.eval.calibration import OUTCOME
from lastro.eval.report.labels import MEANINGS
from lastro.eval.results import (
    BothWays,
    Calibration,
    ConfidenceBin,
    FloorScore,
    GoldUsed,
    Refusals,
    RiskPoint,
)
from lastro.eval.scorers import Match, known
from lastro.eval.scorers.scorer import NO_TRACE
from lastro.model.case import Category, QueryType
from lastro.model.decision import ReasonCode
from lastro.model.ranking import LegStatus
from lastro.model.score import Bar, BarKind, BarState, Summary, Verdict

OTHER = "other"
UNSET = "unset"
NUMBERS = (bool, int, float, type(None))

FLOORS = frozenset(("random", "one_passage"))
REASONS = frozenset(map(str, ReasonCode))
LEGS = frozenset(("lexical", "dense", "reranker"))
STATUSES = frozenset(map(str, LegStatus))
_PLAIN = {
    "category": frozenset(map(str, Category)),
    "query_type": frozenset(map(str, QueryType)),
}
_BARS = frozenset(("abstention.answered", "abstention.declined", "cases", "baseline"))

NAME = re.compile(r"[\w.:/@#+-]{1,120}(, prompt [0-9a-f]+)?")
PROVENANCE: dict[str, object] = {
    **dict.fromkeys(("cases", "case_set", "k", "at", "lastro", "match", "systems")),
    **dict.fromkeys(("system", "top_k", "config_hash", "legs")),
    **dict.fromkeys(("commit", "tree", "dirty")),
    **dict.fromkeys(("repeats", "runs_per_case", "python", "seed")),
    "kb": dict.fromkeys(("documents", "passages", "listing", "snapshot")),
    "not_shown": dict.fromkeys(("slices", "metrics", "provenance")),
    # Named by who runs it, never by a case: any name without a blank.
    "judge": NAME,
    "models": dict.fromkeys(("provider", "reranker", "embedder"), NAME),
}
_SYSTEMS = frozenset(("naive", "agentic"))

_KEYS = frozenset(
    name
    for kind in (
        *(Bar, Verdict, Summary, BothWays, Calibration, ConfidenceBin),
        *(FloorScore, GoldUsed, Refusals, RiskPoint),
    )
    for name in (field.name for field in fields(kind))
) | frozenset(
    (
        *("schema_version", "provenance", "aggregates", "slices", "attribution"),
        *("abstention", "floors", "gold", "reasons", "unscored", "broken"),
        *("scorer_failures", "stray_traces", "verdict", "passed", "exit_code"),
        *("both_ways", "calibration", "layers", "lost", "left", "labels", "name"),
        *("counts", "failed", "stray", "repeated", "private", "legs"),
    )
)
_WORDS = frozenset(
    (
        *("", OTHER, UNSET, "not shown", "broke", "not measured", "mean"),
        *("none", "wilson", "wilson-effective", "bootstrap", "hybrid"),
        *("something could not be measured", "a metric not shown", "incomparable"),
        NO_TRACE,
        OUTCOME,
        *(layer.name for layer in waterfall({}, 1, unmeasured=1, untraced=1)),
    )
)
_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?%?")
_SENTENCES = frozenset(  # "#" is any number
    (
        "notes not shown: #",
        "# of # cases failed",
        "# of # cases of the baseline broke now, and --min-scored asks for #",
        "# of # eligible cases were scored",
        "# of # eligible cases were scored, and --min-scored asks for #",
        "beyond tolerance, may be chance: p # (corrected for all # tested)",
        "beyond tolerance, p # (corrected for all # tested)",
        "every case broke (# of #)",
        "its mean is not a finite number",
        "n is # in the baseline, and --min-n asks for #",
        "n is # in the baseline, and no case carries it now",
        "n is #, and --min-n asks for #",
        "n is #: there is no interval, so no lower end",
        "no case carries it",
        "no case is in that slice",
        "no case of that slice carries it",
        "no case says whether it was declined",
        "no metric was measured on any case",
        "no threshold is set",
        "there are no cases",
    )
)
_ENUMS = frozenset(
    str(word)
    for table in (Category, QueryType, ReasonCode, BarState, BarKind, Match, MEANINGS)
    for word in table
)
_NAMES = frozenset().union(
    *(FLOORS, LEGS, STATUSES, _BARS, _KEYS, _WORDS, _ENUMS, _SYSTEMS),
    PROVENANCE,
    *(inside for inside in PROVENANCE.values() if isinstance(inside, dict)),
)
_LOCALE = re.compile(r"[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?")
_HASH = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_VERSION = re.compile(r"[0-9]+(\.[0-9]+){1,3}")


def is_word(text: str) -> bool:
    """Tell whether a name or a sentence is on the list.

    >>> is_word("retrieval_hit_at_k"), is_word("by_locale.ko.groundedness")
    (True, True)
    >>> is_word("Ms Silva's contract"), is_word("by_tag.silva.groundedness")
    (False, False)
    """
    if text in _NAMES or known(text) or _NUMBER.sub("#", text) in _SENTENCES:
        return True
    if _HASH.fullmatch(text) or _VERSION.fullmatch(text) or is_dimension(text):
        return True
    name, told, rest = text.partition(": ")
    if told and _is_bar(name):
        return is_word(rest)
    return _is_bar(text) or _is_key(text)


def is_dimension(name: str) -> bool:
    """Tell whether a run may be shown sliced so: by anything but tags.

    >>> is_dimension("by_locale+query_type"), is_dimension("by_tag")
    (True, False)
    """
    return name.startswith("by_") and all(
        side == "locale" or side in _PLAIN for side in _sides(name)
    )


def _sides(dimension: str) -> list[str]:
    return dimension.removeprefix("by_").split("+")


def slice_key(dimension: str, key: str) -> bool:
    """Tell whether a key of a dimension says nothing but what cases are labelled.

    Tags are free text, so no tag is; a locale is one only in its plain form.
    """
    if not is_dimension(dimension):
        return False
    sides, keys = _sides(dimension), key.split("+")
    return len(sides) == len(keys) and all(map(_is_label, sides, keys))


def _is_label(side: str, key: str) -> bool:
    if key == UNSET:
        return True
    if side == "locale":
        return _LOCALE.fullmatch(key) is not None
    return key in _PLAIN[side]


def _is_key(text: str) -> bool:
    """Tell whether a text is a key of some dimension, alone or combined."""
    return all(
        any(_is_label(side, key) for side in ("locale", *_PLAIN))
        for key in text.split("+")
    )


def _is_bar(name: str) -> bool:
    """A metric, alone or of a slice: ``by_locale.pt-BR.groundedness``."""
    dimension, _, rest = name.partition(".")
    if not is_dimension(dimension):
        return name in _BARS or known(name)
    parts = rest.split(".")
    return any(
        known(".".join(parts[n:])) and slice_key(dimension, ".".join(parts[:n]))
        for n in range(1, len(parts))
    )
