"""Several elastic bodies in one mechanism, joined by the joint map (Maggi).

Every body keeps the coordinates of its own frame; all side by side they are q. Joints and drives, linearised at
the rigid positions, say A(t) q = 0: a pin of two bodies says R₁u₁ = R₂u₂. With B(t) spanning what they leave,

    q = B z,   BᵀMB z̈ + BᵀCB ż + BᵀKB z = Bᵀf,   and   Aᵀλ = M q̈ + C q̇ + K q − f

are the joint forces beyond those of the rigid mechanism. B is that of the frozen position.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from flexframe.assembly.discrete import DiscreteBody, discretise
from flexframe.equations.cycle import CycleEquations
from flexframe.equations.terms import Terms
from flexframe.errors import AnalysisError, InputError
from flexframe.maths.arrays import Array, IntArray, SparseMatrix
from flexframe.mechanisms.elastic.interactions import Interaction, interactions
from flexframe.mechanisms.elastic.part import Part, marker_rows
from flexframe.mechanisms.elastic.rigid_part import RigidPart
from flexframe.mechanisms.inverse_dynamics import MechanismForces
from flexframe.mechanisms.motion import MechanismMotion
from flexframe.mechanisms.states import PLANAR_COLUMNS, SPATIAL_COLUMNS
from flexframe.model.body import Body

_RANK = 1e-9


@dataclass(frozen=True, eq=False)
class AssembledInstant:
    """BᵀMB, BᵀCB, BᵀKB, Bᵀf of one instant, dense, and B."""

    mass: Array
    damping: Array
    stiffness: Array
    load: Array
    basis: Array  # B: (q, n)

    @property
    def symmetric(self) -> bool:
        """Whether neither spin, damping nor angular acceleration acts."""
        K = self.stiffness
        return not self.damping.any() and bool(np.abs(K - K.T).max() <= 1e-12 * np.abs(K).max())


@dataclass(frozen=True, eq=False)
class ElasticAssembly:
    """All bodies of a mechanism along its motion; `forces` None: the mechanism stands still in each position."""

    motion: MechanismMotion
    forces: MechanismForces | None
    parts: tuple[Part, ...]
    terms: Terms
    added_damping: Array | None = None  # of the coordinates of all bodies on each other: (q, q)

    @cached_property
    def size(self) -> int:
        """Number of coordinates of all bodies side by side."""
        return int(self.parts[-1].columns.stop)

    @cached_property
    def equations(self) -> tuple[CycleEquations, ...]:
        """Of every part, before they are joined."""
        return tuple(part.equations(self.motion, self.forces, self.terms) for part in self.parts)

    @cached_property
    def mass(self) -> SparseMatrix:
        """M of all bodies side by side: (q, q)."""
        return sparse.csr_array(sparse.block_diag([equations.mass for equations in self.equations]))

    def broken(self, instant: int) -> tuple[Array, Array, Array]:
        """C, K and f of all bodies side by side at one instant, with what lies between the bodies; dense."""
        now = np.array([instant])
        C, K, f = np.zeros((self.size, self.size)), np.zeros((self.size, self.size)), np.zeros(self.size)
        for part, equations in zip(self.parts, self.equations, strict=True):
            columns = part.columns
            C[columns, columns] = equations.damping_at(now)[0]
            K[columns, columns] = equations.stiffness_at(now)[0]
            f[columns] = equations.load_at(now)[0]
        if self.added_damping is not None:
            C += self.added_damping
        for interaction in self.between:
            interaction.add(instant, C, K)
        return C, K, f

    @cached_property
    def constraints(self) -> Array:
        """A of joints and drives, rows as in the mechanism: (T, rows, q)."""
        return marker_rows(self.motion, self.parts, self.motion.mechanism.constraints)

    @cached_property
    def between(self) -> tuple[Interaction, ...]:
        """What acts between the bodies besides their constraints."""
        return interactions(self.motion, self.forces, self.parts, self.terms.geometric)

    @cached_property
    def _touched(self) -> IntArray:
        """Coordinates that occur in a constraint."""
        return np.flatnonzero((self.constraints != 0).any(axis=(0, 1)))

    @cached_property
    def _untouched(self) -> IntArray:
        return np.setdiff1d(np.arange(self.size), self._touched)

    @cached_property
    def rank(self) -> int:
        """Number of independent constraints, the same in all positions."""
        values = np.linalg.svd(self.constraints[:, :, self._touched], compute_uv=False)
        ranks = (values > _RANK * values[:, :1]).sum(axis=1)
        if ranks.min() != ranks.max():
            when = self.motion.times[int(np.argmin(ranks))]
            raise AnalysisError(
                f"the joints of the elastic mechanism depend on each other at t = {when:g} s; "
                "leave out that position"
            )
        return int(ranks[0])

    def basis_at(self, instant: int) -> Array:
        """B: orthonormal columns that the constraints leave: (q, n)."""
        touched, untouched = self._touched, self._untouched
        _, _, right = np.linalg.svd(self.constraints[instant][:, touched])
        B = np.zeros((self.size, self.size - self.rank))
        B[untouched, np.arange(len(untouched))] = 1.0
        B[np.ix_(touched, np.arange(len(untouched), B.shape[1]))] = right[self.rank :].T
        return B

    def at(self, instant: int) -> AssembledInstant:
        """The joined equations of one instant."""
        B = self.basis_at(instant)
        C, K, f = self.broken(instant)
        M, C, K = (B.T @ np.asarray(A @ B) for A in (self.mass, C, K))
        return AssembledInstant(M, C, K, B.T @ f, B)

    def multipliers(self, instant: int, inertia: Array, rates: Array, displacements: Array) -> Array:
        """λ beyond the rigid mechanism, of q̈, q̇ and q of all bodies: (rows,)."""
        C, K, f = self.broken(instant)
        forces = self.mass @ inertia + C @ rates + K @ displacements - f
        A = self.constraints[instant]
        return np.asarray(np.linalg.lstsq(A.T, np.asarray(forces), rcond=_RANK)[0])

    def displacements(self, coordinates: Array) -> dict[str, Array]:
        """Nodal displacements (nodes, 6) of the elastic bodies, from coordinates of all bodies (q,)."""
        out = {}
        for part in self.parts:
            if part.discrete is not None:
                full = part.discrete.supports.expand(coordinates[part.columns])
                out[part.name] = part.discrete.dofs.nodal(full)
        return out


def elastic_assembly(
    motion: MechanismMotion,
    forces: MechanismForces | None,
    terms: Terms | None = None,
    *,
    discrete: Mapping[str, DiscreteBody] | None = None,
) -> ElasticAssembly:
    """Join the bodies of a mechanism; bodies already discretised may be given."""
    mechanism = motion.mechanism
    columns = PLANAR_COLUMNS if mechanism.planar else SPATIAL_COLUMNS
    parts: list[Part] = []
    start = 0
    for k, body in enumerate(mechanism.system.bodies):
        if isinstance(body, Body):
            if body.supports:
                raise InputError(
                    f"body {body.name} has supports in its own frame; in an assembly of elastic bodies the "
                    "joints hold it: remove its supports, or ask for this body alone"
                )
            known = (discrete or {}).get(body.name) or discretise(body)
            size = known.supports.size
            parts.append(Part(body.name, known, None, slice(start, start + size)))
        else:
            masses = mechanism.masses
            rigid = RigidPart.of(float(masses.mass[k]), masses.centre[k], masses.inertia[k], columns)
            size = len(columns)
            parts.append(Part(body.name, None, rigid, slice(start, start + size)))
        start += size
    if all(part.discrete is None for part in parts):
        raise InputError("no body of the system is elastic; give at least one a mesh")
    return ElasticAssembly(motion, forces, tuple(parts), terms or Terms())
