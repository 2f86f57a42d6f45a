"""Cases and traces to a run: joined by id, judged one by one, only scores kept.

Nothing is read from disk here and no case is run; see ``inputs`` and ``run``.
"""

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from lastro import __version__
from lastro.errors import InputError, Problem
from lastro.eval.aggregate import aggregate, dimension_of, slices
from lastro.eval.attribution import attribute
from lastro.eval.calibration import HIT, calibration
from lastro.eval.cases.fingerprint import case_set_hash
from lastro.eval.counts import gold_used
from lastro.eval.declining import both_ways
from lastro.eval.kept import Kept
from lastro.eval.repeats import Repeats, mean
from lastro.eval.results import Calibration, CaseResult, Floors, Refusals, Run
from lastro.eval.scorers import Judge, Match, Panel, Scorer, outcome, scorers
from lastro.eval.scorers.scorer import NO_TRACE, refuse_cut
from lastro.eval.scorers.view import View
from lastro.model.case import Case, Origin
from lastro.model.ids import CaseId
from lastro.model.trace import Trace
from lastro.text.ids import canonical


@dataclass(slots=True)
class Sheet:
    """The scores of a run as it goes: traces are looked at once and let go."""

    cases: Mapping[str, Case]
    k: int
    scorers: tuple[Scorer, ...]
    match: Match
    source: str
    repeats: Repeats = Repeats.REFUSE
    judge: Judge | None = None
    combine: tuple[str, ...] = ()
    reasons: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    legs: dict[str, Counter[str]] = field(default_factory=dict)
    systems: set[str] = field(default_factory=set)
    stray: list[CaseId] = field(default_factory=list)
    _lines: "array[int]" = field(default_factory=lambda: array("q"))
    _strays: dict[str, int] = field(default_factory=dict)
    _rows: dict[str, int] = field(default_factory=dict)
    _again: dict[int, list[CaseResult]] = field(default_factory=dict)
    _kept: Kept = field(init=False)
    _panel: Panel = field(init=False)
    _names: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Make room for the results."""
        self._kept = Kept(metrics=len(self.scorers))
        self._names = tuple(scorer.name for scorer in self.scorers)
        self.judge_by(self.scorers)

    def judge_by(self, scorers: tuple[Scorer, ...]) -> None:
        """Judge what is added from now on by scorers of the same names."""
        self.scorers = scorers
        self._panel = Panel(scorers, self.k)

    def add(self, trace: Trace, line: int) -> None:
        """Judge one trace; ``line`` is where it stands.

        Raises:
            InputError: its case has a trace already, and repeats are refused;
                both lines are named.
        """
        key = canonical(trace.case_id)
        case = self.cases.get(key)
        before = self._strays.get(key) if case is None else self._line_of(key)
        if before is not None and self.repeats == Repeats.REFUSE:
            raise self._twice(trace.case_id, before, line)
        if case is None:
            self._strays.setdefault(key, line)
            self.stray.append(trace.case_id)
            return
        view = View(trace)
        result = self._result(case, view)
        if (row := self._rows.get(key)) is None:
            self._rows[canonical(case.id)] = self._kept.put(result)
            self._lines.append(line)
        else:
            self._again.setdefault(row, [self._kept[row]]).append(result)
        if trace.system:
            self.systems.add(trace.system)
        if trace.decision is not None and trace.decision.reason:
            self.reasons[trace.decision.reason] += 1
        for name, leg in (trace.legs or {}).items():
            self.legs.setdefault(name, Counter())[leg.status] += 1
        ended = None if trace.error is not None else outcome(case, view)
        if ended is not None:
            self.refusals[ended] += 1

    def run(
        self,
        *,
        floors: Floors | None = None,
        provenance: Mapping[str, object] = MappingProxyType({}),
    ) -> Run:
        """Close the sheet: cases without a trace are failed, means are taken."""
        for key in self.cases.keys() - self._rows.keys():
            self._rows[key] = self._kept.put(self._result(self.cases[key], None))
        for row, runs in self._again.items():
            self._kept.put(mean(runs), row)
        results = self._kept.by_id()
        cases = self.cases.values()
        whole = aggregate(results, self.scorers)
        return Run(
            metrics=self._names,
            results=results,
            aggregates=whole,
            slices=slices(results, self.scorers, combine=self.combine, whole=whole),
            k=self.k,
            gold=gold_used(cases),
            refusals=Refusals(**self.refusals),
            reasons=dict(sorted(self.reasons.items())),
            legs={n: dict(sorted(c.items())) for n, c in sorted(self.legs.items())},
            stray=tuple(sorted(set(self.stray))),
            floors=floors,
            both_ways=both_ways(results),
            calibration=self._calibration(results),
            provenance={
                "cases": len(results),
                "case_set": case_set_hash(cases),
                "k": self.k,
                "lastro": __version__,
                "match": str(self.match),
                "systems": sorted(self.systems),
                **self._asked(),
                **self._repeated(results),
                **provenance,
            },
            private=private(cases),
        )

    def _line_of(self, key: str) -> int | None:
        row = self._rows.get(key)
        return None if row is None else self._lines[row]

    def _twice(self, case_id: CaseId, before: int, line: int) -> InputError:
        what = (
            f"{case_id!r} has a trace on line {before} already; "
            "`--repeats mean` takes several runs of a case"
        )
        problem = Problem(file=self.source, line=line, field="case_id", what=what)
        return InputError([problem])

    def _result(self, case: Case, view: View | None) -> CaseResult:
        scores = self._panel.scores(case, view)
        found = dict(zip(self._names, scores, strict=True))
        failure = attribute(case, view, found, self.match)
        trace = None if view is None else view.trace
        broke = _broke(trace)
        said = None if trace is None or broke else trace.abstained
        decision = None if trace is None else trace.decision
        return CaseResult(
            id=case.id,
            category=case.category,
            locale=case.locale,
            query_type=case.query_type,
            tags=case.tags,
            scores=tuple(scores),
            broke=broke,
            failure=failure,
            failures=int(failure is not None),
            answerable=case.answerable,
            abstained=None if said is None else float(said),
            confidence=None if decision is None else decision.confidence,
        )

    def _calibration(self, results: Kept) -> Calibration | None:
        if not results.confident:
            return None
        return calibration(results, results.measured(self._names.index(HIT)))

    def _asked(self) -> dict[str, object]:
        """Say what was asked for beyond what every run is judged by."""
        cuts = sorted({each.k for each in self.scorers if each.k is not None})
        judge = {"judge": self.judge.name} if self.judge else {}
        return {**judge, **({"at": cuts} if cuts else {})}

    def _repeated(self, results: Iterable[CaseResult]) -> dict[str, object]:
        """Say how often cases were run, where they may be run more than once."""
        if self.repeats == Repeats.REFUSE:
            return {}
        times = sorted({result.repeats for result in results})
        return {"repeats": str(self.repeats), "runs_per_case": times[:1] + times[-1:]}


def sheet(  # noqa: PLR0913 - the choices of judging
    cases: Iterable[Case],
    *,
    k: int,
    at: Iterable[int] = (),
    match: Match = Match.SUBSTRING,
    source: str = "traces",
    repeats: Repeats = Repeats.REFUSE,
    judge: Judge | None = None,
    combine: Iterable[str] = (),
) -> Sheet:
    """Open a sheet for ``cases``; the choices are those of :func:`score`.

    Raises:
        UsageError: a cut-off is under 1, or ``combine`` names no dimensions.
        InputError: two cases have the same id.
    """
    refuse_cut(k)
    combined = tuple(combine)
    for each in combined:
        dimension_of(each)
    by_id: dict[str, Case] = {}
    problems = []
    for place, case in enumerate(cases, 1):
        if canonical(case.id) in by_id:
            what = f"{case.id!r} is the id of an earlier case"
            problems.append(Problem(file="cases", line=place, field="id", what=what))
        by_id[canonical(case.id)] = case
    if problems:
        raise InputError(problems)
    return Sheet(
        cases=by_id,
        k=k,
        scorers=scorers(match, judge, at),
        match=match,
        source=source,
        repeats=repeats,
        judge=judge,
        combine=combined,
    )


def score(  # noqa: PLR0913 - the choices of judging
    cases: Iterable[Case],
    traces: Iterable[tuple[int, Trace]],
    *,
    k: int = 4,
    at: Iterable[int] = (),
    match: Match = Match.SUBSTRING,
    source: str = "traces",
    repeats: Repeats = Repeats.REFUSE,
    judge: Judge | None = None,
    combine: Iterable[str] = (),
) -> Run:
    """Judge what a run left behind, without running anything.

    Args:
        cases: the labelled questions; ids are unique.
        traces: what was left of each, with its line; read once, none is kept.
        k: the cut-off of the retrieval metrics.
        at: further cut-offs, each with keys of its own: ``retrieval_hit_at_10``.
        match: how a text is looked through for an expected term.
        source: what the traces are called in messages.
        repeats: whether two traces of one case are refused, or averaged.
        judge: who says whether a claim is supported; None: nobody is asked.
        combine: slices beyond those by one label each: ``locale+query_type``.

    Raises:
        UsageError: a cut-off is under 1, or ``combine`` names no dimensions.
        InputError: two cases have the same id; two traces have, and repeats
            are refused.
    """
    opened = sheet(
        cases,
        k=k,
        at=at,
        match=match,
        source=source,
        repeats=repeats,
        judge=judge,
        combine=combine,
    )
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
