"""What sits at single nodes: point masses with rotary inertia, and springs to the frame of the body."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from flexframe.assembly.dofs import DofMap
from flexframe.elements.contract import NODE_DOFS, InertiaFields
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, IntArray, SparseMatrix
from flexframe.maths.rotations import skew
from flexframe.mesh.cells import VERTEX
from flexframe.model.body import Body, PointMass
from flexframe.model.supports import NodeSelection


@dataclass(frozen=True, eq=False)
class PointBodies:
    """Point masses with rotary inertia as six particles each, on the principal axes of inertia.

    Particles m/6 at ±√(3λ_k/m) e_k have the second moments λ_k; they move with the node, u + θ × s.
    """

    numbers: IntArray  # (n, 6)
    fields: InertiaFields
    second_moments: Array  # Σ m s sᵀ about the node: (n, 3, 3)

    def geometric_kernel(self, gradient: Array) -> Array:
        """Stiffness on the rotations of a body force A x per mass, tr(P)1 − sym(P) with P = A Σ m s sᵀ: (n, 3, 3).

        It is the work of the force on ½ θ × (θ × s).
        """
        product = gradient @ self.second_moments
        trace = np.trace(product, axis1=1, axis2=2)[:, None, None]
        return np.asarray(trace * np.eye(3) - (product + product.swapaxes(1, 2)) / 2)


def lumped_masses(body: Body, dofs: DofMap) -> Array:
    """Mass of the points without rotary inertia at each node: (nodes,)."""
    lumped = np.zeros(body.mesh.node_count)
    for point_mass in body.point_masses:
        nodes = attached_nodes(body, dofs, point_mass.on, "point mass")
        if point_mass.inertia is None:
            lumped[nodes] += point_mass.mass
    return lumped


def point_bodies(body: Body, dofs: DofMap) -> PointBodies | None:
    """The points with rotary inertia, None where there is none."""
    heavy = [(mass, node) for mass in body.point_masses for node in _turning_nodes(body, dofs, mass)]
    if not heavy:
        return None
    nodes = np.array([node for _, node in heavy], dtype=np.int64)
    second = np.array([mass.second_moments() for mass, _ in heavy])
    mass = np.array([mass.mass for mass, _ in heavy])
    values, vectors = np.linalg.eigh(second)
    reach = np.sqrt(3 * np.maximum(values, 0) / mass[:, None])
    offsets = (vectors * reach[:, None, :]).swapaxes(1, 2)
    offsets = np.concatenate([offsets, -offsets], axis=1)  # (n, 6, 3)
    shape = np.concatenate([np.broadcast_to(np.eye(3), (*offsets.shape[:2], 3, 3)), -skew(offsets)], axis=3)
    fields = InertiaFields(
        weights=np.repeat(mass[:, None] / 6, 6, axis=1),
        positions=body.mesh.points[nodes][:, None] + offsets,
        shape=shape,
    )
    return PointBodies(dofs.numbers[nodes], fields, second)


def spring_matrix(body: Body, dofs: DofMap, which: str) -> SparseMatrix | None:
    """Stiffness ("stiffness") or damping ("damping") of the springs: (p, p), None where there is none."""
    diagonal = np.zeros(dofs.count)
    for spring in body.springs:
        values = spring.values(which)
        nodes = attached_nodes(body, dofs, spring.on, "spring")
        for column in np.flatnonzero(values):
            numbers = dofs.numbers[nodes, column]
            if (numbers < 0).any():
                node = body.mesh.node_label(int(nodes[np.argmax(numbers < 0)]))
                raise InputError(
                    f"body {body.name}: a spring acts along {NODE_DOFS[column]} of node {node}, which does not "
                    "move that way; leave it out, or put it on the reference of a coupling, which has rotations"
                )
            diagonal[numbers] += values[column]
    return sparse.diags_array(diagonal, format="csr") if diagonal.any() else None


def stand_dofs(body: Body) -> Iterator[tuple[IntArray, tuple[str, ...]]]:
    """Points that no element holds but a bearing, such as pedestals, and their degrees of freedom."""
    ends = [end for bearing in body.bearings for end in (bearing.on, bearing.to) if isinstance(end, int)]
    points = [block.nodes.ravel() for block in body.mesh.blocks if block.cell == VERTEX]
    if ends and points:
        yield np.intersect1d(np.concatenate(points), ends), NODE_DOFS[:3]


def attached_nodes(body: Body, dofs: DofMap, on: NodeSelection, what: str) -> IntArray:
    """The nodes of a selection; refuse those that belong to nothing."""
    nodes = body.selected_nodes(on)
    loose = nodes[(dofs.numbers[nodes] < 0).all(axis=1)]
    if loose.size:
        raise InputError(
            f"body {body.name}: a {what} is on node {body.mesh.node_label(int(loose[0]))}, which belongs to no "
            "element and no coupling; couple it with the body first"
        )
    return nodes


def _turning_nodes(body: Body, dofs: DofMap, point_mass: PointMass) -> IntArray:
    if point_mass.inertia is None:
        return np.empty(0, dtype=np.int64)
    nodes = attached_nodes(body, dofs, point_mass.on, "point mass")
    needed = [5] if body.space == "planar" else [3, 4, 5]
    stiff = nodes[(dofs.numbers[nodes][:, needed] < 0).any(axis=1)]
    if stiff.size:
        raise InputError(
            f"body {body.name}: a point mass with inertia is on node {body.mesh.node_label(int(stiff[0]))}, which "
            "has no rotation; put it on the reference of a coupling"
        )
    return nodes
