"""How functions of the dynamics are compiled: once, kept on disk, without reference counts.

None of them allocates, so that they use the arrays of their caller without counting references; counting cost half
of the time. Functions that only compiled functions call need no way in from Python.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit

FAST = {"contract", "reassoc", "nsz", "arcp"}
"""Freedom for sums and quotients; infinities and numbers that are none stay what they are."""

_BORROWED: dict[str, Any] = {"cache": True, "_nrt": False}
_INNER: dict[str, Any] = {**_BORROWED, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
_F = TypeVar("_F", bound=Callable[..., Any])


def entry(function: _F) -> _F:
    """Compiled, and called from Python."""
    compiled: _F = njit(**_BORROWED)(function)
    return compiled


def inner(function: _F) -> _F:
    """Compiled, and called by compiled functions only."""
    compiled: _F = njit(**_INNER)(function)
    return compiled


def fast_inner(function: _F) -> _F:
    """The same with sums in any order."""
    compiled: _F = njit(**_INNER, fastmath=FAST)(function)
    return compiled


def inlined(function: _F) -> _F:
    """Written into the functions that call it."""
    compiled: _F = njit(**_BORROWED, inline="always")(function)
    return compiled
