"""What the package promises is these names, and importing it costs nothing."""

import subprocess
import sys

import pytest

import lastro


def test_the_public_names_are_these() -> None:
    assert lastro.__all__ == [
        "Answer",
        "Case",
        "KnowledgeBase",
        "compare",
        "evaluate",
        "open",
        "score",
    ]
    assert lastro.__all__ == sorted(lastro.__all__)
    assert set(lastro.__all__) <= set(dir(lastro))


@pytest.mark.parametrize("name", lastro.__all__)
def test_every_name_is_there_when_it_is_asked_for(name: str) -> None:
    assert getattr(lastro, name).__name__ == name


def test_the_version_is_that_of_the_package() -> None:
    assert lastro.__version__.count(".") >= 1


def test_an_unknown_name_is_an_ordinary_error() -> None:
    with pytest.raises(AttributeError, match="measure"):
        lastro.measure  # noqa: B018


def test_importing_the_package_imports_none_of_its_rooms() -> None:
    code = "import sys, lastro; print([m for m in sys.modules if 'lastro.' in m])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == "[]"
