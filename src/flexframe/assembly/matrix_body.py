"""A body made of mass and stiffness matrices that another program computed.

Where all displacement components are interpolated alike, M = m_s ⊗ 1, and m_s with the node coordinates gives
every inertia invariant of the moving frame. Other matrices (rotations, separate lumping by direction) do not tell
the displacement between the nodes, so the body is refused with the reason. Geometric stiffness does not follow
from M and K; analyses that need it say so.
"""

import numpy as np
from scipy import sparse

from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.dofs import DofMap, rigid_displacements
from flexframe.assembly.inertia import integrate_inertia
from flexframe.assembly.loads import applied_loads
from flexframe.assembly.pattern import NodePattern
from flexframe.assembly.projection import supported
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, IntArray, SparseMatrix
from flexframe.maths.factorisation import factorise
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.cells import VERTEX
from flexframe.mesh.mesh import Mesh
from flexframe.model.body import Body
from flexframe.model.loads import Load
from flexframe.model.supports import Support

_EQUAL = 1e-8  # relative to the largest entry: files of other programs have nine digits or more


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
    """A body of nodes with ux, uy, uz each, from K and M (3n, 3n) and node coordinates (n, 3) in the same order.

    `labels` (3n, 2) are node label and degree of freedom (1, 2, 3) of each row where the order is another; the
    coordinates then belong to the labels in ascending order. Without coordinates the frame cannot turn.

    Parameters
    ----------
    name
        Name of the body.
    stiffness, mass
        K [N/m] and M [kg], sparse and symmetric: (3n, 3n).
    coordinates
        Node coordinates [m]: (n, 3).
    labels
        Node label and degree of freedom of each row: (3n, 2).
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
    order, node_labels = _node_order(name, stiffness.shape[0], labels)
    K, M = (sparse.csr_array(matrix)[order][:, order] for matrix in (stiffness, mass))
    for what, matrix in (("stiffness", K), ("mass", M)):
        _require_symmetric(name, what, matrix, len(order))
    scalar = _scalar_mass(name, M)
    _require_positive(name, scalar)
    count = len(order) // 3
    placed = coordinates is not None
    points = np.zeros((count, 3)) if coordinates is None else np.asarray(coordinates, dtype=float)
    if points.shape != (count, 3):
        raise InputError(f"body {name}: {len(points)} coordinates are given for {count} nodes; give one row each")
    mesh = Mesh(points, (CellBlock(VERTEX, np.arange(count)[:, None]),), node_labels=node_labels)
    body = Body(name, mesh, (), supports=supports, loads=loads, space="spatial")
    numbers = np.full((count, 6), -1, dtype=np.int64)
    numbers[:, :3] = np.arange(3 * count).reshape(count, 3)
    dofs = DofMap(numbers, 3 * count)
    if placed:
        _require_belonging(name, K, rigid_displacements(dofs, points))
    pattern = NodePattern(np.asarray(scalar.indptr, np.int64), np.asarray(scalar.indices, np.int64))
    inertia = integrate_inertia(
        (), dofs, pattern, points=points, lumped=np.zeros(count), scalar=scalar.data, placed=placed
    )
    return DiscreteBody(
        body=body,
        batches=(),
        dofs=dofs,
        pattern=pattern,
        stiffness=K,
        element_stiffness=K,
        inertia=inertia,
        supports=supported(body, dofs),
        loads=applied_loads(body, (), dofs, inertia),
    )


def _node_order(name: str, size: int, labels: IntArray | None) -> tuple[IntArray, IntArray | None]:
    """Rows by node and then x, y, z, and the labels of the nodes."""
    if labels is None:
        if size % 3:
            raise InputError(
                f"body {name}: {size} degrees of freedom are not three for each node; give `labels` of the rows"
            )
        return np.arange(size), None
    table = np.asarray(labels)
    if (table[:, 1] > 3).any():
        raise InputError(
            f"body {name}: node {table[np.argmax(table[:, 1] > 3), 0]} has a rotation; the inertia of a moving "
            "frame needs the displacements inside the elements, which such matrices do not tell: import the mesh"
        )
    order = np.lexsort((table[:, 1], table[:, 0])).astype(np.int64)
    nodes = np.unique(table[:, 0])
    if len(table) != size or size != 3 * len(nodes) or not (table[order, 1].reshape(-1, 3) == [1, 2, 3]).all():
        raise InputError(
            f"body {name}: the rows are not displacements 1, 2, 3 of every node; export the free body"
        )
    return order, nodes.astype(np.int64)


def _require_positive(name: str, scalar: SparseMatrix) -> None:
    """Refuse a mass that some motion of the nodes makes negative; nodes without mass are allowed."""
    slack = _EQUAL * float(abs(scalar).max()) * sparse.eye_array(scalar.shape[0], format="csr")
    negative = factorise(sparse.csr_array(scalar + slack), "symmetric").negative_pivots
    if negative:
        raise InputError(
            f"body {name}: the mass matrix is indefinite ({negative} negative eigenvalues of the nodes' masses); "
            "give the consistent or lumped mass that the other program used"
        )


def _require_symmetric(name: str, what: str, matrix: SparseMatrix, size: int) -> None:
    if matrix.shape != (size, size):
        raise InputError(f"body {name}: the {what} matrix is {matrix.shape}; K and M need the same size")
    if abs(matrix - matrix.T).max() > _EQUAL * abs(matrix).max():
        raise InputError(f"body {name}: the {what} matrix is not symmetric; give K and M of a body at rest")


def _scalar_mass(name: str, M: SparseMatrix) -> SparseMatrix:
    """m_s of M = m_s ⊗ 1; refuse other matrices with the reason."""
    largest = abs(M).max()
    components = [[M[i::3][:, j::3] for j in range(3)] for i in range(3)]
    for i in range(3):
        for j in range(3):
            if i != j and abs(components[i][j]).max() > _EQUAL * largest:
                raise InputError(
                    f"body {name}: the mass matrix couples u{'xyz'[i]} and u{'xyz'[j]}, so it is not ∫ρφφ of one "
                    "interpolation; inertia invariants do not follow from it: import the mesh"
                )
    for i in (1, 2):
        if abs(components[i][i] - components[0][0]).max() > _EQUAL * largest:
            raise InputError(
                f"body {name}: the mass matrix of u{'xyz'[i]} differs from that of ux, so the components are not "
                "interpolated alike; inertia invariants do not follow from it: import the mesh"
            )
    scalar = sparse.csr_array((components[0][0] + components[1][1] + components[2][2]) / 3)
    scalar.sum_duplicates()
    return scalar


def _require_belonging(name: str, K: SparseMatrix, fields: Array) -> None:
    """Refuse coordinates whose rigid rotations strain a body that translates freely."""
    strain = np.abs(np.asarray(K @ fields)).max(axis=0) / (abs(K).max() * np.abs(fields).max(axis=0).clip(1e-300))
    if strain[:3].max() < 1e-6 and strain[3:].max() > 1e-4:
        raise InputError(
            f"body {name}: a rigid rotation strains the body, so the coordinates do not belong to these matrices; "
            "check their order and unit"
        )
