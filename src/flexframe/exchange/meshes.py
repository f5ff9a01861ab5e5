"""Meshes read from files of any format, and written to those that hold them."""

from pathlib import Path

from flexframe.errors import InputError
from flexframe.exchange.contract import Part, Settings
from flexframe.exchange.formats import format_of, format_to_write
from flexframe.exchange.meshing import Meshing
from flexframe.exchange.units import SI
from flexframe.files import ANYWHERE, Folder
from flexframe.mesh.checks import reorient_cells
from flexframe.mesh.mesh import Mesh


def read_mesh(
    path: str | Path, *, reorient: bool = False, meshing: Meshing | None = None, folder: Folder = ANYWHERE
) -> Mesh:
    """Read the mesh of a file with its sets; `reorient` turns clockwise and inside-out cells round.

    Abaqus (.inp): see `read_abaqus`. gmsh (.msh 2 and 4): physical groups of the highest dimension become
    cell sets, those one below facet sets (and node sets of the same name), lower ones node sets; groups
    without a name are called line1, surface2 and so on. VTK, Medit, Netgen and SU2: whole-number data of points
    and cells become sets, `name` where the values are 0 and 1, `name_value` for each value otherwise; data
    called nodes:…, cells:… and facets:… are the sets that `write_mesh` wrote. Nodes in the middle of faces
    and volumes (quad9, hexahedron27, wedge18) are left out. Nastran and Ansys: sets and components, and the cells
    of each property. STL: triangles, and a cell set for each named solid. STEP and IGES are meshed with
    tetrahedra by netgen (the extra `cad`), in metres: bodies become cell sets and faces facet sets, by their
    names or as body1, face1 and so on. The path starts at the `folder`.

    Parameters
    ----------
    path
        The file; its ending says the format.
    reorient
        Whether clockwise and inside-out cells are reversed.
    meshing
        How finely geometry (STEP, IGES) is meshed.
    folder
        Folder that paths start from.

    Returns
    -------
    Mesh
        Points in the unit of the file (STEP, IGES: in metres), cells, and named sets of nodes, facets and cells.

    Examples
    --------
    >>> ff.mesh.write_mesh(ff.mesh.annulus(0.05, 0.2, (2, 12)), "ring.msh")
    >>> sorted(ff.read_mesh("ring.msh").facet_sets)
    ['inner', 'outer']
    """
    with folder.open(path) as file:
        part = format_of(file, "mesh").part(file, Settings(meshing=meshing))
        for reason in part.lost:
            raise InputError(reason)
        mesh = part.mesh
        if mesh is None or not mesh.cell_count:
            raise InputError(f"{file.name}: has no mesh; give a file with nodes and elements")
    return reorient_cells(mesh) if reorient else mesh


def write_mesh(mesh: Mesh, path: str | Path) -> None:
    """Write a mesh; the ending says the format, and `read_mesh` restores the sets.

    Abaqus (.inp), gmsh 2.2 (.msh), VTK (.vtu, .vtk), Nastran (.bdf) and Ansys (.cdb). gmsh: sets become physical
    groups, and a cell has one at most, so overlapping cell sets are refused (a set of all cells is left out where
    there are others), as are node sets of a facet set's name with other nodes. VTK: sets become whole-number data
    named nodes:…, cells:… and facets:…. Nastran and Ansys have no sets of facets: their nodes are written.

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
    place = Path(path)
    found = format_to_write(place, "mesh")
    assert found.write is not None
    found.write(Part(mesh=mesh), place, SI)
