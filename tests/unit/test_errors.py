"""Every catchable error is drawn on one page and says what to do next."""

import inspect

import pytest

from lastro import errors
from lastro.errors import InputError, LastroError, Problem, SettingsError

CLASSES = [
    kind
    for _, kind in inspect.getmembers(errors, inspect.isclass)
    if issubclass(kind, LastroError)
]


@pytest.mark.parametrize("kind", CLASSES)
def test_every_error_is_drawn_in_the_tree(kind: type[LastroError]) -> None:
    assert kind.__name__ in (errors.__doc__ or "")


@pytest.mark.parametrize("kind", CLASSES)
def test_every_error_has_a_hint(kind: type[LastroError]) -> None:
    assert kind.hint.endswith(".")


def test_all_problems_of_a_file_are_kept_and_the_first_are_shown() -> None:
    problems = [
        Problem(file="c.jsonl", line=n, field="id", what="blank") for n in range(1, 31)
    ]

    error = InputError(problems)

    assert len(error.problems) == 30
    assert "c.jsonl:1: id: blank" in str(error)
    assert "and 10 more" in str(error)


def test_a_problem_of_the_whole_file_has_no_line() -> None:
    assert str(Problem(file="c", line=0, field="", what="empty")) == "c: empty"


def test_settings_problems_are_sorted_and_all_shown() -> None:
    error = SettingsError({"b": "bad", "a": "worse"})

    assert list(error.problems) == ["a", "b"]
    assert "a: worse\n  b: bad" in str(error)
