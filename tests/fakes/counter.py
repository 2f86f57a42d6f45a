"""An engine at a counter of the help desk: cases are put to it, without a folder."""

import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from help_desk import CARDS, SHELF, engine
from library import document as shelved

from lastro.answer.provider import Provider
from lastro.compose import Settings, settings
from lastro.index.store import Listing
from lastro.model.answer import Prompt, Question, Turn
from lastro.model.document import Document
from lastro.model.events import Event
from lastro.model.ids import DocumentId
from lastro.model.ranking import Ranking


@dataclass
class Counter:
    """Answers from the cards of the help desk, by the provider it is handed."""

    settings: Settings = field(default_factory=lambda: settings(None, environ={}))
    path: Path = Path("help-desk")
    asked: list[str] = field(default_factory=list)

    def parts(self) -> Mapping[str, str]:
        return {"embedder": ""}

    def documents(self) -> Iterator[Listing]:
        for name, title, text, locale in sorted(CARDS):
            version = sha256(text.encode()).hexdigest()
            yield Listing(
                id=DocumentId(name), title=title, locale=locale, version=version
            )

    def document(self, document_id: str) -> Document | None:
        for name, title, text, locale in CARDS:
            if name == document_id:
                return shelved(name, text, title=title, locale=locale)
        return None

    def search(self, query: str, *, k: int, locale: str | None) -> Ranking:
        return SHELF.search(Question(text=query, locale=locale or ""), k=k)

    def stream(
        self,
        question: str,
        *,
        system: str,  # noqa: ARG002 - it has one
        provider: Provider,
        history: Sequence[Turn],
        locale: str | None,
    ) -> Iterator[Event]:
        asked = Question(text=question, locale=locale or "", history=tuple(history))
        if question != "?":
            self.asked.append(question)
        return engine(provider).stream(asked)


@dataclass
class Slow:
    """Writes after a while; what is asked about ``hangs`` only once it is let go.

    ``ends`` says whether being cancelled ends a hanging answer.
    """

    seconds: float = 0.0
    hangs: str = ""
    ends: bool = True
    let_go: threading.Event = field(default_factory=threading.Event)
    cancelled: threading.Event = field(default_factory=threading.Event)
    name: str = "slow"

    def write(self, prompt: Prompt) -> Iterator[str]:
        if self.hangs and self.hangs in prompt.question.text:
            self.let_go.wait(10)
        time.sleep(self.seconds)
        yield "A guest code is valid for 24 hours."

    def cancel(self) -> None:
        self.cancelled.set()
        if self.ends:
            self.let_go.set()
