"""Judge groundedness: does a judge find each claim supported by what it cites.

A judge is a model, of one's own or behind an endpoint, and named in the
provenance of the run.  What it leaves open is open: no verdict is never a pass,
never a half.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from lastro.eval.scorers.citations import pointed_at
from lastro.eval.scorers.scorer import Measure, Needs, Scorer, always
from lastro.eval.scorers.view import NO_EVIDENCE, NO_TEXT, View
from lastro.model.case import Case
from lastro.model.score import Failed, Score, Scored, Unscored
from lastro.model.trace import TraceClaim, TracePassage

JUDGE_GROUNDEDNESS = "judge_groundedness"
NO_JUDGE = "no judge is configured"


class Ruling(StrEnum):
    """What a judge says of one claim; only the first counts as grounded."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    UNSUPPORTED = "unsupported"
    UNAVAILABLE = "unavailable"


@dataclass(frozen=True, slots=True)
class Judgement:
    """A ruling; ``why`` says of an unavailable one what stood in its way."""

    ruling: Ruling
    why: str = ""


class Judge(Protocol):
    """Whoever reads a claim beside its evidence and says whether it is supported.

    The same claim with the same evidence gets the same ruling, and a text that
    has nothing to do with the claim changes none: see :func:`best`.
    """

    @property
    def name(self) -> str:
        """What tells this judge from every other: kind, model, and its version."""

    def judge(self, claim: str, evidence: Sequence[str]) -> Judgement:
        """Rule on one claim.

        Args:
            claim: one statement, read as a whole or not at all.
            evidence: the texts that it may stand on; not empty, none is blank.

        Returns:
            A ruling; what cannot be used as one is ``UNAVAILABLE``.  Whatever
            this raises fails the case.
        """


_GRAVER = (Ruling.UNSUPPORTED, Ruling.CONTRADICTED, Ruling.UNAVAILABLE)


def best(found: Iterable[Judgement]) -> Judgement:
    """Return what the readings of one claim, text by text, come to.

    Supported by one is supported: no further one is looked at.  Else a reading
    that is unavailable may have been the one, so all are; else contradicted by
    one is contradicted.  A text without anything on the claim changes nothing.

    >>> best([Judgement(Ruling.UNSUPPORTED), Judgement(Ruling.SUPPORTED)]).ruling
    <Ruling.SUPPORTED: 'supported'>
    """
    worst = Judgement(Ruling.UNSUPPORTED)
    for one in found:
        if one.ruling is Ruling.SUPPORTED:
            return one
        worst = max(worst, one, key=lambda each: _GRAVER.index(each.ruling))
    return worst


@dataclass(frozen=True, slots=True)
class _Put:
    """A claim and the texts it is held against; ``whole``: all of them were kept."""

    claim: str
    texts: tuple[str, ...]
    whole: bool


class _Absent(Exception):
    """The trace does not hold what a claim is read beside; the message says what."""


def _put(claim: TraceClaim, evidence: Sequence[TracePassage]) -> _Put:
    """Hold a claim against what it cites; one that cites nothing, against all.

    What it cites is read text by text, and then as one, since a claim may need
    two passages.  All evidence is never read as one: what has nothing to do
    with a claim must not be able to change what is said of it.
    """
    cited: Sequence[TracePassage] = evidence
    if claim.citations:
        pointed = [pointed_at(citation, evidence) for citation in claim.citations]
        cited = [passage for found in pointed for passage in found]
    kept = [passage.text for passage in cited if passage.text is not None]
    if cited and not kept:
        raise _Absent(NO_TEXT)
    read = tuple(dict.fromkeys(text for text in kept if text.strip()))
    if claim.citations and len(read) > 1:
        read += ("\n\n".join(read),)
    return _Put(claim.text, read, len(kept) == len(cited))


def _ruled(judge: Judge, put: _Put) -> Judgement:
    if not put.claim.strip():
        return Judgement(Ruling.UNAVAILABLE, "the claim has no text")
    if not put.texts:  # nothing that it could stand on, and nobody need be asked
        return Judgement(Ruling.UNSUPPORTED)
    return judge.judge(put.claim, put.texts)


def _by(judge: Judge | None) -> Measure:
    def measure(_case: Case, view: View, _k: int) -> Score:
        if judge is None:
            return Unscored(NO_JUDGE)
        try:
            puts = _puts(view)
            return _score(puts, [_ruled(judge, put) for put in puts])
        except _Absent as absent:
            return Unscored(str(absent))

    return measure


def _puts(view: View) -> list[_Put]:
    made = view.claims
    if not made:
        raise _Absent("the trace has no claims" if made is None else "no claims")
    evidence = view.passages
    if evidence is None:
        raise _Absent(NO_EVIDENCE)
    return [_put(claim, evidence) for claim in made]


def _score(puts: Sequence[_Put], found: Sequence[Judgement]) -> Score:
    """Return the share of supported claims; without a verdict on each, none."""
    total = len(puts)
    rulings = [one.ruling for one in found]
    if lost := rulings.count(Ruling.UNAVAILABLE):
        whys = Counter(one.why for one in found if one.ruling is Ruling.UNAVAILABLE)
        listed = "; ".join(f"{why} ({n})" for why, n in sorted(whys.items()))
        return Failed(f"the judge left {lost} of {total} claims open: {listed}")
    wrong = [n for n, one in enumerate(rulings, 1) if one is not Ruling.SUPPORTED]
    if not all(puts[number - 1].whole for number in wrong):
        raise _Absent(NO_TEXT)  # what was not kept may support it
    supported = total - len(wrong)
    counts = f"claims {total}, verdicts {len(rulings)}, supported {supported}"
    notes = (f"claim {number}: {rulings[number - 1]}" for number in wrong)
    return Scored(supported / total, (counts, *notes))


def judge_scorers(judge: Judge | None) -> tuple[Scorer, ...]:
    """Return judge groundedness; without a judge it measures nothing."""
    return (
        Scorer(
            name=JUDGE_GROUNDEDNESS,
            what="claims that a judge finds supported by what they cite (by any "
            "evidence, if they cite nothing) / claims",
            binary=False,
            needs=Needs.ALWAYS,
            applies=always,
            measure=_by(judge),
            reads=("claims", "evidence", "retrieved"),
            reads_answer=True,
            remark="by the judge named in the provenance; none unless asked for",
        ),
    )
