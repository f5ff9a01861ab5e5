"""Pictures of the shapes of a system: its bodies where they stand, and how they move."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from flexframe.analyses.campbell.system_shapes import BodyShapes
from flexframe.assembly.discrete import displaced_body
from flexframe.maths.arrays import Array, ComplexArray
from flexframe.mesh.mesh import Mesh
from flexframe.model.body import Body
from flexframe.model.rigid_body import RigidBody
from flexframe.model.system import System
from flexframe.presentation.blocks import COLOURS
from flexframe.presentation.drawing import Drawing
from flexframe.presentation.mechanism_scene import body_parts
from flexframe.presentation.scenes import Part


@dataclass(frozen=True, eq=False)
class Shapes:
    """Drawings of all bodies in their own axes, with how they move; bodies of exact beams are drawn bent."""

    bodies: tuple[Body | RigidBody, ...]  # undeformed
    drawings: tuple[Drawing | Part, ...]
    shapes: tuple[BodyShapes, ...]

    @staticmethod
    def of(system: System, shapes: Sequence[BodyShapes]) -> "Shapes":
        """Of the bodies of a system, as they stand in the first picture."""
        bodies = tuple(system.bodies)
        size = max(float(np.ptp([s.positions[0] for s in shapes], axis=0).max()), 1e-9)
        extents = [float(np.ptp(body.mesh.points, axis=0).max()) for body in bodies if body.mesh is not None]
        size = max([size, *extents])
        drawn = tuple(
            body_parts(_bend(body, shape), COLOURS[k % len(COLOURS)], size)
            for k, (body, shape) in enumerate(zip(bodies, shapes, strict=True))
        )
        return Shapes(bodies, drawn, tuple(shapes))

    @property
    def parts(self) -> tuple[Part, ...]:
        """As they stand in space."""
        return tuple(
            _place_part(part, shape.positions[0], shape.rotations[0])
            for drawn, shape in zip(self.drawings, self.shapes, strict=True)
            for part in ((drawn,) if isinstance(drawn, Part) else drawn.parts)
        )

    def displacements(self, picture: int, branch: int) -> tuple[ComplexArray, ...]:
        """Displacements of the parts in a branch, and rotations of those with a skin, in axes of space."""
        return tuple(
            u
            for body, drawn, shape in zip(self.bodies, self.drawings, self.shapes, strict=True)
            for u in _body_displacements(drawn, shape, body.mesh, picture, branch)
        )


def _bend(body: Body | RigidBody, shape: BodyShapes) -> Body | RigidBody:
    if shape.points is None or not isinstance(body, Body):
        return body
    return displaced_body(body, shape.points[0])


def _place_part(part: Part, position: Array, rotation: Array) -> Part:
    """A part as it stands in space."""
    skin = None if part.skin is None else replace(part.skin, offsets=part.skin.offsets @ rotation.T)
    return replace(part, nodes=position + part.nodes @ rotation.T, skin=skin)


def _body_displacements(
    drawn: Drawing | Part, body: BodyShapes, mesh: Mesh | None, place: int, branch: int
) -> list[ComplexArray]:
    """Of one body."""
    if isinstance(drawn, Part) or mesh is None:
        assert isinstance(drawn, Part)
        return [body.displacements(drawn.nodes, place, branch)]
    turn = np.kron(np.eye(2), body.rotations[place])
    found = drawn.displacements(body.in_body(mesh.points, place, branch))
    return [np.asarray(u @ turn[: u.shape[1], : u.shape[1]].T) for u in found]
