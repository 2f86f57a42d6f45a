"""A document that a question names, and the index does not hold, is told."""

from dataclasses import replace

import pytest
from rankings import hit, ranking, term

from lastro.gate.decide import decide
from lastro.gate.features import features
from lastro.gate.gap import Entry, Known, entry, index_gap, with_gap
from lastro.gate.policy import RetrievalPolicy
from lastro.model.decision import ReasonCode
from lastro.model.ranking import Hit

KIOSK = entry(
    Known(
        id="kiosk",
        title="The kiosk on the quay",
        excerpt="It sells bread.",
        locale="en",
    )
)
ASKED = [term("kiosk"), term("quay"), term("bread")]


def found(entries: list[Entry], *selected: Hit, there: tuple[str, ...] = ()) -> str:
    gap = index_gap(ranking(ASKED, selected), entries, lambda known: known not in there)
    return "" if gap is None else gap.known.id


def titled(title: str, text: str) -> Hit:
    return replace(hit(1.0, 1.0, 1.0, text=text), title=title)


def test_a_passage_that_mentions_the_document_does_not_hide_the_gap() -> None:
    cafe = titled("Cafe", "The kiosk on the quay has bread too.")

    assert found([KIOSK], cafe) == "kiosk"
    assert found([KIOSK]) == "kiosk"


def test_a_document_of_that_name_is_no_gap() -> None:
    assert found([KIOSK], titled("The kiosk on the quay", "Closed.")) == ""


def test_what_the_index_holds_is_no_gap() -> None:
    assert found([KIOSK], there=("kiosk",)) == ""


def test_an_entry_that_holds_little_of_the_question_or_none_in_its_name_is_none() -> (
    None
):
    boat = entry(Known(id="boat", title="The survey boat", excerpt="kiosk quay bread"))
    little = entry(Known(id="kiosks", title="Kiosk", excerpt=""))

    assert found([boat]) == ""
    assert found([little]) == ""


def test_of_several_the_one_that_holds_most_is_told() -> None:
    less = entry(Known(id="a", title="Kiosk of the quay", locale="en"))

    assert found([less, KIOSK]) == "kiosk"
    assert found([less, KIOSK], there=("kiosk",)) == "a"


def test_the_slug_is_a_name_too() -> None:
    slug = entry(Known(id="s", title="Opening hours", slug="kiosk-quay", locale="en"))

    assert found([slug]) == "s"


@pytest.mark.parametrize("asked", [[], [term("the", informative=False)]])
def test_a_question_without_an_informative_word_names_nothing(
    asked: list[object],
) -> None:
    assert index_gap(ranking(asked), [KIOSK], lambda _: True) is None  # type: ignore[arg-type]


def test_the_gap_names_the_decision_and_the_other_reasons_stay() -> None:
    seen = ranking(ASKED)
    decision = decide(features(seen), RetrievalPolicy())
    gap = index_gap(seen, [KIOSK], lambda _: True)

    told = with_gap(decision, gap)

    assert told.reason is ReasonCode.INDEX_GAP
    assert told.reasons[1:] == decision.reasons
    assert told.reasons[0].observed == 1.0
    assert not told.hard_stop
    assert with_gap(decision, None) is decision
    stopped = replace(decision, hard_stop=True)
    assert with_gap(stopped, gap) is stopped
