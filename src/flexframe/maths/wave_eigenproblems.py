"""Waves that run both ways around a body of revolution: (K − ωX − ω²M) q = 0, all real, symmetric and dense.

With K and M definite, K = LLᵀ and M = GGᵀ, the frequencies are the reciprocals of the eigenvalues of

    [ L⁻¹XL⁻ᵀ   L⁻¹G ]
    [ GᵀL⁻ᵀ      0   ]

which is symmetric: all are real, ω > 0 of waves that run one way and ω < 0 of those that run the other. As many
lie between 0 and a frequency c as K − cX − c²M has negative eigenvalues (Sylvester), which proves that none is
missing.
"""

from dataclasses import dataclass

import numpy as np
from scipy import linalg
from scipy.sparse.linalg import ArpackError, eigsh

from flexframe.maths.arrays import Array
from flexframe.maths.eigen_residuals import SEED, relative_residuals

LARGEST = 600
"""Unknowns up to which dense matrices are faster than sparse ones."""

_MORE = 4  # modes beyond those that are wanted, among which a gap is looked for
_GAP = 1e-7


@dataclass(frozen=True, eq=False)
class WaveModes:
    """Frequencies of both signs by ascending |ω|, their shapes and how they were found."""

    frequencies: Array  # rad/s: (k,)
    vectors: Array  # (n, k)
    residuals: Array  # (k,)
    method: str
    confirmed: bool | None


def wave_modes(stiffness: Array, coupling: Array, mass: Array, count: int) -> WaveModes | None:
    """The `count` lowest |ω| of (K − ωX − ω²M) q = 0; None where K is not definite or the search fails."""
    size, wanted = len(mass), count + _MORE
    if wanted >= 2 * size:
        return None
    try:
        L, G = (linalg.cholesky(matrix, lower=True) for matrix in (stiffness, mass))
        half = linalg.solve_triangular(L, coupling, lower=True)
        upper = linalg.solve_triangular(L, half.T, lower=True)
        beside = linalg.solve_triangular(L, G, lower=True)
        whole = np.block([[(upper + upper.T) / 2, beside], [beside.T, np.zeros_like(mass)]])
        values, states = eigsh(whole, wanted, which="LM", v0=np.random.default_rng(SEED).random(2 * size))
    except (np.linalg.LinAlgError, ArpackError):
        return None
    order = np.argsort(-np.abs(values), kind="stable")
    frequencies = 1 / values[order]
    vectors = linalg.solve_triangular(L.T, states[:size, order], lower=False)
    confirmed = _confirm((stiffness, coupling, mass), frequencies, count)
    frequencies, vectors = frequencies[:count], vectors[:, :count]
    vectors = vectors / np.sqrt(np.einsum("ij,ij->j", vectors, mass @ vectors))
    floor = np.sqrt(np.finfo(float).eps) * np.linalg.norm(np.abs(stiffness) @ np.abs(vectors), axis=0)
    residuals = relative_residuals(
        stiffness @ vectors,
        -frequencies * (coupling @ vectors),
        -(frequencies**2) * (mass @ vectors),
        floor=floor,
    )
    return WaveModes(frequencies, vectors, residuals, "Lanczos on waves of both directions", confirmed)


def _confirm(matrices: tuple[Array, Array, Array], frequencies: Array, count: int) -> bool | None:
    """Whether as many frequencies lie on both sides of zero, up to a gap after the wanted ones, as were found."""
    K, X, M = matrices
    sizes = np.abs(frequencies)
    gaps = np.diff(sizes[count - 1 :]) / sizes[count:]
    if gaps.max() < _GAP:
        return None
    last = count - 1 + int(np.argmax(gaps))
    cut = float(sizes[last] + sizes[last + 1]) / 2
    for way in (cut, -cut):
        below = int((linalg.eigvalsh(K - way * X - way**2 * M) < 0).sum())
        if below != np.count_nonzero((frequencies / way > 0) & (sizes < cut)):
            return False
    return True
