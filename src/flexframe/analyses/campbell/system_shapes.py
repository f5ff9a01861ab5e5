"""How all bodies of a system move in small motions about states of it, scaled for pictures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from flexframe.analyses.transient.coupled.elastic_parts import ElasticPart
from flexframe.maths.arrays import Array, ComplexArray
from flexframe.maths.rotations import rotation_from_quaternion
from flexframe.multibody.contract import DynamicState, DynamicSystem
from flexframe.multibody.division.pieces import Piece, described_system, divisions_of
from flexframe.reduction.expansion import nodal_displacements


@dataclass(frozen=True, eq=False)
class BodyShapes:
    """How one body moves in the branches at the states whose shapes are kept.

    A point x of the body stands at r + R x, and moves by R (d + θ × x + w).
    """

    name: str
    positions: Array  # r in space, steady: (snapshots, 3)
    rotations: Array  # R: (snapshots, 3, 3)
    rigid: ComplexArray  # d, θ in body axes: (snapshots, branches, 6)
    elastic: ComplexArray | None  # w and its rotations, in body axes: (snapshots, branches, nodes, 6)
    points: Array | None = None  # x of the nodes of a body of exact beams: (snapshots, nodes, 3)

    def displacements(self, points: Array, picture: int, branch: int) -> ComplexArray:
        """Of points (p, 3) of a body, or of the nodes of its mesh where it is elastic, in space axes: (p, 3)."""
        return np.asarray(self.in_body(points, picture, branch)[:, :3] @ self.rotations[picture].T)

    def in_body(self, points: Array, picture: int, branch: int) -> ComplexArray:
        """Displacements and rotations of the same points in body axes: (p, 6)."""
        d, theta = self.rigid[picture, branch, :3], self.rigid[picture, branch, 3:]
        moved = np.concatenate([d + np.cross(theta, points), np.broadcast_to(theta, points.shape)], axis=1)
        return moved if self.elastic is None else moved + self.elastic[picture, branch]

    def variables(self, branch: str) -> dict[str, Any]:
        """Its shapes about the first state, as named arrays over an axis of that name."""

        def parts(values: ComplexArray) -> Array:
            return np.stack([values.real, values.imag], -1)

        out: dict[str, Any] = {f"{self.name}_rigid_shape": ((branch, "dof", "part"), parts(self.rigid[0]))}
        if self.elastic is not None:
            places = (branch, f"{self.name}_node", "axis", "part")
            out[f"{self.name}_elastic_shape"] = (places, parts(self.elastic[0, ..., :3]))
        return out

    def divide(self, sizes: ComplexArray) -> "BodyShapes":
        """The same over sizes (snapshots, branches)."""
        scale = sizes[..., None]
        elastic = None if self.elastic is None else self.elastic / scale[..., None]
        return replace(self, rigid=self.rigid / scale, elastic=elastic)


def body_shapes(
    system: DynamicSystem,
    parts: Mapping[str, ElasticPart],
    states: Sequence[DynamicState],
    vectors: Sequence[ComplexArray],
) -> list[BodyShapes]:
    """Of all described bodies: changes of position (n, branches) about each of the states."""
    made = {}
    for b, body in enumerate(system.bodies):
        numbers = system.tables.bodies.numbers[b][: 6 + body.size]
        moved = np.array([np.where(numbers[:, None] >= 0, found[numbers], 0.0).T for found in vectors])
        elastic = None
        if body.size:
            part = parts[body.name]
            flat = moved[..., 6:].reshape(-1, body.size)
            nodal = [nodal_displacements(part.discrete, part.reduced.basis, x) for x in (flat.real, flat.imag)]
            elastic = (nodal[0] + 1j * nodal[1])[:, : part.nodes].reshape(*moved.shape[:2], part.nodes, 6)
        positions = np.array([state.positions[b] for state in states])
        rotations = np.array([rotation_from_quaternion(state.quaternions[b]) for state in states])
        made[body.name] = BodyShapes(body.name, positions, rotations, moved[..., :6], elastic)
    return _whole(system, made)


def _whole(system: DynamicSystem, computed: Mapping[str, BodyShapes]) -> list[BodyShapes]:
    """Pieces of divided bodies put together: all move as the first one, with the rest as elastic displacement."""
    divisions, made = divisions_of(system.system), []
    for body in described_system(system.system).bodies:
        if body.name not in divisions:
            made.append(computed[body.name])
            continue
        division, points = divisions[body.name], divisions[body.name].whole.mesh.points
        first = _frame_of_whole(computed[division.pieces[0].name], division.pieces[0])
        elastic = np.zeros((*first.rigid.shape[:2], len(points), 6), dtype=complex)
        for picture, branch in np.ndindex(*first.rigid.shape[:2]):
            rigid = replace(first, elastic=None).in_body(points, picture, branch)
            for piece in reversed(division.pieces):
                own = computed[piece.name]
                turn = np.kron(np.eye(2), first.rotations[picture].T @ own.rotations[picture])
                moved = own.in_body((points[piece.nodes] - piece.position) @ piece.rotation, picture, branch)
                elastic[picture, branch, piece.nodes] = moved @ turn.T - rigid[piece.nodes]
        bent = None if division.exact is None else _standing(first, [computed[p.name] for p in division.pieces])
        made.append(replace(first, name=body.name, elastic=elastic, points=bent))
    return made


def _frame_of_whole(own: BodyShapes, piece: Piece) -> BodyShapes:
    """The frame of a whole body that moves with one of its pieces."""
    rotations = own.rotations @ piece.rotation.T
    theta = own.rigid[..., 3:] @ piece.rotation.T
    d = own.rigid[..., :3] @ piece.rotation.T - np.cross(theta, piece.position)
    return BodyShapes(
        own.name,
        own.positions - rotations @ piece.position,
        rotations,
        np.concatenate([d, theta], axis=-1),
        None,
    )


def _standing(first: BodyShapes, sections: Sequence[BodyShapes]) -> Array:
    """Where sections stand in the frame of their body: (snapshots, nodes, 3)."""
    apart = np.stack([own.positions for own in sections], axis=1) - first.positions[:, None]
    return np.asarray(apart @ first.rotations)


def normalise_shapes(system: DynamicSystem, shapes: Sequence[BodyShapes]) -> tuple[BodyShapes, ...]:
    """The same, each branch divided by its largest displacement, which is 1 (real) then."""
    snapshots, branches = shapes[0].rigid.shape[:2]
    largest = np.zeros((snapshots, branches), dtype=complex)
    points = {body.name: _points(system, body.name) for body in shapes}
    for i, b in np.ndindex(snapshots, branches):
        moved = np.concatenate([body.displacements(points[body.name], i, b).ravel() for body in shapes])
        largest[i, b] = moved[np.argmax(np.abs(moved))] or 1.0
    return tuple(body.divide(largest) for body in shapes)


def _points(system: DynamicSystem, name: str) -> Array:
    """Places of a body that tell how far it moves: nodes of its mesh, or its named points and centre."""
    body = system.system.body(name)
    if body.mesh is not None:
        return np.asarray(body.mesh.points)
    own = system.bodies[system.number(name)]
    centre = own.first_moment / own.mass if own.mass else np.zeros(3)
    frames = getattr(body, "frames", {})
    return np.array([centre, np.zeros(3), *(frame.point for frame in frames.values())])
