"""What every test can rely on: no settings of this machine, golden files."""

import os
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the only way to rewrite golden files."""
    parser.addoption("--update-golden", action="store_true", default=False)


@pytest.fixture(autouse=True)
def _no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(("LASTRO_", "ACL_", "GITHUB_")):
            monkeypatch.delenv(name)


@dataclass(frozen=True)
class Golden:
    """Compares text with a reviewed file under tests/golden."""

    update: bool

    def check(self, name: str, text: str) -> None:
        """Fail unless ``text`` is byte for byte the golden file ``name``."""
        path = ROOT / "tests" / "golden" / name
        if self.update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        assert path.exists(), f"{name} is missing: run pytest --update-golden"
        assert text == path.read_bytes().decode("utf-8")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """Return the golden-file comparer of this run."""
    return Golden(update=bool(request.config.getoption("--update-golden")))


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder of public collections; skip where it is absent."""
    if not (SHARED / "data").is_dir():
        pytest.skip("the public collections are not beside this checkout")
    return SHARED
