"""A system some of whose bodies are divided: bodies of the core, and the markers that the description names."""

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from flexframe.errors import at_part
from flexframe.maths.rotations import rotation_from_vector, vector_from_rotation
from flexframe.model.body import Body
from flexframe.model.rigid_body import BodyFrame, Placement, RigidBody
from flexframe.model.system import System
from flexframe.multibody.division.pieces import Division, Piece


@dataclass(frozen=True, eq=False)
class DividedSystem(System):
    """A system of the core: pieces in the place of divided bodies, and their bonds among the joints.

    Joints, drives, loads, contacts and sensors are those of the system as it is described; the markers that they
    name are found by `resolve`.
    """

    described: System | None = None
    divisions: Mapping[str, Division] = field(default_factory=dict)

    def resolve(self, marker: str) -> str:
        owner, _, point = marker.partition(".")
        return self.divisions[owner].marker(point) if owner in self.divisions else marker

    def pieces_of(self, body: str) -> tuple[str, ...]:
        if body not in self.divisions:
            return (body,)
        return tuple(piece.name for piece in self.divisions[body].pieces)

    def body(self, name: str) -> RigidBody | Body:
        return self.divisions[name].whole if name in self.divisions else super().body(name)

    def frame(self, marker: str, wanted_by: str = "") -> tuple[str, BodyFrame]:
        part = () if self.described is None else self.described.parts.get(wanted_by, ())
        with at_part(*part) if part else nullcontext():
            body, frame = super().frame(self.resolve(marker), wanted_by)
        owner, _, point = marker.partition(".")
        turned = self.divisions[owner].whole.axes.get(point) if owner in self.divisions else None
        if turned is None:
            return body, frame
        axes = frame.axes @ rotation_from_vector(np.asarray(turned, dtype=float))
        return body, BodyFrame(frame.point, vector_from_rotation(axes))


def divisions_of(system: System) -> Mapping[str, Division]:
    """The divided bodies of a system, by name."""
    return system.divisions if isinstance(system, DividedSystem) else {}


def described_system(system: System) -> System:
    """The system whose bodies are whole."""
    if not isinstance(system, DividedSystem):
        return system
    assert system.described is not None, "a divided system is made from another one"
    return system.described


def whole_name(system: System, body: str) -> str:
    """The name that the description has for a body of the core."""
    for name, division in divisions_of(system).items():
        if any(piece.name == body for piece in division.pieces):
            return name
    return body


def divided_system(system: System, divisions: Mapping[str, Division]) -> System:
    """The system with pieces in the place of the divided bodies; itself where there are none."""
    if not divisions:
        return system
    bodies: list[RigidBody | Body] = []
    start = dict(system.start)
    for body in system.bodies:
        if body.name not in divisions:
            bodies.append(body)
            continue
        division = divisions[body.name]
        for piece in division.pieces:
            bodies.append(piece.body)
            # sections of exact beams are apart from each other wherever the body is
            if body.name in system.start or division.exact is not None:
                start[piece.name] = _placed(system.start.get(body.name, Placement()), piece)
        start.pop(body.name, None)
    bonds = [bond for division in divisions.values() for bond in division.bonds]
    given: dict[str, Any] = {each.name: getattr(system, each.name) for each in fields(System)}
    given |= {"bodies": bodies, "joints": (*system.joints, *bonds), "start": start}
    return DividedSystem(**given, described=system, divisions=divisions)


def _placed(start: Placement, piece: Piece) -> Placement:
    """Where a piece starts when the whole body does there, undeformed."""
    R = rotation_from_vector(start.rotation)
    arm = R @ piece.position
    return Placement(
        position=start.position + arm,
        rotation=start.rotation
        if (piece.rotation == np.eye(3)).all()
        else vector_from_rotation(R @ piece.rotation),
        velocity=start.velocity + np.cross(start.angular_velocity, arm),
        angular_velocity=start.angular_velocity,
    )
