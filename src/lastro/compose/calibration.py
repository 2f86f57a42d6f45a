"""The calibration of a knowledge base: one file in its folder."""

import os
from pathlib import Path

from lastro.errors import KnowledgeBaseError
from lastro.gate.calibrated import Calibration, dumps, loads
from lastro.index.folder import only_our_errors

FILE = "calibration.json"
_AGAIN = "`lastro calibrate CASES --kb KB` makes it anew; without the file the base "
_HINT = f"{_AGAIN}is uncalibrated."


def read(kb: Path) -> Calibration | None:
    """Return what was fitted to the knowledge base at ``kb``, if anything was.

    Raises:
        KnowledgeBaseError: it cannot be read, or is no calibration.
    """
    path = kb / FILE
    try:
        return loads(path.read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        why = (error.strerror or "the system refused it").lower()
        raise KnowledgeBaseError(f"{path} cannot be read: {why}", hint=_HINT) from None
    except ValueError as error:
        what = "it is not UTF-8" if isinstance(error, UnicodeDecodeError) else error
        raise KnowledgeBaseError(f"{path} is damaged: {what}", hint=_HINT) from None


def write(kb: Path, found: Calibration) -> None:
    """Keep what was fitted; a reader sees the old file or the new one, whole.

    Raises:
        KnowledgeBaseError: it cannot be written.
    """
    path = kb / FILE
    draft = path.with_suffix(f".new-{os.getpid()}")
    with only_our_errors(path):
        with draft.open("w", encoding="utf-8", newline="\n") as file:
            file.write(dumps(found))
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
