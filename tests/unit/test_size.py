"""Files stay under 300 lines and functions under 40 without their docstring."""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2] / "src" / "lastro"
FILES = sorted(SOURCE.rglob("*.py"))


def body_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of a function from its first statement on, docstring left out."""
    body = node.body[1:] if ast.get_docstring(node) else node.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_no_file_is_long_and_no_function_is(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    long = [
        f"{node.name} ({body_lines(node)})"
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and body_lines(node) > 40
    ]

    assert len(text.splitlines()) <= 300
    assert not long
