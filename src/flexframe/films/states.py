"""What a film bearing does at given load and speeds: place of the journal, coefficients, loss and flow.

A pad that tilts follows the journal at the frequency ω of its motion: with Z = K + iωB of the film of the pad, t
the tangent at its pivot and J its inertia at the distance a of pivot and centre, the journal sees

    Z − Z t tᵀZ/(tᵀZt − ω²J/a²),   K = Re,   B = Im/ω.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from flexframe.errors import InputError
from flexframe.films.bearings import FilmBearing
from flexframe.films.equilibrium import Equilibrium, equilibrium, pivot_tangents, reduce_pads, smallest_gap
from flexframe.films.pad_films import Divisions, pad_films
from flexframe.given import numbers
from flexframe.maths.arrays import Array, BoolArray
from flexframe.model.bearings import BearingTable, Beyond, Interpolation

_FIRST_SPEEDS = 9  # of a table, before it is refined
_HALVINGS = 5


@dataclass(frozen=True, eq=False)
class FilmStates:
    """The journal in equilibrium at n speeds; x and y are those of the bearing, forces act on the journal."""

    bearing: FilmBearing
    speeds: Array  # rad/s: (n,)
    viscosities: Array  # Pa s: (n,)
    load: Array  # N: (2,)
    positions: Array  # of the journal's centre, m: (n, 2)
    tilts: Array  # of pads, rad; zero where they do not tilt: (n, pads)
    carrying: BoolArray  # whether a pad has a film that pushes: (n, pads)
    pad_forces: Array  # N: (n, pads, 2)
    pad_stiffness: Array  # −∂f/∂x with pads that do not follow, N/m: (n, pads, 2, 2)
    pad_damping: Array  # −∂f/∂ẋ, N s/m: (n, pads, 2, 2)
    pressures: Array  # in the middle of the length, Pa above ambient: (n, pads, points)
    angles: Array  # of these points, rad: (pads, points)
    smallest_films: Array  # m: (n,)
    largest_pressures: Array  # Pa: (n,)
    torques: Array  # of friction on the journal, N m: (n,)
    side_flows: Array  # out of both ends, m³/s: (n,)
    error: float  # of forces by the size of the cells, from cells twice as large

    @property
    def eccentricities(self) -> Array:
        """Distance of the journal from the centre of the bearing, in clearances: (n,)."""
        return np.asarray(np.hypot(*self.positions.T) / self.bearing.clearance)

    @property
    def attitudes(self) -> Array:
        """Angle from the load to the journal's place in the sense of rotation [rad]: (n,)."""
        angle = np.arctan2(self.positions[:, 1], self.positions[:, 0]) - np.arctan2(self.load[1], self.load[0])
        return np.asarray((angle + np.pi) % (2 * np.pi) - np.pi)

    @property
    def sommerfeld_numbers(self) -> Array:
        """S = µ N L D (R/c)²/W, N in turns per second; infinite without load: (n,)."""
        b = self.bearing
        turns, size = self.speeds / (2 * np.pi), np.hypot(*self.load)
        with np.errstate(divide="ignore"):
            return (
                self.viscosities
                * turns
                * 2
                * b.radius
                * b.length
                * (b.radius / b.clearance) ** 2
                / np.float64(size)
            )

    @property
    def power_losses(self) -> Array:
        """W: (n,)."""
        return np.asarray(self.torques * self.speeds)

    def coefficients(self, frequencies: ArrayLike | None = None) -> tuple[Array, Array]:
        """K [N/m] and B [N s/m] at a frequency [rad/s] for each speed, or at that of the speed: (n, 2, 2)."""
        given = self.speeds if frequencies is None else np.asarray(frequencies, dtype=float)
        w = np.broadcast_to(given, self.speeds.shape)
        follow = np.array([pad.tilting for pad in self.bearing.surfaces]) & self.carrying
        tangents = pivot_tangents(self.bearing)
        if not follow.any():
            return self.pad_stiffness.sum(axis=1), self.pad_damping.sum(axis=1)
        # at rest B is the limit of Im/ω, which a frequency far below that of the speed gives to 1e-12
        w = np.where(w == 0, 1e-6 * self.speeds, w)
        inertia = np.array([pad.inertia for pad in self.bearing.surfaces]) / _arms(self.bearing) ** 2
        Z = self.pad_stiffness + 1j * w[:, None, None, None] * self.pad_damping
        seen = reduce_pads(Z, tangents, follow, w[:, None] ** 2 * inertia).sum(axis=1)
        return seen.real, seen.imag / w[:, None, None]


def _arms(bearing: FilmBearing) -> Array:
    """Distances of pivots from the centres of the pads' circles [m]: (pads,)."""
    return np.array(
        [
            bearing.radius + c + pad.thickness
            for c, pad in zip(bearing.pad_clearances, bearing.surfaces, strict=True)
        ]
    )


def film_states(
    bearing: FilmBearing,
    load: ArrayLike,
    viscosity: ArrayLike,
    speeds: ArrayLike,
    *,
    divisions: Divisions | None = None,
) -> FilmStates:
    """The journal in equilibrium under a load (2,) [N] along x and y at speeds [rad/s].

    Parameters
    ----------
    bearing
        Its geometry.
    load
        On the journal along x and y [N].
    viscosity
        Of the oil, one value or one for each speed [Pa s].
    speeds
        Of the journal from x to y [rad/s].
    divisions
        Cells along an arc and points along half the length, if others than usual are wanted.

    Returns
    -------
    FilmStates
        Places, coefficients of the pads, losses and flows.
    """
    given = numbers(speeds, "speeds")
    force = numbers(load, "load")
    oil = np.broadcast_to(np.asarray(viscosity, dtype=float), given.shape).copy()
    if force.shape != (2,) or not np.isfinite(force).all():
        raise InputError(f"the load is {force.tolist()}; give two forces along x and y in N", field="load")
    if not given.size or not np.isfinite(given).all() or (given <= 0).any():
        raise InputError("a film needs a journal that turns; give speeds above zero", field="speeds")
    if not np.isfinite(oil).all() or (oil <= 0).any():
        raise InputError("a viscosity of the oil is not above zero; give it in Pa s", field="viscosity")
    chosen = divisions or Divisions.of(bearing)
    found = equilibrium(bearing, force, oil, given, chosen)
    return _states(bearing, force, oil, given, found, divisions=chosen)


def _states(
    bearing: FilmBearing, load: Array, oil: Array, speeds: Array, found: Equilibrium, *, divisions: Divisions
) -> FilmStates:
    clearances, tangents = bearing.pad_clearances, pivot_tangents(bearing)
    places = found.positions[:, None] - bearing.pad_centres - found.tilts[..., None] * tangents
    films = found.films
    angles = np.array([np.linspace(pad.start, pad.end, films.pressures.shape[2]) for pad in bearing.surfaces])
    h = clearances[:, None] - np.einsum("npk,kpa->npa", places, np.array([np.cos(angles), np.sin(angles)]))
    smallest = np.array(
        [smallest_gap(places[:, k], p.start, p.arc, clearances[k])[0] for k, p in enumerate(bearing.surfaces)]
    )
    # ½∫∫Rh ∂p/∂θ = ½(x × f) and the pressure of grooves at both edges
    cross = places[..., 0] * films.forces[..., 1] - places[..., 1] * films.forces[..., 0]
    edges = bearing.radius * bearing.length * bearing.groove_pressure * (h[..., -1] - h[..., 0])
    torques = (films.drags + (cross + edges) / 2).sum(axis=1)
    coarse = pad_films(bearing, places, oil, speeds, divisions.coarser)
    size = np.hypot(*np.moveaxis(films.forces, -1, 0)).sum(axis=1)
    change = np.hypot(*np.moveaxis(coarse.forces - films.forces, -1, 0)).max(axis=1)
    return FilmStates(
        bearing=bearing,
        speeds=speeds,
        viscosities=oil,
        load=load,
        positions=found.positions,
        tilts=found.tilts / _arms(bearing),
        carrying=found.loaded & (films.pressures.max(axis=(2, 3)) > 0),
        pad_forces=films.forces,
        pad_stiffness=films.stiffness,
        pad_damping=films.damping,
        pressures=films.pressures[..., 0],
        angles=angles,
        smallest_films=smallest.min(axis=0),
        largest_pressures=films.pressures.max(axis=(1, 2, 3)),
        torques=torques,
        side_flows=films.side_flow.sum(axis=1),
        error=float((change / np.where(size > 0, size, 1.0)).max() / 3),  # of second order: 4 − 1
    )


def film_table(
    bearing: FilmBearing,
    load: ArrayLike,
    viscosity: float,
    speeds: tuple[float, float],
    *,
    frequencies: ArrayLike | None = None,
    tolerance: float = 1e-3,
    beyond: Beyond = "refuse",
) -> BearingTable:
    """Coefficients of a film bearing between two speeds, as a table for rotors.

    Speeds are added until the table is as near to computed coefficients between its points as the tolerance says.
    Where pads that tilt lose their film coefficients jump: tables of such bearings are linear, and a jump lies
    between two neighbouring speeds.

    Parameters
    ----------
    bearing
        Its geometry.
    load
        On the journal along x and y [N].
    viscosity
        Of the oil [Pa s].
    speeds
        The lowest and the highest speed [rad/s].
    frequencies
        Of the motion [rad/s], for pads that tilt; without them they follow at the frequency of the speed.
    tolerance
        Of the largest entry of K and of B at a speed.
    beyond
        Whether speeds outside are refused, or the ends are held.

    Returns
    -------
    BearingTable
        K and B over the speed, or over speed and frequency; `source` says how near it is.

    Examples
    --------
    >>> bearing = ff.rotors.FilmBearing.elliptical(0.05, 0.05, 75e-6)
    >>> table = ff.rotors.film_table(bearing, (0.0, -2000.0), 0.02, (100.0, 400.0))
    >>> bool(table.at(200.0).stiffness[1, 1] > 0)
    True
    """
    low, high = speeds
    interpolation: Interpolation = "linear" if bearing.tilting else "cubic"  # pads that lose their film make jumps
    if not 0 < low < high:
        raise InputError(
            f"the film is wanted from {low:g} to {high:g} rad/s; give two speeds above zero that increase",
            field="speeds",
        )
    if not tolerance > 0:
        raise InputError(f"the tolerance is {tolerance:g}; give a positive one", field="tolerance")
    moved = None if frequencies is None else numbers(frequencies, "frequencies")

    def compute(at: Array) -> Array:
        """K and B: (2, speeds, 1 or frequencies, 2, 2)."""
        states = film_states(bearing, load, viscosity, at)
        over = [None] if moved is None else list(moved)
        return np.stack([np.array(states.coefficients(frequency)) for frequency in over], axis=2)

    force = numbers(load, "load")
    points, values, error = _refine(compute, speeds, tolerance, interpolation)
    stiffness, damping = (kind if moved is not None else kind[:, 0] for kind in values)
    return BearingTable(
        stiffness,
        damping,
        speeds=points,
        frequencies=moved,
        interpolation=interpolation,
        beyond=beyond,
        load=(float(force[0]), float(force[1])),
        source=f"film computed at {len(points)} speeds, between them to {error:.1g} of the largest entry",
    )


def _refine(
    computed: Callable[[Array], Array], speeds: tuple[float, float], tolerance: float, interpolation: Interpolation
) -> tuple[Array, Array, float]:
    """Speeds that are dense enough for a table, its values, and the most that was missed by what came before.

    A jump is left between two speeds.
    """
    points = np.geomspace(*speeds, _FIRST_SPEEDS)
    values = computed(points)
    doubtful = np.ones(len(points) - 1, dtype=bool)
    error = 0.0
    for _ in range(_HALVINGS):
        between = np.sqrt(points[:-1] * points[1:])[doubtful]
        found = computed(between)
        guess = np.empty_like(found)
        for f in range(found.shape[2]):
            table = BearingTable(values[0, :, f], values[1, :, f], speeds=points, interpolation=interpolation)
            for k, speed in enumerate(between):
                at = table.at(float(speed))
                guess[:, k, f] = at.stiffness[:2, :2], at.damping[:2, :2]
        missed = (np.abs(found - guess) / np.abs(found).max(axis=(-1, -2), keepdims=True)).max(axis=(0, 2, 3, 4))
        error = float(missed.max())
        places = np.flatnonzero(doubtful) + 1
        points = np.insert(points, places, between)
        values = np.insert(values, places, found, axis=1)
        if error <= tolerance:
            break
        doubtful = np.zeros(len(points) - 1, dtype=bool)
        for place in (places + np.arange(len(places)))[missed > tolerance]:
            doubtful[place - 1 : place + 1] = True
    return points, values, error
