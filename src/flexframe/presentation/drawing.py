"""Bodies as parts of a scene: what is seen of their meshes, true sections of beams, symbols of what they carry."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from flexframe.maths.arrays import Array, IntArray, SparseMatrix
from flexframe.mesh.mesh import Mesh
from flexframe.model.body import Body
from flexframe.model.supports import FrameSpring
from flexframe.presentation.beam_surfaces import PIECES, BeamSurface, beam_surface
from flexframe.presentation.scenes import Number, Part
from flexframe.presentation.symbols import Carried, Site, TurningLoad, body_symbols

BUDGET = 6_000_000  # bytes of moving nodes that one scene may take
_NONE = np.empty(0, np.int64)


@dataclass(frozen=True, eq=False)
class Piece:
    """A part, whose nodes are first some of the mesh, then points that follow the mesh."""

    part: Part
    nodes: IntArray
    motion: SparseMatrix | None = None  # (6 points, 6 nodes of the mesh)
    beams: BeamSurface | None = None  # whose stations the points are

    def deform(self, points: Array, values: Array) -> Array:
        """The same as `move` where displacements and rotation vectors have any size; nodes are at `points`."""
        if self.beams is None:
            return self.move(values)
        return np.concatenate([values[..., self.nodes, :], self.beams.deform(points, values)], axis=-2)

    def move(self, values: NDArray[Number]) -> NDArray[Number]:
        """Displacements of the nodes of the part from those of the mesh, (…, nodes, 6): (…, n, 3 or 6)."""
        own = values[..., self.nodes, :]
        if self.motion is not None:
            flat = values.reshape(-1, values.shape[-2] * 6)
            points = np.asarray(self.motion @ flat.T).T.reshape(*values.shape[:-2], -1, 6)
            own = np.concatenate([own, points], axis=-2)
        return own[..., : self.part.columns]


@dataclass(frozen=True, eq=False)
class Drawing:
    """The parts of a body: itself first, then its symbols."""

    pieces: tuple[Piece, ...]
    beams: BeamSurface | None
    points: Array  # nodes of the mesh: (nodes, 3)

    @property
    def parts(self) -> tuple[Part, ...]:
        """What is drawn."""
        return tuple(piece.part for piece in self.pieces)

    def displacements(self, values: NDArray[Number]) -> tuple[NDArray[Number], ...]:
        """Small ones of each part from those of the mesh, ux … rz: (…, nodes, 6) → (…, n, 3 or 6) each."""
        return tuple(piece.move(values) for piece in self.pieces)

    def deform(self, values: Array) -> tuple[Array, ...]:
        """Displacements and rotation vectors of any size, of each part from those of the mesh."""
        return tuple(piece.deform(self.points, values) for piece in self.pieces)

    def field(self, values: Array) -> tuple[Array | None, ...]:
        """Of the body from values at the nodes of the mesh (…, nodes); symbols have none."""
        own = values[..., self.pieces[0].nodes]
        if self.beams is not None:
            flat = values.reshape(-1, values.shape[-1])
            points = np.asarray(self.beams.weights @ flat.T).T.reshape(*values.shape[:-1], -1)
            own = np.concatenate([own, points], axis=-1)
        return (own, *self.still[1:])

    @property
    def still(self) -> tuple[None, ...]:
        """No displacement, for each part."""
        return (None,) * len(self.pieces)


def drawing(
    name: str,
    mesh: Mesh,
    model: Body | None = None,
    *,
    colour: str = "",
    radius: float = 0.0,
    carried: Carried = ("masses", "supports", "springs"),
    springs: Sequence[FrameSpring] = (),
    turning: Sequence[TurningLoad] = (),
    pieces: int = PIECES,
) -> Drawing:
    """Surfaces of plane and solid cells with their edges, beams with their sections, lines of bars.

    Without `model`, the body of the mesh, beams are lines with a `radius`. `carried` says which symbols are drawn;
    `springs` stand beside those of the body, such as bearings, and so do `turning` loads. Beams have so many
    `pieces` at least.
    """
    beams = None if model is None else beam_surface(model, pieces)
    triangles = mesh.surface_triangles()
    segments = mesh.lines() if len(triangles) else _NONE.reshape(0, 2)
    lines = [b.nodes[:, :2] for b in mesh.blocks if b.cell.dimension == 1 and beams is None]
    axes = np.concatenate([_NONE.reshape(0, 2), *lines])
    used = np.unique(np.concatenate([triangles.ravel(), segments.ravel(), axes.ravel()]))
    number = np.full(mesh.node_count, -1, dtype=np.int64)
    number[used] = np.arange(used.size)
    part = Part(
        name=name,
        nodes=mesh.points[used],
        triangles=number[triangles] if len(triangles) else None,
        lines=number[axes] if len(axes) else None,
        edges=number[segments] if len(triangles) else None,
        radius=radius,
        colour=colour,
    )
    drawn = [Piece(part, used) if beams is None else _with_beams(part, used, beams)]
    if model is not None:
        symbols = body_symbols(Site(model, beams), carried, springs, turning)
        drawn += [Piece(symbol.part, _NONE, symbol.motion) for symbol in symbols]
    return Drawing(tuple(drawn), beams, mesh.points)


def _with_beams(part: Part, used: IntArray, beams: BeamSurface) -> Piece:
    """The other cells of a body, then its beams."""
    first = len(used)
    triangles = [] if part.triangles is None else [part.triangles]
    whole = Part(
        name=part.name,
        nodes=np.concatenate([part.nodes, beams.stations]),
        triangles=np.concatenate([*triangles, beams.triangles + first]),
        lines=beams.lines + first,
        edges=part.edges,
        colour=part.colour,
        skin=beams.skin.after(first),
    )
    return Piece(whole, used, beams.motion, beams)


def frames_within_budget(drawn: Drawing, frames: int, numbers: Literal[1, 2] = 1, fields: int = 0) -> int:
    """How many shapes or instants fit into the budget, at least one; complex shapes have two numbers each."""
    size = sum(4 * len(part.nodes) * (numbers * part.columns + fields) for part in drawn.parts)
    return max(1, min(frames, BUDGET // max(size, 1)))
