"""Damping of a body and of modes, written once for every route.

C = α Pᵀm P + β k, with m and k the mass and elastic stiffness of the body's own elements. Point masses, springs,
geometric and centrifugal stiffness have no part in it; dampers of springs come beside it. It acts on rates
relative to the frame: P = 1 where supports or springs tie the body to its frame. Rigid motions R that nothing
holds are motions of the frame and not damped: P = 1 − R(RᵀMR)⁻¹RᵀM leaves what mean axes see, M with point masses.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from scipy import sparse

from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.harmonics import HarmonicBody
from flexframe.errors import AnalysisError
from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.model.body import Damping

Matrices = TypeVar("Matrices", Array, SparseMatrix)

RIGID = 1e-9  # part of the largest deformation below which a motion is rigid
_FULL = 4000  # degrees of freedom of a free body up to which a matrix without zeros is made


def proportional(damping: Damping, mass: Matrices, stiffness: Matrices) -> Matrices:
    """α m + β k of elements, each alone or assembled."""
    return damping.mass * mass + damping.stiffness * stiffness


@dataclass(frozen=True, eq=False)
class RayleighDamping:
    """α Pᵀm P + β k of a body."""

    damping: Damping
    mass: SparseMatrix  # m of the elements: (p, p)
    stiffness: SparseMatrix  # k of the elements: (p, p)
    rigid: Array  # R, rigid motions that nothing holds; none where α = 0: (p, r)
    momenta: Array  # M R: (p, r)

    @cached_property
    def matrix(self) -> SparseMatrix:
        """C: (p, p)."""
        own = sparse.csr_array(proportional(self.damping, self.mass, self.stiffness))
        free = self.free_part
        own = own if free is None else sparse.csr_array(own + free)
        own.eliminate_zeros()
        return own

    @property
    def free_part(self) -> SparseMatrix | None:
        """α (PᵀmP − m), which belongs to no element: (p, p) without zeros, None where P = 1."""
        if not self.rigid.shape[1]:
            return None
        if len(self.rigid) > _FULL:
            raise AnalysisError(
                f"damping by the mass acts on the deformation of a free body, which couples all its "
                f"{len(self.rigid)} degrees of freedom; give damping by the stiffness alone, tie the body to its "
                "frame, or reduce it"
            )
        # P = 1 − R Qᵀ with Q = M R (RᵀMR)⁻¹
        Q = self.momenta @ np.linalg.inv(self.rigid.T @ self.momenta)
        mR = np.asarray(self.mass @ self.rigid)
        once = mR @ Q.T
        return sparse.csr_array(self.damping.mass * (Q @ (self.rigid.T @ mR) @ Q.T - once - once.T))

    def project(self, basis: Array) -> Array:
        """Vᵀ C V on the columns of a basis: (m, m)."""
        moved = basis
        if self.rigid.shape[1]:
            moved = basis - self.rigid @ np.linalg.solve(self.rigid.T @ self.momenta, self.momenta.T @ basis)
        mass = moved.T @ np.asarray(self.mass @ moved)
        stiffness = basis.T @ np.asarray(self.stiffness @ basis)
        return proportional(self.damping, (mass + mass.T) / 2, (stiffness + stiffness.T) / 2)


def rayleigh_damping(discrete: DiscreteBody | HarmonicBody) -> RayleighDamping | None:
    """Damping of the elements of a body, None where it has none."""
    damping = discrete.body.damping
    if not (damping.mass or damping.stiffness):
        return None
    rigid, mass = np.zeros((discrete.mass.shape[0], 0)), discrete.mass
    if damping.mass:
        rigid = discrete.supports.expand(discrete.equilibrium.rigid)
        mass = discrete.element_mass
    return RayleighDamping(damping, mass, discrete.element_stiffness, rigid, np.asarray(discrete.mass @ rigid))


def modal_damping(mass: Array, stiffness: Array, ratios: float | Array) -> Array:
    """m φ diag(2ζω) φᵀ m of the modes k φ = ω² m φ, φᵀmφ = 1, by ascending ω: (n, n)."""
    from scipy import linalg  # takes longer to load than a small case to compute

    squares, modes = linalg.eigh((stiffness + stiffness.T) / 2, (mass + mass.T) / 2)
    moved = mass @ modes
    return np.asarray((moved * (2 * ratios * np.sqrt(np.maximum(squares, 0.0)))) @ moved.T)


@dataclass(frozen=True, eq=False)
class DeformationModes:
    """Modes of M z̈ + K z = 0 that deform: without the motions z that leave D z = 0, M-orthogonal to them."""

    omegas: Array  # rad/s, ascending: (k,)
    shapes: Array  # φ, φᵀMφ = 1: (n, k)
    momenta: Array  # Mφ: (n, k)
    deformation: Array  # D: (e, n)

    def damping(self, ratios: float | Array) -> Array:
        """C on the deformations d = D z with DᵀCD = Σ 2ζω Mφ φᵀM: (e, e).

        Rigid motion (D z = 0) has no part in the right side, so that the pseudo-inverse of D gives it exactly.
        """
        moved = np.linalg.pinv(self.deformation, rcond=RIGID).T @ self.momenta
        return np.asarray((moved * (2 * ratios * self.omegas)) @ moved.T)


def deformation_modes(mass: Array, stiffness: Array, deformation: Array) -> DeformationModes:
    """The modes that deform, for matrices (n, n) and the deformations D (e, n) of coordinates of one size."""
    from scipy import linalg

    M, K = (mass + mass.T) / 2, (stiffness + stiffness.T) / 2
    _, values, right = np.linalg.svd(deformation)
    rank = int(np.count_nonzero(values > RIGID * values.max(initial=0.0)))
    rigid, rest = right[rank:].T, right[:rank].T
    if rigid.shape[1]:
        rest = rest - rigid @ linalg.solve(rigid.T @ M @ rigid, rigid.T @ M @ rest, assume_a="pos")
    squares, within = linalg.eigh(rest.T @ K @ rest, rest.T @ M @ rest)
    shapes = rest @ within
    return DeformationModes(np.sqrt(np.maximum(squares, 0.0)), shapes, M @ shapes, deformation)
