"""A file of cases is read whole: every field, default and warning."""

import json
from pathlib import Path

import pytest
from full_case import FULL

from lastro.eval.cases import CaseSet, Merge, read
from lastro.model.answer import AnswerStatus, Role, Turn
from lastro.model.case import (
    Case,
    Category,
    Origin,
    Provenance,
    QueryType,
    TargetSpec,
)
from lastro.model.decision import ReasonCode
from lastro.model.ids import CaseId


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "cases.jsonl"


def load(file: Path, *rows: object) -> CaseSet:
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return read(file)


def one(file: Path, **fields: object) -> Case:
    return load(file, {"id": "c", "query": "q", **fields}).cases[0]


def test_every_field_of_the_contract_is_read(file: Path) -> None:
    assert load(file, FULL).cases == (
        Case(
            id=CaseId("c1"),
            query="Which is cheaper?",
            prior_turns=(Turn(Role.USER, "Hello"),),
            locale="pt-BR",
            category=Category.ADVERSARIAL,
            query_type=QueryType.COMPARISON,
            answerable=False,
            must_cite_one_of=("a", "b"),
            relevant_ids=("a",),
            expected_doc_ids=("a", "b"),
            expected_terms=("30 days",),
            expected_citation_terms=(),
            expected_claim_citations=(
                TargetSpec(target="A", expected_doc_ids=("a",), expected_terms=("x",)),
            ),
            expected_answer_status=AnswerStatus.PARTIAL,
            expected_missing_targets=("B",),
            expected_reason=ReasonCode.LOW_CONFIDENCE,
            must_refuse=True,
            tags=("t",),
            provenance=Provenance(origin=Origin.PUBLIC, source="s", licence="l"),
        ),
    )


def test_absent_and_null_fields_have_their_defaults(file: Path) -> None:
    nothing = dict.fromkeys(
        set(FULL) - {"id", "query", "answerable", "must_refuse"}, None
    )
    expected = Case(id=CaseId("c"), query="q")

    assert one(file) == expected
    assert one(file, **nothing) == expected
    assert expected.category is Category.GOLDEN
    assert expected.answerable


def test_citation_terms_are_the_expected_terms_unless_given(file: Path) -> None:
    assert one(file, expected_terms=["a"]).citation_terms == ("a",)
    assert (
        one(file, expected_terms=["a"], expected_citation_terms=[]).citation_terms == ()
    )


def test_retrieval_gold_is_relevant_ids_where_given(file: Path) -> None:
    both = one(file, relevant_ids=["r"], must_cite_one_of=["m"])

    assert both.retrieval_gold == ("r",)
    assert one(file, must_cite_one_of=["m"]).retrieval_gold == ("m",)


def test_multi_doc_is_read_as_comparison_and_said(file: Path) -> None:
    found = load(file, {"id": "c", "query": "q", "query_type": "multi_doc"})

    assert found.cases[0].query_type is QueryType.COMPARISON
    assert found.warnings == (f"multi_doc is read as comparison: {file}:1",)


def test_l17_l21_bom_crlf_and_blank_lines_are_read_silently(file: Path) -> None:
    file.write_bytes(
        b'\xef\xbb\xbf{"id": "a", "query": "q"}\r\n\r\n \t\r\n'
        b'{"id": "b", "query": "q"}\r\n'
    )

    found = read(file)

    assert [case.id for case in found.cases] == ["a", "b"]
    assert found.lines == ((str(file), 1), (str(file), 4))
    assert found.warnings == ()


def test_m42_a_number_is_an_id_and_stands_for_its_text(file: Path) -> None:
    found = one(file, id=7, relevant_ids=[1, 2])

    assert found.id == "7"
    assert found.relevant_ids == ("1", "2")


def test_l18_ids_compare_in_nfc_and_keep_their_spelling(file: Path) -> None:
    composed, split = "ação", "ac\u0327a\u0303o"
    found = load(
        file,
        {"id": "a", "query": "q", "relevant_ids": [composed]},
        {"id": "b", "query": "q", "relevant_ids": [split]},
    )

    assert found.cases[1].relevant_ids == (split,)
    assert found.merges == (Merge(composed, split),)
    assert found.warnings[0].startswith("two spellings of one id, compared as one:")


def test_m02_m12_repeated_gold_is_folded_with_a_warning(file: Path) -> None:
    found = load(
        file, {"id": "c", "query": "q", "must_cite_one_of": ["b", "a", "b", "b"]}
    )

    assert found.cases[0].must_cite_one_of == ("b", "a")
    assert len(found.warnings) == 1
    assert "counted once" in found.warnings[0]
    assert f"{file}:1 must_cite_one_of 'b'" in found.warnings[0]


def test_unknown_fields_are_kept_and_reported_once(file: Path) -> None:
    found = load(
        file,
        {"id": "a", "query": "q", "note": "x", "expected_docs": []},
        {"id": "b", "query": "q", "note": "y"},
    )

    assert found.cases[0].extra == {"note": "x", "expected_docs": []}
    assert found.unknown == {"expected_docs": 1, "note": 2}
    assert found.warnings == (
        "unknown fields, kept and not used: expected_docs (1), note (2)",
    )


def test_a_set_with_one_private_case_is_private(file: Path) -> None:
    public = {"id": "a", "query": "q", "provenance": {"origin": "public"}}
    private = {"id": "b", "query": "q", "provenance": {"origin": "private"}}

    assert load(file, public, private).private
    assert not load(file, public).private


def test_the_public_cases_are_read(shared: Path) -> None:
    folder = shared / "data" / "hotpotqa_sample"

    assert len(read(folder / "cases_comparison.jsonl").cases) == 16
    assert len(read(shared / "conformance" / "cases.jsonl").cases) == 120
