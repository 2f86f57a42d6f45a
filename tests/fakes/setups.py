"""A setup that cases could be put to, and the record of a run of it."""

from dataclasses import replace
from pathlib import Path

from lastro.eval.resume import Record, Setup, begun
from lastro.model.case import Case
from lastro.model.ids import CaseId

SETUP = Setup(
    system="naive",
    config={"retrieval_top_k": 4, "search_legs": "hybrid", "contracts": ""},
    models={"embedder": "static 1", "provider": "quote"},
    documents=3,
    listing="ab" * 32,
)
CASES = tuple(Case(id=CaseId(name), query=f"What is {name}?") for name in "abc")


def record(setup: Setup = SETUP, cases: tuple[Case, ...] = CASES) -> Record:
    """Return the record of a run that begins now."""
    return begun(setup, cases, Path("cases.jsonl"), Path("kb"), 2)


def with_setting(name: str, value: object) -> Setup:
    """Return the setup with another value of one setting."""
    return replace(SETUP, config={**SETUP.config, name: value})
