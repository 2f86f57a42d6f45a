"""Cases of a knowledge base to a calibration of it: asks, fits, writes nothing."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from lastro import __version__
from lastro.compose.configure import Settings
from lastro.errors import EvaluationError
from lastro.eval.calibrate import thresholds
from lastro.eval.calibrate.fit import crossed, fitted, folds
from lastro.eval.calibrate.thresholds import Judged
from lastro.eval.calibration import Seen
from lastro.eval.cases.fingerprint import case_set_hash
from lastro.gate.calibrated import Calibration
from lastro.gate.confidence import confidence
from lastro.gate.features import Features, features
from lastro.gate.policy import RetrievalPolicy
from lastro.gate.signals import DENSE, LEXICAL, signals
from lastro.model.case import Case
from lastro.model.decision import ReasonCode
from lastro.model.ranking import Ranking
from lastro.text.ids import canonical

LEAST = 50  # cases with an outcome
LEAST_OF_A_KIND = 10  # of which the search found the answer, and of which it did not
LEAST_REASONS = 30  # cases with an expected reason, to fit thresholds by
KEY = "retrieval_"
# A gate cannot give these: they are set elsewhere.
_ELSEWHERE = frozenset(
    {
        ReasonCode.INDEX_GAP,
        ReasonCode.PROVIDER_ERROR,
        ReasonCode.RETRIEVAL_ERROR,
        ReasonCode.POST_GENERATION_MISALIGNMENT,
    }
)


class Engine(Protocol):
    """What cases are put to."""

    @property
    def settings(self) -> Settings:
        """What it was opened with."""

    def search(self, query: str, *, k: int, locale: str | None) -> Ranking:
        """Return the documents for ``query``, best first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One case after its search; ``held`` is None where nothing says."""

    seen: Features
    signals: Mapping[str, float]
    held: bool | None
    expected: ReasonCode | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A calibration, and what it is worth: all by weights that did not see the case.

    ``before`` and ``after`` are confidences with their outcomes.  The agreements are
    shares of the cases with an expected reason, None where there are too few;
    ``confusion`` counts what each expected reason was called after.
    """

    calibration: Calibration
    before: tuple[Seen, ...]
    after: tuple[Seen, ...]
    reasons: int
    agreed_before: float | None
    agreed_after: float | None
    confusion: Mapping[ReasonCode, Counter[ReasonCode]]
    thresholds_before: Mapping[str, float]
    thresholds_after: Mapping[str, float]
    no_outcome: int


def calibrate(
    cases: Iterable[Case],
    kb: Engine,
    *,
    seed: int,
    progress: Callable[[int, int], None] | None = None,
) -> Found:
    """Put labelled cases to the search of a base and fit its gate to them.

    Args:
        cases: what the base is asked.  An answerable case with gold was held if
            a document of its gold came back, an unanswerable one was not; one
            without gold has no outcome, and is counted.
        kb: the base, with the settings that it will be used with.
        seed: decides which cases are left out together.
        progress: told how many of how many cases were asked.

    Raises:
        EvaluationError: too few cases; how many it needs is said.
    """
    listed = sorted(cases, key=lambda case: canonical(case.id))
    rows = []
    for done, case in enumerate(listed):
        if progress is not None:
            progress(done, len(listed))
        rows.append(_asked(case, kb))
    if progress is not None:
        progress(len(listed), len(listed))
    policy = kb.settings.retrieval
    return _fitted(rows, policy, {"cases": case_set_hash(listed)}, seed)


def _asked(case: Case, kb: Engine) -> Row:
    policy = kb.settings.retrieval
    ranking = kb.search(case.query, k=policy.top_k, locale=case.locale or None)
    seen = features(ranking)
    expected = case.expected_reason
    return Row(
        seen=seen,
        signals=signals(ranking, seen),
        held=None if seen.failed else _held(case, ranking),
        expected=None if seen.failed or expected in _ELSEWHERE else expected,
    )


def _held(case: Case, ranking: Ranking) -> bool | None:
    if not case.answerable:
        return False
    if not case.retrieval_gold:
        return None
    gold = set(map(canonical, case.retrieval_gold))
    return any(canonical(hit.document_id) in gold for hit in ranking.hits)


def _fitted(
    rows: Sequence[Row],
    policy: RetrievalPolicy,
    provenance: Mapping[str, object],
    seed: int,
) -> Found:
    usable = [row for row in rows if row.held is not None]
    held = [bool(row.held) for row in usable]
    _refuse_few(held)
    given = [row.signals for row in usable]
    with_vectors = all(name in row for row in given for name in DENSE)
    names = LEXICAL + DENSE if with_vectors else LEXICAL
    chances = crossed(given, held, names, seed=seed)
    made = Calibration(
        lexical=fitted(given, held, LEXICAL),
        dense=fitted(given, held, names) if with_vectors else None,
    )
    judged = _judged(rows, chances, made)
    after, agreed = _thresholds(judged, policy, seed)
    moved = {
        KEY + name: value
        for name, value in after.thresholds.items()
        if value != policy.thresholds[name]
    }
    more = {"n": len(usable), "held": sum(held), "seed": seed, "lastro": __version__}
    plain = [replace(one, seen=replace(one.seen, calibrated=None)) for one in judged]
    return Found(
        calibration=replace(made, thresholds=moved, provenance={**provenance, **more}),
        before=tuple(map(Seen, (confidence(row.seen) for row in usable), held)),
        after=tuple(map(Seen, chances, held)),
        reasons=sum(row.expected is not None for row in rows),
        agreed_before=thresholds.agreement(plain, policy) if plain else None,
        agreed_after=agreed,
        confusion=thresholds.confusion(judged, after),
        thresholds_before=policy.thresholds,
        thresholds_after=after.thresholds,
        no_outcome=len(rows) - len(usable),
    )


def _refuse_few(held: Sequence[bool]) -> None:
    kinds = (sum(held), len(held) - sum(held))
    if len(held) >= LEAST and min(kinds) >= LEAST_OF_A_KIND:
        return
    raise EvaluationError(
        f"too few cases: {len(held)} with an outcome, of which the search found the "
        f"answer of {kinds[0]} and not of {kinds[1]}",
        hint=f"It needs {LEAST}, and {LEAST_OF_A_KIND} of either kind: add answerable "
        "cases with relevant_ids, and cases with answerable false.",
    )


def _judged(
    rows: Sequence[Row], chances: Iterable[float], made: Calibration
) -> list[Judged]:
    """Return the cases with an expected reason, each with its probability.

    ``chances`` are those of the rows with an outcome, in their order; no weights
    saw the others.
    """
    left = iter(chances)
    found = []
    for row in rows:
        chance = made.confidence(row.signals) if row.held is None else next(left)
        if row.expected is not None:
            seen = replace(row.seen, calibrated=chance)
            found.append(Judged(seen=seen, expected=row.expected))
    return found if len(found) >= LEAST_REASONS else []


def _thresholds(
    judged: Sequence[Judged], policy: RetrievalPolicy, seed: int
) -> tuple[RetrievalPolicy, float | None]:
    """Return thresholds, and how they agree on cases that they did not see.

    Where that is no better than with what is set, nothing moves.
    """
    if not judged:
        return policy, None
    now = thresholds.agreement(judged, policy)
    right = 0.0
    for out in folds([True] * len(judged), seed=seed):
        left = set(out)
        seen = [one for at, one in enumerate(judged) if at not in left]
        there = thresholds.fitted(seen, policy)
        right += thresholds.agreement([judged[at] for at in out], there) * len(out)
    if right / len(judged) <= now:
        return policy, now
    return thresholds.fitted(judged, policy), right / len(judged)
