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
from lastro.eval.scorers import SCORERS, Match
from lastro.model.case import Category, QueryType
from lastro.model.decision import ReasonCode
from lastro.model.ranking import LegStatus
from lastro.model.score import Bar, BarKind, BarState, Summary, Verdict

OTHER = "other"
UNSET = "unset"
NUMBERS = (bool, int, float, type(None))

METRICS = frozenset(scorer.name for scorer in SCORERS)
FLOORS = frozenset(("random", "one_passage"))
REASONS = frozenset(map(str, ReasonCode))
LEGS = frozenset(("lexical", "dense", "reranker"))
STATUSES = frozenset(map(str, LegStatus))
_PLAIN = {"by_category": Category, "by_query_type": QueryType}
DIMENSIONS = frozenset(
    ("by_category", "by_locale", "by_query_type", "by_locale+query_type")
)

NAME = re.compile(r"[\w.:/@#+-]{1,120}(, prompt [0-9a-f]+)?")
PROVENANCE: dict[str, object] = {
    **dict.fromkeys(("cases", "case_set", "k", "lastro", "match", "systems")),
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
        *("none", "wilson", "bootstrap", "hybrid"),
        *("there are no cases", "no metric was measured on any case"),
        *("something could not be measured", "a metric not shown"),
        *("no threshold is set", "no case carries it", "no case is in that slice"),
        *("no case of that slice carries it", "its mean is not a finite number"),
        OUTCOME,
        *(layer.name for layer in waterfall({}, 1, unmeasured=1)),
    )
)
_ENUMS = frozenset(
    str(word)
    for table in (Category, QueryType, ReasonCode, BarState, BarKind, Match, MEANINGS)
    for word in table
)
_NAMES = frozenset().union(
    *(
        METRICS,
        FLOORS,
        LEGS,
        STATUSES,
        DIMENSIONS,
        _KEYS,
        _WORDS,
        _ENUMS,
        _SYSTEMS,
        PROVENANCE,
    ),
    *(inside for inside in PROVENANCE.values() if isinstance(inside, dict)),
)
_LOCALE = re.compile(r"[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?")
_SCORED = r"[0-9]+ of [0-9]+ eligible cases were scored"
_SHAPES = tuple(
    re.compile(shape)
    for shape in (
        r"[0-9a-f]{40}|[0-9a-f]{64}",  # a hash
        r"[0-9]+(\.[0-9]+){1,3}",  # a version
        rf"{_SCORED}(, and --min-scored asks for [0-9]+%)?",
        r"wilson-[a-z]+",
        r"every case broke \([0-9]+ of [0-9]+\)",
        r"[0-9]+ notes are not shown\.",
    )
)


def is_word(text: str) -> bool:
    """Tell whether a name or a sentence is on the list.

    >>> is_word("retrieval_hit_at_k"), is_word("by_locale.ko.groundedness")
    (True, True)
    >>> is_word("Ms Silva's contract"), is_word("by_tag.silva.groundedness")
    (False, False)
    """
    if text in _NAMES or any(shape.fullmatch(text) for shape in _SHAPES):
        return True
    name, told, rest = text.partition(": ")
    if told:
        return _is_bar(name) and is_word(rest)
    return _is_bar(text) or any(slice_key(each, text) for each in DIMENSIONS)


def slice_key(dimension: str, key: str) -> bool:
    """Tell whether a key of a dimension says nothing but what cases are labelled.

    Tags are free text, so no tag is; a locale is one only in its plain form.
    """
    if dimension not in DIMENSIONS:
        return False
    if "+" in dimension:
        return _combined(dimension, key)
    if key == UNSET:
        return True
    if dimension == "by_locale":
        return _LOCALE.fullmatch(key) is not None
    return key in {str(each) for each in _PLAIN[dimension]}


def _combined(dimension: str, key: str) -> bool:
    sides = [f"by_{side}" for side in dimension.removeprefix("by_").split("+")]
    keys = key.split("+")
    return len(keys) == len(sides) and all(map(slice_key, sides, keys))


def _is_bar(name: str) -> bool:
    """A metric, alone or of a slice: ``by_locale.pt-BR.groundedness``."""
    dimension, _, rest = name.partition(".")
    if dimension not in DIMENSIONS:
        return name in METRICS
    ends = [metric for metric in METRICS if rest.endswith("." + metric)]
    return any(slice_key(dimension, rest[: -len(metric) - 1]) for metric in ends)
