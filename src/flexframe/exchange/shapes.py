"""Bodies of which mode shapes at nodes are known: rigid motions among them, and matrices of the amounts."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy import sparse

from flexframe.assembly.dofs import DofMap, rigid_displacements
from flexframe.errors import InputError
from flexframe.exchange.contract import FiledModes, Part, role_of
from flexframe.exchange.numbering import Numbering
from flexframe.maths.arrays import Array, BoolArray, IntArray
from flexframe.mesh.mesh import Mesh
from flexframe.model.body import PointMass
from flexframe.model.matrices import BodyMatrices

_IN_SPAN = 1e-3  # of a rigid motion that the shapes do not hold, relative: less is the rounding of the file
_LARGEST = 1e100  # displacement whose square is still a number
_MOVES = 1e-12  # of the longest rigid motion: shorter ones are rounding
_DEPENDENT = 1e-10  # of a shape's length that it has beside the others


def modal_matrices(
    name: str, modes: FiledModes, mesh: Mesh, part: Part, own: BoolArray | None = None
) -> tuple[BodyMatrices, list[str]]:
    """Matrices of the amounts of modes, and what was found on the way; `own` are the degrees of freedom of nodes.

    Rigid motions among the shapes are made exact: Φ + (R − Φz)(zᵀz)⁻¹zᵀ holds R for the amounts z that come
    nearest to it, and K keeps nothing of them.
    """
    notices: list[str] = []
    labels = np.arange(1, mesh.node_count + 1) if mesh.node_labels is None else mesh.node_labels
    numbering = Numbering("node", labels, np.arange(mesh.node_count))
    known = numbering.is_known(modes.node_labels)
    if not known.all():
        lost = modes.node_labels[~known]
        if 2 * lost.size > known.size:
            raise InputError(
                f"body {name}: the modes have node {lost[0]} and {lost.size - 1} more that the mesh has not; "
                "give the mesh of the same part"
            )
        notices.append(
            f"{lost.size} nodes of the modes, such as {lost[0]}, belong to no element and were left out"
        )
        modes = replace(modes, node_labels=modes.node_labels[known], shapes=modes.shapes[:, known])
    nodes = numbering.of(modes.node_labels, "modes")
    largest = float(np.abs(modes.shapes).max(initial=0.0))
    if largest > _LARGEST:
        raise InputError(f"body {name}: a mode moves a node by {largest:.3g}; write the file of the modes again")
    columns = np.flatnonzero(modes.present)
    numbers = np.column_stack([np.repeat(nodes, len(columns)), np.tile(columns, len(nodes))])
    shapes = modes.shapes[:, :, columns].reshape(len(modes.frequencies_hz), -1).T
    there = (numbers[:, 1] < 3) | (np.abs(shapes) > 0).any(axis=1)  # nodes of solids have no rotations
    if own is not None:
        there = own[numbers[:, 0], numbers[:, 1]]
    numbers, shapes = numbers[there], shapes[there]
    kept = _independent(shapes)
    if len(kept) < shapes.shape[1]:
        notices.append(f"{shapes.shape[1] - len(kept)} shapes that depend on others were left out")
    shapes = shapes[:, kept]
    scale = 1 / np.sqrt(modes.masses[kept])
    shapes = shapes * scale
    K = np.diag((2 * np.pi * modes.frequencies_hz[kept]) ** 2)
    M = np.eye(len(kept))
    R = _rigid(mesh.points, numbers)
    z, missing = _nearest(shapes, R)
    free = missing < _IN_SPAN
    if free.any():
        notices.append(
            f"{int(free.sum())} rigid motions are among the modes, to {missing[free].max():.1e} of their length; "
            "they were made exact"
        )
        held = z[:, free]
        inverse = np.linalg.pinv(held)
        shapes = shapes + (R[:, free] - shapes @ held) @ inverse
        P = np.eye(len(M)) - held @ np.linalg.solve(held.T @ M @ held, held.T @ M)
        K = P.T @ K @ P
    else:
        notices.append("no rigid motion is among the modes: the shapes hold the body in its frame")
    rigid = np.where(free, z, 0.0)
    matrices = BodyMatrices(
        numbers, sparse.csr_array((K + K.T) / 2), sparse.csr_array(M), shapes=shapes, rigid=rigid
    )
    if not part.regions:
        matrices = replace(matrices, lumped=_nodal_masses(name, part, mesh, numbering))
    return matrices, notices


def without_point_masses(matrices: BodyMatrices, mesh: Mesh, masses: Sequence[PointMass]) -> BodyMatrices:
    """M without the point masses that modes of a file have in it, for a body that has these masses beside it."""
    assert matrices.shapes is not None
    at = np.full((mesh.node_count, 6), -1)
    at[matrices.rows[:, 0], matrices.rows[:, 1]] = np.arange(len(matrices.rows))
    M = matrices.mass.toarray()
    for mass in masses:
        block = np.zeros((6, 6))
        block[:3, :3] = mass.mass * np.eye(3)
        if mass.inertia is not None:
            xx, yy, zz, xy, yz, zx = (*mass.inertia, 0.0, 0.0, 0.0)[:6]
            block[3:, 3:] = [[xx, xy, zx], [xy, yy, yz], [zx, yz, zz]]
        for node in mesh.nodes_of(str(mass.on)).tolist():
            known = at[node] >= 0
            shapes = matrices.shapes[at[node][known]]
            M -= shapes.T @ block[np.ix_(known, known)] @ shapes
    return replace(matrices, mass=sparse.csr_array((M + M.T) / 2))


def _independent(shapes: Array) -> IntArray:
    """Shapes that are no combination of those before them."""
    unit = shapes / np.maximum(np.linalg.norm(shapes, axis=0), 1e-300)
    own = np.abs(np.diagonal(np.linalg.qr(unit, mode="r")))
    return np.flatnonzero(own > np.sqrt(_DEPENDENT))


def _nearest(shapes: Array, fields: Array) -> tuple[Array, Array]:
    """Amounts with which shapes come nearest to fields, and what is missing, relative to the length."""
    amounts, *_ = np.linalg.lstsq(shapes, fields, rcond=None)
    length = np.linalg.norm(fields, axis=0)
    moves = length > _MOVES * length.max(initial=0.0)  # nodes on a line do not move about it
    left = np.linalg.norm(fields - shapes @ amounts, axis=0)
    return np.asarray(amounts, dtype=float), np.divide(left, length, out=np.ones(len(length)), where=moves)


def _rigid(points: Array, numbers: IntArray) -> Array:
    whole = DofMap(np.arange(6 * len(points)).reshape(-1, 6), 6 * len(points))
    return rigid_displacements(whole, points)[6 * numbers[:, 0] + numbers[:, 1]]


def _nodal_masses(name: str, part: Part, mesh: Mesh, numbering: Numbering) -> Array:
    """Masses of the nodes: row sums of a mass matrix of the files, or their point masses."""
    lumped = np.zeros(mesh.node_count)
    for key, found in part.matrices.items():
        if role_of(key) == "mass" and found.rows is not None:
            rows = found.rows
            for dof in (1, 2, 3):
                along = np.asarray(found.matrix @ (rows[:, 1] == dof).astype(float))
                own = rows[:, 1] == dof
                np.add.at(lumped, numbering.of(rows[own, 0], key), along[own] / 3)
            return lumped
    for mass in part.point_masses:
        if isinstance(mass.on, str):
            lumped[mesh.nodes_of(mass.on)] += mass.mass
    if not lumped.any():
        raise InputError(
            f"body {name}: nothing says where the mass of the modes is; add a file with the mesh and its "
            "properties, or with the mass matrix"
        )
    return lumped
