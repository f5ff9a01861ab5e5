"""A body as several bodies of the core: its pieces, what bonds them, where its nodes and its frame are.

The frame of a body in several pieces, from which its displacements are reported.

It obeys the same conditions as that of a body with one frame: supports and clamped nodes do not move in it, and in
the directions that these leave free it has mean axes, ∫ρu = 0 and ∫ρ x × u = 0 for the displacements u of all
pieces. With moments W_j of weights w_j that the pieces give (positions of nodes, w = 1; their directors, w = 0;
∫ρr, w = m; ∫ρx_i r, w = ∫ρx_i) all these are linear in what the frame (r_O, R) sees of them,

    Σ_j C_kj·y_j = c_k,      y_j = Rᵀ(W_j − w_j r_O) .

Positions follow by Newton's method; velocities and accelerations by differentiation, with the same matrix.

A piece is a body with a frame of its own; undeformed, its frame stands in that of the whole body as `position` and
`rotation` say. Joints, loads and sensors go on naming the whole body: `Division.marker` says which point of which
piece is meant. Results go back by `multibody.division.histories`.
"""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from flexframe.errors import AnalysisError, InputError, at_part
from flexframe.maths.arrays import Array, IntArray
from flexframe.maths.rotations import cross, rotation_from_vector, vector_from_rotation
from flexframe.model.body import Body
from flexframe.model.joints import Joint
from flexframe.model.rigid_body import BodyFrame, Placement, RigidBody
from flexframe.model.supports import NodeSelection
from flexframe.model.system import System

if TYPE_CHECKING:
    from flexframe.multibody.division.exact import ExactBeams


_ROUNDS = 60
_CLOSED = 1e-12  # last step, in radians and sizes of the body


@dataclass(frozen=True, eq=False)
class FittedFrame:
    """Conditions that place a frame: rows (ux … rz) of nodes that are zero, and shares of the mean motion."""

    nodes: IntArray  # (s,)
    rows: Array  # (s, 6)
    mean: Array  # of ∫ρu and ∫ρ x × u: (k, 6)
    size: float  # of the body [m]
    origin: int | None = None  # the node whose section it is the frame of, where there is one


@dataclass(frozen=True, eq=False)
class Moments:
    """Vectors that pieces give, in space axes, with time derivatives; their weights, and values at rest."""

    values: Array  # W: (T, J, 3)
    rates: Array
    accelerations: Array
    weights: Array  # w: (J,)
    at_rest: Array  # (J, 3)


@dataclass(frozen=True, eq=False)
class FrameHistory:
    """A frame over time, in space axes."""

    positions: Array  # (T, 3)
    rotations: Array  # (T, 3, 3)
    velocities: Array
    angular_velocities: Array
    accelerations: Array
    angular_accelerations: Array


_EPSILON = np.zeros((3, 3, 3))
for _a, _b, _c in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
    _EPSILON[_a, _b, _c], _EPSILON[_a, _c, _b] = 1.0, -1.0


def coefficients(frame: FittedFrame) -> Array:
    """C of all conditions on the moments of nodes, four each, then on the four of the mass: (k, J, 3)."""
    nodes = len(frame.nodes)
    C = np.zeros((nodes + len(frame.mean), 4 * nodes + 4, 3))
    for k, row in enumerate(frame.rows):
        C[k, 4 * k] = row[:3]
        # half the skew part of RᵀR_node, which vanishes where the rotation does
        C[k, 4 * k + 1 : 4 * k + 4] = 0.5 * np.einsum("a,akb->kb", row[3:], _EPSILON)
    for k, amounts in enumerate(frame.mean, start=nodes):
        C[k, -4] = amounts[:3]
        C[k, -3:] = np.einsum("a,aij->ij", amounts[3:], _EPSILON)
    return C


def fit_frame(frame: FittedFrame, moments: Moments, near: tuple[Array, Array], *, planar: bool) -> FrameHistory:
    """The frame that obeys the conditions, found near given positions (T, 3) and rotations (T, 3, 3)."""
    C, w = coefficients(frame), moments.weights
    columns = np.array([0, 1, 5]) if planar else np.arange(6)
    at_rest = np.einsum("kji,ji->k", C, moments.at_rest)
    r, R = near[0].copy(), near[1].copy()
    scale = np.array([frame.size] * 3 + [1.0] * 3)[columns]
    for _ in range(_ROUNDS):
        y = _in_frame(R, moments.values - w[:, None] * r[:, None])
        left = np.einsum("kji,tji->tk", C, y) - at_rest
        # the frame moved by (d, φ) sees y − w d − φ × y
        step = np.zeros((len(r), 6))
        step[:, columns] = np.linalg.solve(_matrix(C, w, y)[..., columns] * scale, left[..., None])[..., 0]
        step[:, columns] = np.clip(step[:, columns], -0.5, 0.5)
        worst = float(np.abs(step).max(initial=0.0))
        step[:, columns] *= scale
        r = r + np.einsum("tij,tj->ti", R, step[:, :3])
        R = R @ rotation_from_vector(step[:, 3:])
        if worst < _CLOSED:
            break
    else:
        raise AnalysisError(
            "the frame of a body in several parts is not found, since its supports do not hold the deformed body; "
            "leave them out for mean axes, or clamp the frame to a node"
        )
    y = _in_frame(R, moments.values - w[:, None] * r[:, None])
    A = _matrix(C, w, y)[..., columns]

    def solve(right: Array) -> tuple[Array, Array]:
        out = np.zeros((len(r), 6))
        out[:, columns] = np.linalg.solve(A, np.einsum("kji,tji->tk", C, right)[..., None])[..., 0]
        return out[:, :3], out[:, 3:]

    pushed = _in_frame(R, moments.rates)
    v, omega = solve(pushed)
    w_ = w[:, None]
    turn = np.broadcast_to(omega[:, None], y.shape)
    moved = pushed - w_ * v[:, None]  # Rᵀ(Ẇ − w ṙ)
    rate = moved - cross(turn, y)  # ẏ
    a, epsilon = solve(_in_frame(R, moments.accelerations) - cross(turn, moved) - cross(turn, rate))
    space = [np.einsum("tij,tj->ti", R, vector) for vector in (v, omega, a, epsilon)]
    return FrameHistory(r, R, space[0], space[1], space[2], space[3])


def _in_frame(R: Array, vectors: Array) -> Array:
    return np.asarray(np.einsum("tij,tki->tkj", R, vectors))


def _matrix(C: Array, weights: Array, y: Array) -> Array:
    """(Σ w C, Σ y × C): (T, k, 6)."""
    along = np.broadcast_to(np.einsum("kji,j->ki", C, weights), (len(y), len(C), 3))
    about = cross(y[:, None], np.broadcast_to(C, (len(y), *C.shape))).sum(axis=2)
    return np.concatenate([along, about], axis=2)


ORIGIN = "frame"  # marker of the rigid section that carries the frame of the whole body


@dataclass(frozen=True, eq=False)
class Piece:
    """A body of the core that is a part of another one."""

    body: Body | RigidBody
    nodes: IntArray  # of the whole body, by the piece's own numbers: (n,)
    cells: IntArray  # the same: (c,)
    ends: tuple[int, ...] = ()  # own nodes between which the others lie
    position: Array = field(default_factory=lambda: np.zeros(3))  # of its frame in that of the whole: (3,)
    rotation: Array = field(default_factory=lambda: np.eye(3))  # its axes in those of the whole: (3, 3)

    @property
    def name(self) -> str:
        """Name in the core."""
        return self.body.name


@dataclass(frozen=True, eq=False)
class Division:
    """A body in pieces.

    `frame` says where the frame of the whole body is, from which its displacements are reported: the number of
    the piece whose frame it is, or the conditions that fit it to all pieces.
    """

    whole: Body
    pieces: tuple[Piece, ...]
    bonds: tuple[Joint, ...]
    frame: int | FittedFrame
    exact: "ExactBeams | None" = None  # elements between pieces that are rigid sections

    @property
    def name(self) -> str:
        """Name of the whole body."""
        return self.whole.name

    def holders(self, on: NodeSelection) -> list[tuple[Piece, NodeSelection]]:
        """Pieces that hold all nodes of a selection, two where they meet, with the selection in their words."""
        nodes = self.whole.selected_nodes(on)
        found: list[tuple[Piece, NodeSelection]] = []
        for piece in self.pieces:
            if nodes.size and np.isin(nodes, piece.nodes).all():
                single = nodes.size == 1
                own = int(np.flatnonzero(piece.nodes == nodes[0])[0]) if single else on
                found.append((piece, own))
        return found

    def locate(self, on: NodeSelection) -> tuple[Piece, NodeSelection]:
        """The first piece that holds all nodes of a selection, and the selection in its words."""
        found = self.holders(on)
        if not found:
            raise InputError(
                f"the nodes '{on}' of {self.name} are in several of its {len(self.pieces)} parts, which move "
                "against each other; name a single node"
            )
        return found[0]

    def marker(self, point: str) -> str:
        """The marker "piece.point" that a point of the whole body is; without a point its frame."""
        if point:
            piece, on = self.locate(int(point) if point.isdigit() else point)
            return f"{piece.name}.{on}"
        if isinstance(self.frame, int):
            piece = self.pieces[self.frame]
            return piece.name if self.exact is None else f"{piece.name}.{ORIGIN}"
        if self.frame.origin is not None:
            return self.marker(str(self.frame.origin))
        raise InputError(
            f"'{self.name}' alone is the origin of its frame, which is no point of a body in "
            f"{len(self.pieces)} parts; name one of its nodes, or clamp its frame to some"
        )


def owners(pieces: Sequence[IntArray], count: int) -> IntArray:
    """The piece that answers for each node, the first one that has it; −1 where none does: (count,)."""
    found = np.full(count, -1, dtype=np.int64)
    for number in range(len(pieces) - 1, -1, -1):
        found[pieces[number]] = number
    return found


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
                start[piece.name] = _place_piece(system.start.get(body.name, Placement()), piece)
        start.pop(body.name, None)
    bonds = [bond for division in divisions.values() for bond in division.bonds]
    given: dict[str, Any] = {each.name: getattr(system, each.name) for each in fields(System)}
    given |= {"bodies": bodies, "joints": (*system.joints, *bonds), "start": start}
    return DividedSystem(**given, described=system, divisions=divisions)


def _place_piece(start: Placement, piece: Piece) -> Placement:
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
