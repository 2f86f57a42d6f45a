"""Every metric with its interval and n, the stages of retrieval, the two floors."""

from collections.abc import Iterable

from lastro.eval.report.number import count, mean, number
from lastro.eval.report.section import Row, Section
from lastro.eval.report.tally import eligible
from lastro.eval.results import FloorScore, Run
from lastro.eval.scorers import lines
from lastro.model.ranking import Stage
from lastro.model.score import Verdict

STAGE_METRICS = ("hit_at_k", "recall_at_k", "ndcg_at_k")


def of_a_stage(metric: str) -> bool:
    """Tell a stage's metric, which has a table of its own, from the others."""
    return metric.startswith("stage.")


def metrics(run: Run, _verdict: Verdict) -> Section:
    """Every metric of the table of scorers, also those not measured."""
    rows = [("metric", "mean [95 %]", "n of eligible", "interval", "")]
    failed = eligible(run)
    for scorer in lines(run.metrics):
        found = run.aggregates.get(scorer.name)
        if of_a_stage(scorer.name):
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


def stages(run: Run, _verdict: Verdict) -> Section | None:
    """Show the retrieval metrics after every stage that left a ranking."""
    rows = []
    for stage in Stage:
        names = [f"stage.{stage}.{name}" for name in STAGE_METRICS]
        found = [run.aggregates.get(name) for name in names]
        cells = ["not measured" if each is None else mean(each) for each in found]
        counts = {count(each) for each in found if each is not None}
        if counts:
            rows.append((str(stage), *cells, ", ".join(sorted(counts))))
    if not rows:
        return None
    head = ("stage", *STAGE_METRICS, "n of eligible")
    return Section(title="Stages of retrieval", rows=(head, *rows))


def legs(run: Run, _verdict: Verdict) -> Section | None:
    """Count what the legs of the search reported: one that fails is seen to."""
    rows = tuple(
        (name, status, str(n))
        for name, counts in run.legs.items()
        for status, n in counts.items()
    )
    if not rows:
        return None
    head = ("leg", "reported", "cases")
    return Section(title="Legs of the search", rows=(head, *rows))


def floors(run: Run, _verdict: Verdict) -> Section:
    """Set every metric beside systems that cannot see."""
    if run.floors is None:
        why = "not measured: no system was run, only its traces were read."
        return Section(title="Floors", notes=(why,))
    rows: list[Row] = [("metric", "system", "floor", "its mean", "n", "headroom", "")]
    for metric, found in run.aggregates.items():
        for name, scores in run.floors.items():
            if metric in scores:
                rows.append(_floor(metric, mean(found), name, scores[metric]))
    note = "Headroom is (score - floor) / (1 - floor)."
    return Section(title="Floors", notes=(note,), rows=tuple(rows))


def _floor(metric: str, system: str, name: str, floor: FloorScore) -> Row:
    mark = "" if floor.told_apart else "CANNOT TELL the system from this floor"
    shown = number(floor.mean), str(floor.n), number(floor.headroom)
    return (metric, system, name, *shown, mark)
