"""Which files are read, in which order, and under which path."""

import os
import socket
import sys
from pathlib import Path

import pytest

from lastro.corpus.found import Skipped, Unreadable
from lastro.corpus.walk import Candidate, walk

posix = pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX system")


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    for name in ("b.md", "a.md", "sub/c.md", "sub/a.md", ".git/x.md", ".hidden.md"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    return folder


def paths(*sources: Path, roots: tuple[Path, ...] = ()) -> list[str]:
    return [s.path for s in walk(sources, roots) if isinstance(s, Candidate)]


def test_a_folder_is_read_in_the_order_of_names_without_hidden_ones(
    docs: Path,
) -> None:
    assert paths(docs) == ["a.md", "b.md", "sub/a.md", "sub/c.md"]


def test_the_source_is_what_a_person_can_open(
    docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(docs.parent)

    named = [step.source for step in walk([Path("docs")])]
    here = [step.source for step in walk([Path()])]

    hidden = ["docs/.git", "docs/.hidden.md"]
    read = ["docs/a.md", "docs/b.md", "docs/sub/a.md", "docs/sub/c.md"]
    assert named == here == hidden + read


def test_a_file_has_one_path_however_it_is_named(docs: Path) -> None:
    """I33, I53: one file under two names was indexed twice."""
    once = paths(docs / "sub" / "c.md", docs / "sub", docs, docs / "a.md")

    assert once == ["sub/c.md", "sub/a.md", "a.md", "b.md"]


def test_a_single_file_is_known_by_its_name(docs: Path) -> None:
    assert paths(docs / "a.md") == ["a.md"]
    assert paths(docs / "sub" / "c.md") == ["c.md"]


def test_a_single_file_keeps_its_path_below_a_folder_of_an_earlier_run(
    docs: Path,
) -> None:
    """I34: the edited file became a new document beside the old one."""
    assert paths(docs / "sub" / "c.md", roots=(docs,)) == ["sub/c.md"]
    assert paths(docs / "sub", roots=(docs,)) == ["sub/a.md", "sub/c.md"]


def test_a_hidden_name_is_said_if_a_person_named_it(docs: Path) -> None:
    steps = list(walk([docs / ".hidden.md", docs / ".git", docs / "a.md"]))

    assert [type(step) for step in steps] == [Skipped, Skipped, Candidate]


def test_what_is_hidden_in_a_folder_is_said_in_one_line_each(docs: Path) -> None:
    skipped = [s for s in walk([docs]) if isinstance(s, Skipped)]

    assert [(s.id, s.why) for s in skipped] == [
        (".git", "hidden"),
        (".hidden.md", "hidden"),
    ]


@posix
def test_a_link_out_of_the_source_is_not_followed(docs: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.md"
    secret.write_text("secret")
    (docs / "link.md").symlink_to(secret)
    (docs / "up").symlink_to(tmp_path, target_is_directory=True)

    whys = [s.why for s in walk([docs]) if isinstance(s, Skipped)]

    assert whys == ["hidden"] * 2 + ["a link out of the source"] * 2
    assert len(paths(docs)) == 4


@posix
def test_a_link_inside_the_source_is_one_document(docs: Path) -> None:
    (docs / "again.md").symlink_to("b.md")
    (docs / "loop").symlink_to(".", target_is_directory=True)
    (docs / "gone.md").symlink_to("nothing.md")

    whys = {s.source.rpartition("/")[2]: s.why for s in walk([docs])
            if isinstance(s, Skipped)}  # fmt: skip

    assert whys["again.md"] == "a link to b.md, which is read itself"
    assert whys["gone.md"] == "a link to nothing"
    assert whys["loop"] == "a link to ., which is read itself"
    assert len(paths(docs)) == 4


@posix
def test_a_link_to_hidden_content_is_read_under_its_own_name(tmp_path: Path) -> None:
    """The way in which Kubernetes mounts a folder of files."""
    data = tmp_path / "..2026_data"
    data.mkdir()
    (data / "a.md").write_text("a")
    (tmp_path / "..data").symlink_to(data.name, target_is_directory=True)
    (tmp_path / "a.md").symlink_to("..data/a.md")

    assert paths(tmp_path) == ["a.md"]


@posix
def test_a_named_link_is_followed(docs: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(docs, target_is_directory=True)

    assert paths(tmp_path / "link") == paths(docs)


@posix
def test_a_named_link_to_a_file_is_that_file(docs: Path, tmp_path: Path) -> None:
    (tmp_path / "link.md").symlink_to(docs / "a.md")

    assert paths(tmp_path / "link.md") == ["a.md"]


@posix
def test_a_place_is_where_a_file_stands_with_links_resolved(
    docs: Path, tmp_path: Path
) -> None:
    (docs / "..data").mkdir()
    (docs / "..data" / "k.md").write_text("k")
    (docs / "k.md").symlink_to("..data/k.md")
    (tmp_path / "link").symlink_to(docs, target_is_directory=True)

    places = [s.place for s in walk([tmp_path / "link"]) if isinstance(s, Candidate)]

    names = ("a.md", "b.md", "k.md", "sub/a.md", "sub/c.md")
    assert places == [(docs / name).as_posix() for name in names]


@posix
def test_what_is_no_regular_file_is_never_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "s.md"))
        steps = list(walk([tmp_path]))

    assert [getattr(step, "why", "") for step in steps] == ["not a regular file"] * 2


@posix
def test_a_folder_that_cannot_be_listed_is_said(docs: Path) -> None:
    (docs / "sub").chmod(0)
    if os.access(docs / "sub", os.R_OK):
        pytest.skip("this user may read everything")
    try:
        steps = list(walk([docs]))
    finally:
        (docs / "sub").chmod(0o700)

    (failed,) = (s for s in steps if isinstance(s, Unreadable))
    assert (failed.id, failed.why) == ("sub", "permission denied")


def test_the_questions_of_a_beir_set_are_no_documents(tmp_path: Path) -> None:
    for name in ("corpus.jsonl", "queries.jsonl", "qrels.tsv", "qrels/test.tsv"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("{}")

    skipped = [s.id for s in walk([tmp_path]) if isinstance(s, Skipped)]

    assert paths(tmp_path) == ["corpus.jsonl"]
    assert skipped == ["qrels", "qrels.tsv", "queries.jsonl"]


def test_a_knowledge_base_inside_a_source_is_no_source(docs: Path) -> None:
    (docs / "kb").mkdir()
    (docs / "kb" / "lastro.toml").write_text("")

    *_, skipped = (s for s in walk([docs]) if isinstance(s, Skipped))

    assert (skipped.id, skipped.why) == ("kb", "a knowledge base, not a source")


def test_folders_may_be_nested_deep(tmp_path: Path) -> None:
    folder = tmp_path
    for _ in range(300):
        folder = folder / "d"
    folder.mkdir(parents=True)
    (folder / "a.md").write_text("a")

    (path,) = paths(tmp_path)

    assert path.count("/") == 300
