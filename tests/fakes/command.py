"""The real command line, run as a process."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

LASTRO = Path(sys.executable).with_name("lastro")


def lastro(
    *args: str | Path, code: int | None = 0, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the command and check its exit code; None: any."""
    done = subprocess.run(
        [LASTRO, *args],
        capture_output=True,
        check=False,
        encoding="utf-8",
        env={**os.environ, "NO_COLOR": "1", **(env or {})},
        timeout=120,
    )
    assert code in {None, done.returncode}, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done
