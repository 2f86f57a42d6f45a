"""One turn, layer by layer: where what was sought stood, and where it was lost.  Pure.

What is sought is the gold of retrieval; of a comparison each side's documents
on their own, since one side may come back without the other.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from lastro.eval.attribution import SILENT, failing
from lastro.eval.score import score
from lastro.eval.scorers.contract import MalformedAnswer
from lastro.eval.scorers.view import View, comparable, documents_of, ids
from lastro.model.case import Case, QueryType
from lastro.model.failure import Failure
from lastro.model.ranking import LegStatus, Stage
from lastro.model.score import Score
from lastro.model.trace import Trace

ONE = "●"
SIDES = "123456789abcdefghijklmnopqrstuvwxyz"

_LEGS = (Stage.LEXICAL, Stage.DENSE)
_RERANKER = "reranker"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sought:
    """Documents of which one is enough, under the mark that a picture shows.

    ``side`` is the target of a comparison; empty for gold as a whole.
    """

    mark: str
    side: str
    documents: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """One layer: its documents, and where the first of each thing sought stands.

    ``order`` holds distinct documents, best first; None where the trace does
    not say.  ``ranks`` run parallel to what is sought, from 1; None is not
    here.  ``lost`` are the marks of what was lost here.  ``cut`` is how many of
    the documents go on, where a cut is made.  ``status`` is that of a leg.
    """

    name: str
    order: tuple[str, ...] | None
    ranks: tuple[int | None, ...] = ()
    lost: tuple[str, ...] = ()
    cut: int | None = None
    status: str = ""

    def beyond(self, rank: int | None) -> bool:
        """Whether what stands at ``rank`` does not go on from here."""
        return rank is None or (self.cut is not None and rank > self.cut)


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A turn with all that is known of it; without a case there is no gold.

    ``trace`` of None left nothing.  ``failing`` are the scores by which the
    case failed; of a broken one they say what broke.  ``unasked`` is the turn of
    a run that ended before it.
    """

    name: str
    trace: Trace | None
    case: Case | None
    k: int
    failure: Failure | None = None
    failing: Mapping[str, Score] = field(default_factory=dict)
    sought: tuple[Sought, ...] = ()
    layers: tuple[Layer, ...] = ()
    unasked: bool = False

    @property
    def down(self) -> tuple[str, ...]:
        """The legs that were asked and could not look."""
        legs = {} if self.trace is None else self.trace.legs or {}
        asked = SILENT - {LegStatus.OFF}
        return tuple(name for name, leg in legs.items() if leg.status in asked)


def turn(case: Case | None, trace: Trace | None, k: int) -> Turn:
    """Judge one turn and lay it out.

    Args:
        case: the labelled question; None if there is none.
        trace: what its turn left behind; None if it left nothing.
        k: the cut-off of the retrieval metrics.
    """
    sought = () if case is None else _sought(case)
    rows = () if trace is None else layers(trace, sought, k)
    if case is None:
        name = "" if trace is None else str(trace.case_id)
        return Turn(name=name, trace=trace, case=None, k=k, layers=rows)
    run = score([case], [] if trace is None else [(1, trace)], k=k)
    (result,) = run.results
    scores = dict(zip(run.metrics, result.scores, strict=True))
    return Turn(
        name=str(case.id),
        trace=trace,
        case=case,
        k=k,
        failure=result.failure,
        failing={metric: scores[metric] for metric in failing(scores)},
        sought=sought,
        layers=rows,
    )


def _sought(case: Case) -> tuple[Sought, ...]:
    sides = case.expected_claim_citations
    if case.query_type is QueryType.COMPARISON and len(sides) > 1:
        return tuple(
            Sought(mark=mark, side=side.target, documents=side.expected_doc_ids)
            for mark, side in zip(SIDES, sides, strict=False)
        )
    gold = case.retrieval_gold
    return (Sought(mark=ONE, side="", documents=gold),) if gold else ()


def layers(trace: Trace, sought: Sequence[Sought], k: int) -> tuple[Layer, ...]:
    """Return the layers of a turn in order, from the legs to the citations.

    Lost is a thing at the first layer that does not hold it, of those the trace
    knows: at the last leg, if no leg found it; at the order that decides the
    window (the reranked one, else the fused one) if it stands below the cut.
    """
    found = tuple(_layers(trace, sought, k))
    at = {one.mark: _lost(place, found) for place, one in enumerate(sought)}
    return tuple(
        Layer(
            name=each.name,
            order=each.order,
            ranks=each.ranks,
            lost=tuple(mark for mark, name in at.items() if name == each.name),
            cut=each.cut,
            status=each.status,
        )
        for each in found
    )


def _layers(trace: Trace, sought: Sequence[Sought], k: int) -> Iterator[Layer]:
    stages, legs = trace.stages or {}, trace.legs or {}
    decides = Stage.RERANKED if Stage.RERANKED in stages else Stage.FUSED
    wanted = [ids(one.documents) for one in sought]

    def layer(name: str, found: Sequence[str] | None, leg: str = "") -> Layer:
        order = None if found is None else tuple(dict.fromkeys(comparable(found)))
        cut = k if name in {decides, "retrieved"} else None
        status = legs[leg].status if leg in legs else ""
        ranks = () if order is None else tuple(_rank(gold, order) for gold in wanted)
        return Layer(name=name, order=order, ranks=ranks, cut=cut, status=status)

    for stage in (*_LEGS, Stage.FUSED, Stage.RERANKED):
        entries = stages.get(stage)
        found = None if entries is None else [entry.document_id for entry in entries]
        leg = _RERANKER if stage is Stage.RERANKED else stage
        if found is not None or leg in legs or stage is Stage.FUSED:
            yield layer(stage, found, leg)
    hits = trace.retrieved
    yield layer("retrieved", None if hits is None else documents_of(hits))
    yield layer("evidence", _prompt(trace))
    yield layer("cited", _cited(trace))


def _rank(gold: frozenset[str], order: Sequence[str]) -> int | None:
    return next((at for at, each in enumerate(order, 1) if each in gold), None)


def _prompt(trace: Trace) -> list[str] | None:
    if trace.evidence is not None:
        return [item.document_id for item in trace.evidence]
    chosen = (trace.stages or {}).get(Stage.SELECTED)
    return None if chosen is None else [entry.document_id for entry in chosen]


def _cited(trace: Trace) -> list[str] | None:
    try:
        return View(trace).cited
    except MalformedAnswer:
        return None


def _lost(place: int, found: Sequence[Layer]) -> str:
    """Return the name of the layer that lost one thing; empty if it came through."""
    known = [layer for layer in found if layer.order is not None]
    if not _searched(known):
        return ""
    legs = [layer for layer in known if layer.name in _LEGS]
    names = [layer.name for layer in known]
    came = names.index("retrieved") if "retrieved" in names else None
    if came is not None and not known[came].beyond(known[came].ranks[place]):
        known = known[came:]  # whatever the stages say, it was not lost before
    elif legs and _complete(found) and not any(each.ranks[place] for each in legs):
        return legs[-1].name
    rest = (layer for layer in known if layer not in legs)
    return next((each.name for each in rest if each.beyond(each.ranks[place])), "")


def _searched(known: Sequence[Layer]) -> bool:
    """Whether the trace tells of a search, or holds what only one can have found."""
    told = {layer.name for layer in known} - {"evidence", "cited"}
    return bool(told) or any(layer.order for layer in known)


def _complete(found: Sequence[Layer]) -> bool:
    """Whether the trace holds what each leg found that may have found something."""
    silent = (layer for layer in found if layer.name in _LEGS and layer.order is None)
    return all(layer.status in SILENT for layer in silent)


def place_of_gold(turn: Turn, layer: str) -> int | None:
    """Return at which rank the first gold document of a layer stands, from 1.

    None if it holds none, or is not known.
    """
    gold = frozenset[str]() if turn.case is None else ids(turn.case.retrieval_gold)
    orders = (each.order for each in turn.layers if each.name == layer)
    return next((_rank(gold, order) for order in orders if order is not None), None)
