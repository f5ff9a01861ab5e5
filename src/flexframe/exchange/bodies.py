"""Bodies made of what files give: of a mesh with its properties, of matrices, of modes, or of a reduced body."""

from dataclasses import replace
from typing import get_args

import numpy as np
from scipy import sparse

from flexframe.assembly.dofs import number_dofs, rigid_displacements
from flexframe.elements.contract import NODE_DOFS
from flexframe.errors import InputError
from flexframe.exchange.contract import FiledMatrix, Part, Role, role_of
from flexframe.exchange.numbering import Numbering
from flexframe.exchange.reduced_bodies import body_of_reduced
from flexframe.exchange.shapes import modal_matrices, without_point_masses
from flexframe.maths.arrays import Array, BoolArray, IntArray, SparseMatrix
from flexframe.mesh.blocks import CellBlock, nodes_of_blocks
from flexframe.mesh.cells import VERTEX
from flexframe.mesh.mesh import Mesh
from flexframe.model.body import Body, Region
from flexframe.model.matrices import BodyMatrices, Use

USES: tuple[Use, ...] = get_args(Use)


def usable(part: Part) -> tuple[Use, ...]:
    """What a body can be made of, the fullest first."""
    found: list[Use] = []
    if part.reduced is not None:
        found.append("reduced")
    roles = {role_of(name) for name in part.matrices}
    if {"stiffness", "mass"} <= roles:
        found.append("matrices")
    if part.mesh is not None and any(region.prop is not None for region in part.regions):
        found.append("mesh")
    if part.modes is not None:
        found.append("modes")
    return tuple(found)


def part_body(name: str, part: Part, *, use: Use | None = None, supports: bool = True) -> Body:
    """A body in space of what files give of a part.

    Parameters
    ----------
    name
        Name of the body.
    part
        What `read_part` read.
    use
        Of what the body is made: "mesh" with its properties, "matrices", "modes", or "reduced"; by default a
        reduced body before matrices, those before a mesh, and that before modes.
    supports
        Whether the supports of the file are taken over.

    Returns
    -------
    Body
        The body, with notices of what could not be rebuilt.

    Examples
    --------
    >>> block = ff.Body.solid("block", ff.mesh.block((0.4, 0.1, 0.1), (2, 1, 1)), material=ff.STEEL)
    >>> left_out = ff.exchange.write_part(ff.exchange.body_part(block), "block.bdf")
    >>> again = ff.exchange.part_body("block", ff.exchange.read_part("block.bdf"))
    >>> round(ff.bodies.check_body(again).mass, 6)
    31.4
    """
    found = usable(part)
    chosen = use or next(iter(found), "mesh")
    if chosen not in USES:
        raise InputError(f"use is '{chosen}'; choose one of {', '.join(USES)}", field="use")
    if not supports:
        part = replace(part, supports=())
    if chosen == "mesh":
        return _from_mesh(name, part)
    if chosen not in found:
        raise InputError(f"body {name}: {_missing(part, chosen)}")
    if chosen == "reduced":
        assert part.reduced is not None
        return replace(body_of_reduced(part.reduced, name), notices=part.notices)
    return _from_matrices(name, part) if chosen == "matrices" else _from_modes(name, part)


def _missing(part: Part, use: Use) -> str:
    if use == "matrices":
        names = ", ".join(part.matrices) or "none"
        return f"the files have no stiffness and mass matrix (matrices: {names}); add the file that has them"
    if use == "modes":
        return "the files have no mode shapes; add the file that has them"
    return "the files have no reduced body; give one that flexframe wrote (.npz) or standard input data (.sid_fem)"


# ---------------------------------------------------------------------- of a mesh


def _from_mesh(name: str, part: Part) -> Body:
    if part.mesh is None or not part.regions:
        raise InputError(
            f"body {name}: the file says of no cell what it is made of; give it sections or properties, or "
            "take its mesh and give a material"
        )
    for hindrance in part.hindrances:
        raise InputError(hindrance)
    body = Body(
        name,
        part.mesh,
        _regions(part),
        supports=part.supports,
        point_masses=part.point_masses,
        couplings=part.couplings,
        space="spatial",
        notices=part.notices,
    )
    if part.extra_stiffness is None and part.extra_mass is None:
        return body
    return replace(body, matrices=_added_matrices(part))


def _regions(part: Part) -> tuple[Region, ...]:
    return tuple(Region(r.prop, r.cells, r.family) for r in part.regions if r.prop is not None)


def _added_matrices(part: Part) -> BodyMatrices:
    """Springs and matrices beside the elements, on the rows of both."""
    assert part.mesh is not None
    given = [found for found in (part.extra_stiffness, part.extra_mass) if found is not None]
    rows = np.unique(np.concatenate([one.rows for one in given if one.rows is not None]), axis=0)
    K, M = (_on(rows, found) for found in (part.extra_stiffness, part.extra_mass))
    return BodyMatrices(_number_rows(part.mesh, rows), K, M, added=True)


def _on(rows: IntArray, found: FiledMatrix | None) -> SparseMatrix:
    """A matrix on more rows than its own."""
    size = len(rows)
    if found is None or found.rows is None:
        return sparse.csr_array((size, size), dtype=float)
    places = {tuple(row): number for number, row in enumerate(rows.tolist())}
    at = np.array([places[tuple(row)] for row in found.rows.tolist()])
    part = sparse.coo_array(found.matrix)
    return sparse.csr_array(sparse.coo_array((part.data, (at[part.row], at[part.col])), shape=(size, size)))


def _number_rows(mesh: Mesh, rows: IntArray) -> IntArray:
    """Node numbers and columns of labelled rows."""
    nodes = node_numbering(mesh).of(rows[:, 0], "matrices")
    return np.column_stack([nodes, rows[:, 1] - 1])


def node_numbering(mesh: Mesh) -> Numbering:
    """Labels of the nodes of a mesh; without any they count from 1."""
    labels = np.arange(1, mesh.node_count + 1) if mesh.node_labels is None else mesh.node_labels
    return Numbering("node", labels, np.arange(mesh.node_count))


# ---------------------------------------------------------------------- of matrices


def role_matrix(part: Part, role: Role) -> tuple[str, FiledMatrix]:
    """The matrix of a role, and its name; several are refused."""
    found = {name: matrix for name, matrix in part.matrices.items() if role_of(name) == role}
    if len(found) != 1:
        listed = ", ".join(found) or "none"
        raise InputError(f"the files have {len(found)} {role} matrices ({listed}); leave one")
    return next(iter(found.items()))


def _from_matrices(name: str, part: Part) -> Body:
    (_, K), (_, M) = role_matrix(part, "stiffness"), role_matrix(part, "mass")
    rows = _common_rows(name, part, K, M)
    stiffness, mass = (_on(rows, replace(found, rows=_rows(name, part, found))) for found in (K, M))
    of_nodes = rows[:, 1] > 0
    notices = list(part.notices)
    mesh, regions = _mesh_of(part, rows[of_nodes], notices)
    if mesh is None:
        raise InputError(
            f"body {name}: nothing says where the nodes of the matrices are; add a file that has their coordinates"
        )
    numbers = _number_rows(mesh, rows[of_nodes])
    if of_nodes.all():
        matrices = BodyMatrices(numbers, stiffness, mass)
    else:
        shapes = np.zeros((len(numbers), len(rows)))
        shapes[np.arange(len(numbers)), np.flatnonzero(of_nodes)] = 1.0
        rigid = np.zeros((len(rows), 6))
        rigid[of_nodes] = rigid_rows(mesh.points, numbers)
        matrices = BodyMatrices(numbers, stiffness, mass, shapes=shapes, rigid=rigid)
        notices.append(
            f"{int((~of_nodes).sum())} of {len(rows)} coordinates are amounts of shapes that the file does not "
            "hold; their Coriolis and centrifugal terms are those of rigid nodes at the retained ones"
        )
    if not regions:
        notices.append(_NO_GEOMETRIC)
    return Body(
        name,
        mesh,
        regions,
        supports=part.supports,
        point_masses=(),
        space="spatial",
        matrices=matrices,
        notices=tuple(notices),
    )


_NO_GEOMETRIC = (
    "geometric stiffness does not follow from matrices: stress does not stiffen the body; add the mesh with its "
    "properties where it turns at a speed that is not small beside its first frequency"
)


def _rows(name: str, part: Part, found: FiledMatrix) -> IntArray:
    """Labels of the rows; without any three or six for each node of the mesh in the order of their labels."""
    if found.rows is not None:
        return found.rows
    size = found.matrix.shape[0]
    if part.retained is not None and len(part.retained) == size:
        return part.retained
    if part.mesh is not None:
        labels = np.sort(node_numbering(part.mesh).labels)
        for each in (3, 6):
            if size == each * len(labels):
                return np.column_stack([np.repeat(labels, each), np.tile(np.arange(1, each + 1), len(labels))])
        raise InputError(
            f"body {name}: a matrix has {size} rows without labels, and there are {len(labels)} nodes; three "
            "or six rows for each would be understood"
        )
    raise InputError(f"body {name}: a matrix has rows without labels; add a file with the nodes")


def _common_rows(name: str, part: Part, K: FiledMatrix, M: FiledMatrix) -> IntArray:
    of_k, of_m = _rows(name, part, K), _rows(name, part, M)
    rows = np.unique(np.concatenate([of_k, of_m]), axis=0)
    if len(rows) > len(of_k):
        raise InputError(
            f"body {name}: the mass matrix has rows that the stiffness matrix does not have; give matrices of the "
            "same coordinates"
        )
    return rows


def _mesh_of(part: Part, rows: IntArray, notices: list[str]) -> tuple[Mesh | None, tuple[Region, ...]]:
    """The mesh whose nodes the matrices have: with its cells where they have all of them, else the nodes alone."""
    mesh = part.mesh
    if mesh is None:
        return None, ()
    labels = np.unique(rows[:, 0])
    numbering = node_numbering(mesh)
    missing = labels[~numbering.is_known(labels)]
    if missing.size:
        raise InputError(
            f"the matrices have node {missing[0]}, whose coordinates no file has; add the file that has them"
        )
    nodes = numbering.of(labels, "matrices")
    cells = [block for block in mesh.blocks if block.cell.dimension > 0]
    whole = bool(cells) and np.isin(nodes_of_blocks(cells), nodes).all()
    sound = bool(part.regions) and not part.hindrances
    if whole and sound and _moves_as_elements(mesh, part, rows, numbering):
        notices.append("stress and geometric stiffness are those of flexframe's own elements on the same mesh")
        return mesh, _regions(part)
    if whole:
        return mesh, ()
    vertices = replace(
        mesh,
        blocks=(CellBlock(VERTEX, nodes[:, None]),),
        facet_sets={},
        cell_sets={},
        cell_labels=None,
        node_labels=numbering.labels,
    )
    return vertices.without_unused_nodes(), ()


def _moves_as_elements(mesh: Mesh, part: Part, rows: IntArray, numbering: Numbering) -> bool:
    """Whether the matrices have all degrees of freedom that flexframe's elements have on the mesh."""
    given = np.full((mesh.node_count, 6), False)
    given[numbering.of(rows[:, 0], "matrices"), rows[:, 1] - 1] = True
    return bool(given[_element_dofs(part, mesh)].all())


def _element_dofs(part: Part, mesh: Mesh) -> BoolArray:
    """Which degrees of freedom flexframe's elements have: (nodes, 6)."""
    from flexframe.assembly.discrete import element_batches

    body = Body("part", mesh, _regions(part), space="spatial")
    return np.asarray(number_dofs(mesh, element_batches(body), "spatial").numbers >= 0)


def rigid_rows(points: Array, numbers: IntArray) -> Array:
    """Rigid motions of degrees of freedom (node number, column): (r, 6)."""
    from flexframe.assembly.dofs import DofMap

    whole = DofMap(np.arange(6 * len(points)).reshape(-1, 6), 6 * len(points))
    return rigid_displacements(whole, points)[6 * numbers[:, 0] + numbers[:, 1]]


# ---------------------------------------------------------------------- of modes


def _from_modes(name: str, part: Part) -> Body:
    assert part.modes is not None
    if part.mesh is None:
        raise InputError(f"body {name}: nothing says where the nodes of the modes are; add the file of the mesh")
    sound = bool(part.regions) and not part.hindrances
    own = _element_dofs(part, part.mesh) if sound else None
    used = part if sound else replace(part, regions=())
    matrices, notices = modal_matrices(name, part.modes, part.mesh, used, own)
    notices.append(
        "mass between the nodes, stress and geometric stiffness are those of flexframe's own elements on the mesh"
        if sound
        else _NO_GEOMETRIC
    )
    body = Body(
        name,
        part.mesh,
        _regions(part) if sound else (),
        point_masses=part.point_masses if sound else (),
        space="spatial",
        matrices=matrices,
        notices=(*part.notices, *notices),
    )
    if own is None:
        return body
    _require_all(body, matrices, own)
    return replace(body, matrices=without_point_masses(matrices, body.mesh, body.point_masses))


def _require_all(body: Body, matrices: BodyMatrices, own: BoolArray) -> None:
    """Refused where shapes do not say how all degrees of freedom of elements move."""
    given = np.full((body.mesh.node_count, 6), False)
    given[matrices.rows[:, 0], matrices.rows[:, 1]] = True
    lost = own & ~given
    if lost.any():
        node, column = np.argwhere(lost)[0]
        raise InputError(
            f"body {body.name}: the modes do not have {NODE_DOFS[column]} of node "
            f"{body.mesh.node_label(int(node))}; export them at all nodes"
        )
