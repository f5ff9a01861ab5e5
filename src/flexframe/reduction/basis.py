"""A reduction basis: which displacement fields a reduced body keeps, and what each coordinate is."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from flexframe.maths.arrays import Array, SparseMatrix

CoordinateKind = Literal["interface", "attachment", "inertia", "load", "mode"]


@dataclass(frozen=True)
class Coordinate:
    """What one reduced coordinate is: the displacement of an interface, the answer to a load, or a mode."""

    kind: CoordinateKind
    label: str
    frequency_hz: float | None = None  # modes only


@dataclass(frozen=True, eq=False)
class ReductionBasis:
    """δ = vectors · q; the vectors obey supports, couplings and the reference condition."""

    vectors: Array  # V: (p, m)
    coordinates: tuple[Coordinate, ...]  # (m,)
    strategy: str
    reference: str

    @property
    def size(self) -> int:
        """Number of coordinates m."""
        return int(self.vectors.shape[1])

    def reduce(self, matrix: SparseMatrix) -> Array:
        """VᵀAV: (m, m)."""
        return np.asarray(self.vectors.T @ np.asarray(matrix @ self.vectors))

    def reduce_vector(self, vector: Array) -> Array:
        """Vᵀf of a vector (p,) or the columns of a block (p, k)."""
        return np.asarray(self.vectors.T @ vector)

    def expand(self, coordinates: Array) -> Array:
        """V q of one state (m,) → (p,) or of a history (times, m) → (times, p)."""
        return np.asarray(coordinates @ self.vectors.T)
