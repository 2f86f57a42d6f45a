"""``lastro check``: does a set of cases fit its knowledge base."""

from pathlib import Path

import click

from lastro.cli.exits import Exit
from lastro.cli.options import json_option, kb_option
from lastro.cli.screen import counted, for_programs, reader_may_leave, warn


@click.command("check")
@click.argument("cases", type=click.Path(path_type=Path, readable=False))
@kb_option
@json_option
def check_command(cases: Path, kb: Path, as_json: bool) -> int:
    """Check that every gold id and every expected term of CASES stands in the base.

    Says too what the set holds, by locale, category, query type and reason.

    Exit 0: they do.  Exit 1: something does not, and it is named.

    \b
    Example:
      lastro check cases.jsonl --kb my-kb
    """
    import lastro
    from lastro.eval import check as integrity
    from lastro.eval import counts
    from lastro.eval.inputs import read_case_set

    listed = read_case_set(cases, warn)
    with lastro.open(kb) as base:
        findings = integrity.check(listed, base)
    with reader_may_leave():
        if as_json:
            rows = [
                {
                    "case_id": f.case_id,
                    "field": f.field,
                    "value": f.value,
                    "what": f.what,
                }
                for f in findings
            ]
            held_by = counts.counts(listed)
            for_programs({"cases": len(listed), "findings": rows, "counts": held_by})
        else:
            for found in findings:
                click.echo(
                    f"{found.case_id}: {found.field}: {found.value!r} {found.what}"
                    f"; {found.advice}"
                )
            for label, held in counts.counts(listed).items():
                told = ", ".join(f"{value} {n}" for value, n in held.items())
                click.echo(f"{label}: {told}")
            click.echo(
                f"{counted(len(listed), 'case')}, {counted(len(findings), 'finding')}"
            )
    return Exit.BAR_MISSED if findings else Exit.DONE
