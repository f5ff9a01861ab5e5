"""Formats that hold a mesh and its sets and nothing else."""

from collections.abc import Callable
from pathlib import Path

from flexframe.exchange.contract import Content, Format, Part, Settings
from flexframe.exchange.gmsh.files import read_gmsh, write_gmsh
from flexframe.exchange.meshio_library import meshio_mesh
from flexframe.exchange.units import Units
from flexframe.exchange.vtk import read_vtk, read_vtu, write_vtk
from flexframe.files import OpenFile
from flexframe.mesh.mesh import Mesh

_MESH: tuple[Content, ...] = ("mesh", "sets")


def _reads(read: Callable[[OpenFile], Mesh]) -> Callable[[OpenFile, Settings], Part]:
    def part(file: OpenFile, settings: Settings) -> Part:
        mesh = read(file)
        return Part(mesh=mesh.scaled(settings.units.length), notices=mesh.notices)

    return part


def _writes(write: Callable[[Mesh, Path], None]) -> Callable[[Part, Path, Units], tuple[str, ...]]:
    def write_mesh_part(part: Part, path: Path, units: Units) -> tuple[str, ...]:
        assert part.mesh is not None
        write(part.mesh.scaled(1 / units.length), path)
        return ()

    return write_mesh_part


def _through_meshio(form: str) -> Callable[[OpenFile], Mesh]:
    return lambda file: meshio_mesh(file, form)


GMSH = Format("gmsh", "gmsh", (".msh",), _MESH, _MESH, _reads(read_gmsh), _writes(write_gmsh), needs_cells=True)
VTU = Format("vtu", "VTK (XML)", (".vtu",), _MESH, _MESH, _reads(read_vtu), _writes(write_vtk))
VTK = Format("vtk", "VTK (legacy)", (".vtk",), _MESH, _MESH, _reads(read_vtk), _writes(write_vtk))
MEDIT = Format("medit", "Medit", (".mesh", ".meshb"), _MESH, (), _reads(_through_meshio("medit")))
NETGEN = Format("netgen", "Netgen", (".vol",), _MESH, (), _reads(_through_meshio("netgen")))
SU2 = Format("su2", "SU2", (".su2",), _MESH, (), _reads(_through_meshio("su2")))
