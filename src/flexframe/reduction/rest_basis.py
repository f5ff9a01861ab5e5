"""The basis of modes at rest and static shapes, for every use.

    δ = V y,   V = [Φ  Ψ],   K Φ = M Φ Λ,   Ψ: what static answers K⁻¹f have beside Φ,   VᵀMV = 1 .

Modes carry the vibration; static shapes let loads be answered exactly at rest, which few modes alone would not.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import linalg

from flexframe.assembly.discrete import DiscreteBody
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.maths.block_lanczos import Operator, largest_pairs
from flexframe.maths.eigen_residuals import SEED
from flexframe.maths.eigenproblems import symmetric_modes
from flexframe.maths.factorisation import Factorisation, factorise

MODES = 12
_WHOLE, _LOADED_MODES = 40, 20  # unknowns up to which nothing is left out beside loads, and modes beyond that
_DEPENDENT = 1e-12  # square of what a unit field must have of its own


@dataclass(frozen=True, eq=False)
class RestBasis:
    """M-orthonormal columns: the lowest modes at rest, and static shapes after them."""

    vectors: Array  # V: (n, r)
    frequencies: Array  # of the modes, rad/s: (k,)
    description: str

    @property
    def size(self) -> int:
        """Number of columns r."""
        return int(self.vectors.shape[1])

    def with_static_shapes(self, answers: Array, mass: SparseMatrix, words: str) -> "RestBasis":
        """The basis with what static answers (n, k) have of their own; `words` name them, {count} how many."""
        added = orthonormal(answers, mass, (self.vectors,))
        if not added.shape[1]:
            return self
        description = f"{self.description} and {words.format(count=added.shape[1])}"
        return replace(self, vectors=np.hstack([self.vectors, added]), description=description)

    def diagonal(self, stiffness: SparseMatrix, mass: SparseMatrix) -> "RestBasis":
        """The same space in modes of the projected problem, so that VᵀKV is diagonal."""
        V = self.vectors
        _, turn = linalg.eigh(V.T @ np.asarray(stiffness @ V), V.T @ np.asarray(mass @ V))
        return replace(self, vectors=V @ turn)


def rest_basis(
    stiffness: SparseMatrix, mass: SparseMatrix, count: int | None, *, rigid: Array | None = None
) -> RestBasis:
    """The lowest modes of K φ = ω²M φ, `rigid` motions (n, r) that K does not resist among them."""
    n = mass.shape[0]
    if count is not None and count < 1:
        raise InputError(f"the number of modes is {count}; give at least one", field="modes")
    kept = min(MODES if count is None else count, n)
    known = rigid if rigid is not None and rigid.shape[1] else None
    if kept == n and known is None:
        squares, vectors = linalg.eigh(stiffness.toarray(), mass.toarray())
    else:
        found = symmetric_modes(stiffness, mass, kept, rigid_modes=known, confirm=False)
        squares, vectors = found.eigenvalues, found.vectors
    return RestBasis(np.asarray(vectors), np.sqrt(np.maximum(squares, 0.0)), f"{kept} lowest modes at rest")


def loaded_basis(stiffness: SparseMatrix, mass: SparseMatrix, loads: Array, count: int | None = None) -> RestBasis:
    """All coordinates of a small problem; else the lowest modes and the static shape of every load (n, k)."""
    n = mass.shape[0]
    if count is None:
        count = n if n <= _WHOLE else _LOADED_MODES
    basis = rest_basis(stiffness, mass, count)
    if basis.size == n:
        return replace(basis, description=f"all {n} unknowns")
    with factorise(stiffness, "spd") as factors:
        answers = factors.solve(loads)
    basis = basis.with_static_shapes(answers, mass, "{count} static shapes of the unit loads")
    return basis.diagonal(stiffness, mass)


def body_basis(discrete: DiscreteBody, modes: int, load: Array | None = None) -> RestBasis:
    """Modes at rest of a supported body at its nodes (p, r), and the static shape under a load (p,)."""
    supports = discrete.supports
    M, K = supports.reduce_matrix(discrete.mass), supports.reduce_matrix(discrete.stiffness)
    basis = rest_basis(K, M, modes, rigid=discrete.equilibrium.rigid)
    basis = replace(basis, vectors=supports.expand(basis.vectors))
    if load is None or not load.any() or basis.size == supports.size:
        return basis
    answer = discrete.equilibrium.solve(load).displacements
    return basis.with_static_shapes(answer, discrete.mass, "the static shape under all loads")


def static_coverage(discrete: DiscreteBody, basis: RestBasis, load: Array) -> float:
    """Share of the static strain energy under a load (p,) that a basis can hold; 1 without load."""
    solution = discrete.equilibrium.solve(load).displacements[:, 0]
    whole = float(solution @ np.asarray(discrete.stiffness @ solution))
    if not whole:
        return 1.0
    force = basis.vectors.T @ np.asarray(discrete.stiffness @ solution)
    reduced = basis.vectors.T @ np.asarray(discrete.stiffness @ basis.vectors)
    return float(force @ np.linalg.lstsq(reduced, force, rcond=None)[0]) / whole


def orthonormal(fields: Array, mass: SparseMatrix, beside: Sequence[Array] = ()) -> Array:
    """M-orthonormal columns of what fields (n, k) have of their own beside M-orthonormal bases: (n, ≤ k).

    The order is kept where the fields are independent; dependent and massless ones are left out.
    """
    sizes = np.sqrt(np.maximum(np.einsum("im,im->m", fields, np.asarray(mass @ fields)), 0.0))
    new = fields[:, sizes > 0] / sizes[sizes > 0]
    for _ in range(2):
        if not new.shape[1]:
            break
        for basis in beside:
            new = new - basis @ (basis.T @ np.asarray(mass @ new))
        gram = new.T @ np.asarray(mass @ new)
        values, turn = linalg.eigh((gram + gram.T) / 2)
        if values[0] > _DEPENDENT:
            factor = linalg.cholesky((gram + gram.T) / 2, lower=True)
            new = linalg.solve_triangular(factor, new.T, lower=True).T
        else:
            kept = values > _DEPENDENT
            new = new @ (turn[:, kept] / np.sqrt(values[kept]))
    return np.asarray(new)


# ---------------------------------------------------------------------- with factors that serve on


def rough_modes(factors: Factorisation, mass: SparseMatrix, count: int) -> tuple[Array, Array]:
    """ω² (k,) and modes at rest (n, k) by the factors of K: a good start, not necessarily complete."""
    inverse = Operator(factors.solve, mass, np.empty((mass.shape[0], 0)))
    theta, vectors = largest_pairs(inverse, 0, spare=count, seed=SEED)
    return 1 / theta, vectors
