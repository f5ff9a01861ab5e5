"""Eigenvalues of projected equations at one speed, and the speeds at which an engine order meets a mode.

With λ = iω, C = G skew and K definite the quadratic problem is a Hermitian one in ν = 1/ω,

    [−iG  M; M  0] z = ν [K  0; 0  M] z,   z = (φ, ωφ),

whose answers are real and whose Rayleigh–Ritz values never lie below the frequencies that they approach. In
every other case the real linearisation (φ, λφ) is inverted about a shift, so that the lowest eigenvalues keep
their digits.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import linalg

from flexframe.equations.affine import AffineEquations
from flexframe.equations.coefficients import OperatingPoint
from flexframe.equations.parts import DAMPING, MASS, STIFFNESS
from flexframe.errors import AnalysisError
from flexframe.maths.arrays import Array, ComplexArray

_CLEAR = 1e-6
"""Reciprocal condition number of scaled equations at a shift beyond which no better shift is looked for."""
_NO_INERTIA = 1e-12  # part of the largest 1/Ω² below which a shape has nothing that an order drives


@dataclass(frozen=True, eq=False)
class SmallModes:
    """Lowest modes at one speed by ascending |λ|, one of each conjugate pair (Im λ ≥ 0), φᴴMφ = 1.

    Of two real eigenvalues that belong to one mode the one with the larger real part is listed.
    """

    speed: float
    eigenvalues: ComplexArray  # (count,)
    vectors: ComplexArray  # (r, count)


def small_modes(
    equations: AffineEquations[Array], speed: float, count: int, *, scale: float, frequency: float = 0.0
) -> SmallModes:
    """The lowest modes at a speed; `scale` [rad/s] is of the size of the lowest frequencies.

    Coefficients that depend on the frequency of the motion are held at the one given [rad/s].
    """
    count = min(count, equations.size)
    found = _hermitian(equations, speed, count) if equations.conservative else None
    values, vectors = found if found is not None else _invert(equations, speed, count, scale, frequency)
    M = equations.constant_mass
    vectors = vectors / np.sqrt(np.einsum("im,ij,jm->m", vectors.conj(), M, vectors, optimize=True).real)
    return SmallModes(speed, values, vectors)


def _hermitian(
    equations: AffineEquations[Array], speed: float, count: int
) -> tuple[ComplexArray, ComplexArray] | None:
    """None unless K(Ω) is definite by more than rounding."""
    size = equations.size
    K, G, M = (equations.at_speed(rate, speed) for rate in (0, 1, 2))
    try:
        stiff, heavy = (linalg.cholesky(matrix, lower=True) for matrix in (K, M))
    except linalg.LinAlgError:
        return None
    if np.diag(stiff).min() <= 1e-6 * np.diag(stiff).max() / size:
        return None
    # with K = LLᵀ and M = HHᵀ: [−iL⁻¹GL⁻ᵀ  L⁻¹H; HᵀL⁻ᵀ  0]
    inner = linalg.solve_triangular(stiff, linalg.solve_triangular(stiff, G, lower=True).T, lower=True).T
    corner = linalg.solve_triangular(stiff, heavy, lower=True)
    matrix = np.block([[-0.5j * (inner - inner.T), corner], [corner.T, np.zeros((size, size))]])
    nu, states = linalg.eigh(matrix, subset_by_index=[2 * size - count, 2 * size - 1])
    vectors = linalg.solve_triangular(stiff.T, states[:size, ::-1], lower=False)
    return np.asarray(1j / nu[::-1]), np.asarray(vectors)


def _invert(
    equations: AffineEquations[Array], speed: float, count: int, scale: float, frequency: float
) -> tuple[ComplexArray, ComplexArray]:
    """y₁ = −P(σ)⁻¹(sMx₂ + (C + σM)x₁), y₂ = (x₁ + σy₁)/s on states (φ, λφ/s); eigenvalues 1/(λ − σ)."""
    size = equations.size
    point = OperatingPoint.at_speed(speed, 1j * frequency)
    K, C, M = (equations.summed_at(order, point) for order in (STIFFNESS, DAMPING, MASS))
    shift, solve = _shift(K, C, M, 0.5 * scale, speed)
    position = -solve(np.hstack([C + shift * M, scale * M]))
    upper = np.hstack([np.eye(size), np.zeros((size, size))])
    theta, states = linalg.eig(np.vstack([position, (upper + shift * position) / scale]))
    kept = np.abs(theta) > np.finfo(float).eps * np.abs(theta).max()
    values, vectors = shift + 1 / theta[kept], states[:size, kept]
    chosen = _one_of_each_pair(values, scale)
    values, vectors = values[chosen], vectors[:, chosen]
    order = np.lexsort((-values.real, np.round(np.abs(values) / scale, 9)))[:count]
    return values[order], vectors[:, order]


def _shift(K: Array, C: Array, M: Array, first: float, speed: float) -> tuple[float, Callable[[Array], Array]]:
    """A shift σ near `first` that is clear of the eigenvalues, and the inverse of P(σ) = σ²M + σC + K.

    Coordinates may differ by many powers of ten in stiffness; P is judged and solved in those in which its terms
    are of unit size, so that only an eigenvalue near σ makes the condition number large.
    """
    best = (0.0, first)
    factors = {}
    for shift in first * 1.137 ** np.arange(8):
        P = shift**2 * M + shift * C + K
        size = shift**2 * np.abs(M) + shift * np.abs(C) + np.abs(K)
        unit = 1 / np.sqrt(np.maximum(size.max(axis=0), np.finfo(float).tiny))
        scaled = unit[:, None] * P * unit
        lu, pivots, info = linalg.lapack.dgetrf(scaled)
        condition = 0.0 if info else float(linalg.lapack.dgecon(lu, np.abs(scaled).sum(axis=0).max())[0])
        factors[shift] = (unit, lu, pivots)
        best = max(best, (condition, shift))
        if condition > _CLEAR:
            break
    condition, shift = best
    if condition <= np.finfo(float).eps:
        raise AnalysisError(f"the equations at {speed:g} rad/s are singular; check the masses of the body")
    unit, lu, pivots = factors[shift]

    def solve(right: Array) -> Array:
        return np.asarray(unit[:, None] * linalg.lapack.dgetrs(lu, pivots, unit[:, None] * right)[0])

    return float(shift), solve


def _one_of_each_pair(values: ComplexArray, scale: float) -> Array:
    """Numbers of those with Im λ > 0, and of every second real one from the largest on."""
    real = np.flatnonzero(np.abs(values.imag) <= np.maximum(1e-10 * np.abs(values), 1e-7 * scale))
    real = real[np.argsort(-values[real].real)][: (len(real) + 1) // 2]
    tolerance = np.maximum(1e-10 * np.abs(values), 1e-7 * scale)
    return np.concatenate([real, np.flatnonzero(values.imag > tolerance)])


@dataclass(frozen=True, eq=False)
class Crossings:
    """Speeds at which a mode has the frequency e Ω, ascending: (k,) and shapes (r, k)."""

    order: int
    speeds: Array
    vectors: ComplexArray


def order_inertia(equations: AffineEquations[Array], order: int, mass: Array | ComplexArray) -> ComplexArray:
    """e²M − ieG − S, Hermitian: what Ω² multiplies where an engine order e meets a mode."""
    zero = np.zeros((equations.size, equations.size))
    G, S = (zero if part is None else part for part in map(equations.part, ("gyroscopic", "spin_stiffness")))
    B = order**2 * mass - 1j * order * G - S
    return np.asarray((B + B.conj().T) / 2)


def order_crossings(
    equations: AffineEquations[Array], order: int, rigid: int, point: OperatingPoint | None = None
) -> Crossings:
    """K φ = Ω²(e²M − ieG − S) φ: a Hermitian eigenproblem in 1/Ω², damping and skew parts of K and M left out.

    The first `rigid` coordinates store no elastic energy and are condensed. Tables of bearings are held at a
    point. Where their K has negative eigenvalues, as many speeds at the beginning are zero, without shapes.
    """
    condensed, stiff, coupling = _order_pencil(equations, order, rigid, point)
    negative = 0 if point is None or _is_definite(stiff) else int((linalg.eigvalsh(stiff) <= 0).sum())
    if negative:
        pairs, vectors = linalg.eig(condensed, stiff)
        kappa = np.where(np.abs(pairs.imag) <= 1e-9 * np.abs(pairs), pairs.real, 0.0)
        useful = np.flatnonzero(kappa > _NO_INERTIA * np.abs(kappa).max())
        useful = useful[np.argsort(-kappa[useful])]
    else:
        kappa, vectors = linalg.eigh(condensed, stiff)
        useful = np.flatnonzero(kappa > _NO_INERTIA * np.abs(kappa).max())[::-1]
    shapes = np.concatenate([coupling @ vectors[:, useful], vectors[:, useful]])
    shapes = np.hstack([np.zeros((len(shapes), negative)), shapes])
    return Crossings(order, np.concatenate([np.zeros(negative), 1 / np.sqrt(kappa[useful])]), shapes)


def order_speeds(equations: AffineEquations[Array], order: int, rigid: int, point: OperatingPoint) -> Array:
    """The speeds that `order_crossings` finds, without their shapes, which take most of the time."""
    condensed, stiff, _ = _order_pencil(equations, order, rigid, point)
    if not _is_definite(stiff):
        return order_crossings(equations, order, rigid, point).speeds
    kappa = linalg.eigvalsh(condensed, stiff)
    return np.asarray(1 / np.sqrt(kappa[kappa > _NO_INERTIA * np.abs(kappa).max()][::-1]))


def _order_pencil(
    equations: AffineEquations[Array], order: int, rigid: int, point: OperatingPoint | None
) -> tuple[ComplexArray, Array, ComplexArray]:
    """e²M − ieG − S and K of the coordinates that store elastic energy, and how the rigid ones follow them."""
    M, K = equations.constant_mass, equations.constant_stiffness
    if point is not None:
        M, K = (equations.tabulated_sum(order_, point) for order_ in (MASS, STIFFNESS))
    M, K = (M + M.T) / 2, (K + K.T) / 2
    B = order_inertia(equations, order, M)
    inner, outer = slice(0, rigid), slice(rigid, None)
    coupling = np.zeros((rigid, equations.size - rigid), dtype=complex)
    condensed = B[outer, outer]
    if rigid:
        # where K has nothing: Bᵢᵢφᵢ + Bᵢₒφₒ = 0, as far as Bᵢᵢ has anything
        coupling = -np.linalg.pinv(B[inner, inner], rcond=1e-9, hermitian=True) @ B[inner, outer]
        condensed = condensed + B[outer, inner] @ coupling
    return (condensed + condensed.conj().T) / 2, K[outer, outer], coupling


def _is_definite(stiffness: Array) -> bool:
    try:
        linalg.cholesky(stiffness)
    except linalg.LinAlgError:
        return False
    return True
