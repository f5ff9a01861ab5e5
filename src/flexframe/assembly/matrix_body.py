"""A body made of mass and stiffness matrices that another program computed."""

import numpy as np

from flexframe.assembly.discrete import DiscreteBody, discretise
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, IntArray, SparseMatrix
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.cells import VERTEX
from flexframe.mesh.mesh import Mesh
from flexframe.model.body import Body
from flexframe.model.loads import Load
from flexframe.model.matrices import BodyMatrices
from flexframe.model.supports import Support


def matrix_body(
    name: str,
    stiffness: SparseMatrix,
    mass: SparseMatrix,
    coordinates: Array | None = None,
    *,
    labels: IntArray | None = None,
    supports: tuple[Support, ...] = (),
    loads: tuple[Load, ...] = (),
) -> DiscreteBody:
    """A body of nodes from K and M (p, p) and node coordinates (n, 3), ux, uy, uz of each in the same order.

    `labels` (p, 2) are node label and degree of freedom (1–6 for ux … rz) of each row where the order is another
    or nodes have rotations; the coordinates then belong to the labels in ascending order. Where all components are
    interpolated alike, as in solids, M gives every inertia invariant; else those that need the displacement
    between the nodes are rebuilt from rigid nodes. Without coordinates the frame cannot turn.

    Parameters
    ----------
    name
        Name of the body.
    stiffness, mass
        K [N/m, N m] and M [kg, kg m²], sparse and symmetric: (p, p).
    coordinates
        Node coordinates [m]: (n, 3).
    labels
        Node label and degree of freedom of each row: (p, 2).
    supports, loads
        What fixes the body in its frame, and what acts on it.

    Returns
    -------
    DiscreteBody
        A body for analyses. Without elements it has no stress and no geometric stiffness.

    Examples
    --------
    >>> part = ff.discretise(ff.Body.solid("part", ff.mesh.block((0.4, 0.1, 0.1), (2, 1, 1)), material=ff.STEEL))
    >>> again = ff.bodies.matrix_body("part", part.stiffness, part.mass, part.body.mesh.points)
    >>> round(again.inertia.mass, 6)
    31.4
    """
    rows, node_labels = _rows(name, stiffness.shape[0], labels)
    count = int(rows[:, 0].max(initial=-1)) + 1
    points = np.zeros((count, 3)) if coordinates is None else np.asarray(coordinates, dtype=float)
    if points.shape != (count, 3):
        raise InputError(f"body {name}: {len(points)} coordinates are given for {count} nodes; give one row each")
    mesh = Mesh(points, (CellBlock(VERTEX, np.arange(count)[:, None]),), node_labels=node_labels)
    matrices = BodyMatrices(rows, stiffness, mass, placed=coordinates is not None)
    return discretise(Body(name, mesh, (), supports=supports, loads=loads, space="spatial", matrices=matrices))


def _rows(name: str, size: int, labels: IntArray | None) -> tuple[IntArray, IntArray | None]:
    """Node number and column of each row, and the labels of the nodes."""
    if labels is None:
        if size % 3:
            raise InputError(
                f"body {name}: {size} degrees of freedom are not three for each node; give `labels` of the rows"
            )
        return np.column_stack([np.arange(size) // 3, np.arange(size) % 3]), None
    table = np.asarray(labels, dtype=np.int64)
    if table.shape != (size, 2) or not ((table[:, 1] >= 1) & (table[:, 1] <= 6)).all():
        raise InputError(
            f"body {name}: the {size} rows need a node label and a degree of freedom from 1 to 6 each"
        )
    if len(np.unique(table, axis=0)) < size:
        raise InputError(f"body {name}: two rows belong to the same degree of freedom; correct the labels")
    nodes, numbers = np.unique(table[:, 0], return_inverse=True)
    return np.column_stack([np.asarray(numbers).ravel(), table[:, 1] - 1]), nodes
