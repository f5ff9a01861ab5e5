"""gmsh text files of both versions, written by hand after the format's description, and by meshio."""

import meshio
import numpy as np
import pytest
from tests.mesh.oracle import outward_flux
from tests.rounding import ROUNDING

from flexframe.errors import InputError
from flexframe.exchange.meshes import read_mesh
from flexframe.mesh.builders import block, cylinder, rectangle, tube
from flexframe.mesh.checks import require_valid

VERSION_4 = """\
$MeshFormat
4.1 0 8
$EndMeshFormat
$Comments
anything $ at all
$EndComments
$PhysicalNames
4
0 9 "anchor point"
1 1 "left"
2 2 "plate"
2 3 "all of it"
$EndPhysicalNames
$Entities
2 2 1 0
1 0 0 0 1 9
2 5 5 0 0
1 0 0 0 0 1 0 1 -1 0
2 0 0 0 1 0 0 0 0
1 0 0 0 1 1 0 2 2 3 2 1 -2
$EndEntities
$Nodes
3 5 10 99
0 1 0 1
10
0 0 0
0 2 0 1
99
5 5 0
2 1 0 3
20
30
40
1 0 0
1 1 0
0 1 0
$EndNodes
$Elements
4 5 1 5
0 1 15 1
1 10
1 1 1 1
2 10 40
1 2 1 1
3 10 20
2 1 2 2
4 10 20 30
5 10 30 40
$EndElements
"""

VERSION_2 = """\
$MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
1
1 1 "left"
$EndPhysicalNames
$Nodes
4
10 0 0 0
20 1 0 0
30 1 1 0
40 0 1 0
$EndNodes
$Elements
4
2 1 2 1 1 40 10
4 2 2 7 1 10 20 30
5 2 2 7 1 10 30 40
6 2 2 8 1 10 20 30
$EndElements
"""


def read(tmp_path, text):
    path = tmp_path / "plate.msh"
    path.write_text(text)
    return read_mesh(path)


def labels(mesh, name):
    return sorted(mesh.node_label(node) for node in mesh.nodes_of(name))


def test_version_4_with_cells_outside_all_groups(tmp_path):
    mesh = read(tmp_path, VERSION_4)
    assert require_valid(mesh).area == pytest.approx(1.0, rel=ROUNDING)
    # Node 99 is a geometry point that nothing uses.
    assert mesh.node_labels.tolist() == [10, 20, 30, 40]
    assert mesh.cell_labels.tolist() == [4, 5]
    assert mesh.cells_of("plate").tolist() == mesh.cells_of("all of it").tolist() == [0, 1]
    assert labels(mesh, "anchor point") == [10]
    assert labels(mesh, "left") == [10, 40]
    # The file lists the edge upwards; as the left side of a plate it runs down, with its normal to −x.
    (edge,) = mesh.facets_of("left")
    assert [mesh.node_label(node) for node in edge.nodes[0]] == [40, 10]


def test_version_2_with_a_cell_listed_for_each_of_its_groups(tmp_path):
    mesh = read(tmp_path, VERSION_2)
    assert require_valid(mesh).area == pytest.approx(1.0, rel=ROUNDING)
    assert mesh.cell_labels.tolist() == [4, 5]
    assert mesh.cells_of("surface7").tolist() == [0, 1]
    assert mesh.cells_of("surface8").tolist() == [0]
    assert labels(mesh, "left") == [10, 40]


def test_nodes_in_the_middle_of_faces_are_left_out(tmp_path):
    grid = [(x / 2, y / 2) for y in range(3) for x in range(3)]
    nodes = "".join(f"{i + 1} {x} {y} 0\n" for i, (x, y) in enumerate(grid))
    text = f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n9\n{nodes}$EndNodes\n$Elements\n1\n"
    mesh = read(tmp_path, text + "1 10 2 1 1 1 3 9 7 2 6 8 4 5\n$EndElements\n")
    assert (mesh.blocks[0].cell.name, mesh.node_count) == ("quad8", 8)
    assert require_valid(mesh).area == pytest.approx(1.0, rel=ROUNDING)


MESHES = {
    "triangle6": lambda: rectangle(2, 1, (3, 2), 2, "triangle"),
    "quad8": lambda: rectangle(2, 1, (3, 2), 2),
    "hexahedron": lambda: block((1, 2, 3), (2, 1, 1), 1),
    "hexahedron20": lambda: tube(1, 2, 1, (1, 8, 2)),
    "tetra10": lambda: tube(1, 2, 1, (1, 8, 1), shape="tetra"),
    "wedge": lambda: block((1, 2, 3), (2, 1, 1), 1, "wedge"),
    "wedge15": lambda: cylinder(1, 1, (1, 1), 2, "wedge"),
}


@pytest.mark.parametrize("version", ["22", ""])
@pytest.mark.parametrize("binary", [False, True])
@pytest.mark.parametrize("name", MESHES)
def test_node_order_of_all_cells_as_meshio_writes_them(tmp_path, name, version, binary):
    mesh = MESHES[name]()
    tags = [np.ones(len(b), dtype=int) for b in mesh.blocks]
    raw = meshio.Mesh(
        mesh.points,
        [(b.cell.name, b.nodes) for b in mesh.blocks],
        cell_data={"gmsh:physical": tags, "gmsh:geometrical": tags} if version else {},
    )
    meshio.write(tmp_path / "mesh.msh", raw, file_format=f"gmsh{version}", binary=binary)
    again = read_mesh(tmp_path / "mesh.msh")
    assert again.blocks[0].cell.name == name
    assert (again.blocks[0].nodes == mesh.blocks[0].nodes).all()
    np.testing.assert_allclose(again.points, mesh.points, rtol=ROUNDING, atol=1e-300)
    assert outward_flux(again, again.boundary()) == pytest.approx(outward_flux(mesh, mesh.boundary()), rel=1e-13)


def without(text, start, end):
    return text[: text.index(start)] + text[text.index(end) + len(end) :]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("$MeshFormat\n", "is not a gmsh file"),
        ("junk", "is not a gmsh file"),
        ("$Comments\n$MeshFormat 4.1 0 8\n$EndComments\n", "plate.msh:1: .MeshFormat does not stand on"),
        (VERSION_4.replace('2 2 "plate"', "2 plate"), r"plate.msh:\d+: .2 plate. is not a physical name"),
        (VERSION_4[:300], r"plate.msh:\d+: \$\w+ has no end"),
        (VERSION_4.replace("3 5 10 99", "9 5 10 99"), r"plate.msh:37: \$Nodes promises 1 more lines but has 0"),
        (VERSION_4.replace("2 1 0 3", "2 1 0 3000000000"), r"plate.msh:\d+: \$Nodes promises 6000000000 more"),
        (VERSION_4.replace("2 1 2 2", "2 1 2 200000"), r"\$Elements promises 200000 more lines but has 2"),
        (VERSION_4.replace("5 10 30 40", "5 10 30"), "element 5 has 2 nodes instead of 3"),
        (VERSION_4.replace("5 10 30 40", "5 10 30 41"), r"plate.msh:\d+: element 5 uses node 41, which"),
        (VERSION_4.replace("5 10 30 40", "5 10 30 -1"), "element 5 uses node -1"),
        (VERSION_4.replace("5 10 30 40", "5 10 30 x"), "are not whole numbers"),
        (VERSION_4.replace("20\n30", "20\n20"), "plate.msh:32: node 20 is defined a second time"),
        (VERSION_4.replace("5 5 0\n2", "5 nan 0\n2"), "are not finite numbers"),
        (VERSION_4.replace("2 1 2 2", "2 1 7 2"), "gmsh element type 7 is not read; mesh with line, triangle"),
        (VERSION_4.replace("2 10 40", "2 10 30").replace("4 10 20 30\n5 10 30 40", "4 10 20 40\n5 20 30 40"),
         "group 'left': no cell has the facet"),
        (without(VERSION_4, "$Nodes", "$EndNodes"), r"has no \$Nodes"),
        (without(VERSION_4, "1 1 1 1\n", "10 30 40\n").replace("4 5 1 5", "1 5 1 5"), "points but no lines"),
        (VERSION_2.replace("4\n2 1 2", "9\n2 1 2"), "promises 9 more lines but has 4"),
        (VERSION_2.replace("40 0 1 0", "4.5 0 1 0"), "plate.msh:13: '4.5 0 1 0' are not a whole number and"),
        (VERSION_2.replace("4 2 2 7", f"{2**70} 2 2 7"), "are not possible numbers of nodes or cells"),
    ],
)  # fmt: skip
def test_wrong_files_are_refused(tmp_path, text, message):
    with pytest.raises(InputError, match=message):
        read(tmp_path, text)


@pytest.mark.parametrize("text", [VERSION_4, VERSION_2], ids=["4", "2"])
def test_every_truncation_is_refused(tmp_path, text):
    for length in range(len(text.rstrip()) - 1):
        with pytest.raises(InputError):
            read(tmp_path, text[:length])


@pytest.mark.parametrize("text", [VERSION_4, VERSION_2], ids=["4", "2"])
def test_random_damage_is_read_or_refused(tmp_path, text):
    random = np.random.default_rng(0)
    for _ in range(400):
        damaged = bytearray(text.encode())
        for place in random.integers(30, len(damaged), 3):
            damaged[place] = random.integers(32, 127)
        path = tmp_path / "plate.msh"
        path.write_bytes(bytes(damaged))
        try:
            assert read_mesh(path).cell_count > 0
        except InputError as error:
            assert "plate.msh" in str(error)
