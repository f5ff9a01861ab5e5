"""What an engineer asks of a mechanism, as tables: largest forces, needs of drives, travel and speed of points."""

from collections.abc import Mapping, Sequence

import numpy as np

from flexframe.analyses.peak_instants import Between, joined_forces, motions_of_points
from flexframe.maths.arrays import Array
from flexframe.multibody.inverse_dynamics import JointForce, MechanismForces
from flexframe.multibody.motion import MechanismMotion
from flexframe.presentation.blocks import Cell, Check, Column, Table
from flexframe.results.peaks import Peaks, peaks_of

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
        tables.append(_drive_table(forces, times, drives, peaks or {}))
    return tuple(tables)


def _over(peaks: AllPeaks) -> str:
    return "all steps" if peaks else SOUGHT


def _sizes(vectors: Array) -> Array:
    return np.linalg.norm(vectors, axis=1)


def _joint_table(motion: MechanismMotion, times: Array, joints: Sequence[JointForce], peaks: AllPeaks) -> Table:
    scale = max((float(_sizes(found.force).max(initial=0.0)) for found in joints), default=0.0)
    rows: list[tuple[Cell, ...]] = []
    for found in joints:
        known = peaks.get(found.name) or [peaks_of(times, _sizes(part)) for part in (found.force, found.moment)]
        force, moment = known[0], known[1]
        components: list[Cell] = [None] * 3  # of an instant that is not stored
        if found.name not in peaks:
            there = found.force[int(_sizes(found.force).argmax())]
            components = [float(part) if abs(part) > _NOTHING * scale else 0.0 for part in there]
        shown = moment.largest > _NOTHING * scale * motion.mechanism.length
        rows.append(
            (
                found.name,
                f"{found.first} → {found.second}",
                force.largest,
                *components,
                force.largest_at,
                moment.largest if shown else None,
                moment.largest_at if shown else None,
            )
        )
    columns = [
        Column("joint"),
        Column("on"),
        Column("largest force", "N"),
        *(Column(axis, "N", 4) for axis in "xyz"),
        Column("at", "s", 4),
        Column("largest moment", "N m"),
        Column("at", "s", 4),
    ]
    empty = {k for k in (3, 4, 5, 7, 8) if all(row[k] is None for row in rows)}
    left_out = empty | ({5} if motion.mechanism.planar else set())
    kept = [k for k in range(len(columns)) if k not in left_out]
    return Table(
        tuple(columns[k] for k in kept),
        tuple(tuple(row[k] for k in kept) for row in rows),
        caption=f"Joint forces on the second body in space axes, moments about its marker, over {_over(peaks)}.",
    )


def _drive_table(forces: MechanismForces, times: Array, drives: Sequence[JointForce], peaks: AllPeaks) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for found in drives:
        torque = bool(np.abs(found.moment).max(initial=0.0) > 0) and not np.abs(found.force).max(initial=0.0) > 0
        for number, values in enumerate(found.values.T):
            known = peaks.get(found.name, ())[2 + number : 3 + number]
            seen = known[0] if known else peaks_of(times, values)
            name = f"{found.name} {number + 1}" if found.values.shape[1] > 1 else found.name
            rms = float(np.sqrt(np.mean(forces.joints[found.name].values[:, number] ** 2)))
            rows.append(
                (
                    name,
                    "N m" if torque else "N",
                    seen.least,
                    seen.least_at,
                    seen.largest,
                    seen.largest_at,
                    rms,
                )
            )
    columns = (
        Column("drive"),
        Column("unit"),
        Column("smallest", "", 5, of_row=True),
        Column("at", "s", 4),
        Column("largest", "", 5, of_row=True),
        Column("at", "s", 4),
        Column("root mean square", "", 4, of_row=True),
    )
    return Table(
        columns,
        tuple(rows),
        caption=f"What the drives need, over {_over(peaks)}; the mean of squares is that of the record.",
    )


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
    axes = range(2 if motion.mechanism.planar else 3)
    rows: list[tuple[Cell, ...]] = []
    for name, (positions, velocities, accelerations) in moving.items():
        speed, acceleration = _sizes(velocities), _sizes(accelerations)
        fastest, hardest = int(speed.argmax()), int(acceleration.argmax())
        rows.append(
            (
                name,
                *(float(np.ptp(positions[:, axis])) for axis in axes),
                float(speed[fastest]),
                float(times[fastest]),
                float(acceleration[hardest]),
                float(times[hardest]),
            )
        )
    columns = (
        Column("point"),
        *(Column(f"travel {'xyz'[axis]}", "m") for axis in axes),
        Column("largest speed", "m/s"),
        Column("at", "s", 4),
        Column("largest acceleration", "m/s²"),
        Column("at", "s", 4),
    )
    return (Table(columns, tuple(rows), caption=f"Travel, speed and acceleration over {SOUGHT}."),) if rows else ()


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
