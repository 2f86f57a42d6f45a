"""Signals read sentences: how much one holds, in whose order, beside what."""

import pytest
from rankings import hit, ranking, term

from lastro.gate.features import features
from lastro.gate.signals import DENSE, LEXICAL, signals
from lastro.model.ids import DocumentId, PassageId
from lastro.model.ranking import Ranking, Stage, StageEntry

ASKED = [term("printer"), term("stuck"), term("again")]


def shown(found: Ranking) -> dict[str, float]:
    return dict(signals(found, features(found)))


def test_a_sentence_that_holds_all_beats_two_that_share_it() -> None:
    whole = hit(2.0, 2.0, 2.0, text="The printer stuck again. Nobody knows why.")
    parted = hit(2.0, 2.0, 2.0, text="The printer is old. It stuck. That is again so.")

    assert shown(ranking(ASKED, [whole]))["in_a_sentence"] == 1.0
    assert shown(ranking(ASKED, [parted]))["in_a_sentence"] == pytest.approx(1 / 3)


def test_a_question_that_copies_a_sentence_is_told_from_one_that_does_not() -> None:
    copied = shown(ranking(ASKED, [hit(2.0, 2.0, 2.0, text="Printer stuck again.")]))
    turned = shown(ranking(ASKED, [hit(2.0, 2.0, 2.0, text="Again stuck printer.")]))

    assert (copied["not_in_its_order"], copied["not_in_its_pairs"]) == (0.0, 0.0)
    assert turned["not_in_its_order"] == pytest.approx(2 / 3)
    assert turned["not_in_its_pairs"] == 1.0


def test_neighbours_of_the_question_are_looked_for_side_by_side() -> None:
    near = hit(2.0, 2.0, text="The printer always stuck.")
    far = hit(2.0, 2.0, text="The printer is in the hall, and it stuck.")

    assert shown(ranking(ASKED[:2], [near]))["side_by_side"] == 1.0
    assert shown(ranking(ASKED[:2], [far]))["side_by_side"] == 0.0


def test_what_the_best_sentence_lacks_weighs_by_its_rarity() -> None:
    asked = [term("printer", idf=2.0), term("quux", df=0, idf=0.0)]
    common = [term("printer", idf=2.0), term("tray", idf=1.0)]
    line = [hit(2.0, 0.0, text="The printer.")]

    unknown, known = (shown(ranking(each, line)) for each in (asked, common))

    assert unknown["rarest_word"] == 0.0  # nothing weighs more than what is nowhere
    assert known["rarest_word"] > 0.8
    assert unknown["known"] == 0.5


def test_names_are_looked_for_as_they_are_written() -> None:
    asked = [term("who"), term("Rollo"), term("1066")]
    there = hit(1.0, 1.0, 1.0, text="In 1066 Rollo was long dead.")
    folded = hit(1.0, 1.0, 1.0, text="in 1066 rollo was long dead.")

    assert shown(ranking(asked, [there]))["names"] == 1.0
    assert shown(ranking(asked, [folded]))["names"] == 0.5
    # A small letter with an accent, and a Hangul word, are no capitals.
    plain = [term("where"), term("árbol"), term("나무")]
    assert shown(ranking(plain, [folded]))["names"] == 1.0


def test_where_nothing_was_found_nothing_speaks_for_it() -> None:
    found = shown(ranking(ASKED, []))

    assert set(found) == set(LEXICAL)
    assert not any(found.values())


def test_korean_sentences_are_read_by_their_nouns() -> None:
    asked = [term("프린터"), term("용지")]
    line = hit(2.0, 2.0, text="프린터에 용지가 걸렸습니다. 도서관입니다.", locale="ko")

    assert shown(ranking(asked, [line], locales=("ko",)))["in_a_sentence"] == 1.0


def entry(document: str, score: float) -> StageEntry:
    return StageEntry(
        passage_id=PassageId(f"{document}::000"),
        document_id=DocumentId(document),
        score=score,
    )


def test_vectors_speak_only_where_the_dense_leg_looked() -> None:
    line = [hit(2.0, 2.0, 2.0, text="The printer stuck again.")]
    by_words, by_vectors = (entry("a", 6.0),), (entry("b", 0.8), entry("a", 0.5))
    both = {Stage.LEXICAL: by_words, Stage.DENSE: by_vectors}

    found = shown(ranking(ASKED, line, stages=both))

    assert {name: found[name] for name in DENSE} == {
        "cosine": 0.8,
        "cosine_lead": pytest.approx(0.3),
        "cosine_of_best": 0.5,
        "legs_agree": 0.0,
    }
    assert not set(DENSE) & set(shown(ranking(ASKED, line)))
