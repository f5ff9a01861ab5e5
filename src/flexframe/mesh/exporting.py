"""Meshes written to files that keep the sets."""

from pathlib import Path
from typing import Any

import numpy as np

from flexframe.errors import InputError
from flexframe.maths.arrays import IntArray
from flexframe.mesh.abaqus_writing import write_abaqus
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.cells import VERTEX
from flexframe.mesh.facets import facet_owners
from flexframe.mesh.mesh import Mesh
from flexframe.mesh.meshio_library import meshio_library

_ENDINGS = (".inp", ".msh", ".vtu", ".vtk")


def write_mesh(mesh: Mesh, path: str | Path) -> None:
    """Write a mesh as Abaqus (.inp), gmsh 2.2 (.msh) or VTK (.vtu, .vtk); `read_mesh` restores the sets.

    gmsh: sets become physical groups, and a cell has one at most, so overlapping cell sets are refused
    (a set of all cells is left out where there are others), as are node sets of a facet set's name with
    other nodes. VTK: sets become whole-number data named nodes:…, cells:… and facets:….

    Parameters
    ----------
    mesh
        What to write.
    path
        The file; its ending says the format.

    Examples
    --------
    >>> ff.mesh.write_mesh(ff.mesh.block((1.0, 0.2, 0.1), (2, 1, 1)), "block.vtu")
    >>> ff.read_mesh("block.vtu").points.shape
    (32, 3)
    """
    path = Path(path)
    ending = path.suffix.lower()
    if ending not in _ENDINGS:
        raise InputError(f"{path}: meshes are not written to '{ending}' files; use one of {', '.join(_ENDINGS)}")
    if ending == ".inp":
        write_abaqus(mesh, path)
        return
    # meshio takes .msh for ANSYS unless it is told; only its writer of version 2 keeps physical groups.
    if ending == ".msh":
        meshio_library().write(path, _with_groups(mesh), file_format="gmsh22", binary=False)
    else:
        meshio_library().write(path, _with_data(mesh))


def _with_data(mesh: Mesh) -> Any:
    point_data = {f"nodes:{name}": _flags(nodes, mesh.node_count) for name, nodes in mesh.node_sets.items()}
    cell_data = {f"cells:{name}": _flags(cells, mesh.cell_count) for name, cells in mesh.cell_sets.items()}
    for name, facets in mesh.facet_sets.items():
        bits = np.zeros(mesh.cell_count, dtype=np.int32)
        for block in facets:
            cells, local = facet_owners(mesh, block)
            np.bitwise_or.at(bits, cells, (1 << local).astype(np.int32))
        cell_data[f"facets:{name}"] = bits
    splits = mesh.block_starts[1:-1]
    return meshio_library().Mesh(
        mesh.points,
        [(block.cell.name, block.nodes) for block in mesh.blocks],
        point_data=point_data,
        cell_data={name: np.split(values, splits) for name, values in cell_data.items()},
    )


def _flags(members: IntArray, count: int) -> Any:
    flags = np.zeros(count, dtype=np.int32)
    flags[members] = 1
    return flags


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
