"""A command as a process of its own: what it took, to its last instruction."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from multiprocessing import get_context
from pathlib import Path
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
CHILD = Path(__file__).with_name("child.py")


@dataclass(frozen=True, slots=True, kw_only=True)
class Took:
    """CPU seconds of all threads, seconds on the clock, most memory, and output."""

    cpu_s: float
    wall_s: float
    peak_mb: float
    out: str


def took(command: Sequence[str], out: Path) -> Took:
    """Run a command and measure it; its output goes through a file.

    Raises:
        RuntimeError: it did not end well; its last words are in the message.
    """
    before = time.perf_counter()
    with out.open("wb") as file, out.with_suffix(".err").open("wb") as errors:
        process = subprocess.Popen(command, stdout=file, stderr=errors)
        _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - before
    if status:
        last = out.with_suffix(".err").read_text(errors="replace")[-500:]
        raise RuntimeError(f"{' '.join(command[:4])} … ended with {status}: {last}")
    return Took(
        cpu_s=round(used.ru_utime + used.ru_stime, 3),
        wall_s=round(wall, 3),
        peak_mb=round(used.ru_maxrss / 1024, 1),
        out=out.read_text(encoding="utf-8", errors="replace"),
    )


def child(name: str, size: int, folder: Path) -> Took:
    """Run one measurement of ``child.py`` in a process of its own."""
    command = [sys.executable, str(CHILD), name, str(size), str(folder)]
    return took(command, folder / f"{name}-{size}.out")


def apart(make: Callable[P, T], *given: P.args, **more: P.kwargs) -> T:
    """Make input in a process of its own.

    What a process has held counts as the peak of those it starts afterwards.
    """
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(make, *given, **more).result()


def versions(packages: Sequence[str]) -> dict[str, str]:
    """Return the version of each package; one that is absent says so."""
    return {name: _version(name) for name in packages}


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
