"""Linear equations between degrees of freedom of a file put together, and supports in axes of single nodes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy import sparse

from flexframe.elements.contract import NODE_DOFS
from flexframe.maths.arrays import Array, IntArray
from flexframe.mesh.mesh import Mesh
from flexframe.model.supports import Coupling, EquationCoupling, Fix

_SAME = 1e-9  # components of unit vectors


@dataclass(eq=False)
class Equations:
    """Equations Σ factor · component = 0 of a file; rotations are rad, displacements in its unit of length."""

    rows: list[IntArray] = field(default_factory=list)
    nodes: list[IntArray] = field(default_factory=list)
    columns: list[IntArray] = field(default_factory=list)
    factors: list[Array] = field(default_factory=list)
    count: int = 0

    def add(self, nodes: Sequence[int] | IntArray, columns: IntArray, factors: Array) -> None:
        """Equations (m, terms) in body axes: node numbers and columns 0 … 5 of the terms."""
        given = np.atleast_2d(factors)
        shape = given.shape
        self.rows.append(np.repeat(self.count + np.arange(shape[0]), shape[1]))
        self.nodes.append(np.broadcast_to(np.asarray(nodes, dtype=np.int64), shape).ravel())
        self.columns.append(np.broadcast_to(columns, shape).ravel())
        self.factors.append(given.ravel())
        self.count += shape[0]

    def add_turned(self, nodes: IntArray, columns: IntArray, factors: Array, axes: Array) -> None:
        """One equation whose components are along axes of each node, which are columns: (terms, 3, 3)."""
        first = np.where(columns < 3, 0, 3)
        along = axes[np.arange(len(nodes)), :, columns - first] * factors[:, None]
        self.add(np.repeat(nodes, 3), (first[:, None] + np.arange(3)).ravel(), along.ravel())

    def coupling(self, node_sets: dict[str, IntArray], length: float) -> Coupling | None:
        """All equations as one coupling in SI units, on a set that is added; None without any."""
        if not self.count:
            return None
        nodes, columns = np.concatenate(self.nodes), np.concatenate(self.columns)
        values = np.concatenate(self.factors) * np.where(columns < 3, 1.0, length)
        members, position = np.unique(nodes, return_inverse=True)
        node_sets["equations"] = members
        places = (np.concatenate(self.rows), 6 * np.asarray(position).ravel() + columns)
        factors = sparse.csr_array(sparse.coo_array((values, places), shape=(self.count, 6 * len(members))))
        return EquationCoupling(("equations",), factors[np.diff(factors.indptr) > 0])


def equation_terms(
    mesh: Mesh, coupling: EquationCoupling, length: float
) -> Iterator[list[tuple[int, int, float]]]:
    """Node number, column 0 … 5 and factor of the terms of each equation, for a unit of length."""
    nodes = np.concatenate([mesh.nodes_of(str(on)) for on in coupling.nodes])
    factors = coupling.matrix
    for start, end in zip(factors.indptr[:-1].tolist(), factors.indptr[1:].tolist(), strict=True):
        places, values = factors.indices[start:end], factors.data[start:end]
        values = values / np.where(places % 6 < 3, 1.0, length)
        yield list(zip(nodes[places // 6].tolist(), (places % 6).tolist(), values.tolist(), strict=True))


def rigid_rows(points: Array, columns: IntArray, axes: Array) -> Array:
    """Components (node by node, along the columns of `axes`) of rigid motions about the origin: (n, 6)."""
    directions = axes[np.arange(len(points)), :, columns % 3]
    turned = np.cross(points, directions)  # d · (θ × x) = θ · (x × d)
    moved = np.where((columns < 3)[:, None], directions, 0.0)
    return np.hstack([moved, np.where((columns < 3)[:, None], turned, directions)])


def fix_nodes(held: dict[int, set[int]], axes: Array, name: str, node_sets: dict[str, IntArray]) -> Iterator[Fix]:
    """Supports of nodes, whose components 0 … 5 are along their axes (columns): (nodes, 3, 3).

    Nodes that are held alike are one set; three components together are the same in all axes.
    """
    groups: dict[tuple[tuple[int, ...], tuple[tuple[float, ...], ...] | None], list[int]] = {}
    for (node, columns), own in zip(held.items(), np.round(axes, 15), strict=True):
        whole = all(not part & columns or part <= columns for part in ({0, 1, 2}, {3, 4, 5}))
        plain = whole or np.abs(own - np.eye(3)).max() < _SAME
        way = None if plain else tuple(tuple(row) for row in own.T.tolist())
        groups.setdefault((tuple(sorted(columns)), way), []).append(node)
    for number, ((components, way), members) in enumerate(groups.items(), start=1):
        label = f"{name} {''.join(str(c + 1) for c in components)}" + (f" turned {number}" if way else "")
        node_sets[label] = np.sort(np.array(members))
        yield Fix(label, tuple(NODE_DOFS[c] for c in components), way)
