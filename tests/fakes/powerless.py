"""Runs code in a process that the permissions of files hold for, also for root."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

FAKES = Path(__file__).parent
_POWERS = "-dac_override,-dac_read_search,-fowner"


def run(code: str, *arguments: object, cwd: Path | None = None) -> str:
    """Return what ``code`` prints; skip where the system cannot do without powers."""
    command = [sys.executable, "-W", "error", "-c", code, *map(str, arguments)]
    if sys.platform == "win32":
        pytest.skip("needs POSIX permissions")
    if os.getuid() == 0:
        setpriv = shutil.which("setpriv")
        if setpriv is None:
            pytest.skip("root reads everything, and there is no setpriv")
        command = [setpriv, f"--bounding-set={_POWERS}", *command]
    paths = os.pathsep.join([str(FAKES), *filter(None, sys.path)])
    done = subprocess.run(
        command,
        check=False,
        capture_output=True,
        text=True,
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": paths, "PYTHONUTF8": "1"},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
