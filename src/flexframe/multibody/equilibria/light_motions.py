"""Modes of a stiff system some of whose motions have hardly any inertia.

K φ = κ M φ by Cholesky's factors of M leaves errors of the rounding of the largest κ in all others, and κ of a
section without rotary inertia is next to infinite: soft modes drown. From the other side,

    M v = μ (K + σ M) v,      vᵀ(K + σM) v = 1,      κ = 1/μ − σ,

soft motions have the largest μ and are exact to rounding, and motions without inertia have μ = 0: they follow at
once and are no modes.
"""

from dataclasses import dataclass

import numpy as np
from scipy import linalg

from flexframe.errors import AnalysisError
from flexframe.maths.arrays import Array

_LIGHT = 1e-13  # of the largest μ: inertia below it is none
_EMPTY = 1e-16  # of the same: μ is taken for at least that
_SMALLEST = 1e-9  # shift, as a part of the smallest ratio of diagonals of K and M
_ROUNDING = 8 * np.finfo(float).eps  # of the sum of |K|: an entry is a sum over some elements


@dataclass(frozen=True, eq=False)
class LightModes:
    """κ of motions that have inertia, ascending, their directions of unit mass, and what rounding leaves of κ."""

    values: Array  # κ: (k,)
    directions: Array  # φ: (f, k)
    uncertainty: Array  # (k,)

    @property
    def noise(self) -> float:
        """What is left of κ where it should vanish."""
        small = np.abs(self.values) <= self.uncertainty
        return float(self.uncertainty[small].max(initial=0.0))


def light_modes(stiffness: Array, mass: Array, count: int | None = None) -> LightModes:
    """Modes of symmetric K and M, neither of which has to be definite as long as K + σM is for some σ.

    All that have inertia, or the softest if a number is given.
    """
    K, M = (stiffness + stiffness.T) / 2, (mass + mass.T) / 2
    shift = 0.0
    diagonals = np.abs(np.diagonal(K)) / np.maximum(np.diagonal(M), np.finfo(float).tiny)
    least = _SMALLEST * float(diagonals.min(initial=np.inf))
    for _ in range(12):
        try:
            mu, v = linalg.eigh(M, K + shift * M)
            break
        except linalg.LinAlgError:
            shift = 100 * shift or least
    else:
        raise AnalysisError(
            "a free motion has no inertia; give the bodies that move freely a mass and a moment of inertia"
        )
    largest = mu.max(initial=0.0)
    heavy = int(np.count_nonzero(mu > _LIGHT * largest))
    order = np.argsort(-mu)[: count or heavy]
    mu, v = np.maximum(mu[order], _EMPTY * largest), v[:, order]
    values, directions = 1 / mu - shift, v / np.sqrt(mu)
    size = np.abs(directions)
    uncertainty = _ROUNDING * np.einsum("ik,ij,jk->k", size, np.abs(K), size, optimize=True)
    return LightModes(values, directions, uncertainty + 4 * np.finfo(float).eps * shift)
