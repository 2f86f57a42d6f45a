"""What of a written answer may be shown, by policy; pure.

Under the strict policy nothing leaves before the whole text has been checked:
only then is it known whether the answer stands or its supported sentences
alone, and under which notice.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lastro.answer.claims import Checked, Statement, check
from lastro.answer.framing import declares_gap
from lastro.answer.markers import Token, render
from lastro.gate.messages import Notice, notice
from lastro.grounding import flags
from lastro.model.answer import Finding, Flag, Policy, Prompt, Support
from lastro.text.analyse import words


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """The text that is shown, the statements in it, and what was found.

    ``shown`` are the statements that stand in ``text``; ``judged`` are all that
    were written.  ``overridden`` says that some were withheld.
    """

    text: str
    judged: tuple[Checked, ...]
    shown: tuple[Checked, ...]
    findings: tuple[Finding, ...]
    overridden: bool


def fixed(text: str) -> Release:
    """Return a text that is shown instead of an answer: nothing was written."""
    return Release(text=text, judged=(), shown=(), findings=(), overridden=False)


def open_release(
    tokens: Sequence[Token],
    stated: Sequence[Statement],
    prompt: Prompt,
    *,
    policy: Policy = Policy.ANCHORED,
) -> Release:
    """Return the whole text with what the check found beside it."""
    judged = tuple(check(statement, prompt) for statement in stated)
    text = render(tokens)
    return Release(
        text=text,
        judged=judged,
        shown=judged,
        findings=_findings(judged, text, prompt, policy),
        overridden=False,
    )


def strict_release(
    tokens: Sequence[Token], stated: Sequence[Statement], prompt: Prompt
) -> Release:
    """Return the whole text if nothing was found, else what is supported of it.

    A statement that cites nothing has to be supported all the same, unless it
    only says that the documents do not hold something.
    """
    judged = tuple(_judged_strictly(statement, prompt) for statement in stated)
    findings = _findings(judged, render(tokens), prompt, Policy.STRICT)
    if not findings:
        return Release(
            text=render(tokens),
            judged=judged,
            shown=judged,
            findings=(),
            overridden=False,
        )
    shown = tuple(
        one
        for one in judged
        if not one.findings and one.claim and one.support is Support.SUPPORTED
    )
    lines = [notice(Notice.STRICT_OVERRIDE, prompt.locale), *map(_cited, shown)]
    return Release(
        text="\n\n".join(lines),
        judged=judged,
        shown=shown,
        findings=findings,
        overridden=True,
    )


def _findings(
    judged: Sequence[Checked], text: str, prompt: Prompt, policy: Policy
) -> tuple[Finding, ...]:
    """Return what is wrong with the statements, then with the answer as a whole.

    An answer that states nothing (it declines, it greets) need not name the
    words of the question.
    """
    found = tuple(finding for one in judged for finding in one.findings)
    if not any(one.claim for one in judged):
        return found
    aside = flags.missing_informative_terms(
        text, prompt.query_terms, prompt.decision, policy=policy, locale=prompt.locale
    )
    return (*found, aside) if aside else found


def _judged_strictly(statement: Statement, prompt: Prompt) -> Checked:
    one = check(statement, prompt)
    if statement.cites or one.findings or one.support is Support.SUPPORTED:
        return one
    gap = declares_gap(statement.text, prompt.locale)
    if gap and not _smuggles(statement.text, prompt):
        return one
    finding = Finding(
        flag=Flag.UNSUPPORTED_CLAIM,
        sentence=statement.text,
        observed=one.support.value,
        required=Support.SUPPORTED.value,
    )
    return replace(one, findings=(finding,))


def _smuggles(sentence: str, prompt: Prompt) -> bool:
    """Whether a declared gap carries a number or name of nobody's."""
    texts = (prompt.question.text, *(p.text for p in prompt.passages))
    known = {word.surface for text in texts for word in words(text, prompt.locale)}
    return any(
        word.surface not in known
        for word in words(sentence, prompt.locale)[1:]
        if word.exact or (word.informative and sentence[word.start].isupper())
    )


def _cited(one: Checked) -> str:
    marks = "".join(f"[cite:{cite}]" for cite in one.statement.cites)
    return f"{one.statement.text} {marks}"
