"""Where the parts of a model are worked on: here, one after another, or wherever somebody gives them to."""

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Protocol


class Pool(Protocol):
    """Takes tasks, which are functions of plain data, and gives their results back in any order."""

    @property
    def name(self) -> str:
        """What the reader of a record should know."""
        ...

    @property
    def workers(self) -> int:
        """How many tasks are worked on at a time."""
        ...

    @property
    def memory(self) -> float | None:
        """Bytes that each worker may take; None where tasks are done in this process."""
        ...

    @property
    def has_room(self) -> bool:
        """Whether another task should be given now."""
        ...

    def start(self, key: int, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        """Take a task."""
        ...

    def finished(self) -> tuple[int, Any]:
        """Key and result of a task that is done; waits for one."""
        ...


class Serial:
    """This process: a task is done when its result is asked for."""

    name = "one process"
    workers = 1
    memory = None

    def __init__(self) -> None:
        self._waiting: deque[tuple[int, Callable[..., Any], tuple[Any, ...]]] = deque()

    @property
    def has_room(self) -> bool:
        return not self._waiting

    def start(self, key: int, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        self._waiting.append((key, function, arguments))

    def finished(self) -> tuple[int, Any]:
        key, function, arguments = self._waiting.popleft()
        with divided_into(None):  # a part is not divided again
            return key, function(*arguments)


_POOL: ContextVar[Pool | None] = ContextVar("pool", default=None)
_PARTS: ContextVar[int | None] = ContextVar("parts", default=None)


def current_pool() -> Pool:
    """Who works on parts of models at the moment: this process, unless somebody else was named."""
    return _POOL.get() or Serial()


@contextmanager
def worked_by(pool: Pool) -> Iterator[None]:
    """Parts of models that are divided inside go to this pool."""
    before = _POOL.set(pool)
    try:
        yield
    finally:
        _POOL.reset(before)


def current_parts() -> int | None:
    """Into how many parts definite matrices are divided at the moment; None where they stay whole."""
    return _PARTS.get()


@contextmanager
def divided_into(parts: int | None) -> Iterator[None]:
    """Definite matrices that are factorised inside are divided into so many parts."""
    before = _PARTS.set(parts)
    try:
        yield
    finally:
        _PARTS.reset(before)
