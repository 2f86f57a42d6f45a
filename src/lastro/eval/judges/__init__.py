"""Real judges, picked by a name; the scorer that asks them knows none of them."""

from collections.abc import Mapping
from importlib.util import find_spec
from os import PathLike
from pathlib import Path

from lastro.errors import UsageError
from lastro.eval.judges.remembered import VERDICTS, Remembered
from lastro.eval.scorers.judge import Judge

__all__ = ["VERDICTS", "of", "remembering"]

_NLI = "nli:"
_NEEDED = ("onnxruntime", "tokenizers")


def of(spec: str, environ: Mapping[str, str]) -> Judge:
    """Return the judge of that name; a model in a folder is loaded now.

    Args:
        spec: ``nli:PATH``, a folder with a model in ONNX that tells entailment;
            or ``URL#MODEL``, an endpoint that chats as OpenAI's does.
        environ: where the key of an endpoint is.

    Raises:
        UsageError: there is none of that name, what it needs is not installed,
            or its model cannot be run.
    """
    if spec.lower().startswith(("http://", "https://")):
        from lastro.eval.judges.llm import KEY, Llm  # noqa: PLC0415  (http, ssl)

        return Llm(spec, key=environ.get(KEY, ""))
    path = spec.removeprefix(_NLI)
    if path in {spec, ""}:
        raise UsageError(
            f"judge {spec.partition('://')[0]!r}: it is {_NLI}PATH or URL#MODEL",
            hint="PATH is a folder with a model in ONNX, as in nli:models/deberta-nli;"
            " URL#MODEL an endpoint, as in http://localhost:8080/v1#qwen3.",
        )
    missing = [each for each in _NEEDED if find_spec(each) is None]
    if missing:
        raise UsageError(
            f"judge {spec!r}: {missing[0]} is not installed",
            hint="pip install 'lastro[dense]' installs it.",
        )
    from lastro.eval.judges.nli import Nli  # noqa: PLC0415  (half a second)

    return Nli(path)


def remembering(
    judge: Judge | None, run_dir: str | PathLike[str] | None, *, private: bool
) -> Judge | None:
    """Return a judge that keeps its verdicts in the folder of a run.

    Of private cases none is kept: it is returned as it is, as without a folder.

    Raises:
        EvaluationError: the folder cannot be written.
    """
    if judge is None or run_dir is None or private:
        return judge
    return Remembered(judge, Path(run_dir) / VERDICTS)
