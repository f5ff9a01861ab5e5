"""The lowest modes of K φ = λ M φ in substructures, each eigenvalue between proved bounds.

Multilevel Craig–Bampton gives a first space; a few solves with the whole matrices, by parts, refine it. Ritz
values on K and M themselves are bounds from above. With A = K⁻¹M, self-adjoint in the inner product of K, and ρ
that has exactly k eigenvalues below it, which a count by parts proves, bounds from below are those of Lehmann: for
ν = 1/ρ and a space S the positive eigenvalues τ₁ ≥ τ₂ ≥ … of

    (SᵀMS − ν SᵀKS) y = τ (SᵀM A S − 2ν SᵀMS + ν² SᵀKS) y     give     1/λ_(k+1−i) ≤ ν + 1/τ_i ,

because they are Ritz values of (A − ν)⁻¹ on (A − ν)S. Errors of both bounds are squares of those of the vectors
(Lehmann 1949; Parlett, The Symmetric Eigenvalue Problem, 10). What rounding may do to xᵀKx is added to both.
"""

from dataclasses import dataclass

import numpy as np
from scipy import linalg

from flexframe.errors import AnalysisError, InputError
from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.maths.eigen_residuals import (
    ROUNDINGS,
    SEED,
    check_count,
    energy_rounding,
    relative_residuals,
    rounding_floor,
    with_largest_entry_positive,
)
from flexframe.maths.eigenproblems import SymmetricModes, diagonal_ratio, mass_orthonormal
from flexframe.maths.matrix_products import product, shifted
from flexframe.maths.multilevel.division import usual_parts
from flexframe.maths.multilevel.memory import require_room
from flexframe.maths.multilevel.model import DividedPencil, MultilevelModel, NotDefiniteError, divided_pencil
from flexframe.maths.multilevel.pool import Pool

TOLERANCE = 1e-8  # of an eigenvalue: the widest distance of its bounds that ends the refinement
_SPARE = 8  # modes beyond the wanted ones, to find a gap to count below
_KEPT = 12  # modes of a substructure beyond the wanted ones
_STEPS = 12
_SEARCHES = 3  # for modes that a count shows to be missing
_NEW = 1e-7  # part of a field, in the norm of K, that must be new for it to count
_DEPENDENT = 1e-11  # square of what one of several new unit fields must have of its own


def is_divisible(size: int, count: int) -> bool:
    """Whether there are enough unknowns to divide for so many modes."""
    return 4 * (count + _SPARE) <= size


def multilevel_modes(
    stiffness: SparseMatrix,
    mass: SparseMatrix,
    count: int,
    *,
    pool: Pool,
    parts: int | None = None,
    rigid_modes: Array | None = None,
    tolerance: float = TOLERANCE,
) -> SymmetricModes:
    """The lowest `count` modes of a symmetric K and M ≥ 0 in `parts` substructures, with their bounds.

    `rigid_modes` (n, r) are motions that K does not resist.
    """
    size = stiffness.shape[0]
    check_count(count, size)
    if not is_divisible(size, count):
        raise InputError(
            f"{size} unknowns are too few to divide for {count} modes; leave the substructures out",
            field="substructures",
        )
    pencil = divided_pencil(stiffness, mass, parts or usual_parts(size, pool.workers), pool)
    require_room(pencil, count)
    return pencil_modes(pencil, count, rigid_modes=rigid_modes, tolerance=tolerance)


def pencil_modes(
    pencil: DividedPencil, count: int, *, rigid_modes: Array | None = None, tolerance: float = TOLERANCE
) -> SymmetricModes:
    """The same of matrices that are divided already."""
    stiffness, mass, pool = pencil.stiffness, pencil.mass, pencil.pool
    rigid = np.empty((mass.shape[0], 0)) if rigid_modes is None else mass_orthonormal(rigid_modes, mass)
    shift, model = _definite_model(pencil, count, rigid)
    values, vectors, bounds, confirmed, steps = _Search(pencil, model, shift, rigid, count, tolerance).run()
    vectors = with_largest_entry_positive(vectors)
    residuals = relative_residuals(
        product(stiffness, vectors), -values * product(mass, vectors), floor=rounding_floor(stiffness, vectors)
    )
    separators = max((len(piece.own) for piece in pencil.division if piece.children), default=0)
    method = (
        f"multilevel Craig–Bampton with shift {shift:.3g}, {pencil.parts} substructures in {pencil.levels} "
        f"levels, interfaces up to {separators} unknowns, {steps} solves, {pool.name}"
    )
    return SymmetricModes(values, vectors, residuals, method, confirmed, bounds)


def _definite_model(pencil: DividedPencil, count: int, rigid: Array) -> tuple[float, MultilevelModel]:
    """K − shift·M reduced: shift zero for a definite K, else below the spectrum by part of the last eigenvalue."""
    kept = count + _KEPT
    if not rigid.shape[1]:
        try:
            return 0.0, pencil.condense(kept)
        except NotDefiniteError:
            pass
    tau, too_low = small_eigenvalue(pencil.stiffness, pencil.mass), 0.0
    for _ in range(12):
        moved = shifted(pencil.stiffness, pencil.mass, -tau)
        try:
            model = DividedPencil(moved, pencil.mass, pencil.division, pencil.pool).condense(kept)
        except NotDefiniteError:
            tau, too_low = 30.0 * tau, tau
            continue
        estimates = model.squares - tau
        last = float(np.abs(estimates[: count + _SPARE]).max(initial=0.0))  # of one that is not a rigid motion
        goal = max(0.05 * last, -1.5 * float(estimates.min(initial=0.0)))
        if 1e-3 * goal <= tau <= 3.0 * goal or tau < 4.0 * too_low:
            return -tau, model
        tau = max(goal, float(np.sqrt(tau * too_low)))
    raise AnalysisError(
        "no multiple of the mass makes the stiffness definite; check the model for parts with neither"
    )


def small_eigenvalue(stiffness: SparseMatrix, mass: SparseMatrix) -> float:
    """The order of the lowest eigenvalue of bending, 4 (t h)²/L⁴ of the local one.

    A chain of D neighbours through the body is its length, and N/D of its N points its section.
    """
    reached = np.zeros(stiffness.shape[0], dtype=bool)
    front = np.array([0])
    reached[0] = True
    depth = 1
    for _ in range(2):  # from an end that is as far away as any
        reached[:] = False
        reached[front[:1]] = True
        front, depth = front[:1], 1
        while True:
            near = np.unique(stiffness[front].indices)
            near = near[~reached[near]]
            if not len(near):
                break
            reached[near] = True
            front, depth = near, depth + 1
    points = stiffness.shape[0] / 3.0
    return diagonal_ratio(stiffness, mass) * min(4.0 * points / depth**5, 1e-2)


@dataclass(eq=False)
class _Search:
    """A space S, its image A S with A = (K − shift·M)⁻¹M, and what is known of the eigenvalues by now."""

    pencil: DividedPencil
    model: MultilevelModel
    shift: float
    rigid: Array
    count: int
    tolerance: float

    def __post_init__(self) -> None:
        self._definite = self.model.pencil.stiffness
        self._mass = self.pencil.mass
        size = self._mass.shape[0]
        self._wanted = min(self.count + _SPARE, len(self.model.squares), size)
        first = self.model.vectors(self._wanted)
        self._space = np.empty((size, 0))
        self._image = np.empty((size, 0))
        self.steps = 0
        self._extend(np.hstack([self.rigid, first]))

    def run(self) -> tuple[Array, Array, Array, bool | None, int]:
        """Eigenvalues and vectors, bounds, whether a count proves them, and how many solves were made."""
        known: _Count | None = None
        searches = 0
        while True:
            mu, turn = self._ritz()
            if known is None and (self._residuals(mu, turn)[: self.count] < 0.05).all():
                known = self._counted(mu)
                missing = 0 if known is None else known.below - known.expected
                if missing > 0 and searches < _SEARCHES:
                    searches += 1
                    known = None
                    self._restart(turn)
                    self._extend(self._random(missing + 4, searches))
                    continue
            bounds, rounding = self._bounds(mu, turn, known)
            width = bounds[:, 1] - bounds[:, 0] - rounding.sum(axis=1)
            size = np.maximum(np.abs(bounds).max(axis=1), -self.shift)
            tight = width <= np.maximum(self.tolerance * size, rounding.max(axis=1))
            hopeless = known is None and self.steps >= _STEPS // 2
            if tight.all() or hopeless or self.steps >= _STEPS:
                break
            self._restart(turn)
            before = self._space.shape[1]
            self._extend(self._image[:, : self._wanted])
            if self._space.shape[1] == before:  # nothing new: as good as rounding allows
                mu, turn = self._ritz()
                bounds, _ = self._bounds(mu, turn, known)
                break
        values = self.shift + 1.0 / mu[: self.count]
        # images lack what residuals amplify, the part of high frequency
        vectors = mass_orthonormal(self._image @ (turn[:, : self.count] / mu[: self.count]), self._mass)
        confirmed = None if known is None else known.below == known.expected
        return values, vectors, bounds, confirmed, self.steps

    def _random(self, columns: int, seed: int) -> Array:
        """Fields that have some of every mode, most of the lowest."""
        start = np.random.default_rng(SEED + seed).standard_normal((self._mass.shape[0], columns))
        return self.model.solve(product(self._mass, start))

    def _extend(self, columns: Array) -> None:
        """Take up what some columns have of their own, orthonormal in K − shift·M, with its image."""
        fresh = columns / _norms(self._definite, columns)
        fresh = fresh - self._space @ (self._space.T @ product(self._definite, fresh))
        size = _norms(self._definite, fresh)
        fresh = fresh[:, size > _NEW] / size[size > _NEW]
        for _ in range(2):
            fresh = fresh - self._space @ (self._space.T @ product(self._definite, fresh))
            gram = fresh.T @ product(self._definite, fresh)
            values, turn = linalg.eigh(0.5 * (gram + gram.T))
            kept = values > _DEPENDENT
            fresh = fresh @ (turn[:, kept] / np.sqrt(values[kept]))
        if not fresh.shape[1]:
            return
        image = self.model.solve(product(self._mass, fresh))
        self.steps += 1
        self._space, self._image = np.hstack([self._space, fresh]), np.hstack([self._image, image])

    def _restart(self, turn: Array) -> None:
        """The Ritz vectors that are wanted, and no more, as the space."""
        some = turn[:, : self._wanted + self.rigid.shape[1]]
        self._space, self._image = self._space @ some, self._image @ some

    def _ritz(self) -> tuple[Array, Array]:
        """μ = 1/(λ − shift), descending, and vectors with yᵀSᵀKSy = 1."""
        stiffness, mass = (self._space.T @ product(a, self._space) for a in (self._definite, self._mass))
        mu, turn = linalg.eigh(0.5 * (mass + mass.T), 0.5 * (stiffness + stiffness.T))
        mu, turn = mu[::-1], turn[:, ::-1]
        finite = int(np.count_nonzero(mu > len(mu) * np.finfo(float).eps * mu[0]))
        if finite < self.count:
            raise AnalysisError(f"only {finite} modes have a finite frequency; ask for no more, or add mass")
        return mu[:finite], turn[:, :finite]

    def _residuals(self, mu: Array, turn: Array) -> Array:
        """|A x − μ x| / μ in the norm of K."""
        return np.asarray(_norms(self._definite, self._left(mu, turn)) / mu)

    def _left(self, mu: Array, turn: Array) -> Array:
        """A x − μ x of the Ritz vectors x."""
        return np.asarray(self._image @ turn - (self._space @ turn) * mu)

    def _counted(self, mu: Array) -> "_Count | None":
        """The number of eigenvalues below the widest gap after the wanted ones."""
        values = self.shift + 1.0 / mu[: self.count + _SPARE]
        ahead = values[self.count - 1 :] - self.shift
        if len(ahead) < 2:
            return None
        last = self.count - 1 + int(np.argmax(ahead[1:] / ahead[:-1]))
        for share in (0.5, 0.4, 0.6, 0.3):
            value = float(values[last] + share * (values[last + 1] - values[last]))
            below = self.pencil.count_below(value)
            if below is not None:
                return _Count(value, below, last + 1)
        return None

    def _rounding(self, mu: Array, turn: Array) -> Array:
        """What rounding may do to λ = xᵀKx / xᵀMx: that of K x, and of LAPACK beside the largest μ."""
        x = self._space @ turn[:, : self.count]
        own = energy_rounding(self._definite, x) / np.einsum("ij,ij->j", x, product(self._mass, x))
        mu, many = mu[: self.count], np.sqrt(len(mu))
        return np.asarray(own + ROUNDINGS * np.finfo(float).eps * many * mu[0] / mu**2)

    def _bounds(self, mu: Array, turn: Array, known: "_Count | None") -> tuple[Array, Array]:
        """Lowest and highest possible value of each eigenvalue, and what rounding has of them: (count, 2)."""
        above, below = self.shift + 1.0 / mu[: self.count], np.full(self.count, np.nan)
        rounding = np.stack([self._rounding(mu, turn)] * 2, axis=1)
        if known is not None and known.below == known.expected <= len(mu):
            nu = 1.0 / (known.value - self.shift)
            below = self.shift + 1.0 / (nu + self._distances(mu, turn, nu, known.expected)[: self.count])
            # errors of the matrices count as often as μ is larger than its distance from ν, those of LAPACK as
            # often as it is larger than the smallest distance
            some = mu[: self.count]
            rounding[:, 0] *= 1.0 + some / (some - nu)
            nearest = mu[known.expected - 1] - nu
            rounding[:, 0] += ROUNDINGS * np.finfo(float).eps * np.sqrt(len(mu)) / nearest
        bounds = np.stack([np.minimum(below, above), above], axis=1) + rounding * [-1.0, 1.0]
        return bounds, rounding

    def _distances(self, mu: Array, turn: Array, nu: float, count: int) -> Array:
        """1/τ of the `count` largest τ, those of the largest μ first; NaN where one is not positive.

        On Ritz vectors the two matrices are D = μ − ν and D² + R, R the products of residuals A x − μ x in K.
        """
        left = self._left(mu, turn)
        size = 1.0 / np.abs(mu - nu)
        R = size[:, None] * (left.T @ product(self._definite, left)) * size
        tau = linalg.eigh(np.diag(np.sign(mu - nu) * size), np.eye(len(mu)) + 0.5 * (R + R.T), eigvals_only=True)
        return np.asarray(1.0 / np.where(tau > 0.0, tau, np.nan)[-count:])


def _norms(matrix: SparseMatrix, columns: Array) -> Array:
    """√(xᵀAx) of each column, with no zero among them."""
    squares = np.einsum("ij,ij->j", columns, product(matrix, columns))
    return np.asarray(np.sqrt(np.maximum(squares, np.finfo(float).tiny)))


@dataclass(frozen=True)
class _Count:
    """So many eigenvalues below a value, and how many were found there."""

    value: float
    below: int
    expected: int
