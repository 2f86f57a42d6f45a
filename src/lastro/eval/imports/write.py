"""What was imported, as JSON Lines: a file is written whole, or not at all."""

import json
import os
from collections.abc import Iterable
from dataclasses import MISSING, fields
from pathlib import Path

import msgspec

from lastro.errors import EvaluationError
from lastro.model.case import Case


def case_line(case: Case) -> str:
    """Return a case as one line of JSON, without what is as by default."""
    said = {
        item.name: msgspec.to_builtins(getattr(case, item.name))
        for item in fields(Case)
        if item.default is MISSING or getattr(case, item.name) != item.default
    }
    said.update(said.pop("extra", {}))
    return json.dumps(said, ensure_ascii=False, allow_nan=False)


def write_lines(path: Path, lines: Iterable[str]) -> int:
    """Write lines as they come and return how many there were.

    Whoever reads ``path`` sees what was there before, or all of it.

    Raises:
        EvaluationError: it cannot be written.
        LastroError: whatever ``lines`` raise; nothing is written then.
    """
    new = path.with_name(f".{path.name}-{os.getpid()}")
    written = 0
    try:
        with new.open("w", encoding="utf-8", newline="\n") as file:
            for line in lines:
                file.write(line + "\n")
                written += 1
        new.replace(path)
    except OSError as error:
        why = (error.strerror or "unknown reason").lower()
        raise EvaluationError(
            f"{path} cannot be written: {why}",
            hint="Give an --out in a folder that you can write to.",
        ) from error
    finally:
        new.unlink(missing_ok=True)
    return written
