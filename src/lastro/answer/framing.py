"""Tells an answer's own words from its statements: notices, gaps, refusals; pure.

A line that is one of our fixed texts is framing whoever wrote it.  A sentence
that declares a gap in other words is known by the patterns of its language.
"""

import re
from functools import cache

from lastro.answer.catalogue import catalogue, fold, said
from lastro.answer.gaps import shown_words
from lastro.answer.lines import head_of
from lastro.gate.messages import LANGUAGES, Notice, explain, notice, spoken
from lastro.grounding import fence
from lastro.model.answer import Prompt, PromptPassage
from lastro.model.decision import ReasonCode

_HOLE = "\0"
_NUMBER = re.compile(r"^\d{1,2}\. ")
_SAID = ("greeting", "thanks", "refusal", "unknown", "empty", "only_quotes")
_NOTICES = (
    Notice.PERMISSIVE,
    Notice.NO_ANSWER,
    Notice.GAP,
    Notice.DISAMBIGUATION,
    Notice.STRICT_OVERRIDE,
    Notice.PROVIDER_ERROR,
    Notice.RETRIEVAL_ERROR,
)


def is_framing(line: str, prompt: Prompt) -> bool:
    """Whether ``line`` is one of the engine's own sentences, in any language.

    A sentence with a hole is so only if what fills it is the question's or the
    prompt's own: a gap names words of the question, a list the titles found.
    """
    if line in _lists(prompt) or _NUMBER.sub("", line) in _titles(prompt):
        return True
    if line in map(head_of, prompt.passages) or _asks_back(line, prompt):
        return True
    found = (pattern.fullmatch(line) for pattern in _fixed())
    asked = fold(prompt.question.text)
    return any(
        all(fold(part) in asked for hole in match.groups() for part in hole.split(", "))
        for match in found
        if match
    )


def _asks_back(line: str, prompt: Prompt) -> bool:
    """Whether ``line`` asks if words of the passages shown were meant."""
    for code in LANGUAGES:
        before, _, after = said("nearest", code, terms=_HOLE).partition(_HOLE)
        if line.startswith(before) and line.endswith(after):
            offered = line[len(before) : len(line) - len(after)].split(", ")
            return shown_words(prompt).issuperset(offered)
    return False


def declares_gap(sentence: str, locale: str) -> bool:
    """Whether ``sentence`` says that the documents do not hold something."""
    folded = fold(sentence)
    return any(p.search(folded) for p in catalogue(spoken(locale)).gap)


def opens_extension(line: str) -> bool:
    """Whether ``line`` is the label of a teaching extension, in any language."""
    bare = line.strip(" #*_:.")
    return any(bare == notice(Notice.TEACHING_LABEL, code) for code in LANGUAGES)


def _titles(prompt: Prompt) -> list[str]:
    return list(dict.fromkeys(filter(None, map(title_of, prompt.passages))))


def _lists(prompt: Prompt) -> set[str]:
    titles = _titles(prompt)
    return {
        closest("; ".join(titles[: at + 1]), prompt.locale) for at in range(len(titles))
    }


def title_of(shown: PromptPassage) -> str:
    """Return the title of a passage's document as it may stand in an answer."""
    return " ".join(fence.escape(shown.hit.title).split())


def closest(titles: str, locale: str) -> str:
    """Return the line that names the closest documents.

    >>> closest("Wi-Fi; Routers", "en")
    'Closest documents: Wi-Fi; Routers'
    """
    return f"{notice(Notice.CLOSEST_DOCUMENTS, locale)}: {titles}"


def vague(locale: str) -> str:
    """Return the line that asks for a question with something in it."""
    words = explain(ReasonCode.UNDERSPECIFIED_QUERY, locale)
    return f"{words.means} {words.advice}"


@cache
def _fixed() -> tuple[re.Pattern[str], ...]:
    lines = {
        text.replace("{terms}", _HOLE)
        for code in LANGUAGES
        for text in (
            *(said(name, code, terms=_HOLE) for name in _SAID),
            *(notice(name, code, terms=_HOLE) for name in _NOTICES),
            vague(code),
        )
    }
    return tuple(
        re.compile(re.escape(line).replace(re.escape(_HOLE), "(.{1,400})"))
        for line in sorted(lines)
    )
