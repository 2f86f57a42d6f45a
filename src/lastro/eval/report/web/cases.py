"""Failing cases with what they left behind: where it went wrong, and what to do."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from lastro.eval.report.held import grounding, holders, unreadable
from lastro.eval.report.labels import MEANINGS
from lastro.eval.report.number import cases, number
from lastro.eval.report.plain import shortened
from lastro.eval.report.section import Section
from lastro.eval.report.sections.metrics import of_a_stage
from lastro.eval.report.told import told
from lastro.eval.report.trail import trail
from lastro.eval.report.turn import Turn, turn
from lastro.eval.report.view import CaseView
from lastro.eval.report.web.markup import Html, join, tag
from lastro.eval.report.web.table import notes, table
from lastro.eval.results import Run
from lastro.eval.scorers.contract import MalformedAnswer
from lastro.eval.scorers.view import View, ids
from lastro.model.case import Case
from lastro.model.failure import Failure
from lastro.model.score import Scored
from lastro.model.trace import Trace, TraceCitation
from lastro.text.ids import canonical

_RANKS = tag(
    "p",
    "A number is the rank of the first that will do, - is not there, ? not told.",
    class_="source",
)
_LINE, _TEXT = 160, 1200  # characters of a line, of a text; the rest is counted
_PASSAGES, _CLAIMS, _IDS = 6, 12, 12


def failing(run: Run, shown: Sequence[CaseView]) -> Html:
    """Return the cases in groups by label, each behind a line that opens it."""
    counts = run.attribution
    said = (
        f"{len(shown)} of {cases(sum(counts.values()))} that failed are shown here; "
        "scores.jsonl has the scores of all, traces.jsonl what they left."
    )
    groups = groupby(shown, key=lambda view: view.result.failure)
    parts = (
        _group(label, counts[label], list(found), run)
        for label, found in groups
        if label is not None
    )
    return join((notes((said,)), *parts))


def _group(label: Failure, n: int, found: Sequence[CaseView], run: Run) -> Html:
    meaning = MEANINGS[label]
    told = f"{len(found)} of {n}" if len(found) < n else cases(n)
    return tag(
        "details",
        tag("summary", tag("code", label), f" · {told}"),
        tag("p", f"{meaning.what[:1].upper()}{meaning.what[1:]}. {meaning.todo}"),
        *(_case(view, run) for view in found),
        class_="group",
    )


def _case(view: CaseView, run: Run) -> Html:
    return tag(
        "details",
        tag(
            "summary",
            tag("code", shortened(view.case.id, _LINE)),
            tag("span", f"{_times(view)}{shortened(view.case.query, _LINE)}"),
        ),
        tag("div", *_body(view, run), class_="body"),
        class_="case",
    )


def _times(view: CaseView) -> str:
    ran = view.result.repeats
    return f"failed {view.result.failures} of {ran} · " if ran > 1 else ""


def _body(view: CaseView, run: Run) -> Iterator[Html]:
    ran = view.result.repeats
    yield _part("Question", _asked(view.case))
    yield _part("Expected", _lines(_expected(view.case)))
    yield _part(
        f"Scores, means of {ran} runs; a failed one is shown" if ran > 1 else "Scores",
        _scores(view, run),
    )
    if view.trace is None:
        yield _part("Trace", tag("p", _untraced(view), class_="plain"))
        return
    yield from _left(turn(view.case, view.trace, run.k), view.trace)


def _untraced(view: CaseView) -> str:
    if view.result.broke:
        return "The run left no trace of it: run the case again."
    return "Its trace is not among those read."


def _left(found: Turn, left: Trace) -> Iterator[Html]:
    meaning = told(found)
    if meaning is not None:
        said = f"{meaning.what[:1].upper()}{meaning.what[1:]}. {meaning.todo}"
        yield _part("What went wrong", tag("p", shortened(said, _TEXT), class_="plain"))
    rows = trail(found)
    if rows:
        shown = Section(title="Where the gold was", rows=rows)
        yield _part(shown.title, join((table(shown), _RANKS)))
    yield _part("What the evidence holds", _lines(_held(found)))
    yield _part("Decision", _lines(_decision(left)))
    yield _part("Evidence", join(_evidence(found, left)))
    yield _part("Answer", join(_answer(left)) or _no_answer(left))


def _part(title: str, body: Html) -> Html:
    return tag("div", tag("h4", title), body) if body else Html()


def _text(said: str) -> Html:
    return tag("div", shortened(said, _TEXT), class_="text", dir="auto")


def _lines(pairs: Sequence[tuple[str, str]]) -> Html:
    items = (tag("li", f"{name}: {shortened(what, _TEXT)}") for name, what in pairs)
    return tag("ul", *items, class_="plain") if pairs else Html()


def _asked(case: Case) -> Html:
    before = (f"{turn.role}: {turn.content}" for turn in case.prior_turns)
    earlier = "\n".join(before)
    return join((_text(earlier) if earlier else Html(), _text(case.query)))


def _named(found: Sequence[str]) -> str:
    more = len(found) - _IDS
    return ", ".join(found[:_IDS]) + (f" and {more} more" if more > 0 else "")


def _expected(case: Case) -> tuple[tuple[str, str], ...]:
    pairs = (
        ("gold of retrieval", _named(case.retrieval_gold)),
        ("to be cited, one of", _named(case.must_cite_one_of)),
        ("documents", _named(case.expected_doc_ids)),
        ("terms", _named(case.expected_terms)),
        ("reason", str(case.expected_reason or "")),
        ("missing targets", _named(case.expected_missing_targets)),
        ("to be declined", "" if case.answerable else "the documents do not hold it"),
        ("to be refused", "yes" if case.must_refuse else ""),
        *(
            (
                f"side {side.target}",
                f"{_named(side.expected_doc_ids)}; {_named(side.expected_terms)}",
            )
            for side in case.expected_claim_citations
        ),
    )
    return tuple((name, what) for name, what in pairs if what)


def _scores(view: CaseView, run: Run) -> Html:
    pairs = zip(run.metrics, view.result.scores, strict=True)
    chips = (
        tag(
            "li",
            f"{metric} {number(score.value)}",
            class_="short" if score.value < 1 else None,
        )
        for metric, score in pairs
        if isinstance(score, Scored) and not of_a_stage(metric)
    )
    broke = Counter(run.failed(view.result).values())
    said = tuple(f"{what} ({n} metrics have no value)" for what, n in broke.items())
    return join((tag("ul", *chips, class_="chips"), notes(said)))


def _held(found: Turn) -> tuple[tuple[str, str], ...]:
    """Say of each side, or of each term, which passages hold it."""
    case = found.case
    seeks = case is not None and (case.expected_terms or case.expected_claim_citations)
    if seeks and (why := unreadable(found)):
        return (("not known", why),)
    sides = {one.mark: one.side for one in found.sought}
    grounded = {sides[mark]: held for mark, held in grounding(found).items()}
    if grounded:
        return tuple(
            (f"side {side}", _passages(held, "no passage of its own holds its terms"))
            for side, held in list(grounded.items())[:_IDS]
        )
    return tuple(
        (f"“{term}”", _passages(held, "no passage"))
        for term, held in list(holders(found).items())[:_IDS]
    )


def _passages(held: Sequence[int], none: str) -> str:
    return f"passage {', '.join(map(str, held))}" if held else none


def _decision(left: Trace) -> tuple[tuple[str, str], ...]:
    made = left.decision
    if made is None:
        return ()
    limits = made.thresholds or {}
    pairs = (
        ("reason", made.reason or ""),
        ("all reasons", ", ".join(made.reasons)),
        ("confidence", "" if made.confidence is None else number(made.confidence)),
        ("features", _figures(made.features or {})),
        ("thresholds", _figures(limits)),
    )
    return tuple((name, what) for name, what in pairs if what)


def _figures(found: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {number(found[name])}" for name in sorted(found))


def _evidence(turned: Turn, left: Trace) -> Iterator[Html]:
    found = View(left).passages
    if found is None:
        yield tag("p", "Not in the trace.", class_="plain")
        return
    if not found:
        yield tag("p", "None: nothing was found.", class_="plain")
    elif left.evidence is None:
        said = "Those retrieved: the trace names no evidence."
        yield tag("p", said, class_="source")
    named = ids([each for one in turned.sought for each in one.documents])
    for place, passage in enumerate(found[:_PASSAGES], 1):
        held = canonical(passage.document_id) in named
        mark = tag("span", " gold", class_="gold") if held else Html()
        name = f"{place} · {passage.document_id}"
        if passage.passage_id:
            name += f" · {passage.passage_id}"
        yield tag("p", tag("code", shortened(name, _LINE)), mark, class_="source")
        if passage.text:
            yield _text(passage.text)
    if len(found) > _PASSAGES:
        yield tag("p", f"And {len(found) - _PASSAGES} more passages.", class_="source")


def _no_answer(left: Trace) -> Html:
    """Say that there is none; of an answer in another form nothing is shown."""
    said = "No answer: the trace has none."
    return Html() if left.answer else tag("p", said, class_="plain")


def _answer(left: Trace) -> Iterator[Html]:
    if left.error is not None:
        none = "" if left.answer_text else "No answer. "
        said = f"{none}The turn broke: {left.error.kind}."
        yield tag("p", said, class_="plain")
    did = [
        word
        for word, was in (("abstained", left.abstained), ("refused", left.refused))
        if was
    ]
    if did:
        yield tag("p", f"It {' and '.join(did)}.", class_="source")
    if left.answer_text:
        yield _text(left.answer_text)
    try:
        made = View(left).claims or ()
    except MalformedAnswer as error:
        yield tag("p", f"Its claims cannot be read: {error}.", class_="source")
        return
    for claim in made[:_CLAIMS]:
        side = f"{claim.target}: " if claim.target else ""
        cited = "; ".join(map(_cited, claim.citations)) or "no citation"
        yield tag("p", f"{shortened(f'{side}{claim.text}', _TEXT)}", class_="source")
        yield _lines((("cites", cited),))
    if len(made) > _CLAIMS:
        yield tag("p", f"And {len(made) - _CLAIMS} more claims.", class_="source")


def _cited(citation: TraceCitation) -> str:
    quote = f" “{citation.quote}”" if citation.quote else ""
    return f"{citation.passage_id or citation.document_id}{quote}"
