"""Wheels, racks and belts of transmissions as outlines that turn with their bodies."""

from collections.abc import Iterator

import numpy as np

from flexframe.maths.arrays import Array
from flexframe.model.constraints import two_normals
from flexframe.model.system import GROUND
from flexframe.model.transmissions.belts import Belt
from flexframe.model.transmissions.contract import Transmission
from flexframe.model.transmissions.gears import Gear, Rack
from flexframe.multibody.motion import MechanismMotion
from flexframe.presentation.scenes import Part

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
