"""What tantivy raises, in our own words: also its panics, which are no exceptions."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lastro.errors import KnowledgeBaseError


@contextmanager
def only_our_errors(folder: Path) -> Iterator[None]:
    """Translate tantivy's exceptions; a panic in it is one of them."""
    try:
        yield
    except (ValueError, OSError) as error:
        raise _unreadable(folder, error) from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise _unreadable(folder, error) from error


def _unreadable(folder: Path, error: BaseException) -> KnowledgeBaseError:
    if "os error 28" in str(error) or "No space left" in str(error):
        return KnowledgeBaseError(
            f"the disk is full: the lexical index in {folder} cannot be written",
            hint="Make room and run the command again: nothing was lost.",
        )
    if "os error 13" in str(error) or isinstance(error, PermissionError):
        return KnowledgeBaseError(
            f"the lexical index in {folder} cannot be read or written: permission"
            " denied",
            hint="Check the permissions of the folder and of the files in it.",
        )
    return KnowledgeBaseError(
        f"the lexical index in {folder} cannot be read or written",
        hint="Nothing is lost: remove the folder, and the next command rebuilds it.",
    )
