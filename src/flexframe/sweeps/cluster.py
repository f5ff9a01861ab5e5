"""Cases on a Dask cluster: one that is started on this machine, or any whose scheduler can be reached."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

from flexframe.analyses.workers import connected_client, has_dask, local_client
from flexframe.errors import AnalysisError
from flexframe.sweeps.evaluation import CaseSource, Outcome, Task, evaluate_some

if TYPE_CHECKING:
    from distributed import Client

__all__ = ["LocalCluster", "Scheduler", "has_dask"]

AHEAD = 4
"""Parcels that wait for each thread of the cluster, so that none is idle while an answer travels."""
FEWEST = 32
PARCEL_SECONDS = 0.1
"""What is computed between two answers of a worker, unless a single case takes longer."""
LARGEST = 100
_INSTEAD = "use --scheduler processes"


@dataclass(frozen=True)
class LocalCluster:
    """A Dask cluster of its own on this machine, for as long as the sweep."""

    workers: int

    @property
    def name(self) -> str:
        return f"a local Dask cluster of {self.workers} workers"

    def outcomes(self, source: CaseSource, tasks: Iterable[Task]) -> Iterator[Outcome]:
        with local_client(self.workers, instead=_INSTEAD) as client:
            yield from _gather(client, source, tasks, "the local cluster")


@dataclass(frozen=True)
class Scheduler:
    """A Dask scheduler that somebody else started: its address, or the file that it wrote."""

    address: str

    @property
    def name(self) -> str:
        return f"the Dask scheduler {self.address}"

    def outcomes(self, source: CaseSource, tasks: Iterable[Task]) -> Iterator[Outcome]:
        with connected_client(self.address, instead=_INSTEAD) as client:
            yield from _gather(client, source, tasks, self.name)


def _gather(client: "Client", source: CaseSource, tasks: Iterable[Task], where: str) -> Iterator[Outcome]:
    """Keep the cluster busy with few parcels at a time; answers are let go as soon as they are here."""
    from distributed import as_completed

    post = _Post(iter(tasks))
    room = max(FEWEST, AHEAD * sum(client.nthreads().values()))
    running = as_completed(with_results=False)

    def fill() -> None:
        while running.count() < room and (parcel := post.parcel()):
            # cases are computed on whatever worker is free, and never taken from another sweep
            future = client.submit(evaluate_some, source, parcel, PARCEL_SECONDS, pure=False)
            post.sent[future.key] = parcel
            running.add(future)

    fill()
    for future in running:
        parcel = post.sent.pop(future.key)
        found = _outcomes(future, parcel, where, singly=post.singly)
        future.release()
        post.receive(parcel, found)
        fill()
        yield from found


@dataclass
class _Post:
    """Cases on their way: several go together where they are short, since each journey costs some milliseconds.

    Dask suspects every case that was near a worker when it ended. Suspects are sent again when all others are
    done, one at a time, so that the guilty one is found and only that fails.
    """

    waiting: Iterator[Task]
    returned: deque[Task] = field(default_factory=deque)  # not computed, for want of time
    suspects: deque[Task] = field(default_factory=deque)
    sent: dict[Any, tuple[Task, ...]] = field(default_factory=dict)
    size: int = 1
    singly: bool = False

    def parcel(self) -> tuple[Task, ...]:
        """The next cases to send; none when there is nothing to do but wait."""
        early = [self.returned.popleft() for _ in range(min(self.size, len(self.returned)))]
        found = (*early, *islice(self.waiting, self.size - len(early)))
        if not found and self.suspects and not self.sent:
            self.singly = True
            return (self.suspects.popleft(),)
        return found

    def receive(self, parcel: tuple[Task, ...], found: Sequence[Outcome]) -> None:
        """Keep what came back undone, and learn how many cases fit into the time of a parcel."""
        done = {outcome.index for outcome in found}
        left = [task for task in parcel if task.index not in done]
        if not found:
            self.suspects.extend(left)
            return
        self.returned.extend(left)
        mean = sum(outcome.seconds for outcome in found) / len(found)
        fitting = PARCEL_SECONDS / max(mean, PARCEL_SECONDS / LARGEST)
        self.size = max(1, min(2 * self.size, int(fitting)))


def _outcomes(future: Any, parcel: tuple[Task, ...], where: str, *, singly: bool) -> list[Outcome]:
    """What a parcel gave; nothing when it is not known which of several cases ended workers."""
    from concurrent.futures import CancelledError

    from distributed import KilledWorker

    gone = AnalysisError(f"{where} was lost; every finished case is kept, continue with --resume")
    if future.status == "finished":
        try:
            found: list[Outcome] = future.result()
        except (CancelledError, OSError, TimeoutError) as cause:
            raise gone from cause
        return found
    if future.status == "error":
        error = future.exception()
        if isinstance(error, KilledWorker):
            if not singly:
                return []
            reason = "the workers that computed it ended, one after another; their logs may say why"
            return [Outcome(parcel[0].index, "failed", 0.0, reason=reason)]
        # cases never raise: whatever did lies in the workers' installation, and would spoil every case
        raise AnalysisError(
            f"{where} cannot run flexframe ({type(error).__name__}: {error}); "
            "install what is missing there and continue with --resume"
        )
    raise gone
