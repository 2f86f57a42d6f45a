"""Late interaction: each piece of the query finds its like, in any language."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastro.index.embedders.static import Static
from lastro.index.rerankers.late import Late

TABLE = Static()
LATE = Late(TABLE)


@pytest.mark.parametrize(
    ("query", "near"),
    [
        ("wireless keyboard", "Connect a keyboard without a cable."),
        ("wireless keyboard", "Conecte um teclado sem fio."),
        ("teclado inalámbrico", "블루투스 키보드를 연결합니다."),
    ],
)
def test_a_passage_about_it_scores_higher_than_one_about_something_else(
    query: str, near: str
) -> None:
    far = "The museum opens at nine and closes at five."

    about, other = LATE.scores(query, [near, far])

    assert about > other


def test_the_same_text_scores_one() -> None:
    assert LATE.scores("guest code", ["guest code", "code of a guest"])[0] == 1.0


def test_what_holds_no_piece_scores_zero() -> None:
    assert LATE.scores("?", ["guest code", ""]) == [0.0, 0.0]
    assert LATE.scores("guest code", ["", "!"]) == [0.0, 0.0]


@given(st.text(max_size=40), st.lists(st.text(max_size=60), max_size=6))
def test_scores_are_shares_and_do_not_depend_on_the_batch(
    query: str, texts: list[str]
) -> None:
    found = LATE.scores(query, texts)

    assert all(0 <= score <= 1 for score in found)
    assert list(found) == [LATE.scores(query, [text])[0] for text in texts]
