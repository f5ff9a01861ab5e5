"""Points beside the cells of a mesh: places for couplings, point masses and springs."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from flexframe.errors import InputError
from flexframe.maths.arrays import IntArray
from flexframe.mesh.blocks import CellBlock, nodes_of_blocks
from flexframe.mesh.cells import VERTEX
from flexframe.mesh.mesh import Mesh
from flexframe.mesh.validation import coordinates


def with_points(mesh: Mesh, points: Mapping[str, ArrayLike]) -> Mesh:
    """The mesh with more nodes, each a vertex cell and a node set of its name; other numbers stay.

    Parameters
    ----------
    mesh
        The mesh to extend.
    points
        Positions by name [m].

    Returns
    -------
    Mesh
        The extended mesh; the added nodes come last.

    Examples
    --------
    >>> arm = ff.mesh.with_points(ff.mesh.block((0.3, 0.04, 0.02), (6, 1, 1)), {"wheel": (0.34, 0.02, 0.01)})
    >>> arm.points[arm.node_sets["wheel"][0]]
    array([0.34, 0.02, 0.01])
    """
    taken = [name for name in points if name in {*mesh.node_sets, *mesh.facet_sets, *mesh.cell_sets}]
    if taken:
        raise InputError(f"the mesh has a set '{taken[0]}' already; give the point another name")
    places = np.array([coordinates(f"point '{name}'", place) for name, place in points.items()]).reshape(-1, 3)
    numbers = mesh.node_count + np.arange(len(places))
    return replace(
        mesh,
        points=np.concatenate([mesh.points, places]),
        tangents=None if mesh.tangents is None else np.concatenate([mesh.tangents, np.full(places.shape, np.nan)]),
        blocks=(*mesh.blocks, CellBlock(VERTEX, numbers[:, None])),
        node_sets={**mesh.node_sets, **{name: numbers[i : i + 1] for i, name in enumerate(points)}},
        node_labels=_continue(mesh.node_labels, len(places)),
        cell_labels=_continue(mesh.cell_labels, len(places)),
    )


def with_vertices(mesh: Mesh, nodes: IntArray) -> Mesh:
    """The mesh with a point cell at each of these nodes that belongs to no cell."""
    loose = np.setdiff1d(nodes, nodes_of_blocks(mesh.blocks))
    if not loose.size:
        return mesh
    blocks = (*mesh.blocks, CellBlock(VERTEX, loose[:, None]))
    return replace(mesh, blocks=blocks, cell_labels=_continue(mesh.cell_labels, len(loose)))


def _continue(labels: IntArray | None, count: int) -> IntArray | None:
    if labels is None:
        return None
    return np.concatenate([labels, labels.max(initial=0) + 1 + np.arange(count)])
