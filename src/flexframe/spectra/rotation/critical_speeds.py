"""Critical speeds as eigenvalues, not as readings of a diagram.

An excitation of engine order e has the frequency eΩ in the turning frame (e = 0: it turns with the body, as an
unbalance does). It meets a mode where P(ieΩ, Ω)φ = 0, which is linear in Ω²:

    K φ = Ω² (e²M − ieG − S) φ .

K is definite beside free motions, so the same bounds hold as for frequencies.

Where K and M depend on the speed by tables of bearings, they are held at Ω̂ and the k-th speed is a continuous
function Ω_k(Ω̂) of it, since the eigenvalues of a Hermitian problem are so in their order: the critical speeds are
all places where Ω_k(Ω̂) = Ω̂. Damping and the skew parts of K and M are left out; *damped* critical speeds, where
the branch of a damped mode has |Im λ| = eΩ, are solved on the branches.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from flexframe.equations.affine import AffineEquations
from flexframe.equations.coefficients import OperatingPoint
from flexframe.equations.parts import Part
from flexframe.maths.arrays import Array, ComplexArray
from flexframe.maths.roots import bracket_root
from flexframe.spectra.rotation.error_bounds import clustered
from flexframe.spectra.rotation.frequency_dependence import newton_crossing
from flexframe.spectra.rotation.orbits import Orbits
from flexframe.spectra.rotation.small_spectra import Crossings, order_crossings, order_speeds
from flexframe.spectra.rotation.speed_projection import SpeedProjection
from flexframe.spectra.rotation.speed_sweep import Sweep
from flexframe.spectra.rotation.tracked_modes import TrackedModes
from flexframe.spectra.rotation.waves import Waves


@dataclass(frozen=True)
class CriticalSpeed:
    """A speed at which an excitation of frequency e Ω (turning frame) meets a mode; solved, not read off.

    `excited_by` is empty where neither a load at rest in space nor one that turns with the body meets the mode.
    """

    speed_rad_s: float
    engine_order: int
    frequency_hz: float  # in the turning frame
    inertial_frequency_hz: float | None
    nodal_diameter: int | None
    excited_by: str
    error: float  # relative bound


@dataclass(frozen=True)
class DampedCriticalSpeed:
    """A speed at which the damped frequency |Im λ| of a branch is e Ω, and how much the mode is damped there."""

    speed_rad_s: float
    engine_order: int
    branch: int  # counted from 1
    logarithmic_decrement: float
    excited_by: str


_ROUNDS = 8
_SAMPLES = 41  # speeds at which tables are held to find crossings


@dataclass(frozen=True, eq=False)
class Reach:
    """How far a sweep knows the modes: up to which frequency [rad/s] at each speed."""

    speeds: Array  # without signs, ascending
    frequencies: Array

    @classmethod
    def of(cls, swept: Sweep) -> "Reach":
        """The highest frequency that is watched at each speed."""
        order = np.argsort(np.abs(swept.speeds))
        tops = np.array([np.abs(found.eigenvalues[: swept.watched]).max() for found in swept.modes])
        return cls(np.abs(swept.speeds)[order], tops[order])

    @property
    def fastest(self) -> float:
        """The largest speed."""
        return float(self.speeds[-1])

    def highest(self, speeds: Array) -> Array:
        """Frequencies between those of the sweep."""
        return np.interp(speeds, self.speeds, self.frequencies)


def solved_crossings(
    projection: SpeedProjection,
    orders: Sequence[int],
    *,
    reach: Reach,
    tolerance: float,
) -> None:
    """Extend the projection until the critical speeds of these orders are within the tolerance."""
    for order in orders:
        for _ in range(_ROUNDS):
            found, error = _within(projection, order, reach, tolerance)
            bad = np.flatnonzero(error > tolerance)
            if projection.whole or not bad.size:
                break
            if not projection.equations.conservative:
                shapes = [
                    projection.solved_shape(
                        undamped(projection.equations, float(found.speeds[k]), order),
                        *_state(order, float(found.speeds[k]), found.vectors[:, k]),
                    )
                    for k in bad
                ]
                if not projection.extend(np.column_stack(shapes)):
                    break
                continue
            states = [_state(order, float(found.speeds[k]), found.vectors[:, [k]]) for k in bad]
            residuals = [projection.residuals(*state) for state in states]
            seen = [each.coordinates for each in residuals if not each.rounded.any()]
            added = projection.corrected(np.hstack(seen), 2 * len(seen)) if seen else 0
            for state, each in zip(states, residuals, strict=True):
                if each.rounded.any():
                    added += projection.extend(projection.solved_residuals(*state)[0])
            if not added:
                break


def critical_speeds(
    projection: SpeedProjection,
    orders: Sequence[int],
    *,
    reach: Reach,
    tolerance: float,
    forms: Waves | None,
    orbits: Orbits | None = None,
) -> tuple[CriticalSpeed, ...]:
    """All critical speeds of the orders within reach, ascending.

    `forms` are the waves of the basis, None for a body that does not fill circles; `orbits` are given where the
    equations are those seen from space.
    """
    found = [_within(projection, order, reach, tolerance) for order in orders]
    criticals = [
        critical
        for crossings, error in found
        for critical in (
            _describe(crossings, error, forms) if orbits is None else _in_space(crossings, error, orbits)
        )
    ]
    return tuple(sorted(criticals, key=lambda c: (c.speed_rad_s, c.engine_order)))


def _state(order: int, speed: float, vectors: ComplexArray) -> tuple[ComplexArray, float, ComplexArray]:
    """λ = ieΩ, Ω and the shape, as residuals are asked for."""
    return np.array([1j * order * speed]), speed, vectors


def _within(projection: SpeedProjection, order: int, reach: Reach, tolerance: float) -> tuple[Crossings, Array]:
    """The crossings in the range, all coordinates, and the bounds of their relative errors.

    Where one is above the tolerance for rounding alone, its residual is solved for.
    """
    t = projection.translations
    small = projection.moving
    key = ("crossings", order, projection.size, reach.fastest)
    if key not in projection.known:
        rigid = projection.free.others.shape[1]
        tabled = projection.tabled
        made = _tabled_crossings(small, order, rigid, reach) if tabled else order_crossings(small, order, rigid)
        projection.known[key] = made
    found = projection.known[key]
    known = (found.speeds <= reach.fastest * (1 + 1e-9)) & (order * found.speeds <= reach.highest(found.speeds))
    count = int(np.count_nonzero(found.speeds <= 1.5 * reach.fastest)) + 4
    vectors = np.concatenate([np.zeros((t, found.vectors.shape[1])), found.vectors])
    energy = np.einsum("im,ij,jm->m", vectors.conj(), projection.metric, vectors, optimize=True).real
    states = [_state(order, float(speed), vectors[:, [k]]) for k, speed in enumerate(found.speeds[:count])]
    if not projection.equations.conservative and not projection.whole:
        return _undamped_crossings(
            projection, Crossings(order, found.speeds[known], vectors[:, known]), energy[known]
        )
    residuals = [projection.residuals(*state) for state in states]
    norms = np.array([each.norms[0] for each in residuals])

    def relative() -> Array:
        eta = norms / np.sqrt(energy[: len(norms)])
        return np.minimum(eta, clustered(1 / found.speeds[:count] ** 2, eta)) / 2 if len(eta) > 1 else eta

    chosen, error = np.flatnonzero(known[:count]), relative()
    for k in chosen[error[chosen] > tolerance]:
        if residuals[k].rounded.any():
            norms[k] = projection.solved_residuals(*states[k])[1][0]
    error = relative()
    return Crossings(order, found.speeds[chosen], vectors[:, chosen]), error[chosen]


def _undamped_crossings(projection: SpeedProjection, found: Crossings, energy: Array) -> tuple[Crossings, Array]:
    """Crossings, and their errors by residuals of the equations without damping."""
    norms = []
    for speed, vector in zip(found.speeds.tolist(), found.vectors.T, strict=True):
        equations = undamped(projection.equations, speed, found.order)
        norms.append(projection.solved_norm(equations, 1j * found.order * speed, speed, vector))
    return found, np.array(norms) / np.sqrt(energy)


def undamped(equations: AffineEquations, speed: float, order: int) -> AffineEquations:
    """Without damping and skew parts of K and M, tables held at a speed and at the frequency of an order."""
    held = equations.tabulate(OperatingPoint.at_speed(speed, 1j * order * speed))
    parts = [
        Part.constant(part.name, part.order, (part.matrix + part.matrix.T) / 2, part.coefficient)
        if part.name in ("mass", "stiffness")
        else part
        for part in held.parts
        if part.name in ("mass", "stiffness", "gyroscopic", "spin_stiffness")
    ]
    return replace(held, parts=tuple(parts))


def _tabled_crossings(equations: AffineEquations[Array], order: int, rigid: int, reach: Reach) -> Crossings:
    """All speeds Ω with Ω_k(Ω) = Ω among the k lowest that tables held at a speed give."""

    def point(speed: float) -> OperatingPoint:
        return OperatingPoint.at_speed(speed, 1j * order * speed)

    def excess(k: int) -> Callable[[float], float]:
        def of_speed(speed: float) -> float:
            speeds = order_speeds(equations, order, rigid, point(speed))
            return (float(speeds[k]) if k < len(speeds) else np.inf) - speed

        return of_speed

    held = np.linspace(float(reach.speeds[0]), reach.fastest, _SAMPLES)
    lists = [order_speeds(equations, order, rigid, point(float(speed))) for speed in held]
    size = max((len(each) for each in lists), default=0)
    table = np.full((len(held), size), np.inf)
    for row, each in zip(table, lists, strict=True):
        row[: len(each)] = each
    ahead = table > held[:, None]
    speeds, vectors = [], []
    for row, k in np.argwhere(ahead[:-1] != ahead[1:]):
        low, high = float(held[row]), float(held[row + 1])
        if not np.isfinite(table[row : row + 2, k]).all():
            continue  # it leaves through infinity, where the mass has no more to hold
        speed = bracket_root(excess(int(k)), low, high, tolerance=1e-13 * high)
        speeds.append(speed)
        vectors.append(order_crossings(equations, order, rigid, point(speed)).vectors[:, k])
    order_ = np.argsort(speeds)
    shapes = np.array(vectors).reshape(-1, equations.size).T if vectors else np.empty((equations.size, 0), complex)
    return Crossings(order, np.array(speeds)[order_], shapes[:, order_])


def damped_critical_speeds(
    projection: SpeedProjection,
    tracked: TrackedModes,
    speeds: Array,
    orders: Sequence[int],
    *,
    orbits: Orbits | None,
) -> tuple[DampedCriticalSpeed, ...]:
    """Where the damped frequencies of branches are multiples of the speed, ascending.

    Between two speeds at which a branch lies on different sides of the line Newton's steps start from either; what
    they find must lie between them and be a mode like that of the branch.
    """
    found = []
    values, t = tracked.eigenvalues, projection.translations
    for order in orders:
        ahead = np.abs(values.imag) - order * np.abs(speeds)[:, None]
        for k, b in np.argwhere((ahead[:-1] > 0) != (ahead[1:] > 0)):
            if not np.isfinite(ahead[k, b] + ahead[k + 1, b]):
                continue
            low, high = float(speeds[k]), float(speeds[k + 1])
            part = ahead[k, b] / (ahead[k, b] - ahead[k + 1, b])
            near = (1 - part) * values[k, b] + part * values[k + 1, b]
            for end in (k, k + 1) if part < 0.5 else (k + 1, k):
                vector = tracked.vectors[end][t:, b]
                crossed = newton_crossing(projection.moving, order, low + part * (high - low), near, vector)
                if crossed is not None and low <= crossed[0] * (1 + 1e-9) and crossed[0] <= high * (1 + 1e-9):
                    break
            else:
                continue
            speed, value, shape = crossed
            shape = np.concatenate([np.zeros(t), shape])[:, None]
            follows = order == 1 and orbits is not None and orbits.follows_unbalance(shape)[0]
            decrement = float(-2 * np.pi * value.real / abs(value.imag))
            found.append(
                DampedCriticalSpeed(float(speed), order, int(b) + 1, decrement, "unbalance" if follows else "")
            )
    return tuple(sorted(found, key=lambda each: (each.speed_rad_s, each.engine_order)))


def _describe(found: Crossings, error: Array, waves: Waves | None) -> list[CriticalSpeed]:
    """Who can excite each, and in which direction its wave runs in space."""
    out: list[CriticalSpeed] = []
    for k, speed in enumerate(found.speeds):
        vector = found.vectors[:, [k]]
        diameter = float(waves.diameters(vector)[0]) if waves is not None else np.nan
        signed = float(waves.travelling(vector)[0]) if waves is not None else np.nan
        if found.order == 0:
            # cos nθ and sin nθ are one critical speed
            twin = out and waves is not None and abs(out[-1].speed_rad_s / speed - 1) < 1e-7
            if twin and diameter > 0:
                continue
            excited, seen = "load that turns with the body", diameter
        else:
            seen = abs(found.order - signed)
            at_rest = waves is None or signed == found.order
            excited = "load at rest in space" if at_rest else ""
        known = np.isfinite(seen)
        out.append(
            CriticalSpeed(
                speed_rad_s=float(speed),
                engine_order=found.order,
                frequency_hz=float(found.order * speed / (2 * np.pi)),
                inertial_frequency_hz=float(seen * speed / (2 * np.pi)) if known else None,
                nodal_diameter=int(diameter) if np.isfinite(diameter) else None,
                excited_by=excited,
                error=float(error[k]),
            )
        )
    return out


def _in_space(found: Crossings, error: Array, orbits: Orbits) -> list[CriticalSpeed]:
    """Seen from space an unbalance is an excitation of order one."""
    follows = orbits.follows_unbalance(found.vectors) if found.order == 1 else [False] * len(found.speeds)
    return [
        CriticalSpeed(
            speed_rad_s=float(speed),
            engine_order=found.order,
            frequency_hz=float(found.order * speed / (2 * np.pi)),
            inertial_frequency_hz=float(found.order * speed / (2 * np.pi)),
            nodal_diameter=None,
            excited_by="unbalance" if follows[k] else "",
            error=float(error[k]),
        )
        for k, speed in enumerate(found.speeds)
    ]
