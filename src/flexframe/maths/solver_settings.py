"""What the environment says about solving: threads and memory."""

import os
import sys
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache
from pathlib import Path
from typing import Any

from flexframe.errors import InputError

_THREADS_FROM = 300_000  # entries; below, a second thread gains nothing, and loses much on a busy machine
_LARGE = 5_000  # unknowns, of which solids have so many entries


def thread_count(entries: int) -> int:
    """Threads for a matrix: FLEXFRAME_THREADS, or every core open to this process if it is large."""
    text = os.environ.get("FLEXFRAME_THREADS", "")
    if text:
        if not text.isdecimal() or int(text) < 1:
            raise InputError(f"FLEXFRAME_THREADS is {text!r}; set it to a whole number from 1 on, or unset it")
        return int(text)
    if entries < _THREADS_FROM:
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@lru_cache(maxsize=1)
def _libraries() -> Any:
    """The libraries of linear algebra in this process; MKL obeys FLEXFRAME_THREADS."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def limited_threads(count: int = 1) -> AbstractContextManager[Any]:
    """So many threads in numpy and scipy.

    Each of the two has its own library with threads that wait awake: where small matrices go from one to the
    other, a step on a busy machine takes fifty times as long with two threads as with one.
    """
    limit: AbstractContextManager[Any] = _libraries().limit(limits=count)
    return limit


def cores_for_solver(unknowns: int) -> AbstractContextManager[Any]:
    """One thread in numpy and scipy where a model is so large that the sparse solver takes all cores.

    Threads that have ended their part wait awake for some time, those of either library, and take the cores from
    those of the other: 20 modes of a solid of 100,000 unknowns took a quarter longer on two quiet cores.
    """
    return limited_threads() if unknowns >= _LARGE else nullcontext()


def memory_limit() -> float | None:
    """Bytes that factors may take: FLEXFRAME_MEMORY in gigabytes, or what is free; None if unknown.

    Free is what the system can give without swapping, and what a container has left of its limit.
    """
    text = os.environ.get("FLEXFRAME_MEMORY", "")
    if text:
        try:
            gigabytes = float(text)
        except ValueError:
            gigabytes = 0.0
        if not gigabytes > 0.0:
            raise InputError(f"FLEXFRAME_MEMORY is {text!r}; set it to gigabytes above zero, or unset it")
        return 1e9 * gigabytes
    free = [1024.0 * float(words[1]) for words in _lines(Path("/proc/meminfo")) if words[0] == "MemAvailable:"]
    free += [left for folder, names in _control_groups() if (left := _left_in(folder, names)) is not None]
    return min(free, default=None)


def used_memory() -> float | None:
    """Bytes of this process that are in memory; None where the system does not say."""
    for words in _lines(Path("/proc/self/statm")):
        return float(int(words[1]) * os.sysconf("SC_PAGE_SIZE"))
    if sys.platform == "darwin":
        import resource

        return float(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    return None


def _control_groups() -> list[tuple[Path, tuple[str, str]]]:
    """Folders that may limit this process, as the system names them and as a container sees them."""
    found: list[tuple[Path, tuple[str, str]]] = []
    for words in _lines(Path("/proc/self/cgroup")):
        number, kinds, place = [*words[0].split(":", 2), "", ""][:3]
        if "memory" in kinds.split(","):
            root, names = Path("/sys/fs/cgroup/memory"), ("memory.limit_in_bytes", "memory.usage_in_bytes")
        elif number == "0" and not kinds:
            root, names = Path("/sys/fs/cgroup"), ("memory.max", "memory.current")
        else:
            continue
        found += [(root, names), (root / place.lstrip("/"), names)]
    return found


def _left_in(folder: Path, names: tuple[str, str]) -> float | None:
    """What a control group has left of its limit; files that the system may drop from memory do not count."""
    limit, used = (_lines(folder / name) for name in names)
    if not limit or not used or not limit[0][0].isdecimal():
        return None
    dropped = [float(words[1]) for words in _lines(folder / "memory.stat") if words[0] == "inactive_file"]
    return max(float(limit[0][0]) - float(used[0][0]) + sum(dropped), 0.0)


def _lines(path: Path) -> list[list[str]]:
    """The words of each line that has any; nothing where the file is not there or not to be read."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError:
        return []
    return [words for line in text.splitlines() if (words := line.split())]
