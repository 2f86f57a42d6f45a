"""Citations become numbers by first use, one a document, however text is cut."""

from hypothesis import given
from hypothesis import strategies as st

from lastro.answer.chips import Chips
from lastro.model.ids import DocumentId

DOCUMENTS = {
    "aa": DocumentId("A"),
    "a2": DocumentId("A"),
    "bb": DocumentId("B"),
}


def shown(*pieces: str) -> str:
    chips = Chips(DOCUMENTS)
    out = [part for piece in pieces for part in chips.feed(piece)]
    return "".join((*out, *chips.close()))


def test_c08_c09_numbers_start_at_one_in_the_order_of_first_use() -> None:
    assert shown("x [cite:bb] y [cite:aa]") == "x [1] y [2]"


def test_c08_a_document_has_one_number_and_neighbours_are_one_chip() -> None:
    assert shown("x [cite:aa][cite:a2] y [cite:bb] z [cite:a2]") == "x [1] y [2] z [1]"


def test_c01_an_unknown_id_is_no_chip() -> None:
    assert "[" not in shown("x [cite:zz]")


def test_c22_a_bibliography_mark_of_a_document_does_not_pass_for_a_chip() -> None:
    assert shown("after 90 days [1]. [cite:aa]") == "after 90 days \uff3b1\uff3d. [1]"


@given(st.lists(st.sampled_from(["a ", "[cite:", "aa", "]", " [cite:bb]", "\n"])))
def test_s26_cuts_of_the_stream_change_nothing(pieces: list[str]) -> None:
    assert shown(*pieces) == shown("".join(pieces))
