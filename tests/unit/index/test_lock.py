"""One writer at a time; the lock ends with whoever holds it, however that ends."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lastro.errors import KnowledgeBaseBusy, KnowledgeBaseError
from lastro.index.folder import LOCK
from lastro.index.lock import writing

HOLD = """
import sys, time
from pathlib import Path
from lastro.index.lock import writing
with writing(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_second_writer_waits_its_time_and_is_told_that_it_is_busy(
    tmp_path: Path,
) -> None:
    with writing(tmp_path):
        began = time.monotonic()
        with (
            pytest.raises(KnowledgeBaseBusy, match="another process"),
            writing(tmp_path, wait=0.2),
        ):
            pass
        assert 0.1 < time.monotonic() - began < 5

    with writing(tmp_path, wait=0):
        pass


def test_an_error_inside_gives_the_lock_back(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), writing(tmp_path):
        raise RuntimeError

    with writing(tmp_path, wait=0):
        pass


def test_a_killed_writer_leaves_no_lock(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline().strip() == b"held"
        with pytest.raises(KnowledgeBaseBusy), writing(tmp_path, wait=0):
            pass
        os.kill(child.pid, signal.SIGKILL)

    with writing(tmp_path, wait=0):
        pass


def test_a_lock_that_cannot_be_opened_is_an_error_of_ours(tmp_path: Path) -> None:
    (tmp_path / LOCK).mkdir()

    with (
        pytest.raises(KnowledgeBaseError, match="cannot be written"),
        writing(tmp_path, wait=0),
    ):
        pass
