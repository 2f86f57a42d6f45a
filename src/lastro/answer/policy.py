"""How answers are written; only declarations."""

from dataclasses import dataclass

from lastro.declare import setting


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerPolicy:
    """Who writes the text of an answer."""

    provider: str = setting("quote", "who writes the answers", env="PROVIDER")
