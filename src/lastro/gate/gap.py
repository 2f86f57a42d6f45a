"""A document that should answer is known, and is not in the index; pure.

What should be indexed stands in a catalogue.  A question that names one of its
documents, and no document found, is about a gap of the index and not of the
knowledge: that is said beside the answer, which goes on with what there is.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import log

from lastro.gate.holding import holds, share
from lastro.model.decision import Decision, Reason, ReasonCode
from lastro.model.ranking import Ranking
from lastro.text.analyse import words
from lastro.text.emit import Word

HELD = 0.5  # of the question's weight, that an entry must hold
NAMED = 0.3  # of it, that its title or slug must
LEAD = 0.1  # of it, beyond what a title and headings of the passages hold


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A document that should be indexed, as a catalogue names it."""

    id: str
    title: str
    slug: str = ""
    excerpt: str = ""
    locale: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A known document, its words taken apart once."""

    known: Known
    name: tuple[Word, ...]
    text: tuple[Word, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """The document that is missing, and how much of the question it holds."""

    known: Known
    held: float


def entry(known: Known) -> Entry:
    """Return a known document, ready to be compared with questions."""
    name = f"{known.title}\n{known.slug.replace('-', ' ').replace('_', ' ')}"
    text = f"{name}\n{known.excerpt}"
    return Entry(
        known=known, name=words(name, known.locale), text=words(text, known.locale)
    )


def index_gap(
    ranking: Ranking, entries: Iterable[Entry], absent: Callable[[str], bool]
) -> Gap | None:
    """Return the known document that a question names, if none of that name was found.

    Args:
        ranking: what the search found.
        entries: documents that should be in the index.
        absent: says of an id that the index does not hold it.

    Returns:
        Of those that are absent the entry that holds most of the question, weighed
        by rarity; None where none holds ``HELD`` of it, ``NAMED`` in its name, and
        there ``LEAD`` more than title and headings of any passage.  Passages that
        merely mention the document are no reason to think that it is there.
    """
    terms = [term for term in ranking.terms if term.informative]
    rarest = log(1 + (max(1, ranking.passages) + 0.5) / 0.5)
    weights = [term.idf if term.df else rarest for term in terms]

    def part(said: Sequence[Word]) -> float:
        return share(weights, holds(said, terms))

    titles = (
        words("\n".join((hit.title, *hit.passage.heading_path)), hit.passage.locale)
        for hit in ranking.selected
    )
    least = max(NAMED, max(map(part, titles), default=0.0) + LEAD)
    named = [one for one in entries if part(one.name) >= least]
    found = [Gap(known=one.known, held=part(one.text)) for one in named]
    for gap in sorted(found, key=lambda one: (-one.held, one.known.id)):
        if gap.held >= HELD and absent(gap.known.id):
            return gap
    return None


def with_gap(decision: Decision, gap: Gap | None) -> Decision:
    """Return a decision that names the gap first; what else was seen stays."""
    if gap is None or decision.hard_stop:
        return decision
    reason = Reason(code=ReasonCode.INDEX_GAP, observed=gap.held, required=HELD)
    return replace(decision, reasons=(reason, *decision.reasons))
