"""Files of every format: sets there and back, foreign data, damage."""

import meshio
import numpy as np
import pytest
from tests.mesh.oracle import facet_nodes
from tests.rounding import ROUNDING

from flexframe.errors import InputError
from flexframe.exchange.meshes import read_mesh, write_mesh
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.builders import block, cylinder, polyline, rectangle, tube
from flexframe.mesh.cells import LINE, QUAD, VERTEX
from flexframe.mesh.checks import require_valid
from flexframe.mesh.mesh import Mesh

MESHES = {
    "quad8": lambda: rectangle(2, 1, (3, 2), 2),
    "triangle": lambda: rectangle(2, 1, (3, 2), 1, "triangle"),
    "tetra10": lambda: tube(1, 2, 1, (1, 8, 1), shape="tetra"),
    "hexahedron20": lambda: block((1, 1, 1), (2, 2, 2)),
    "wedge15": lambda: cylinder(1, 1, (1, 1), 2, "wedge"),
    "wedge": lambda: block((1, 2, 3), (2, 1, 1), 1, "wedge"),
}
ENDINGS = [".inp", ".vtu", ".vtk", ".msh"]


def plain(sets):
    return {name: members.tolist() for name, members in sets.items()}


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("name", MESHES)
def test_a_written_mesh_is_read_back_whole(tmp_path, name, ending):
    mesh = MESHES[name]()
    write_mesh(mesh, tmp_path / f"mesh{ending}")
    again = read_mesh(tmp_path / f"mesh{ending}")
    # All formats keep 17 digits or the bytes themselves, but fields of Abaqus have twenty characters.
    lost = 1e-13 if ending == ".inp" else 0.0
    np.testing.assert_allclose(again.points, mesh.points, rtol=lost, atol=0)
    assert [b.cell for b in again.blocks] == [b.cell for b in mesh.blocks]
    assert all((a.nodes == b.nodes).all() for a, b in zip(again.blocks, mesh.blocks, strict=True))
    assert plain(again.node_sets) == plain(mesh.node_sets)
    assert plain(again.cell_sets) == plain(mesh.cell_sets)
    assert set(again.facet_sets) == set(mesh.facet_sets)
    for facet_set in mesh.facet_sets:
        assert facet_nodes(again.facets_of(facet_set)) == facet_nodes(mesh.facets_of(facet_set))
    require_valid(again)


@pytest.mark.parametrize("ending", [".inp", ".vtu", ".vtk"])
def test_beams_with_overlapping_sets_and_a_point_mass(tmp_path, ending):
    frame = polyline([(0, 0), (0, 3), (4, 3)], 3)
    mesh = Mesh(
        frame.points,
        (*frame.blocks, CellBlock(VERTEX, frame.nodes_of("end")[:, None])),
        node_sets=frame.node_sets,
        cell_sets={**frame.cell_sets, "mass": [6]},
    )
    write_mesh(mesh, tmp_path / f"frame{ending}")
    again = read_mesh(tmp_path / f"frame{ending}")
    assert [(b.cell.name, len(b)) for b in again.blocks] == [("line", 6), ("vertex", 1)]
    assert plain(again.cell_sets) == plain(mesh.cell_sets)
    assert plain(again.node_sets) == plain(mesh.node_sets)


def test_gmsh_files_cannot_hold_everything(tmp_path):
    mesh = rectangle(2, 1, (2, 1)).with_sets(cell_sets={"a": [0], "b": [0, 1], "c": [0]})
    with pytest.raises(InputError, match=r"cell set 'c' overlaps another one.*use \.vtu or \.inp"):
        write_mesh(mesh, tmp_path / "mesh.msh")
    other_nodes = rectangle(2, 1, (2, 1)).with_sets({"left": [0]})
    with pytest.raises(InputError, match="two different sets are called 'left'"):
        write_mesh(other_nodes, tmp_path / "mesh.msh")


def test_names_that_abaqus_cannot_hold_are_refused(tmp_path):
    with pytest.raises(InputError, match="cannot hold the set name 'a,b'"):
        write_mesh(rectangle(2, 1, (2, 1)).with_sets({"a,b": [0]}), tmp_path / "mesh.inp")


def test_whole_number_data_of_other_programs_become_sets(tmp_path):
    points = np.array([[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0], [1, 1, 0], [2, 1, 0]], dtype=float)
    raw = meshio.Mesh(
        points,
        [("quad", np.array([[0, 1, 4, 3], [1, 2, 5, 4]]))],
        point_data={
            "clamped": np.array([1, 0, 0, 1, 0, 0]),
            "part": np.array([2, 2, 5, 5, 0, 0]),
            "label": np.array([10, 11, 12, 13, 14, 15]),
            "temperature": np.linspace(0, 1, 6),
            "empty": np.zeros(6, dtype=int),
        },
        cell_data={"material": [np.array([3, 3])], "hot": [np.array([0, 1])]},
    )
    meshio.write(tmp_path / "other.vtu", raw)
    mesh = read_mesh(tmp_path / "other.vtu")
    assert plain(mesh.node_sets) == {"clamped": [0, 3], "part_2": [0, 1], "part_5": [2, 3]}
    assert plain(mesh.cell_sets) == {"material_3": [0, 1], "hot": [1]}


@pytest.mark.parametrize(("ending", "form"), [(".bdf", "nastran"), (".mesh", "medit"), (".su2", "su2")])
def test_other_formats_through_meshio(tmp_path, ending, form):
    mesh = rectangle(2, 1, (3, 2), 1)
    raw = meshio.Mesh(mesh.points[:, :2] if form == "su2" else mesh.points, [("quad", mesh.blocks[0].nodes)])
    meshio.write(tmp_path / f"mesh{ending}", raw, file_format=form)
    again = read_mesh(tmp_path / f"mesh{ending}")
    # Nastran's short fields keep eleven characters of a number.
    np.testing.assert_allclose(again.points, mesh.points, atol=1e-9)
    assert require_valid(again).area == pytest.approx(2.0, rel=1e-9)


@pytest.mark.parametrize("ending", ENDINGS)
def test_clockwise_cells_can_be_turned_while_reading(tmp_path, ending):
    upside = rectangle(2, 1, (2, 1), 2)
    mirrored = Mesh(
        upside.points * (1, -1, 1), upside.blocks, upside.node_sets, upside.facet_sets, upside.cell_sets
    )
    write_mesh(mirrored, tmp_path / f"mesh{ending}")
    with pytest.raises(InputError, match=r"runs clockwise.*reorient=True"):
        require_valid(read_mesh(tmp_path / f"mesh{ending}"))
    turned = read_mesh(tmp_path / f"mesh{ending}", reorient=True)
    assert require_valid(turned).area == pytest.approx(2.0, rel=ROUNDING)


def test_unknown_cells_are_refused_by_name(tmp_path):
    pyramid = meshio.Mesh(np.random.default_rng(0).random((5, 3)), [("pyramid", np.arange(5)[None])])
    meshio.write(tmp_path / "mesh.vtu", pyramid)
    with pytest.raises(InputError, match=r"mesh\.vtu: unknown cell shape 'pyramid'.*use one of"):
        read_mesh(tmp_path / "mesh.vtu")


def test_facet_numbers_out_of_range_in_a_file_are_refused(tmp_path):
    points = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], dtype=float)
    raw = meshio.Mesh(points, [("quad", np.array([[0, 1, 2, 9]]))])
    meshio.write(tmp_path / "mesh.vtu", raw)
    with pytest.raises(InputError, match=r"mesh\.vtu: quad cells: there is no node 9"):
        read_mesh(tmp_path / "mesh.vtu")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.msh", b"\x00\xff" * 500),
        ("b.msh", b"$MeshFormat\n2.2 1 8\n\x01\x00\x00\x00\n$EndMeshFormat\n$Nodes\n400000\n\x01"),
        ("c.vtk", b"\x00\xff" * 500),
        ("d.vtk", b"# vtk DataFile Version 3.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 9 double\n0 0"),
        ("e.vtk", b"# vtk DataFile Version 3.0\nx\nASCII\nDATASET STRUCTURED_POINTS\nDIMENSIONS 9999 9999 9999\n"),
        ("f.vtu", b"<?xml version='1.0'?><VTKFile/>"),
        ("g.vtu", b""),
        ("h.bdf", b"junk"),
        ("i.mesh", b"MeshVersionFormatted 2\nDimension 3\nVertices\n1000\n0 0 0 1\n"),
        ("j.vol", b"mesh3d\ndimension\n3\npoints\n999\n0 0 0\n"),
        ("k.su2", b"NDIME= 2\nNELEM= 1000000000\n5 0 1 2\nNPOIN= 3\n0 0\n"),
    ],
)
def test_damaged_files_are_refused_by_name(tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=name):
        read_mesh(tmp_path / name)


@pytest.mark.parametrize("ending", [".vtu", ".vtk"])
def test_truncated_vtk_files_are_refused_or_read(tmp_path, ending):
    write_mesh(rectangle(2, 1, (2, 1)), tmp_path / f"whole{ending}")
    whole = (tmp_path / f"whole{ending}").read_bytes()
    refused = 0
    for length in range(0, len(whole), max(len(whole) // 40, 1)):
        (tmp_path / f"cut{ending}").write_bytes(whole[:length])
        try:
            read_mesh(tmp_path / f"cut{ending}")
        except InputError:
            refused += 1
    # A cut in the last data leaves the mesh whole; a cut in points or cells does not.
    assert refused >= 20


def test_files_that_are_not_there_or_not_meshes(tmp_path):
    with pytest.raises(InputError, match=r"no\.inp: there is no such file"):
        read_mesh(tmp_path / "no.inp")
    with pytest.raises(InputError, match="is a folder, not a regular file"):
        read_mesh(tmp_path)
    (tmp_path / "mesh.xyz").write_text("")
    with pytest.raises(InputError, match=r"files ending in '\.xyz' are not read; use one of .*\.inp, .*\.msh"):
        read_mesh(tmp_path / "mesh.xyz")
    with pytest.raises(InputError, match=r"not written to '\.xyz' files; use one of .*\.inp, .*\.msh"):
        write_mesh(rectangle(1, 1, (1, 1)), tmp_path / "mesh.xyz")


def test_a_facet_set_of_strangers_cannot_be_written(tmp_path):
    mesh = Mesh(
        [[0, 0], [1, 0], [1, 1], [0, 1]],
        (CellBlock(QUAD, [[0, 1, 2, 3]]),),
        facet_sets={"cut": (CellBlock(LINE, [[0, 2]]),)},
    )
    with pytest.raises(InputError, match=r"no cell has the facet with corner nodes \[0, 2\]"):
        write_mesh(mesh, tmp_path / "mesh.vtu")
