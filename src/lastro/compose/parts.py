"""Which real parts there are: systems, policies, providers, contract texts."""

import hashlib
import uuid
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from lastro.answer.provider import Provider
from lastro.compose import calibration
from lastro.errors import KnowledgeBaseError, UsageError
from lastro.gate.calibrated import dumps
from lastro.gate.messages import LANGUAGES
from lastro.index import folder
from lastro.model.answer import ContractName, Policy

if TYPE_CHECKING:
    from lastro.answer.naive import Stamp


def _quote() -> Provider:
    from lastro.answer.providers.quote import Quote  # noqa: PLC0415  (a search needs none)

    return Quote()


SYSTEMS = ("naive",)
PROVIDERS: Mapping[str, Callable[[], Provider]] = {"quote": _quote}
PROVIDER_GROUP = "lastro.providers"
CONTRACTS = "contracts"


def make_provider(name: str) -> Provider:
    """Return a provider by name: built in, else from an installed plugin.

    Raises:
        UsageError: there is none of that name; the choices are listed.
    """
    if name in PROVIDERS:
        return PROVIDERS[name]()
    from importlib.metadata import entry_points  # noqa: PLC0415  (costs 40 ms)

    plugins = {point.name: point for point in entry_points(group=PROVIDER_GROUP)}
    if name in plugins:
        made: Provider = plugins[name].load()()
        return made
    choices = ", ".join(sorted({*PROVIDERS, *plugins}))
    raise UsageError(f"provider {name!r}: it is one of {choices}")


def refuse_system(name: str) -> None:
    """Raise unless ``name`` is a pipeline of this version."""
    if name == "agentic":
        raise UsageError(
            "system 'agentic' is not in this version: only naive is",
            hint="Leave --system out, or give --system naive.",
        )
    if name not in SYSTEMS:
        raise UsageError(f"system {name!r}: it is one of {', '.join(SYSTEMS)}")


def policy_named(name: str | None) -> Policy | None:
    """Return the grounding policy of that name; nothing for no name."""
    if not name:
        return None
    if name not in list(Policy):
        raise UsageError(f"policy {name!r}: it is one of {', '.join(Policy)}")
    return Policy(name)


def stamp() -> "Stamp":
    """Return the identity and the time of a turn that starts now."""
    from lastro.answer.naive import Stamp  # noqa: PLC0415  (a search needs none)

    return Stamp(id=uuid.uuid4().hex, at=datetime.now(UTC).isoformat())


def made_of(kb: Path, embedder: str) -> dict[str, str]:
    """Return what the turns of a knowledge base are made of, by name.

    Two bases with the same documents and settings, of which one has other
    vectors, other Korean terms or other contract texts, answer differently.

    Args:
        kb: the folder of the knowledge base.
        embedder: whose vectors it holds; empty: nobody's.

    Raises:
        KnowledgeBaseError: the folder cannot be read.
    """
    own = repr(sorted(contract_texts(kb / CONTRACTS).items()))
    fitted = calibration.read(kb)
    named = "" if fitted is None else hashlib.sha256(dumps(fitted).encode()).hexdigest()
    return {
        **({"calibration": named} if named else {}),
        "contracts": hashlib.sha256(own.encode()).hexdigest() if own != "[]" else "",
        "embedder": embedder,
        "korean": folder.read(kb).korean,
    }


def contract_texts(path: Path) -> Mapping[str, str]:
    """Return a knowledge base's own contract texts, keyed ``<name>.<language>``.

    Raises:
        KnowledgeBaseError: a file has another name, or is no UTF-8 text.
    """
    if not path.is_dir():
        return {}
    names = {f"{name}.{language}" for name in ContractName for language in LANGUAGES}
    found: dict[str, str] = {}
    for file in sorted(path.glob("*.txt")):
        if file.stem not in names:
            raise KnowledgeBaseError(
                f"{file} is no contract: nothing would ever read it",
                hint="Name it <contract>.<language>.txt, as in anchored.en.txt.",
            )
        try:
            found[file.stem] = file.read_text("utf-8")
        except (OSError, UnicodeDecodeError):
            raise KnowledgeBaseError(
                f"{file} cannot be read as UTF-8 text",
                hint="Save it as UTF-8, or remove it to use the built-in text.",
            ) from None
    return found
