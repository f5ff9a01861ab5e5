"""Work that is kept while an analysis runs, so that an interrupted one goes on where it was.

Whoever runs an analysis gives it a `Keeper`; whatever takes long asks `keep_part` for each part of it: the modes
at one speed, the answer at one frequency, a step along a path. A part is found again by what it was computed from,
so that a computation that goes on has the numbers of one that was never interrupted, bit by bit.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import fields, is_dataclass
from hashlib import blake2b
from typing import Any, Protocol, TypeVar

import numpy as np

Value = TypeVar("Value")


class Keeper(Protocol):
    """Remembers values by key, and writes them to a file now and then."""

    def find(self, key: str) -> Any | None:
        """The value of this key, if there is one."""
        ...

    def keep(self, key: str, value: Any) -> None:
        """Remember a value: arrays, numbers and texts, also in tuples, mappings and dataclasses of ours."""
        ...

    def save(self) -> None:
        """Write what is new to the file."""
        ...


_KEEPER: ContextVar[Keeper | None] = ContextVar("keeper", default=None)


@contextmanager
def keeping(keeper: Keeper | None) -> Iterator[None]:
    """What is computed inside is kept there; without a keeper everything stays as it is outside."""
    if keeper is None:
        yield
        return
    before = _KEEPER.set(keeper)
    try:
        yield
    finally:
        _KEEPER.reset(before)


def current_keeper() -> Keeper | None:
    """Where parts are kept at the moment."""
    return _KEEPER.get()


def keep_part(what: str, inputs: Any, compute: Callable[[], Value]) -> Value:
    """A part of some work: as it was kept, or computed and kept; `inputs` are all that it depends on."""
    keeper = _KEEPER.get()
    if keeper is None:
        return compute()
    key = f"{what} {fingerprint(inputs)}"
    found: Value | None = keeper.find(key)
    if found is None:
        found = compute()
        keeper.keep(key, found)
    return found


def fingerprint(*parts: Any) -> str:
    """Hash of numbers, texts, arrays, sparse matrices, and of what holds them."""
    digest = blake2b(digest_size=24)
    _feed(digest.update, parts)
    return digest.hexdigest()


def _feed(update: Callable[[bytes], None], part: Any) -> None:
    match part:
        case np.ndarray():
            update(repr((part.shape, part.dtype.str)).encode() + np.ascontiguousarray(part).tobytes())
        case Mapping():
            for name, value in part.items():
                _feed(update, name)
                _feed(update, value)
        case tuple() | list():
            update(f"{len(part)}:".encode())
            for value in part:
                _feed(update, value)
        case str() | int() | float() | complex() | bool() | None:
            update(repr(part).encode())
        case _ if hasattr(part, "tocsr"):
            rows = part.tocsr()
            _feed(update, (rows.shape, rows.indptr, rows.indices, rows.data))
        case _ if hasattr(part, "__array__"):
            _feed(update, np.asarray(part))
        case _ if is_dataclass(part):
            for field in fields(part):
                _feed(update, getattr(part, field.name))
        case _:
            update(repr(part).encode())
