"""Opening a knowledge base: its settings, what was fitted to it, its parts."""

import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from lastro.compose import calibration
from lastro.compose.base import KnowledgeBase
from lastro.compose.configure import dotenv, settings


def open(  # noqa: A001  (the public name: lastro.open)
    kb: Path | str,
    *,
    environ: Mapping[str, str] | None = None,
    flags: Mapping[str, object] | None = None,
    clock: Callable[[], float] = time.perf_counter,
    calibrated: bool = True,
) -> KnowledgeBase:
    """Open the knowledge base at ``kb``; its folder may be made by ``ingest`` later.

    Args:
        kb: the folder of the knowledge base.
        environ: what to read settings from; the process's own by default.
        flags: settings that beat all others, by key (``retrieval_top_k``).
        clock: returns seconds; only timings come from it.
        calibrated: False: as if nothing had been fitted to the base.

    Raises:
        SettingsError: a setting is unknown, malformed or out of range.
        KnowledgeBaseError: there is something at ``kb`` that is none, or its
            calibration cannot be read.
    """
    path = Path(kb)
    values = os.environ if environ is None else environ
    fitted = calibration.read(path) if calibrated else None
    seen = settings(path, environ=values, flags=flags, fitted=fitted)
    made = {**dotenv(Path(".env")), **values}
    return KnowledgeBase(path, seen, clock, made, fitted)
