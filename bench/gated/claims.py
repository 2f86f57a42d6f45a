"""Claims that people judged, scored by the support check and by two plain rivals."""

import json
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from lastro.grounding.support import SUPPORTED, support
from lastro.index.embedders.static import Static
from lastro.model.document import Passage
from lastro.model.ids import DocumentId, PassageId
from lastro.text.analyse import index_terms
from lastro.text.sentences import sentences

SEED = 7
FOLDS = 5
RESAMPLES = 2000
OURS = "support check"
Scores = dict[str, list[float]]
Row = dict[str, object]


def passage(text: str, locale: str) -> Passage:
    """Make one passage of a whole text."""
    return Passage(
        id=PassageId("p::000"),
        document_id=DocumentId("p"),
        ordinal=0,
        start=0,
        end=len(text),
        text=text,
        locale=locale,
    )


def agreement(folder: Path) -> list[Row]:
    """Return a row a rule: supported against everything else, beside people.

    Balanced accuracy is that of the rule's own border, and of one that was chosen
    on four fifths of the claims for the rest; a rival has the second alone.
    """
    scores, labels, spent = scored(folder)
    truth = np.asarray(labels)
    rows: list[Row] = []
    for who, values in scores.items():
        found = np.asarray(values)
        guess = tuned(found, truth)
        own = found >= SUPPORTED if who == OURS else None
        rows.append(
            {
                "set": folder.name,
                "who": who,
                "n": len(labels),
                "supported": int(truth.sum()),
                "own": None if own is None else balanced(own, truth),
                "own_interval": None if own is None else interval(own, truth),
                "tuned": balanced(guess, truth),
                "tuned_interval": interval(guess, truth),
                "auroc": auroc(found, truth),
                "claims_a_cpu_second": len(labels) / spent if who == OURS else None,
            }
        )
    return rows


def scored(folder: Path) -> tuple[Scores, list[bool], float]:
    """Return every rule's score of each claim, what people say, and our CPU seconds."""
    embedder = Static()
    scores: Scores = {OURS: [], "shared words": [], "cosine": []}
    labels: list[bool] = []
    spent = 0.0
    for line in (folder / "cases.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        text = "\n".join(case["passages"])
        evidence = [passage(text, "en")]
        terms = set(index_terms(text, "en"))
        spans = sentences(text, "en")
        vectors = embedder.passages([text[s.start : s.end] for s in spans])
        support("", evidence, "en")  # the evidence is prepared once
        for sentence in case["sentences"]:
            claim = sentence["text"]
            began = time.process_time()
            scores[OURS].append(support(claim, evidence, "en").score)
            spent += time.process_time() - began
            own = set(index_terms(claim, "en"))
            scores["shared words"].append(len(own & terms) / max(1, len(own)))
            nearest = vectors @ embedder.passages([claim])[0]
            scores["cosine"].append(float(nearest.max(initial=0.0)))
            labels.append(sentence["label"] == "supported")
    return scores, labels, spent


def tuned(scores: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """Return guesses by the border that is best on the other four fifths."""
    order = np.random.Generator(np.random.PCG64(SEED)).permutation(len(scores))
    guess = np.zeros(len(scores), dtype=bool)
    for fold in range(FOLDS):
        out = order[fold::FOLDS]
        rest = np.setdiff1d(order, out)
        borders = np.unique(scores[rest])
        worth = [balanced(scores[rest] >= b, truth[rest]) for b in borders]
        guess[out] = scores[out] >= borders[int(np.argmax(worth))]
    return guess


def balanced(guess: np.ndarray, truth: np.ndarray) -> float:
    """Return the mean of the shares that are right of both kinds."""
    return float((guess[truth].mean() + (~guess[~truth]).mean()) / 2)


def interval(guess: np.ndarray, truth: np.ndarray) -> Sequence[float]:
    """Return the 95 % interval of the balanced accuracy over resampled claims."""
    rng = np.random.Generator(np.random.PCG64(SEED))
    right = guess == truth
    yes, no = right[truth], right[~truth]
    means = [
        (rng.choice(yes, len(yes)).mean() + rng.choice(no, len(no)).mean()) / 2
        for _ in range(RESAMPLES)
    ]
    return [float(each) for each in np.percentile(means, (2.5, 97.5))]


def auroc(scores: np.ndarray, truth: np.ndarray) -> float:
    """Return the chance that a supported claim scores higher; ties half."""
    yes, no = scores[truth][:, None], scores[~truth][None, :]
    return float(((yes > no) + 0.5 * (yes == no)).mean())


def table(rows: Sequence[Row]) -> str:
    """Return the rows as Markdown."""
    head = (
        "| set | n | supported | by | balanced accuracy, own border "
        "| border by five folds | AUROC | claims a CPU s |"
    )
    lines = [head, "|---|---|---|---|---|---|---|---|"]
    for row in rows:
        speed = row["claims_a_cpu_second"]
        lines.append(
            f"| {row['set']} | {row['n']} | {row['supported']} | {row['who']} "
            f"| {_share(row['own'], row['own_interval'])} "
            f"| {_share(row['tuned'], row['tuned_interval'])} | {row['auroc']:.3f} "
            f"| {'-' if speed is None else f'{speed:.0f}'} |"
        )
    return "\n".join(lines)


def _share(value: object, ends: object) -> str:
    if not isinstance(value, float) or not isinstance(ends, list):
        return "-"
    return f"{value:.3f} [{ends[0]:.3f}, {ends[1]:.3f}]"
