"""Every bound of the studio: how long, how large and how many; the page about its security lists them."""

import sys
from math import ceil

# Cases, in the processes that read and check them.
CASE_SECONDS = 20.0
"""Seconds of computing for one case; while other programs have the processor, none pass."""
TRIAL_SECONDS = 8.0
"""Seconds of computing in which the analyses of a case are tried, as `flexframe check` does."""
CASE_MEMORY = 4 << 30  # bytes of address space
CASE_SCRATCH = 500_000_000  # bytes of a private copy for a library that opens files by itself
CASES_WAITING = 24
"""Requests that may wait for one of these processes; a browser sends six at once."""
GIVEN_UP = 600.0
"""Seconds of any clock after which such a process is ended, whatever it waits for."""

# Exports, in a process each.
EXPORT_SECONDS = 300.0
EXPORT_MEMORY = 8 << 30  # bytes of address space

# Sizes.
MAX_JSON = 3_000_000  # bytes of a request
MAX_UPLOAD = 100_000_000  # bytes of a mesh or recording that is sent
MAX_INPUT = 2_000_000_000
"""Bytes of the meshes and recordings that a run copies."""
MAX_STATE = 10_000_000
"""Bytes of a file in which a run keeps its state."""
MAX_HEAD = 65_536  # bytes of the lines before a body

# Connections.
CONNECTIONS = 64
IDLE_CONNECTIONS = 32
"""Connections that have asked for nothing; with one more, the one that has waited longest is closed."""
HEAD_SECONDS = 10.0
"""Seconds in which a request must have come, up to its body."""
BODY_SECONDS = 20.0
"""Seconds of silence within a body."""
STALL_SECONDS = 60.0
"""Seconds in which a reader must take about a megabyte of an answer."""
IDLE_SECONDS = 5  # between two requests

# Secrets.
CODE_SECONDS = 300.0
"""Seconds for which the code of a printed address is valid."""
DOWNLOAD_SECONDS = 120.0

SESSIONS = 100
"""Browsers that may be in at once; with one more, the oldest is out."""


def limit_memory(most: int) -> None:
    """Let a wish of this process for too much memory fail, where the system can do that."""
    if sys.platform != "win32":
        import resource

        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        # an end is no reason to write all that memory to the disk
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def limit_scratch(most: int) -> None:
    """Let this process write no larger file, where the system can do that."""
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))


def limit_time(seconds: float) -> None:
    """Let the system end this process after so much more computing, where it can do that."""
    if sys.platform != "win32":
        import resource

        used = resource.getrusage(resource.RUSAGE_SELF)
        last = ceil(used.ru_utime + used.ru_stime + seconds)
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        last = last if hard == resource.RLIM_INFINITY else min(last, hard)
        resource.setrlimit(resource.RLIMIT_CPU, (last, hard))
