"""Where the journal runs under a load, and how pads tilt that may.

A pad that tilts by δ about its pivot moves the centre of its circle by τ = δ·(distance of pivot and that centre)
along t, the tangent at the pivot. Without friction there the film's force passes through the pivot, f·t = 0.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from flexframe.errors import InputError
from flexframe.films.bearings import FilmBearing
from flexframe.films.pad_films import Divisions, PadFilms, pad_films
from flexframe.maths.arrays import Array, BoolArray, IntArray

_BALANCED = 1e-10  # of the load
_PADS = 1e-3  # of the forces of pads, beside the load
_NEARLY = 1e-6  # what remains where the film's end jumps from point to point
_STEPS = 80
_TILTS = 24  # that are tried, on a coarse film
_TILT_STEPS = 40
_START = 0.5  # of the clearance
_USUAL = (0.3, 1.0, 3.0)  # Sommerfeld numbers from which others are approached
_SHORTEST = 1e-2  # part of the way between them
_HEAVIEST = 2e-4  # Sommerfeld number
_LEAST = 0.1  # of the film remains after a step
_TRIED = Divisions(16, 3)


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """The journal at rest at n speeds, with the films that carry it."""

    positions: Array  # of the journal's centre, m: (n, 2)
    tilts: Array  # τ of each pad, m; zero where it does not tilt: (n, pads)
    loaded: BoolArray  # whether a pad carries: (n, pads)
    films: PadFilms
    residuals: Array  # what remains of the load, as a part of it: (n,)
    steps: IntArray  # (n,)


@dataclass(frozen=True, eq=False)
class _Case:
    """A bearing at some speeds, with what does not change while the journal is sought."""

    bearing: FilmBearing
    viscosities: Array  # (n,)
    speeds: Array  # (n,)
    divisions: Divisions
    idle: BoolArray  # pads that tilt and are left without film: (n, pads)

    def part(self, chosen: IntArray) -> "_Case":
        return _Case(
            self.bearing, self.viscosities[chosen], self.speeds[chosen], self.divisions, self.idle[chosen]
        )

    @property
    def tangents(self) -> Array:
        return pivot_tangents(self.bearing)

    @property
    def tilting(self) -> BoolArray:
        return np.array([pad.tilting for pad in self.bearing.surfaces])

    def films(self, positions: Array, tilts: Array) -> PadFilms:
        """Films for the journal at positions (n, 2) with pads tilted by (n, pads)."""
        return pad_films(
            self.bearing, self.places(positions, tilts), self.viscosities, self.speeds, self.divisions
        )

    def places(self, positions: Array, tilts: Array) -> Array:
        """Of the journal from the centres of the pads' circles: (n, pads, 2)."""
        return positions[:, None] - self.bearing.pad_centres - tilts[..., None] * self.tangents

    def tilt_bounds(self, positions: Array) -> tuple[Array, Array]:
        """Between which tilts no edge touches: h = h₀ + τ sin(θ − θ_pivot) > 0; (n, pads) each."""
        bearing = self.bearing
        untilted = positions[:, None] - bearing.pad_centres
        low, high = np.full((2, *untilted.shape[:2]), 0.0)
        for k, pad in enumerate(bearing.surfaces):
            if not pad.tilting:
                continue
            theta = np.linspace(pad.start, pad.end, 181)
            side = np.sin(theta - pad.pivot)
            gap = bearing.pad_clearances[k] - untilted[:, k] @ np.array([np.cos(theta), np.sin(theta)])
            ahead, behind = side > 1e-9, side < -1e-9
            low[:, k] = (-gap[:, ahead] / side[ahead]).max(axis=1)
            high[:, k] = (gap[:, behind] / -side[behind]).min(axis=1)
        return low, high

    def room(self, positions: Array) -> Array:
        """The smallest film of fixed pads, at pivots, and between bounds of tilts; negative at contact: (n,)."""
        bearing, least = self.bearing, np.full(len(positions), np.inf)
        low, high = self.tilt_bounds(positions)
        for k, pad in enumerate(bearing.surfaces):
            X = positions - bearing.pad_centres[k]
            if pad.tilting:
                normal = np.array([np.cos(pad.pivot), np.sin(pad.pivot)])
                least = np.minimum(least, bearing.pad_clearances[k] - X @ normal)
                least = np.minimum(least, (high - low)[:, k])
            else:
                least = np.minimum(least, smallest_gap(X, pad.start, pad.arc, bearing.pad_clearances[k])[0])
        return least


def pivot_tangents(bearing: FilmBearing) -> Array:
    """t at the pivots of pads: (pads, 2)."""
    pivots = np.array([pad.pivot for pad in bearing.surfaces])
    return np.column_stack([-np.sin(pivots), np.cos(pivots)])


def smallest_gap(places: Array, start: float, arc: float, clearance: float) -> tuple[Array, Array]:
    """The smallest c − X·e(θ) on an arc, and its angle, for places X: (n, 2) → (n,) each."""
    size, towards = np.hypot(*places.T), np.arctan2(places[:, 1], places[:, 0])
    inside = (towards - start) % (2 * np.pi)
    ends = start + np.where((inside - arc) < (2 * np.pi - inside), arc, 0.0)  # the nearer edge
    angle = np.where(inside <= arc, start + inside, ends)
    return clearance - size * np.cos(towards - angle), angle


def equilibrium(
    bearing: FilmBearing, load: Array, viscosities: Array, speeds: Array, divisions: Divisions
) -> Equilibrium:
    """The journal under a load (2,) [N] at n viscosities [Pa s] and speeds [rad/s].

    It is sought on a coarse film first. Where pads that tilt lose their film on the way there, loads may be left
    that only a journal without these pads carries: it is sought without them then. What is not found directly is
    approached from usual Sommerfeld numbers.
    """
    n, pads = len(speeds), len(bearing.surfaces)
    case = _Case(bearing, viscosities, speeds, divisions.coarser, np.zeros((n, pads), dtype=bool))
    if _sommerfeld(case, load) < _HEAVIEST:
        raise InputError(
            f"the load {np.hypot(*load):.4g} N is too heavy for a film at {speeds.min():.4g} rad/s: the "
            f"Sommerfeld number is {_sommerfeld(case, load):.2g}, and below {_HEAVIEST:g} the film would be "
            "thinner than a thousandth of the clearance; check load, viscosity and clearance",
            field="load",
        )
    start = _start(bearing, load, n)
    for level in (divisions.coarser, divisions):
        case = replace(case, divisions=level)
        found, lost_films = _approach(case, load, start)
        for k in np.flatnonzero(found.residuals > _NEARLY):
            start[k], case.idle[k] = _rescue(case.part(np.array([k])), load, start[[k]], lost_films[[k]])
        if (found.residuals > _NEARLY).any():
            found, _ = _approach(
                case, load, np.where((found.residuals > _NEARLY)[:, None], start, found.positions)
            )
        start = found.positions.copy()
    return found


def _rescue(case: _Case, load: Array, start: Array, lost_films: BoolArray) -> tuple[Array, BoolArray]:
    """The journal at one speed, and which pads are left without film: (2,), (pads,)."""
    choices = [case.idle, case.idle | lost_films] if lost_films.any() else [case.idle]
    for idle in reversed(choices):
        found, _ = _approach(replace(case, idle=idle), load, start)
        if found.residuals[0] <= _NEARLY:
            return found.positions[0], idle[0]
    for idle in choices:
        place = _continue_from_usual(replace(case, idle=idle), load)
        if place is not None:
            return place, idle[0]
    speed = float(case.speeds[0])
    raise InputError(
        f"no place of the journal was found that carries the load at {speed:g} rad/s, where the Sommerfeld number "
        f"is {_sommerfeld(case, load):.2g}; see that a pad lies where the load points, that pads are preloaded "
        "where the load is light, and that load, viscosity and clearance have their units",
        field="load",
    )


def _sommerfeld(case: _Case, load: Array) -> float:
    """The least of S = µNLD(R/c)²/W over the speeds."""
    b, turns = case.bearing, case.speeds / (2 * np.pi)
    size = float(np.hypot(*load))
    stiffest = float((case.viscosities * turns).min()) * b.length * 2 * b.radius * (b.radius / b.clearance) ** 2
    return stiffest / size if size else float("inf")


def _continue_from_usual(case: _Case, load: Array) -> Array | None:
    """From a usual Sommerfeld number on, by and by, to that of one speed: (2,), if it is reached."""
    b, own = case.bearing, _sommerfeld(case, load)
    if not np.isfinite(own):
        return None
    for usual in _USUAL:
        way = np.log(own / usual)
        place, part, ahead = _start(b, load, 1), 0.0, 0.0
        while ahead >= _SHORTEST or part == 0.0:
            to = min(part + ahead, 1.0)
            found, _ = _approach(replace(case, viscosities=case.viscosities * np.exp((to - 1) * way)), load, place)
            if found.residuals[0] <= _NEARLY:
                place, part = found.positions, to
                if part == 1.0:
                    return np.asarray(place[0])
                ahead = max(2 * ahead, 0.1)
            elif ahead == 0.0:
                break
            else:
                ahead /= 4
    return None


def _start(bearing: FilmBearing, load: Array, count: int) -> Array:
    """Ahead of the load in the sense of rotation; with pads that tilt in its direction: (n, 2)."""
    size = np.hypot(*load)
    if size == 0.0:
        return np.zeros((count, 2))
    turn = 0.0 if any(pad.tilting for pad in bearing.surfaces) else np.radians(50.0)
    angle = np.arctan2(load[1], load[0]) + turn
    return np.tile(_START * bearing.clearance * np.array([np.cos(angle), np.sin(angle)]), (count, 1))


def _approach(case: _Case, load: Array, start: Array) -> tuple[Equilibrium, BoolArray]:
    """Newton's method for ln f = ln(−load), both as complex numbers, which light and heavy loads need alike.

    A step leaves a tenth of the film, and is halved until it helps. Also given are pads that were without film on
    the way: (n, pads).
    """
    n = len(case.speeds)
    size = float(np.hypot(*load))
    wanted = -complex(*load)
    positions, step, scale = start.copy(), np.zeros((n, 2)), np.ones(n)
    merit, base = np.full(n, np.inf), start.copy()
    steps, open_ = np.zeros(n, dtype=np.int64), np.ones(n, dtype=bool)
    best = _State.empty(case, n)
    lost_films = np.zeros_like(best.loaded)
    for _ in range(_STEPS):
        chosen = np.flatnonzero(open_)
        if not chosen.size:
            break
        state = _balance(case.part(chosen), positions[chosen])
        lost_films[chosen] |= ~state.loaded
        force = state.total @ np.array([1.0, 1j])
        wrong, miss = _miss(force, wanted)
        better = (wrong < merit[chosen]) | (scale[chosen] < 1e-3)
        taken = chosen[better]
        best.replace(taken, state, better)
        merit[taken], base[taken], scale[taken] = wrong[better], positions[taken], 1.0
        steps[taken] += 1
        # a journal between preloaded pads is held by forces that are larger than the load
        best.residuals[taken] = (np.abs(force - wanted) / (size + _PADS * state.pushed))[better]
        open_[taken] = best.residuals[taken] > _BALANCED
        step[taken] = _newton_steps(state.stiffness[better], miss[better], load, case.bearing.clearance)
        scale[chosen[~better]] /= 2
        _advance(case, chosen, positions, base, step, scale=scale)
    films = case.films(best.positions, best.tilts)
    found = Equilibrium(best.positions, best.tilts, best.loaded, films, best.residuals, steps)
    return found, lost_films


def _miss(force: Array, wanted: complex) -> tuple[Array, Array]:
    """How far forces are from the wanted one, and the change that Newton's method asks for, both complex: (n,)."""
    if wanted == 0:
        return np.abs(force), -force
    there = np.abs(force) > 1e-9 * abs(wanted)
    log = np.log(wanted / np.where(there, force, wanted * 1e-9))
    return np.abs(log), np.where(there, force * log, 0.0)


def _newton_steps(stiffness: Array, miss: Array, load: Array, clearance: float) -> Array:
    """Moves that change the force by a miss, df = −K dx; without force towards the load: (n, 2)."""
    change = np.column_stack([miss.real, miss.imag])
    towards = np.zeros(2) if not load.any() else load / np.hypot(*load)
    out = np.tile(0.3 * clearance * towards, (len(miss), 1))
    usable = np.abs(miss) > 0
    # of least length where nothing resists in one direction, as with one loaded pad that tilts
    inverse = np.linalg.pinv(stiffness[usable], rcond=1e-9)
    out[usable] = -np.einsum("nij,nj->ni", inverse, change[usable])
    return np.asarray(out)


def _advance(case: _Case, chosen: IntArray, positions: Array, base: Array, step: Array, *, scale: Array) -> None:
    """Go on from the base of each, less far where the film would become too thin."""
    room = case.room(base[chosen])
    for _ in range(60):
        trial = base[chosen] + scale[chosen, None] * step[chosen]
        tight = case.room(trial) < _LEAST * room
        if not tight.any():
            break
        scale[chosen[tight]] /= 2
    positions[chosen] = trial


# ---------------------------------------------------------------------- pads that tilt


@dataclass(eq=False)
class _State:
    """Positions with pads in balance, and the force on the journal with its derivative, tilts following."""

    positions: Array
    tilts: Array
    loaded: BoolArray
    total: Array  # (n, 2)
    pushed: Array  # sum of the forces of pads: (n,)
    stiffness: Array  # (n, 2, 2)
    residuals: Array

    @classmethod
    def empty(cls, case: _Case, n: int) -> "_State":
        pads = len(case.bearing.surfaces)
        return cls(
            np.zeros((n, 2)),
            np.zeros((n, pads)),
            np.ones((n, pads), dtype=bool),
            np.zeros((n, 2)),
            np.zeros(n),
            np.zeros((n, 2, 2)),
            np.full(n, np.inf),
        )

    def replace(self, where: IntArray, other: "_State", chosen: BoolArray) -> None:
        for name in ("positions", "tilts", "loaded", "total", "pushed", "stiffness"):
            getattr(self, name)[where] = getattr(other, name)[chosen]


def _balance(case: _Case, positions: Array) -> _State:
    """Pads tilted so that films push through pivots, the journal held at positions (n, 2)."""
    tilts = np.zeros((len(positions), len(case.bearing.surfaces)))
    loaded = np.ones_like(tilts, dtype=bool)
    if case.tilting.any():
        tilts, loaded = _tilts(case, positions)
    films = case.films(positions, tilts)
    K = reduce_pads(films.stiffness, case.tangents, case.tilting & loaded, np.zeros(len(case.tilting)))
    pushed = np.hypot(*np.moveaxis(films.forces, -1, 0)).sum(axis=1)
    return _State(
        positions, tilts, loaded, films.forces.sum(axis=1), pushed, K.sum(axis=1), np.zeros(len(positions))
    )


def reduce_pads(matrices: Any, tangents: Array, following: BoolArray, masses: Array) -> Any:
    """Z − Z t tᵀZ/(tᵀZt − m) of pads that follow, others as they are; Z may be complex: (n, pads, 2, 2)."""
    across = np.einsum("npij,pj->npi", matrices, tangents)
    along = np.einsum("pi,npij->npj", tangents, matrices)
    own = np.einsum("pi,npi->np", tangents, across) - masses
    own = np.where(following & (own != 0), own, np.inf)
    return np.asarray(matrices - across[..., :, None] * along[..., None, :] / own[..., None, None])


def _tilts(case: _Case, positions: Array) -> tuple[Array, BoolArray]:
    """τ with f·t = 0, and whether there is a film then: (n, pads) each.

    g = f·t rises from below zero, where the trailing edge nearly touches, through zero. A pad whose g stays below
    carries nothing in any tilt: it is left where its film has no pressure.
    """
    low, high = case.tilt_bounds(positions)
    tilts, loaded = _tried_tilts(case, positions, low, high)
    active = case.tilting & loaded
    t = case.tangents
    for _ in range(_TILT_STEPS):
        films = case.films(positions, tilts)
        g = np.einsum("npi,pi->np", films.forces, t)
        slope = np.einsum("pi,npij,pj->np", t, films.stiffness, t)
        low, high = np.where(g < 0, tilts, low), np.where(g > 0, tilts, high)
        with np.errstate(divide="ignore", invalid="ignore"):
            newton = tilts - g / slope
        inside = (newton > low) & (newton < high) & (slope > 0)
        to = np.where(inside, newton, (low + high) / 2)
        change = np.where(active, to - tilts, 0.0)
        tilts = tilts + change
        if (np.abs(change) <= 1e-13 * case.bearing.clearance).all():
            break
    return tilts, loaded | ~case.tilting


def _tried_tilts(case: _Case, positions: Array, low: Array, high: Array) -> tuple[Array, BoolArray]:
    """Tilts near f·t = 0 from a coarse film, and whether there is such a tilt: (n, pads) each."""
    n = len(positions)
    # closer to the bounds, where films are thin
    parts = (1 - np.cos(np.pi * (np.arange(_TILTS) + 0.5) / _TILTS)) / 2
    tried = np.where(case.tilting, low[None] + parts[:, None, None] * (high - low)[None], 0.0)  # (tilts, n, pads)
    coarse = replace(
        case, viscosities=np.tile(case.viscosities, _TILTS), speeds=np.tile(case.speeds, _TILTS), divisions=_TRIED
    )
    films = coarse.films(np.tile(positions, (_TILTS, 1)), tried.reshape(_TILTS * n, -1))
    g = np.einsum("npi,pi->np", films.forces, case.tangents).reshape(tried.shape)
    force = np.hypot(*np.moveaxis(films.forces, -1, 0)).reshape(tried.shape)
    rises = g > 1e-9 * force.max(axis=0)
    loaded = rises.any(axis=0) & ~case.idle
    first = rises.argmax(axis=0)[None]
    above = np.take_along_axis(tried, first, 0)[0]
    below = np.where(first[0] > 0, np.take_along_axis(tried, np.maximum(first - 1, 0), 0)[0], low)
    g_above = np.take_along_axis(g, first, 0)[0]
    g_below = np.where(first[0] > 0, np.take_along_axis(g, np.maximum(first - 1, 0), 0)[0], -g_above)
    with np.errstate(divide="ignore", invalid="ignore"):
        between = below + (above - below) * np.clip(g_below / (g_below - g_above), 0.05, 0.95)
    idle = np.take_along_axis(tried, force.argmin(axis=0)[None], 0)[0]
    return np.where(case.tilting, np.where(loaded, between, idle), 0.0), loaded
