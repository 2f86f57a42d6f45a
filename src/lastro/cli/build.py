"""What a build's page is given, where there is such a build: GitHub's.

The only place that knows its environment.  A page that cannot be written is
warned of and changes no verdict.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from lastro.cli.screen import for_people, warn

if TYPE_CHECKING:
    from lastro.eval.results import Run
    from lastro.model.score import Verdict

SUMMARY, BUILD = "GITHUB_STEP_SUMMARY", "GITHUB_ACTIONS"


def publish(run: "Run", verdict: "Verdict", environ: Mapping[str, str]) -> None:
    """Append the report to the step's summary, and annotate the log.

    Annotations go to stderr, which a build reads as it reads stdout: with
    ``--json`` nothing of them stands between a program and its object.
    """
    where = environ.get(SUMMARY, "").strip()
    if where:
        from lastro.eval.report.markdown import markdown

        _append(Path(where), markdown(run, verdict))
    if environ.get(BUILD) == "true":
        from lastro.eval.report.build import annotations

        for line in annotations(run, verdict):
            for_people(line)


def _append(path: Path, page: str) -> None:
    from lastro.eval.report.build import LIMIT, summary

    if not path.is_absolute() or path.is_dir():
        warn(f"{SUMMARY} is no path of a file: no summary is written")
        return
    try:
        with path.open("ab") as file:
            # What earlier commands of this step wrote counts: the limit is a step's.
            taken = file.seek(0, os.SEEK_END)
            head = b"\n" if taken else b""
            file.write(head + summary(page, limit=LIMIT - taken - len(head)).encode())
    except OSError as error:
        why = (error.strerror or "unknown reason").lower()
        warn(f"{SUMMARY} cannot be written: {why}")
