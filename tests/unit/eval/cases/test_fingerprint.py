"""A set of cases has one hash however it is written, another for other cases."""

import json
from pathlib import Path

import pytest
from full_case import FULL

from lastro.eval.cases import CaseSet, case_set_hash, read


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "cases.jsonl"


def load(file: Path, *rows: object) -> CaseSet:
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return read(file)


def test_the_hash_of_a_set_is_the_same_for_every_way_to_write_it(file: Path) -> None:
    before = load(file, FULL, {"id": "b", "query": "q"}).hash
    spelled = {"id": "b", "query": "q", "answerable": True, "note": 1, "tags": None}
    file.write_bytes(
        b"\xef\xbb\xbf"
        + json.dumps(spelled, indent=None).encode()
        + b"\r\n\r\n"
        + json.dumps(dict(reversed(FULL.items())), ensure_ascii=False).encode()
    )

    assert read(file).hash == before
    assert read(file).hash == case_set_hash(read(file).cases)


def test_the_hash_of_a_set_changes_with_what_a_case_means(file: Path) -> None:
    row: dict[str, object] = {"id": "b", "query": "q"}
    changes: tuple[dict[str, object], ...] = (
        {},
        {"query": "p"},
        {"answerable": False},
        {"must_cite_one_of": ["a"]},
        {"relevant_ids": ["a"]},
        {"expected_citation_terms": []},
    )
    hashes = {load(file, row | change).hash for change in changes}

    assert len(hashes) == 6
