"""What others take to run a case where answering it costs nothing."""

import os
import time
from pathlib import Path

Found = dict[str, object]


def pydantic_evals(size: int, _folder: Path) -> Found:
    """Run cases through pydantic-evals with one evaluator that costs nothing."""
    from pydantic_evals import Case, Dataset
    from pydantic_evals.evaluators import EqualsExpected

    def answer(question: str) -> str:
        return question

    cases = [
        Case(name=f"c{number}", inputs=str(number), expected_output=str(number))
        for number in range(size)
    ]
    dataset = Dataset(name="free", cases=cases, evaluators=[EqualsExpected()])
    before = time.process_time()
    dataset.evaluate_sync(answer, progress=False)
    return {"cpu_s": round(time.process_time() - before, 3)}


def inspect_ai(size: int, folder: Path) -> Found:
    """Run samples through Inspect with its mock model and one scorer."""
    from inspect_ai import Task, eval  # noqa: A004 - its own name
    from inspect_ai.dataset import Sample
    from inspect_ai.scorer import includes

    samples = [Sample(input=str(n), target=str(n), id=n) for n in range(1, size + 1)]
    task = Task(dataset=samples, scorer=includes())
    before = time.process_time()
    eval(task, model="mockllm/model", display="none", log_dir=str(folder / "inspect"))
    return {"cpu_s": round(time.process_time() - before, 3)}


def deepeval(size: int, folder: Path) -> Found:
    """Run test cases through DeepEval with one metric that costs nothing."""
    os.chdir(folder)  # it leaves files where it stands
    os.environ["DEEPEVAL_TELEMETRY_OPT_OUT"] = "YES"
    from deepeval import evaluate
    from deepeval.evaluate import AsyncConfig, CacheConfig, DisplayConfig
    from deepeval.metrics import BaseMetric
    from deepeval.test_case import LLMTestCase

    class Free(BaseMetric):  # type: ignore[misc]
        threshold = 0.5
        async_mode = False

        def measure(self, test_case: object, *_: object, **__: object) -> float:
            del test_case
            self.score, self.success = 1.0, True
            return 1.0

        def is_successful(self) -> bool:
            return True

    cases = [LLMTestCase(input=str(n), actual_output=str(n)) for n in range(size)]
    before = time.process_time()
    evaluate(
        test_cases=cases,
        metrics=[Free()],
        async_config=AsyncConfig(run_async=False),
        display_config=DisplayConfig(show_indicator=False, print_results=False),
        cache_config=CacheConfig(write_cache=False),
    )
    return {"cpu_s": round(time.process_time() - before, 3)}
