"""A setting is declared once; its sources, range and names derive from that."""

from dataclasses import dataclass
from enum import StrEnum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastro.declare import Sources, declarations, load, setting
from lastro.errors import SettingsError


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    floor: float = setting(1.5, "a floor", env="A_FLOOR", low=0, high=50, twin=True)
    terms: int = setting(2, "a count", env="A_TERMS", low=1, high=10)
    colour: Colour = setting(Colour.RED, "a choice", env="A_COLOUR")
    bold: bool = setting(False, "a switch", env="A_BOLD")
    name: str = setting("", "a name", env="A_NAME")


def loaded(**sources: dict[str, str]) -> Policy:
    return load((Policy,), Sources(**sources)).policy(Policy)


def test_defaults_stand_where_nothing_is_said() -> None:
    assert loaded() == Policy()


def test_a_flag_beats_the_environment_beats_dotenv_beats_the_base() -> None:
    layers = {
        "flags": {"a_terms": "3"},
        "environ": {"LASTRO_A_TERMS": "4"},
        "dotenv": {"LASTRO_A_TERMS": "5"},
        "kb": {"a_terms": "6"},
    }
    for expected in (3, 4, 5, 6):
        assert loaded(**layers).terms == expected
        layers.pop(next(iter(layers)))


def test_where_a_value_came_from_is_told() -> None:
    result = load((Policy,), Sources(environ={"ACL_A_FLOOR": "2"}))

    assert result.origin["a_floor"] == "ACL_A_FLOOR"
    assert result.origin["a_terms"] == "default"


def test_the_own_name_wins_over_its_twin_with_a_warning() -> None:
    env = {"LASTRO_A_FLOOR": "2", "ACL_A_FLOOR": "3"}

    result = load((Policy,), Sources(environ=env))

    assert result.policy(Policy).floor == 2
    assert result.warnings == ("ACL_A_FLOOR is ignored: LASTRO_A_FLOOR is set too",)


def test_a_twin_is_read_only_where_it_was_declared() -> None:
    assert loaded(environ={"ACL_A_TERMS": "9"}).terms == 2


def test_every_problem_is_reported_at_once_with_name_value_and_range() -> None:
    env = {
        "LASTRO_A_FLOOR": "51",
        "LASTRO_A_TERMS": "two",
        "LASTRO_A_COLOUR": "green",
        "LASTRO_A_BOLD": "perhaps",
        "LASTRO_A_FLOR": "1",
    }
    with pytest.raises(SettingsError) as caught:
        loaded(environ=env)

    assert set(caught.value.problems) == set(env)
    assert (
        caught.value.problems["LASTRO_A_FLOOR"] == "51 is out of range; range 0 to 50"
    )
    assert "'two' is not a whole number; range 1 to 10" in str(caught.value)
    assert "'green' is not one of red, blue" in str(caught.value)


def test_an_unknown_value_in_the_base_is_a_problem_too() -> None:
    with pytest.raises(SettingsError, match="no such setting"):
        loaded(kb={"a_colr": "red"})


@pytest.mark.parametrize("text", ["0", "50", "1.5"])
def test_the_ends_of_a_range_belong_to_it(text: str) -> None:
    assert loaded(environ={"LASTRO_A_FLOOR": text}).floor == float(text)


@pytest.mark.parametrize("text", ["-0.001", "50.001", "nan", "inf", ""])
def test_nothing_beyond_a_range_is_taken(text: str) -> None:
    with pytest.raises(SettingsError):
        loaded(environ={"LASTRO_A_FLOOR": text})


def test_a_deprecated_name_is_ignored_and_warned_about() -> None:
    result = load(
        (Policy,),
        Sources(environ={"LASTRO_OLD": "x", "ACL_OLD": "y"}),
        deprecated={"OLD": "modes are gone"},
    )

    assert result.warnings == (
        "ACL_OLD is deprecated and ignored: modes are gone",
        "LASTRO_OLD is deprecated and ignored: modes are gone",
    )


def test_declared_ranges_read_as_words() -> None:
    ranges = [item.range for item in declarations(Policy)]

    assert ranges == ["0 to 50", "1 to 10", "red, blue", "true, false", "any"]


@given(st.text())
def test_any_text_is_a_value_or_a_named_problem(text: str) -> None:
    try:
        policy = loaded(environ={"LASTRO_A_TERMS": text})
    except SettingsError as error:
        assert set(error.problems) == {"LASTRO_A_TERMS"}
    else:
        assert 1 <= policy.terms <= 10
