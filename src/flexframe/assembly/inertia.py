"""Inertia invariants of a body: integrals of ρ, ρx, ρN, ρxN, ρNN that do not depend on the motion.

With A a 3×3 matrix, every inertia matrix of the moving frame is one contraction of the same integrals,

    ∫ρ NᵀAN = Σ A_ab Y_ab,   ∫ρ NᵀAx = Σ A_ab X_ba,   ∫ρ Nᵀa = M_Oᵀ a,

with A = 1 for the mass, W for Coriolis, E for Euler and W² for centrifugal terms.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse

from flexframe.assembly.attachments import PointBodies
from flexframe.assembly.dofs import DofMap
from flexframe.assembly.pattern import NodePattern, assembled, expand_scalar
from flexframe.elements.contract import ElementBatch, is_interpolated
from flexframe.elements.integration import inertia_points, scalar_mass
from flexframe.errors import AnalysisError
from flexframe.maths.arrays import Array, ComplexArray, IntArray, SparseMatrix

CYCLIC = ((0, 1, 2), (1, 2, 0), (2, 0, 1))


@dataclass(frozen=True, eq=False)
class InertiaInvariants:
    """Motion-free inertia integrals in body axes; x is measured from the frame origin."""

    mass: float  # m
    first_moment: Array  # S_k = ∫ρ x_k: (3,)
    second_moment: Array  # J_km = ∫ρ x_k x_m: (3, 3)
    origin_coupling: Array  # M_O = ∫ρ N: (3, p)
    position_coupling: Array  # X_km = ∫ρ x_k N_m: (3, 3, p)
    scalar: SparseMatrix  # m_s = ∫ρ φ_a φ_b of the interpolated elements: (nodes, nodes)
    full: tuple[tuple[SparseMatrix, ...], ...] | None  # Y_ab of the structural elements, (3, 3) of (p, p)
    dofs: DofMap
    placed: bool = True  # whether positions are known; without them only what does not need x is defined

    def contraction(self, factor: Array) -> SparseMatrix:
        """Σ A_ab Y_ab = ∫ρ NᵀAN: (p, p)."""
        columns = displacement_columns(self.dofs)
        matrix = expand_scalar(self.scalar, factor[np.ix_(columns, columns)], self.dofs, columns)
        if self.full is not None:
            for a in range(3):
                for b in range(3):
                    if factor[a, b]:
                        matrix = matrix + factor[a, b] * self.full[a][b]
        return sparse.csr_array(matrix)

    def axis_energies(self, fields: ComplexArray) -> Array:
        """φᴴ Y_kk φ of each column φ of (p, modes), twice its kinetic energy along x, y, z: (modes, 3)."""
        found = np.zeros((fields.shape[1], 3))
        for k, numbers in enumerate(self.dofs.numbers[:, :3].T):
            along = np.where((numbers >= 0)[:, None], fields[numbers], 0.0)
            found[:, k] = _products(along, self.scalar)
            if self.full is not None:
                found[:, k] += _products(fields, self.full[k][k])
        return found

    def mass_matrix(self) -> SparseMatrix:
        """m = ΣY_kk."""
        return self.contraction(np.eye(3))

    def position_load(self, factor: Array) -> Array:
        """Σ A_ab X_ba = ∫ρ NᵀAx: (p,)."""
        if not self.placed:
            raise AnalysisError(
                "the positions of the nodes are not known, which a turning frame needs; give their coordinates"
            )
        return np.einsum("ab,bap->p", factor, self.position_coupling)

    def origin_load(self, acceleration: Array) -> Array:
        """M_Oᵀ a = ∫ρ Nᵀa: (p,)."""
        return acceleration @ self.origin_coupling

    @property
    def centre_of_mass(self) -> Array:
        """S / m."""
        return self.first_moment / self.mass

    @property
    def inertia_tensor(self) -> Array:
        """I = tr J 1 − J about the frame origin."""
        return np.trace(self.second_moment) * np.eye(3) - self.second_moment

    def coriolis_invariant(self, axis: int) -> SparseMatrix:
        """C_a = Y_cb − Y_bc, with (a, b, c) cyclic."""
        _, b, c = CYCLIC[axis]
        factor = np.zeros((3, 3))
        factor[c, b], factor[b, c] = 1, -1
        return self.contraction(factor)

    def euler_load_invariant(self, axis: int) -> Array:
        """d_a = ∫ρ (x × N)_a."""
        return self.position_load(euler_factor(axis))

    def centrifugal_load_invariant(self, first: int, second: int) -> Array:
        """e_ab = ½(X_ab + X_ba) − δ_ab ΣX_kk."""
        return self.position_load(centrifugal_factor(first, second))


def _products(fields: ComplexArray, matrix: SparseMatrix) -> Array:
    """φᴴ A φ of each column φ, real for a symmetric A."""
    return np.einsum("pm,pm->m", fields.conj(), np.asarray(matrix @ fields)).real


def euler_factor(axis: int) -> Array:
    """∂E/∂ε_a: the skew matrix of a unit vector."""
    _, b, c = CYCLIC[axis]
    factor = np.zeros((3, 3))
    factor[c, b], factor[b, c] = 1.0, -1.0
    return factor


def centrifugal_factor(first: int, second: int) -> Array:
    """F_ab with W² = Σ ω_a ω_b F_ab: ½(e_a e_bᵀ + e_b e_aᵀ) − δ_ab 1."""
    factor = np.zeros((3, 3))
    factor[first, second] += 0.5
    factor[second, first] += 0.5
    return factor - (first == second) * np.eye(3)


def displacement_columns(dofs: DofMap) -> IntArray:
    """Which of ux, uy, uz occur in the body."""
    return np.flatnonzero((dofs.numbers[:, :3] >= 0).any(axis=0))


def integrate_inertia(
    batches: Sequence[ElementBatch],
    dofs: DofMap,
    pattern: NodePattern,
    *,
    points: Array,
    lumped: Array,
    attached: PointBodies | None = None,
    placed: bool = True,
) -> InertiaInvariants:
    """Integrate all inertia invariants once; `lumped` is the point mass of each node: (nodes,).

    `placed` is whether the positions of the nodes are known.
    """
    data = pattern.zeros()
    Y = [[sparse.csr_array((dofs.count, dofs.count), dtype=float) for _ in range(3)] for _ in range(3)]
    mass, first, second = 0.0, np.zeros(3), np.zeros((3, 3))
    M_O, X = np.zeros((3, dofs.count)), np.zeros((3, 3, dofs.count))
    particles = [] if attached is None else [(attached.fields, attached.numbers)]
    for batch in batches:
        if is_interpolated(batch.family):
            for part in batch.pieces():
                pattern.add(part.nodes, scalar_mass(batch.family, part), data)
        else:
            particles.append((inertia_points(batch), dofs.of_elements(batch)))
    for samples, numbers in particles:
        w, x, N = samples.weights, samples.positions, samples.shape
        mass += float(w.sum())
        first += np.einsum("eg,egk->k", w, x)
        second += np.einsum("eg,egk,egm->km", w, x, x)
        element_M_O = np.einsum("eg,egkp->kep", w, N)
        element_X = np.einsum("eg,egk,egmp->kmep", w, x, N, optimize=True)
        kept = numbers >= 0
        for k in range(3):
            np.add.at(M_O[k], numbers[kept], element_M_O[k][kept])
            for n in range(3):
                np.add.at(X[k, n], numbers[kept], element_X[k, n][kept])
            for n in range(k + 1):
                blocks = np.matmul((w[..., None] * N[:, :, k]).swapaxes(1, 2), N[:, :, n])
                Y[k][n] = Y[k][n] + assembled(blocks, numbers, dofs.count)
    for k, n in ((0, 1), (0, 2), (1, 2)):
        Y[k][n] = sparse.csr_array(Y[n][k].T)  # Y_kn = Y_nkᵀ
    m_s = pattern.scalar(data) + sparse.diags_array(lumped, format="csr")
    made = InertiaInvariants(
        mass=mass,
        first_moment=first,
        second_moment=(second + second.T) / 2,
        origin_coupling=M_O,
        position_coupling=X,
        scalar=sparse.csr_array(m_s.shape, dtype=float),
        full=tuple(tuple(row) for row in Y) if particles else None,
        dofs=dofs,
        placed=placed,
    )
    return with_scalar(made, sparse.csr_array(m_s), points)


def with_scalar(base: InertiaInvariants, scalar: SparseMatrix, points: Array) -> InertiaInvariants:
    """The invariants of a body with m_s more: x = Σ φ_a x_a, so they are products with the nodal coordinates."""
    weight_of_node = scalar @ np.ones(len(points))
    moments = scalar @ points
    M_O, X = base.origin_coupling.copy(), base.position_coupling.copy()
    for n in range(3):
        numbered = base.dofs.numbers[:, n] >= 0
        equations = base.dofs.numbers[numbered, n]
        M_O[n, equations] += weight_of_node[numbered]
        for k in range(3):
            X[k, n, equations] += moments[numbered, k]
    second = base.second_moment + points.T @ moments
    return replace(
        base,
        mass=base.mass + float(weight_of_node.sum()),
        first_moment=base.first_moment + weight_of_node @ points,
        second_moment=(second + second.T) / 2,
        origin_coupling=M_O,
        position_coupling=X,
        scalar=sparse.csr_array(base.scalar + scalar),
    )
