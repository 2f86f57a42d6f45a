"""The support check against people's labels, and against planted falsifications.

    .venv/bin/python bench/support_check.py

Reads WiCE and SciFact (labels of people; the rule was not fitted to them, but its
two borders were read off these tables, so these are training figures), sets two
plain rivals beside it (shared words, the nearest sentence by cosine), and copies
sentences of gnome_help, in which one number, one name or the polarity is changed.
Writes ``bench/results/support_check.*``.
"""

import argparse
import json
import platform
import random
import re
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path

from gated.claims import agreement, passage, table

from lastro.grounding.negation import denials
from lastro.grounding.support import support
from lastro.model.answer import Support
from lastro.model.document import Passage
from lastro.text.analyse import words
from lastro.text.sentences import sentences

HERE = Path(__file__).parent
DATA = HERE.parent.parent / "shared" / "data"
LABELLED = ("wice_test", "scifact")
LOCALES = ("en", "pt-BR", "es", "ko")
HEAD = (
    "| locale | number caught (n) | name caught (n) | negation caught (n) "
    "| plain words kept, alarms (n) |"
)
SENTENCES = 400  # of each language, drawn with a seed

INSERTED = {
    "en": (r"\b(is|are|can|will|should|must|does|do)\b", r"\1 not"),
    "pt-BR": (r"\b(é|são|pode|podem|deve|está|permite|precisa)\b", r"não \1"),
    "es": (r"\b(es|son|puede|pueden|debe|está|permite|necesita)\b", r"no \1"),
    "ko": (r"(수 )있(습니다|는)|합니다\.", r"\1없\2"),
}
REMOVED = {
    "en": r"\b(do not|not|never) ",
    "pt-BR": r"\b(não|nunca) ",
    "es": r"\b(no|nunca) ",
    "ko": r"지 (?:마십시오|않습니다)",
}


def main() -> None:
    """Measure, print, store."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--results", type=Path, default=HERE / "results")
    args = parser.parse_args()
    labelled = [row for name in LABELLED for row in agreement(args.data / name)]
    planted = {name: falsified(args.data / "gnome_help", name) for name in LOCALES}
    text = f"{table(labelled)}\n\n{_planted(planted)}"
    print(text)
    report = {
        "lastro": version("lastro"),
        "python": platform.python_version(),
        "labelled": labelled,
        "planted": planted,
    }
    args.results.mkdir(exist_ok=True)
    written = json.dumps(report, ensure_ascii=False, indent=1, sort_keys=True)
    (args.results / "support_check.json").write_text(written + "\n", encoding="utf-8")
    page = f"# The support check\n\n{text}\n"
    (args.results / "support_check.md").write_text(page, encoding="utf-8")


def falsified(folder: Path, locale: str) -> dict[str, list[float]]:
    """Return, for each kind of change, its n and the share that is caught.

    ``kept`` copies without their function words: there it is the false alarms.
    """
    drawn = list(copies(folder, locale))
    kinds: dict[str, Callable[[str], str | None]] = {
        "number": another_number,
        "name": lambda text: another_name(text, locale),
        "negation": lambda text: other_polarity(text, locale),
        "kept": lambda text: telling(text, locale),
    }
    return {kind: caught(drawn, change, locale) for kind, change in kinds.items()}


def copies(folder: Path, locale: str) -> Iterator[tuple[str, Passage]]:
    """Yield sentences with the page that they stand on."""
    lines = (folder / "corpus.jsonl").read_text(encoding="utf-8").splitlines()
    pages = [row for row in map(json.loads, lines) if row["locale"] == locale]
    found = [
        (row["text"][span.start : span.end], passage(row["text"], locale))
        for row in pages
        for span in sentences(row["text"], locale)
        if span.end - span.start > 40
    ]
    random.Random(7).shuffle(found)
    yield from found


def caught(
    drawn: Sequence[tuple[str, Passage]],
    change: Callable[[str], str | None],
    locale: str,
) -> list[float]:
    """Return how many sentences could be changed, and the share not supported."""
    seen = []
    for sentence, page in drawn:
        other = change(sentence)
        if other is not None and other != sentence:
            result = support(other, [page], locale)
            seen.append(result.support is not Support.SUPPORTED)
        if len(seen) == SENTENCES:
            break
    return [len(seen), sum(seen) / len(seen) if seen else 0.0]


def another_number(text: str) -> str | None:
    """Make the first whole number one larger."""
    found = re.search(r"(?<![\w.,:/])\d{1,6}(?![\w.,:/-])", text)
    if found is None:
        return None
    return f"{text[: found.start()]}{int(found.group()) + 1}{text[found.end() :]}"


def another_name(text: str, locale: str) -> str | None:
    """Put a foreign name in the place of the first capitalised word but the first."""
    for word in words(text, locale)[1:]:
        upper = text[word.start].isupper() and word.script == "latin"
        if upper and word.informative and not word.exact:
            return f"{text[: word.start]}Zelmira{text[word.end :]}"
    return None


def other_polarity(text: str, locale: str) -> str | None:
    """Take a negation out, or put one in; None where neither is plain to do."""
    if re.search(REMOVED[locale], text, re.IGNORECASE):
        put = "십시오" if locale == "ko" else ""
        return re.sub(REMOVED[locale], put, text, count=1, flags=re.IGNORECASE)
    pattern, put = INSERTED[locale]
    if locale == "ko" and "합니다." in text and "수 있" not in text:
        return text.replace("합니다.", "하지 않습니다.")
    return re.sub(pattern, put, text, count=1) if re.search(pattern, text) else None


def telling(text: str, locale: str) -> str | None:
    """Leave the function words of a plain statement out: it says the same."""
    said = [text[w.start : w.end] for w in words(text, locale) if not w.stop]
    return None if denials(text, locale) else " ".join(said)


def _planted(rows: dict[str, dict[str, list[float]]]) -> str:
    lines = [
        HEAD,
        "|---|---|---|---|---|",
    ]
    for locale, row in rows.items():
        cells = [f"{share:.3f} ({n})" for n, share in row.values()]
        lines.append(f"| {locale} | {' | '.join(cells)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
