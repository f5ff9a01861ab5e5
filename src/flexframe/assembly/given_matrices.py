"""Bodies whose stiffness and mass were computed elsewhere: inertia invariants from what the matrices tell.

With rigid motions R at the coordinates, mass, centre, inertia and the loads of accelerations are exact products
of M: RᵀMR and RᵀM. The rest needs the displacement between the nodes:

- Where all displacement components are interpolated alike, M = m_s ⊗ 1, and m_s with the coordinates of the nodes
  gives every invariant. So it is with solids.
- Else the products Y_ab = ∫ρN_aᵀN_b come from the elements of the same mesh or from rigid nodes, and what M has
  beyond them, C = M − ΣY_kk, is spread evenly over the axes: Y_ab + δ_ab C/3, which leaves ΣY_kk = M.

A rigid node has the part of M that rigid motion about the node meets, G_i = Σ_j M_ij R_j(x_i): mass, first moment
and inertia are those of its symmetric part, so that all nodes together have the mass and inertia of the body. The
error of what is lumped falls with the square of the distance between the nodes.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse

from flexframe.assembly.dofs import DofMap, rigid_displacements
from flexframe.assembly.inertia import CYCLIC, InertiaInvariants, with_scalar
from flexframe.elements.contract import NODE_DOFS
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, IntArray, SparseMatrix
from flexframe.maths.factorisation import factorise
from flexframe.maths.rotations import skew
from flexframe.model.body import Body
from flexframe.model.matrices import BodyMatrices

_EQUAL = 1e-8  # relative to the largest entry: files of other programs have nine digits or more
_UNEVEN = 1e-5  # masses along the axes, relative
_STRAINED = (1e-6, 1e-4)  # forces of rigid translations and rotations, relative: of a free body, and too large


def given_dofs(body: Body) -> Iterator[tuple[IntArray, tuple[str, ...]]]:
    """Nodes and the degrees of freedom that matrices in place of elements give them, or shapes."""
    given = body.matrices
    if given is None or given.added:
        return
    for column, name in enumerate(NODE_DOFS):
        nodes = given.rows[given.rows[:, 1] == column, 0]
        if nodes.size:
            yield nodes, (name,)


def with_hidden(dofs: DofMap, body: Body) -> DofMap:
    """The numbering with the coordinates that nodes follow behind all others."""
    given = body.matrices
    if given is None or given.shapes is None:
        return dofs
    return DofMap(dofs.numbers, dofs.count + given.size, given.rigid)


@dataclass(frozen=True, eq=False)
class Coordinates:
    """The coordinates of given matrices among the equations of a body."""

    given: BodyMatrices
    chosen: IntArray  # coordinates that exist here: (k,)
    equations: IntArray  # their equations: (k,)
    rigid: Array  # their values in rigid motions about the origin: (k, 6)

    @classmethod
    def of(cls, given: BodyMatrices, dofs: DofMap, points: Array) -> "Coordinates":
        """Those that the body has; added matrices may name degrees of freedom that no element gives a node."""
        if given.shapes is not None:
            numbers = dofs.count - given.size + np.arange(given.size)
        else:
            numbers = dofs.numbers[given.rows[:, 0], given.rows[:, 1]]
        chosen = np.flatnonzero(numbers >= 0)
        return cls(given, chosen, numbers[chosen], rigid_displacements(dofs, points)[numbers[chosen]])

    def place(self, matrix: SparseMatrix, size: int) -> SparseMatrix:
        """A matrix of the given coordinates (m, m) among all equations: (size, size)."""
        part = sparse.coo_array(sparse.csr_array(matrix)[self.chosen][:, self.chosen])
        triplets = (part.data, (self.equations[part.row], self.equations[part.col]))
        return sparse.csr_array(sparse.coo_array(triplets, shape=(size, size)))


def require_sound(name: str, given: BodyMatrices, dofs: DofMap, points: Array) -> None:
    """Refuse matrices without symmetry, a negative mass, and coordinates that do not belong to the matrices."""
    for what, matrix in (("stiffness", given.stiffness), ("mass", given.mass)):
        if not np.isfinite(matrix.data).all():
            raise InputError(f"body {name}: the {what} matrix has entries that are not finite numbers")
        if abs(matrix - matrix.T).max() > _EQUAL * abs(matrix).max():
            raise InputError(f"body {name}: the {what} matrix is not symmetric; give K and M of a body at rest")
    if given.added:
        return
    _require_positive(name, given.mass)
    if given.placed:
        fields = Coordinates.of(given, dofs, points).rigid
        _require_one_mass(name, given.mass, fields)
        if given.shapes is None:
            _require_belonging(name, given.stiffness, fields)


def _require_positive(name: str, mass: SparseMatrix) -> None:
    """Refuse a mass that some motion of the nodes makes negative; nodes without mass are allowed."""
    scale = np.sqrt(np.maximum(abs(mass).max(axis=1).toarray().ravel(), 1e-300))
    even = sparse.csr_array(sparse.diags_array(1 / scale) @ mass @ sparse.diags_array(1 / scale))
    slack = _EQUAL * sparse.eye_array(mass.shape[0], format="csr")
    negative = factorise(sparse.csr_array(even + slack), "symmetric").negative_pivots
    if negative:
        raise InputError(
            f"body {name}: the mass matrix is indefinite ({negative} negative eigenvalues); give the "
            "consistent or lumped mass that the other program used"
        )


def _require_one_mass(name: str, mass: SparseMatrix, fields: Array) -> None:
    """Refuse a mass that is not the same in all directions: no body has it."""
    total = fields[:, :3].T @ np.asarray(mass @ fields[:, :3])
    along = np.diagonal(total)
    if np.abs(total - along.mean() * np.eye(3)).max() > _UNEVEN * along.max():
        shown = ", ".join(f"{value:.6g}" for value in along)
        raise InputError(
            f"body {name}: the mass matrix gives the body the masses {shown} kg along x, y and z; no body has "
            "that. Rows of held degrees of freedom are missing, or units are mixed: export the free body"
        )


def _require_belonging(name: str, stiffness: SparseMatrix, fields: Array) -> None:
    """Refuse coordinates whose rigid rotations strain a body that translates freely."""
    forces = np.abs(np.asarray(stiffness @ fields)).max(axis=0)
    strain = forces / (abs(stiffness).max() * np.abs(fields).max(axis=0).clip(1e-300))
    if strain[:3].max() < _STRAINED[0] and strain[3:].max() > _STRAINED[1]:
        raise InputError(
            f"body {name}: a rigid rotation strains the body, so the coordinates do not belong to these matrices; "
            "check their order and unit"
        )


# ---------------------------------------------------------------------- all components interpolated alike


def scalar_mass(given: BodyMatrices, node_count: int) -> SparseMatrix | None:
    """m_s of M = m_s ⊗ 1, (nodes, nodes); None where M is another."""
    if given.shapes is not None or (given.rows[:, 1] > 2).any() or given.inertia is not None:
        return None
    nodes, counts = np.unique(given.rows[:, 0], return_counts=True)
    order = np.lexsort((given.rows[:, 1], given.rows[:, 0]))
    if (counts != 3).any() or not (given.rows[order, 1].reshape(-1, 3) == [0, 1, 2]).all():
        return None
    M = sparse.csr_array(given.mass)[order][:, order]
    largest = abs(M).max()
    parts = [[M[i::3][:, j::3] for j in range(3)] for i in range(3)]
    mixed = any(i != j and abs(parts[i][j]).max() > _EQUAL * largest for i in range(3) for j in range(3))
    if mixed or any(abs(parts[i][i] - parts[0][0]).max() > _EQUAL * largest for i in (1, 2)):
        return None
    mean = sparse.coo_array((parts[0][0] + parts[1][1] + parts[2][2]) / 3)
    triplets = (mean.data, (nodes[mean.row], nodes[mean.col]))
    return sparse.csr_array(sparse.coo_array(triplets, shape=(node_count, node_count)))


# ---------------------------------------------------------------------- rigid nodes


@dataclass(frozen=True, eq=False)
class RigidNodes:
    """A rigid piece at each node: mass m, first moment s and second moments J about the node."""

    mass: Array  # (nodes,)
    first: Array  # (nodes, 3)
    second: Array  # (nodes, 3, 3)

    @classmethod
    def of(cls, at: Coordinates, dofs: DofMap, points: Array) -> "RigidNodes":
        """Those of a mass matrix on degrees of freedom of nodes; others must not move rigidly."""
        given = at.given
        moved = np.asarray(given.mass[at.chosen][:, at.chosen] @ at.rigid)  # forces of unit rigid accelerations
        nodal, placed = np.zeros((dofs.count + 1, 6)), at.equations
        if given.shapes is not None:
            single, which = _own_rows(given)
            placed = np.full(given.size, dofs.count)
            placed[which] = dofs.numbers[given.rows[single, 0], given.rows[single, 1]]
        nodal[placed] = moved
        forces = np.where((dofs.numbers >= 0)[..., None], nodal[dofs.numbers], 0.0)  # (nodes, 6, 6)
        about = np.broadcast_to(np.eye(6), (len(points), 6, 6)).copy()
        about[:, :3, 3:] = skew(points)
        met = forces @ about
        met = (met + met.swapaxes(1, 2)) / 2
        turned = (met[:, :3, 3:] - met[:, :3, 3:].swapaxes(1, 2)) / 2  # −s̃
        first = -np.stack([turned[:, 2, 1], turned[:, 0, 2], turned[:, 1, 0]], axis=1)
        inertia = met[:, 3:, 3:]
        trace = np.trace(inertia, axis1=1, axis2=2)[:, None, None]
        return cls(np.trace(met[:, :3, :3], axis1=1, axis2=2) / 3, first, trace / 2 * np.eye(3) - inertia)

    def add_to(self, base: InertiaInvariants, dofs: DofMap, points: Array) -> InertiaInvariants:
        """The invariants of a body that has these pieces as well.

        u = u_i + θ_i × ξ, so that N_a is e_a on the displacements and ξ × e_a on the rotations of a node.
        """
        units = skew(np.eye(3))  # ẽ_a
        crossed = np.cross(self.first[:, None], np.eye(3))  # s × e_a: (nodes, 3, 3)
        count, size = len(points), dofs.count
        M_O, X = base.origin_coupling.copy(), base.position_coupling.copy()
        padded = np.where(dofs.numbers >= 0, dofs.numbers, size)
        blocks = [[np.zeros((count, 6, 6)) for _ in range(3)] for _ in range(3)]
        for a in range(3):
            rows = np.zeros((count, 6))
            rows[:, a], rows[:, 3:] = self.mass, crossed[:, a]
            _add(M_O[a], padded, rows)
            for k in range(3):
                rows = np.zeros((count, 6))
                rows[:, a] = self.mass * points[:, k] + self.first[:, k]
                rows[:, 3:] = points[:, k, None] * crossed[:, a] - (units[a] @ self.second)[:, :, k]
                _add(X[k, a], padded, rows)
            for b in range(3):
                blocks[a][b][:, a, b] = self.mass
                blocks[a][b][:, a, 3:] = crossed[:, b]
                blocks[a][b][:, 3:, b] = crossed[:, a]
                blocks[a][b][:, 3:, 3:] = -units[a] @ self.second @ units[b]
        full = [[_place_blocks(blocks[a][b], dofs) for b in range(3)] for a in range(3)]
        if base.full is not None:
            full = [[sparse.csr_array(full[a][b] + base.full[a][b]) for b in range(3)] for a in range(3)]
        moment = np.einsum("n,nk,nm->km", self.mass, points, points) + self.second.sum(axis=0)
        mixed = self.first.T @ points
        return replace(
            base,
            mass=base.mass + float(self.mass.sum()),
            first_moment=base.first_moment + self.mass @ points + self.first.sum(axis=0),
            second_moment=base.second_moment + moment + mixed + mixed.T,
            origin_coupling=M_O,
            position_coupling=X,
            full=tuple(tuple(row) for row in full),
        )


def _own_rows(given: BodyMatrices) -> tuple[IntArray, IntArray]:
    """Rows that are coordinates themselves, and which: of reduced bodies those of the nodes that were retained."""
    assert given.shapes is not None
    ones = np.abs(given.shapes - 1) <= _EQUAL
    rest = np.abs(np.where(ones, 0.0, given.shapes)).max(axis=1, initial=0.0)
    single = np.flatnonzero((ones.sum(axis=1) == 1) & (rest <= _EQUAL))
    return single, np.argmax(ones[single], axis=1)


def _add(target: Array, padded: IntArray, rows: Array) -> None:
    whole = np.append(target, 0.0)
    np.add.at(whole, padded, rows)
    target += whole[:-1] - target


def _place_blocks(blocks: Array, dofs: DofMap) -> SparseMatrix:
    numbers = dofs.numbers
    rows = np.broadcast_to(numbers[:, :, None], blocks.shape)
    columns = np.broadcast_to(numbers[:, None, :], blocks.shape)
    kept = (rows >= 0) & (columns >= 0) & (blocks != 0)
    triplets = (blocks[kept], (rows[kept], columns[kept]))
    return sparse.csr_array(sparse.coo_array(triplets, shape=(dofs.count, dofs.count)))


# ---------------------------------------------------------------------- what M has beyond the invariants


def match_invariants(base: InertiaInvariants, beyond: SparseMatrix, fields: Array) -> InertiaInvariants:
    """Invariants whose ΣY_kk is larger by a matrix C (p, p); `fields` are the rigid motions of all equations.

    Mass, moments and the loads of accelerations follow RᵀC and RᵀCR exactly. The loads of centrifugal
    acceleration and Coriolis terms stay those of the base.
    """
    loads = np.asarray(beyond @ fields).T  # (6, p)
    total = loads @ fields
    X = base.position_coupling.copy()
    for a, b, c in CYCLIC:
        X[b, c] += loads[3 + a] / 2  # d_a = X_bc − X_cb
        X[c, b] -= loads[3 + a] / 2
    inertia = (total[3:, 3:] + total[3:, 3:].T) / 2
    turned = (total[:3, 3:] - total[:3, 3:].T) / 2  # −S̃
    third = sparse.csr_array(beyond / 3)
    none = sparse.csr_array(beyond.shape, dtype=float)
    old = base.full or tuple(tuple(none for _ in range(3)) for _ in range(3))
    full = tuple(
        tuple(sparse.csr_array(old[a][b] + third) if a == b else old[a][b] for b in range(3)) for a in range(3)
    )
    return replace(
        base,
        mass=base.mass + float(np.trace(total[:3, :3])) / 3,
        first_moment=base.first_moment - np.array([turned[2, 1], turned[0, 2], turned[1, 0]]),
        second_moment=base.second_moment + np.trace(inertia) / 2 * np.eye(3) - inertia,
        origin_coupling=base.origin_coupling + loads[:3],
        position_coupling=X,
        full=full,
    )


def given_inertia(
    body: Body, base: InertiaInvariants, elements: InertiaInvariants | None, dofs: DofMap
) -> InertiaInvariants:
    """The invariants of a body with given matrices; `base` has all else that the body has.

    `elements` are the invariants of the elements alone, where the matrices stand in their place.
    """
    given, points = body.matrices, body.mesh.points
    assert given is not None
    at = Coordinates.of(given, dofs, points)
    if given.inertia is not None:
        return from_integrals(base, at, dofs.count)
    scalar = None if given.added else scalar_mass(given, body.mesh.node_count)
    if scalar is not None:
        return with_scalar(base, scalar, points)
    fields = rigid_displacements(dofs, points)
    whole = at.place(given.mass, dofs.count)
    if given.added:
        return match_invariants(base, whole, fields)
    if elements is not None:
        made, own = _sum(base, elements), elements.mass_matrix()
    else:
        nodes = _lump(body, at, dofs)
        made = nodes.add_to(base, dofs, points)
        own = nodes.add_to(_without_mass(base), dofs, points).mass_matrix()
    if given.shapes is not None:
        numbers = dofs.numbers[given.rows[:, 0], given.rows[:, 1]]
        moved = given.shapes.T @ np.asarray(own[numbers][:, numbers] @ given.shapes)
        own = at.place(sparse.csr_array(moved), dofs.count)
    return match_invariants(made, sparse.csr_array(whole - own), fields)


def _lump(body: Body, at: Coordinates, dofs: DofMap) -> RigidNodes:
    """Masses that are given for the nodes, or rigid nodes from the mass matrix."""
    given, points = at.given, body.mesh.points
    if given.lumped is not None:
        return RigidNodes(given.lumped, np.zeros((len(points), 3)), np.zeros((len(points), 3, 3)))
    nodes = RigidNodes.of(at, dofs, points)
    if not nodes.mass.sum() > 0:
        raise InputError(
            f"body {body.name}: its shapes come without masses of its nodes, so that nothing says where its "
            "mass is; give the mesh with its materials, or the masses of the nodes"
        )
    return nodes


def _without_mass(base: InertiaInvariants) -> InertiaInvariants:
    """The invariants of nothing on the same equations."""
    return replace(
        base,
        mass=0.0,
        first_moment=np.zeros(3),
        second_moment=np.zeros((3, 3)),
        origin_coupling=np.zeros_like(base.origin_coupling),
        position_coupling=np.zeros_like(base.position_coupling),
        scalar=sparse.csr_array(base.scalar.shape, dtype=float),
        full=None,
    )


def _sum(first: InertiaInvariants, second: InertiaInvariants) -> InertiaInvariants:
    """The invariants of two bodies on the same equations together."""
    full = first.full or second.full
    if first.full is not None and second.full is not None:
        pairs = zip(first.full, second.full, strict=True)
        full = tuple(
            tuple(sparse.csr_array(a + b) for a, b in zip(row, other, strict=True)) for row, other in pairs
        )
    return replace(
        first,
        mass=first.mass + second.mass,
        first_moment=first.first_moment + second.first_moment,
        second_moment=first.second_moment + second.second_moment,
        origin_coupling=first.origin_coupling + second.origin_coupling,
        position_coupling=first.position_coupling + second.position_coupling,
        scalar=sparse.csr_array(first.scalar + second.scalar),
        full=full,
    )


def from_integrals(base: InertiaInvariants, at: Coordinates, size: int) -> InertiaInvariants:
    """The invariants with those that are known of the coordinates."""
    known = at.given.inertia
    assert known is not None
    M_O, X = base.origin_coupling.copy(), base.position_coupling.copy()
    M_O[:, at.equations] += known.origin_coupling[:, at.chosen]
    X[:, :, at.equations] += known.position_coupling[:, :, at.chosen]
    full = tuple(
        tuple(
            sparse.csr_array(
                at.place(sparse.csr_array(known.shape_products[a, b]), size)
                + (0 if base.full is None else base.full[a][b])
            )
            for b in range(3)
        )
        for a in range(3)
    )
    return replace(
        base,
        mass=base.mass + known.mass,
        first_moment=base.first_moment + known.first_moment,
        second_moment=base.second_moment + known.second_moment,
        origin_coupling=M_O,
        position_coupling=X,
        full=full,
    )
