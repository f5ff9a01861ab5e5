"""The motion of all bodies of a mechanism at all instants, and whether it repeats after a period."""

from dataclasses import dataclass, field

import numpy as np

from flexframe.errors import AnalysisError, InputError
from flexframe.maths.arrays import Array
from flexframe.model.constraints import time_law
from flexframe.model.drives import FollowingLaw
from flexframe.model.system import GROUND, unknown
from flexframe.model.system_loads import BodyLoads, MarkerForce
from flexframe.motion.frame import FrameMotion, Pose
from flexframe.multibody.mechanism import Mechanism
from flexframe.multibody.mobility import Mobility
from flexframe.multibody.states import Configuration, Rates, cross


@dataclass(frozen=True, eq=False)
class BodyMotion:
    """One body over time; vectors in space axes unless said otherwise."""

    name: str
    times: Array  # (T,)
    positions: Array  # of the body origin: (T, 3)
    rotations: Array  # body to space: (T, 3, 3)
    angles: Array | None  # of a planar system, counted through all turns: (T,)
    velocities: Array
    angular_velocities: Array
    accelerations: Array
    angular_accelerations: Array

    def in_body(self, vectors: Array) -> Array:
        """Components in body axes: (T, 3)."""
        return np.einsum("tji,tj->ti", self.rotations, vectors)

    def pose(self, instant: int) -> Pose:
        """Where the frame is at one instant."""
        return Pose(self.positions[instant], self.rotations[instant])

    def frame(self, instant: int) -> FrameMotion:
        """ω, ε, v_O, a_O in body components at one instant."""
        R = self.rotations[instant]
        return FrameMotion(
            self.angular_velocities[instant] @ R,
            self.angular_accelerations[instant] @ R,
            self.velocities[instant] @ R,
            self.accelerations[instant] @ R,
        )

    def point(self, place: Array) -> tuple[Array, Array, Array]:
        """Position, velocity and acceleration of a point given in body axes: (T, 3) each."""
        arm = self.rotations @ np.asarray(place, dtype=float)
        turn = cross(self.angular_velocities, arm)
        velocity = self.velocities + turn
        acceleration = self.accelerations + cross(self.angular_accelerations, arm)
        return self.positions + arm, velocity, acceleration + cross(self.angular_velocities, turn)


@dataclass(frozen=True, eq=False)
class MechanismMotion:
    """Positions, velocities and accelerations of every body.

    `closure` is the largest residual of the joints [lengths of the system, rad]; `smallest_singular_value` that
    of the driven Jacobian, relative to the largest, with the time at which it occurs (0 would be a dead point).
    """

    mechanism: Mechanism
    times: Array  # (T,)
    configuration: Configuration
    velocities: Rates
    accelerations: Rates
    mobility: Mobility
    closure: float
    smallest_singular_value: float | None = None
    at_time: float | None = None
    notices: tuple[str, ...] = field(default=())

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the bodies."""
        return self.mechanism.names

    def body(self, name: str) -> BodyMotion:
        """One body."""
        if name not in self.names:
            raise InputError(unknown("body", name, self.names))
        k = self.names.index(name)
        c, u, a = self.configuration, self.velocities, self.accelerations
        return BodyMotion(
            name,
            self.times,
            c.positions[:, k],
            c.rotations[:, k],
            None if c.angles is None else c.angles[:, k],
            u.linear[:, k],
            u.angular[:, k],
            a.linear[:, k],
            a.angular[:, k],
        )

    def marker(self, place: str) -> tuple[Array, Array, Array]:
        """Position, velocity and acceleration of a place "body.point": (T, 3) each."""
        owner, frame = self.mechanism.system.frame(place)
        if owner == GROUND:
            still = np.zeros((len(self.times), 3))
            return still + frame.point, still, still
        return self.body(owner).point(frame.point)


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
    raise InputError(
        "the period of the cycle does not follow from drives that turn steadily; give period", field="period"
    )


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
    for row in constraints.following:
        law = constraints.entries[row].law
        if isinstance(law, FollowingLaw) and (change := _change_of(law, start, period)) > _REPEATS:
            raise _not_repeating(f"drive {constraints.owners[row]}", period, change)


def _change_of(law: FollowingLaw, start: float, period: float) -> float:
    """By how much f(r, t) and its derivatives by t differ after a period, at some r, beside their size."""
    r = np.random.default_rng(1).uniform(-3.0, 3.0, (_SAMPLES, len(law.names)))
    before, after = (
        np.array(law.along(r, np.zeros_like(r), np.full(_SAMPLES, time), 1.0)) for time in (start, start + period)
    )
    finite = np.isfinite(before) & np.isfinite(after)
    size = max(1.0, float(np.abs(before[finite]).max(initial=0.0)))
    return float(np.abs(after - before)[finite].max(initial=0.0)) / size


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
        "drives and loads",
        field="period",
    )
