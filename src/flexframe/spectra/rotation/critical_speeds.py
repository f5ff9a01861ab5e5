"""Critical speeds as eigenvalues, not as readings of a diagram.

An excitation of engine order e has the frequency eΩ in the turning frame (e = 0: it turns with the body, as an
unbalance does). It meets a mode where P(ieΩ, Ω)φ = 0, which is linear in Ω²:

    K φ = Ω² (e²M − ieG − S) φ .

K is definite beside free motions, so the same bounds hold as for frequencies.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flexframe.maths.arrays import Array, ComplexArray
from flexframe.spectra.rotation.error_bounds import clustered
from flexframe.spectra.rotation.orbits import Orbits
from flexframe.spectra.rotation.small_spectra import Crossings, order_crossings
from flexframe.spectra.rotation.speed_projection import SpeedProjection
from flexframe.spectra.rotation.speed_sweep import Sweep
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


_ROUNDS = 8


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
            _described(crossings, error, forms) if orbits is None else _in_space(crossings, error, orbits)
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
    found = order_crossings(projection.small.block(slice(t, None)), order, projection.free.others.shape[1])
    known = (found.speeds <= reach.fastest * (1 + 1e-9)) & (order * found.speeds <= reach.highest(found.speeds))
    count = int(np.count_nonzero(found.speeds <= 1.5 * reach.fastest)) + 4
    vectors = np.concatenate([np.zeros((t, found.vectors.shape[1])), found.vectors])
    energy = np.einsum("im,ij,jm->m", vectors.conj(), projection.metric, vectors, optimize=True).real
    states = [_state(order, float(speed), vectors[:, [k]]) for k, speed in enumerate(found.speeds[:count])]
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


def _described(found: Crossings, error: Array, waves: Waves | None) -> list[CriticalSpeed]:
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
