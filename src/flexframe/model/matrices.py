"""Matrices of a body that another program computed, or that a reduced body is made of."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from flexframe.errors import InputError
from flexframe.maths.arrays import Array, IntArray, SparseMatrix

Use = Literal["mesh", "matrices", "modes", "reduced"]
"""What of the contents of files a body is made of."""


@dataclass(frozen=True, eq=False)
class InertiaIntegrals:
    """Integrals of ρ, ρx, ρN, ρxN and ρNN on the coordinates of given matrices, in body axes about the origin."""

    mass: float  # m
    first_moment: Array  # S: (3,)
    second_moment: Array  # J: (3, 3)
    origin_coupling: Array  # M_O: (3, m)
    position_coupling: Array  # X: (3, 3, m)
    shape_products: Array  # Y: (3, 3, m, m)


@dataclass(frozen=True, eq=False)
class QuadraticIntegrals:
    """Integrals and values at nodes of the quadratic field u₂ = ½ zᵀG z: where geometric stiffness comes from."""

    origin: Array  # g: (3, m, m)
    position: Array  # H: (3, 3, m, m)
    rows: Array  # G of the degrees of freedom that follow the coordinates: (r, m, m)


@dataclass(frozen=True, eq=False)
class BodyMatrices:
    """Stiffness and mass on coordinates that are degrees of freedom of nodes, or amounts of displacement fields.

    Without `shapes` coordinate k is the degree of freedom `rows[k]` of the body. With them the degrees of freedom
    follow coordinates of their own, δ[rows] = shapes · z, of which `rigid` says how they move in the six rigid
    motions of the body: a reduced body, or one of which a few modes are known.

    The matrices stand in place of those of the elements, which then serve stress, geometric stiffness and
    pictures, or are `added` to them. `lumped` are the masses of the nodes where shapes and a mass matrix are all
    that is known.
    """

    rows: IntArray  # node number and column of NODE_DOFS: (r, 2)
    stiffness: SparseMatrix  # N/m, N m of rotations: (m, m)
    mass: SparseMatrix  # kg, kg m² of rotations: (m, m)
    shapes: Array | None = None  # (r, m)
    rigid: Array | None = None  # z of translations along and rotations about x, y, z: (m, 6)
    added: bool = False
    placed: bool = True  # whether the positions of the nodes are known
    lumped: Array | None = None  # kg: (nodes,)
    inertia: InertiaIntegrals | None = None  # of the coordinates, where they are known
    quadratic: QuadraticIntegrals | None = None
    damping: SparseMatrix | None = None  # N s/m: (m, m)

    def __post_init__(self) -> None:
        size = self.stiffness.shape[0]
        for name in ("stiffness", "mass", "damping"):
            matrix = getattr(self, name)
            if matrix is not None and matrix.shape != (size, size):
                raise InputError(f"matrices: {name} is {matrix.shape}; K, M and C need the same size")
        if self.rows.ndim != 2 or self.rows.shape[1] != 2:
            raise InputError(f"matrices: rows have the shape {self.rows.shape}; give node and column of each")
        if self.shapes is None and len(self.rows) != size:
            raise InputError(f"matrices: {len(self.rows)} rows are named, K has {size}")
        if self.shapes is not None and (
            self.shapes.shape != (len(self.rows), size)
            or self.rigid is None
            or self.rigid.shape != (size, 6)
            or not np.isfinite(self.shapes).all()
        ):
            raise InputError("matrices: shapes need a finite row for each degree of freedom, and rigid motions")

    @property
    def size(self) -> int:
        """Number of coordinates."""
        return int(self.stiffness.shape[0])
