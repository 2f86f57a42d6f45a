"""Cases asked by several threads: none is lost, none counts twice, none blocks."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field

import pytest
from counter import Counter, Slow

from lastro.answer.provider import Provider
from lastro.errors import EvaluationError, ProviderError, ProviderErrorKind
from lastro.eval.turns import Left, Turns
from lastro.eval.workers import Pool
from lastro.model.answer import Prompt
from lastro.model.case import Case
from lastro.model.ids import CaseId
from lastro.model.trace import TraceError


def cases(count: int, *, hanging: int = 0) -> list[Case]:
    """Return cases, the first few of which ask about tar."""
    return [
        Case(
            id=CaseId(f"c{at:02}"),
            query=f"How long is a guest code valid{' for tar' * (at < hanging)}? {at}",
            locale="en",
        )
        for at in range(count)
    ]


def put(
    make: Callable[[], Provider],
    listed: list[Case],
    *,
    workers: int = 1,
    limit: float | None = None,
) -> list[Left]:
    turns = Turns(Counter(), "naive", make)
    with closing(Pool(turns, workers=workers, limit=limit).put(listed)) as found:
        return list(found)


def ids(found: list[Left]) -> list[str]:
    return sorted(str(left.trace.case_id) for left in found)


@pytest.mark.parametrize("workers", [1, 3, 40])
def test_r15_every_case_leaves_one_trace_for_any_number_of_workers(
    workers: int,
) -> None:
    listed = cases(12)

    found = put(Slow, listed, workers=workers)

    assert ids(found) == [str(case.id) for case in listed]
    assert all(left.trace.error is None for left in found)
    assert {len(left.trace.retrieved or ()) > 0 for left in found} == {True}


def test_no_cases_need_no_worker() -> None:
    before = threading.active_count()

    assert put(Slow, [], workers=8) == []
    assert threading.active_count() == before


@dataclass
class Met:
    """A provider for which ``at_once`` cases have to be asked at the same time."""

    barrier: threading.Barrier
    name: str = "met"

    def write(self, prompt: Prompt) -> Iterator[str]:
        self.barrier.wait(5)
        yield prompt.question.text[:1]

    def cancel(self) -> None:
        """Nothing hangs here."""


def test_as_many_cases_are_asked_at_once_as_there_are_workers() -> None:
    barrier = threading.Barrier(4)

    found = put(lambda: Met(barrier), cases(8), workers=4)

    assert [left.trace.error for left in found] == [None] * 8


def test_a_slow_provider_is_waited_for_by_all_workers_at_once() -> None:
    began = time.monotonic()

    found = put(lambda: Slow(seconds=0.1), cases(16), workers=8)

    assert len(found) == 16
    assert time.monotonic() - began < 0.8  # one after the other: 1.6 s


@pytest.mark.parametrize("workers", [1, 2])
def test_r04_a_case_over_the_limit_is_a_record_and_the_others_go_on(
    workers: int,
) -> None:
    made: list[Slow] = []

    def make() -> Provider:
        made.append(Slow(hangs="tar"))
        return made[-1]

    found = put(make, cases(6, hanging=2), workers=workers, limit=0.15)

    assert ids(found) == [f"c{at:02}" for at in range(6)]
    broken = {
        str(left.trace.case_id): left.trace.error for left in found if left.trace.error
    }
    assert broken == dict.fromkeys(
        ("c00", "c01"), TraceError(kind="timeout", retryable=True)
    )
    assert sum(each.cancelled.wait(1) for each in made if each.let_go.is_set()) == 2
    assert not any(each.let_go.is_set() for each in made[3:])


def test_a_late_answer_is_dropped_and_never_counts_twice() -> None:
    hung = Slow(hangs="tar", ends=False)
    late: list[Left] = []
    turns = Turns(Counter(), "naive", lambda: hung)
    listed = cases(3, hanging=1)

    with closing(Pool(turns, workers=1, limit=0.1).put(listed)) as found:
        late.append(next(found))
        hung.let_go.set()
        time.sleep(0.1)  # the given-up thread comes back with an answer
        late.extend(found)

    assert [left.trace.error is None for left in late] == [False, True, True]
    assert ids(late) == ["c00", "c01", "c02"]


def test_an_answer_that_came_in_time_counts_though_nobody_looked() -> None:
    turns = Turns(Counter(), "naive", Slow)

    with closing(Pool(turns, workers=2, limit=0.1).put(cases(3))) as found:
        first = next(found)
        time.sleep(0.15)  # whoever takes the results is busy
        rest = list(found)

    assert [left.trace.error for left in (first, *rest)] == [None] * 3


@dataclass
class Ending:
    """Raises what ends a thread."""

    error: BaseException
    name: str = "ending"

    def write(self, prompt: Prompt) -> Iterator[str]:
        if "tar" in prompt.question.text:
            raise self.error
        yield "24 hours"

    def cancel(self) -> None:
        """Nothing hangs here."""


@pytest.mark.parametrize(
    ("error", "kind", "retryable"),
    [
        (SystemExit(7), "crash: SystemExit", False),
        (RuntimeError("secret"), "crash: RuntimeError", False),
        (ConnectionResetError(), "crash: ConnectionResetError", True),
        (MemoryError(), "crash: MemoryError", True),
        (ProviderError(ProviderErrorKind.AUTH, "p"), "auth", False),
        (
            ProviderError(ProviderErrorKind.RATE_LIMITED, "p", retryable=True),
            "rate_limited",
            True,
        ),
    ],
)
def test_r16_whatever_ends_a_case_is_a_record_and_its_worker_goes_on(
    error: BaseException, kind: str, retryable: bool
) -> None:
    found = put(lambda: Ending(error), cases(5, hanging=1), workers=1)

    broken = [left.trace.error for left in found if left.trace.error]
    assert len(found) == 5
    assert [(each.kind, each.retryable) for each in broken] == [(kind, retryable)]
    assert not any("secret" in str(left.trace) for left in found)


def test_ending_early_cancels_what_is_running_and_returns_soon() -> None:
    hung = Slow(hangs="tar")
    turns = Turns(Counter(), "naive", lambda: hung)
    pool = Pool(turns, workers=2).put(cases(4, hanging=1))
    next(pool)
    began = time.monotonic()

    pool.close()

    assert hung.cancelled.wait(1)
    assert time.monotonic() - began < 1.0


@dataclass
class Deaf:
    """Hangs, and hangs in being cancelled, until it is let go."""

    let_go: threading.Event = field(default_factory=threading.Event)
    name: str = "deaf"

    def write(self, prompt: Prompt) -> Iterator[str]:
        if "tar" in prompt.question.text:
            self.let_go.wait(10)
        yield "24 hours"

    def cancel(self) -> None:
        self.let_go.wait(10)
        raise RuntimeError("nobody hears this")


def test_a_provider_that_hangs_in_being_cancelled_blocks_nobody() -> None:
    deaf = Deaf()

    found = put(lambda: deaf, cases(3, hanging=1), limit=0.1)
    deaf.let_go.set()

    assert [left.trace.error is None for left in found] == [False, True, True]


def test_a_machine_that_gives_no_thread_is_one_clear_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def no(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", no)

    with pytest.raises(EvaluationError, match="no thread for 3 workers"):
        put(Slow, cases(3), workers=3)
