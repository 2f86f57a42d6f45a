"""What was analysed is remembered, within bounds."""

from collections.abc import Callable

from lastro.text.memo import LONGEST, Memo


def test_a_value_is_computed_once() -> None:
    asked: list[str] = []
    memo = Memo(_upper_noting(asked), 10)

    assert (memo["a"], memo["a"]) == ("A", "A")
    assert asked == ["a"]


def test_it_never_holds_more_than_its_size_in_the_young_generation() -> None:
    memo = Memo(str.upper, 3)

    for number in range(100):
        assert memo[str(number)] == str(number)
        assert len(memo) <= 3


def test_what_is_asked_for_again_survives_a_generation() -> None:
    asked: list[str] = []
    memo = Memo(_upper_noting(asked), 2)

    for piece in ("hot", "b", "c", "hot", "d", "hot", "e", "f", "hot"):
        assert memo[piece] == piece.upper()

    assert asked.count("hot") == 1


def test_a_long_piece_is_not_kept() -> None:
    memo = Memo(str.upper, 3)

    assert memo["x" * (LONGEST + 1)] == "X" * (LONGEST + 1)
    assert len(memo) == 0


def _upper_noting(asked: list[str]) -> Callable[[str], str]:
    def upper(piece: str) -> str:
        asked.append(piece)
        return piece.upper()

    return upper
