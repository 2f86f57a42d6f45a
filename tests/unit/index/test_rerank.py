"""The best passages in a reranker's order, within its time, or as they came."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from lastro.errors import ProviderError, ProviderErrorKind
from lastro.index.fuse import Candidate
from lastro.index.rerank import BATCH, MOST, Order, reranked
from lastro.model.ids import DocumentId, PassageId
from lastro.model.ranking import Leg, LegStatus

BUDGET = 2000.0


@dataclass
class Slow:
    """Scores a text by the number in it, and takes its time on its own clock."""

    name: str = "slow"
    blend: float | None = None
    seconds: Sequence[float] = ()
    now: float = 0.0
    seen: list[int] = field(default_factory=list)

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        assert query == "q"
        self.now += self.seconds[len(self.seen)] if self.seconds else 0.0
        self.seen.append(len(texts))
        return [float(text) for text in texts]


def found(count: int) -> list[Candidate]:
    return [
        Candidate(100.0 - row, PassageId(f"p{row}"), DocumentId(f"d{row}"), row)
        for row in range(count)
    ]


def run(reranker: Slow, count: int, texts: Sequence[float] = ()) -> tuple[Order, Leg]:
    read = dict(enumerate(map(str, texts or range(count))))
    return reranked("q", found(count), read, reranker, BUDGET, lambda: reranker.now)


def rows(order: Order) -> list[int]:
    return [one.row for one in order]


def test_passages_stand_by_the_rerankers_score_which_is_theirs_from_then_on() -> None:
    order, report = run(Slow(), 3, [-2.0, 5.0, 0.0])

    assert [(one.row, one.score) for one in order] == [(1, 5.0), (2, 0.0), (0, -2.0)]
    assert report == Leg(status=LegStatus.OK, hits=3)


def test_a_score_that_is_blended_moves_a_passage_from_where_it_stood() -> None:
    order, _ = run(Slow(blend=0.5), 3, [0.0, 0.1, 1.0])

    assert [(one.row, round(one.score, 3)) for one in order] == [
        (2, 1.48),
        (1, 1.04),
        (0, 1.0),
    ]


def test_what_scores_the_same_stays_in_the_order_that_came_in() -> None:
    order, _ = run(Slow(), 4, [1.0, 2.0, 1.0, 1.0])

    assert rows(order) == [1, 0, 2, 3]


def test_only_the_first_are_reranked_and_the_rest_keep_their_place() -> None:
    slow = Slow()

    order, report = run(slow, MOST + 3)

    assert rows(order) == [*reversed(range(MOST)), MOST, MOST + 1, MOST + 2]
    assert [one.score for one in order[MOST:]] == [68.0, 67.0, 66.0]
    assert report.hits == sum(slow.seen) == MOST
    assert set(slow.seen) == {BATCH}


def test_texts_of_the_rest_are_not_asked_for() -> None:
    read = dict.fromkeys(range(2), "1")

    order, _ = reranked("q", found(3), read, Slow(), BUDGET, lambda: 0.0, most=2)

    assert rows(order) == [0, 1, 2]


def test_nothing_found_is_nothing_to_rerank() -> None:
    slow = Slow()

    assert run(slow, 0) == ((), Leg(status=LegStatus.OK))
    assert not slow.seen


def test_q40_over_the_budget_the_order_that_came_in_stands_and_it_is_said() -> None:
    slow = Slow(seconds=[0.1, 0.1, 1.9])

    order, report = run(slow, 40)

    assert order == tuple(found(40))
    assert report.status is LegStatus.OFF
    assert report.why == "skipped: over 2000 ms after 12 of 32"
    assert report.hits == 0
    assert report.took_ms == pytest.approx(2100)


def test_q40_a_first_batch_that_shows_the_end_is_the_last() -> None:
    slow = Slow(seconds=[0.3])

    order, report = run(slow, 40)

    assert order == tuple(found(40))
    assert report.why == "skipped: over 2000 ms by the estimate after 4 of 32"
    assert len(slow.seen) == 1


def test_q40_what_is_all_done_counts_though_it_took_long() -> None:
    order, report = run(Slow(seconds=[0.1, 2.5]), 8)

    assert rows(order) == [7, 6, 5, 4, 3, 2, 1, 0]
    assert report.status is LegStatus.OK
    assert report.took_ms == pytest.approx(2600)


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (RuntimeError("/secret/path"), "the reranker slow failed: RuntimeError"),
        (
            ProviderError(ProviderErrorKind.TIMEOUT, "slow"),
            "the provider slow failed: timeout",
        ),
    ],
)
def test_a_reranker_that_fails_is_reported_and_the_order_stands(
    error: Exception, why: str
) -> None:
    class Failing(Slow):
        def scores(self, query: str, texts: Sequence[str]) -> list[float]:
            if len(self.seen) == 1:
                raise error
            return super().scores(query, texts)

    order, report = run(Failing(), 8)

    assert order == tuple(found(8))
    assert (report.status, report.why) == (LegStatus.FAILED, why)


@pytest.mark.parametrize("score", [math.nan, math.inf, -math.inf])
def test_q19_a_score_that_is_no_number_leaves_the_order(score: float) -> None:
    order, report = run(Slow(), 2, [1.0, score])

    assert order == tuple(found(2))
    assert report.why == "the reranker slow gave a score that is no number"


def test_too_few_scores_leave_the_order() -> None:
    class Short(Slow):
        def scores(self, query: str, texts: Sequence[str]) -> list[float]:
            return super().scores(query, texts)[:-1]

    order, report = run(Short(), 2)

    assert order == tuple(found(2))
    assert report.why == "the reranker slow gave 1 scores for 2 passages"
