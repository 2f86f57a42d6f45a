"""The event stream from the engine to the command line and the server."""

from dataclasses import dataclass

from lastro.model.answer import Answer, Finding
from lastro.model.decision import Decision
from lastro.model.ranking import Ranking
from lastro.model.trace import Trace


@dataclass(frozen=True, slots=True)
class Decided:
    """The first event of a turn: how the retrieval was judged."""

    decision: Decision
    ranking: Ranking | None


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of the answer's text; all pieces joined are the answer's text."""

    text: str


@dataclass(frozen=True, slots=True)
class Checked:
    """What the checks after generation found; at most one a turn."""

    findings: tuple[Finding, ...]
    overridden: bool


@dataclass(frozen=True, slots=True)
class Finished:
    """The last event: the whole answer and the trace of the turn."""

    answer: Answer
    trace: Trace


Event = Decided | Delta | Checked | Finished
