"""Eigenvalues of the frozen equations at all instants of a cycle, (λ²M + λC(t) + K(t)) φ = 0.

Modes of a few instants span a basis; on it the small problems of all instants are solved together. Residuals of
the full problem say which instants the basis misses: their modes are added until the bound on the frequencies is
met.

On the basis the symmetric part of K is diagonalised first. Coriolis, Euler and damping terms are then usually
small against the differences of the frequencies and an iteration without any matrix factorisation finds the
eigenpairs; where it does not converge the companion matrix is solved.
"""

from dataclasses import dataclass

import numpy as np
import scipy.linalg

from flexframe.equations.cycle import CycleEquations
from flexframe.equations.parts import DAMPING, STIFFNESS
from flexframe.errors import AnalysisError, InputError
from flexframe.maths.arrays import Array, BoolArray, ComplexArray, IntArray
from flexframe.maths.eigenproblems import symmetric_modes
from flexframe.maths.factorisation import factorise
from flexframe.maths.quadratic_eigenproblems import quadratic_modes


def too_many_modes(count: int, unknowns: int) -> InputError:
    """The refusal of a number of modes that a model with so many unknowns does not have."""
    if not unknowns:
        return InputError(
            "supports and joints hold everything, so that nothing can vibrate; free a degree of freedom, or "
            "divide a body into more elements",
            field="count",
        )
    return InputError(
        f"{count} modes of a model with {unknowns} unknowns are not possible; ask for 1 to {unknowns}",
        field="count",
    )


_CHUNK = 400  # instants solved together
_SCOUTS = 48  # instants on which the basis is completed before all of them are solved
_ROUNDS = 12
_ITERATIONS = 30
_CONVERGED = 1e-9  # of the shapes; eigenvalues are better by the coupling of the modes
_DENSE = 600  # coordinates up to which the mass is factorised densely
_CHECKED_INSTANTS = 1000  # residuals change as smoothly as the motion: of more instants an even choice is checked
_CHECKED = 4_000_000  # numbers of residual vectors formed at a time


@dataclass(frozen=True, eq=False)
class CycleModes:
    """Eigenpairs at all instants, by ascending |λ|; of a conjugate pair that with Im λ > 0.

    `bounds` are |r| / 2|λ| with r the residual of the full problem (in the norm of K⁻¹ at rest, |φ|_M = 1): with
    symmetric K some frequency is as near as that, relatively. The error itself is of second order, 2 × bound², as
    long as the frequencies of what the basis misses are well above.
    """

    eigenvalues: ComplexArray  # (T, k)
    vectors: ComplexArray  # on the basis, M-normalised: (T, r, k)
    basis: Array  # (n, r)
    bounds: Array  # at the checked instants: (checked, k)
    checked: IntArray  # numbers of the instants whose residuals were formed
    snapshots: tuple[int, ...]
    directly: int  # instants whose companion matrix was solved

    @property
    def largest_bound(self) -> float:
        """Of all checked instants and modes."""
        return float(self.bounds.max(initial=0.0))

    @property
    def error_estimate(self) -> float:
        """Largest relative error of a frequency that the basis may cause, 2 × bound²."""
        return 2 * self.largest_bound**2


def cycle_modes(equations: CycleEquations, count: int, *, tolerance: float = 1e-8) -> CycleModes:
    """The `count` lowest modes at every instant, their estimated relative error below the tolerance."""
    if not 1 <= count <= equations.size:
        raise too_many_modes(count, equations.size)
    T = len(equations.times)
    scouts = np.unique(np.linspace(0, T - 1, min(T, _SCOUTS)).astype(np.int64))
    extremes = np.concatenate([np.argmax(equations.amounts, axis=0), np.argmin(equations.amounts, axis=0)])
    scouts = np.union1d(scouts, extremes.astype(np.int64))
    dual = _DualNorm(equations)
    snapshots: list[int] = []
    basis = _start(equations, count)
    chosen, largest = scouts, float(np.sqrt(tolerance / 2))
    for _ in range(_ROUNDS * 2):
        reduced = equations.project(basis)
        values, vectors, directly = _solve(reduced, chosen, count)
        instants, bounds = _bounds(dual, basis, chosen, values, vectors)
        worst = int(instants[np.argmax(bounds.max(axis=1))])
        if bounds.max() <= largest or basis.shape[1] == equations.size or worst in snapshots:
            if len(chosen) == T:
                found = np.searchsorted(chosen, instants)
                return CycleModes(values, vectors, basis, bounds, found, tuple(snapshots), directly)
            chosen = np.arange(T)
            continue
        snapshots.append(worst)
        basis = _enrich(equations, basis, _full(equations, worst, count), 0.5 * largest)
    raise AnalysisError(
        f"no basis was found for the modes of all {T} instants (bound {bounds.max():.1e}); ask for fewer modes"
    )


# --- basis ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _DualNorm:
    """The norm of K⁻¹, K the stiffness at rest."""

    equations: CycleEquations

    def of(self, vectors: ComplexArray) -> Array:
        """√(rᴴK⁻¹r) of each column."""
        K = self.equations.stiffness
        both = np.hstack([vectors.real, vectors.imag])
        if self.equations.size <= _DENSE:
            half = scipy.linalg.inv(scipy.linalg.cholesky(K.toarray(), lower=True))
            squares = ((half @ both) ** 2).sum(axis=0)
        else:
            with factorise(K, "spd") as factors:
                squares = np.einsum("nk,nk->k", both, factors.solve(both))
        count = vectors.shape[1]
        return np.asarray(np.sqrt(np.maximum(squares[:count] + squares[count:], 0.0)))


def _start(equations: CycleEquations, count: int) -> Array:
    """Modes of the link at rest."""
    more = min(equations.size, count + 2)
    return symmetric_modes(equations.stiffness, equations.mass, more, confirm=False).vectors


def _full(equations: CycleEquations, instant: int, count: int) -> Array:
    """Real and imaginary parts of the modes of one instant, with the whole model."""
    C, K = (equations.matrix_at(order, instant) for order in (DAMPING, STIFFNESS))
    found = quadratic_modes(equations.mass, C, K, count)
    vectors = found.vectors[:, :count]
    return np.hstack([vectors.real, vectors.imag])


def _enrich(equations: CycleEquations, basis: Array, more: Array, smallest: float) -> Array:
    """An M-orthonormal basis of both; what is new by less than `smallest` of its energy norm is left out."""
    M, K = equations.mass, equations.stiffness
    energy = np.einsum("nk,nk->k", more, np.asarray(K @ more))
    rest = more / np.sqrt(np.maximum(energy, 1e-6 * energy.max()))
    for _ in range(2):
        rest = rest - basis @ (basis.T @ np.asarray(M @ rest))
    values, vectors = np.linalg.eigh(rest.T @ np.asarray(K @ rest))
    added = rest @ (vectors[:, values > smallest**2] / np.sqrt(values[values > smallest**2]))
    for _ in range(2):
        added = added - basis @ (basis.T @ np.asarray(M @ added))
        added = added @ np.linalg.inv(np.linalg.cholesky(added.T @ np.asarray(M @ added))).T
    return np.hstack([basis, added])


def _bounds(
    dual: _DualNorm, basis: Array, instants: IntArray, values: ComplexArray, vectors: ComplexArray
) -> tuple[IntArray, Array]:
    """Residual bounds of all instants, or of an even choice where there are many or the model is large."""
    equations = dual.equations
    size, count = equations.size, values.shape[1]
    room = max(1, min(_CHECKED_INSTANTS, 25 * _CHECKED // (size * count)))
    places = np.unique(np.linspace(0, len(instants) - 1, min(len(instants), room)).astype(np.int64))
    step = max(1, min(_CHUNK, _CHECKED // (size * count)))
    moved = CycleEquations(equations.equations.images(basis), equations.points, equations.times)
    M = np.asarray(equations.mass @ basis)
    out = []
    for start in range(0, len(places), step):
        some = places[start : start + step]
        lam, y = values[some][:, None], vectors[some]
        C, S = moved.damping_at(instants[some]), moved.stiffness_at(instants[some])
        matrices = np.concatenate([np.broadcast_to(M, S.shape), np.broadcast_to(C, S.shape), S], axis=2)
        residual = _apply(matrices, np.concatenate([lam**2 * y, lam * y, y], axis=1))
        lowest = np.maximum(np.abs(lam[:, 0]), 1e-3 * np.abs(lam).max())
        columns = np.moveaxis(residual, 1, 0).reshape(size, -1)
        out.append(dual.of(columns).reshape(lowest.shape) / (2 * lowest))
    return instants[places], np.concatenate(out)


def _apply(matrices: Array, vectors: ComplexArray) -> ComplexArray:
    """Real matrices times complex columns, without making the matrices complex."""
    count = vectors.shape[-1]
    both = matrices @ np.concatenate([vectors.real, vectors.imag], axis=-1)
    return np.asarray(both[..., :count] + 1j * both[..., count:])


# --- small problems of all instants --------------------------------------------------------------------------


def _solve(
    reduced: CycleEquations[Array], instants: IntArray, count: int
) -> tuple[ComplexArray, ComplexArray, int]:
    """Eigenvalues (t, k), vectors (t, r, k) of unit length, and how many instants needed the companion matrix."""
    values, vectors, directly = [], [], 0
    for start in range(0, len(instants), _CHUNK):
        some = instants[start : start + _CHUNK]
        C, K = reduced.damping_at(some), reduced.stiffness_at(some)
        lam, x, done = _iterate(C, K, count)
        if not done.all():
            lam[~done], x[~done] = companion_modes(C[~done], K[~done], count)
            directly += int((~done).sum())
        values.append(lam)
        vectors.append(x)
    return np.concatenate(values), np.concatenate(vectors), directly


def _iterate(C: Array, K: Array, count: int) -> tuple[ComplexArray, ComplexArray, BoolArray]:
    """Eigenpairs that continue those of the symmetric stiffness, M = 1; the last array says where they are found.

    With x_k = 1 the rows j ≠ k give x_j and row k gives λ, over and over.
    """
    mu, phi = np.linalg.eigh(0.5 * (K + np.swapaxes(K, 1, 2)))
    lam: ComplexArray = np.sqrt(-mu[:, :count].astype(complex))
    lam = np.where(lam.imag < 0, -lam, lam)
    turned = np.swapaxes(phi, 1, 2)
    G, E = turned @ C @ phi, turned @ (0.5 * (K - np.swapaxes(K, 1, 2))) @ phi
    if not (G.any() or E.any()):
        return lam, phi[:, :, :count].astype(complex), np.ones(len(K), dtype=bool)
    wanted = np.arange(count)
    diagonal_G, diagonal_E = np.einsum("tjj->tj", G), np.einsum("tjj->tj", E)
    x = np.zeros((*phi.shape[:2], count), dtype=complex)
    x[:, wanted, wanted] = 1.0
    done, lost = np.zeros(len(K), dtype=bool), np.zeros(len(K), dtype=bool)
    both = np.concatenate([G, E], axis=1).astype(complex)
    size = G.shape[1]
    for _ in range(_ITERATIONS):
        products = both @ x
        Gx, Ex = products[:, :size], products[:, size:]
        # row k: λ² + λ (Gx)_k + μ_k + (Ex)_k = 0
        b, c = Gx[:, wanted, wanted], mu[:, :count] + Ex[:, wanted, wanted]
        root = np.sqrt(b**2 / 4 - c)
        lam = -b / 2 + np.where((root * lam.conj()).real < 0, -root, root)
        own = lam[:, None] * diagonal_G[:, :, None] + diagonal_E[:, :, None]
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            new = -(lam[:, None] * Gx + Ex - own * x) / (lam[:, None] ** 2 + mu[:, :, None] + own)
        new[:, wanted, wanted] = 1.0
        # where others come to weigh more than mode k itself this is not the way
        lost |= ~(_largest(new) <= 1.5)
        new[lost] = x[lost]
        done = _largest(new - x) < _CONVERGED
        x = new
        if (done | lost).all():
            break
    done = done & ~lost & _is_ordered(lam)
    vectors = np.asarray(phi @ x)
    return lam, vectors / np.linalg.norm(vectors, axis=1, keepdims=True), done


def _largest(x: ComplexArray) -> Array:
    """Largest |x| of each instant: (t,)."""
    return np.asarray(np.sqrt((x.real**2 + x.imag**2).max(axis=(1, 2))))


def _is_ordered(lam: ComplexArray) -> BoolArray:
    """Instants whose eigenvalues are in ascending order; others may have lost a mode beyond the last one."""
    size = np.abs(lam)
    return np.asarray((np.diff(size, axis=1) >= -1e-9 * size[:, -1:]).all(axis=1), dtype=bool)


def companion_modes(C: Array, K: Array, count: int) -> tuple[ComplexArray, ComplexArray]:
    """The lowest eigenpairs of λ² + λC + K of several instants: (t, k), (t, r, k)."""
    t, r = K.shape[:2]
    scale = np.sqrt(np.linalg.norm(K, axis=(1, 2)) / r)[:, None, None]
    top = np.concatenate([np.zeros_like(K), np.broadcast_to(np.eye(r), K.shape)], axis=2)
    A = np.concatenate([top, np.concatenate([-K / scale**2, -C / scale], axis=2)], axis=1)
    values, vectors = np.linalg.eig(A)
    values = values * scale[:, 0]
    chosen = np.empty((t, count), dtype=np.int64)
    for i in range(t):
        chosen[i] = _one_of_each_pair(values[i])[:count]
    values = np.take_along_axis(values, chosen, axis=1)
    vectors = np.take_along_axis(vectors[:, :r], chosen[:, None, :], axis=2)
    return values, vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def _one_of_each_pair(values: ComplexArray) -> IntArray:
    """Im λ > 0 of the pairs; real ones count one for two: of ±λ the growing one, of two decaying the slower."""
    size = np.abs(values)
    level = 1e-9 * np.sort(size)[len(size) // 2]
    pairs = np.flatnonzero(values.imag > level)
    real = np.flatnonzero(np.abs(values.imag) <= level)
    real = real[np.argsort(-values[real].real)][: len(values) // 2 - len(pairs)]
    both = np.concatenate([pairs, real])
    return both[np.argsort(size[both], kind="stable")]
