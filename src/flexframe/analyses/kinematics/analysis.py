"""Kinematics of a driven mechanism."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from flexframe.analyses.judging import judge
from flexframe.analyses.kinematics.record import Kinematics
from flexframe.analyses.peak_instants import Seen, peaks_between, with_peaks
from flexframe.analyses.transient.record import SensorHistory
from flexframe.errors import AnalysisError
from flexframe.given import numbers
from flexframe.maths.arrays import Array, IntArray
from flexframe.model.contacts import require_no_contacts
from flexframe.model.joint_contacts import with_ideal_joints
from flexframe.model.system import System
from flexframe.multibody.closure import assembly_branches
from flexframe.multibody.inverse_dynamics import MechanismForces, MechanismState
from flexframe.multibody.kinematics import follow
from flexframe.multibody.laws import require_finite_laws
from flexframe.multibody.mechanism import mechanism
from flexframe.multibody.motion import MechanismMotion
from flexframe.sensors.contract import Sensor, read_all
from flexframe.sensors.kinds import watched_markers
from flexframe.stages import checking


@judge
def kinematics(
    system: System,
    times: ArrayLike,
    *,
    branch: int | None = None,
    sensors: Mapping[str, Sensor] | None = None,
) -> Kinematics:
    """Positions, velocities and accelerations of every body at increasing times [s].

    Of several assemblies the one nearest to the rough start is taken, or the one with the number `branch`, counted
    from 1 by the distance from the rough start at the first time.

    Parameters
    ----------
    system
        Bodies with joints, and drives for every freedom.
    times
        Increasing times [s].
    branch
        Number of the assembly, from 1.
    sensors
        By name, see `flexframe.sensors`.

    Returns
    -------
    Kinematics
        Positions [m], rotations [rad], velocities and accelerations in space, over time.

    Examples
    --------
    >>> crank = ff.RigidBody.rod("crank", length=0.3, mass=1.2)
    >>> system = ff.System(
    ...     [crank], [ff.Revolute("A", "ground", "crank")], [ff.AngleDrive("motor", "ground", "crank", "10*t")]
    ... )
    >>> found = ff.kinematics(system, [0.0, 0.1])
    >>> found.motion.body("crank").angles.round(6)
    array([0., 1.])
    """
    t = numbers(times, "times")
    system, ideal = with_ideal_joints(system)
    motion, words = driven_motion(system, t[:1] if checking() else t, branch, known=t)

    def look(instants: Array) -> Seen:
        there = between_instants(motion, instants)
        return Seen(there, None, mechanism_sensors(sensors, there))

    seen = mechanism_sensors(sensors, motion)
    between = peaks_between(Seen(motion, None, seen), look)
    return Kinematics(
        motion,
        branch=words,
        notices=(*motion.notices, *ideal),
        sensors=with_peaks(seen, motion.times, between),
        watched=watched_markers(system, sensors or {}),
        between=between,
    )


def between_instants(motion: MechanismMotion, instants: Array) -> MechanismMotion:
    """A driven motion at other increasing times [s] after its first."""
    first = motion.configuration.at(slice(0, 1))
    found = follow(motion.mechanism, np.concatenate([motion.times[:1], instants]), first)
    return at_instants(found, slice(1, None))


def at_instants(motion: MechanismMotion, instants: IntArray | slice) -> MechanismMotion:
    """A motion at some of its instants."""
    return replace(
        motion,
        times=motion.times[instants],
        configuration=motion.configuration.at(instants),
        velocities=motion.velocities.at(instants),
        accelerations=motion.accelerations.at(instants),
    )


def driven_motion(
    system: System, times: Array, branch: int | None = None, *, known: Array | None = None
) -> tuple[MechanismMotion, str]:
    """The motion at increasing times [s], and the assembly in words; laws must be finite at the `known` times."""
    require_no_contacts(system.all_contacts[len(system.contacts) :], "a motion that drives prescribe")
    ready = mechanism(system)
    require_finite_laws(system, times if known is None else known)
    if branch is None:
        return follow(ready, times), ""
    found = assembly_branches(ready, float(times[0]))
    if not 1 <= branch <= len(found):
        raise AnalysisError(
            f"the linkage has {len(found)} assemblies at the first time, there is no number {branch}; "
            f"give 1 to {len(found)}"
            if found
            else "the linkage cannot be assembled at the first time; check the lengths of the links",
            field="branch",
        )
    chosen = found[branch - 1]
    return follow(ready, times, chosen.configuration), f"{chosen.name} of {len(found)}"


def mechanism_sensors(
    sensors: Mapping[str, Sensor] | None,
    motion: MechanismMotion,
    forces: MechanismForces | None = None,
    *,
    analysis: str = "kinematics",
) -> dict[str, SensorHistory]:
    """What sensors see of rigid bodies; a vector by its components, such as "tip y"."""
    state = MechanismState.of(analysis, motion, forces)
    return {
        column: SensorHistory(found.unit, values)
        for name, found in read_all(sensors or {}, state).items()
        for column, values in found.columns(name).items()
    }
