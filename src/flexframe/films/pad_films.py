"""Films of many pads at once, in SI: pressures, forces on the journal and their derivatives, flows.

With H = h/c, P = p/(6µΩ(R/c)²), Z = z/R Reynolds' equation of a pad is

    ∂/∂θ(H³ ∂P/∂θ) + H³ ∂²P/∂Z² = ∂H/∂θ + (2/Ω) ∂H/∂t,   H = 1 − X·e(θ),   e = (cos θ, sin θ),

X the place of the journal in units of c from the centre of the pad's circle. core/src/pad_film.cpp solves it.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.polynomial import legendre

from flexframe import _core
from flexframe.films.bearings import FilmBearing
from flexframe.maths.arrays import Array, IntArray

CELL = np.radians(2.0)
"""Largest cell along an arc; halving it changes forces by about one in ten thousand at L/D = 0.5."""
ROWS = 6
"""Points along half the length: polynomials of degree 12."""


@dataclass(frozen=True)
class Divisions:
    """Cells along the largest pad and points along half the length."""

    cells: int
    rows: int

    @classmethod
    def of(cls, bearing: FilmBearing) -> "Divisions":
        """Those that are taken if none are given."""
        cell = (
            CELL if bearing.sealed else min(CELL, bearing.length / (4 * bearing.radius))
        )  # films end within a length
        return cls(max(24, 2 * round(bearing.largest_arc / cell / 2)), 1 if bearing.sealed else ROWS)

    @property
    def coarser(self) -> "Divisions":
        """Half as many cells, for a first approach and for the size of the error."""
        return Divisions(max(12, self.cells // 2), max(1, (2 * self.rows) // 3))


@dataclass(frozen=True, eq=False)
class AxialPoints:
    """Legendre–Lobatto points on half the length from its middle on, without the end, in units of R."""

    places: Array  # Z: (rows,)
    weights: Array  # (rows,)
    stiffness: Array  # ∫φ_j'φ_k': (rows, rows)
    end_weight: float


@lru_cache(maxsize=32)
def axial_points(rows: int, half_length: float, sealed: bool) -> AxialPoints:
    """Polynomials that are even about the middle; sealed ends leave one value."""
    if sealed:
        return AxialPoints(np.zeros(1), np.array([half_length]), np.zeros((1, 1)), 0.0)
    degree = 2 * rows
    top = np.eye(degree + 1)[degree]
    inner = np.sort(legendre.legroots(legendre.legder(top)).real)
    x = np.concatenate([[-1.0], inner, [1.0]])
    w = 2 / (degree * (degree + 1) * legendre.legval(x, top) ** 2)
    slopes = np.column_stack([legendre.legval(x, legendre.legder(unit)) for unit in np.eye(degree + 1)])
    D = slopes @ np.linalg.inv(legendre.legvander(x, degree))
    K = D.T @ (w[:, None] * D)
    half, mirrored = np.arange(rows, degree), np.arange(rows, 0, -1)
    folded = K[np.ix_(half, half)] + K[np.ix_(half, mirrored)]
    # the middle belongs to both halves: its row to one half of it, its column only once
    folded[:, 0] = K[half, rows]
    folded[0] /= 2
    weights = w[half].copy()
    weights[0] /= 2
    return AxialPoints(
        x[half] * half_length, weights * half_length, folded / half_length, float(w[-1] * half_length)
    )


@dataclass(frozen=True, eq=False)
class PadFilms:
    """What the films do on each pad, for n states of each of p pads; forces act on the journal."""

    pressures: Array  # Pa above ambient: (n, p, cells + 1, rows)
    forces: Array  # N: (n, p, 2)
    stiffness: Array  # −∂f/∂x, N/m: (n, p, 2, 2)
    damping: Array  # −∂f/∂ẋ, N s/m: (n, p, 2, 2)
    inflow: Array  # at the beginning of the pads, m³/s: (n, p)
    side_flow: Array  # out of both ends, m³/s: (n, p)
    drags: Array  # torque of the shear between surfaces that slide, N m: (n, p)
    counts: IntArray  # pivots, moves of the film's ends, whether these converged: (n, p, 3)


def pad_films(
    bearing: FilmBearing, places: Array, viscosities: Array, speeds: Array, divisions: Divisions
) -> PadFilms:
    """Films for the journal at places (n, p, 2) [m] from the centres of the pads, at n viscosities and speeds."""
    n, p = places.shape[:2]
    c, R = bearing.pad_clearances, bearing.radius
    unit = 6 * viscosities[:, None] * speeds[:, None] * (R / c) ** 2  # Pa: (n, p)
    axial = axial_points(divisions.rows, bearing.length / (2 * R), bearing.sealed)
    rows = len(axial.weights)
    arcs = np.array([(pad.start, pad.end) for pad in bearing.surfaces])
    edges = np.repeat((bearing.groove_pressure / unit).reshape(-1, 1), 2, axis=1)
    pressures = np.zeros((n * p, divisions.cells + 1, rows))
    forces, flows = np.zeros((2, n * p, 2))
    stiffness, damping = np.zeros((2, n * p, 2, 2))
    drags, counts = np.zeros(n * p), np.zeros((n * p, 3), dtype=np.int64)
    _core.solve_pads(
        np.ascontiguousarray(np.tile(arcs, (n, 1))),
        np.ascontiguousarray(edges),
        np.ascontiguousarray((places / c[:, None]).reshape(-1, 2)),
        bearing.closed,
        axial.stiffness,
        axial.weights,
        axial.end_weight,
        getattr(_core.Cavitation, bearing.cavitation),
        pressures,
        forces,
        stiffness,
        damping,
        flows,
        drags,
        counts,
    )
    force = unit * R**2  # N
    by_place = (force / c)[..., None, None]
    damping = damping.reshape(n, p, 2, 2)
    if bearing.cavitation != "guembel":
        # symmetric, since the film that stays where it is is a symmetric operator; rounding of the cells is not
        damping = (damping + damping.swapaxes(-1, -2)) / 2
    flow = (speeds[:, None] * R**2 * c / 2)[..., None] * flows.reshape(n, p, 2)
    return PadFilms(
        pressures=unit[..., None, None] * pressures.reshape(n, p, -1, rows),
        forces=force[..., None] * forces.reshape(n, p, 2),
        stiffness=by_place * stiffness.reshape(n, p, 2, 2),
        damping=by_place / speeds[:, None, None, None] * damping,
        inflow=flow[..., 0],
        side_flow=flow[..., 1],
        drags=viscosities[:, None] * speeds[:, None] * R**4 / c * drags.reshape(n, p),
        counts=counts.reshape(n, p, 3),
    )
