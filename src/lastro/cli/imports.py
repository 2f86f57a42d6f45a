"""``lastro import``: what other systems left behind, as cases or as traces."""

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from lastro.cli.exits import Exit
from lastro.cli.options import json_option, ties_option
from lastro.cli.screen import (
    counted,
    for_people,
    for_programs,
    plain,
    reader_may_leave,
    warn,
)
from lastro.errors import InputError, Problem, UsageError

_PATH = click.Path(path_type=Path, readable=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What was asked for: each format takes some of the options."""

    file: Path
    out: Path
    ties: str | None
    exclude_self: bool
    cases: Path | None
    queries: Path | None
    qrels: str | None
    markers: bool


@dataclass(frozen=True, slots=True)
class Written:
    """What was written: how many of what, and what was counted and found."""

    n: int
    what: str
    counts: Mapping[str, int]
    findings: Sequence[Mapping[str, object]] = ()


Tell = Callable[[str], object]


def _trec_run(asked: Asked, tell: Tell) -> Written:
    from lastro.eval.imports.sources import ranked_run
    from lastro.eval.imports.trec import Ranker
    from lastro.eval.imports.write import write_lines
    from lastro.eval.inputs import read_case_set
    from lastro.eval.scorers.ties import Ties
    from lastro.trace import dumps

    ties = Ties(asked.ties or Ties.GIVEN)
    if ties is Ties.EXPECTED:
        raise UsageError(
            "a trace holds one order, and expected is the mean over all of them",
            hint="`lastro score QRELS RUN --ties expected` judges the run itself.",
        )
    cases = read_case_set(asked.cases, tell) if asked.cases else ()
    ranker = Ranker(ties=ties, exclude_self=asked.exclude_self)
    source = ranked_run(asked.file, cases, ranker, tell)
    n = write_lines(asked.out, (dumps(trace) for _, trace in source.numbered))
    source.close(tell)
    return Written(n, "trace", ranker.counts())


def _trec_qrels(asked: Asked, tell: Tell) -> Written:
    from lastro.eval.imports.beir import read_queries
    from lastro.eval.imports.qrels import read_qrels
    from lastro.eval.imports.told import some
    from lastro.eval.imports.write import case_line, write_lines

    qrels = read_qrels(asked.file)
    queries = read_queries(asked.queries) if asked.queries else {}
    for text in qrels.warnings:
        tell(text)
    bare = [each.query for key, each in qrels.judged.items() if key not in queries]
    if bare:
        tell(f"queries without a text: {len(bare)}, it is their id: {some(bare)}")
    n = write_lines(asked.out, map(case_line, qrels.cases(queries)))
    judged = sum(len(each.documents) for each in qrels.judged.values())
    counts = {"judgements": judged, "queries_without_text": len(bare)}
    return Written(n, "case", counts)


def _beir(asked: Asked, tell: Tell) -> Written:
    from lastro.eval.imports.beir import read_beir
    from lastro.eval.imports.write import case_line, write_lines

    found = read_beir(asked.file, asked.qrels or "")
    for text in found.warnings:
        tell(text)
    n = write_lines(asked.out, map(case_line, found.cases))
    return Written(n, "case", found.counts)


def _traces(asked: Asked, _tell: Tell) -> Written:
    from lastro.eval.imports.markers import finding_rows, with_markers
    from lastro.eval.imports.write import write_lines
    from lastro.trace import dumps, read

    if not asked.markers:
        raise UsageError(
            "traces are in our form already: --markers reads the citations in their "
            "answers"
        )
    counts: Counter[str] = Counter()
    findings: list[Mapping[str, object]] = []

    def lines() -> Iterator[str]:
        for _, trace in read(asked.file):
            made, parsed = with_markers(trace)
            counts["answers_read" if parsed else "left_as_they_were"] += 1
            if parsed:
                counts["claims"] += len(parsed.claims)
                counts["citations"] += len(parsed.citations)
                counts["no_citations"] += len(parsed.others)
                findings.extend(finding_rows(trace.case_id, parsed))
            yield dumps(made)
        if not counts:
            what = "holds no traces"
            raise InputError(
                [Problem(file=str(asked.file), line=0, field="", what=what)]
            )

    n = write_lines(asked.out, lines())
    codes = Counter(str(row["code"]) for row in findings)
    return Written(n, "trace", {**counts, **dict(sorted(codes.items()))}, findings)


# Each format with the options that it takes.
FORMATS: Mapping[str, tuple[Callable[[Asked, Tell], Written], frozenset[str]]] = {
    "trec-run": (_trec_run, frozenset({"ties", "exclude_self", "cases"})),
    "trec-qrels": (_trec_qrels, frozenset({"queries"})),
    "beir": (_beir, frozenset({"qrels"})),
    "traces": (_traces, frozenset({"markers"})),
}


@click.command("import")
@click.argument("kind", metavar="FORMAT", type=click.Choice(FORMATS))
@click.argument("file", type=_PATH)
@click.option("--out", type=_PATH, required=True, help="The file to write.")
@ties_option
@click.option(
    "--exclude-self",
    is_flag=True,
    help="trec-run: leave out a document that is named as its query is.",
)
@click.option(
    "--cases",
    type=_PATH,
    help="trec-run: cases or judgements; one that the run lacks found nothing.",
)
@click.option(
    "--queries",
    type=_PATH,
    help="trec-qrels: texts and languages of the queries, as JSON Lines, or TSV.",
)
@click.option("--qrels", help="beir: which judgements of the folder.")
@click.option(
    "--markers",
    is_flag=True,
    help="traces: read the citations in answer_text, [1] and its like.",
)
@json_option
def import_command(
    kind: str,
    file: Path,
    out: Path,
    ties: str | None,
    exclude_self: bool,
    cases: Path | None,
    queries: Path | None,
    qrels: str | None,
    markers: bool,
    as_json: bool,
) -> int:
    """Read FILE, which another system left behind, into cases or traces.

    \b
    FORMAT  trec-run    a run of TREC            -> traces
            trec-qrels  judgements of TREC, BEIR -> cases
            beir        a BEIR folder            -> cases
            traces      JSON Lines of traces     -> traces with their claims

    \b
    Example:
      lastro import beir scifact/ --out cases.jsonl
      lastro import trec-run bm25.run --cases cases.jsonl --out traces.jsonl
      lastro import traces answers.jsonl --markers --out traces.jsonl
    """
    asked = Asked(
        file=file,
        out=out,
        ties=ties,
        exclude_self=exclude_self,
        cases=cases,
        queries=queries,
        qrels=qrels,
        markers=markers,
    )
    take, options = FORMATS[kind]
    for option in dataclasses.fields(asked):
        name, always = option.name, {"file", "out"}
        if getattr(asked, name) and name not in options | always:
            raise UsageError(f"--{name.replace('_', '-')} is not for {kind}")
    told: list[str] = []
    written = take(asked, told.append)
    if as_json:
        for_programs(
            {
                "format": kind,
                "out": str(out),
                written.what + "s": written.n,
                "counts": written.counts,
                "warnings": told,
                "findings": written.findings,
            }
        )
        return Exit.DONE
    for text in told:
        warn(text)
    with reader_may_leave():
        for row in written.findings:
            click.echo(
                plain("{case_id}: {code}: {text} at {start}:{end}".format(**row))
            )
    for name, n in written.counts.items():
        for_people(f"{name.replace('_', ' ')}: {n:,}")
    for_people(f"wrote {counted(written.n, written.what)} to {out}")
    return Exit.DONE
