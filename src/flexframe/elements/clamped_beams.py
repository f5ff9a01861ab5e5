"""Forces in beams with clamped ends under distributed loads: what completes those that follow from the nodes.

A load along the beam is the polynomial of fourth degree through its values at the five Gauss points; with x = L s
its integrals, and so V' = −q and M' = −V − m, are exact at any station s of [0, 1]. At the ends they are the
reactions of the clamped beam, the consistent nodal loads with opposite sign: forces there are in equilibrium with
what acts on the element.
"""

import numpy as np

from flexframe.maths.arrays import Array
from flexframe.maths.quadrature import gauss_line

RULE = gauss_line(5)  # two cubics times the area of a cone, two rotations times its second moment: degree 8
GAUSS = (RULE.points[:, 0] + 1) / 2
STATIONS = np.array([0.0, 0.5, 1.0])
"""Places along a beam where its forces are looked at: the ends, and the middle for what acts between them."""

_POWERS = np.arange(len(GAUSS))
_COEFFICIENTS = np.linalg.inv(GAUSS[:, None] ** _POWERS)


def repeated_integral(count: int, stations: Array) -> Array:
    """∫₀ˢ … ∫₀ˢ, so many times, of the polynomial through values at the Gauss points: (stations, points)."""
    factors = np.ones(len(_POWERS))
    for k in range(1, count + 1):
        factors = factors / (_POWERS + k)
    return (stations[:, None] ** (_POWERS + count) * factors) @ _COEFFICIENTS


_END = np.ones(1)
_DOUBLE, _TRIPLE, _FOURFOLD = (repeated_integral(count, _END)[0] for count in (2, 3, 4))


def clamped_axial(length: Array, load: Array, stations: Array) -> Array:
    """N of clamped beams under axial loads [N/m] at the Gauss points: (elements, stations)."""
    L = length[:, None]
    # N' = −q, and no elongation: ∫N = 0
    return np.asarray(-L * (load @ repeated_integral(1, stations).T) + L * (load @ _DOUBLE)[:, None])


def clamped_bending(
    length: Array, load: Array, moment: Array, flexibility: float, stations: Array
) -> tuple[Array, Array]:
    """V and M of clamped beams under a load [N/m] at the Gauss points and a constant moment [N m/m].

    V' = −q, M' = −V − m, `flexibility` = EI/κGA. The two redundants follow from θ(L) = 0, ∫M = 0, and v(L) = 0,
    −∫xM + (EI/κGA)∫V = 0: (elements, stations) each.
    """
    L, s = length[:, None], stations[None]
    V = -L * (load @ repeated_integral(1, stations).T)
    M = L**2 * (load @ repeated_integral(2, stations).T) - moment[:, None] * L * s
    mean_V = -length * (load @ _DOUBLE)
    mean_M = length**2 * (load @ _TRIPLE) - moment * length / 2
    # ∫s f'' = f' − f at s = 1 for the double integral f of M
    mean_xM = length * (length**2 * (load @ (_TRIPLE - _FOURFOLD)) - moment * length / 3)
    # add c0 to V: M gets −c0 x + c1
    c0 = (mean_xM - length / 2 * mean_M - flexibility * mean_V) / (length**2 / 12 + flexibility)
    c1 = -mean_M + c0 * length / 2
    return V + c0[:, None], M - c0[:, None] * L * s + c1[:, None]
