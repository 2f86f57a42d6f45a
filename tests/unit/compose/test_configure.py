"""Settings: flag over environment over file over knowledge base over default."""

from pathlib import Path

import pytest

from lastro.compose.configure import POLICIES, describe_settings, settings
from lastro.errors import KnowledgeBaseError, SettingsError
from lastro.index import folder
from lastro.model.answer import Policy


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def kb_with(tmp_path: Path, lines: str) -> Path:
    kb = tmp_path / "kb"
    kb.mkdir()
    folder.write(kb, "test")
    with (kb / folder.PAGE).open("a", encoding="utf-8") as file:
        file.write(lines)
    return kb


def test_each_source_yields_to_the_one_above_it(tmp_path: Path) -> None:
    kb = kb_with(tmp_path, "retrieval_top_k = 5\n")
    seen = [settings(kb, environ={}).retrieval.top_k]
    (tmp_path / ".env").write_text("# mine\nexport LASTRO_RETRIEVAL_TOP_K='6'\n")
    seen.append(settings(kb, environ={}).retrieval.top_k)
    environ = {"LASTRO_RETRIEVAL_TOP_K": "7"}
    seen.append(settings(kb, environ=environ).retrieval.top_k)
    flags = {"retrieval_top_k": 8}
    seen.append(settings(kb, environ=environ, flags=flags).retrieval.top_k)

    assert settings(None, environ={}, flags={}).retrieval.top_k == 6
    assert seen == [5, 6, 7, 8]


def test_the_origin_of_each_value_is_kept(tmp_path: Path) -> None:
    kb = kb_with(tmp_path, 'grounding_policy = "strict"\n')
    seen = settings(kb, environ={"ACL_RETRIEVAL_MIN_TERMS": "3"})

    assert seen.retrieval.grounding_policy is Policy.STRICT
    assert seen.origin["grounding_policy"] == "kb"
    assert seen.origin["retrieval_min_terms"] == "ACL_RETRIEVAL_MIN_TERMS"
    assert seen.origin["provider"] == "default"


def test_the_old_mode_is_read_ignored_and_warned_about_once() -> None:
    seen = settings(None, environ={"ACL_RETRIEVAL_MODE": "hybrid"})

    assert len(seen.warnings) == 1
    assert "RETRIEVAL_MODE" in seen.warnings[0]


def test_where_both_names_are_set_ours_wins_with_a_warning() -> None:
    environ = {"LASTRO_RETRIEVAL_TOP_K": "5", "ACL_RETRIEVAL_TOP_K": "9"}
    seen = settings(None, environ=environ)

    assert seen.retrieval.top_k == 5
    assert "ACL_RETRIEVAL_TOP_K" in seen.warnings[0]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("LASTRO_RETRIEVAL_TOP_K", "0"),
        ("LASTRO_RETRIEVAL_TOP_K", "many"),
        ("LASTRO_RETRIEVAL_MIN_COVERAGE", "nan"),
        ("LASTRO_GROUNDING_POLICY", "loose"),
        ("LASTRO_DISAMBIGUATION_ENABLED", "maybe"),
        ("LASTRO_NO_SUCH", "1"),
    ],
)
def test_a_wrong_setting_stops_the_start_and_is_named(name: str, value: str) -> None:
    with pytest.raises(SettingsError) as caught:
        settings(None, environ={name: value})
    assert name in caught.value.problems


def test_a_wrong_value_in_the_knowledge_base_is_named(tmp_path: Path) -> None:
    kb = kb_with(tmp_path, "retrieval_top_k = 1000\n")

    with pytest.raises(SettingsError, match="retrieval_top_k"):
        settings(kb, environ={})


def test_a_knowledge_base_that_is_none_is_an_error_and_a_missing_one_is_not(
    tmp_path: Path,
) -> None:
    kb = kb_with(tmp_path, "= broken\n")

    with pytest.raises(KnowledgeBaseError):
        settings(kb, environ={})
    assert settings(tmp_path / "none", environ={}).retrieval.top_k == 4


def test_a_file_of_settings_that_is_no_text_is_an_error(tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes(b"\xff\xfe\x00bad")

    with pytest.raises(SettingsError, match="env"):
        settings(None, environ={})


def test_every_setting_is_described_with_its_source() -> None:
    rows, warnings = describe_settings(None, {"LASTRO_PROVIDER": "quote"})

    by_env = {row["env"]: row for row in rows}
    assert by_env["LASTRO_PROVIDER"]["source"] == "LASTRO_PROVIDER"
    assert by_env["LASTRO_RETRIEVAL_MIN_SCORE"]["value"] == 1.5
    assert by_env["LASTRO_RETRIEVAL_MIN_SCORE"]["twin"] == "ACL_RETRIEVAL_MIN_SCORE"
    assert warnings == ()
    assert len(POLICIES) == 3
