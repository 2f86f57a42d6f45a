"""Where an id stands first, however it is written."""

from lastro.eval.cases.seen import Ids, Seen


def test_an_id_is_first_where_it_stood_first_in_either_spelling() -> None:
    composed, apart = "caf\u00e9", "cafe\u0301"
    found = Ids()
    first = Seen(apart, ("a", 1), numeric=False)

    assert found.first(first) is first
    assert found.first(Seen(composed, ("a", 2), numeric=False)) is first
    assert found.first(Seen(apart, ("a", 3), numeric=False)) is first


def test_plain_text_is_told_as_it_was_seen() -> None:
    found = Ids()
    first = Seen("d1", ("a", 1), numeric=False)

    assert found.first(first) is first
    assert found.first(Seen("d1", ("a", 2), numeric=True)) == first
    assert first.where == "a:1"


def test_a_number_that_came_first_stays_a_number() -> None:
    found = Ids()
    first = Seen("1", ("a", 1), numeric=True)

    assert found.first(first) is first
    again = found.first(Seen("1", ("a", 2), numeric=False))
    assert again.shown == "1"
    assert again is first
