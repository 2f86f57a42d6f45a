"""The same as ``why``, as plain values for ``--json``: nothing of it is cut.  Pure."""

from dataclasses import asdict

from lastro.eval.report.held import codes, evidence, grounding, holders, unreadable
from lastro.eval.report.told import told
from lastro.eval.report.turn import Layer, Turn
from lastro.eval.scorers.contract import MalformedAnswer
from lastro.eval.scorers.view import View
from lastro.model.score import Failed, Scored


def why_data(turn: Turn) -> dict[str, object]:
    """Return a turn's layers; what is not known is null."""
    trace, failure = turn.trace, turn.failure
    meaning = told(turn)
    known = not unreadable(turn)
    marks = [one.mark for one in turn.sought]
    return {
        "case_id": turn.name,
        "query": turn.case.query if turn.case else trace.query if trace else None,
        "judged": turn.case is not None,
        "failure": failure,
        "what": None if meaning is None else meaning.what,
        "todo": None if meaning is None else meaning.todo,
        "failing": {
            name: found.value if isinstance(found, Scored) else None
            for name, found in turn.failing.items()
        },
        "broke": {
            name: found.what
            for name, found in turn.failing.items()
            if isinstance(found, Failed)
        },
        "k": turn.k,
        "gold": [asdict(one) for one in turn.sought],
        "gold_not_indexed": None if trace is None else trace.gold_not_indexed,
        "layers": [_layer(each, marks) for each in turn.layers],
        "down": turn.down,
        **_said(turn),
        "evidence": _evidence(turn),
        "terms": holders(turn) if known else None,
        "sides": grounding(turn) if known else None,
        "claims": _claims(turn),
    }


def _layer(layer: Layer, marks: list[str]) -> dict[str, object]:
    known = layer.order is not None
    return {
        "name": layer.name,
        "status": layer.status or None,
        "documents": layer.order,
        "cut": layer.cut,
        "ranks": dict(zip(marks, layer.ranks, strict=True)) if known else None,
        "lost": layer.lost,
    }


def _said(turn: Turn) -> dict[str, object]:
    if turn.trace is None:
        return {}
    decision, error = turn.trace.decision, turn.trace.error
    return {
        "decision": None if decision is None else asdict(decision),
        "expected_reason": None if turn.case is None else turn.case.expected_reason,
        "error": None if error is None else asdict(error),
        "abstained": turn.trace.abstained,
        "refused": turn.trace.refused,
    }


def _evidence(turn: Turn) -> list[dict[str, object]] | None:
    found = evidence(turn)
    if found is None:
        return None
    return [{**asdict(passage), "gold": list(marks)} for passage, marks in found]


def _claims(turn: Turn) -> dict[str, object] | None:
    if turn.trace is None:
        return None
    try:
        made = View(turn.trace).claims
        wrong, unknown = codes(turn)
    except MalformedAnswer as error:
        return {"made": None, "why": str(error)}
    if made is None:
        return None
    judged = None if unknown else wrong
    return {
        "made": [
            {**asdict(claim), "codes": None if judged is None else judged.get(at, [])}
            for at, claim in enumerate(made, 1)
        ],
        "missing": None if judged is None else judged.get(0, []),
        "why": unknown or None,
    }
