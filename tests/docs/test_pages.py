"""The documentation is true: generated pages are fresh, shown commands run."""

import json
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import desk
import pytest

from lastro import trace
from lastro.eval import bars_file, cases

ROOT = Path(__file__).resolve().parents[2]
PAGES = runpy.run_path(str(ROOT / "docs" / "generate.py"))["PAGES"]
WRITTEN = sorted(
    path
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("*/*.md")]
    if not path.is_relative_to(ROOT / ".venv")
)


@pytest.mark.parametrize("name", PAGES)
def test_a_generated_page_is_fresh(name: str) -> None:
    stands = (ROOT / "docs" / name).read_text(encoding="utf-8")

    assert stands == PAGES[name](), "run `make docs`"


def blocks(path: Path, language: str) -> list[str]:
    """Return the fenced blocks of a page in one language."""
    text = path.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


@pytest.mark.functional
@pytest.mark.parametrize("page", ["README.md", "docs/measuring.md"])
def test_the_commands_of_a_page_run(page: str, tmp_path: Path) -> None:
    desk.write(tmp_path / "docs")
    asked = {
        "c": ("How long is a guest code valid?", "en/guest-code.md"),
        "d": ("How many pages does a student print for free?", "en/printing.md"),
    }
    cases = [
        {"id": name, "query": query, "must_cite_one_of": [gold]}
        for name, (query, gold) in asked.items()
    ]
    traces = [
        {"case_id": name, "retrieved": [{"id": gold}]}
        for name, (_, gold) in asked.items()
    ]
    for name, rows in (("cases.jsonl", cases), ("traces.jsonl", traces)):
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (tmp_path / name).write_text(text, encoding="utf-8")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    commands = [
        line
        for block in blocks(ROOT / page, "sh")
        for line in block.splitlines()
        if line.startswith(("lastro ", "printf "))
    ]
    assert len(commands) >= 6
    if "my-kb" not in commands[0] or "ingest" not in commands[0]:
        commands.insert(0, "lastro ingest docs/ --kb my-kb")

    for command in commands:
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            capture_output=True,
            check=False,
            cwd=tmp_path,
            env={**os.environ, "PATH": path},
            text=True,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"


@pytest.mark.functional
def test_the_python_of_the_readme_runs(tmp_path: Path) -> None:
    desk.write(tmp_path / "docs")
    lastro = Path(sys.executable).with_name("lastro")
    subprocess.run(
        [lastro, "ingest", "docs", "--kb", "my-kb"], cwd=tmp_path, check=True
    )

    for code in blocks(ROOT / "README.md", "python"):
        subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)


@pytest.mark.parametrize("path", WRITTEN, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_link_to_a_file_leads_somewhere(path: Path) -> None:
    text = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    links = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", text)

    assert [link for link in links if not (path.parent / link).exists()] == []


def test_the_make_targets_the_pages_name_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    text = "".join(p.read_text(encoding="utf-8") for p in ROOT.glob("*.md"))

    for target in set(re.findall(r"(?:`|^)make ([a-z]+)\b", text, re.MULTILINE)):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_the_file_of_bars_of_the_page_is_read(tmp_path: Path) -> None:
    (text,) = blocks(ROOT / "docs" / "measuring.md", "toml")
    file = tmp_path / "bars.toml"
    file.write_text(text, encoding="utf-8")

    found = bars_file.read(file)

    assert found.minimums["retrieval_hit_at_k"] == 0.8
    assert found.baseline == tmp_path / "baseline.json"


def test_the_cases_and_traces_of_the_page_are_read(tmp_path: Path) -> None:
    rows = [json.loads(text) for text in blocks(ROOT / "docs" / "cases.md", "json")]
    traces, given = tmp_path / "traces.jsonl", tmp_path / "cases.jsonl"
    for file, key in ((traces, "case_id"), (given, "id")):
        mine = [json.dumps(row) for row in rows if key in row]
        file.write_text("\n".join(mine), encoding="utf-8")

    assert len(list(trace.read(traces))) == 2
    assert len(cases.read(given).cases) == 3
