"""Bodies of flexframe as parts, to be written for other programs."""

from dataclasses import replace
from typing import Protocol

import numpy as np
from scipy import linalg, sparse

from flexframe.assembly.discrete import DiscreteBody, ensure_discrete
from flexframe.errors import InputError
from flexframe.exchange.bodies import node_numbering, rigid_rows
from flexframe.exchange.contract import FiledMatrix, FiledModes, Part, PartRegion
from flexframe.maths.arrays import Array, ComplexArray, IntArray
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.cells import VERTEX
from flexframe.mesh.mesh import Mesh
from flexframe.model.body import Body
from flexframe.model.supports import NodeSelection, with_selections
from flexframe.reduction.reduced_body import ReducedBody

_REAL = 1e-9  # imaginary part of a shape, relative, that is rounding
_INDEPENDENT = 1e-10  # smallest singular value of interface displacements, relative


class FoundModes(Protocol):
    """The record of a modal analysis."""

    @property
    def frequencies_hz(self) -> Array: ...
    @property
    def shapes(self) -> ComplexArray: ...


def body_part(body: Body | DiscreteBody | ReducedBody, *, modes: FoundModes | None = None) -> Part:
    """A body as a part for `write_part`.

    A described body gives its mesh, properties, masses, couplings, springs and supports; a discrete one its
    matrices as well. A reduced body gives itself, and stiffness and mass in the manner of Craig and Bampton: on
    the displacements of its interfaces, rigid motion included, and amounts of modes with the interfaces held.

    Parameters
    ----------
    body
        A body, described, discretised or reduced.
    modes
        Its modes at rest, which `ff.modes` found, to be written as well.

    Returns
    -------
    Part
        What can be written.

    Examples
    --------
    >>> block = ff.Body.solid("block", ff.mesh.block((0.4, 0.1, 0.1), (2, 1, 1)), material=ff.STEEL)
    >>> ff.exchange.body_part(block).contents
    ('mesh', 'sets', 'properties')
    >>> ff.exchange.body_part(ff.discretise(block)).contents
    ('mesh', 'sets', 'properties', 'matrices')
    """
    if isinstance(body, ReducedBody):
        if modes is not None:
            raise InputError("modes are written with a body that has nodes; give the body that was reduced")
        return _reduced_part(body)
    described = _described_part(body.body if isinstance(body, DiscreteBody) else body)
    if modes is not None:
        described = replace(described, modes=_filed_modes(ensure_discrete(body), modes))
    return _with_matrices(described, body) if isinstance(body, DiscreteBody) else described


def _filed_modes(discrete: DiscreteBody, found: FoundModes) -> FiledModes:
    """Real modes with their generalised masses φᵀMφ."""
    name, at = discrete.body.name, discrete.dofs.numbers
    shapes = np.asarray(found.shapes)
    if shapes.shape[1:] != (len(at), 6):
        raise InputError(f"body {name}: the modes are of another body, or of several; give those of this one")
    if np.abs(shapes.imag).max(initial=0.0) > _REAL * np.abs(shapes.real).max(initial=1e-300):
        raise InputError(f"body {name}: its modes are complex; give those of the undamped body at rest")
    if discrete.dofs.hidden is not None:
        raise InputError(f"body {name}: its nodes follow other coordinates, so that their masses are not known")
    real = shapes.real
    moved = np.zeros((len(real), discrete.dofs.count))
    moved[:, at[at >= 0]] = real[:, at >= 0]
    masses = np.einsum("kp,kp->k", moved, (discrete.mass @ moved.T).T)
    present = tuple(bool(np.any(column >= 0)) for column in at.T)
    return FiledModes(
        np.asarray(found.frequencies_hz), real, node_numbering(discrete.body.mesh).labels, masses, present
    )


def _described_part(body: Body) -> Part:
    sets = _Sets(body)
    regions = []
    for region in body.regions:
        name = region.cells or "all cells"
        if region.cells is None:
            sets.cells[name] = np.arange(body.mesh.cell_count)
        regions.append(PartRegion(name, region.prop, region.family))
    masses = tuple(replace(mass, on=sets.set_name(mass.on)) for mass in body.point_masses)
    couplings = tuple(with_selections(one, sets.set_name) for one in body.couplings)
    supports = tuple(replace(one, on=sets.set_name(one.on)) for one in body.supports)  # type: ignore[type-var]
    notices = []
    if body.loads:
        notices.append("loads of the body are not written")
    if body.damping.mass or body.damping.stiffness:
        notices.append("damping of the body is not written")
    materials = {r.prop.material.name: r.prop.material for r in body.regions}
    part = Part(
        mesh=body.mesh.with_sets(sets.nodes, cell_sets=sets.cells),
        regions=tuple(regions),
        materials=materials,
        point_masses=masses,
        couplings=couplings,
        supports=supports,
        notices=tuple(notices),
    )
    return replace(part, extra_stiffness=_springs(body))


class _Sets:
    """Sets that are made for selections which are none."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.nodes: dict[str, IntArray] = {}
        self.cells: dict[str, IntArray] = {}

    def set_name(self, on: NodeSelection) -> str:
        """The name of the set that a selection is, made where there is none."""
        if isinstance(on, str):
            return on
        nodes = self.body.selected_nodes(on)
        name = f"node {self.body.mesh.node_label(int(nodes[0]))}"
        self.nodes[name] = nodes
        return name


def _springs(body: Body) -> FiledMatrix | None:
    """Springs to the frame on the rows of their nodes."""
    labels = node_numbering(body.mesh).labels
    stiffness: dict[tuple[int, int], float] = {}
    for spring in body.springs:
        values = spring.values("stiffness")
        for node in body.selected_nodes(spring.on).tolist():
            for column in np.flatnonzero(values).tolist():
                key = (int(labels[node]), column + 1)
                stiffness[key] = stiffness.get(key, 0.0) + float(values[column])
    if not stiffness:
        return None
    rows = np.array(sorted(stiffness), dtype=np.int64)
    diagonal = np.array([stiffness[row[0], row[1]] for row in rows.tolist()])
    return FiledMatrix(sparse.diags_array(diagonal, format="csr"), rows)


def _with_matrices(part: Part, discrete: DiscreteBody) -> Part:
    """Stiffness and mass of a discrete body before its supports, on labelled rows."""
    if discrete.dofs.hidden is not None or discrete.body.couplings:
        raise InputError(
            f"body {discrete.body.name}: its nodes follow others, so that matrices of single nodes are not all; "
            "write a reduced body of it"
        )
    labels = node_numbering(discrete.body.mesh).labels
    rows = np.zeros((discrete.dofs.count, 2), dtype=np.int64)
    for node, column in np.argwhere(discrete.dofs.numbers >= 0).tolist():
        rows[discrete.dofs.numbers[node, column]] = (labels[node], column + 1)
    matrices = {"K": FiledMatrix(discrete.stiffness, rows), "M": FiledMatrix(discrete.mass, rows)}
    return replace(part, matrices=matrices)


# ---------------------------------------------------------------------- reduced bodies


def _reduced_part(body: ReducedBody) -> Part:
    points = body.interfaces
    if not points:
        return Part(reduced=body)
    positions = np.array([point.position for point in points])
    mesh = Mesh(
        positions,
        (CellBlock(VERTEX, np.arange(len(points))[:, None]),),
        node_sets={point.name: np.array([number]) for number, point in enumerate(points)},
        node_labels=np.arange(1, len(points) + 1),
    )
    K, M, rows = craig_bampton_matrices(body)
    matrices = {name: FiledMatrix(sparse.csr_array(A), rows) for name, A in (("K", K), ("M", M))}
    return Part(mesh=mesh, matrices=matrices, reduced=body, retained=rows)


def craig_bampton_matrices(body: ReducedBody) -> tuple[Array, Array, IntArray]:
    """K, M and labels of the coordinates of a reduced body that may move rigidly.

    x = (r, q) are rigid motion and the body's coordinates, y = T x the interface displacements. Coordinates are y
    and amounts p of modes with y = 0: x = S y + Φ p, where S y has the least strain energy and ΦᵀMΦ = 1.
    """
    points = body.interfaces
    present = np.array([point.present for point in points], dtype=bool)
    numbers = np.argwhere(present)
    fields = np.array([point.rows for point in points])[present]
    positions = np.array([point.position for point in points])
    T = np.hstack([rigid_rows(positions, numbers), fields])
    K, M = _whole_matrices(body)
    size, held = len(K), len(T)
    singular = np.linalg.svd(T / np.maximum(np.abs(T).max(axis=0), 1e-300), compute_uv=False)
    if held > size or singular[-1] < _INDEPENDENT * singular[0]:
        raise InputError(
            f"body {body.name}: the displacements of its {len(points)} interfaces depend on each other, so that "
            "they are no coordinates; keep more modes, or fewer interfaces"
        )
    Z = linalg.null_space(T)
    values, turn = linalg.eigh(Z.T @ K @ Z, Z.T @ M @ Z)
    modes = Z @ turn
    least = np.block([[K, T.T], [T, np.zeros((held, held))]])
    right = np.concatenate([np.zeros((size, held)), np.eye(held)])
    static = linalg.lstsq(least, right)[0][:size]
    V = np.hstack([static, modes])
    rows = np.concatenate(
        [
            np.column_stack([numbers[:, 0] + 1, numbers[:, 1] + 1]),
            np.column_stack([len(points) + 1 + np.arange(len(values)), np.zeros(len(values), dtype=np.int64)]),
        ]
    )
    made = [V.T @ A @ V for A in (K, M)]
    return (made[0] + made[0].T) / 2, (made[1] + made[1].T) / 2, rows


def _whole_matrices(body: ReducedBody) -> tuple[Array, Array]:
    """K and M of rigid motion (v, ω about the origin) and coordinates at rest: (6 + m, 6 + m)."""
    m = body.size
    S = body.first_moment
    across = np.array([[0, -S[2], S[1]], [S[2], 0, -S[0]], [-S[1], S[0], 0]])
    inertia = np.trace(body.second_moment) * np.eye(3) - body.second_moment
    M = np.block(
        [
            [body.mass * np.eye(3), -across, body.origin_coupling],
            [across, inertia, body.euler_loads],
            [body.origin_coupling.T, body.euler_loads.T, body.elastic_mass],
        ]
    )
    K = np.zeros((6 + m, 6 + m))
    K[6:, 6:] = body.stiffness
    return K, M
