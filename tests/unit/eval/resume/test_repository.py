"""A run knows the commit it was made at, and whether files differ from it."""

import shutil
import subprocess
from pathlib import Path

import pytest

from lastro.eval.resume.repository import Repository, repository

GIT = shutil.which("git") or ""


def git(folder: Path, *words: str) -> str:
    own = ["-c", "user.name=n", "-c", "user.email=e@example.org"]
    done = subprocess.run(
        [GIT, "-C", str(folder), *own, *words],
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    if not GIT:
        pytest.skip("there is no git here")
    git(tmp_path, "init", "-q")
    (tmp_path / "a").write_text("1")
    git(tmp_path, "add", "a")
    return tmp_path


def test_a_commit_its_tree_and_changed_files_are_told(clone: Path) -> None:
    git(clone, "commit", "-q", "-m", "one")
    commit, tree = (git(clone, "rev-parse", what) for what in ("HEAD", "HEAD^{tree}"))
    (clone / "runs").mkdir()
    (clone / "runs" / "new").write_text("not followed")
    inside = repository(clone / "runs")
    (clone / "a").write_text("2")

    assert inside == Repository(commit=commit, tree=tree, dirty=False)
    assert repository(clone) == Repository(commit=commit, tree=tree, dirty=True)


def test_without_a_commit_nothing_is_known(clone: Path) -> None:
    assert repository(clone) == Repository()


def test_outside_of_a_repository_nothing_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))

    assert repository(tmp_path) == Repository()


def test_without_git_nothing_is_known(
    clone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(clone, "commit", "-q", "-m", "one")
    monkeypatch.setenv("PATH", str(clone))

    assert repository(clone) == Repository()
