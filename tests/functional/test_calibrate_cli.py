"""Calibrating a base: fitted to cases, worth told, kept in the base, used by turns."""

import json
from pathlib import Path

import pytest
from command import lastro

ROOMS = [f"{hall} {number}" for hall in ("Alder", "Birch") for number in range(20)]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("calibrated")
    for at, room in enumerate(ROOMS):
        text = (
            f"---\nid: room-{at}\n---\n# Room {room}\n\n"
            f"Room {room} seats {at + 5} people. Ask warden {at}.\n"
        )
        (folder / f"room-{at}.md").write_text(text, encoding="utf-8")
    lastro("ingest", folder, "--kb", folder / "kb")
    return folder / "kb"


def cases(folder: Path, answerable: int, others: int) -> Path:
    rows: list[dict[str, object]] = [
        {
            "id": f"a{at}",
            "query": f"How many people does room {ROOMS[at]} seat?",
            "locale": "en",
            "relevant_ids": [f"room-{at}"],
            "expected_reason": "ok",
        }
        for at in range(answerable)
    ]
    rows += [
        {
            "id": f"u{at}",
            "query": f"Which pastry did visitor {at} of the zeppelin museum buy?",
            "locale": "en",
            "answerable": False,
            "expected_reason": "insufficient_context",
        }
        for at in range(others)
    ]
    path = folder / "cases.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_too_few_cases_are_refused_and_it_says_how_many_it_needs(
    base: Path, tmp_path: Path
) -> None:
    told = lastro("calibrate", cases(tmp_path, 20, 5), "--kb", base, code=3)

    assert "too few cases: 25 with an outcome" in told.stderr
    assert "It needs 50, and 10 of either kind" in told.stderr
    assert not (base / "calibration.json").exists()


def test_a_dry_run_says_what_it_is_worth_and_changes_nothing(
    base: Path, tmp_path: Path
) -> None:
    before = sorted(path.name for path in base.iterdir())

    done = lastro("calibrate", cases(tmp_path, 36, 20), "--kb", base, "--dry-run")

    assert done.stdout.startswith("56 cases with an outcome: the search found")
    assert "risk-coverage area" in done.stdout
    assert "expected, and what it is called with that" in done.stdout
    assert "nothing was written: --dry-run" in done.stderr
    assert sorted(path.name for path in base.iterdir()) == before


def test_a_calibration_is_kept_with_its_origin_and_used_by_turns(
    base: Path, tmp_path: Path
) -> None:
    asked = cases(tmp_path, 36, 20)
    question = ("ask", "How many people does room Alder 3 seat?", "--kb", base)
    plain = json.loads(lastro(*question, "--json").stdout)

    first = json.loads(lastro("calibrate", asked, "--kb", base, "--json").stdout)
    kept = json.loads((base / "calibration.json").read_text("utf-8"))
    again = json.loads(lastro("calibrate", asked, "--kb", base, "--json").stdout)
    fitted = json.loads(lastro(*question, "--json").stdout)

    assert first["written"] is True
    assert first["confidence"]["AUROC"]["after"] >= 0.95
    assert again == first  # an earlier calibration is no part of a later one
    assert kept["provenance"]["n"] == 56
    assert {"at", "cases", "kb", "lastro", "seed"} <= set(kept["provenance"])
    assert plain["decision"]["calibrated"] is False
    assert fitted["decision"]["calibrated"] is True
    assert fitted["decision"]["confidence"] > 0.5
    (base / "calibration.json").unlink()


def test_a_damaged_calibration_is_one_clear_error(base: Path) -> None:
    file = base / "calibration.json"
    file.write_text('{"schema_version": 1}', encoding="utf-8")
    try:
        told = lastro("ask", "Who is the warden?", "--kb", base, code=3)
    finally:
        file.unlink()

    assert f"{file} is damaged: lexical needs a bias and weights" in told.stderr
    assert "`lastro calibrate CASES --kb KB` makes it anew" in told.stderr


def test_a_fitted_threshold_stands_behind_what_people_wrote(base: Path) -> None:
    fitted = {"bias": 0.0, "weights": {}}
    file, page = base / "calibration.json", base / "lastro.toml"
    kept = {"schema_version": 1, "lexical": fitted, "dense": None}
    values = {"retrieval_min_score": 1.25, "retrieval_min_coverage": 0.2}
    file.write_text(json.dumps(kept | {"thresholds": values}), encoding="utf-8")
    before = page.read_text("utf-8")
    page.write_text(before + "retrieval_min_coverage = 0.5\n", encoding="utf-8")
    try:
        rows = json.loads(lastro("settings", "--kb", base, "--json").stdout)["settings"]
    finally:
        file.unlink()
        page.write_text(before, encoding="utf-8")

    found = {row["key"]: (row["value"], row["source"]) for row in rows}
    assert found["retrieval_min_score"] == (1.25, "kb")
    assert found["retrieval_min_coverage"][0] == 0.5
