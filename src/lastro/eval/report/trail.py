"""Where the gold of a case was: its rank after each stage of its turn.  Pure."""

from collections.abc import Sequence

from lastro.eval.report.section import Row, Rows
from lastro.eval.scorers.view import MalformedAnswer, cited, document_of, documents
from lastro.model.case import Case
from lastro.model.ranking import Stage
from lastro.model.trace import Trace
from lastro.text.ids import canonical

_GOLD = 12  # documents of gold a case shows
GONE, UNKNOWN = "-", "?"


def trail(case: Case, left: Trace) -> Rows:
    """Return a row a gold document and a column a stage; none without gold.

    A cell is the rank of its document among those of the stage, a dash where
    the stage does not hold it, a question mark where the trace has no stage.
    """
    named = gold(case)
    if not named:
        return ()
    stages = left.stages or {}
    orders: list[Sequence[str] | None] = [
        None if stage not in stages else [e.document_id for e in stages[stage]]
        for stage in Stage
    ]
    orders.append(
        None if left.retrieved is None else [document_of(h) for h in left.retrieved]
    )
    inside = (documents(left), _cited(left))
    head = ("gold", *map(str, Stage), "retrieved", "evidence", "cited")
    return (head, *(_row(each, orders, inside) for each in named[:_GOLD]))


def gold(case: Case) -> tuple[str, ...]:
    """Return every document that a case names as gold, in order, each once."""
    sides = (each for s in case.expected_claim_citations for each in s.expected_doc_ids)
    found: dict[str, str] = {}
    for each in (*case.retrieval_gold, *case.expected_doc_ids, *sides):
        found.setdefault(canonical(each), each)
    return tuple(found.values())


def _row(
    name: str,
    orders: Sequence[Sequence[str] | None],
    inside: Sequence[frozenset[str] | None],
) -> Row:
    key = canonical(name)
    places = (_place(key, order) for order in orders)
    there = (
        UNKNOWN if ids is None else "yes" if key in ids else GONE for ids in inside
    )
    return (name, *places, *there)


def _place(key: str, order: Sequence[str] | None) -> str:
    if order is None:
        return UNKNOWN
    distinct = list(dict.fromkeys(map(canonical, order)))
    return str(distinct.index(key) + 1) if key in distinct else GONE


def _cited(left: Trace) -> frozenset[str] | None:
    try:
        found = cited(left)
    except MalformedAnswer:
        return None
    return None if found is None else frozenset(found)
