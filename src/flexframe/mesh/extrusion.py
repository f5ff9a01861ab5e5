"""Plane meshes drawn out along z or swept about y into hexahedra and wedges, and the surface of the latter."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from flexframe.errors import InputError
from flexframe.maths.arrays import Array, BoolArray, IntArray
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.cells import QUAD, TRIANGLE, cell_named
from flexframe.mesh.checks import is_flat
from flexframe.mesh.mesh import Mesh
from flexframe.mesh.shapes import cell_measures
from flexframe.mesh.validation import require_count, require_positive

_SOLID = {"triangle": "wedge", "triangle6": "wedge15", "quad": "hexahedron", "quad8": "hexahedron20"}
_MERIDIAN = ("first meridian", "last meridian")
_AROUND = 8  # cells around a solid of revolution, at least
_FACE = {"line": "quad", "line3": "quad8"}


def extrude(
    plane_mesh: Mesh, height: float, layers: int, *, end_names: tuple[str, str] = ("bottom", "top")
) -> Mesh:
    """Solid between the plane mesh and its copy `height` [m] above, of the same order.

    Node, facet and cell sets of the plane mesh become those drawn out of them; `end_names` name the node
    and facet sets of the two end faces.

    Parameters
    ----------
    plane_mesh
        Triangles or quadrilaterals in the x–y plane [m].
    height
        Height along z [m].
    layers
        Number of layers of cells.
    end_names
        Names of the sets at z = 0 and z = `height`.

    Returns
    -------
    Mesh
        Wedges or hexahedra.

    Examples
    --------
    >>> plate = ff.mesh.extrude(ff.mesh.rectangle(2.0, 1.0, (4, 2)), 0.1, 1, end_names=("lower", "upper"))
    >>> round(ff.mesh.check_mesh(plate).volume, 9)
    0.2
    """
    require_positive(height=height)
    require_count(layers=layers)
    _require_plane(plane_mesh, end_names)
    numbers = _numbers(plane_mesh, layers)
    levels = np.linspace(0.0, height, len(numbers))
    node_at_level, node_of_plane = np.nonzero(numbers >= 0)
    points = plane_mesh.points[node_of_plane]
    points[:, 2] += levels[node_at_level]

    blocks = tuple(CellBlock(cell_named(_SOLID[b.cell.name]), _drawn_cells(b, numbers)) for b in plane_mesh.blocks)
    facet_sets = {
        name: tuple(CellBlock(cell_named(_FACE[b.cell.name]), _drawn_faces(b, numbers)) for b in facets)
        for name, facets in plane_mesh.facet_sets.items()
    }
    node_sets = {name: _present(numbers[:, nodes]) for name, nodes in plane_mesh.node_sets.items()}
    for end, (name, level) in enumerate(zip(end_names, (0, -1), strict=True)):
        node_sets[name] = _present(numbers[level])
        facet_sets[name] = tuple(_end_facets(b, layers, end) for b in blocks)
    return Mesh(
        points,
        blocks,
        node_sets=node_sets,
        facet_sets=facet_sets,
        cell_sets={k: _drawn_set(plane_mesh, v, layers) for k, v in plane_mesh.cell_sets.items()},
    )


def revolve(section: Mesh, divisions: int) -> Mesh:
    """Solid that a plane mesh, x the radius [m] and y the axis, sweeps about y, of the same order.

    Sets of the section become those that they sweep. The section keeps away from the axis.

    Parameters
    ----------
    section
        Triangles or quadrilaterals in x > 0 [m].
    divisions
        Number of cells around.

    Returns
    -------
    Mesh
        Wedges or hexahedra.

    Examples
    --------
    >>> ring = ff.mesh.revolve(ff.mesh.quadrilateral([(1, 0), (2, 0), (2, 1), (1, 1)], (2, 1)), 24)
    >>> round(ff.mesh.check_mesh(ring).volume, 3), round(3 * np.pi, 3)
    (9.425, 9.425)
    """
    require_count(divisions=divisions)
    if divisions < _AROUND:
        raise InputError(f"a section is swept by {divisions} cells around; give {_AROUND} or more")
    radii = section.points[:, 0]
    if not radii.min() > 0:
        node = int(np.argmin(radii))
        raise InputError(
            f"node {section.node_label(node)} of the section has x = {radii[node]:g} m; a section that is swept "
            "about y lies in x > 0"
        )
    drawn = extrude(section, 1.0, divisions, end_names=("first meridian", "last meridian"))
    first, last = drawn.node_sets["first meridian"], drawn.node_sets["last meridian"]
    kept = np.setdiff1d(np.arange(drawn.node_count), last)
    numbers = np.full(drawn.node_count, -1, dtype=np.int64)
    numbers[kept] = np.arange(len(kept))
    numbers[last] = numbers[first]
    x, y, z = drawn.points[kept].T
    angle = 2 * np.pi * z

    def join(blocks: tuple[CellBlock, ...]) -> tuple[CellBlock, ...]:
        return tuple(CellBlock(block.cell, numbers[block.nodes]) for block in blocks)

    return Mesh(
        np.column_stack([x * np.cos(angle), y, x * np.sin(angle)]),
        join(drawn.blocks),
        node_sets={name: np.unique(numbers[n]) for name, n in drawn.node_sets.items() if name not in _MERIDIAN},
        facet_sets={name: join(blocks) for name, blocks in drawn.facet_sets.items() if name not in _MERIDIAN},
        cell_sets=drawn.cell_sets,
    )


def _require_plane(mesh: Mesh, end_names: tuple[str, str]) -> None:
    other = [block.cell.name for block in mesh.blocks if block.cell.name not in _SOLID]
    if other or not mesh.cell_count:
        raise InputError(f"extrude takes plane cells only, not {other[0] if other else 'an empty mesh'}")
    if len({block.cell.order for block in mesh.blocks}) > 1:
        raise InputError("the plane mesh mixes cells with and without mid-side nodes; use one order")
    if not is_flat(mesh):
        raise InputError("the mesh to extrude is not in a plane z = constant; move it there first")
    if any((cell_measures(mesh.points, block, True).size <= 0).any() for block in mesh.blocks):
        raise InputError("the mesh to extrude has clockwise or collapsed cells; see check_mesh")
    taken = {*mesh.node_sets, *mesh.facet_sets} & set(end_names)
    if taken or end_names[0] == end_names[1]:
        raise InputError(
            f"the set name '{min(taken | {end_names[0]})}' would have two meanings; give other end_names"
        )


def _numbers(mesh: Mesh, layers: int) -> IntArray:
    """Number of the solid's node over each plane node at each level, −1 where there is none."""
    order = mesh.blocks[0].cell.order
    present = np.ones((order * layers + 1, mesh.node_count), dtype=bool)
    if order == 2:
        corner = np.zeros(mesh.node_count, dtype=bool)
        for block in mesh.blocks:
            corner[block.nodes[:, : block.cell.corners]] = True
        present[1::2] = corner
    numbers = np.full(present.shape, -1, dtype=np.int64)
    numbers[present] = np.arange(present.sum())
    return numbers


def _drawn_cells(block: CellBlock, numbers: IntArray) -> IntArray:
    """Cells over each plane cell, layer after layer: (layers · cells, nodes)."""
    corners, middles = block.nodes[:, : block.cell.corners], block.nodes[:, block.cell.corners :]
    order = block.cell.order
    layers = []
    for low in range(0, len(numbers) - 1, order):
        high = low + order
        parts = [numbers[low][corners], numbers[high][corners]]
        if order == 2:
            parts += [numbers[low][middles], numbers[high][middles], numbers[low + 1][corners]]
        layers.append(np.hstack(parts))
    return np.concatenate(layers)


def _drawn_faces(block: CellBlock, numbers: IntArray) -> IntArray:
    """Faces over each edge; the edge runs counter-clockwise, so the normal is outwards."""
    start, end = block.nodes[:, 0], block.nodes[:, 1]
    order = block.cell.order
    layers = []
    for low in range(0, len(numbers) - 1, order):
        high = low + order
        parts = [numbers[low][start], numbers[low][end], numbers[high][end], numbers[high][start]]
        if order == 2:
            middle, half = block.nodes[:, 2], numbers[low + 1]
            parts += [numbers[low][middle], half[end], numbers[high][middle], half[start]]
        layers.append(np.column_stack(parts))
    return np.concatenate(layers)


def _end_facets(block: CellBlock, layers: int, end: int) -> CellBlock:
    """Facet 0 of the lowest layer or facet 1 of the highest."""
    name, local = block.cell.facets[end]
    each = len(block) // layers
    rows = block.nodes[:each] if end == 0 else block.nodes[-each:]
    return CellBlock(cell_named(name), rows[:, local])


def _drawn_set(mesh: Mesh, cells: IntArray, layers: int) -> IntArray:
    starts = mesh.block_starts
    parts = []
    for start, end in pairwise(starts):
        rows = cells[(cells >= start) & (cells < end)] - start
        parts += [layers * start + layer * (end - start) + rows for layer in range(layers)]
    return np.concatenate(parts)


def _present(numbers: IntArray) -> IntArray:
    return np.asarray(numbers[numbers >= 0])


@dataclass(frozen=True, eq=False)
class SweptSurface:
    """The surface, and for each of its nodes the node of the section and the number of the meridian."""

    mesh: Mesh
    nodes: IntArray  # of the section: (points,)
    meridians: IntArray  # (points,)
    angles: Array  # of the meridians about y [rad]


def swept_surface(section: Mesh, meridians: int, on_axis: BoolArray) -> SweptSurface:
    """Revolve the boundary of a section between corner nodes; nodes on the axis stay single."""
    edges = np.concatenate([block.nodes[:, :2] for block in section.boundary()])
    edges = edges[~on_axis[edges].all(axis=1)]
    used = np.unique(edges)
    fixed, moving = used[on_axis[used]], used[~on_axis[used]]
    nodes = np.concatenate([np.tile(moving, meridians), fixed])
    places = np.concatenate([np.repeat(np.arange(meridians), len(moving)), np.zeros(len(fixed), dtype=np.int64)])
    numbers = np.zeros((meridians, section.node_count), dtype=np.int64)
    numbers[:, moving] = np.arange(meridians * len(moving)).reshape(meridians, -1)
    numbers[:, fixed] = meridians * len(moving) + np.arange(len(fixed))
    angles = 2 * np.pi * np.arange(meridians) / meridians
    following = np.roll(numbers, -1, axis=0)
    corners = np.stack(
        [numbers[:, edges[:, 0]], numbers[:, edges[:, 1]], following[:, edges[:, 1]], following[:, edges[:, 0]]],
        axis=-1,
    )
    first, second = on_axis[edges[:, 0]], on_axis[edges[:, 1]]
    whole = corners[:, ~(first | second)].reshape(-1, 4)
    tips = np.concatenate([corners[:, first][..., [0, 1, 2]], corners[:, second][..., [0, 1, 3]]], axis=1)
    blocks = [CellBlock(QUAD, whole), CellBlock(TRIANGLE, tips.reshape(-1, 3))]
    radii, heights = section.points[nodes, 0], section.points[nodes, 1]
    turned = angles[places]
    points = np.stack([radii * np.cos(turned), heights, -radii * np.sin(turned)], axis=-1)
    mesh = Mesh(points, tuple(block for block in blocks if len(block)))
    return SweptSurface(mesh, nodes, places, angles)
