"""What a report says, before it is rendered: the same page for terminal and Markdown.

Each section is a small function of the run; a section with nothing to say is
None.  No text of a case stands on a page, only ids, labels and numbers.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from lastro.eval.report.missed import missed
from lastro.eval.report.number import cases, count, mean, number, pair
from lastro.eval.report.tally import broken, eligible, scorer_failures, unscored
from lastro.eval.results import FloorScore, Run
from lastro.eval.scorers import SCORERS
from lastro.model.ranking import Stage
from lastro.model.score import Bar, BarState, Verdict

SHOWN = 50  # ids named on a page; scores.jsonl has all of them

Rows = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A heading, sentences, and a table whose first row names the columns.

    A ``long`` one is for files: a terminal says where it stands instead.
    """

    title: str
    notes: tuple[str, ...] = ()
    rows: Rows = ()
    long: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A report: its one line, what it stands on, and its sections in order."""

    headline: str
    lead: tuple[str, ...]
    sections: tuple[Section, ...]


def page(run: Run, verdict: Verdict) -> Page:
    """Put a run and its verdict on a page."""
    sections = (
        _bars(verdict),
        _missed(run, verdict),
        _metrics(run),
        _stages(run),
        _floors(run),
        _slice(run, "by_category", "By category"),
        _slice(run, "by_locale", "By locale", _INDICATIVE),
        _slice(run, "by_query_type", "By query type"),
        _slice(run, "by_tag", "By tag"),
        _refusals(run),
        _reasons(run),
        _unscored(run),
        _broken(run),
        _stray(run),
        _provenance(run),
    )
    return Page(
        headline=headline(verdict),
        lead=tuple(_lead(run, verdict)),
        sections=tuple(section for section in sections if section is not None),
    )


def headline(verdict: Verdict) -> str:
    """Say in one line how the run ended."""
    if verdict.unmeasured:
        more = len(verdict.unmeasured) - 1
        rest = f" (and {more} more)" if more else ""
        return f"COULD NOT MEASURE: {verdict.unmeasured[0]}{rest}"
    active = [bar for bar in verdict.bars if bar.state is BarState.ACTIVE]
    if verdict.breaches:
        names = ", ".join(bar.metric for bar in verdict.breaches)
        return f"FAIL: {len(verdict.breaches)} of {len(active)} bars missed: {names}"
    if not active:
        return "PASS: no bar is set, so nothing was required"
    return f"PASS: {len(active)} of {len(active)} bars held"


_INDICATIVE = (
    "Differences between locales are indicative: their cases differ, none is tested."
)


def _lead(run: Run, verdict: Verdict) -> Iterable[str]:
    yield from verdict.unmeasured[1:]
    systems = run.provenance.get("systems")
    named = ", ".join(map(str, systems)) if isinstance(systems, list | tuple) else ""
    yield f"{cases(len(run.results))}, k = {run.k}, system: {named or 'not named'}."
    yield (
        f"Gold of retrieval: relevant_ids in {cases(run.gold.relevant_ids)}, "
        f"must_cite_one_of in {cases(run.gold.must_cite_one_of)}, "
        f"none in {cases(run.gold.none)}."
    )
    if run.broken:
        yield (
            f"{len(run.broken)} of {cases(len(run.results))} broke; "
            "they are named under Broken cases."
        )
    if run.private:
        yield "The cases are private: none is named, no text of theirs is shown."


def _bars(verdict: Verdict) -> Section:
    rows = [("metric", "required", "observed", "state")]
    for bar in verdict.bars:
        required, observed = pair(bar.required, bar.observed)
        rows.append((bar.metric, required, observed, _state(bar)))
    return Section(title="Bars", rows=tuple(rows))


def _missed(run: Run, verdict: Verdict) -> Section | None:
    rows = tuple(missed(run, verdict))
    if not rows:
        return None
    head = ("missed bar", "cases that scored under it")
    return Section(title="Where to look", rows=(head, *rows))


def _state(bar: Bar) -> str:
    match bar.state:
        case BarState.ACTIVE:
            return "active, held" if bar.held else "active, MISSED"
        case BarState.INACTIVE | BarState.NOT_MEASURED:
            return f"{bar.state}: {bar.why}"


def _metrics(run: Run) -> Section:
    rows = [("metric", "mean [95 %]", "n of eligible", "interval", "")]
    failed = eligible(run)
    for scorer in SCORERS:
        found = run.aggregates.get(scorer.name)
        if _of_a_stage(scorer.name):
            continue
        if found is None:
            none = "not measured", f"0 of {failed.get(scorer.name, 0)}", "none"
            rows.append((scorer.name, *none, scorer.remark))
            continue
        shown = mean(found), count(found), found.method
        rows.append((scorer.name, *shown, scorer.remark))
    return Section(title="Metrics", notes=tuple(_recipe(run)), rows=tuple(rows))


def _recipe(run: Run) -> Iterable[str]:
    drawn = {(s.resamples, s.seed) for s in run.aggregates.values() if s.resamples}
    for resamples, seed in sorted(drawn):
        yield f"bootstrap: over cases, {resamples} resamples, seed {seed}."


def _stages(run: Run) -> Section | None:
    rows = []
    for stage in Stage:
        names = [f"stage.{stage}.{name}" for name in _STAGE_METRICS]
        found = [run.aggregates.get(name) for name in names]
        cells = ["not measured" if each is None else mean(each) for each in found]
        counts = {count(each) for each in found if each is not None}
        if counts:
            rows.append((str(stage), *cells, ", ".join(sorted(counts))))
    if not rows:
        return None
    head = ("stage", *_STAGE_METRICS, "n of eligible")
    return Section(title="Stages of retrieval", rows=(head, *rows))


_STAGE_METRICS = ("hit_at_k", "recall_at_k", "ndcg_at_k")


def _of_a_stage(metric: str) -> bool:
    return metric.startswith("stage.")


def _floors(run: Run) -> Section:
    if run.floors is None:
        why = "not measured: no system was run, only its traces were read."
        return Section(title="Floors", notes=(why,))
    rows: list[tuple[str, ...]] = [
        ("metric", "system", "floor", "its mean", "n", "headroom", "")
    ]
    for metric, found in run.aggregates.items():
        for name, scores in run.floors.items():
            if metric in scores:
                rows.append(_floor(metric, mean(found), name, scores[metric]))
    note = "Headroom is (score - floor) / (1 - floor)."
    return Section(title="Floors", notes=(note,), rows=tuple(rows))


def _floor(metric: str, system: str, name: str, floor: FloorScore) -> tuple[str, ...]:
    mark = "" if floor.told_apart else "CANNOT TELL the system from this floor"
    shown = number(floor.mean), str(floor.n), number(floor.headroom)
    return (metric, system, name, *shown, mark)


def _slice(run: Run, dimension: str, title: str, note: str = "") -> Section | None:
    groups = run.slices.get(dimension, {})
    if not groups:
        return None
    if len(groups) == 1 and dimension != "by_tag":
        return Section(title=title, notes=(f"All cases are: {next(iter(groups))}.",))
    rows = [
        (scorer.name, key, mean(group[scorer.name]), count(group[scorer.name]))
        for scorer in SCORERS
        if not _of_a_stage(scorer.name)
        for key, group in groups.items()
        if scorer.name in group
    ]
    silent = [
        f"Slice {key}: no metric was measured." for key in groups if not groups[key]
    ]
    head = ("metric", title.removeprefix("By "), "mean [95 %]", "n of eligible")
    notes = (*([note] if note else []), *silent)
    table = (head, *rows) if rows else ()
    long = dimension == "by_tag"
    return Section(title=title, notes=notes, rows=table, long=long)


def _refusals(run: Run) -> Section | None:
    ended = run.refusals
    counts = (
        ("correct_refusal", ended.correct_refusal, "abstained, no evidence"),
        ("incorrect_answer", ended.incorrect_answer, "answered"),
        ("boundary_partial", ended.boundary_partial, "abstained beside evidence"),
    )
    if not any(n for _, n, _ in counts):
        return None
    rows = tuple((name, str(n), what) for name, n, what in counts)
    head = ("outcome", "cases", "")
    return Section(title="Unanswerable cases", rows=(head, *rows))


def _reasons(run: Run) -> Section | None:
    if not run.reasons:
        return None
    rows = tuple((reason, str(n)) for reason, n in run.reasons.items())
    return Section(title="Decisions of the gate", rows=(("reason", "cases"), *rows))


def _unscored(run: Run) -> Section | None:
    rows = tuple(
        (metric, why, str(n))
        for metric, whys in unscored(run).items()
        if not _of_a_stage(metric)
        for why, n in whys.items()
    )
    if not rows:
        return None
    note = "Not measured is neither 0 nor 1: these cases stand in no mean."
    head = ("metric", "why", "cases")
    return Section(title="Not measured", notes=(note,), rows=(head, *rows))


def _broken(run: Run) -> Section | None:
    rows = (*broken(run).items(), *scorer_failures(run))
    if not rows:
        return None
    notes = ("They are eligible and stand in no mean.", *_cut(len(rows)))
    head = ("case", "what broke")
    return Section(title="Broken cases", notes=notes, rows=(head, *rows[:SHOWN]))


def _stray(run: Run) -> Section | None:
    if not run.stray or run.private:
        return None
    n = len(run.stray)
    notes = (f"Traces without a case, read and left out: {n}.", *_cut(n))
    rows = tuple((case_id,) for case_id in run.stray[:SHOWN])
    return Section(title="Stray traces", notes=notes, rows=(("case_id",), *rows))


def _cut(n: int) -> tuple[str, ...]:
    return (f"The first {SHOWN} of {n} are named here.",) if n > SHOWN else ()


def _provenance(run: Run) -> Section:
    rows = tuple((key, _plain(run.provenance[key])) for key in sorted(run.provenance))
    return Section(title="Provenance", rows=(("what", "value"), *rows))


def _plain(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {_plain(value[key])}" for key in sorted(value))
    if isinstance(value, list | tuple):
        return ", ".join(map(_plain, value)) or "none"
    return str(value)
