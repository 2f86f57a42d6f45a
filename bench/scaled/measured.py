"""What a block of a bench takes: processor time, memory, bytes written."""

import re
import resource
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_OWN = re.compile(r"^RssAnon:\s+(\d+)", re.MULTILINE)


@contextmanager
def measured() -> Iterator[dict[str, object]]:
    """Give a table that holds what the block took, once it has ended."""
    found: dict[str, object] = {}
    most, ended = [own_memory()], threading.Event()

    def watch() -> None:
        while not ended.wait(0.2):
            most.append(own_memory())

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    cpu, wall, written = time.process_time(), time.perf_counter(), _written()
    yield found
    found["cpu_s"] = round(time.process_time() - cpu, 2)
    found["wall_s"] = round(time.perf_counter() - wall, 2)
    found["written_mb"] = round((_written() - written) / 1e6, 1)
    ended.set()
    watcher.join()
    most.append(own_memory())
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found["peak_mb"] = round(peak / 1024)
    # Without pages of files that the system may take back at any time.
    found["peak_own_mb"] = max(most)


def own_memory() -> int:
    """Return the megabytes that no file stands for, as Linux tells them; else 0."""
    status = Path("/proc/self/status")
    if not status.exists():
        return 0
    (size,) = _OWN.findall(status.read_text())
    return round(int(size) / 1024)


def _written() -> int:
    counts = Path("/proc/self/io")
    if not counts.exists():
        return 0
    return int(re.findall(r"^write_bytes: (\d+)", counts.read_text(), re.MULTILINE)[0])
