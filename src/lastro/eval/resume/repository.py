"""Which state of a repository a run was made in, as git says it."""

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

_SECONDS = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository:
    """A commit, the tree of its files, and whether files differ from it.

    None is not known: no git, no repository, no commit yet, or no answer in
    five seconds.  Files that git does not follow make nothing ``dirty``.
    """

    commit: str | None = None
    tree: str | None = None
    dirty: bool | None = None


def repository(folder: Path) -> Repository:
    """Ask git about the repository that ``folder`` lies in."""
    named = _git(folder, "rev-parse", "HEAD", "HEAD^{tree}")
    if named is None:
        return Repository()
    commit, tree = named.split()
    changed = _git(folder, "status", "--porcelain", "--untracked-files=no")
    return Repository(
        commit=commit, tree=tree, dirty=None if changed is None else bool(changed)
    )


def holds(folder: Path, tree: str) -> bool | None:
    """Ask git whether the repository of ``folder`` has the files of a tree.

    None is not known: no git, no repository, or one without all of its history.
    """
    shallow = _git(folder, "rev-parse", "--is-shallow-repository")
    if _git(folder, "cat-file", "-e", f"{tree}^{{tree}}") is not None:
        return True
    return False if shallow == "false" else None


def _git(folder: Path, *words: str) -> str | None:
    git = shutil.which("git")
    if git is None:
        return None
    try:
        done = subprocess.run(  # noqa: S603 - our own words, no shell
            [git, "--no-optional-locks", "-C", str(folder), *words],
            capture_output=True,
            check=True,
            timeout=_SECONDS,
            encoding="utf-8",
            errors="replace",
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()
