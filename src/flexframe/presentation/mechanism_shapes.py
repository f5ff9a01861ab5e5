"""What a mechanism shows beside its bodies: shapes that touch, wheels, racks and belts, moments as bent arrows."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from flexframe.maths.arrays import Array, IntArray
from flexframe.maths.rotations import quaternion_from_rotation
from flexframe.model.constraints import Law, TimeLaw, follows_state, state_law, two_normals
from flexframe.model.contacts import Contact, ShapeSize
from flexframe.model.drives import AngleDrive
from flexframe.model.system import GROUND
from flexframe.model.system_loads import Actuator, MarkerForce
from flexframe.model.transmissions.belts import Belt
from flexframe.model.transmissions.contract import Transmission
from flexframe.model.transmissions.gears import Gear, Rack
from flexframe.motion.frame import vector3
from flexframe.multibody.motion import MechanismMotion
from flexframe.presentation.scenes import Part, PartMotion
from flexframe.presentation.symbols import bent_arrow

_ROUND = np.linspace(0.0, 2 * np.pi, 49)
_PLANE = 0.6  # half a side of the part of a plane that is drawn, in sizes of the system
_FINE = 6  # straight pieces between two points of a smooth curve


def contact_parts(motion: MechanismMotion, size: float, colours: dict[str, str]) -> list[tuple[str, Part]]:
    """Outlines of the shapes of all contacts with the bodies that carry them, each once."""
    system = motion.mechanism.system
    found: dict[tuple[str, float, int, bool], tuple[str, Part]] = {}
    for contact in system.contacts:
        outlines = _first(contact, size, planar=motion.mechanism.planar), _second(contact, motion.mechanism.planar)
        for marker, shape, curves in zip((contact.first, contact.second), contact.shapes(), outlines, strict=True):
            body, frame = system.frame(marker)
            for number, curve in enumerate(curves):
                nodes = frame.point + curve @ (frame.axes @ shape.axes).T
                numbers = np.arange(len(nodes))
                part = Part(
                    f"{contact.name}, {body}",
                    nodes,
                    lines=np.stack([numbers[:-1], numbers[1:]], axis=1).astype(np.int64),
                    radius=0.003 * size,
                    colour=colours.get(body, "grey"),
                )
                found.setdefault((marker, round(shape.radius / size, 9), number, body == GROUND), (body, part))
    return list(found.values())


def ball_radii(motion: MechanismMotion) -> dict[str, float]:
    """Radii [m] of the bodies that touch others as a sphere about one of their points."""
    system = motion.mechanism.system
    found: dict[str, float] = {}
    for contact in system.contacts:
        for marker, shape in zip((contact.first, contact.second), contact.shapes(), strict=True):
            body, _ = system.frame(marker)
            if body != GROUND and shape.radius and not shape.length:
                found.setdefault(body, shape.radius)
    return found


def _first(contact: Contact, size: float, *, planar: bool) -> list[Array]:
    """Of the surface that is touched, in the axes of its shape: a curve, a plane across x, or circles."""
    table, _ = contact.curve()
    if len(table):
        return [_curve(table)]
    if contact.kind in ("sphere_plane", "cylinder_plane"):
        half = _PLANE * size
        if planar:
            # z of the system is one of the two directions of the plane
            shape = contact.shapes()[0]
            along = np.cross(shape.axes[:, 0], (0.0, 0.0, 1.0)) @ shape.axes
            return [np.array([-half * along, half * along])]
        corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)]) * half
        return [np.column_stack([np.zeros(5), corners])]
    return _circles(contact.shapes()[0], planar=planar)


def _second(contact: Contact, planar: bool) -> list[Array]:
    return _circles(contact.shapes()[1], planar=planar)


def _circles(shape: ShapeSize, *, planar: bool) -> list[Array]:
    """A circle of a sphere in the plane, two of one in space, the rims of a cylinder; none of a point."""
    if shape.radius == 0:
        return []
    c, s, none = shape.radius * np.cos(_ROUND), shape.radius * np.sin(_ROUND), np.zeros(len(_ROUND))
    around = np.column_stack([c, s, none])
    if shape.length:
        return [around + np.array([0.0, 0.0, end * shape.length / 2]) for end in (-1, 1)]
    return [around] if planar else [around, np.column_stack([c, none, s])]


def _curve(table: Array) -> Array:
    """Points along a curve of which parameter, point and second derivative are known: cubics between them."""
    parameter, points, bends = table[:, 0], table[:, 1:3], table[:, 3:5]
    h = np.diff(parameter)[:, None, None]
    b = (np.arange(_FINE) / _FINE)[None, :, None]
    a = 1.0 - b
    straight = a * points[:-1, None] + b * points[1:, None]
    bent = ((a**3 - a) * bends[:-1, None] + (b**3 - b) * bends[1:, None]) * h**2 / 6
    inner = (straight + bent).reshape(-1, 2)
    flat = np.vstack([inner, points[-1:]])
    return np.column_stack([flat, np.zeros(len(flat))])


_TEETH = 24  # of a wheel whose number is not given
_MOST_TEETH = 80
_HEIGHT = 0.6  # of a tooth, as a part of its pitch
_RACK = 8.0  # length of a rack in radii of its pinion


def wheel_parts(motion: MechanismMotion, size: float, colours: dict[str, str]) -> list[tuple[str, Part]]:
    """Outlines of all transmissions with the bodies that carry them."""
    found: dict[tuple[str, float], Part] = {}
    for joint in motion.mechanism.system.joints:
        if isinstance(joint, Transmission):
            for body, radius, nodes in _outlines(motion, joint):
                numbers = np.arange(len(nodes))
                part = Part(
                    f"{joint.name}, {body}",
                    nodes,
                    lines=np.stack([numbers[:-1], numbers[1:]], axis=1).astype(np.int64),
                    radius=0.004 * size,
                    colour=colours.get(body, "grey"),
                )
                found.setdefault((body, round(radius / size, 6)), part)
    return [(body, part) for (body, _), part in found.items()]


def _outlines(motion: MechanismMotion, joint: Transmission) -> Iterator[tuple[str, float, Array]]:
    """Body, radius and outline in its axes."""
    match joint:
        case Gear(second_axis=None):
            apart, slope = _distance(motion, joint), abs(joint.slope)
            gap = abs(1.0 - slope) if joint.internal else 1.0 + slope
            if apart == 0.0 or gap == 0.0:
                return
            second = apart / gap
            teeth = joint.teeth or (_TEETH, _TEETH / slope)
            for marker, radius, count in zip(
                (joint.first, joint.second), (slope * second, second), teeth, strict=True
            ):
                yield _wheel(motion, marker, joint.axis, radius, count)
        case Rack():
            yield _wheel(motion, joint.first, joint.axis, joint.radius, _TEETH)
            yield _rack(motion, joint)
        case Belt():
            for marker, radius in zip((joint.first, joint.second), joint.radii, strict=True):
                yield _wheel(motion, marker, joint.axis, radius, 0)


def _distance(motion: MechanismMotion, joint: Transmission) -> float:
    first, second = (motion.marker(marker)[0][0] for marker in (joint.first, joint.second))
    return float(np.linalg.norm(second - first))


def _wheel(
    motion: MechanismMotion, marker: str, axis: tuple[float, ...], radius: float, teeth: float
) -> tuple[str, float, Array]:
    """A rim with teeth and a spoke, which shows how it turns."""
    body, frame = motion.mechanism.system.frame(marker)
    u, v = (frame.axes @ np.array(direction) for direction in two_normals(axis))
    count = int(min(max(round(teeth), 3), _MOST_TEETH)) if teeth else 0
    angles, heights = np.linspace(0.0, 2 * np.pi, 73), np.zeros(73)
    if count:
        corners = np.array([0.0, 0.15, 0.35, 0.5])  # of a pitch: up, along the tip, down
        angles = np.append(((np.arange(count)[:, None] + corners) / count).ravel(), 1.0) * 2 * np.pi
        heights = np.append(np.tile([-1.0, 1.0, 1.0, -1.0], count), -1.0)
    reach = radius * (1.0 + heights * 0.5 * _HEIGHT * np.pi / max(count, 1))
    rim = reach[:, None] * (np.cos(angles)[:, None] * u + np.sin(angles)[:, None] * v)
    spoke = [] if body == GROUND else [np.zeros(3)]
    return body, radius, frame.point + np.array([*spoke, *rim])


def _rack(motion: MechanismMotion, joint: Rack) -> tuple[str, float, Array]:
    """A straight row of teeth through the marker of the rack, along its travel at the first instant."""
    system = motion.mechanism.system
    (carrier, at_carrier), (body, frame) = system.frame(joint.carrier), system.frame(joint.second)
    along = at_carrier.axes @ np.array((*joint.direction, 0.0)[:3], dtype=float)
    if carrier != GROUND:
        along = motion.body(carrier).rotations[0] @ along
    along = motion.body(body).rotations[0].T @ along / np.linalg.norm(along)
    across = np.cross(_axis(at_carrier.axes, joint.axis), along)
    pitch = 2 * np.pi * joint.radius / _TEETH
    count = int(_RACK * joint.radius / pitch)
    places = ((np.arange(count)[:, None] + np.array([0.0, 0.15, 0.35, 0.5])).ravel() - count / 2) * pitch
    heights = np.tile([-1.0, 1.0, 1.0, -1.0], count) * 0.25 * _HEIGHT * pitch
    return body, joint.radius, frame.point + places[:, None] * along + heights[:, None] * across


def _axis(axes: Array, axis: tuple[float, ...]) -> Array:
    return np.asarray(axes @ np.array((*axis, 0.0)[:3], dtype=float))


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
            yield _bent_arrow(words, frame @ axis, size, "orange"), _moving(motion, kept, places(place), carrier)
    for drive in system.drives:
        if isinstance(drive, AngleDrive):
            axis = vector3(drive.axis, f"axis of {drive.name}")
            if not (drive.follows or follows_state(law := state_law(drive.law))):
                rates = law.jet(times)[1]
                axis = axis * (np.sign(rates[np.flatnonzero(rates)[:1]]).sum() or 1.0)
            frame = system.frame(drive.first)[1].axes
            moving = _moving(motion, kept, places(drive.second), drive.first)
            yield _bent_arrow(drive.name, frame @ axis, size, "purple"), moving


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


def _bent_arrow(words: str, axis: Array, size: float, colour: str) -> Part:
    solid = bent_arrow(axis / np.linalg.norm(axis), RADIUS * size, 0.006 * size)
    return Part(words, solid.vertices, triangles=solid.triangles, colour=colour, symbol=True, label=words)


def _moving(motion: MechanismMotion, kept: IntArray, places: Array, carrier: str) -> PartMotion:
    """A part about the origin that follows a marker, and turns with the body that has its axis."""
    owner = carrier.partition(".")[0]
    turns = None if owner == GROUND else quaternion_from_rotation(motion.body(owner).rotations[kept])
    return PartMotion(places, turns)
