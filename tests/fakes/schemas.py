"""The published schemas, as anybody's validator reads them."""

import json
from importlib import resources

from jsonschema import Draft202012Validator


def validator(name: str) -> Draft202012Validator:
    """Return a validator of ``report`` or ``scores``, itself checked."""
    file = resources.files("lastro.eval.report") / f"{name}.schema.json"
    schema = json.loads(file.read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


REPORT = validator("report")
SCORES = validator("scores")


def problems(found: Draft202012Validator, text: str) -> list[str]:
    """Return what is wrong with a JSON text, and where."""
    return [
        f"{error.json_path}: {error.message}"
        for error in found.iter_errors(json.loads(text))
    ]
