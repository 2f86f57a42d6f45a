"""A base that knows what it should hold says what it lacks, and answers still."""

import json
from pathlib import Path

import desk
import pytest
from command import lastro

ROWS = (
    {"id": "en/lockers.md", "title": "Renting a locker", "locale": "en"},
    {"id": "pt/armarios.md", "title": "Aluguel de armários", "locale": "pt-BR"},
)


@pytest.fixture
def base(tmp_path: Path) -> Path:
    lastro("ingest", desk.write(tmp_path / "docs"), "--kb", tmp_path / "kb")
    return tmp_path / "kb"


def asked(base: Path, question: str) -> dict[str, object]:
    done = lastro("ask", question, "--kb", base, "--json")
    answer: dict[str, object] = json.loads(done.stdout)
    return answer


def test_a_known_document_that_is_missing_is_the_reason_and_advisory(
    base: Path,
) -> None:
    question = "How does renting a locker work for a visitor?"
    plain = asked(base, question)
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS)
    (base / "catalogue.jsonl").write_text(text, encoding="utf-8")

    told = asked(base, question)
    other = asked(base, "Como funciona o aluguel de armários?")
    fine = asked(base, "How long is a guest code valid?")

    assert told["decision"]["reason"] == "index_gap"  # type: ignore[index]
    assert other["decision"]["reason"] == "index_gap"  # type: ignore[index]
    assert fine["decision"]["reason"] != "index_gap"  # type: ignore[index]
    assert told["answer_text"] == plain["answer_text"]
    assert "Known but not indexed" in lastro("ask", question, "--kb", base).stderr
    found = lastro("search", question, "--kb", base, "--json").stdout
    assert json.loads(found)["decision"]["reason"] == "index_gap"


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("[]", "it is no object"),
        ('{"title": "x"}', "id is no text"),
        ('{"id": "x", "title": 3}', "title is no text"),
        ('{"id": "x", "title": "x", "slug": []}', "slug is no text"),
        ("{", "cut off"),
    ],
)
def test_a_bad_line_is_one_clear_error_with_its_place(
    base: Path, line: str, what: str
) -> None:
    file = base / "catalogue.jsonl"
    file.write_text('{"id": "a", "title": "a"}\n' + line + "\n", encoding="utf-8")

    told = lastro("ask", "How long is a guest code valid?", "--kb", base, code=3)

    assert f"{file}:2" in told.stderr
    assert what in told.stderr
