"""Verdicts in the folder of a run: what was judged once is not paid for again."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from lastro import __version__
from lastro.eval.folder import only_our_errors
from lastro.eval.scorers.judge import Judge, Judgement, Ruling

VERDICTS = "judge.jsonl"


class Remembered:
    """A judge that looks up its own verdicts in ``file`` before it judges.

    A verdict is found by the version of Lastro, the name of the judge, the claim
    and every text that it was read beside: another of these is another question.
    The file holds none of them, only a hash.  What was left open is not kept.

    Raises:
        EvaluationError: the file can be neither read nor written.
    """

    def __init__(self, judge: Judge, file: Path) -> None:
        self._judge = judge
        self._file = file
        with only_our_errors(file):
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("ab+") as stream:
                stream.seek(0)
                held = stream.read()
                if held and not held.endswith(b"\n"):
                    stream.write(b"\n")  # a line that was cut off by a kill
        self._known = dict(_verdicts(held))

    @property
    def name(self) -> str:
        """Return the name of the judge that is asked."""
        return self._judge.name

    def judge(self, claim: str, evidence: Sequence[str]) -> Judgement:
        """Rule on one claim, from memory where it can."""
        key = _key(self.name, claim, evidence)
        known = self._known.get(key)
        if known is not None:
            return Judgement(known)
        found = self._judge.judge(claim, evidence)
        if found.ruling is not Ruling.UNAVAILABLE:
            self._known[key] = found.ruling
            line = json.dumps({"key": key, "verdict": found.ruling})
            with only_our_errors(self._file), self._file.open("ab") as stream:
                stream.write(line.encode() + b"\n")
        return found


def _key(name: str, claim: str, evidence: Sequence[str]) -> str:
    asked = [__version__, name, claim, *evidence]
    return hashlib.sha256(json.dumps(asked).encode()).hexdigest()


def _verdicts(held: bytes) -> Iterator[tuple[str, Ruling]]:
    """Yield what can be read; of a line that cannot, the verdict is asked again."""
    for line in held.splitlines():
        with suppress(ValueError, TypeError, KeyError, RecursionError):
            said = json.loads(line)
            ruling = Ruling(said["verdict"])
            if ruling is not Ruling.UNAVAILABLE:
                yield str(said["key"]), ruling
