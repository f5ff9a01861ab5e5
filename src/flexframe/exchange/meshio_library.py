"""meshio, loaded when first needed and completed where version 5.3 has a gap; formats that are read through it."""

from collections.abc import Mapping
from functools import cache
from typing import Any
from urllib.parse import unquote

import numpy as np

from flexframe.errors import InputError
from flexframe.exchange.gmsh.groups import without_loose_nodes
from flexframe.files import OpenFile
from flexframe.maths.arrays import Array, IntArray
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.cells import cell_named
from flexframe.mesh.facets import facets_of_owners
from flexframe.mesh.mesh import Mesh

# Cells whose nodes inside faces and volumes are left out.
_TRIMMED = {"quad9": "quad8", "hexahedron27": "hexahedron20", "wedge18": "wedge15"}
_MOST_VALUES = 256


@cache
def meshio_library() -> Any:
    """The meshio package; its blocks of cells lack the dimension of wedge15, which its formats read and write."""
    import meshio

    known = meshio.CellBlock.__init__

    def block(self: Any, cell_type: str, data: Any, tags: list[str] | None = None) -> None:
        known(self, "wedge" if cell_type == "wedge15" else cell_type, data, tags)
        self.type = cell_type

    meshio.CellBlock.__init__ = block
    return meshio


def meshio_data(file: OpenFile, form: str) -> Any:
    """What meshio reads of a file by its module of this name; InputError where the file is damaged."""
    path = file.name
    try:
        with file.private_copy() as copy:
            raw = getattr(meshio_library(), form).read(str(copy))
    # meshio's readers let any error of Python through when a file is damaged; all mean the same here.
    except Exception as error:
        reason = str(error).strip().splitlines()[:1] or [type(error).__name__]
        raise InputError(f"{path}: is not a whole {form} file ({reason[0]}); export it again") from error
    if not np.size(raw.points) or np.ndim(raw.points) != 2 or not raw.cells:
        raise InputError(f"{path}: has no points or no cells; export the mesh again")
    return raw


def meshio_blocks(raw: Any) -> list[CellBlock]:
    """The cells that meshio read."""
    return [_block(block.type, np.asarray(block.data)) for block in raw.cells]


def meshio_mesh(file: OpenFile, form: str) -> Mesh:
    """The mesh of a file whose sets are whole-number data of points and cells.

    They are called `name` where the values are 0 and 1, `name_value` for each value otherwise; data called
    nodes:…, cells:… and facets:… are sets that flexframe wrote.
    """
    raw = meshio_data(file, form)
    try:
        points = np.asarray(raw.points, dtype=float)
        point_data, cell_data = (_plain_names(data, form) for data in (raw.point_data, raw.cell_data))
        mesh = _with_data(points, meshio_blocks(raw), point_data, cell_data)
    except InputError as error:
        raise InputError(f"{file.name}: {error}") from error
    trimmed = any(block.type in _TRIMMED for block in raw.cells)
    return without_loose_nodes(mesh) if trimmed else mesh


def _block(name: str, nodes: IntArray) -> CellBlock:
    cell = cell_named(_TRIMMED.get(name, name))
    return CellBlock(cell, nodes[:, : cell.nodes])


def _plain_names(data: Mapping[str, Any], form: str) -> dict[str, Any]:
    """Data by their names, in which legacy VTK files have %20 for spaces."""
    return {unquote(name) if form == "vtk" else name: values for name, values in data.items()}


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
