"""gmsh files read and written: text by an own reader, binary ones through meshio."""

from pathlib import Path
from typing import Any

import numpy as np

from flexframe.errors import InputError
from flexframe.exchange.gmsh.groups import group_name, mesh_of_groups
from flexframe.exchange.gmsh.text import is_text, read_text
from flexframe.exchange.meshio_library import meshio_blocks, meshio_data, meshio_library
from flexframe.files import OpenFile
from flexframe.maths.arrays import IntArray
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.cells import VERTEX
from flexframe.mesh.mesh import Mesh


def read_gmsh(file: OpenFile) -> Mesh:
    """The mesh of a gmsh file of version 2 or 4 with its physical groups."""
    if is_text(file):
        return read_text(file)
    raw = meshio_data(file, "gmsh")
    try:
        blocks = meshio_blocks(raw)
        return mesh_of_groups(np.asarray(raw.points, dtype=float), blocks, _physical_groups(raw, blocks))
    except InputError as error:
        raise InputError(f"{file.name}: {error}") from error


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


def write_gmsh(mesh: Mesh, path: Path) -> None:
    """Write version 2.2 as text: sets become physical groups, of which a cell has one at most."""
    # meshio takes .msh for ANSYS unless it is told; only its writer of version 2 keeps physical groups.
    meshio_library().write(path, _with_groups(mesh), file_format="gmsh22", binary=False)


def _with_groups(mesh: Mesh) -> Any:
    names: dict[str, tuple[int, int]] = {}
    cell_tags = np.zeros(mesh.cell_count, dtype=np.int64)
    for name, cells in mesh.cell_sets.items():
        if len(cells) == mesh.cell_count and len(mesh.cell_sets) > 1:
            continue
        if cell_tags[cells].any():
            raise InputError(
                f"cell set '{name}' overlaps another one; gmsh files cannot hold both, use .vtu or .inp"
            )
        names[name] = (len(names) + 1, mesh.dimension)
        cell_tags[cells] = len(names)
    blocks: list[tuple[CellBlock, IntArray]] = list(
        zip(mesh.blocks, np.split(cell_tags, mesh.block_starts[1:-1]), strict=True)
    )
    for name, facets in mesh.facet_sets.items():
        tag = _new_group(names, name, mesh.dimension - 1)
        blocks += [(block, np.full(len(block), tag)) for block in facets]
    for name, nodes in mesh.node_sets.items():
        if name in mesh.facet_sets:
            same = np.unique(np.concatenate([block.nodes.ravel() for block in mesh.facet_sets[name]]))
            if np.array_equal(same, nodes):
                continue
        tag = _new_group(names, name, 0)
        blocks.append((CellBlock(VERTEX, nodes[:, None]), np.full(len(nodes), tag)))
    tags = [tag for _, tag in blocks]
    return meshio_library().Mesh(
        mesh.points,
        [(block.cell.name, block.nodes) for block, _ in blocks],
        cell_data={"gmsh:physical": tags, "gmsh:geometrical": tags},
        field_data={name: np.array(pair) for name, pair in names.items()},
    )


def _new_group(names: dict[str, tuple[int, int]], name: str, dimension: int) -> int:
    if name in names:
        raise InputError(f"two different sets are called '{name}'; gmsh files cannot hold both, rename one")
    names[name] = (len(names) + 1, dimension)
    return len(names)
