"""Forces in beams with clamped ends under distributed loads: what completes those that follow from the nodes.

A load along the beam is the polynomial through its values at the Gauss points, of third degree through four; with
x = L s its integrals, and so V' = −q and M' = −V − m, are exact at any station s of [0, 1]. At the ends they are
the reactions of the clamped beam, the consistent nodal loads with opposite sign: forces there are in equilibrium
with what acts on the element.
"""

from functools import lru_cache

import numpy as np

from flexframe.maths.arrays import Array
from flexframe.maths.quadrature import gauss_line

POINTS = 4  # products of two cubics, and slope² times a quadratic axial force
CONE_POINTS = 5  # two cubics times the area of a cone, two rotations times its second moment
STATIONS = np.array([0.0, 0.5, 1.0])
"""Places along a beam where its forces are looked at: the ends, and the middle for what acts between them."""


@lru_cache
def gauss_points(count: int) -> tuple[Array, Array]:
    """Gauss points of [0, 1] and their weights, whose sum is 1: (points,) each."""
    rule = gauss_line(count)
    return (rule.points[:, 0] + 1) / 2, rule.weights / 2


@lru_cache
def _coefficients(count: int) -> Array:
    """Of the polynomial through values at the Gauss points: (powers, points)."""
    return np.asarray(np.linalg.inv(gauss_points(count)[0][:, None] ** np.arange(count)))


def repeated_integral(count: int, stations: Array, points: int = POINTS) -> Array:
    """∫₀ˢ … ∫₀ˢ, so many times, of the polynomial through values at the Gauss points: (stations, points)."""
    powers = np.arange(points)
    factors = np.ones(points)
    for k in range(1, count + 1):
        factors = factors / (powers + k)
    return (stations[:, None] ** (powers + count) * factors) @ _coefficients(points)


@lru_cache
def _over_all(count: int, points: int) -> Array:
    """The repeated integral over the whole length: (points,)."""
    return repeated_integral(count, np.ones(1), points)[0]


def clamped_axial(length: Array, load: Array, stations: Array) -> Array:
    """N of clamped beams under axial loads [N/m] at the Gauss points: (elements, stations)."""
    L, points = length[:, None], load.shape[1]
    # N' = −q, and no elongation: ∫N = 0
    inside = repeated_integral(1, stations, points)
    return np.asarray(-L * (load @ inside.T) + L * (load @ _over_all(2, points))[:, None])


def clamped_bending(
    length: Array, load: Array, moment: Array, flexibility: float, stations: Array
) -> tuple[Array, Array]:
    """V and M of clamped beams under a load [N/m] at the Gauss points and a constant moment [N m/m].

    V' = −q, M' = −V − m, `flexibility` = EI/κGA. The two redundants follow from θ(L) = 0, ∫M = 0, and v(L) = 0,
    −∫xM + (EI/κGA)∫V = 0: (elements, stations) each.
    """
    L, s, points = length[:, None], stations[None], load.shape[1]
    double, triple, fourfold = (_over_all(count, points) for count in (2, 3, 4))
    V = -L * (load @ repeated_integral(1, stations, points).T)
    M = L**2 * (load @ repeated_integral(2, stations, points).T) - moment[:, None] * L * s
    mean_V = -length * (load @ double)
    mean_M = length**2 * (load @ triple) - moment * length / 2
    # ∫s f'' = f' − f at s = 1 for the double integral f of M
    mean_xM = length * (length**2 * (load @ (triple - fourfold)) - moment * length / 3)
    # add c0 to V: M gets −c0 x + c1
    c0 = (mean_xM - length / 2 * mean_M - flexibility * mean_V) / (length**2 / 12 + flexibility)
    c1 = -mean_M + c0 * length / 2
    return V + c0[:, None], M - c0[:, None] * L * s + c1[:, None]
