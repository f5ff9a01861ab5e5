"""A small basis of a supported body: its lowest modes at rest and the shape under its loads."""

from dataclasses import dataclass

import numpy as np

from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.equations import equations_of_motion
from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.maths.eigenproblems import symmetric_modes
from flexframe.motion.frame import FrameMotion


@dataclass(frozen=True, eq=False)
class ReducedBasis:
    """δ = shapes · y with M-orthonormal shapes that obey the supports."""

    shapes: Array  # (p, r)
    description: str

    @property
    def size(self) -> int:
        """Number of shapes."""
        return self.shapes.shape[1]


def lowest_modes(discrete: DiscreteBody, count: int) -> ReducedBasis:
    """The lowest modes at rest, rigid ones among them."""
    supports = discrete.supports
    count = min(count, supports.size)
    M, K = supports.reduce_matrix(discrete.mass), supports.reduce_matrix(discrete.stiffness)
    rigid = discrete.equilibrium.rigid
    found = symmetric_modes(K, M, count, rigid_modes=rigid if rigid.shape[1] else None, confirm=False)
    return ReducedBasis(supports.expand(found.vectors), f"{count} lowest modes at rest")


def reduced_basis(discrete: DiscreteBody, motion: FrameMotion, *, modes: int) -> ReducedBasis:
    """The lowest modes at rest and, where there are loads, the static shape under them."""
    basis = lowest_modes(discrete, modes)
    load = equations_of_motion(discrete, motion).load
    if not load.any() or basis.size == discrete.supports.size:
        return basis
    static = discrete.equilibrium.solve(load).displacements
    shapes, added = _completed(basis.shapes, static, discrete.mass)
    return ReducedBasis(shapes, f"{basis.description} and the static shape under all loads") if added else basis


def static_coverage(discrete: DiscreteBody, basis: ReducedBasis, motion: FrameMotion) -> float:
    """Share of the static strain energy under all loads that the basis can hold; 1 without loads."""
    load = equations_of_motion(discrete, motion).load
    solution = discrete.equilibrium.solve(load).displacements[:, 0]
    whole = float(solution @ np.asarray(discrete.stiffness @ solution))
    if not whole:
        return 1.0
    force = basis.shapes.T @ np.asarray(discrete.stiffness @ solution)
    reduced = basis.shapes.T @ np.asarray(discrete.stiffness @ basis.shapes)
    return float(force @ np.linalg.lstsq(reduced, force, rcond=None)[0]) / whole


def _completed(shapes: Array, extra: Array, M: SparseMatrix) -> tuple[Array, bool]:
    """Add what a further shape has of its own, M-orthonormal."""
    rest = extra
    before = float(np.sqrt((extra.T @ (M @ extra)).item()))
    for _ in range(2):
        rest = rest - shapes @ (shapes.T @ (M @ rest))
    size = float(np.sqrt((rest.T @ (M @ rest)).item()))
    if size <= 1e-6 * before:
        return shapes, False
    return np.hstack([shapes, rest / size]), True
