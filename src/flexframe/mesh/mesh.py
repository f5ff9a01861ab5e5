"""A mesh: points, blocks of cells, and named sets of nodes, facets and cells."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from flexframe.errors import InputError
from flexframe.maths.arrays import Array, BoolArray, IntArray
from flexframe.maths.graphs import connected_parts
from flexframe.mesh import blocks as topology
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.cells import Cell
from flexframe.mesh.validation import (
    find_set,
    frozen_integers,
    frozen_points,
    frozen_set,
    frozen_tangents,
    require_length,
    require_range,
    unknown_name,
)

__all__ = ["CellBlock", "Mesh", "Predicate"]

Predicate = Callable[[Array], BoolArray]
"""Points (n, 3) → which of them are wanted (n)."""


@dataclass(frozen=True, eq=False)
class Mesh:
    """Points and cells with named sets; all arrays are read-only copies, sets are sorted and unique.

    Points given with two coordinates get z = 0. Cell numbers count through the blocks in their order.
    Labels are the numbers used in the file that the mesh came from; messages show them. Tangents make lines curved
    for exact beams; other elements are straight.
    """

    points: Array
    blocks: tuple[CellBlock, ...]
    node_sets: Mapping[str, IntArray] = field(default_factory=dict)
    facet_sets: Mapping[str, tuple[CellBlock, ...]] = field(default_factory=dict)
    cell_sets: Mapping[str, IntArray] = field(default_factory=dict)
    node_labels: IntArray | None = None
    cell_labels: IntArray | None = None
    notices: tuple[str, ...] = ()  # what a reader left out of its file
    tangents: Array | None = None  # of curved lines at their nodes, NaN at nodes without: (nodes, 3)

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "points", frozen_points(self.points))
        put(self, "blocks", tuple(block for block in self.blocks if len(block)))
        for name in ("node_labels", "cell_labels"):
            if getattr(self, name) is not None:
                put(self, name, frozen_integers(getattr(self, name), name.replace("_", " ")))
        if self.tangents is not None:
            put(self, "tangents", frozen_tangents(self.tangents, self.node_count))
        require_length(self.node_labels, self.node_count, "node labels")
        require_length(self.cell_labels, self.cell_count, "cell labels")
        for block in self.blocks:
            self._require_nodes(block.nodes, f"{block.cell.name} cells")
        put(self, "node_sets", {str(k): frozen_set(v, f"node set '{k}'") for k, v in self.node_sets.items()})
        put(self, "cell_sets", {str(k): frozen_set(v, f"cell set '{k}'") for k, v in self.cell_sets.items()})
        put(self, "facet_sets", {str(k): tuple(v) for k, v in self.facet_sets.items()})
        for set_name, numbers in self.node_sets.items():
            self._require_nodes(numbers, f"node set '{set_name}'")
        for set_name, facets in self.facet_sets.items():
            for block in facets:
                self._require_nodes(block.nodes, f"facet set '{set_name}'")
        for set_name, numbers in self.cell_sets.items():
            require_range(numbers, self.cell_count, f"cell set '{set_name}'", "cell")

    # ------------------------------------------------------------------ counts and places

    @property
    def node_count(self) -> int:
        """Number of points."""
        return int(self.points.shape[0])

    @property
    def cell_count(self) -> int:
        """Number of cells in all blocks."""
        return sum(len(block) for block in self.blocks)

    @property
    def dimension(self) -> int:
        """Highest dimension of a cell: 0 points, 1 lines, 2 plane or surface, 3 solid."""
        return max((block.cell.dimension for block in self.blocks), default=0)

    @property
    def block_starts(self) -> IntArray:
        """Number of the first cell of each block, then the number of all cells."""
        return np.cumsum([0, *(len(block) for block in self.blocks)], dtype=np.int64)

    @property
    def bounding_box(self) -> tuple[Array, Array]:
        """Smallest and largest coordinates of the points."""
        if not self.node_count:
            raise InputError("the mesh has no points; give at least one")
        return self.points.min(axis=0), self.points.max(axis=0)

    def cell(self, number: int) -> tuple[Cell, IntArray]:
        """Shape and node numbers of one cell."""
        require_range(np.array([number]), self.cell_count, "the mesh", "cell")
        starts = self.block_starts
        place = int(np.searchsorted(starts, number, side="right")) - 1
        block = self.blocks[place]
        return block.cell, block.nodes[number - int(starts[place])]

    @cached_property
    def overlap(self) -> tuple[int, int] | None:
        """Numbers of two cells that lie in one another, of solids or of cells in the x–y plane; None without."""
        from flexframe.mesh.checks import overlapping_cells

        return overlapping_cells(self)

    def node_label(self, number: int) -> int:
        """The number that the mesh's file uses for a node."""
        return int(number if self.node_labels is None else self.node_labels[number])

    def cell_label(self, number: int) -> int:
        """The number that the mesh's file uses for a cell."""
        return int(number if self.cell_labels is None else self.cell_labels[number])

    # ------------------------------------------------------------------ sets

    def nodes_of(self, set_name: str) -> IntArray:
        """Nodes of a node set, or else of the facet set or cell set of that name."""
        if set_name in self.node_sets:
            return self.node_sets[set_name]
        if set_name in self.facet_sets:
            return topology.nodes_of_blocks(self.facet_sets[set_name])
        if set_name in self.cell_sets:
            return topology.nodes_of_blocks(self.cells_in(self.cell_sets[set_name]))
        known = {**self.node_sets, **self.facet_sets, **self.cell_sets}
        raise unknown_name("set", set_name, known)

    def facets_of(self, set_name: str) -> tuple[CellBlock, ...]:
        """Facets of a facet set."""
        return find_set("facet set", set_name, self.facet_sets)

    def cells_of(self, set_name: str) -> IntArray:
        """Cell numbers of a cell set."""
        return find_set("cell set", set_name, self.cell_sets)

    def cells_in(self, numbers: IntArray) -> tuple[CellBlock, ...]:
        """The cells of those numbers as blocks."""
        starts = self.block_starts
        chosen = []
        for block, (start, end) in zip(self.blocks, pairwise(starts), strict=True):
            rows = numbers[(numbers >= start) & (numbers < end)] - start
            if rows.size:
                chosen.append(CellBlock(block.cell, block.nodes[rows]))
        return tuple(chosen)

    def nearest_node(self, point: ArrayLike) -> int:
        """Number of the node closest to a point of two or three coordinates."""
        place = np.zeros(3)
        given = np.asarray(point, dtype=float).ravel()
        if given.size not in (2, 3) or not np.isfinite(given).all():
            raise InputError(f"{point!r} is not a point; give two or three finite coordinates")
        if not self.node_count:
            raise InputError("the mesh has no points; there is no nearest node")
        place[: given.size] = given
        return int(np.argmin(((self.points - place) ** 2).sum(axis=1)))

    def with_sets(
        self,
        node_sets: Mapping[str, ArrayLike] | None = None,
        facet_sets: Mapping[str, tuple[CellBlock, ...]] | None = None,
        cell_sets: Mapping[str, ArrayLike] | None = None,
    ) -> "Mesh":
        """The same mesh with more sets; a set of a known name is replaced."""
        return replace(
            self,
            node_sets={**self.node_sets, **{k: np.asarray(v) for k, v in (node_sets or {}).items()}},
            facet_sets={**self.facet_sets, **(facet_sets or {})},
            cell_sets={**self.cell_sets, **{k: np.asarray(v) for k, v in (cell_sets or {}).items()}},
        )

    # ------------------------------------------------------------------ boundary and drawing

    @cached_property
    def _boundary(self) -> tuple[CellBlock, ...]:
        return topology.once_only(topology.facets_of_cells(self.blocks, self.dimension))

    def boundary(self) -> tuple[CellBlock, ...]:
        """Facets that belong to one cell only (of the highest dimension), oriented outwards."""
        return self._boundary

    def facets_on(self, where: str | ArrayLike | Predicate) -> tuple[CellBlock, ...]:
        """Boundary facets all of whose nodes are wanted: a set name, node numbers, or a test of points."""
        wanted = np.zeros(self.node_count, dtype=bool)
        if isinstance(where, str):
            wanted[self.nodes_of(where)] = True
        elif callable(where):
            wanted[:] = where(self.points)
        else:
            numbers = frozen_set(where, "the wanted nodes")
            self._require_nodes(numbers, "the wanted nodes")
            wanted[numbers] = True
        found = [CellBlock(b.cell, b.nodes[wanted[b.nodes].all(axis=1)]) for b in self.boundary()]
        return tuple(block for block in found if len(block))

    def nodes_on(self, where: Predicate) -> IntArray:
        """Numbers of the nodes whose points are wanted."""
        return np.flatnonzero(where(self.points)).astype(np.int64)

    def surface_triangles(self) -> IntArray:
        """Triangles to draw: the outer surface of solids and all plane cells, through mid-side nodes too."""
        plane = [block for block in self.blocks if block.cell.dimension == 2]
        return topology.triangulate([*(self.boundary() if self.dimension == 3 else ()), *plane])

    def lines(self) -> IntArray:
        """Straight pieces to draw, (pieces, 2): line cells, edges of plane cells and of outer faces."""
        drawn = [block for block in self.blocks if block.cell.dimension in (1, 2)]
        outer = self.boundary() if self.dimension == 3 else ()
        return topology.segments(topology.edges([*drawn, *outer]))

    # ------------------------------------------------------------------ changed copies

    def moved(self, rotation: ArrayLike | None = None, translation: ArrayLike | None = None) -> "Mesh":
        """Points R x + t, for a rotation matrix R (3, 3) and a translation t (3)."""
        matrix = np.eye(3) if rotation is None else np.asarray(rotation, dtype=float)
        shift = np.zeros(3) if translation is None else np.asarray(translation, dtype=float)
        if matrix.shape != (3, 3) or not np.allclose(matrix @ matrix.T, np.eye(3), atol=1e-9):
            raise InputError("the rotation is not an orthonormal 3×3 matrix; give R with R Rᵀ = 1")
        if np.linalg.det(matrix) < 0:
            raise InputError("the rotation matrix mirrors the mesh (det R = −1); give a proper rotation")
        if shift.shape != (3,):
            raise InputError(f"the translation has shape {shift.shape}; give three coordinates")
        tangents = None if self.tangents is None else self.tangents @ matrix.T
        return replace(self, points=self.points @ matrix.T + shift, tangents=tangents)

    def scaled(self, factor: float) -> "Mesh":
        """All points multiplied by a factor."""
        return self if factor == 1.0 else replace(self, points=self.points * factor)

    def merged_nodes(self, tolerance: float) -> "Mesh":
        """Nodes closer than the tolerance [m] become one, the lowest-numbered of each group."""
        from scipy.spatial import KDTree

        if not self.node_count:
            return self
        pairs = KDTree(self.points).query_pairs(tolerance, output_type="ndarray")
        group = connected_parts(self.node_count, pairs[:, 0], pairs[:, 1])
        _, leader = np.unique(group, return_index=True)
        target = leader[group]
        for block in self.blocks:
            merged = np.sort(target[block.nodes], axis=1)
            collapsed = (merged[:, 1:] == merged[:, :-1]).any(axis=1)
            if collapsed.any():
                labels = [self.node_label(n) for n in block.nodes[np.argmax(collapsed)]]
                raise InputError(
                    f"merging nodes within {tolerance:g} m collapses the {block.cell.name} cell with nodes "
                    f"{labels}; use a smaller tolerance"
                )
        return self._renumber(target)

    def without_unused_nodes(self, *, keep_named: bool = False, keep: ArrayLike = ()) -> "Mesh":
        """The nodes that belong to no cell left out, in the sets too; `keep_named` keeps those in sets."""
        used = np.zeros(self.node_count, dtype=bool)
        used[topology.nodes_of_blocks(self.blocks)] = True
        used[np.asarray(keep, dtype=np.int64)] = True
        for members in self.node_sets.values() if keep_named else ():
            used[members] = True
        kept = replace(self, node_sets={k: v[used[v]] for k, v in self.node_sets.items()})
        return kept._without_nodes(~used)

    def part(self, cells: str | ArrayLike) -> "Mesh":
        """The cells of a set (or of those numbers) as a mesh of its own, with the sets cut down to it."""
        numbers = self.cells_of(cells) if isinstance(cells, str) else frozen_set(cells, "the wanted cells")
        require_range(numbers, self.cell_count, "the wanted cells", "cell")
        if not numbers.size:
            raise InputError("a part needs at least one cell; the wanted cells are none")
        new_cell = np.full(self.cell_count, -1, dtype=np.int64)
        new_cell[numbers] = np.arange(numbers.size)
        kept_blocks = self.cells_in(numbers)
        kept_nodes = np.zeros(self.node_count, dtype=bool)
        kept_nodes[topology.nodes_of_blocks(kept_blocks)] = True
        cell_sets = {k: new_cell[v][new_cell[v] >= 0] for k, v in self.cell_sets.items()}
        real = [f for dimension in (1, 2, 3) for f in topology.facets_of_cells(kept_blocks, dimension)]
        facet_sets = {
            k: tuple(
                CellBlock(b.cell, b.nodes[own]) for b, own in zip(v, topology.are_among(v, real), strict=True)
            )
            for k, v in self.facet_sets.items()
        }
        cut = replace(
            self,
            blocks=kept_blocks,
            node_sets={k: v[kept_nodes[v]] for k, v in self.node_sets.items()},
            facet_sets={k: tuple(b for b in v if len(b)) for k, v in facet_sets.items()},
            cell_sets=cell_sets,
            cell_labels=None if self.cell_labels is None else self.cell_labels[numbers],
        )
        return cut._without_nodes(~kept_nodes)

    def _renumber(self, target: IntArray) -> "Mesh":
        """Node i replaced by node target[i], and the nodes that nothing refers to any more left out."""
        merged = replace(
            self,
            blocks=tuple(CellBlock(b.cell, target[b.nodes]) for b in self.blocks),
            node_sets={k: target[v] for k, v in self.node_sets.items()},
            facet_sets={
                k: tuple(CellBlock(b.cell, target[b.nodes]) for b in v) for k, v in self.facet_sets.items()
            },
        )
        return merged._without_nodes(target != np.arange(self.node_count))

    def _without_nodes(self, dropped: BoolArray) -> "Mesh":
        number = np.cumsum(~dropped) - 1
        return replace(
            self,
            points=self.points[~dropped],
            blocks=tuple(CellBlock(b.cell, number[b.nodes]) for b in self.blocks),
            node_sets={k: number[v] for k, v in self.node_sets.items()},
            facet_sets={
                k: tuple(CellBlock(b.cell, number[b.nodes]) for b in v) for k, v in self.facet_sets.items()
            },
            node_labels=None if self.node_labels is None else self.node_labels[~dropped],
            tangents=None if self.tangents is None else self.tangents[~dropped],
        )

    # ------------------------------------------------------------------ text

    def describe(self) -> str:
        """Counts, size and set names in a few lines."""
        kinds = ", ".join(f"{len(block)} {block.cell.name}" for block in self.blocks) or "no cells"
        lines = [f"{self.node_count} nodes, {kinds}"]
        if self.node_count:
            low, high = self.bounding_box
            size = " × ".join(f"{length:.4g}" for length in high - low)
            lines.append(f"size {size} m")
        for title, sets in (
            ("node sets", self.node_sets),
            ("facet sets", self.facet_sets),
            ("cell sets", self.cell_sets),
        ):
            if sets:
                lines.append(f"{title}: {', '.join(sets)}")
        return "\n".join([*lines, *(f"note: {notice}" for notice in self.notices)])

    def _require_nodes(self, numbers: IntArray, where: str) -> None:
        require_range(numbers, self.node_count, where, "node")
