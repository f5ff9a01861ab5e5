"""Mesh files read into a `Mesh`: Abaqus by an own reader, the other formats through meshio."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from flexframe.errors import InputError
from flexframe.files import ANYWHERE, Folder, OpenFile
from flexframe.maths.arrays import Array, IntArray
from flexframe.mesh.abaqus import abaqus_model
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.cells import cell_named
from flexframe.mesh.facets import facets_of_owners
from flexframe.mesh.gmsh import is_text, read_gmsh
from flexframe.mesh.groups import group_name, mesh_of_groups, without_loose_nodes
from flexframe.mesh.mesh import Mesh
from flexframe.mesh.meshio_library import meshio_library
from flexframe.mesh.orientation import reoriented

# File endings and the meshio module that reads them.
_FORMATS = {
    ".msh": "gmsh",
    ".vtk": "vtk",
    ".vtu": "vtu",
    ".bdf": "nastran",
    ".nas": "nastran",
    ".fem": "nastran",
    ".mesh": "medit",
    ".meshb": "medit",
    ".vol": "netgen",
    ".su2": "su2",
}
# Cells whose nodes inside faces and volumes are left out.
_TRIMMED = {"quad9": "quad8", "hexahedron27": "hexahedron20", "wedge18": "wedge15"}
_MOST_VALUES = 256


def read_mesh(path: str | Path, *, reorient: bool = False, folder: Folder = ANYWHERE) -> Mesh:
    """Read a mesh file with its sets; `reorient` turns clockwise and inside-out cells round.

    Abaqus (.inp): see `read_abaqus`. gmsh (.msh 2 and 4): physical groups of the highest dimension become
    cell sets, those one below facet sets (and node sets of the same name), lower ones node sets; groups
    without a name are called line1, surface2 and so on. Other formats: whole-number data of points and
    cells become sets, `name` where the values are 0 and 1, `name_value` for each value otherwise; data
    called nodes:…, cells:… and facets:… are the sets that `write_mesh` wrote. Nodes in the middle of faces
    and volumes (quad9, hexahedron27, wedge18) are left out. The path starts at the `folder`.

    Parameters
    ----------
    path
        The file; its ending says the format.
    reorient
        Whether clockwise and inside-out cells are reversed.
    folder
        Folder that paths start from.

    Returns
    -------
    Mesh
        Points in the unit of the file, cells, and named sets of nodes, facets and cells.

    Examples
    --------
    >>> ff.mesh.write_mesh(ff.mesh.annulus(0.05, 0.2, (2, 12)), "ring.msh")
    >>> sorted(ff.read_mesh("ring.msh").facet_sets)
    ['inner', 'outer']
    """
    with folder.open(path) as file:
        mesh = _read(file)
    return reoriented(mesh) if reorient else mesh


def _read(file: OpenFile) -> Mesh:
    if file.suffix == ".inp":
        return abaqus_model(file).mesh
    if file.suffix == ".msh" and is_text(file):
        return read_gmsh(file)
    if file.suffix in _FORMATS:
        return _from_meshio(file, _FORMATS[file.suffix])
    known = ", ".join([".inp", *_FORMATS])
    raise InputError(f"{file.name}: files ending in '{file.suffix}' are not read; use one of {known}")


def _from_meshio(file: OpenFile, form: str) -> Mesh:
    path = file.name
    if form == "vtk":
        _require_unstructured(file)
    try:
        with file.copied() as copy:
            raw = getattr(meshio_library(), form).read(str(copy))
    # meshio's readers let any error of Python through when a file is damaged; all mean the same here.
    except Exception as error:
        reason = str(error).strip().splitlines()[:1] or [type(error).__name__]
        raise InputError(f"{path}: is not a whole {form} file ({reason[0]}); export it again") from error
    points = np.asarray(raw.points, dtype=float)
    if not len(points) or not raw.cells:
        raise InputError(f"{path}: has no points or no cells; export the mesh again")
    try:
        blocks = [_block(block.type, np.asarray(block.data)) for block in raw.cells]
        if form == "gmsh":
            return mesh_of_groups(points, blocks, _physical_groups(raw, blocks))
        mesh = _with_data(points, blocks, raw.point_data, raw.cell_data)
    except InputError as error:
        raise InputError(f"{path}: {error}") from error
    trimmed = any(block.type in _TRIMMED for block in raw.cells)
    return without_loose_nodes(mesh) if trimmed else mesh


def _require_unstructured(file: OpenFile) -> None:
    """Refuse VTK grids that are only described, which a few bytes can make as large as they like."""
    if b"UNSTRUCTURED_GRID" not in file.head(2_000).upper():
        raise InputError(f"{file.name}: is not a VTK file with an UNSTRUCTURED_GRID; export it as one")


def _block(name: str, nodes: IntArray) -> CellBlock:
    cell = cell_named(_TRIMMED.get(name, name))
    return CellBlock(cell, nodes[:, : cell.nodes])


# ---------------------------------------------------------------------- binary gmsh: physical groups


def _physical_groups(raw: Any, blocks: list[CellBlock]) -> dict[int, dict[str, list[IntArray]]]:
    """Rows of the blocks in each physical group, by dimension of the group."""
    groups: dict[int, dict[str, list[IntArray]]] = {}
    names = {(int(dim), int(tag)): name for name, (tag, dim) in raw.field_data.items()}
    none = np.empty(0, dtype=np.int64)
    for number, block in enumerate(blocks):
        dim = block.cell.dimension
        named: dict[str, IntArray] = {}
        tags = raw.cell_data.get("gmsh:physical")
        for tag in np.unique(tags[number]) if tags else ():
            if tag > 0:
                named[group_name(names, dim, int(tag))] = np.flatnonzero(tags[number] == tag)
        for name, rows in raw.cell_sets.items():
            if not name.startswith("gmsh:") and len(rows[number]):
                named[name] = np.union1d(named.get(name, none), np.asarray(rows[number], dtype=np.int64))
        for name, rows in named.items():
            members = groups.setdefault(dim, {}).setdefault(name, [none] * len(blocks))
            members[number] = rows
    return groups


# ---------------------------------------------------------------------- other formats: whole-number data


def _with_data(
    points: Array, blocks: list[CellBlock], point_data: Mapping[str, Any], cell_data: Mapping[str, Any]
) -> Mesh:
    node_sets: dict[str, IntArray] = {}
    for name, values in point_data.items():
        node_sets |= _sets_of_values(name, np.asarray(values), "nodes:")
    mesh = Mesh(points, tuple(blocks), node_sets=node_sets)
    cell_sets: dict[str, IntArray] = {}
    facet_sets = {}
    for name, parts in cell_data.items():
        values = np.concatenate([np.asarray(part) for part in parts])
        if name.startswith("facets:"):
            facet_sets[name.removeprefix("facets:")] = _facets_of_bits(mesh, values)
        else:
            cell_sets |= _sets_of_values(name, values, "cells:")
    return mesh.with_sets(facet_sets=facet_sets, cell_sets=cell_sets)


def _sets_of_values(name: str, values: Any, prefix: str) -> dict[str, IntArray]:
    """Sets from whole numbers; none from other data or from numbers that are all different (labels)."""
    if values.ndim != 1 or not np.issubdtype(values.dtype, np.integer):
        return {}
    if name.startswith(prefix):
        return {name.removeprefix(prefix): np.flatnonzero(values)}
    distinct = np.unique(values)
    if np.isin(distinct, (0, 1)).all():
        return {name: np.flatnonzero(values)} if distinct[-1] else {}
    if distinct.size > _MOST_VALUES or distinct.size == values.size:
        return {}
    return {f"{name}_{value}": np.flatnonzero(values == value) for value in distinct if value != 0}


def _facets_of_bits(mesh: Mesh, values: Any) -> tuple[CellBlock, ...]:
    """Facets from a number for each cell whose bit k says that facet k belongs to the set."""
    bits = values.astype(np.int64)
    pairs = [(np.flatnonzero(bits >> k & 1), k) for k in range(6)]
    cells = np.concatenate([cells for cells, _ in pairs])
    local = np.concatenate([np.full(len(cells), k) for cells, k in pairs])
    return facets_of_owners(mesh, cells, local)
