"""Plain word BM25 on the bundled cases: how much is left for better retrieval.

A word is a run of letters and digits of the casefolded text; passages, titles and
headings are those of the product, a document counts by its best passage.

    python bench/bundled.py
"""

import json
import re
from pathlib import Path

from rank_bm25 import BM25Okapi

from lastro.corpus import bundled
from lastro.corpus.found import Readable
from lastro.corpus.sources import scan
from lastro.corpus.split import split
from lastro.eval.cases import read

K = 4
RESULTS = Path(__file__).parent / "results"


def words(text: str) -> list[str]:
    """Return the plain words of a text."""
    return re.findall(r"\w+", text.casefold())


def passages() -> list[tuple[str, list[str]]]:
    """Return every passage of the bundled base as its document and its words."""
    return [
        (
            found.document.id,
            words(" ".join((found.document.title, *p.heading_path, p.text))),
        )
        for found in scan(bundled.sources())
        if isinstance(found, Readable)
        for p in split(found.document)
    ]


def hits(path: Path, base: list[tuple[str, list[str]]]) -> dict[str, list[float]]:
    """Return by locale whether each gold-bearing case has gold in the first K."""
    index = BM25Okapi([row for _, row in base])
    found: dict[str, list[float]] = {}
    for case in read(path).cases:
        if not case.retrieval_gold:
            continue
        scores = index.get_scores(words(case.query))
        order = sorted(range(len(base)), key=lambda at: (-scores[at], at))
        window = list(dict.fromkeys(base[at][0] for at in order))[:K]
        hit = float(bool(set(window) & set(case.retrieval_gold)))
        found.setdefault(case.locale or "", []).append(hit)
    return found


def main() -> None:
    """Print and store hit@4 of every file of cases, by locale."""
    base = passages()
    rows = {}
    for path in bundled.cases():
        by_locale = hits(path, base)
        everything = [hit for row in by_locale.values() for hit in row]
        rows[path.name] = {
            locale: {"hit_at_4": round(sum(row) / len(row), 4), "n": len(row)}
            for locale, row in (("all", everything), *sorted(by_locale.items()))
        }
        for locale, row in rows[path.name].items():
            print(f"{path.name} {locale}: hit@{K} {row['hit_at_4']:.3f}, n {row['n']}")
    RESULTS.mkdir(exist_ok=True)
    text = json.dumps({"plain word BM25": rows}, indent=1, sort_keys=True) + "\n"
    (RESULTS / "bundled.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
