"""What cases are put to: the same setup twice is the same run.

Pure values and hashes; nothing of a clock or of this machine is in them.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass

from lastro import __version__


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What cases are put to.

    ``config`` holds every setting by its key, and the hash of the knowledge
    base's own contract texts; ``models`` who makes vectors, order and text.
    ``listing`` is a hash of id, title, locale and content of all ``documents``.
    """

    system: str
    config: Mapping[str, object]
    models: Mapping[str, str]
    documents: int
    listing: str

    @property
    def config_hash(self) -> str:
        """The hash of ``config``, as 64 hexadecimal digits."""
        return _hashed(self.config)

    @property
    def kb(self) -> dict[str, object]:
        """What tells this state of the knowledge base from every other."""
        return {"documents": self.documents, "listing": self.listing}

    def provenance(self, *, changed: bool = False) -> dict[str, object]:
        """Return what stands in the report: the same bytes for the same setup.

        ``changed``: the knowledge base did not stay what it was.
        """
        return {
            "config_hash": self.config_hash,
            "kb": self.kb | ({"changed_meanwhile": True} if changed else {}),
            "legs": str(self.config["search_legs"]),
            "models": dict(self.models),
            "system": self.system,
            "top_k": self.config["retrieval_top_k"],
        }

    def parts(self, case_set: str) -> dict[str, str]:
        """Return all that has to be the same for a run to go on, by name."""
        return {
            "system": self.system,
            "cases": case_set,
            "documents": f"{self.documents}, hash {self.listing}",
            "lastro": __version__,
            **{f"setting {name}": str(value) for name, value in self.config.items()},
            **{f"model {name}": value for name, value in self.models.items()},
        }


def key(parts: Mapping[str, str]) -> str:
    """Return the hash of the parts of a run, as 64 hexadecimal digits."""
    return _hashed(parts)


def differing(then: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """Say of every part that differs what it was and what it is.

    >>> differing({"system": "naive", "x": "1"}, {"system": "agentic", "x": "1"})
    ['system: naive then, agentic now']
    """
    return [
        f"{name}: {_short(then.get(name))} then, {_short(now.get(name))} now"
        for name in sorted(then.keys() | now.keys())
        if then.get(name) != now.get(name)
    ]


def _short(value: str | None) -> str:
    """Show a hash by its first digits, and nothing as a word."""
    if not value:
        return "none"
    words = value.split(" ")
    return " ".join(word[:12] if len(word) == 64 else word for word in words)


def _hashed(value: Mapping[str, object]) -> str:
    text = json.dumps(dict(value), sort_keys=True, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()
