"""Cases and traces to a run: joined by id, judged one by one, only scores kept.

Nothing is read from disk here and no case is run; see ``inputs`` and ``run``.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib import metadata
from types import MappingProxyType

from lastro.errors import InputError, Problem, UsageError
from lastro.eval.aggregate import aggregate, slices
from lastro.eval.cases.fingerprint import case_set_hash
from lastro.eval.results import CaseResult, Floors, GoldUsed, Refusals, Run
from lastro.eval.scorers import Match, Scorer, outcome, scorers
from lastro.model.case import Case, Origin
from lastro.model.ids import CaseId
from lastro.model.score import Score
from lastro.model.trace import Trace
from lastro.text.ids import canonical

NO_TRACE = "no trace"
_KEPT = 4096  # distinct scores that are shared between cases


@dataclass(slots=True)
class Sheet:
    """The scores of a run as it goes: traces are looked at once and let go."""

    cases: Mapping[str, Case]
    k: int
    scorers: tuple[Scorer, ...]
    match: Match
    source: str
    results: dict[str, CaseResult] = field(default_factory=dict)
    reasons: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    systems: set[str] = field(default_factory=set)
    stray: list[CaseId] = field(default_factory=list)
    _lines: dict[str, int] = field(default_factory=dict)
    _shared: dict[Score, Score] = field(default_factory=dict)

    def add(self, trace: Trace, line: int) -> None:
        """Judge one trace; ``line`` is where it stands.

        Raises:
            InputError: its case has a trace already; both lines are named.
        """
        key = canonical(trace.case_id)
        if key in self._lines:
            what = f"{trace.case_id!r} has a trace on line {self._lines[key]} already"
            problem = Problem(file=self.source, line=line, field="case_id", what=what)
            raise InputError([problem])
        self._lines[key] = line
        case = self.cases.get(key)
        if case is None:
            self.stray.append(trace.case_id)
            return
        self.results[key] = self._result(case, trace)
        if trace.system:
            self.systems.add(trace.system)
        if trace.decision is not None and trace.decision.reason:
            self.reasons[trace.decision.reason] += 1
        ended = None if trace.error is not None else outcome(case, trace)
        if ended is not None:
            self.refusals[ended] += 1

    def run(
        self,
        *,
        floors: Floors | None = None,
        provenance: Mapping[str, object] = MappingProxyType({}),
    ) -> Run:
        """Close the sheet: cases without a trace are failed, means are taken."""
        missing = self.cases.keys() - self.results.keys()
        for key in missing:
            self.results[key] = self._result(self.cases[key], None)
        results = tuple(sorted(self.results.values(), key=lambda result: result.id))
        cases = self.cases.values()
        return Run(
            metrics=tuple(scorer.name for scorer in self.scorers),
            results=results,
            aggregates=aggregate(results, self.scorers),
            slices=slices(results, self.scorers),
            k=self.k,
            gold=_gold(cases),
            refusals=Refusals(**self.refusals),
            reasons=dict(sorted(self.reasons.items())),
            stray=tuple(sorted(self.stray)),
            floors=floors,
            provenance={
                "cases": len(results),
                "case_set": case_set_hash(cases),
                "k": self.k,
                "lastro": metadata.version("lastro"),
                "match": str(self.match),
                "systems": sorted(self.systems),
                **provenance,
            },
            private=private(cases),
        )

    def _result(self, case: Case, trace: Trace | None) -> CaseResult:
        found = (scorer.score(case, trace, self.k) for scorer in self.scorers)
        return CaseResult(
            id=case.id,
            category=case.category,
            locale=case.locale,
            query_type=case.query_type,
            tags=case.tags,
            scores=tuple(self._share(each) for each in found),
            broke=_broke(trace),
        )

    def _share(self, score: Score) -> Score:
        if len(self._shared) < _KEPT:
            return self._shared.setdefault(score, score)
        return self._shared.get(score, score)


def sheet(
    cases: Iterable[Case],
    *,
    k: int,
    match: Match = Match.SUBSTRING,
    source: str = "traces",
) -> Sheet:
    """Open a sheet for ``cases``.

    Raises:
        UsageError: k is under 1.
        InputError: two cases have the same id.
    """
    if not isinstance(k, int) or k < 1:
        raise UsageError(f"k must be at least 1, not {k!r}")
    by_id: dict[str, Case] = {}
    problems = []
    for place, case in enumerate(cases, 1):
        if canonical(case.id) in by_id:
            what = f"{case.id!r} is the id of an earlier case"
            problems.append(Problem(file="cases", line=place, field="id", what=what))
        by_id[canonical(case.id)] = case
    if problems:
        raise InputError(problems)
    table = scorers(match)
    return Sheet(cases=by_id, k=k, scorers=table, match=match, source=source)


def score(
    cases: Iterable[Case],
    traces: Iterable[tuple[int, Trace]],
    *,
    k: int = 4,
    match: Match = Match.SUBSTRING,
    source: str = "traces",
) -> Run:
    """Judge what a run left behind, without running anything.

    Args:
        cases: the labelled questions; ids are unique.
        traces: what was left of each, with its line; read once, none is kept.
        k: the cut-off of the retrieval metrics.
        match: how a text is looked through for an expected term.
        source: what the traces are called in messages.

    Raises:
        UsageError: k is under 1.
        InputError: two cases or two traces have the same id.
    """
    opened = sheet(cases, k=k, match=match, source=source)
    for line, trace in traces:
        opened.add(trace, line)
    return opened.run()


def private(cases: Iterable[Case]) -> bool:
    """Tell whether a case is private: then only aggregates may be reported."""
    return any(c.provenance and c.provenance.origin is Origin.PRIVATE for c in cases)


def _broke(trace: Trace | None) -> str:
    if trace is None:
        return NO_TRACE
    return "" if trace.error is None else f"the turn broke: {trace.error.kind}"


def _gold(cases: Iterable[Case]) -> GoldUsed:
    used = Counter(
        "relevant_ids"
        if case.relevant_ids
        else "must_cite_one_of"
        if case.must_cite_one_of
        else "none"
        for case in cases
    )
    return GoldUsed(**used)
