"""Whether a motion, its drives and its loads repeat after the period that is given for them."""

import numpy as np

from flexframe.errors import AnalysisError, InputError
from flexframe.mechanisms.mechanism import Mechanism
from flexframe.mechanisms.motion import MechanismMotion
from flexframe.model.constraints import time_law
from flexframe.model.system_loads import BodyLoads, MarkerForce

_REPEATS = 1e-6  # relative difference after one period that still counts as periodic
_SAMPLES = 33  # instants of a period that tell how large a law gets
_TURNS = 24  # of the slowest drive that may make one period


def period_of_drives(mechanism: Mechanism, start: float = 0.0) -> float:
    """The shortest time [s] after which all drives and loads repeat, from drives that turn steadily."""
    constraints = mechanism.constraints
    along = constraints.targets(start + np.linspace(0.0, 1.0, _SAMPLES))
    rates = [
        float(np.abs(along.rate[0, row]))
        for row in np.flatnonzero(mechanism.drive_rows)
        if not constraints.lengths[row] and np.ptp(along.rate[:, row]) <= _REPEATS * np.abs(along.rate[0, row])
    ]
    turning = [2 * np.pi / rate for rate in rates if rate > 0]
    for turns in range(1, _TURNS + 1) if turning else ():
        period = turns * max(turning)
        try:
            require_repeating_drives(mechanism, start, period)
            require_repeating_loads(mechanism, start, period)
        except AnalysisError:
            continue
        return period
    raise InputError("the period of the cycle does not follow from drives that turn steadily; give period")


def require_repeating_drives(mechanism: Mechanism, start: float, period: float) -> None:
    """Driven coordinates come back after the period [s], angles up to whole turns, with their rates.

    Values are compared with the length of the mechanism (angles with one radian), rates with their own largest.
    """
    constraints = mechanism.constraints
    rows = np.flatnonzero(mechanism.drive_rows)
    if not rows.size:
        return
    before, after = (constraints.targets(np.array([time])) for time in (start, start + period))
    along = constraints.targets(np.linspace(start, start + period, _SAMPLES))
    rate = np.abs(along.rate).max(axis=0)
    second = np.maximum(np.abs(along.second).max(axis=0), rate / period)
    apart = np.stack(
        [
            np.abs(constraints.residual(after.value, before))[0] * mechanism.row_scale(constraints),
            np.abs(after.rate - before.rate)[0] / np.where(rate > 0, rate, 1.0),
            np.abs(after.second - before.second)[0] / np.where(second > 0, second, 1.0),
        ]
    ).max(axis=0)
    worst = int(rows[np.argmax(apart[rows])])
    if apart[worst] > _REPEATS:
        raise _not_repeating(f"drive {constraints.owners[worst]}", period, float(apart[worst]))


def require_repeating_loads(mechanism: Mechanism, start: float, period: float) -> None:
    """Forces that are laws of time have the same values and rates after the period [s]."""
    times = np.linspace(start, start + period, _SAMPLES)
    loads = [load for load in mechanism.system.loads if isinstance(load, MarkerForce)]
    for load, placed in zip(loads, mechanism.placed_forces, strict=True):
        for components in (placed.force, placed.moment):
            jets = np.array([law.jet(times) for law in components])  # (laws, orders, times)
            size = np.abs(jets).max(axis=(0, 2))
            apart = np.abs(jets[..., -1] - jets[..., 0]).max(axis=0) / np.where(size > 0, size, 1.0)
            if apart.max() > _REPEATS:
                raise _not_repeating(f"load {load.name}", period, float(apart.max()))
    for way in mechanism.system.loads:
        if isinstance(way, BodyLoads):
            jet = np.array(time_law(way.factor).jet(times))  # (orders, times)
            size = np.abs(jet).max(axis=1)
            apart = np.abs(jet[:, -1] - jet[:, 0]) / np.where(size > 0, size, 1.0)
            if apart.max() > _REPEATS:
                raise _not_repeating(f"load {way.name}", period, float(apart.max()))


def require_repeating_motion(motion: MechanismMotion, period: float) -> None:
    """Velocities and accelerations at the end must be those at the start, seen from the bodies."""
    bodies = [motion.body(name) for name in motion.names]
    # what one body hardly has is measured by what the others have, an angular acceleration by ω² as well
    spin = max(float(np.abs(body.angular_velocities).max()) for body in bodies)
    worst = 0.0
    for kind, least in (
        ("velocities", 0.0),
        ("accelerations", 0.0),
        ("angular_velocities", 0.0),
        ("angular_accelerations", spin**2),
    ):
        seen = [body.in_body(getattr(body, kind)) for body in bodies]
        size = max(least, *(float(np.abs(vectors).max()) for vectors in seen)) or 1.0
        worst = max(worst, *(float(np.abs(vectors[-1] - vectors[0]).max()) / size for vectors in seen))
    if worst > _REPEATS:
        raise _not_repeating("it", period, worst)


def _not_repeating(what: str, period: float, apart: float) -> AnalysisError:
    return AnalysisError(
        f"the motion does not repeat after {period:g} s: {what} differs by {apart:.1e}; give the period of the "
        "drives and loads"
    )
