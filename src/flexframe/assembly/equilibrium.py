"""Static solutions of a supported or free body; a free body is balanced by its own inertia."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flexframe.assembly.dofs import DofMap
from flexframe.assembly.pattern import submatrix
from flexframe.assembly.projection import Projection, support_description
from flexframe.errors import AnalysisError
from flexframe.maths.arrays import Array, IntArray, SparseMatrix
from flexframe.maths.factor_kernels import Order
from flexframe.maths.factorisation import Factorisation, SingularMatrixError, factorise


@dataclass(frozen=True, eq=False)
class StaticSolution:
    """Displacements under loads, and the rigid acceleration that inertia relief added for each load."""

    displacements: Array  # (p, loads)
    relief: Array  # −(a, α): body force per mass −a − α × x of the frame acceleration that balances: (6, loads)


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """K δ = f on the coordinates that the supports leave.

    Rigid motions that remain are found from the geometry, never from small pivots. A load on a free body is
    balanced by M r, r a rigid acceleration (inertia relief); one statically determinate auxiliary support then
    carries nothing, and the answer is made unique by leaving out rigid displacement.
    """

    stiffness: SparseMatrix  # reduced by the supports: (n, n)
    mass: SparseMatrix  # likewise
    map: Projection
    rigid: Array  # rigid displacements that the supports allow, in z: (n, r)
    rigid_frame: Array  # the same as (a, α) of the frame: (6, r)
    dofs: DofMap

    @cached_property
    def auxiliary(self) -> IntArray:
        """Coordinates held by the auxiliary support: as many as rigid motions, well conditioned."""
        if not self.rigid.shape[1]:
            return np.empty(0, dtype=np.int64)
        from scipy import linalg  # takes longer to load than a small case to compute

        pivots = linalg.qr(self.rigid.T, mode="r", pivoting=True)[1]
        return np.sort(pivots[: self.rigid.shape[1]])

    @cached_property
    def _free(self) -> IntArray:
        return np.setdiff1d(np.arange(self.map.size), self.auxiliary)

    @cached_property
    def factor(self) -> Factorisation:
        """Factorised stiffness of the (auxiliarily) supported body."""
        matrix = self.stiffness
        if self.rigid.shape[1]:
            matrix = submatrix(matrix, self._free)
        try:
            return factorise(matrix, "spd")
        except SingularMatrixError as error:
            raise AnalysisError(self._mechanism(error)) from error

    @property
    def order(self) -> Order | None:
        """The order in which the stiffness of a supported body was eliminated, if it was already."""
        factor: Factorisation | None = self.__dict__.get("factor")  # where the cached property keeps it
        return None if factor is None or self.rigid.shape[1] else factor.order

    def _mechanism(self, error: SingularMatrixError) -> str:
        where = ""
        if error.equation is not None and self.map.kept is not None:
            equation = int(self.map.kept[self._free[error.equation]])
            where = f" at {support_description(self.dofs, equation)}"
        return (
            f"the stiffness is singular{where}: part of the body can move without straining; "
            "join or support that part, or use beams where bars form a mechanism"
        )

    def solve(self, loads: Array) -> StaticSolution:
        """Displacements under one load (p,) or several (p, k); applied and reaction-free."""
        f = self.map.reduce_vector(loads.reshape(len(loads), -1))
        relief = np.zeros((6, f.shape[1]))
        if self.rigid.shape[1]:
            MR = self.mass @ self.rigid
            amounts = np.linalg.solve(self.rigid.T @ MR, self.rigid.T @ f)
            f = f - MR @ amounts
            relief = -self.rigid_frame @ amounts
        z = np.zeros_like(f)
        if self._free.size:  # nothing is left to solve where every degree of freedom is held
            z[self._free] = self.factor.solve(f[self._free])
        if self.rigid.shape[1]:
            z -= self.rigid @ np.linalg.solve(self.rigid.T @ MR, MR.T @ z)
        return StaticSolution(self.map.expand(z), relief)


_HELD = 1e-8
"""Energy of a rigid motion in a given stiffness over that of its entries, beyond which it is held; files round."""


def allowed_rigid_motions(
    map_: Projection,
    displacements: Array,
    size: float,
    springs: SparseMatrix | None = None,
    given: SparseMatrix | None = None,
) -> tuple[Array, Array]:
    """Rigid motions that supports and springs allow: in z (n, r), orthonormal, and as motions (6, r).

    A stiffness that is `given` may hold the body, too: that of a part of which held rows were left out, or of
    springs to the ground.

    `displacements` are the body's six rigid fields (p, 6) about a point in it, and the motions are about that
    point; `size` makes rotations comparable with translations. A motion is allowed when no held degree of freedom
    takes part in it, so that one support is noticed however large the body is.
    """
    scale = np.array([1.0, 1, 1, 1 / size, 1 / size, 1 / size])
    fields = displacements * scale
    outside = fields - map_.expand(map_.reduce_vector(fields))
    triangle = np.linalg.qr(outside, mode="r")
    _, values, right = np.linalg.svd(triangle)
    values = np.append(values, np.zeros(6 - len(values)))  # fewer than six degrees of freedom hold fewer motions
    allowed = right[values <= 1e-9].T
    reference = np.sqrt(len(fields))
    if springs is not None and allowed.size:
        strained = fields @ allowed
        _, values, right = np.linalg.svd(strained.T @ np.asarray(springs @ strained))
        allowed = allowed @ right[values <= 1e-10 * float(springs.max()) * reference**2].T
    if given is not None and allowed.size:
        moved = fields @ allowed
        energy, right = np.linalg.eigh(moved.T @ np.asarray(given @ moved))
        most = float(np.trace(np.abs(moved).T @ np.asarray(abs(given) @ np.abs(moved))))
        allowed = allowed @ right[:, np.abs(energy) <= _HELD * most]
    in_z = map_.reduce_vector(fields) @ allowed
    if not in_z.size:
        return np.zeros((map_.size, 0)), np.zeros((6, 0))
    left, values, right = np.linalg.svd(in_z, full_matrices=False)
    kept = values > 1e-7 * reference
    frame = scale[:, None] * (allowed @ (right[kept].T / values[kept]))
    return left[:, kept], frame
