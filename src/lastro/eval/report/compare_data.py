"""A comparison as JSON: sorted keys, no NaN, the same bytes each time."""

from collections.abc import Sequence
from dataclasses import asdict

from lastro.eval.compared import Comparison, Difference
from lastro.eval.report.data import dumps

SCHEMA_VERSION = 1


def compare_json(found: Comparison) -> str:
    """Return a comparison as one JSON object; what was not measured is null."""
    return dumps(comparison(found), indent=2) + "\n"


def comparison(found: Comparison) -> dict[str, object]:
    """Return a comparison as plain values; of a private one no case is named."""

    def ids(which: Sequence[str]) -> dict[str, object]:
        return {"n": len(which), "ids": [] if found.private else list(which)}

    def difference(each: Difference) -> dict[str, object]:
        return {**asdict(each), "lost": ids(each.lost), "gained": ids(each.gained)}

    return {
        "schema_version": SCHEMA_VERSION,
        "a": found.name_a,
        "b": found.name_b,
        "private": found.private,
        "paired": found.paired,
        "only_a": ids(found.only_a),
        "only_b": ids(found.only_b),
        "differences": list(map(difference, found.differences)),
        "attribution": {
            str(label): {"a": a, "b": b} for label, (a, b) in found.attribution.items()
        },
        "moved": [] if found.private else [asdict(each) for each in found.moved],
        "claims": [asdict(claim) for claim in found.claims],
        "differs": {name: {"a": a, "b": b} for name, (a, b) in found.differs.items()},
        "resamples": found.resamples,
        "seed": found.seed,
        "exit_code": found.exit_code,
    }
