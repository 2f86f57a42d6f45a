"""A kill at any moment loses nothing acknowledged and tears no document."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.functional


def test_three_kills_lose_nothing_and_tear_nothing(tmp_path: Path) -> None:
    out = tmp_path / "kill9.json"
    script = [sys.executable, str(ROOT / "bench" / "kill9.py")]
    ended = subprocess.run(
        [*script, "--kills=3", "--seed=7", "--documents=90", f"--out={out}"],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    found = json.loads(out.read_text(encoding="utf-8"))

    assert found["wrong"] == []
    assert found["kills"] == 3
    assert found["reader_checks"] > 0
    assert found["counts"]["documents checked"] >= 4 * 90
    assert ended.returncode == 0
