"""The equations of motion of one instant, in named parts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic

import numpy as np

from flexframe.equations.parts import MatrixT, dense
from flexframe.equations.terms import Terms
from flexframe.maths.arrays import Array, ComplexArray


@dataclass(frozen=True, eq=False)
class EquationsOfMotion(Generic[MatrixT]):
    """M δ̈ + C δ̇ + K δ = f with C, K and f in named parts, multipliers already applied.

    Parts that are zero are left out. Matrices of a `DiscreteBody` are those of the unsupported body; its
    `supports` reduce them.
    """

    mass: MatrixT
    damping_parts: Mapping[str, MatrixT]  # coriolis (2c, skew), structural and springs (symmetric)
    stiffness_parts: Mapping[str, MatrixT]  # elastic, geometric, euler (skew), centrifugal
    load_parts: Mapping[str, Array]  # applied, euler, centrifugal, origin
    terms: Terms = field(default_factory=Terms)

    @property
    def damping(self) -> MatrixT:
        """C, the sum of its parts."""
        return _sum(self.damping_parts, self.mass)

    @property
    def stiffness(self) -> MatrixT:
        """K, the sum of its parts."""
        return _sum(self.stiffness_parts, self.mass)

    @property
    def load(self) -> Array:
        """f, the sum of its parts."""
        return np.sum([np.zeros(self.mass.shape[0]), *self.load_parts.values()], axis=0)

    def eigenvalues(self) -> ComplexArray:
        """λ of (λ²M + λC + K)φ = 0 by ascending |λ|, of conjugate pairs the one with Im λ > 0; few unknowns."""
        M, C, K = (dense(matrix) for matrix in (self.mass, self.damping, self.stiffness))
        size = len(M)
        # unknowns of unit mass, modes of M and the diagonal of K bring all unknowns to one size
        own = 1 / np.sqrt(np.diagonal(M))
        _, basis = np.linalg.eigh(M * np.outer(own, own))
        basis = own[:, None] * basis
        basis = basis / np.sqrt(np.einsum("ri,rt,ti->i", basis, M, basis))
        C, K = basis.T @ C @ basis, basis.T @ K @ basis
        scale = float(np.sqrt(np.abs(np.diagonal(K)).max())) or 1.0
        companion = np.block([[np.zeros((size, size)), np.eye(size)], [-K / scale**2, -C / scale]])
        values = scale * np.linalg.eigvals(companion)
        values = values[values.imag >= -1e-9 * np.abs(values)]
        return np.asarray(values[np.argsort(np.abs(values))], dtype=complex)


def _sum(parts: Mapping[str, MatrixT], like: MatrixT) -> Any:
    total: Any = None
    for part in parts.values():
        total = part if total is None else total + part
    return like * 0.0 if total is None else total
