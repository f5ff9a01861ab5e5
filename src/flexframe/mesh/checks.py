"""Whether a mesh can be computed with, how well its cells are shaped and turned, and what hangs together."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from flexframe import _core
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, BoolArray, IntArray
from flexframe.maths.graphs import connected_parts
from flexframe.mesh import blocks as topology
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.cells import Cell
from flexframe.mesh.facets import outward
from flexframe.mesh.mesh import Mesh
from flexframe.mesh.shapes import CellMeasures, cell_measures
from flexframe.mesh.subdivision import simplices

# det J / (longest edge)^d below which a cell has no usable extent.
_COLLAPSED = 1e-12
# Points closer than this part of the longest edge at them are taken as one place.
_COINCIDENT = 1e-6
# A direction along which the points of no regular grid lie side by side.
_SLANTED = np.array([1.0, np.sqrt(2.0), np.sqrt(3.0)]) / np.sqrt(6.0)


@dataclass(frozen=True)
class MeshQuality:
    """Size and shape of a mesh, and what is wrong with it.

    Length, area and volume are sums over the cells of dimension 1, 2 and 3 [m, m², m³]. The scaled
    Jacobian of a cell is 1 when ideal and not above 0 when inverted; the aspect ratio is its longest over
    its shortest edge. `worst_cell` is the number of the cell of the smallest scaled Jacobian and
    `worst_place` its centre. Each fault names its place and the way out; a valid mesh has none.
    """

    length: float
    area: float
    volume: float
    min_scaled_jacobian: float
    mean_scaled_jacobian: float
    worst_cell: int
    worst_place: tuple[float, float, float]
    max_aspect_ratio: float
    faults: tuple[str, ...]


def check_mesh(
    mesh: Mesh,
    *,
    allow_coincident_nodes: bool = False,
    either_way: bool = False,
    layers: IntArray | None = None,
) -> MeshQuality:
    """Measure the cells and collect the faults of a mesh.

    Coincident nodes are right where bodies of one file only touch; `allow_coincident_nodes` accepts them.

    Parameters
    ----------
    mesh
        The mesh to judge.
    allow_coincident_nodes
        Whether coincident nodes are no fault.
    either_way
        Whether plane cells may run clockwise, as those of shells may.
    layers
        A number for each cell: lines of different numbers may lie between the same nodes.

    Returns
    -------
    MeshQuality
        Length [m], area [m²], volume [m³], shape of the cells, and faults.

    Examples
    --------
    >>> quality = ff.mesh.check_mesh(ff.mesh.rectangle(2.0, 1.0, (4, 2)))
    >>> round(quality.area, 9), quality.faults
    (2.0, ())
    """
    if not mesh.cell_count:
        raise InputError("the mesh has no cells; add at least one")
    flat = is_flat(mesh) and not either_way
    measures = [cell_measures(mesh.points, block, flat) for block in mesh.blocks]
    scaled = np.concatenate([m.scaled_jacobian for m in measures])
    worst = int(np.argmin(scaled))
    sizes = [0.0, 0.0, 0.0, 0.0]
    for block, measured in zip(mesh.blocks, measures, strict=True):
        sizes[block.cell.dimension] += float(measured.size.sum())
    faults = [
        *_repeated_nodes(mesh),
        *_badly_shaped(mesh, measures, flat),
        *_duplicate_cells(mesh, layers),
        *_conflicting_middles(mesh),
        *_unused_nodes(mesh),
        *(() if allow_coincident_nodes else _coincident_nodes(mesh)),
        *_stray_facets(mesh),
    ]
    if not faults and mesh.dimension == 3:  # simplices of sound cells only
        faults += _overlaps(mesh)
    x, y, z = (float(v) for v in mesh.points[mesh.cell(worst)[1]].mean(axis=0))
    return MeshQuality(
        length=sizes[1],
        area=sizes[2],
        volume=sizes[3],
        min_scaled_jacobian=float(scaled[worst]),
        mean_scaled_jacobian=float(scaled.mean()),
        worst_cell=worst,
        worst_place=(x, y, z),
        max_aspect_ratio=float(max(m.aspect_ratio.max() for m in measures)),
        faults=tuple(faults),
    )


def require_valid(
    mesh: Mesh,
    *,
    allow_coincident_nodes: bool = False,
    either_way: bool = False,
    layers: IntArray | None = None,
) -> MeshQuality:
    """The quality of a mesh without faults; InputError with every fault otherwise."""
    quality = check_mesh(mesh, allow_coincident_nodes=allow_coincident_nodes, either_way=either_way, layers=layers)
    if quality.faults:
        raise InputError("\n".join(quality.faults))
    return quality


def is_flat(mesh: Mesh) -> bool:
    """Whether the mesh is plane cells at one z, where counter-clockwise has a meaning."""
    if mesh.dimension != 2:
        return False
    low, high = mesh.bounding_box
    return bool(high[2] - low[2] <= 1e-9 * np.linalg.norm(high - low))


def cell_place(mesh: Mesh, number: int) -> str:
    """A cell in words: label, shape, sets, coordinates of its centre."""
    cell, nodes = mesh.cell(number)
    sets = [name for name, members in mesh.cell_sets.items() if name != "all" and number in members]
    inside = f" of set '{sets[0]}'" if sets else ""
    centre = _coordinates(mesh.points[nodes].mean(axis=0))
    return f"cell {mesh.cell_label(number)} ({cell.name}){inside} at {centre}"


def _coordinates(point: Array) -> str:
    return "(" + ", ".join(f"{value:.6g}" for value in point) + ")"


def _per_cell(mesh: Mesh, test: Callable[[CellBlock], BoolArray]) -> IntArray:
    return np.flatnonzero(np.concatenate([test(block) for block in mesh.blocks])).astype(np.int64)


def _fault(mesh: Mesh, cells: IntArray, what: str) -> Iterator[str]:
    """One line for all cells with the same fault, at the first of them."""
    if cells.size:
        yield f"{cell_place(mesh, int(cells[0]))} {what}{_and_more(cells.size)}"


def _and_more(count: int) -> str:
    return f" [and {count - 1} more]" if count > 1 else ""


def _repeated_nodes(mesh: Mesh) -> Iterator[str]:
    def repeats(block: CellBlock) -> BoolArray:
        ordered = np.sort(block.nodes, axis=1)
        return np.asarray((ordered[:, 1:] == ordered[:, :-1]).any(axis=1))

    yield from _fault(mesh, _per_cell(mesh, repeats), "uses a node twice; give each of its nodes once")


def _badly_shaped(mesh: Mesh, measures: list[CellMeasures], flat: bool) -> Iterator[str]:
    dimension = np.concatenate([np.full(len(block), block.cell.dimension) for block in mesh.blocks])
    jacobian = np.concatenate([m.smallest_jacobian for m in measures])
    size = np.concatenate([m.size for m in measures])
    corners = np.concatenate([m.scaled_jacobian for m in measures])
    wrong = jacobian <= _COLLAPSED
    collapsed = wrong & (jacobian >= -_COLLAPSED) & (np.abs(corners) <= 1e-9)
    turned = wrong & ~collapsed & (size < 0)
    kinds = (
        (collapsed & (dimension == 1), "has no length; move or remove its nodes"),
        (
            collapsed & (dimension > 1),
            "has collapsed to nothing at a corner or everywhere; move its nodes apart",
        ),
        (
            turned & (dimension == 2) & flat,
            "runs clockwise; list its nodes counter-clockwise or read the mesh with reorient=True",
        ),
        (turned & (dimension == 3), "is inside out; renumber its nodes or read the mesh with reorient=True"),
    )
    for cells, what in kinds:
        yield from _fault(mesh, np.flatnonzero(cells).astype(np.int64), what)
        wrong &= ~cells
    yield from _fault(
        mesh,
        np.flatnonzero(wrong).astype(np.int64),
        "is folded: its Jacobian is not positive everywhere; move its corner or mid-side nodes",
    )


def _duplicate_cells(mesh: Mesh, layers: IntArray | None) -> Iterator[str]:
    """Cells between the same corners; lines of different layers may lie there."""
    starts = mesh.block_starts
    for shape in dict.fromkeys(block.cell.linear_name for block in mesh.blocks):
        chosen = [i for i, block in enumerate(mesh.blocks) if block.cell.linear_name == shape]
        rows = np.concatenate([mesh.blocks[i].nodes[:, : mesh.blocks[i].cell.corners] for i in chosen])
        numbers = np.concatenate([np.arange(starts[i], starts[i + 1]) for i in chosen])
        keys = np.sort(rows, axis=1)
        if layers is not None and mesh.blocks[chosen[0]].cell.dimension == 1:
            keys = np.column_stack([keys, layers[numbers]])
        _, first, group = np.unique(topology.row_keys(keys), return_index=True, return_inverse=True)
        again = np.flatnonzero(first[group] != np.arange(len(rows)))
        if again.size:
            original = mesh.cell_label(int(numbers[first[group[again[0]]]]))
            yield from _fault(mesh, numbers[again], f"repeats cell {original}; remove one of them")


def _conflicting_middles(mesh: Mesh) -> Iterator[str]:
    """Edges that have a middle node in one cell and none, or another one, in the cell beside it."""
    for dimension in (2, 3):
        chosen = [block for block in mesh.blocks if block.cell.dimension == dimension]
        orders = {block.cell.order for block in chosen}
        if not chosen or orders == {1}:
            continue
        edges = topology.all_edges(chosen)
        _, first, group = np.unique(
            topology.row_keys(np.sort(edges[:, :2], axis=1)), return_index=True, return_inverse=True
        )
        wrong = np.flatnonzero(edges[:, 2] != edges[first[group], 2])
        if wrong.size:
            start, end = (mesh.node_label(int(node)) for node in edges[wrong[0], :2])
            place = _coordinates(mesh.points[edges[wrong[0], :2]].mean(axis=0))
            yield (
                f"the cells at the edge between nodes {start} and {end} near {place} have different middle "
                f"nodes; use cells of one order, joined at the same middle node{_and_more(wrong.size)}"
            )


def _unused_nodes(mesh: Mesh) -> Iterator[str]:
    used = np.zeros(mesh.node_count, dtype=bool)
    used[topology.nodes_of_blocks(mesh.blocks)] = True
    loose = np.flatnonzero(~used)
    if loose.size:
        node = int(loose[0])
        yield (
            f"node {mesh.node_label(node)} at {_coordinates(mesh.points[node])} belongs to no cell; "
            f"remove it (without_unused_nodes){_and_more(loose.size)}"
        )


def _coincident_nodes(mesh: Mesh) -> Iterator[str]:
    # a vertex cell is a reference point, which may sit on a node of the body
    nodes = topology.nodes_of_blocks([block for block in mesh.blocks if block.cell.dimension > 0])
    points = mesh.points[nodes]
    pairs = nodes[_equal_points(points)]
    if not pairs.size and nodes.size:
        reach = _COINCIDENT * _longest_edge_at_nodes(mesh)[nodes]
        near = _near_pairs(points, float(reach.max()))
        distance = np.linalg.norm(points[near[:, 0]] - points[near[:, 1]], axis=1)
        pairs = nodes[near[distance <= np.maximum(reach[near[:, 0]], reach[near[:, 1]])]]
    if pairs.size:
        first, second = (int(node) for node in np.sort(pairs[np.argmin(pairs.min(axis=1))]))
        yield (
            f"nodes {mesh.node_label(first)} and {mesh.node_label(second)} are both at "
            f"{_coordinates(mesh.points[first])}; merge them (merged_nodes), or pass "
            f"allow_coincident_nodes=True where bodies only touch{_and_more(len(pairs))}"
        )


def _near_pairs(points: Array, reach: float) -> IntArray:
    """Points at most so far from each other: (pairs, 2), the lower number first.

    Such points are near along any direction: those that are so along a slanted one are looked at.
    """
    along = points @ _SLANTED
    order = np.argsort(along, kind="stable")
    along = along[order]
    found = [np.empty((0, 2), dtype=np.int64)]
    slack = reach + 8 * np.finfo(float).eps * np.abs(along).max(initial=0.0)  # of the products and sums
    for distance in range(1, len(points)):
        first = np.flatnonzero(along[distance:] - along[:-distance] <= slack)
        if not first.size:
            break
        pairs = np.sort(np.column_stack([order[first], order[first + distance]]), axis=1)
        apart = np.linalg.norm(points[pairs[:, 0]] - points[pairs[:, 1]], axis=1)
        found.append(pairs[apart <= reach])
    return np.concatenate(found)


def _equal_points(points: Array) -> IntArray:
    """Neighbours of the same coordinates in sorted order: (pairs, 2)."""
    order = np.lexsort(points.T)
    same = (points[order[1:]] == points[order[:-1]]).all(axis=1)
    return np.column_stack([order[:-1][same], order[1:][same]]).astype(np.int64)


def _longest_edge_at_nodes(mesh: Mesh) -> Array:
    longest = np.zeros(mesh.node_count)
    pieces = topology.segments(topology.all_edges(mesh.blocks))
    lengths = np.linalg.norm(mesh.points[pieces[:, 0]] - mesh.points[pieces[:, 1]], axis=1)
    for column in (0, 1):
        np.maximum.at(longest, pieces[:, column], lengths)
    return longest


def _overlaps(mesh: Mesh) -> Iterator[str]:
    if mesh.overlap is not None:
        first, second = (cell_place(mesh, number) for number in mesh.overlap)
        yield f"{first} and {second} lie in one another; two cells cannot fill one place, leave one out"


def _stray_facets(mesh: Mesh) -> Iterator[str]:
    """Facets in sets that no cell has."""
    if not mesh.facet_sets:
        return
    named = np.zeros(mesh.node_count, dtype=bool)
    for facets in mesh.facet_sets.values():
        named[topology.nodes_of_blocks(facets)] = True
    every = [f for dimension in (1, 2, 3) for f in topology.facets_of_cells(mesh.blocks, dimension)]
    real = topology.with_corners_among(every, named)
    for name, facets in mesh.facet_sets.items():
        for block, known in zip(facets, topology.are_among(facets, real), strict=True):
            if not known.all():
                corners = block.nodes[np.argmin(known), : block.cell.corners]
                labels = [mesh.node_label(int(node)) for node in corners]
                yield (
                    f"facet set '{name}': no cell has the facet with corner nodes {labels}; "
                    f"use facets of the mesh (facets_on){_and_more(int((~known).sum()))}"
                )


# Corners of the mirrored cell; the mid-side nodes follow from the edges.
_MIRRORED_CORNERS: dict[str, tuple[int, ...]] = {
    "triangle": (0, 2, 1),
    "quad": (0, 3, 2, 1),
    "tetra": (0, 2, 1, 3),
    "hexahedron": (4, 5, 6, 7, 0, 1, 2, 3),
    "wedge": (3, 4, 5, 0, 1, 2),
}


def reorient_cells(mesh: Mesh) -> Mesh:
    """The mesh with clockwise plane cells and inside-out solids renumbered, and its facet sets outwards."""
    flat = is_flat(mesh)
    turned = []
    for block in mesh.blocks:
        wrong = cell_measures(mesh.points, block, flat).size < 0
        nodes = block.nodes.copy()
        if wrong.any():
            nodes[wrong] = block.nodes[wrong][:, mirrored_nodes(block.cell)]
        turned.append(CellBlock(block.cell, nodes))
    upright = replace(mesh, blocks=tuple(turned))
    return replace(upright, facet_sets={k: outward(upright, v) for k, v in mesh.facet_sets.items()})


def mirrored_nodes(cell: Cell) -> IntArray:
    """Order in which the nodes of a cell give the same cell with the other handedness."""
    corners = _MIRRORED_CORNERS[cell.linear_name]
    middle = {frozenset(edge[:2]): edge[2:] for edge in cell.edges}
    middles = [
        node for first, last, *_ in cell.edges for node in middle[frozenset((corners[first], corners[last]))]
    ]
    return np.array([*corners, *middles], dtype=np.int64)


_MANY = 200_000  # cells; looking through more would take longer than integrating them
_INSIDE = 0.02  # of a barycentric coordinate: farther inside than faces that curve or warp


def separate_parts(mesh: Mesh, ties: Iterable[IntArray] = ()) -> IntArray:
    """The part of each node, −1 for nodes of no cell; `ties` are nodes that something else holds together."""
    used = np.zeros(mesh.node_count, dtype=bool)
    rows, columns = [], []
    for block in mesh.blocks:
        used[block.nodes] = used[block.nodes] | (block.cell.dimension > 0)
        rows.append(np.repeat(block.nodes[:, 0], block.nodes.shape[1]))
        columns.append(block.nodes.ravel())
    for tied in ties:
        rows.append(np.full(len(tied), tied[0]))
        columns.append(tied)
    labels = connected_parts(mesh.node_count, np.concatenate(rows), np.concatenate(columns))
    _, numbered = np.unique(labels[used], return_inverse=True)
    parts = np.full(mesh.node_count, -1, dtype=np.int64)
    parts[used] = numbered
    return parts


def overlapping_cells(mesh: Mesh) -> tuple[int, int] | None:
    """Two cells of which one contains the centre of the other; None where there are none.

    Plane cells must lie in the plane z = 0. Meshes of very many cells are not looked through.
    """
    nodes, owners = simplices(mesh)
    cells, first = np.unique(owners, return_index=True)
    if len(cells) < 2 or len(cells) > _MANY:
        return None
    corners = np.ascontiguousarray(mesh.points[nodes][..., : mesh.dimension])  # (n, d + 1, d)
    found = _core.overlapping_cells(corners, np.append(first, len(owners)), _INSIDE)
    return None if found is None else (int(cells[found[0]]), int(cells[found[1]]))
