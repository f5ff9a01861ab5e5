"""Where the time of an analysis goes, by phase.

Whoever wants to know runs the work inside `clock_time`; what takes long says its name by `phase`. Each second
counts once: for the innermost phase, or for the outermost one that counts as a whole, such as a count of
eigenvalues with its own factors.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from time import perf_counter
from typing import Literal, ParamSpec, TypeVar

Phase = Literal["assembly", "ordering", "factors", "solves", "orthogonalisation", "count", "labels", "other"]
"""`ordering` is the order of elimination and the pattern of factors; `other` what has no name."""

_Given = ParamSpec("_Given")
_Value = TypeVar("_Value")
_WHOLE: frozenset[Phase] = frozenset({"count"})


class Clock:
    """Seconds of each phase so far."""

    def __init__(self) -> None:
        self._seconds: dict[Phase, float] = {}
        self._open: list[Phase] = ["other"]
        self._since = perf_counter()

    @property
    def seconds(self) -> Mapping[Phase, float]:
        """Longest phases first."""
        return dict(sorted(self._seconds.items(), key=lambda found: -found[1]))

    def turn(self) -> None:
        """What went by since the last turn counts for the phase that is open."""
        now = perf_counter()
        name = self._open[-1]
        self._seconds[name] = self._seconds.get(name, 0.0) + now - self._since
        self._since = now

    @contextmanager
    def phase(self, name: Phase) -> Iterator[None]:
        """Inside, time counts for this phase."""
        if self._open[-1] in _WHOLE:
            yield
            return
        self.turn()
        self._open.append(name)
        try:
            yield
        finally:
            self.turn()
            self._open.pop()


_CLOCK: ContextVar[Clock | None] = ContextVar("clock", default=None)


@contextmanager
def clock_time() -> Iterator[Clock]:
    """A clock for what is done inside."""
    clock = Clock()
    before = _CLOCK.set(clock)
    try:
        yield clock
    finally:
        clock.turn()
        _CLOCK.reset(before)


def phase(name: Phase) -> Callable[[Callable[_Given, _Value]], Callable[_Given, _Value]]:
    """A function whose time counts for a phase, wherever a clock runs."""

    def decorate(function: Callable[_Given, _Value]) -> Callable[_Given, _Value]:
        @wraps(function)
        def count(*given: _Given.args, **named: _Given.kwargs) -> _Value:
            clock = _CLOCK.get()
            if clock is None:
                return function(*given, **named)
            with clock.phase(name):
                return function(*given, **named)

        return count

    return decorate
