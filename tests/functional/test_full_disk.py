"""A disk that is full: one clear error, and nothing that was acknowledged is lost."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from command import lastro

pytestmark = pytest.mark.functional

BALLAST = 3_000_000


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """Give a disk of 9 MB, of which 3 MB are taken by a file."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=9m", "tmpfs", str(place)]
    if os.geteuid() != 0 or subprocess.run(mount, check=False).returncode:
        pytest.skip("a small disk can only be made by root")
    (place / "ballast").write_bytes(b"0" * BALLAST)
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)  # noqa: S607


def cards(path: Path, numbers: range) -> Path:
    rows = (
        {
            "id": f"d{number}",
            "title": f"Page {number}",
            "text": f"only{number} " + f"page {number} tells of a matter. " * 60,
            "locale": "en",
        }
        for number in numbers
    )
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def held(kb: Path, number: int) -> bool:
    done = lastro("search", f"only{number}", "--kb", kb, "--json")
    found = json.loads(done.stdout)
    assert {leg["status"] for leg in found["legs"].values()} == {"ok"}, found
    assert "why" not in found["legs"]["dense"], found
    return any(
        hit["document_id"] == f"d{number}" and {"lexical", "dense"} & {*hit["stages"]}
        for hit in found["hits"]
    )


def test_a_full_disk_is_told_and_the_next_run_goes_on(
    disk: Path, tmp_path: Path
) -> None:
    kb = disk / "kb"
    lastro("ingest", cards(tmp_path / "first.jsonl", range(40)), "--kb", kb)

    more = cards(tmp_path / "more.jsonl", range(40, 1500))
    full = lastro("ingest", more, "--kb", kb, code=3)

    assert "disk is full" in full.stderr
    assert "nothing was lost" in full.stderr
    assert held(kb, 7)

    (disk / "ballast").unlink()
    larger = ["mount", "-o", "remount,size=200m", str(disk)]
    subprocess.run(larger, check=True)
    again = lastro("ingest", more, "--kb", kb)
    assert "1,500 documents" in again.stdout
    assert all(held(kb, number) for number in (7, 39, 40, 800, 1499))
