"""The sentences that an answer may quote, with what each holds of the question.

Built from a prompt's passages alone.  Passages of one document that follow or
overlap each other become one run of sentences, so that a quote may go on from
one passage into the next and never repeats the overlap.
"""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from lastro.answer.catalogue import catalogue, fold
from lastro.gate.messages import spoken
from lastro.model.answer import Prompt, PromptPassage
from lastro.model.document import Span
from lastro.model.ids import DocumentId
from lastro.model.ranking import QueryTerm
from lastro.text import Word, hangul, sentences, words

GENERIC_WEIGHT = 0.2  # a generic action word beside an informative one
HANGUL_SHARE = 0.5  # of a word's bigrams, from which it counts as held in part
HEAD = 12  # words in which a definition names what it defines
HEADING_WORDS = 10  # a longer line without a full stop is no heading

_BULLET = re.compile(r"\s*(?:[-*+•▪◦]|\d{1,2}[.)]|[a-z][.)])?\s*")

Holds = tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One sentence: where it stands, and how far it holds each term (0 to 1).

    ``text`` is the sentence with its line breaks folded to blanks.  A
    ``heading`` is not quoted by itself; ``row`` counts the document's own
    lines; ``title`` is what the document's title holds, ``above`` what the title
    and the headings over the line hold.  A ``dangling`` line opens with a word
    that points back ("it", "this"); a line that ``defines`` says what one of the
    question's words is.
    """

    document_id: DocumentId
    cite_id: str
    start: int
    end: int
    text: str
    words: tuple[str, ...]
    holds: Holds
    title: Holds
    above: Holds
    section: int
    row: int
    heading: bool
    dangling: bool
    defines: bool
    rank: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """All lines, by document in prompt order, and the weight of each term.

    ``sides`` are the weights of the words of each side of a comparison.
    """

    terms: tuple[QueryTerm, ...]
    weights: tuple[float, ...]
    lines: tuple[Line, ...]
    sides: tuple[tuple[float, ...], ...] = ()

    def share(self, holds: Sequence[float], *, informative: bool = False) -> float:
        """Return the weighted share of the question that ``holds`` covers, 0 to 1."""
        if not informative:
            return share(self.weights, holds)
        return share(
            [
                w if t.informative else 0.0
                for t, w in zip(self.terms, self.weights, strict=True)
            ],
            holds,
        )


def share(weights: Sequence[float], holds: Sequence[float]) -> float:
    """Return how much of ``weights`` is held, 0 to 1; 0 of nothing."""
    whole = math.fsum(weights)
    held_of = (weight * value for weight, value in zip(weights, holds, strict=True))
    return math.fsum(held_of) / whole if whole else 0.0


def pool(prompt: Prompt, targets: Sequence[str] = ()) -> Pool:
    """Return the sentences of the prompt's passages, each read once.

    Where the question compares ``targets``, only their words carry it: the
    words of comparing ("difference") say nothing of what is compared.
    """
    lines: list[Line] = []
    for rank, group in enumerate(_by_document(prompt.passages)):
        lines += _Reading(prompt.query_terms, prompt.locale, rank).lines(group)
    sides = [{w.surface for w in words(side, prompt.locale)} for side in targets]
    named = set[str]().union(*sides)
    terms = prompt.query_terms
    return Pool(
        terms=terms,
        weights=tuple(_weight(term, named) for term in terms),
        lines=tuple(lines),
        sides=tuple(
            tuple(t.idf if t.informative and t.word in s else 0.0 for t in terms)
            for s in sides
        ),
    )


def _weight(term: QueryTerm, named: set[str]) -> float:
    """Return what a term counts: its rarity, less if it is a generic word."""
    if term.stop:
        return 0.0
    carries = term.informative and (not named or term.word in named)
    return term.idf if carries else GENERIC_WEIGHT * term.idf


def held(text: str, terms: Sequence[QueryTerm], locale: str) -> Holds:
    """Return how far ``text`` holds each of ``terms``.

    A word is held if the index would find it: one shared emission.  A Hangul
    word is held where its noun is, and in part by the share of the noun's pairs.
    """
    return _holds(words(text, locale), terms)


def most(rows: Iterable[Sequence[float]], size: int) -> Holds:
    """Return the greatest value of each column; zeros if there is no row."""
    best = [0.0] * size
    for row in rows:
        best = [max(pair) for pair in zip(best, row, strict=True)]
    return tuple(best)


def _holds(found: Sequence[Word], terms: Sequence[QueryTerm]) -> Holds:
    emitted = {emission for word in found for emission in word.emissions}
    return tuple(_holding(term, emitted) for term in terms)


def _holding(term: QueryTerm, emitted: set[str]) -> float:
    if not _is_hangul(term.word):
        return 0.0 if emitted.isdisjoint(term.emissions) else 1.0
    if term.word in emitted:
        return 1.0
    pairs = _pairs(term.word)
    share = sum(pair in emitted for pair in pairs) / len(pairs)
    return share if share >= HANGUL_SHARE else 0.0


def _is_hangul(word: str) -> bool:
    return "가" <= word[:1] <= "힣"


@lru_cache(maxsize=1024)
def _pairs(word: str) -> tuple[str, ...]:
    return hangul.bigrams(hangul.noun(word))


def _by_document(passages: Sequence[PromptPassage]) -> list[list[PromptPassage]]:
    groups: dict[DocumentId, list[PromptPassage]] = {}
    for passage in passages:
        groups.setdefault(passage.hit.document_id, []).append(passage)
    return [sorted(g, key=lambda p: p.hit.passage.start) for g in groups.values()]


@dataclass(slots=True)
class _Reading:
    """Reads one document's passages in order: counts its sections and rows."""

    terms: Sequence[QueryTerm]
    locale: str
    rank: int
    reached: int = -1
    section: int = 0
    row: int = 0
    over: Holds = field(default=())

    def lines(self, group: Sequence[PromptPassage]) -> Iterator[Line]:
        for shown in group:
            passage = shown.hit.passage
            locale = passage.locale or self.locale
            if passage.start > self.reached:
                self.section, self.over = self.section + 1, self._none()
            title = self._held(shown.hit.title, locale)
            heads = (self._held(head, locale) for head in passage.heading_path)
            top = most((title, *heads), len(self.terms))
            for span in sentences(passage.text, locale):
                if passage.start + span.start >= self.reached:
                    self.reached = passage.start + span.end
                    yield self._line(shown, span, title, top)

    def _line(self, shown: PromptPassage, span: Span, title: Holds, top: Holds) -> Line:
        passage = shown.hit.passage
        locale = passage.locale or self.locale
        text = " ".join(passage.text[span.start : span.end].split())
        found = words(text, locale)
        holds = _holds(found, self.terms)
        surfaces = tuple(word.surface for word in found)
        own_line = _own_line(passage.text, span)
        heading = own_line and _like_heading(text, surfaces, passage.heading_path)
        if own_line:
            self.row += 1
        if heading:
            self.section, self.over = self.section + 1, holds
        return Line(
            document_id=passage.document_id,
            cite_id=shown.cite_id,
            start=passage.start + span.start,
            end=passage.start + span.end,
            text=text,
            words=surfaces,
            holds=holds,
            title=title,
            above=most((top, self.over), len(self.terms)),
            section=self.section,
            row=self.row,
            heading=heading,
            dangling=_points_back(surfaces, locale),
            defines=_defines(found, self.terms, locale),
            rank=self.rank,
        )

    def _held(self, text: str, locale: str) -> Holds:
        return held(text, self.terms, locale)

    def _none(self) -> Holds:
        return (0.0,) * len(self.terms)


def _points_back(surfaces: Sequence[str], locale: str) -> bool:
    return bool(surfaces) and fold(surfaces[0]) in catalogue(spoken(locale)).dangling


def _defines(found: Sequence[Word], terms: Sequence[QueryTerm], locale: str) -> bool:
    """Whether a word of the question stands first and is then said to be something."""
    at = next((at for at, word in enumerate(found[:HEAD]) if _told(word, terms)), None)
    if at is None:
        return False
    copula = tuple(catalogue(spoken(locale)).copula)
    if spoken(locale) == "ko":
        return found[-1].surface.endswith(copula)
    reach = HEAD if at <= 2 else at + 4
    return any(word.surface in copula for word in found[at + 1 : reach])


def _told(word: Word, terms: Sequence[QueryTerm]) -> bool:
    emitted = set(word.emissions)
    return any(term.informative and _holding(term, emitted) == 1 for term in terms)


def _own_line(text: str, span: Span) -> bool:
    """Whether a line starts with this sentence (its bullet or number apart)."""
    return _BULLET.fullmatch(text[: span.start].rpartition("\n")[2]) is not None


def _like_heading(text: str, surfaces: Sequence[str], path: Sequence[str]) -> bool:
    """Whether a line is a heading by its form: marked, known, or short and open.

    A short question on a line of its own is a heading too: it answers nothing.
    """
    bare = text.lstrip("#").strip()
    if text.startswith("#") or bare in path:
        return True
    return len(surfaces) <= HEADING_WORDS and bare[-1:] not in '.!:;…。"”»)|'
