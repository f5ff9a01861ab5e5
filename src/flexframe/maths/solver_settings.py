"""What the environment says about solving: threads and memory."""

import os
from pathlib import Path

from flexframe.errors import InputError

_THREADS_FROM = 300_000  # entries; below, a second thread gains nothing, and loses much on a busy machine


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


def memory_limit() -> float | None:
    """Bytes that factors may take: FLEXFRAME_MEMORY in gigabytes, or what the system has free; None if unknown."""
    text = os.environ.get("FLEXFRAME_MEMORY", "")
    if text:
        try:
            gigabytes = float(text)
        except ValueError:
            gigabytes = 0.0
        if not gigabytes > 0.0:
            raise InputError(f"FLEXFRAME_MEMORY is {text!r}; set it to gigabytes above zero, or unset it")
        return 1e9 * gigabytes
    table = Path("/proc/meminfo")
    if not table.exists():
        return None
    for line in table.read_text(encoding="ascii").splitlines():
        if line.startswith("MemAvailable:"):
            return 1024.0 * float(line.split()[1])
    return None
