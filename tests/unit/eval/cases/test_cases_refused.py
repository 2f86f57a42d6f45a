"""Every problem of a file of cases is named by line and field, all at once."""

import json
from pathlib import Path

import pytest

from lastro.errors import InputError
from lastro.eval.cases import read
from lastro.model.answer import AnswerStatus
from lastro.model.case import (
    QueryType,
)
from lastro.model.decision import ReasonCode


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "cases.jsonl"


def refusal(file: Path, content: str | bytes) -> list[str]:
    """Return the problems of a file, each without the folder it is in."""
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError) as caught:
        read(file)
    folder = f"{file.parent}/"
    return [str(problem).replace(folder, "") for problem in caught.value.problems]


def row_refusal(file: Path, **fields: object) -> list[str]:
    """Return the problems of one row, each without file and line."""
    row = json.dumps({"id": "c", "query": "q", **fields})
    return [line.removeprefix("cases.jsonl:1: ") for line in refusal(file, row)]


@pytest.mark.parametrize("name", ["id", "query"])
def test_l25_a_field_that_must_be_there_is_named(file: Path, name: str) -> None:
    row = {key: key for key in ("id", "query") if key != name}

    assert refusal(file, json.dumps(row)) == [f"cases.jsonl:1: {name}: missing"]


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"id": " "}, "id: the id is blank"),
        ({"id": "\u200b"}, "id: the id is blank"),
        ({"id": "a\x00"}, "id: control character U+0000 in 'a\\x00'"),
        ({"id": "a\x9f"}, "id: control character U+009F in 'a\\x9f'"),
        ({"id": 1.0}, "id: an id is text, not a number"),
        ({"id": True}, "id: an id is text, not true or false"),
        ({"id": ["a"]}, "id: an id is text, not a list"),
        ({"query": "\n"}, "query: blank"),
        ({"query": 3}, "query: text is needed, not a number"),
        ({"locale": 3}, "locale: text is needed, not a number"),
        ({"answerable": "yes"}, "answerable: true or false is needed, not text"),
        ({"answerable": None}, "answerable: true or false is needed, not null"),
        ({"must_refuse": 0}, "must_refuse: true or false is needed, not a number"),
        (
            {"must_cite_one_of": "abc"},
            "must_cite_one_of: a list is needed, not text",
        ),
        ({"relevant_ids": [""]}, "relevant_ids[0]: the id is blank"),
        (
            {"expected_doc_ids": ["a", "\t"]},
            "expected_doc_ids[1]: the id is blank",
        ),
        ({"relevant_ids": [None]}, "relevant_ids[0]: an id is text, not null"),
        ({"relevant_ids": {"a": 1}}, "relevant_ids: a list is needed, not an object"),
        ({"expected_terms": ["a", "\u00a0"]}, "expected_terms[1]: blank"),
        ({"expected_citation_terms": [""]}, "expected_citation_terms[0]: blank"),
        ({"expected_terms": [4]}, "expected_terms[0]: text is needed, not a number"),
        ({"tags": [""]}, "tags[0]: blank"),
        (
            {"expected_missing_targets": ["A", " "]},
            "expected_missing_targets[1]: blank",
        ),
        ({"prior_turns": ["x"]}, "prior_turns[0]: an object is needed, not text"),
        (
            {"prior_turns": [{"role": "system", "content": "x"}]},
            "prior_turns[0].role: 'system' is not one of user, assistant",
        ),
        (
            {"provenance": {"source": "x"}},
            "provenance.origin: missing; one of synthetic, public, private",
        ),
        ({"provenance": "public"}, "provenance: an object is needed, not text"),
        (
            {"category": "gold"},
            "category: 'gold' is not one of golden, adversarial, no_match",
        ),
        (
            {"query_type": "multi"},
            f"query_type: 'multi' is not one of {', '.join(QueryType)}",
        ),
        (
            {"expected_answer_status": "ok"},
            f"expected_answer_status: 'ok' is not one of {', '.join(AnswerStatus)}",
        ),
        (
            {"expected_reason": 5},
            f"expected_reason: 5 is not one of {', '.join(ReasonCode)}",
        ),
    ],
)
def test_a_wrong_field_is_refused_by_name(
    file: Path, fields: dict[str, object], problem: str
) -> None:
    assert row_refusal(file, **fields) == [problem]


@pytest.mark.parametrize("part", ["target", "expected_doc_ids", "expected_terms"])
@pytest.mark.parametrize("empty", [None, "gone", [], "", [" "]])
def test_a_target_without_one_of_its_parts_is_refused(
    file: Path, part: str, empty: object
) -> None:
    spec: dict[str, object] = {
        "target": "A",
        "expected_doc_ids": ["a"],
        "expected_terms": ["x"],
    }
    if empty == "gone":
        del spec[part]
    else:
        spec[part] = empty

    problems = row_refusal(file, expected_claim_citations=[spec])

    assert problems
    assert all(f"expected_claim_citations[0].{part}" in line for line in problems)


def test_every_problem_of_the_file_is_shown_at_once(file: Path) -> None:
    problems = refusal(
        file,
        '{"id": "a", "query": "", "tags": 1}\n{"id": "b"}\n\n[5]\n{"id": "c", "qu',
    )

    assert problems == [
        "cases.jsonl:1: query: blank",
        "cases.jsonl:1: tags: a list is needed, not a number",
        "cases.jsonl:2: query: missing",
        "cases.jsonl:4: a case is a JSON object, not a list",
        "cases.jsonl:5: cut off: the string that begins in column 13 never ends",
    ]


def test_l10_l11_l14_l16_a_repeated_id_is_refused_and_both_lines_named(
    file: Path,
) -> None:
    rows = "".join(f'{{"id": "{i}", "query": "q{n}"}}\n' for n, i in enumerate("abaa"))

    assert refusal(file, rows) == [
        'cases.jsonl:3: id: "a" stands at cases.jsonl:1 already',
        'cases.jsonl:4: id: "a" stands at cases.jsonl:1 already',
    ]


def test_l10_ids_are_compared_across_files_too(tmp_path: Path) -> None:
    for name in ("x", "y"):
        (tmp_path / name).write_text('{"id": "a", "query": "q"}\n')

    with pytest.raises(InputError, match=r"y:1: id: \"a\" stands at .*x:1 already"):
        read(tmp_path / "x", tmp_path / "y")


def test_m42_a_number_and_its_text_cannot_both_be_ids(file: Path) -> None:
    rows = '{"id": 1, "query": "q"}\n{"id": "1", "query": "q"}\n'

    assert refusal(file, rows) == [
        'cases.jsonl:2: id: "1" is the same id as 1 at cases.jsonl:1'
    ]


def test_m42_nor_in_gold(file: Path) -> None:
    assert refusal(file, '{"id": "a", "query": "q", "relevant_ids": [1, "1"]}') == [
        'cases.jsonl:1: relevant_ids[1]: "1" is the same id as 1 at cases.jsonl:1'
    ]


def test_l18_case_ids_in_two_normal_forms_are_one_id(file: Path) -> None:
    (problem,) = refusal(
        file,
        '{"id": "é", "query": "q"}\n{"id": "e\u0301", "query": "q"}\n',
    )

    assert problem.startswith("cases.jsonl:2: id: ")


def test_l23_a_json_array_is_refused_with_what_to_write(file: Path) -> None:
    assert refusal(file, '[\n{"id": "a", "query": "q"}\n]') == [
        "cases.jsonl:1: this is a JSON array; write one JSON object a line (JSON Lines)"
    ]


def test_l06_two_cases_on_one_line_are_named_with_their_column(file: Path) -> None:
    row = '{"id": "a", "query": "q"}'

    assert refusal(file, row + row) == [
        "cases.jsonl:1: a second JSON value begins in column 26; write one a line"
    ]


def test_a_name_twice_in_one_object_is_refused(file: Path) -> None:
    assert refusal(file, '{"id": "a", "query": "q", "id": "b"}') == [
        "cases.jsonl:1: 'id' stands twice in one object"
    ]


def test_l21_bytes_that_are_no_utf8_are_named(file: Path) -> None:
    assert refusal(file, b'{"id": "a", "query": "\xe9"}') == [
        "cases.jsonl:1: not UTF-8: byte 0xe9 in column 23"
    ]


@pytest.mark.parametrize("content", ["", "\n\n", "\ufeff\r\n"])
def test_m13_a03_a_file_without_cases_is_no_set_of_cases(
    file: Path, content: str
) -> None:
    assert refusal(file, content) == ["cases.jsonl: no cases"]


def test_a_file_that_is_not_there_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: no such file"):
        read(tmp_path / "nothing")
