"""Five ways to find u̇ from M u̇ = F + Aᵀλ and A u̇ + γ = 0; all of them allow rows that say the same.

Velocities are scaled so that the diagonal of M is one, and rows of A to unit length: metres, radians and elastic
coordinates are then comparable, and a rank is the same for all five.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy import linalg

from flexframe.errors import AnalysisError
from flexframe.formalisms.contract import BoundMotion
from flexframe.formalisms.work import Work
from flexframe.maths.arrays import Array
from flexframe.maths.null_spaces import coordinate_partition, null_space, particular_solution

SINGULAR = 1e-13  # eigenvalue of the scaled mass matrix below which there is no inertia
WELL = 1e-3  # eigenvalue of the scaled mass matrix above which it is used as it is
RANK = 1e-9  # singular value, relative, below which a row says what others say


@dataclass(frozen=True, eq=False)
class Scaled:
    """A problem in comparable units."""

    mass: Array  # (n, n), ones on the diagonal
    force: Array
    constraint: Array  # (rows, n), rows of unit length
    bias: Array
    unit: Array  # u̇ = unit · solution: (n,)

    def restored(self, accelerations: Array, joint_forces: Array | None = None) -> BoundMotion:
        """Back to the units of the system; without joint forces they are M u̇ − F."""
        forces = self.mass @ accelerations - self.force if joint_forces is None else joint_forces
        return BoundMotion(accelerations * self.unit, forces / self.unit)


def scaled(mass: Array, force: Array, constraint: Array, bias: Array) -> Scaled:
    """Bring a problem to comparable units."""
    diagonal = np.diagonal(mass)
    unit = 1 / np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
    rows = constraint * unit
    lengths = np.linalg.norm(rows, axis=1)
    lengths = np.where(lengths > 0, lengths, 1.0)
    return Scaled(mass * np.outer(unit, unit), force * unit, rows / lengths[:, None], bias / lengths, unit)


def with_multipliers(problem: Scaled, work: Work) -> BoundMotion:
    """One system for u̇ and λ; of rows that say the same, one is kept."""
    A, gamma = problem.constraint, problem.bias
    redundant = null_space(A, RANK).redundant_rows
    kept = np.setdiff1d(np.arange(len(A)), redundant)
    A, gamma = A[kept], gamma[kept]
    n, m = len(problem.force), len(kept)
    saddle = np.block([[problem.mass, -A.T], [A, np.zeros((m, m))]])
    solution = _solved(saddle, np.concatenate([problem.force, -gamma]), work)
    return problem.restored(solution[:n], A.T @ solution[n:])


def least_constraint(problem: Scaled, work: Work) -> BoundMotion:
    """The smallest ½|Lᵀ(u̇ − a)|² that obeys the constraints, with M = LLᵀ and a = M⁻¹F (Gauss)."""
    n = len(problem.force)
    count(work, n**3 // 6)
    definite, L = with_factor(problem)
    free = linalg.cho_solve((L, True), definite.force)
    A = linalg.solve_triangular(L, problem.constraint.T, lower=True).T  # A L⁻ᵀ
    count(work, n * n * (2 + len(A)))
    if not len(A):
        return problem.restored(free, np.zeros(n))
    gap = -(problem.bias + problem.constraint @ free)
    moved = linalg.lstsq(A, gap, cond=RANK)[0]
    count(work, 4 * n * len(A) ** 2)
    found = free + linalg.solve_triangular(L, moved, lower=True, trans="T")
    return problem.restored(found, L @ moved)


def with_factor(problem: Scaled) -> tuple[Scaled, Array]:
    """A problem with the same solution whose mass matrix is definite, and L of M = LLᵀ.

    Where a body has (almost) no inertia of its own but is held, ½|A u̇ + γ|² is added to Gauss's function: it
    is zero for all accelerations that the constraints allow.
    """
    A = problem.constraint
    lowest = _lowest(problem.mass)
    chosen = problem
    if lowest < WELL and len(A):
        added = replace(problem, mass=problem.mass + A.T @ A, force=problem.force - A.T @ problem.bias)
        if _lowest(added.mass) > lowest:
            chosen, lowest = added, _lowest(added.mass)
    if not lowest > SINGULAR:
        raise AnalysisError(
            "a free motion has no inertia; give the bodies that move freely a mass and a moment of inertia"
        )
    return chosen, np.asarray(linalg.cholesky(chosen.mass, lower=True))


def _lowest(mass: Array) -> float:
    return float(linalg.eigvalsh(mass, subset_by_index=[0, 0])[0]) if len(mass) else 1.0


def allowed_motions(problem: Scaled, work: Work) -> tuple[Array, Array]:
    """Orthonormal B with A B = 0 and the shortest g with A g + γ = 0."""
    A, n = problem.constraint, len(problem.force)
    count(work, 4 * n * len(A) ** 2)
    return null_space(A, RANK).basis, particular_solution(A, problem.bias)


def independent_speeds(problem: Scaled, work: Work) -> tuple[Array, Array]:
    """B with the identity in the rows of the independent speeds, and g that leaves those alone."""
    A, n = problem.constraint, len(problem.force)
    split = coordinate_partition(A, RANK)
    g = np.zeros(n)
    if len(split.dependent):
        g[split.dependent] = linalg.lstsq(A[:, split.dependent], -problem.bias, cond=RANK)[0]
    count(work, 4 * n * len(A) ** 2)
    return split.basis, g


def projected(problem: Scaled, basis: Array, particular: Array, work: Work) -> BoundMotion:
    """BᵀM B ż = Bᵀ(F − M g), u̇ = B ż + g; the joint forces have no work in B and come back as M u̇ − F."""
    n, r = basis.shape
    small = basis.T @ problem.mass @ basis
    count(work, n * n * r + n * r * r)
    speeds = _solved(small, basis.T @ (problem.force - problem.mass @ particular), work)
    return problem.restored(basis @ speeds + particular)


def with_inverse_mass(inverse: Array, free: Array, constraint: Array, bias: Array, work: Work) -> BoundMotion:
    """u̇ = a + M⁻¹Aᵀλ with λ from the condition that A u̇ + γ stays zero (Dirac); the mass matrix is not used."""
    if not len(constraint):
        return BoundMotion(free, np.zeros_like(free))
    pull = inverse @ constraint.T
    coupling = constraint @ pull
    size = 1 / np.sqrt(np.diagonal(coupling))
    count(work, len(free) ** 2 * len(size) + len(free) * len(size) ** 2 + len(size) ** 3)
    found, forces = free, np.zeros_like(free)
    inner = np.linalg.pinv(coupling * np.outer(size, size), rcond=RANK, hermitian=True)
    for _ in range(2):  # the second time removes the round-off of the first
        multipliers = -size * (inner @ (size * (constraint @ found + bias)))
        found, forces = found + pull @ multipliers, forces + constraint.T @ multipliers
    return BoundMotion(found, forces)


def count(work: Work, operations: int) -> None:
    """Count so many multiplications and as many additions."""
    work.multiplications += operations
    work.additions += operations


def _solved(matrix: Array, right: Array, work: Work) -> Array:
    count(work, len(matrix) ** 3 // 3 + len(matrix) ** 2)
    if not len(matrix):
        return right
    try:
        return np.asarray(np.linalg.solve(matrix, right))
    except np.linalg.LinAlgError:
        raise AnalysisError(
            "the equations of motion are singular: a free motion has no inertia; give the bodies that move freely "
            "a mass and a moment of inertia"
        ) from None
