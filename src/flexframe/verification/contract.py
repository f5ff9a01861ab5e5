"""A verification row: one computed figure beside one that flexframe did not make."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Reference:
    """A figure from elsewhere, how near the computed one must come, and why."""

    quantity: str
    value: float
    tolerance: float
    scale: float | None = None  # what the error is relative to, the value itself unless given


@dataclass(frozen=True)
class Row:
    """One line of the verification table; `coarse` is the same figure on a mesh of half the density."""

    name: str
    quantity: str
    computed: float
    reference: float
    relative_error: float
    tolerance: float
    source: str
    passed: bool
    conditions: str
    coarse: float | None = None

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Check:
    """A named group of rows: theory, terms, frame and mesh are stated once in `conditions`."""

    name: str
    source: str
    conditions: str
    references: tuple[Reference, ...]
    compute: Callable[[int], Sequence[float]]
    """Refinement (1 coarse, 2 fine) → the figures in the order of the references."""

    def rows(self) -> list[Row]:
        """Compute on two meshes and compare the finer."""
        coarse, fine = self.compute(1), self.compute(2)
        assert len(coarse) == len(fine) == len(self.references)
        out = []
        for reference, rough, value in zip(self.references, coarse, fine, strict=True):
            error = (value - reference.value) / (reference.scale or abs(reference.value) or 1.0)
            out.append(
                Row(
                    name=self.name,
                    quantity=reference.quantity,
                    computed=float(value),
                    reference=reference.value,
                    relative_error=float(error),
                    tolerance=reference.tolerance,
                    source=self.source,
                    passed=bool(np.isfinite(error) and abs(error) <= reference.tolerance),
                    conditions=self.conditions,
                    coarse=float(rough),
                )
            )
        return out
