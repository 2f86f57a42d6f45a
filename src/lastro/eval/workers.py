"""Cases asked by several threads at once; one place hands them out and takes results.

Workers only ask.  What they find goes back to the one thread that asked for it,
which alone writes, judges and speaks, so that nothing is written twice and the
order in which cases end changes nothing.
"""

import math
import time
from collections.abc import Generator, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread

from lastro.errors import EvaluationError
from lastro.eval.turns import Left, Turn, Turns
from lastro.model.case import Case
from lastro.model.trace import TraceError

TIMEOUT = "timeout"
_LOOK = 0.5  # a waiting main thread looks up this often: Windows wants it for Ctrl-C
_PATIENCE = 0.5  # how long the end of a run waits for what is still being asked

_Done = SimpleQueue["tuple[_Worker, Left]"]


class _Worker:
    """One thread; it ends with the process, whatever it hangs on."""

    def __init__(self, done: _Done) -> None:
        self._done = done
        self._turns: SimpleQueue[Turn | None] = SimpleQueue()
        self._thread = Thread(target=self._work, daemon=True)
        self._thread.start()

    def ask(self, turn: Turn) -> None:
        """Have a case asked; its result comes through the queue."""
        self._turns.put(turn)

    def end(self) -> None:
        """Let the thread end after what it is doing."""
        self._turns.put(None)

    def join(self, seconds: float) -> None:
        """Wait for the end of the thread."""
        self._thread.join(max(0.0, seconds))

    def _work(self) -> None:
        while (turn := self._turns.get()) is not None:
            self._done.put((self, turn.run()))


@dataclass(frozen=True, slots=True)
class _Busy:
    turn: Turn
    until: float


class Pool:
    """Workers that ask cases, each at most ``limit`` seconds (None: any time).

    A case over the limit becomes a record; its thread is given up, a new one
    takes its place, and what it still finds is dropped.
    """

    def __init__(
        self, turns: Turns, *, workers: int, limit: float | None = None
    ) -> None:
        self._turns = turns
        self._limit = math.inf if limit is None else limit
        self._done: _Done = SimpleQueue()
        self._busy: dict[_Worker, _Busy] = {}
        self._idle: list[_Worker] = []
        self._workers = workers

    def put(self, cases: Iterable[Case]) -> Generator[Left]:
        """Ask the cases; yield what each left behind as it comes, in any order.

        Close the generator to end early: running cases are cancelled, and what
        they leave is dropped.

        Raises:
            EvaluationError: this machine gives no thread.
        """
        waiting = iter(cases)
        try:
            self._hand_out(waiting)
            while self._busy:
                left = self._next()
                self._hand_out(waiting)
                yield left
        finally:
            self._end()

    def _hand_out(self, waiting: Iterator[Case]) -> None:
        while len(self._busy) < self._workers:
            case = next(waiting, None)
            if case is None:
                return
            worker = self._idle.pop() if self._idle else self._worker()
            turn = self._turns.turn(case)
            self._busy[worker] = _Busy(turn, time.monotonic() + self._limit)
            worker.ask(turn)

    def _worker(self) -> _Worker:
        try:
            return _Worker(self._done)
        except RuntimeError as error:
            raise EvaluationError(
                f"this machine gives no thread for {self._workers} workers",
                hint="Give fewer --workers.",
            ) from error

    def _next(self) -> Left:
        """Return what the next case left, or the record of one over the limit."""
        while True:
            found = self._found(0.0) or self._overdue() or self._found(self._wait())
            if found is not None:
                return found

    def _found(self, wait: float) -> Left | None:
        try:
            worker, left = self._done.get(timeout=wait)
            while worker not in self._busy:  # given up: its record has been written
                worker, left = self._done.get_nowait()
        except Empty:
            return None
        del self._busy[worker]
        self._idle.append(worker)
        return left

    def _wait(self) -> float:
        first = min(busy.until for busy in self._busy.values())
        return min(_LOOK, max(0.0, first - time.monotonic()))

    def _overdue(self) -> Left | None:
        now = time.monotonic()
        for worker, busy in self._busy.items():
            if busy.until <= now:
                del self._busy[worker]
                _give_up(worker, busy.turn)
                error = TraceError(kind=TIMEOUT, retryable=True)
                trace = self._turns.broken(busy.turn.case, error)
                return Left(trace=trace)
        return None

    def _end(self) -> None:
        running = [*self._busy, *self._idle]
        for worker, busy in self._busy.items():
            _give_up(worker, busy.turn)
        for worker in self._idle:
            worker.end()
        self._busy, self._idle = {}, []
        until = time.monotonic() + _PATIENCE
        for worker in running:
            worker.join(until - time.monotonic())


def _give_up(worker: _Worker, turn: Turn) -> None:
    """Stop waiting for a case; its thread ends if it ever comes back."""
    worker.end()
    with suppress(RuntimeError):  # no thread to be had: then it hangs on
        # A provider that hangs may hang in being cancelled, too.
        Thread(target=_cancel, args=(turn,), daemon=True).start()


def _cancel(turn: Turn) -> None:
    with suppress(Exception):
        turn.cancel()
