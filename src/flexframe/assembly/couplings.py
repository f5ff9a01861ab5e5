"""Couplings as an elimination of dependent degrees of freedom, without penalties and without multipliers.

A rigid coupling makes its nodes follow the reference, u = u_r + θ_r × (x − x_r), θ = θ_r. A mean coupling makes
the reference follow the nodes: with weights w, centre c and I = Σ w (r²1 − r rᵀ), r = x − c,

    θ_r = I⁻¹ Σ w r × u,   u_r = Σ w u / Σ w + θ_r × (x_r − c).
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from flexframe.assembly.dofs import DofMap
from flexframe.assembly.loads import nodal_areas
from flexframe.elements.contract import NODE_DOFS
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, BoolArray, IntArray, SparseMatrix
from flexframe.maths.graphs import connected_parts
from flexframe.maths.rotations import skew
from flexframe.model.body import Body
from flexframe.model.supports import Coupling, MeanCoupling, RigidCoupling


@dataclass(frozen=True, eq=False)
class RigidJoin:
    """A rigid coupling in numbers: who follows, and how far from the reference."""

    rotations: IntArray  # equation numbers of the reference's rotations, −1 where there is none: (3,)
    followers: IntArray  # equation numbers of the displacements, likewise: (n, 3)
    arms: Array  # x − x_r: (n, 3)


@dataclass(frozen=True, eq=False)
class CouplingMap:
    """δ = explicit · δ[independent]; the columns of `basis` are orthonormal and span the same displacements."""

    explicit: SparseMatrix  # (p, n), the identity in the independent rows
    independent: IntArray  # (n,)
    basis: SparseMatrix  # (p, n)


def coupled_dofs(body: Body) -> Iterator[tuple[IntArray, tuple[str, ...]]]:
    """Nodes and the degrees of freedom that couplings give them: references, and points that follow rigidly."""
    for coupling in body.couplings:
        reference = np.array([_reference(body, coupling)])
        if isinstance(coupling, MeanCoupling):
            yield reference, coupling.dofs
        else:
            yield reference, NODE_DOFS
            yield _followers(body, coupling), NODE_DOFS[:3]


def reference_nodes(body: Body) -> IntArray:
    """Nodes that couplings refer to, each once."""
    return np.unique(np.array([_reference(body, coupling) for coupling in body.couplings], dtype=np.int64))


def rigid_joins(body: Body, dofs: DofMap) -> tuple[RigidJoin, ...]:
    """The rigid couplings of a body that tie displacements."""
    joins = []
    for coupling in body.couplings:
        if isinstance(coupling, RigidCoupling):
            reference, nodes = _reference(body, coupling), _followers(body, coupling)
            followers = dofs.numbers[nodes, :3].copy()
            followers[:, [name not in coupling.dofs for name in NODE_DOFS[:3]]] = -1
            arms = body.mesh.points[nodes] - body.mesh.points[reference]
            joins.append(RigidJoin(dofs.numbers[reference, 3:], followers, arms))
    return tuple(joins)


def coupling_map(body: Body, dofs: DofMap) -> CouplingMap | None:
    """The displacements that the couplings of a body leave, None without couplings."""
    if not body.couplings:
        return None
    rows: list[IntArray] = []
    columns: list[IntArray] = []
    values: list[Array] = []
    owner = np.full(dofs.count, -1)
    for index, coupling in enumerate(body.couplings):
        dependent, leading, factors = _relation(body, dofs, coupling)
        _require_once(body, dofs, dependent, owner, index)
        owner[dependent] = index
        row, column = np.nonzero(factors)
        rows.append(dependent[row])
        columns.append(leading[column])
        values.append(factors[row, column])
    leaders = np.concatenate(columns)
    chained = leaders[owner[leaders] >= 0]
    if chained.size:
        node, name = dofs.place(int(chained[0]))
        raise InputError(
            f"body {body.name}: {name} of node {body.mesh.node_label(node)} leads in one coupling and follows in "
            "another; leave the node out of one of them, or join them into one coupling"
        )
    independent = np.flatnonzero(owner < 0).astype(np.int64)
    rows.append(independent)
    columns.append(independent)
    values.append(np.ones(len(independent)))
    triplets = (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns)))
    full = sparse.csc_array(sparse.coo_array(triplets, shape=(dofs.count, dofs.count)))
    explicit = sparse.csr_array(full[:, independent])
    return CouplingMap(explicit, independent, orthonormal_columns(explicit))


def coupling_constraints(body: Body, dofs: DofMap) -> SparseMatrix:
    """Rows of A δ = 0 that the couplings of a body are: (k, p)."""
    rows = [sparse.csr_array((0, dofs.count), dtype=float)]
    for coupling in body.couplings:
        dependent, leading, factors = _relation(body, dofs, coupling)
        made = sparse.lil_array((len(dependent), dofs.count))
        made[np.arange(len(dependent)), dependent] = 1.0
        made[:, leading] = -factors
        rows.append(sparse.csr_array(made))
    return sparse.csr_array(sparse.vstack(rows))


def _relation(body: Body, dofs: DofMap, coupling: Coupling) -> tuple[IntArray, IntArray, Array]:
    """Dependent and leading equations of a coupling, and the factors between them."""
    return _rigid(body, dofs, coupling) if isinstance(coupling, RigidCoupling) else _mean(body, dofs, coupling)


def orthonormal_columns(basis: SparseMatrix) -> SparseMatrix:
    """An orthonormal basis of the same space: columns that share rows are orthonormalised together."""
    gram = sparse.coo_array(basis.T @ basis)
    labels = connected_parts(basis.shape[1], gram.row, gram.col)
    by_column = sparse.csc_array(basis)
    sizes = np.bincount(labels)
    length = np.sqrt(gram.diagonal())
    alone = np.flatnonzero(sizes[labels] == 1)
    parts = [by_column[:, alone] @ sparse.diags_array(1 / length[alone])]
    order = np.argsort(labels, kind="stable")
    for members in np.split(order, np.cumsum(sizes)[:-1]):
        if len(members) > 1:
            block = by_column[:, members]
            touched = np.unique(block.indices)
            q, _ = np.linalg.qr(block[touched].toarray())
            local = sparse.coo_array(q)
            shape = (basis.shape[0], len(members))
            parts.append(sparse.csc_array((local.data, (touched[local.row], local.col)), shape=shape))
    return sparse.csr_array(sparse.hstack(parts))


def rigid_kernel(join: RigidJoin, forces: Array) -> Array:
    """Geometric stiffness of a rigid coupling on the rotations of its reference: (3, 3).

    Followers at r move by θ × r + ½ θ × (θ × r); the forces λ (p,) that the coupling puts on them do work on the
    second part, ½ θᵀ(sym(λ rᵀ) − (λ·r) 1)θ.
    """
    product = np.append(forces, 0.0)[join.followers].T @ join.arms
    return np.asarray((product + product.T) / 2 - np.trace(product) * np.eye(3))


def _rigid(body: Body, dofs: DofMap, coupling: RigidCoupling) -> tuple[IntArray, IntArray, Array]:
    """Dependent and leading equations, and the factors between them."""
    reference, nodes = _reference(body, coupling), _followers(body, coupling)
    arms = body.mesh.points[nodes] - body.mesh.points[reference]
    follow = np.zeros((len(nodes), 6, 6))
    follow[:] = np.eye(6)
    follow[:, :3, 3:] = -skew(arms)  # θ × r
    numbers = dofs.numbers[nodes]
    tied = (numbers >= 0) & np.array([name in coupling.dofs for name in NODE_DOFS])
    leading = dofs.numbers[reference]
    return numbers[tied], leading[leading >= 0], follow[tied][:, leading >= 0]


def _mean(body: Body, dofs: DofMap, coupling: MeanCoupling) -> tuple[IntArray, IntArray, Array]:
    """Dependent and leading equations, and the factors between them."""
    reference = _reference(body, coupling)
    nodes, weights = _weighted_nodes(body, coupling)
    free = dofs.numbers[nodes[0], :3] >= 0
    if (dofs.numbers[nodes][:, :3] >= 0).sum() != free.sum() * len(nodes) or not free.any():
        raise InputError(
            f"body {body.name}: the nodes of mean coupling '{coupling.on}' do not all move in the same "
            "directions; choose nodes of one kind of element"
        )
    share = weights / weights.sum()
    centre = share @ body.mesh.points[nodes]
    arms = body.mesh.points[nodes] - centre
    wanted = np.array([name in coupling.dofs for name in NODE_DOFS]) & (dofs.numbers[reference] >= 0)
    offset = body.mesh.points[reference] - centre
    size = np.sqrt(max(float(share @ (arms**2).sum(axis=1)), 0.0))
    translation = np.einsum("n,ij->inj", share, np.eye(3))
    rotation = np.zeros((3, len(nodes), 3))
    if wanted[3:].any() or np.linalg.norm(offset) > 1e-9 * max(size, 1e-300):
        rotation = _mean_rotation(body, coupling, arms, share, turning=_turning(free))
    factors = np.concatenate([translation + np.einsum("ij,jnk->ink", -skew(offset), rotation), rotation])
    leading = dofs.numbers[nodes][:, :3][:, free].ravel()
    return dofs.numbers[reference][wanted], leading, factors[wanted][:, :, free].reshape(int(wanted.sum()), -1)


def _turning(free: BoolArray) -> BoolArray:
    """Axes about which nodes that move in the free directions can turn: both other directions must be free."""
    return np.array([free[1] and free[2], free[2] and free[0], free[0] and free[1]])


def _mean_rotation(body: Body, coupling: MeanCoupling, arms: Array, share: Array, *, turning: BoolArray) -> Array:
    """θ = I⁻¹ Σ w r × u as factors of the displacements: (3, nodes, 3)."""
    inertia = np.einsum("n,nij->ij", share, np.einsum("nk,nk,ij->nij", arms, arms, np.eye(3)))
    inertia -= np.einsum("n,ni,nj->ij", share, arms, arms)
    axes = np.flatnonzero(turning)
    inner = inertia[np.ix_(axes, axes)]
    values = np.linalg.eigvalsh(inner)
    if values[0] <= 1e-9 * max(float(np.trace(inertia)), 1e-300):
        raise InputError(
            f"body {body.name}: the nodes of mean coupling '{coupling.on}' lie on one line or at one point, so "
            "their mean rotation is not defined; add nodes beside it, or tie the displacements only, at the "
            "centre of the nodes (dofs: ux, uy, uz)"
        )
    rotation = np.zeros((3, len(arms), 3))
    moments = np.einsum("n,nij->inj", share, skew(arms))[axes]
    rotation[axes] = np.linalg.solve(inner, moments.reshape(len(axes), -1)).reshape(len(axes), -1, 3)
    return rotation


def _reference(body: Body, coupling: RigidCoupling | MeanCoupling) -> int:
    nodes = body.selected_nodes(coupling.reference)
    if len(nodes) != 1:
        raise InputError(
            f"body {body.name}: the reference '{coupling.reference}' of a coupling is {len(nodes)} nodes; give one"
        )
    return int(nodes[0])


def _followers(body: Body, coupling: RigidCoupling | MeanCoupling) -> IntArray:
    nodes = body.selected_nodes(coupling.on)
    nodes = nodes[nodes != _reference(body, coupling)]
    if not nodes.size:
        raise InputError(f"body {body.name}: the coupling on '{coupling.on}' has no node beside its reference")
    return nodes


def _weighted_nodes(body: Body, coupling: MeanCoupling) -> tuple[IntArray, Array]:
    nodes = _followers(body, coupling)
    if coupling.weights is not None:
        if len(coupling.weights) != len(nodes):
            raise InputError(
                f"body {body.name}: mean coupling '{coupling.on}' has {len(coupling.weights)} weights for "
                f"{len(nodes)} nodes; give one for each"
            )
        return nodes, np.array(coupling.weights)
    if coupling.weighting == "nodes":
        return nodes, np.ones(len(nodes))
    if not isinstance(coupling.on, str):
        raise InputError(f"body {body.name}: area weights need a facet set; '{coupling.on}' is none")
    return nodes, nodal_areas(body.mesh, coupling.on)[nodes]


def _require_once(body: Body, dofs: DofMap, dependent: IntArray, owner: IntArray, index: int) -> None:
    twice = dependent[owner[dependent] >= 0]
    if twice.size:
        node, name = dofs.place(int(twice[0]))
        raise InputError(
            f"body {body.name}: {name} of node {body.mesh.node_label(node)} follows in couplings "
            f"{owner[twice[0]] + 1} and {index + 1}; let it follow in one of them"
        )
