"""What a comparison says, before it is rendered: terminal, Markdown and HTML.

No text of a case stands on a page, only ids, labels and numbers; of a private run
not even ids.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from lastro.eval.compared import Claim, Comparison, Difference
from lastro.eval.report.labels import MEANINGS
from lastro.eval.report.number import cases, interval, number
from lastro.eval.report.section import SHOWN, Page, Row, Section, cut, some
from lastro.eval.report.sections.metrics import of_a_stage
from lastro.eval.report.sections.provenance import written
from lastro.eval.report.terminal import in_columns
from lastro.model.failure import Failure

_IDS = 6  # named in a cell; the JSON has all of them
_TOLD = 5  # differences and labels that are told in words
_NONE = "did not fail"


def compare_page(found: Comparison) -> Page:
    """Put a comparison on a page."""
    return Page(
        headline=headline(found),
        lead=(f"A: {found.name_a}. B: {found.name_b}.", *lead(found)),
        sections=tuple(each for each in sections(found) if each.rows or each.notes),
    )


def compare_text(found: Comparison) -> str:
    """Render a comparison for a terminal or a log."""
    return in_columns(compare_page(found))


def sections(found: Comparison) -> Iterator[Section]:
    """Yield every section in order, also those with nothing to say."""
    yield claims(found)
    yield changed(found)
    yield differences(found)
    yield stages(found)
    yield layers(found)
    yield moved(found)
    yield unpaired(found)
    yield gaps(found)
    yield provenance(found)


def headline(found: Comparison) -> str:
    """Say in one line what became of the comparison."""
    held = sum(claim.held for claim in found.claims)
    of_all = f"{held} of {len(found.claims)} claims hold"
    if not found.paired:
        return "COULD NOT MEASURE: the runs have no case in common"
    if not found.measured:
        return "COULD NOT MEASURE: no metric was measured in both runs"
    if found.exit_code:
        word = "FAIL" if found.exit_code == 1 else "COULD NOT MEASURE"
        return f"{word}: {of_all}"
    if found.claims:
        return f"PASS: {of_all}"
    return f"COMPARED: {cases(found.paired)} in both runs, nothing was claimed"


def lead(found: Comparison) -> Iterator[str]:
    """Yield what the numbers stand on."""
    yield (
        "Differences are B - A over the same cases, paired by id: "
        f"{cases(found.paired)} in both, {len(found.only_a)} only in A, "
        f"{len(found.only_b)} only in B."
    )
    if "case_set" in found.differs:
        yield (
            "The case sets differ: of cases in both, questions or labels may differ "
            "too, and a difference may come of that."
        )
    if found.private:
        yield "Aggregates only: no case is named."


def claims(found: Comparison) -> Section:
    """Every claim with what it was judged by."""
    rows = tuple(
        (
            claim.text,
            _held(claim),
            f"{signed(claim.difference)} {interval(claim.ci_lo, claim.ci_hi)}",
            str(claim.n),
            claim.why,
        )
        for claim in found.claims
    )
    head = ("claim", "state", "B - A [95 %]", "n", "why")
    return Section(title="Claims", rows=(head, *rows) if rows else ())


def _held(claim: Claim) -> str:
    if not claim.measured:
        return "not measured"
    return "active, held" if claim.held else "active, MISSED"


def changed(found: Comparison) -> Section:
    """Say in words in which layer cases were lost, and what is told apart."""
    sure = [d for d in found.differences if d.apart and not of_a_stage(d.metric)]
    sure.sort(key=lambda each: -abs(each.difference or 0.0))
    told = [*_layers_told(found), *map(_moved_by, sure[:_TOLD])]
    if len(sure) > _TOLD:
        told.append(f"{len(sure) - _TOLD} more metrics are marked below.")
    if found.measured and not sure:
        told.append("No metric is told apart: see what this n could have found.")
    return Section(title="What changed", notes=tuple(told))


def _moved_by(each: Difference) -> str:
    low, high, by = each.ci_lo, each.ci_hi, each.difference or 0.0
    word = "rose"
    if by < 0:
        word, by = "fell", -by
        low, high = (None if v is None else -v for v in (high, low))
    return f"{each.metric} {word} by {number(by)} {interval(low, high)}, n = {each.n}."


def _layers_told(found: Comparison) -> Iterator[str]:
    by = {label: b - a for label, (a, b) in found.attribution.items() if a != b}
    # Where more fail now comes first: that is the layer to look at.
    for label in sorted(by, key=lambda each: (by[each] < 0, -abs(by[each])))[:_TOLD]:
        a, b = found.attribution[label]
        word = "more" if by[label] > 0 else "fewer"
        verb = "fails" if abs(by[label]) == 1 else "fail"
        n = cases(abs(by[label])).replace(" ", f" {word} ")
        went = _went(found, label) if by[label] < 0 else ""
        yield f"{n} {verb} at {label}: {MEANINGS[label].what} (A {a}, B {b}).{went}"


def _went(found: Comparison, label: Failure) -> str:
    """Say what became of those that left a label, if some fail elsewhere now.

    To break earlier is no gain, and looks like one at the layer that was left.
    """
    left = Counter(each.after for each in found.moved if each.before is label)
    now = [f"{left[each]} at {each}" for each in Failure if left[each]]
    if not now:
        return ""
    gained = f"{left[None]} did not fail" if left[None] else "all fail elsewhere"
    return f" Of {left.total()} that left it {gained}; {', '.join(now)}."


def differences(found: Comparison) -> Section:
    """Every metric that both runs measured, but those of the stages."""
    note = (
        "p is that of the sign-flip permutation test, then corrected over the metrics "
        "shown (Holm); higher and LOWER are where that p is at most 0.05 and the "
        "interval excludes zero; detectable is the least difference that this n finds "
        f"with 80 % power.  {found.resamples} resamples, seed {found.seed}."
    )
    head = ("metric", "A", "B", "B - A [95 %]", "n", "p", "p, Holm", "detectable", "")
    rows = tuple(
        (*_difference(each), number(each.p_holm), number(each.detectable), _mark(each))
        for each in compared(found)
    )
    notes = (note,) if rows else ()
    return Section(title="Differences", notes=notes, rows=(head, *rows) if rows else ())


def compared(found: Comparison) -> tuple[Difference, ...]:
    """Return the differences that have a row in :func:`differences`."""
    return tuple(d for d in found.differences if d.n and not of_a_stage(d.metric))


def stages(found: Comparison) -> Section:
    """Say where in retrieval a difference arises; no correction: nothing is claimed."""
    head = ("metric", "A", "B", "B - A [95 %]", "n", "p", "")
    rows = tuple(
        (*_difference(each), _mark(each))
        for each in found.differences
        if each.n and of_a_stage(each.metric)
    )
    note = ("Where a difference arises; p is not corrected here.",) if rows else ()
    return Section(
        title="Stages of retrieval", notes=note, rows=(head, *rows) if rows else ()
    )


def _difference(each: Difference) -> Row:
    return (
        each.metric,
        number(each.mean_a),
        number(each.mean_b),
        f"{signed(each.difference)} {interval(each.ci_lo, each.ci_hi)}",
        str(each.n),
        number(each.p),
    )


def _mark(each: Difference) -> str:
    return ("", "higher", "LOWER")[each.apart]


def signed(value: float | None) -> str:
    """Write a difference with its sign.

    >>> signed(0.25), signed(-0.25), signed(0.0), signed(None)
    ('+0.250', '-0.250', '0.000', '-')
    """
    return f"+{number(value)}" if value and value > 0 else number(value)


def layers(found: Comparison) -> Section:
    """Every label with its failing cases in both runs."""
    pairs = ((label, *found.attribution.get(label, (0, 0))) for label in Failure)
    rows = tuple((str(label), str(a), str(b), f"{b - a:+d}") for label, a, b in pairs)
    note = "Failing cases by the layer where they broke first, over cases in both."
    head = ("label", "A", "B", "B - A")
    return Section(title="Layers", notes=(note,), rows=(head, *rows))


def moved(found: Comparison) -> Section:
    """Name the cases whose label changed."""
    if found.private:
        return Section(title="Cases that moved")
    rows = tuple(
        (str(each.id), str(each.before or _NONE), str(each.after or _NONE))
        for each in found.moved[:SHOWN]
    )
    return Section(
        title="Cases that moved",
        notes=cut(len(found.moved)),
        rows=(("case", "A", "B"), *rows) if rows else (),
    )


def unpaired(found: Comparison) -> Section:
    """Name the cases that one run alone has."""
    rows = tuple(
        (where, str(len(ids)), "" if found.private else some(ids, _IDS))
        for where, ids in (("only in A", found.only_a), ("only in B", found.only_b))
        if ids
    )
    note = ("They stand in no difference.",) if rows else ()
    head = ("run", "cases", "ids")
    return Section(
        title="Unpaired cases", notes=note, rows=(head, *rows) if rows else ()
    )


def gaps(found: Comparison) -> Section:
    """Name, by metric, the cases that one of both runs did not measure."""

    def ids(which: Sequence[str]) -> str:
        if found.private or not which:
            return str(len(which))
        return f"{len(which)}: {some(tuple(which), _IDS)}"

    rows = tuple(
        (each.metric, ids(each.lost), ids(each.gained))
        for each in found.differences
        if each.lost or each.gained
    )
    note = ("Cases of both runs that one of them did not measure.",) if rows else ()
    head = ("metric", "measured in A alone", "measured in B alone")
    return Section(
        title="Became unmeasured", notes=note, rows=(head, *rows) if rows else ()
    )


def provenance(found: Comparison) -> Section:
    """List what the runs do not share."""
    differs: Mapping[str, tuple[object, object]] = found.differs
    rows = tuple(
        (name, *("not said" if v is None else written(v) for v in differs[name]))
        for name in sorted(differs)
    )
    head = ("what", "A", "B")
    title = "What the runs do not share"
    return Section(title=title, rows=(head, *rows) if rows else ())
