"""Checking and working: an analysis that is only checked ends where its work would begin.

Whoever checks a case runs each analysis inside `only_checked`. What is described is read, built and tried at one
state; then the analysis says `begin_work`, and there the check ends. So the conditions of an analysis stand in one
place, whether it is run or only checked.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_CHECKING = ContextVar("checking", default=False)


class _WorkBegins(Exception):  # noqa: N818 - no error: everything that can be checked is in order
    """Nothing is left but work."""


@contextmanager
def only_checked() -> Iterator[None]:
    """What is called inside ends, without a result, where its work begins."""
    before = _CHECKING.set(True)
    try:
        yield
    except _WorkBegins:
        pass
    finally:
        _CHECKING.reset(before)


def checking() -> bool:
    """Whether an analysis is only checked."""
    return _CHECKING.get()


def begin_work() -> None:
    """Everything that can be refused has been looked at; what follows takes time."""
    if _CHECKING.get():
        raise _WorkBegins
