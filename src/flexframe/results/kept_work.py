"""Parts of an analysis that are done, in memory and now and then in its checkpoint."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexframe.keeping import keeping
from flexframe.results.checkpoint import Checkpoint
from flexframe.results.plain_values import flattened, restored

QUIET_SECONDS = 2.0  # between two savings, or more where one takes long
SHARE = 20  # of the time, savings take at most one part
_MOST = 1_000_000_000  # bytes that are kept
_INDEX = "index"


@dataclass(eq=False)
class KeptWork:
    """Values by key, of the analysis that the fingerprint describes.

    What is kept already is found again at once; a later value takes the place of an earlier one with its key.
    """

    checkpoint: Checkpoint
    fingerprint: str = ""
    _values: dict[str, Any] = field(init=False)
    _bytes: int = field(init=False, default=0)
    _new: bool = field(init=False, default=False)
    _saved: float = field(init=False, default_factory=monotonic)
    _pause: float = field(init=False, default_factory=lambda: QUIET_SECONDS)

    def __post_init__(self) -> None:
        self._values = self._loaded()

    def _loaded(self) -> dict[str, Any]:
        """What the file holds; nothing where it is another computation's, or damaged."""
        arrays = self.checkpoint.load(self.fingerprint)
        if arrays is None or _INDEX not in arrays:
            return {}
        try:
            index = json.loads(str(arrays[_INDEX]))
            return {str(key): restored(value, arrays) for key, value in index.items()}
        except (ValueError, KeyError, TypeError, AttributeError, ImportError):
            return {}

    def find(self, key: str) -> Any | None:
        """The value of this key, if there is one."""
        return self._values.get(key)

    def keep(self, key: str, value: Any) -> None:
        """Remember a value, and write all to the file if the last time is a while ago."""
        self._bytes += _size(value) - (_size(self._values[key]) if key in self._values else 0)
        if self._bytes > _MOST:
            return
        self._values[key] = value
        self._new = True
        if monotonic() - self._saved > self._pause:
            self.save()

    def save(self) -> None:
        """Write what is new."""
        if not self._new:
            return
        began = monotonic()
        arrays: list[NDArray[Any]] = []
        index = {key: flattened(value, arrays) for key, value in self._values.items()}
        named = {str(number): array for number, array in enumerate(arrays)}
        self.checkpoint.save(self.fingerprint, {_INDEX: np.array(json.dumps(index)), **named})
        self._new, self._saved = False, monotonic()
        self._pause = max(QUIET_SECONDS, SHARE * (self._saved - began))


def _size(value: Any) -> int:
    """Bytes of the arrays of a value."""
    arrays: list[NDArray[Any]] = []
    flattened(value, arrays)
    return sum(array.nbytes for array in arrays)


@contextmanager
def checkpointed(checkpoint: Checkpoint | None, fingerprint: str = "") -> Iterator[None]:
    """What takes long inside is kept in the checkpoint, and is found there again by the same computation."""
    if checkpoint is None:
        yield
        return
    work, began = KeptWork(checkpoint, fingerprint), monotonic()
    try:
        with keeping(work):
            yield
    except KeyboardInterrupt:
        work.save()
        raise
    if monotonic() - began > QUIET_SECONDS:
        work.save()
