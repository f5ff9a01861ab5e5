"""Dask workers for the parts of divided models, on this machine or any whose scheduler can be reached."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from flexframe.errors import AnalysisError, FlexframeError, InputError
from flexframe.maths.multilevel.pool import worked_by
from flexframe.maths.solver_settings import memory_limit

if TYPE_CHECKING:
    from distributed import Client, Future

CONNECT_WITHIN = 20  # s
PATIENT = {
    "distributed.deploy.lost-worker-timeout": "1 day",
    "distributed.comm.timeouts.connect": "10 minutes",
    "distributed.scheduler.worker-ttl": None,
}
"""Of our own cluster: a busy machine may take long to start a worker in place of one that ended, or to let it
speak. Dask would give that worker up, and its work would wait for ever; a process that ends is noticed anyway."""
_BEFORE_PAUSE = 0.8  # of a worker's memory
_PROGRAM = 0.5e9  # bytes of a process before it has anything to do: Python and the libraries
ATTEMPTS = 4
"""How often a task is given out whose workers ended."""


@contextmanager
def workers(count: int | None = None, *, scheduler: str | None = None) -> Iterator[None]:
    """Models that are divided into substructures inside are worked on by Dask workers.

    Workers that end are replaced, and what they had begun is done again. Needs `flexframe[cluster]`.

    Parameters
    ----------
    count
        How many processes to start on this machine for it.
    scheduler
        Instead of `count`, the address of a Dask scheduler that is there already, or the file that it wrote.

    Returns
    -------
    context manager
        The workers are there inside a `with` block.

    Examples
    --------
    >>> def in_two_processes(body):
    ...     with ff.reduction.workers(2):
    ...         return ff.modes(body, count=20, substructures=32)
    """
    if (count is None) == (scheduler is None):
        raise InputError("give a number of workers, or the address of a Dask scheduler")
    if count is not None and count < 1:
        raise InputError(f"{count} workers cannot work; give at least one", field="workers")
    instead = "leave the workers out"
    if count is not None:
        threads = str(max(1, (os.cpu_count() or 1) // count))
        name = f"{count} workers of a local Dask cluster"
        connection = local_client(
            count,
            instead=instead,
            environment={"FLEXFRAME_THREADS": threads},
            gigabytes=_worker_gigabytes(count),
        )
    else:
        assert scheduler is not None
        name = f"the Dask scheduler {scheduler}"
        connection = connected_client(scheduler, instead=instead)
    with connection as client, worked_by(DaskPool(client, name)):
        yield


def _worker_gigabytes(count: int) -> float | None:
    """What Dask should let each worker of this machine have: FLEXFRAME_MEMORY, or its share of what is free."""
    limit = memory_limit()
    if limit is None:
        return None
    share = limit if os.environ.get("FLEXFRAME_MEMORY") else limit / (count + 1)
    return (share + _PROGRAM) / _BEFORE_PAUSE / 1e9


@dataclass(eq=False)
class DaskPool:
    """The workers of a client; tasks of workers that end are given out again."""

    client: "Client"
    name: str
    _tasks: "dict[Future, tuple[int, Callable[..., Any], tuple[Any, ...], int]]" = field(default_factory=dict)
    _running: Any = None

    def __post_init__(self) -> None:
        from distributed import as_completed

        self._running = as_completed(with_results=False)

    @property
    def workers(self) -> int:
        return max(1, sum(self.client.nthreads().values()))

    @property
    def memory(self) -> float:
        """What the least of them may take, below where Dask lets a worker pause."""
        limits = [float(one["memory_limit"]) for one in self.client.scheduler_info(-1)["workers"].values()]
        return max(_BEFORE_PAUSE * min((limit for limit in limits if limit > 0.0), default=np.inf) - _PROGRAM, 1.0)

    @property
    def has_room(self) -> bool:
        """One task more than workers, so that none is idle while a result travels."""
        return len(self._tasks) <= self.workers

    def start(self, key: int, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        self._give_out(key, function, arguments, 1)

    def _give_out(self, key: int, function: Callable[..., Any], arguments: tuple[Any, ...], attempt: int) -> None:
        from distributed import CancelledError

        try:
            # large arrays travel to a worker at once, and not through the scheduler's memory
            sent = self.client.scatter(_Given(arguments), hash=False)
            future = self.client.submit(_work, function, sent, pure=False)
        except (CancelledError, OSError, TimeoutError) as error:
            raise self._lost() from error
        self._tasks[future] = (key, function, arguments, attempt)
        self._running.add(future)

    def finished(self) -> tuple[int, Any]:
        from distributed import CancelledError, KilledWorker

        while True:
            done = next(self._running)
            key, function, arguments, attempt = self._tasks.pop(done)
            try:
                result = done.result()
            except (CancelledError, KilledWorker, OSError, TimeoutError) as error:
                done.release()
                if attempt == ATTEMPTS or self.client.status != "running":
                    raise self._lost() from error
                self._give_out(key, function, arguments, attempt + 1)
                continue
            except FlexframeError:
                raise
            except Exception as error:  # whatever an environment without our packages raises
                raise AnalysisError(
                    f"{self.name} cannot run flexframe ({type(error).__name__}: {error}); "
                    "install what is missing there"
                ) from error
            done.release()
            return key, result

    def _lost(self) -> AnalysisError:
        return AnalysisError(
            f"{self.name} lost its workers again and again; give them more memory or use more substructures, "
            "and continue with --resume"
        )


@dataclass(frozen=True, eq=False)
class _Given:
    """Arguments of a task, which Dask would otherwise look into for others of its tasks."""

    arguments: tuple[Any, ...]


def _work(function: Callable[..., Any], given: _Given) -> Any:
    return function(*given.arguments)


@contextmanager
def local_client(
    count: int, *, instead: str, environment: dict[str, str] | None = None, gigabytes: float | None = None
) -> Iterator["Client"]:
    """A client of a cluster of its own on this machine; `instead` is what else can be done.

    Dask ends a worker that takes more than so many gigabytes; if not given, more than its share of the machine.
    """
    require_dask(instead)
    import dask
    from distributed import Client, LocalCluster

    with dask.config.set(PATIENT):
        try:
            cluster = LocalCluster(
                n_workers=count,
                threads_per_worker=1,
                processes=True,
                # without an address its pages would be at a fixed port, which a second cluster finds taken
                dashboard_address="127.0.0.1:0",
                scheduler_kwargs={"dashboard": False},
                silence_logs=50,
                env=environment or {},
                memory_limit="auto" if gigabytes is None else int(1e9 * gigabytes),
            )
        except (RuntimeError, OSError, TimeoutError) as error:
            first = (str(error) or type(error).__name__).splitlines()[0]
            raise AnalysisError(
                f"no local Dask cluster could be started ({first}); {instead}, and in a script "
                "put the call under: if __name__ == '__main__'"
            ) from error
        with cluster, Client(cluster) as client:
            yield client


@contextmanager
def connected_client(address: str, *, instead: str) -> Iterator["Client"]:
    """A client of a scheduler that somebody else started: its address, or the file that it wrote."""
    require_dask(instead)
    from distributed import Client

    try:
        if Path(address).is_file():
            client = Client(scheduler_file=address, timeout=CONNECT_WITHIN)
        else:
            client = Client(address, timeout=CONNECT_WITHIN)
    except (OSError, ValueError, TimeoutError) as error:
        first = (str(error) or type(error).__name__).splitlines()[0]
        raise AnalysisError(
            f"no Dask scheduler answers at {address} ({first}); start one, or give another --scheduler"
        ) from error
    try:
        yield client
    finally:
        client.close(timeout=1)


def has_dask() -> bool:
    """Whether Dask's distributed scheduler is installed."""
    return find_spec("distributed") is not None


def require_dask(instead: str) -> None:
    """Say how to install it."""
    if not has_dask():
        raise InputError(f"Dask is not installed; run: pip install 'flexframe[cluster]', or {instead}")
