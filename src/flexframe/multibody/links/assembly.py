"""Several elastic bodies in one mechanism, joined by the joint map (Maggi).

Every body keeps the coordinates of its own frame; all side by side they are q. Joints and drives, linearised at
the rigid positions, say A(t) q = 0: a pin of two bodies says R₁u₁ = R₂u₂. With B(t) spanning what they leave,

    q = B z,   BᵀMB z̈ + BᵀCB ż + BᵀKB z = Bᵀf,   and   Aᵀλ = M q̈ + C q̇ + K q − f

are the joint forces beyond those of the rigid mechanism. B is that of the frozen position.

Eigenvalues of frozen positions: modes of the symmetric stiffness come first; spin, angular acceleration and
damping mix in shapes K⁻¹Cφ and K⁻¹Eφ. On both together the small quadratic problem is solved, and what its
residual shows is added until it is small.

Motion in time is

    M q̈ + C(t) q̇ + K(t) q = f(t) + A(t)ᵀλ,   A(t) q = 0

by generalised-α on positions and multipliers (Arnold and Brüls 2007): constraints hold at the end of every step
although their directions turn with the mechanism, and λ are the joint forces beyond those of the rigid motion.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
import scipy.linalg
from scipy import sparse

from flexframe.assembly.discrete import DiscreteBody, discretise
from flexframe.equations.coefficients import Terms
from flexframe.equations.cycle import CycleEquations
from flexframe.errors import AnalysisError, InputError
from flexframe.keeping import keep_part
from flexframe.maths.arrays import Array, ComplexArray, IntArray, SparseMatrix
from flexframe.maths.generalised_alpha import AlphaMethod
from flexframe.model.body import Body
from flexframe.multibody.inverse_dynamics import MechanismForces
from flexframe.multibody.links.cycle_modes import companion_modes, too_many_modes
from flexframe.multibody.links.joined_bodies import Interaction, JoinedBody, RigidPart, interactions, marker_rows
from flexframe.multibody.motion import MechanismMotion
from flexframe.multibody.states import PLANAR_COLUMNS, SPATIAL_COLUMNS

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
    parts: tuple[JoinedBody, ...]
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

    def blocks(self, instant: int) -> tuple[Array, Array, Array]:
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
        C, K, f = self.blocks(instant)
        M, C, K = (B.T @ np.asarray(A @ B) for A in (self.mass, C, K))
        return AssembledInstant(M, C, K, B.T @ f, B)

    def multipliers(self, instant: int, inertia: Array, rates: Array, displacements: Array) -> Array:
        """λ beyond the rigid mechanism, of q̈, q̇ and q of all bodies: (rows,)."""
        C, K, f = self.blocks(instant)
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
    parts: list[JoinedBody] = []
    start = 0
    for k, body in enumerate(mechanism.system.bodies):
        if isinstance(body, Body):
            if body.supports:
                raise InputError(
                    f"body {body.name} has supports in its own frame; in an assembly of elastic bodies the "
                    "joints hold it: remove its supports, or ask for this body alone",
                    part=("bodies", body.name, "supports"),
                )
            known = (discrete or {}).get(body.name) or discretise(body)
            size = known.supports.size
            parts.append(JoinedBody(body.name, known, None, slice(start, start + size)))
        else:
            masses = mechanism.masses
            rigid = RigidPart.of(float(masses.mass[k]), masses.centre[k], masses.inertia[k], columns)
            size = len(columns)
            parts.append(JoinedBody(body.name, None, rigid, slice(start, start + size)))
        start += size
    if all(part.discrete is None for part in parts):
        raise InputError("no body of the system is elastic; give at least one a mesh", field="kind")
    return ElasticAssembly(motion, forces, tuple(parts), terms or Terms())


_ROUNDS = 6


@dataclass(frozen=True, eq=False)
class AssemblyModes:
    """Eigenpairs in all positions by ascending |λ|, Im λ ≥ 0; vectors of all bodies side by side, M-normalised.

    `bounds` are |r|/2|λ| in the norm of K⁻¹ as for a single link.
    """

    eigenvalues: ComplexArray  # (T, k)
    vectors: ComplexArray  # (T, q, k)
    overlaps: Array  # modal assurance of neighbouring positions: (T − 1, k, k)
    bounds: Array  # (T, k)


def assembly_modes(assembly: ElasticAssembly, count: int, *, tolerance: float = 1e-8) -> AssemblyModes:
    """The `count` lowest modes in every position, their estimated relative error below the tolerance."""
    size = assembly.size - assembly.rank
    if not 1 <= count <= size:
        raise too_many_modes(count, size)
    T = len(assembly.motion.times)
    values = np.empty((T, count), dtype=complex)
    vectors = np.empty((T, assembly.size, count), dtype=complex)
    bounds = np.zeros((T, count))
    overlaps = np.empty((max(T - 1, 0), count, count))
    before: ComplexArray | None = None
    largest = float(np.sqrt(tolerance / 2))
    for i in range(T):
        now = assembly.at(i)
        try:
            values[i], small, bounds[i] = keep_part(
                "modes of a position", (now, count, largest), partial(_modes, now, count, largest)
            )
        except np.linalg.LinAlgError as error:
            time = assembly.motion.times[i]
            raise AnalysisError(f"the modes at t = {time:g} s could not be found: {error}") from error
        vectors[i] = now.basis @ small
        weighted = np.asarray(assembly.mass @ vectors[i])
        if before is not None:
            overlaps[i - 1] = np.abs(before.conj().T @ vectors[i]) ** 2
        before = weighted
    return AssemblyModes(values, vectors, overlaps, bounds)


def _modes(now: AssembledInstant, count: int, largest: float) -> tuple[ComplexArray, ComplexArray, Array]:
    """Eigenvalues, M-normalised vectors (n, k) and bounds of one position."""
    M, C, K = now.mass, now.damping, (now.stiffness + now.stiffness.T) / 2
    kept = min(count + 2, len(K))
    mu, phi = scipy.linalg.eigh(K, M, subset_by_index=[0, kept - 1])
    if now.symmetric:
        lam = np.sqrt(-mu[:count].astype(complex))
        return np.where(lam.imag < 0, -lam, lam), phi[:, :count].astype(complex), np.zeros(count)
    E = (now.stiffness - now.stiffness.T) / 2
    factor = scipy.linalg.lu_factor(K)
    basis = _orthonormal(M, np.hstack([phi, scipy.linalg.lu_solve(factor, np.hstack([C @ phi, E @ phi]))]))
    for _ in range(_ROUNDS):
        reduced = [basis.T @ A @ basis for A in (C, now.stiffness)]
        lam, small = companion_modes(reduced[0][None], reduced[1][None], count)
        vectors = basis @ small[0]
        residual = M @ vectors * lam[0] ** 2 + C @ vectors * lam[0] + now.stiffness @ vectors
        pulled = scipy.linalg.lu_solve(factor, residual)
        size = np.sqrt(np.abs(np.einsum("nk,nk->k", residual.conj(), pulled)))
        bounds = size / (2 * np.maximum(np.abs(lam[0]), 1e-3 * np.abs(lam[0]).max()))
        if bounds.max() <= largest or basis.shape[1] >= len(K):
            break
        basis = _orthonormal(M, np.hstack([basis, pulled.real, pulled.imag]))
    return lam[0], vectors, bounds


def _orthonormal(M: Array, vectors: Array) -> Array:
    """M-orthonormal basis of the columns, dependent ones left out."""
    upper = scipy.linalg.cholesky(M)
    columns = upper @ vectors
    columns = columns / np.linalg.norm(columns, axis=0).clip(np.finfo(float).tiny)
    q, r, _ = scipy.linalg.qr(columns, mode="economic", pivoting=True)
    kept = np.abs(np.diag(r)) > 1e-10
    return np.asarray(scipy.linalg.solve_triangular(upper, q[:, kept]))


@dataclass(frozen=True, eq=False)
class AssemblyMotion:
    """Coordinates of all bodies side by side, in their own frames, at the instants of the mechanism's motion."""

    displacements: Array  # (T, q)
    rates: Array  # (T, q)
    accelerations: Array  # (T, q)
    multipliers: Array  # λ of the elastic motion alone: (T, rows)


def assembly_motion(
    assembly: ElasticAssembly, *, spectral_radius: float = 0.8, quasi_static: bool = False
) -> AssemblyMotion:
    """From the undeformed bodies at the first instant; steps are those of the motion, which must be equal.

    `quasi_static` leaves out inertia and damping of the deformation: the shape follows the loads at once.
    """
    times = assembly.motion.times
    if quasi_static:
        return _follow(assembly)
    steps = np.diff(times)
    if len(times) < 2 or np.ptp(steps) > 1e-6 * steps.mean():
        raise InputError("the instants of a response must be evenly spaced; give equal steps", field="steps")
    h, method = float(steps.mean()), AlphaMethod(spectral_radius)
    if spectral_radius >= 1:
        raise InputError(
            "joined bodies need some numerical damping; give a spectral radius below 1", field="spectral_radius"
        )
    M = assembly.mass.toarray()
    T, size, rows = len(times), assembly.size, assembly.constraints.shape[1]
    q, v, a, lam = (np.zeros((T, n)) for n in (size, size, size, rows))
    a[0], lam[0] = _start(assembly, M)
    auxiliary = a[0].copy()
    am, af = method.inertia_weight, method.force_weight
    for i in range(1, T):
        C, K, f = assembly.blocks(i)
        A = assembly.constraints[i]
        # (1 − α_m) â' + α_m â = (1 − α_f) a' + α_f a  makes â' = known + gain a'
        gain = (1 - af) / (1 - am)
        known = (af * a[i - 1] - am * auxiliary) / (1 - am)
        u0 = q[i - 1] + h * v[i - 1] + h**2 * ((0.5 - method.beta) * auxiliary + method.beta * known)
        v0 = v[i - 1] + h * ((1 - method.gamma) * auxiliary + method.gamma * known)
        bu, bv = h**2 * method.beta * gain, h * method.gamma * gain
        system = M + bv * C + bu * K
        a[i], lam[i] = _constrain(system, A, f - C @ v0 - K @ u0, -A @ u0 / bu)
        auxiliary = known + gain * a[i]
        q[i], v[i] = u0 + bu * a[i], v0 + bv * a[i]
    return AssemblyMotion(q, v, a, lam)


def _follow(assembly: ElasticAssembly) -> AssemblyMotion:
    """Equilibrium in every position under the loads of the rigid motion."""
    T, size = len(assembly.motion.times), assembly.size
    q, lam = np.zeros((T, size)), np.zeros((T, assembly.constraints.shape[1]))
    nothing = np.zeros(size)
    for i in range(T):
        now = assembly.at(i)
        q[i] = now.basis @ np.linalg.solve(now.stiffness, now.load)
        lam[i] = assembly.multipliers(i, nothing, nothing, q[i])
    return AssemblyMotion(q, np.zeros_like(q), np.zeros_like(q), lam)


def _start(assembly: ElasticAssembly, M: Array) -> tuple[Array, Array]:
    """Accelerations and multipliers of undeformed bodies that are at rest in their frames."""
    _, _, f = assembly.blocks(0)
    return _constrain(M, assembly.constraints[0], f, np.zeros(assembly.constraints.shape[1]))


def _constrain(matrix: Array, A: Array, force: Array, target: Array) -> tuple[Array, Array]:
    """x and λ of  matrix x = force + Aᵀλ,  A x = target; redundant rows share their λ."""
    factor = scipy.linalg.lu_factor(matrix)
    free, pulled = scipy.linalg.lu_solve(factor, force), scipy.linalg.lu_solve(factor, A.T)
    scale = np.sqrt(np.abs(np.diag(A @ pulled)).clip(np.finfo(float).tiny))
    compliance = (A @ pulled) / np.outer(scale, scale)
    lam = np.linalg.lstsq(compliance, (target - A @ free) / scale, rcond=1e-9)[0] / scale
    return np.asarray(free + pulled @ lam), np.asarray(lam)
