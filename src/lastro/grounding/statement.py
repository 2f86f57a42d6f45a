"""A sentence taken apart, the same way on both sides of a check; pure.

What an answer says and what a passage says become the same value, so that they
compare term by term, number by number, denial by denial.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lastro.grounding.negation import denials
from lastro.text import hangul
from lastro.text.analyse import index_terms, words
from lastro.text.emit import Word

_VERBAL = ("다", "까", "요", "죠")  # how a Hangul word ends that says what is done


@dataclass(frozen=True, slots=True)
class Unit:
    """Something that has to be found: any of ``forms``, worth ``share`` of a word.

    ``exact`` marks numbers and names.  ``word`` is what it is, or is a part of.
    """

    forms: frozenset[str]
    share: float
    exact: bool
    word: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What one sentence holds.

    ``units`` are its informative words, or all words where none is; ``plain``
    are the positions of those that are no number or name.  ``terms`` are what
    the index takes of it, ``surfaces`` its words as they stand, ``numbers`` all
    numbers and codes with repeats, in order of value.  ``nouns`` are what may be
    a name: capitalised words, one that opens the sentence too, and Hangul nouns.
    """

    terms: frozenset[str]
    surfaces: frozenset[str]
    units: tuple[Unit, ...]
    plain: frozenset[int]
    numbers: tuple[str, ...]
    names: frozenset[str]
    nouns: frozenset[str]
    denials: int

    def found_in(self, terms: frozenset[str]) -> frozenset[int]:
        """Return which of the units stand among ``terms``, as positions."""
        return frozenset(
            at for at, unit in enumerate(self.units) if not unit.forms.isdisjoint(terms)
        )


def statement(sentence: str, locale: str) -> Statement:
    """Take ``sentence`` apart."""
    said = words(sentence, locale)
    names = frozenset(_names(sentence, said))
    telling = [word for word in said if word.informative] or list(said)
    units = tuple(unit for word in telling for unit in _units(word, names))
    return Statement(
        terms=frozenset(index_terms(sentence, locale)),
        surfaces=frozenset(word.surface for word in said),
        units=units,
        plain=frozenset(at for at, unit in enumerate(units) if not unit.exact),
        numbers=tuple(sorted(word.surface for word in said if word.exact)),
        names=names,
        nouns=names.union(_nouns(sentence, said)),
        denials=denials(sentence, locale),
    )


def _names(sentence: str, said: Sequence[Word]) -> Iterator[str]:
    """Yield the capitalised words that do not merely open the sentence."""
    for word in said[1:]:
        plain = word.script == "latin" and word.informative and not word.exact
        if plain and sentence[word.start].isupper():
            yield word.surface


def _nouns(sentence: str, said: Sequence[Word]) -> Iterator[str]:
    """Yield what may be a name, and :func:`_names` does not see."""
    for at, word in enumerate(said):
        if word.script == "hangul":
            if not word.surface.endswith(_VERBAL):
                yield hangul.noun(word.surface)
            continue
        opens = not at and word.informative and not word.exact
        if opens and sentence[word.start].isupper():
            yield word.surface


def _units(word: Word, names: frozenset[str]) -> Iterator[Unit]:
    """Yield a Hangul word as the pairs of its noun, any other word as one unit."""
    if word.script != "hangul":
        exact = word.exact or word.surface in names
        yield Unit(frozenset(word.emissions), 1.0, exact, word.surface)
        return
    noun = hangul.noun(word.surface)
    pairs = hangul.bigrams(noun)
    for pair in pairs:
        yield Unit(frozenset({pair}), 1.0 / len(pairs), exact=False, word=noun)
