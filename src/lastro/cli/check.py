"""``lastro check``: does a set of cases fit its knowledge base."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lastro.cli.discreet import Discreet, discreet
from lastro.cli.exits import Exit
from lastro.cli.options import json_option, kb_option
from lastro.cli.screen import counted, for_programs, reader_may_leave

if TYPE_CHECKING:
    from lastro.eval.check import CheckFinding


@click.command("check")
@click.argument("cases", type=click.Path(path_type=Path, readable=False))
@kb_option
@json_option
def check_command(cases: Path, kb: Path, as_json: bool) -> int:
    """Check that every gold id and every expected term of CASES stands in the base.

    Says too what the set holds, by locale, category, query type and reason.

    Exit 0: they do.  Exit 1: something does not, and it is named; of a set with
    private cases by file, line and field alone.

    \b
    Example:
      lastro check cases.jsonl --kb my-kb
    """
    import lastro
    from lastro.eval import check as integrity
    from lastro.eval import counts

    with discreet(closed=False) as told:
        listed = told.read(cases)
    with lastro.open(kb) as base:
        findings = integrity.check(listed, base)
    held_by = counts.counts(listed)
    if told.closed:
        held_by["locale"] = _labels(held_by["locale"])
    with reader_may_leave():
        if as_json:
            rows = [_row(found, told) for found in findings]
            for_programs({"cases": len(listed), "findings": rows, "counts": held_by})
        else:
            for found in findings:
                closed = told.closed and told.problem(found.case_id, found.field)
                click.echo(str(closed or found))
            for label, held in held_by.items():
                shown = ", ".join(f"{value} {n}" for value, n in held.items())
                click.echo(f"{label}: {shown}")
            click.echo(
                f"{counted(len(listed), 'case')}, {counted(len(findings), 'finding')}"
            )
    return Exit.BAR_MISSED if findings else Exit.DONE


def _labels(locales: Mapping[str, int]) -> dict[str, int]:
    """Count together what is no plain label, since it may be a text."""
    from lastro.eval.counts import NONE
    from lastro.eval.report.listed import OTHER, slice_key

    found: Counter[str] = Counter()
    for locale, n in locales.items():
        plain = locale == NONE or slice_key("by_locale", locale)
        found[locale if plain else OTHER] += n
    return dict(found)


def _row(found: "CheckFinding", told: Discreet) -> dict[str, str]:
    if told.closed:
        return {"at": told.place(found.case_id), "field": found.field}
    return {
        "case_id": found.case_id,
        "field": found.field,
        "value": found.value,
        "what": found.what,
    }
