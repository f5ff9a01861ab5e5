"""Cases one after another in this process."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from flexframe.sweeps.evaluation import CaseSource, Outcome, Task, evaluate


class Runner(Protocol):
    """Where cases are computed."""

    @property
    def name(self) -> str:
        """What the reader of a report should know."""
        ...

    def outcomes(self, source: CaseSource, tasks: Iterable[Task]) -> Iterator[Outcome]:
        """The outcome of every task, as they finish; tasks are taken when there is room for them."""
        ...


@dataclass(frozen=True)
class Serial:
    """This process."""

    name: str = "one process"

    def outcomes(self, source: CaseSource, tasks: Iterable[Task]) -> Iterator[Outcome]:
        for task in tasks:
            yield evaluate(source, task)
