"""The doctor says what a base lacks, and changes nothing."""

import json
from pathlib import Path

import desk
import pytest
from command import lastro

FITTED = {
    "schema_version": 1,
    "lexical": {"bias": 0.0, "weights": {"score": 1.0}},
    "dense": None,
}


@pytest.fixture
def base(tmp_path: Path) -> Path:
    lastro("ingest", desk.write(tmp_path / "docs"), "--kb", tmp_path / "kb")
    return tmp_path / "kb"


def found(base: Path, **env: str) -> dict[str, dict[str, str]]:
    done = lastro("doctor", "--kb", base, "--json", env=env)
    return {row["about"]: row for row in json.loads(done.stdout)["findings"]}


def test_without_a_base_it_says_what_is_installed() -> None:
    done = lastro("doctor")

    assert "extra dense" in done.stdout
    assert "extra ko" in done.stdout
    assert done.stdout.endswith("0 warnings\n")


def test_an_uncalibrated_base_says_so_and_what_to_do(base: Path) -> None:
    rows = found(base)

    assert rows["documents"]["what"].startswith("3 documents in 3 passages; en 2")
    assert rows["search, lexical leg"]["level"] == "ok"
    assert rows["search, dense leg"]["level"] == "ok"
    assert rows["calibration"]["level"] == "warning"
    assert rows["calibration"]["what"].startswith("uncalibrated")
    assert "lastro calibrate" in rows["calibration"]["advice"]
    assert rows["vectors"]["what"].startswith("static; all 3 passages anew: about")


def test_a_calibration_of_another_state_of_the_base_is_stale(
    base: Path,
) -> None:
    said = {"n": 60, "at": "2026-01-01", "kb": {"documents": 3, "listing": "other"}}
    kept = json.dumps(FITTED | {"provenance": said})
    (base / "calibration.json").write_text(kept, encoding="utf-8")

    row = found(base)["calibration"]

    assert row["level"] == "warning"
    assert row["what"].startswith("stale: fitted to 60 cases, 2026-01-01")


def test_vectors_of_another_embedder_than_asked_for_are_told(base: Path) -> None:
    lastro("embed", "--kb", base, "--embedder", "none")

    rows = found(base, LASTRO_EMBEDDER="static")

    assert rows["search, dense leg"]["level"] == "warning"
    assert rows["vectors"]["what"].startswith("static; all 3 passages")
    told = lastro("doctor", "--kb", base, env={"LASTRO_EMBEDDER": "static"}).stdout
    assert "those of nobody, and the setting asks for static" in told


def test_it_leaves_the_base_as_it_was(base: Path) -> None:
    before = {path: path.read_bytes() for path in base.iterdir() if path.is_file()}

    lastro("doctor", "--kb", base)

    after = {path: path.read_bytes() for path in base.iterdir() if path.is_file()}
    assert {p: b for p, b in after.items() if p in before} == before


def test_what_is_no_base_is_one_clear_error(tmp_path: Path) -> None:
    told = lastro("doctor", "--kb", tmp_path / "nowhere", code=3)

    assert "does not exist" in told.stderr
