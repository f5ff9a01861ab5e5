"""A body as several bodies of the core: its pieces, what bonds them, and where its nodes and its frame are.

A piece is a body with a frame of its own; undeformed, its frame stands in that of the whole body as `position` and
`rotation` say. Joints, loads and sensors go on naming the whole body: `Division.marker` says which point of which
piece is meant. Results go back by `multibody.division.histories`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from flexframe.errors import InputError
from flexframe.maths.arrays import Array, IntArray
from flexframe.model.body import Body
from flexframe.model.joints import Joint
from flexframe.model.rigid_body import RigidBody
from flexframe.model.supports import NodeSelection
from flexframe.multibody.division.reference import FittedFrame

if TYPE_CHECKING:
    from flexframe.multibody.division.exact import ExactBeams

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
