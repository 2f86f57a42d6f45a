"""A knowledge base says what it is, and nothing else is taken for one."""

from pathlib import Path

import pytest

from lastro.errors import KnowledgeBaseError
from lastro.index import folder


def page(kb: Path, text: str) -> Path:
    (kb / folder.PAGE).write_text(text, encoding="utf-8")
    return kb


def test_what_was_written_is_read_and_settings_may_stand_in_it(tmp_path: Path) -> None:
    folder.write(tmp_path, "lastro 9.9")
    with (tmp_path / folder.PAGE).open("a", encoding="utf-8") as file:
        file.write("retrieval_min_score = 2.0\n")

    assert folder.read(tmp_path) == folder.Folder(
        format=folder.FORMAT,
        created_by="lastro 9.9",
        settings={"retrieval_min_score": 2.0},
    )


def test_a_folder_that_is_no_knowledge_base_is_refused_with_a_hint(
    tmp_path: Path,
) -> None:
    for kb, what in ((tmp_path, "is not a"), (tmp_path / "none", "does not exist")):
        with pytest.raises(KnowledgeBaseError, match=what) as refusal:
            folder.read(kb)
        assert "lastro ingest" in refusal.value.hint


def test_a_file_is_refused_as_a_knowledge_base(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("text", encoding="utf-8")

    with pytest.raises(KnowledgeBaseError, match="is not a knowledge base"):
        folder.read(file)
    with pytest.raises(KnowledgeBaseError, match="is a file"):
        folder.refuse_foreign(file)


def test_a_newer_format_is_refused_and_the_known_one_is_not(tmp_path: Path) -> None:
    assert folder.read(page(tmp_path, "format = 2\n")).format == 2
    with pytest.raises(KnowledgeBaseError, match="newer version") as refusal:
        folder.read(page(tmp_path, "format = 3\n"))
    assert "upgrade" in refusal.value.hint


def test_an_earlier_format_is_refused_with_both_numbers_and_a_way_out(
    tmp_path: Path,
) -> None:
    with pytest.raises(
        KnowledgeBaseError, match=r"earlier version.*format 1; .* format 2"
    ) as refusal:
        folder.read(page(tmp_path, "format = 1\n"))
    assert "lastro ingest SOURCES --kb NEW" in refusal.value.hint


def test_a_page_that_is_no_text_is_named_in_plain_words(tmp_path: Path) -> None:
    (tmp_path / folder.PAGE).write_bytes(b"format = 2 # \xe9\xff")

    with pytest.raises(KnowledgeBaseError, match=r"toml is damaged: it is not UTF-8"):
        folder.read(tmp_path)


@pytest.mark.parametrize(
    "text", ["format = ", 'format = "1"\n', "", "format = 2\nsettings = 3\n", "\x00"]
)
def test_a_page_that_cannot_be_understood_is_named(tmp_path: Path, text: str) -> None:
    with pytest.raises(KnowledgeBaseError, match=r"lastro\.toml"):
        folder.read(page(tmp_path, text))


def test_a_knowledge_base_is_not_made_among_foreign_files(tmp_path: Path) -> None:
    folder.refuse_foreign(tmp_path / "new")
    folder.refuse_foreign(tmp_path)
    (tmp_path / folder.STORE).touch()
    (tmp_path / folder.LOCK).touch()
    folder.refuse_foreign(tmp_path)

    (tmp_path / "thesis.docx").touch()
    with pytest.raises(KnowledgeBaseError, match=r"thesis\.docx"):
        folder.refuse_foreign(tmp_path)

    folder.write(tmp_path, "lastro")
    folder.refuse_foreign(tmp_path)
