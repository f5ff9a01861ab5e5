"""Shapes that touch, as outlines that move with their bodies: circles, planes, curves, cylinders."""

import numpy as np

from flexframe.maths.arrays import Array
from flexframe.model.contacts import Contact, ShapeSize
from flexframe.model.system import GROUND
from flexframe.multibody.motion import MechanismMotion
from flexframe.presentation.scenes import Part

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
