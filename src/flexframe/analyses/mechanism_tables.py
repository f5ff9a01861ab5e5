"""What an engineer asks of a mechanism, as tables: largest forces, needs of drives, travel and speed of points."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from flexframe.analyses.peak_instants import Between, joined_forces, motions_of_points, one_of_each
from flexframe.maths.arrays import Array
from flexframe.model.constraints import TimeLaw, time_law
from flexframe.model.drives import AngleDrive
from flexframe.multibody.inverse_dynamics import JointForce, MechanismForces
from flexframe.multibody.motion import MechanismMotion
from flexframe.presentation.blocks import Cell, Check, Column, Table
from flexframe.results.peaks import Peaks, first_largest, peaks_of
from flexframe.results.signals import mean_over_time

SOUGHT = "all times; peaks between the instants of the record were sought"
"""Which times extremes are those of, where the motion could be had at any."""

_NOTHING = 1e-12  # part of the largest force of a mechanism that is rounding


AllPeaks = Mapping[str, Sequence[Peaks]]
"""Peaks over all steps: of each joint those of |force| and |moment|, of drives then those of their values."""


def peak_forces(
    forces: MechanismForces, peaks: AllPeaks | None = None, *, between: Between | None = None
) -> tuple[Table, ...]:
    """The largest force and moment of every joint, and what every drive needs.

    They are those of `peaks`, where only some of the steps are at hand, else those of the record and between.
    """
    times, every = joined_forces(forces, between)
    joints = [found for found in every.values() if not found.drive]
    drives = [found for found in every.values() if found.drive]
    tables = []
    if joints:
        tables.append(_joint_table(forces.motion, times, joints, peaks or {}))
    if drives:
        tables += _drive_tables(forces, times, drives, peaks or {})
    return tuple(tables)


class _Clock(NamedTuple):
    """When something happens: the time, and the angle of a drive that turns at least once."""

    drive: str = ""
    law: TimeLaw | None = None

    @classmethod
    def of(cls, motion: MechanismMotion) -> "_Clock":
        """That of the first drive that turns through."""
        for drive in motion.mechanism.system.drives:
            law = time_law(drive.law) if isinstance(drive, AngleDrive) and not drive.follows else None
            if law is not None and np.ptp(law.jet(motion.times)[0]) >= 2 * np.pi * (1 - 1e-9):
                return cls(drive.name, law)
        return cls()

    @property
    def columns(self) -> tuple[Column, ...]:
        return (Column("at", "s", 4), *((Column(f"at {self.drive}", "°", 4),) if self.law else ()))

    @property
    def nothing(self) -> tuple[Cell, ...]:
        return (None,) * len(self.columns)

    def cells(self, time: float) -> tuple[Cell, ...]:
        """The time [s], and the angle [°] in its turn."""
        if self.law is None:
            return (time,)
        angle = float(np.degrees(self.law.jet(np.array([time]))[0][0]))
        return (time, round(angle, 9) % 360.0)


def _over(peaks: AllPeaks) -> str:
    return "all steps" if peaks else SOUGHT


def _sizes(vectors: Array) -> Array:
    return np.linalg.norm(vectors, axis=1)


def _joint_table(motion: MechanismMotion, times: Array, joints: Sequence[JointForce], peaks: AllPeaks) -> Table:
    scale = max((float(_sizes(found.force).max(initial=0.0)) for found in joints), default=0.0)
    rows: list[tuple[Cell, ...]] = []
    clock = _Clock.of(motion)
    for found in joints:
        known = peaks.get(found.name) or [peaks_of(times, _sizes(part)) for part in (found.force, found.moment)]
        force, moment = known[0], known[1]
        components: list[Cell] = [None] * 3  # of an instant that is not stored
        if found.name not in peaks:
            there = found.force[int(first_largest(_sizes(found.force)))]
            components = [float(part) if abs(part) > _NOTHING * scale else 0.0 for part in there]
        shown = moment.largest > _NOTHING * scale * motion.mechanism.length
        rows.append(
            (
                found.name,
                f"{found.first} → {found.second}",
                force.largest,
                *components,
                *clock.cells(force.largest_at),
                moment.largest if shown else None,
                *(clock.cells(moment.largest_at) if shown else clock.nothing),
            )
        )
    columns = [
        Column("joint"),
        Column("on"),
        Column("largest force", "N"),
        *(Column(axis, "N", 4) for axis in "xyz"),
        *clock.columns,
        Column("largest moment", "N m"),
        *clock.columns,
    ]
    kept = [k for k in range(len(columns)) if not (k == 5 and motion.mechanism.planar)]  # no z in the plane
    return Table(
        tuple(columns[k] for k in kept),
        tuple(tuple(row[k] for k in kept) for row in rows),
        caption=f"Joint forces on the second body in space axes, moments about its marker, over {_over(peaks)}.",
    )


def _drive_tables(
    forces: MechanismForces, times: Array, drives: Sequence[JointForce], peaks: AllPeaks
) -> tuple[Table, ...]:
    rows: list[tuple[Cell, ...]] = []
    means: list[tuple[Cell, ...]] = []
    clock, stored, table = _Clock.of(forces.motion), forces.motion.times, forces.motion.mechanism.constraints
    rates = table.targets(stored).rate + table.own_rates(forces.motion.configuration, stored)
    for found in drives:
        torque = bool(np.abs(found.moment).max(initial=0.0) > 0) and not np.abs(found.force).max(initial=0.0) > 0
        own = [row for row, owner in enumerate(table.owners) if owner == found.name]
        for number, values in enumerate(found.values.T):
            known = peaks.get(found.name, ())[2 + number : 3 + number]
            seen = known[0] if known else peaks_of(times, values)
            name = f"{found.name} {number + 1}" if found.values.shape[1] > 1 else found.name
            effort = forces.joints[found.name].values[:, number]
            power = effort * rates[:, own[number]]
            rows.append(
                (
                    name,
                    "N m" if torque else "N",
                    seen.least,
                    *clock.cells(seen.least_at),
                    seen.largest,
                    *clock.cells(seen.largest_at),
                )
            )
            root = float(np.sqrt(mean_over_time(stored, effort**2)))
            means.append(
                (
                    *rows[-1][:2],
                    _mean_of(stored, effort),
                    root,
                    _mean_of(stored, power),
                    float(power.max()) + 0.0,
                )
            )
    columns = (
        Column("drive"),
        Column("unit"),
        Column("smallest", "", 5, of_row=True),
        *clock.columns,
        Column("largest", "", 5, of_row=True),
        *clock.columns,
    )
    powers = (
        *columns[:2],
        Column("mean", "", 4, of_row=True),
        Column("root mean square", "", 4, of_row=True),
        Column("mean power", "W", 4),
        Column("largest power", "W", 4),
    )
    return (
        Table(columns, tuple(rows), caption=f"What the drives need, over {_over(peaks)}."),
        Table(powers, tuple(means), caption="Means and powers of the drives, over the instants of the record."),
    )


def _mean_of(times: Array, values: Array) -> float:
    """Over time, zero where it is rounding of the values."""
    mean = mean_over_time(times, values)
    return mean if abs(mean) > _NOTHING * float(np.abs(values).max(initial=0.0)) else 0.0


def travel(motion: MechanismMotion, between: Between | None) -> tuple[Table, ...]:
    """How far named points travel and their largest speeds and accelerations; of bodies where none are named."""
    places, times = motions_of_points(motion), motion.times
    if between is not None:
        more = motions_of_points(between.seen.motion)
        times = np.concatenate([times, between.seen.motion.times])
        places = {
            name: (
                np.concatenate([parts[0], more[name][0]]),
                np.concatenate([parts[1], more[name][1]]),
                np.concatenate([parts[2], more[name][2]]),
            )
            for name, parts in places.items()
        }
    moving = {
        name: parts
        for name, parts in places.items()
        if np.ptp(parts[0], axis=0).max(initial=0.0) > 1e-9 * motion.mechanism.length
    }
    axes, clock = range(2 if motion.mechanism.planar else 3), _Clock.of(motion)
    size = motion.mechanism.length
    rows: list[tuple[Cell, ...]] = []
    for name, names in one_of_each(moving, 1e-9 * size).items():
        positions, velocities, accelerations = moving[name]
        speed, acceleration = _sizes(velocities), _sizes(accelerations)
        fastest, hardest = int(first_largest(speed)), int(first_largest(acceleration))
        rows.append(
            (
                names,
                *(_unless(_NOTHING * size, float(np.ptp(positions[:, axis]))) for axis in axes),
                float(speed[fastest]),
                *clock.cells(float(times[fastest])),
                float(acceleration[hardest]),
                *clock.cells(float(times[hardest])),
            )
        )
    columns = (
        Column("point"),
        *(Column(f"travel {'xyz'[axis]}", "m") for axis in axes),
        Column("largest speed", "m/s"),
        *clock.columns,
        Column("largest acceleration", "m/s²"),
        *clock.columns,
    )
    return (Table(columns, tuple(rows), caption=f"Travel, speed and acceleration over {SOUGHT}."),) if rows else ()


def _unless(rounding: float, value: float) -> float:
    """A size, zero where it is rounding."""
    return value if value > rounding else 0.0


def peak_checks(between: Between | None) -> tuple[Check, ...]:
    """How well peaks between the instants are found."""
    words = "a peak between the instants is not found better than to this part; ask for more samples"
    if between is None:
        return ()
    return (Check("peaks between the instants found to", between.settled, limit=1e-3, otherwise=words),)


def mobility_checks(motion: MechanismMotion) -> tuple[Check, ...]:
    """Degrees of freedom, redundant constraints and how well the joints are met."""
    loose = "joints are not met to this part of the size of the system; look for a dead point"
    found = motion.mobility
    return (
        Check("joints closed to", motion.closure, limit=1e-7, otherwise=loose),
        Check("degrees of freedom", found.degrees_of_freedom),
        Check("redundant constraints", found.redundant),
    )


def balance_of_bodies(forces: MechanismForces) -> Check:
    """How well forces and inertia of every body balance."""
    words = "forces and inertia of a body do not balance to this part of the largest force"
    return Check("balance of every body", forces.balance, limit=1e-6, otherwise=words)
