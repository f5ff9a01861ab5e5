"""Regions of a part put together while its file is read: cells by what they are made of."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from flexframe.elements.properties import Property
from flexframe.errors import InputError
from flexframe.exchange.contract import PartRegion
from flexframe.maths.arrays import IntArray

Made = tuple[Property, str | None]
"""What cells are made of, and the family of their elements where it is not the usual one."""


@dataclass(eq=False)
class Regions:
    """Regions in their order, and the cell sets that they name."""

    made: list[PartRegion] = field(default_factory=list)
    cell_sets: dict[str, IntArray] = field(default_factory=dict)

    def add(self, name: str, cells: IntArray, make: Callable[[], Made]) -> None:
        """Add cells; where the file says too little about them, the region says what is lacking."""
        if not cells.size:
            return
        self.cell_sets[name] = np.sort(cells)
        try:
            prop, family = make()
            self.made.append(PartRegion(name, prop, family))
        except InputError as error:
            self.made.append(PartRegion(name, None, lacks=f"{name}: {error}"))

    def refuse(self, name: str, cells: IntArray, reason: str) -> None:
        """Add cells of which nothing can be made."""

        def make() -> Made:
            raise InputError(reason)

        self.add(name, cells, make)


def rows_alike(values: "np.ndarray", digits: int = 9) -> tuple["np.ndarray", IntArray]:
    """Different rows of numbers up to rounding, and which of them each row is."""
    scale = max(float(np.abs(values).max(initial=0.0)), 1e-300)
    rounded = np.round(values / scale, digits)
    _, first, group = np.unique(rounded, axis=0, return_index=True, return_inverse=True)
    return values[first], np.asarray(group).ravel()
