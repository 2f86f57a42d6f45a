"""Only parts that exist can be chosen, and a wrong name lists those that do."""

from pathlib import Path

import pytest

from lastro.compose.parts import (
    contract_texts,
    make_provider,
    policy_named,
    refuse_system,
    stamp,
)
from lastro.errors import KnowledgeBaseError, UsageError
from lastro.model.answer import Policy


def test_quote_is_built_in() -> None:
    assert make_provider("quote").name == "quote"


@pytest.mark.parametrize(
    ("call", "listed"),
    [
        (lambda: make_provider("oracle"), "quote"),
        (lambda: refuse_system("psychic"), "naive"),
        (lambda: policy_named("loose"), "strict, anchored, hybrid"),
    ],
)
def test_an_unknown_name_lists_the_choices(call: object, listed: str) -> None:
    with pytest.raises(UsageError, match=listed):
        call()  # type: ignore[operator]


def test_the_agentic_system_is_said_to_come_later() -> None:
    with pytest.raises(UsageError, match="only naive is"):
        refuse_system("agentic")


def test_no_policy_named_is_no_policy() -> None:
    assert policy_named(None) is None
    assert policy_named("hybrid") is Policy.HYBRID


def test_two_turns_never_share_an_identity() -> None:
    assert stamp().id != stamp().id


def test_a_knowledge_bases_own_contracts_are_read(tmp_path: Path) -> None:
    (tmp_path / "strict.pt.txt").write_text("Só os trechos.", encoding="utf-8")

    assert contract_texts(tmp_path) == {"strict.pt": "Só os trechos."}
    assert contract_texts(tmp_path / "none") == {}


def test_a_contract_that_nothing_would_read_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "strikt.pt.txt").write_text("x", encoding="utf-8")

    with pytest.raises(KnowledgeBaseError, match="strikt"):
        contract_texts(tmp_path)


def test_a_contract_that_is_no_text_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "strict.pt.txt").write_bytes(b"\xff\xff")

    with pytest.raises(KnowledgeBaseError, match="UTF-8"):
        contract_texts(tmp_path)
