"""Where files are: one place however a path is written."""

from pathlib import Path

from lastro.index.ledger import Owner
from lastro.index.places import elsewhere, outermost, resolved


def test_sources_are_absolute_places_with_links_resolved(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "link").symlink_to("docs", target_is_directory=True)

    assert resolved([tmp_path / "link", tmp_path / "docs"]) == [f"{tmp_path}/docs"]
    assert resolved(["."]) == [Path.cwd().as_posix()]


def test_the_outermost_source_of_all_runs_names_a_file() -> None:
    roots = ["/docs/ko", "/docs", "/doc"]

    assert outermost(roots, "/docs/ko/a.md") == "/docs"
    assert outermost(roots, "/docs2/a.md") == "/docs2/a.md"


def owner(place: Path, line: int = 0) -> Owner:
    return Owner("", place.as_posix(), line, "", seen=False)


def test_a_document_is_elsewhere_only_while_its_file_is_there(tmp_path: Path) -> None:
    there, here = tmp_path / "a.md", tmp_path / "b.md"
    here.write_text("b")

    assert not elsewhere(owner(there), here.as_posix(), 0)
    there.write_text("a")
    assert elsewhere(owner(there), here.as_posix(), 0)
    assert not elsewhere(owner(there), there.as_posix(), 0)
    assert not elsewhere(owner(there, 3), here.as_posix(), 7)
    here.unlink()
    here.hardlink_to(there)
    assert not elsewhere(owner(there), here.as_posix(), 0)
