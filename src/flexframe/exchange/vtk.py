"""VTK files (.vtu, .vtk): meshes with their sets as whole-number data."""

from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np

from flexframe.errors import InputError
from flexframe.exchange.meshio_library import meshio_library, meshio_mesh
from flexframe.files import OpenFile
from flexframe.maths.arrays import IntArray
from flexframe.mesh.facets import facet_owners
from flexframe.mesh.mesh import Mesh


def read_vtk(file: OpenFile) -> Mesh:
    """The mesh of a legacy file (.vtk) of an unstructured grid; see `meshio_mesh` for its sets."""
    if b"UNSTRUCTURED_GRID" not in file.head(2_000).upper():  # a few bytes describe grids as large as they like
        raise InputError(f"{file.name}: is not a VTK file with an UNSTRUCTURED_GRID; export it as one")
    return meshio_mesh(file, "vtk")


def read_vtu(file: OpenFile) -> Mesh:
    """The mesh of an XML file (.vtu)."""
    return meshio_mesh(file, "vtu")


def write_vtk(mesh: Mesh, path: Path) -> None:
    """Write a mesh as .vtu or .vtk; sets become whole-number data named nodes:…, cells:… and facets:…."""
    point_data = {f"nodes:{name}": _flags(nodes, mesh.node_count) for name, nodes in mesh.node_sets.items()}
    cell_data = {f"cells:{name}": _flags(cells, mesh.cell_count) for name, cells in mesh.cell_sets.items()}
    for name, facets in mesh.facet_sets.items():
        bits = np.zeros(mesh.cell_count, dtype=np.int32)
        for block in facets:
            cells, local = facet_owners(mesh, block)
            np.bitwise_or.at(bits, cells, (1 << local).astype(np.int32))
        cell_data[f"facets:{name}"] = bits
    if path.suffix.lower() == ".vtk":  # names of the legacy format have no spaces; VTK writes them as %20
        point_data = {_spaceless(name): values for name, values in point_data.items()}
        cell_data = {_spaceless(name): values for name, values in cell_data.items()}
    splits = mesh.block_starts[1:-1]
    drawn = meshio_library().Mesh(
        mesh.points,
        [(block.cell.name, block.nodes) for block in mesh.blocks],
        point_data=point_data,
        cell_data={name: np.split(values, splits) for name, values in cell_data.items()},
    )
    meshio_library().write(path, drawn)


def _spaceless(name: str) -> str:
    return quote(name, safe="".join(chr(code) for code in range(33, 127) if chr(code) != "%"))


def _flags(members: IntArray, count: int) -> Any:
    flags = np.zeros(count, dtype=np.int32)
    flags[members] = 1
    return flags
