"""Moments that act on the bodies of a system, and drives that turn them, as bent arrows about their axes."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from flexframe.maths.arrays import Array, IntArray
from flexframe.maths.rotations import quaternion_from_rotation
from flexframe.model.constraints import Law, TimeLaw, follows_state, state_law
from flexframe.model.drives import AngleDrive
from flexframe.model.system import GROUND
from flexframe.model.system_loads import Actuator, MarkerForce
from flexframe.motion.frame import vector3
from flexframe.multibody.motion import MechanismMotion
from flexframe.presentation.scenes import Part, PartMotion
from flexframe.presentation.symbols import bent_arrow

RADIUS = 0.06  # of a bent arrow, in sizes of the motion
Places = Callable[[str], Array]
"""Where a marker is at the instants that are shown: (instants, 3)."""


def moment_parts(
    motion: MechanismMotion, kept: IntArray, places: Places, size: float
) -> Iterator[tuple[Part, PartMotion]]:
    """A bent arrow for every moment at a marker, torque between two and drive of an angle, the way it turns first.

    Its size stands beside it where it is constant.
    """
    system, times = motion.mechanism.system, motion.times[kept]
    for load in system.loads:
        if isinstance(load, MarkerForce):
            axis, value = _moment(load.moment, times)
            carrier = load.on if load.axes == "body" else GROUND
            frame = np.eye(3)
        elif isinstance(load, Actuator) and load.along == "angle":
            law = state_law(load.law)
            axis, value = vector3(load.axis or (0.0, 0.0, 1.0), f"axis of {load.name}"), _constant(law, times)
            axis = axis * _way(law, times)
            carrier, frame = load.first, system.frame(load.first)[1].axes
        else:
            continue
        if axis.any():
            words = load.name if value is None else f"{load.name} {abs(value):.4g} N m"
            place = load.on if isinstance(load, MarkerForce) else load.second
            yield _bent(words, frame @ axis, size, "orange"), _moving(motion, kept, places(place), carrier)
    for drive in system.drives:
        if isinstance(drive, AngleDrive):
            axis = vector3(drive.axis, f"axis of {drive.name}")
            if not (drive.follows or follows_state(law := state_law(drive.law))):
                rates = law.jet(times)[1]
                axis = axis * (np.sign(rates[np.flatnonzero(rates)[:1]]).sum() or 1.0)
            frame = system.frame(drive.first)[1].axes
            moving = _moving(motion, kept, places(drive.second), drive.first)
            yield _bent(drive.name, frame @ axis, size, "purple"), moving


def _moment(laws: Sequence[Law], times: Array) -> tuple[Array, float | None]:
    """The way of a moment where it is first not zero, and its size if it does not change."""
    parts = [state_law(law) for law in (*laws, 0.0, 0.0, 0.0)[:3]]
    if any(map(follows_state, parts)):
        return np.array([float(follows_state(part)) for part in parts]), None
    vectors = np.stack([part.jet(times)[0] for part in parts], axis=1)
    sizes = np.linalg.norm(vectors, axis=1)
    if not sizes.any():
        return np.zeros(3), None
    first = vectors[int(np.flatnonzero(sizes)[0])]
    return first, float(sizes[0]) if np.ptp(vectors, axis=0).max() <= 1e-9 * sizes.max() else None


def _constant(law: TimeLaw, times: Array) -> float | None:
    if follows_state(law):
        return None
    values = law.jet(times)[0]
    return float(values[0]) if np.ptp(values) <= 1e-9 * np.abs(values).max() else None


def _way(law: TimeLaw, times: Array) -> float:
    """The sign of a law where it is first not zero; positive where it is not known, zero where it never acts."""
    if follows_state(law):
        return 1.0
    values = law.jet(times)[0]
    return float(np.sign(values[np.flatnonzero(values)[:1]]).sum())


def _bent(words: str, axis: Array, size: float, colour: str) -> Part:
    solid = bent_arrow(axis / np.linalg.norm(axis), RADIUS * size, 0.006 * size)
    return Part(words, solid.vertices, triangles=solid.triangles, colour=colour, symbol=True, label=words)


def _moving(motion: MechanismMotion, kept: IntArray, places: Array, carrier: str) -> PartMotion:
    """A part about the origin that follows a marker, and turns with the body that has its axis."""
    owner = carrier.partition(".")[0]
    turns = None if owner == GROUND else quaternion_from_rotation(motion.body(owner).rotations[kept])
    return PartMotion(places, turns)
