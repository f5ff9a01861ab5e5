"""Cases on a Dask cluster: one that is started on this machine, or any whose scheduler can be reached."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flexframe.errors import AnalysisError, InputError
from flexframe.sweeps.evaluation import CaseSource, Outcome, Task, evaluate

if TYPE_CHECKING:
    from distributed import Client

AHEAD = 4
"""Cases that wait for each thread of the cluster, so that none is idle while an answer travels."""
FEWEST = 32
CONNECT_WITHIN = 20  # s


@dataclass(frozen=True)
class LocalCluster:
    """A Dask cluster of its own on this machine, for as long as the sweep."""

    workers: int

    @property
    def name(self) -> str:
        return f"a local Dask cluster of {self.workers} workers"

    def outcomes(self, source: CaseSource, tasks: Iterable[Task]) -> Iterator[Outcome]:
        require_dask()
        from distributed import Client
        from distributed import LocalCluster as Started

        with (
            Started(
                n_workers=self.workers,
                threads_per_worker=1,
                processes=True,
                dashboard_address=None,
                silence_logs=50,
            ) as cluster,
            Client(cluster) as client,
        ):
            yield from _gathered(client, source, tasks, "the local cluster")


@dataclass(frozen=True)
class Scheduler:
    """A Dask scheduler that somebody else started: its address, or the file that it wrote."""

    address: str

    @property
    def name(self) -> str:
        return f"the Dask scheduler {self.address}"

    def outcomes(self, source: CaseSource, tasks: Iterable[Task]) -> Iterator[Outcome]:
        with self._connected() as client:
            yield from _gathered(client, source, tasks, self.name)

    @contextmanager
    def _connected(self) -> Iterator["Client"]:
        require_dask()
        from distributed import Client

        try:
            if Path(self.address).is_file():
                client = Client(scheduler_file=self.address, timeout=CONNECT_WITHIN)
            else:
                client = Client(self.address, timeout=CONNECT_WITHIN)
        except (OSError, ValueError, TimeoutError) as error:
            first = (str(error) or type(error).__name__).splitlines()[0]
            raise AnalysisError(
                f"no Dask scheduler answers at {self.address} ({first}); start one, or give another --scheduler"
            ) from error
        try:
            yield client
        finally:
            client.close(timeout=1)


def has_dask() -> bool:
    """Whether Dask's distributed scheduler is installed."""
    return find_spec("distributed") is not None


def require_dask() -> None:
    """Say how to install it."""
    if not has_dask():
        raise InputError(
            "Dask is not installed; run: pip install 'flexframe[cluster]', or use --scheduler processes"
        )


def _gathered(client: "Client", source: CaseSource, tasks: Iterable[Task], where: str) -> Iterator[Outcome]:
    """Keep the cluster busy with few tasks at a time; answers are let go as soon as they are here."""
    from distributed import as_completed

    waiting = iter(tasks)
    asked: dict[Any, Task] = {}

    def submit(task: Task) -> Any:
        # a case is computed on whatever worker is free, and never taken from another sweep
        future = client.submit(evaluate, source, task, pure=False)
        asked[future.key] = task
        return future

    room = max(FEWEST, AHEAD * sum(client.nthreads().values()))
    running = as_completed([submit(task) for task in islice(waiting, room)], with_results=False)
    for future in running:
        task = asked.pop(future.key)
        yield _outcome(future, task, where)
        future.release()
        for further in islice(waiting, 1):
            running.add(submit(further))


def _outcome(future: Any, task: Task, where: str) -> Outcome:
    from concurrent.futures import CancelledError

    from distributed import KilledWorker

    gone = AnalysisError(f"{where} was lost; every finished case is kept, continue with --resume")
    if future.status == "finished":
        try:
            outcome = future.result()
        except (CancelledError, OSError, TimeoutError) as cause:
            raise gone from cause
        assert isinstance(outcome, Outcome)
        return outcome
    if future.status == "error":
        error = future.exception()
        if isinstance(error, KilledWorker):
            return Outcome(task.index, "failed", 0.0, reason=f"it ended the workers that tried it: {error}")
        # cases never raise: whatever did lies in the workers' installation, and would spoil every case
        raise AnalysisError(
            f"{where} cannot run flexframe ({type(error).__name__}: {error}); "
            "install what is missing there and continue with --resume"
        )
    raise gone
