"""The exit codes are public: frozen as literals."""

from lastro.cli.exits import Exit


def test_the_numbers_never_change() -> None:
    assert {code.name: code.value for code in Exit} == {
        "DONE": 0,
        "BAR_MISSED": 1,
        "WRONG_USAGE": 2,
        "COULD_NOT_RUN": 3,
        "INTERRUPTED": 130,
    }
