"""Where the bundled knowledge base lies, and what the demo asks of it.

The cards, the cases and ``demo.toml`` are files in ``kb/`` of the repository; a
wheel carries the same folder as ``lastro/kb``.  This file finds and reads them;
it indexes nothing.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from lastro.errors import KnowledgeBaseError, UsageError

COLLECTIONS = ("help", "course", "tenders")
LOCALES = ("en", "pt-BR", "es-419", "ko")
INSTALLED = Path(__file__).parents[1] / "kb"
CHECKOUT = Path(__file__).parents[3] / "kb"


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoQuestion:
    """A question of the demo; ``shows`` is a reason's code or ``comparison``."""

    locale: str
    shows: str
    text: str


def path() -> Path:
    """Return the folder of the bundled knowledge base, installed or checked out.

    Raises:
        KnowledgeBaseError: where this installation came without it.
    """
    for folder in (INSTALLED, CHECKOUT):
        if (folder / "demo.toml").is_file():
            return folder
    raise KnowledgeBaseError(
        f"this installation carries no bundled knowledge base ({INSTALLED})",
        hint="Install the wheel again, or run from a clone of the repository.",
    )


def sources() -> tuple[Path, ...]:
    """Return the folders of cards, one a collection; notes and cases lie beside."""
    return tuple(path() / name for name in COLLECTIONS)


def cases() -> tuple[Path, ...]:
    """Return the files of cases, by name."""
    return tuple(sorted((path() / "cases").glob("*.jsonl")))


def demo(locale: str = "en") -> tuple[DemoQuestion, ...]:
    """Return what the demo asks in ``locale``: each reason once, then a comparison.

    Raises:
        UsageError: for a locale that the bundled knowledge base does not speak.
    """
    if locale not in LOCALES:
        raise UsageError(
            f"the bundled knowledge base has no questions in {locale!r}",
            hint=f"Choose one of {', '.join(LOCALES)}.",
        )
    with (path() / "demo.toml").open("rb") as file:
        asked = tomllib.load(file)[locale]
    return tuple(
        DemoQuestion(locale=locale, shows=shows, text=text)
        for shows, text in asked.items()
    )
