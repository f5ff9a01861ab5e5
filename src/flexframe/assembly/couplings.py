"""Couplings as an elimination of dependent degrees of freedom, without penalties and without multipliers.

A rigid coupling makes its nodes follow the reference, u = u_r + θ_r × (x − x_r), θ = θ_r. A mean coupling makes
the reference follow the nodes: with weights w, centre c and I = Σ w (r²1 − r rᵀ), r = x − c,

    θ_r = I⁻¹ Σ w r × u,   u_r = Σ w u / Σ w + θ_r × (x_r − c).

What follows may lead further couplings. Linear equations are solved, each for the unknown with the largest factor,
among what these leave; an equation that follows from others is left out.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

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
from flexframe.model.supports import EquationCoupling, MeanCoupling, RigidCoupling

_NOTHING = 1e-12  # factors below this are rounding


@dataclass(frozen=True, eq=False)
class RigidJoin:
    """A rigid coupling in numbers: who follows, and how far from the reference."""

    rotations: IntArray  # equation numbers of the reference's rotations, −1 where there is none: (3,)
    followers: IntArray  # equation numbers of the displacements, likewise: (n, 3)
    arms: Array  # x − x_r: (n, 3)


@dataclass(frozen=True, eq=False)
class CouplingMap:
    """δ = explicit · δ[independent]; the columns of `basis` are orthonormal and span the same displacements.

    They meet `constraints` · δ = 0, of which each equation stands for one dependent degree of freedom.
    """

    explicit: SparseMatrix  # (p, n), the identity in the independent rows
    independent: IntArray  # (n,)
    basis: SparseMatrix  # (p, n)
    constraints: SparseMatrix  # A: (k, p)
    dependent: IntArray  # (k,)

    @cached_property
    def _own(self) -> SparseMatrix | None:
        """A of the dependent degrees of freedom; None where it is the identity, nothing leading what leads."""
        own = sparse.csr_array(sparse.csc_array(self.constraints)[:, self.dependent])
        plain = own.nnz == own.shape[0] and (own.diagonal() == 1.0).all()
        return None if plain else own

    def carry(self, forces: Array) -> Array:
        """Nodal forces (p,) or (p, k) that couplings carry, each put where the coupling acts that carries it.

        What a node carries for those that depend on it is added to its own: multipliers λ of A, with forces Aᵀλ.
        """
        return forces if self._own is None else self._solve(sparse.csr_array(self._own.T), forces)

    def follow(self, moved: Array) -> Array:
        """Displacements of second order (p, …) of dependent nodes, with those of nodes that follow them."""
        return moved if self._own is None else self._solve(self._own, moved)

    def _solve(self, matrix: SparseMatrix, values: Array) -> Array:
        from scipy.sparse.linalg import splu  # takes longer to load than a small case to compute

        made = values.copy()
        flat = values[self.dependent].reshape(len(self.dependent), -1)
        made[self.dependent] = splu(sparse.csc_array(matrix)).solve(flat).reshape(made[self.dependent].shape)
        return made


def coupled_dofs(body: Body) -> Iterator[tuple[IntArray, tuple[str, ...]]]:
    """Nodes and the degrees of freedom that couplings give them: references, points that follow, and equations."""
    for coupling in body.couplings:
        if isinstance(coupling, EquationCoupling):
            nodes = _equation_nodes(body, coupling)
            used = np.asarray(abs(coupling.matrix).sum(axis=0)).reshape(-1, 6) > 0
            yield from ((nodes[used[:, column]], (name,)) for column, name in enumerate(NODE_DOFS))
            continue
        reference = np.array([_reference(body, coupling)])
        if isinstance(coupling, MeanCoupling):
            yield reference, coupling.dofs
        else:
            yield reference, NODE_DOFS
            yield _followers(body, coupling), NODE_DOFS[:3]


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
    rows, dependent = _following_rows(body, dofs)
    explicit, independent = _explicit(body, dofs, rows, dependent)
    equations = _equations(body, dofs)
    if equations.shape[0]:
        from flexframe.maths.null_spaces import eliminate  # loads scipy.linalg, which few couplings need

        found = eliminate(equations @ explicit)
        left = np.setdiff1d(np.arange(len(independent)), found.pivots)
        order = np.argsort(np.concatenate([left, found.pivots]))
        own = sparse.vstack([sparse.eye_array(len(left)), sparse.csc_array(found.factors)[:, left]], format="csr")
        explicit = sparse.csr_array(explicit @ own[order])
        rows = sparse.csr_array(sparse.vstack([rows, equations[found.kept]]))
        dependent = np.concatenate([dependent, independent[found.pivots]])
        independent = independent[left]
    return CouplingMap(explicit, independent, orthonormal_columns(explicit), rows, dependent)


def _following_rows(body: Body, dofs: DofMap) -> tuple[SparseMatrix, IntArray]:
    """Equations of all rigid and mean couplings, and the degree of freedom that follows by each."""
    parts: list[SparseMatrix] = [sparse.csr_array((0, dofs.count), dtype=float)]
    followers = [np.empty(0, dtype=np.int64)]
    owner = np.full(dofs.count, -1)
    for index, coupling in enumerate(body.couplings):
        if isinstance(coupling, EquationCoupling):
            continue
        dependent, leading, factors = _relation(body, dofs, coupling)
        _require_once(body, dofs, dependent, owner, index)
        owner[dependent] = index
        row, column = np.nonzero(factors)
        count = np.arange(len(dependent))
        places = (np.concatenate([count, row]), np.concatenate([dependent, leading[column]]))
        values = np.concatenate([np.ones(len(dependent)), -factors[row, column]])
        parts.append(sparse.csr_array(sparse.coo_array((values, places), shape=(len(dependent), dofs.count))))
        followers.append(dependent)
    return sparse.csr_array(sparse.vstack(parts)), np.concatenate(followers)


def _explicit(body: Body, dofs: DofMap, rows: SparseMatrix, dependent: IntArray) -> tuple[SparseMatrix, IntArray]:
    """All degrees of freedom from those that follow nothing, and which these are.

    With x_d = C x + D x_d the product X = C + D X is repeated as often as followers lead further followers.
    """
    independent = np.setdiff1d(np.arange(dofs.count), dependent)
    by_column = sparse.csc_array(rows)
    leading = sparse.csr_array(-by_column[:, independent])
    chained = sparse.csr_array(sparse.eye_array(len(dependent)) - by_column[:, dependent])
    chained.data[np.abs(chained.data) < _NOTHING] = 0.0
    chained.eliminate_zeros()
    followed, left = leading, np.diff(chained.indptr) > 0
    for _ in range(len(dependent)):
        if not left.any():
            break
        followed = sparse.csr_array(leading + chained @ followed)
        still = np.asarray(abs(chained) @ left.astype(float) > 0)
        if still.sum() == left.sum():
            node, name = dofs.place(int(dependent[np.flatnonzero(left)[0]]))
            raise InputError(
                f"body {body.name}: {name} of node {body.mesh.node_label(node)} follows, over other couplings, "
                "itself; leave one of the couplings out"
            )
        left = still
    order = np.argsort(np.concatenate([independent, dependent]))
    stacked = sparse.vstack([sparse.eye_array(len(independent)), followed], format="csr")
    return sparse.csr_array(stacked[order]), independent


def _equations(body: Body, dofs: DofMap) -> SparseMatrix:
    """Rows of the coupling equations of a body: (m, p)."""
    rows: list[SparseMatrix] = [sparse.csr_array((0, dofs.count), dtype=float)]
    for coupling in body.couplings:
        if isinstance(coupling, EquationCoupling):
            numbers = dofs.numbers[_equation_nodes(body, coupling)].ravel()
            present = np.flatnonzero(numbers >= 0)
            part = sparse.coo_array(sparse.csc_array(coupling.matrix)[:, present])
            places = (part.row, numbers[present][part.col])
            rows.append(sparse.csr_array(sparse.coo_array((part.data, places), shape=(part.shape[0], dofs.count))))
    return sparse.csr_array(sparse.vstack(rows))


def _equation_nodes(body: Body, coupling: EquationCoupling) -> IntArray:
    """Nodes in the order of the columns of the factors."""
    nodes = np.concatenate([body.selected_nodes(on) for on in coupling.nodes])
    columns = coupling.matrix.shape[1]
    if 6 * len(nodes) != columns:
        raise InputError(
            f"body {body.name}: an equation coupling selects {len(nodes)} nodes and has {columns} factors; give "
            "six for each node"
        )
    return nodes


def coupling_constraints(body: Body, dofs: DofMap) -> SparseMatrix:
    """Rows of A δ = 0 that the couplings of a body are: (k, p)."""
    return sparse.csr_array(sparse.vstack([_following_rows(body, dofs)[0], _equations(body, dofs)]))


def _relation(
    body: Body, dofs: DofMap, coupling: RigidCoupling | MeanCoupling
) -> tuple[IntArray, IntArray, Array]:
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
