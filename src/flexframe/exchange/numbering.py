"""Labels of nodes and elements of a file, and the numbers that they have in its mesh."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flexframe.errors import InputError
from flexframe.maths.arrays import BoolArray, IntArray

Where = str | Callable[[int], str]
"""A place for messages, or the place of an entry counted through an array."""


@dataclass(frozen=True, eq=False)
class Numbering:
    """Labels, each with the number that it has in the mesh: both (n,)."""

    kind: str  # "node" or "element"
    labels: IntArray
    numbers: IntArray

    @classmethod
    def of_labels(cls, kind: str, labels: IntArray, place: Where) -> "Numbering":
        """Labels numbered in their order; one that is there twice is refused."""
        made = cls(kind, labels, np.arange(len(labels)))
        order, ordered = made._sorted
        again = np.flatnonzero(ordered[1:] == ordered[:-1])
        if again.size:
            first, second = int(order[again[0]]), int(order[again[0] + 1])
            where = place if isinstance(place, str) else place(second)
            before = "" if isinstance(place, str) else f" at {place(first)}"
            raise InputError(f"{where}: {kind} {labels[second]} was defined already{before}; remove one")
        return made

    @cached_property
    def _sorted(self) -> tuple[IntArray, IntArray]:
        order = np.argsort(self.labels, kind="stable")
        return order, self.labels[order]

    def is_known(self, labels: IntArray) -> BoolArray:
        """Which labels (any shape) exist."""
        _, ordered = self._sorted
        if not ordered.size:
            return np.zeros(np.shape(labels), dtype=bool)
        found = np.minimum(np.searchsorted(ordered, labels), len(ordered) - 1)
        return np.asarray(ordered[found] == labels)

    def of(self, labels: IntArray, place: Where) -> IntArray:
        """Mesh numbers of labels (any shape); InputError at the place of the first unknown one."""
        known = self.is_known(labels)
        if not np.all(known):
            at = int(np.argmin(np.asarray(known).ravel()))
            where = place if isinstance(place, str) else place(at)
            raise InputError(
                f"{where}: {self.kind} {np.asarray(labels).flat[at]} is not defined; define it or correct this"
            )
        order, ordered = self._sorted
        return np.asarray(self.numbers[order[np.searchsorted(ordered, labels)]])

    def between(self, first: int, last: int, step: int = 1) -> IntArray:
        """Mesh numbers of the labels first, first + step … last, those that exist."""
        inside = (self.labels >= first) & (self.labels <= last) & ((self.labels - first) % step == 0)
        return np.asarray(self.numbers[inside])
