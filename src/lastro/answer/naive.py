"""The baseline pipeline: one search with the query as it stands, one answer.

``answer`` is ``stream`` read to the end.  The gate chooses the contract and
never ends a turn; only a failed provider or a failed search does.
"""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from lastro.answer import prompt as prompts
from lastro.answer.analyse import Analysis, analyse
from lastro.answer.claims import statements
from lastro.answer.finish import Parts, finished
from lastro.answer.language import answer_locale
from lastro.answer.markers import Reader, Token, merged, render
from lastro.answer.provider import Provider
from lastro.answer.record import Turn
from lastro.answer.release import Release, fixed, open_release, strict_release
from lastro.errors import ProviderError, ProviderErrorKind, UsageError
from lastro.gate.calibrated import Calibration, judged
from lastro.gate.decide import decide, provider_failed, smalltalk
from lastro.gate.gap import Gap, with_gap
from lastro.gate.messages import Notice, notice
from lastro.gate.policy import RetrievalPolicy
from lastro.grounding.policy import choose
from lastro.model.answer import Answer, Policy, Prompt, Question, Role
from lastro.model.answer import Turn as EarlierTurn
from lastro.model.decision import Decision, ReasonCode
from lastro.model.events import Checked, Decided, Delta, Event, Finished
from lastro.model.ranking import Ranking
from lastro.model.trace import TraceError

LONGEST_QUESTION = 16_000
MOST_TURNS = 40
LONGEST_TURN = 8_192


@dataclass(frozen=True, slots=True)
class Stamp:
    """The identity and the time of a turn; made at the edge, handed in."""

    id: str
    at: str


@dataclass(slots=True)
class _Watch:
    """Measures the steps of a turn, in milliseconds."""

    clock: Callable[[], float]
    spent: dict[str, float] = field(default_factory=dict)
    _since: float = 0.0

    def __post_init__(self) -> None:
        self._since = self.clock()

    def lap(self, step: str) -> None:
        now = self.clock()
        self.spent[step] = self.spent.get(step, 0.0) + (now - self._since) * 1000
        self._since = now


@dataclass(frozen=True, slots=True)
class _Written:
    """How the writing of a turn ended."""

    release: Release
    decision: Decision
    error: TraceError | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Naive:
    """Answers a question from one search; parts and policies are handed in.

    ``contracts`` are the knowledge base's own texts (``<name>.<language>``),
    ``calibration`` what was fitted to it.  ``gap`` finds a document that should be in
    the base and is not; it is told, and changes no answer.
    """

    search: Callable[[Question], Ranking]
    provider: Provider
    retrieval: RetrievalPolicy
    policy: Policy
    clock: Callable[[], float]
    stamp: Callable[[], Stamp]
    contracts: Mapping[str, str] = field(default_factory=dict)
    calibration: Calibration | None = None
    gap: Callable[[Ranking], Gap | None] = lambda _: None
    name: str = "naive"

    def answer(self, question: Question) -> Answer:
        """Answer ``question`` and return the whole record."""
        *_, last = self.stream(question)
        assert isinstance(last, Finished)  # noqa: S101  (our own invariant)
        return last.answer

    def stream(self, question: Question) -> Iterator[Event]:
        """Yield ``Decided``, any ``Delta``s, at most one ``Checked``, ``Finished``.

        The deltas joined are the answer's text, unless ``Checked`` says that it
        was overridden after a part of it had been sent: then the text in
        ``Finished`` takes its place.

        Raises:
            UsageError: the question is blank or too long.
        """
        _refuse_unusable(question)
        stamp, watch = self.stamp(), _Watch(self.clock)
        shape = analyse(question, answer_locale(question, None))
        ranking = None if shape.courtesy else self.search(question)
        watch.lap("search")
        decision = self._decide(ranking)
        gap = None if ranking is None else self.gap(ranking)
        watch.lap("gate")
        yield Decided(with_gap(decision, gap), ranking)
        shape = analyse(question, answer_locale(question, ranking))
        prompt = self._prompt(question, shape, ranking, decision)
        written = yield from self._write(prompt, watch)
        turn = Turn(
            id=stamp.id,
            at=stamp.at,
            question=question,
            ranking=ranking,
            timings_ms=watch.spent | {"total": sum(watch.spent.values())},
            error=written.error,
        )
        yield finished(
            Parts(
                prompt=prompt,
                shape=shape,
                decision=with_gap(written.decision, gap),
                release=written.release,
                turn=turn,
                system=self.name,
                provider=self.provider.name,
                policy=self.policy,
            )
        )

    def _decide(self, ranking: Ranking | None) -> Decision:
        if ranking is None:
            return smalltalk(self.retrieval)
        return decide(judged(ranking, self.calibration), self.retrieval)

    def _prompt(
        self,
        question: Question,
        shape: Analysis,
        ranking: Ranking | None,
        decision: Decision,
    ) -> Prompt:
        locale = answer_locale(question, ranking)
        contract = choose(
            self.policy,
            decision,
            has_passages=bool(ranking and ranking.selected),
            disambiguation=self.retrieval.disambiguation_enabled,
            locale=locale,
            own=self.contracts,
        )
        return prompts.build(
            question,
            ranking,
            decision,
            contract,
            locale=locale,
            override_attempt=shape.override_attempt,
        )

    def _write(self, prompt: Prompt, watch: _Watch) -> Generator[Event, None, _Written]:
        if prompt.decision.hard_stop:
            text = notice(Notice.RETRIEVAL_ERROR, prompt.locale)
            yield Delta(text)
            error = TraceError(kind=ReasonCode.RETRIEVAL_ERROR.value)
            return _Written(fixed(text), prompt.decision, error)
        strict = self.policy is Policy.STRICT
        tokens: list[Token] = []
        sent = False
        try:
            for token in self._tokens(prompt):
                tokens.append(token)
                text = "" if strict else render([token])
                if text:
                    sent = True
                    yield Delta(text)
        except ProviderError as error:
            watch.lap("write")
            text = notice(Notice.PROVIDER_ERROR, prompt.locale)
            yield Checked((), overridden=True) if sent else Delta(text)
            return _failed(text, prompt.decision, error)
        watch.lap("write")
        stated = statements(merged(tokens), prompt)
        if strict:
            release = strict_release(tokens, stated, prompt)
        else:
            release = open_release(tokens, stated, prompt, policy=self.policy)
        watch.lap("check")
        if strict:
            yield from map(Delta, release.text.splitlines(keepends=True))
        if release.findings:
            yield Checked(release.findings, release.overridden)
        return _Written(release, prompt.decision)

    def _tokens(self, prompt: Prompt) -> Iterator[Token]:
        reader = Reader(known={passage.cite_id for passage in prompt.passages})
        pieces = iter(self.provider.write(prompt))
        held = ""  # white space before the first word is no answer yet
        try:
            for piece in pieces:
                held += piece
                if held.strip():
                    yield from reader.feed(held)
                    break
            else:
                raise ProviderError(ProviderErrorKind.EMPTY, self.provider.name)
            for piece in pieces:
                yield from reader.feed(piece)
            yield from reader.close()
        finally:
            close = getattr(pieces, "close", None)
            if close is not None:
                close()


def _failed(text: str, decision: Decision, error: ProviderError) -> _Written:
    kept = TraceError(
        kind=error.kind.value, provider=error.provider, retryable=error.retryable
    )
    return _Written(fixed(text), provider_failed(decision), kept)


def _refuse_unusable(question: Question) -> None:
    if not isinstance(question.text, str) or not question.text.strip():
        raise UsageError("the question is empty", hint="Ask in a sentence of your own.")
    if len(question.text) > LONGEST_QUESTION:
        raise UsageError(
            f"the question has {len(question.text):,} characters, more than "
            f"{LONGEST_QUESTION:,}",
            hint="Ask the question itself and leave the long text to `lastro ingest`.",
        )
    _refuse_history(question.history)


def _refuse_history(history: Sequence[EarlierTurn]) -> None:
    if len(history) > MOST_TURNS:
        raise UsageError(
            f"the history has {len(history)} items, more than {MOST_TURNS}",
            hint="Send the newest items only.",
        )
    for place, turn in enumerate(history, 1):
        fits = isinstance(turn, EarlierTurn) and turn.role in list(Role)
        if not fits or len(turn.content) > LONGEST_TURN:
            raise UsageError(
                f"item {place} of the history is no turn of a user or an assistant"
                f" with at most {LONGEST_TURN:,} characters",
                hint="Give lastro.model.answer.Turn values, oldest first.",
            )
