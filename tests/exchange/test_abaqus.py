"""Abaqus input files: published meshes, every keyword that is read, and files that are wrong."""

from pathlib import Path

import meshio
import numpy as np
import pytest
from tests.mesh.oracle import facet_nodes, measured_size, outward_flux, smallest_determinant
from tests.rounding import ROUNDING

from flexframe.errors import InputError
from flexframe.exchange.abaqus.reading import read_abaqus
from flexframe.exchange.meshes import read_mesh, write_mesh
from flexframe.mesh.builders import block
from flexframe.mesh.checks import require_valid

DATA = Path(__file__).parent / "data"

TWO_SQUARES = """\
*Heading
 Two unit squares side by side
** a comment
*NODE, NSET=every
1, 0., 0.
2, 1., 0.
3, 2., 0.
11, 0., 1.
12, 1., 1.
13, 2.0E0, 1.D0
*Element, type=CPS4R, elset=web
100, 1, 2, 12, 11
200, 2, 3, 13, 12
"""


def model(tmp_path, text, name="model.inp"):
    path = tmp_path / name
    path.write_text(text)
    return read_abaqus(path)


def labels(mesh, name):
    return [mesh.node_label(node) for node in mesh.nodes_of(name)]


def cell_labels(mesh, name):
    return [mesh.cell_label(cell) for cell in mesh.cells_of(name)]


@pytest.mark.parametrize(("name", "mass"), [("conrod", 0.13792115), ("crank", 0.08406301)])
def test_the_published_meshes_have_their_mass(name, mass):
    read = read_abaqus(DATA / f"{name}.inp")
    steel = read.materials["steel"]
    assert (steel.youngs_modulus, steel.poisson_ratio, steel.density) == (210e9, 0.3, 7850.0)
    # The masses are given to eight digits.
    assert require_valid(read.mesh).volume * steel.density == pytest.approx(mass, rel=5e-8)
    assert measured_size(read.mesh) * steel.density == pytest.approx(mass, rel=5e-8)
    assert smallest_determinant(read.mesh) > 0
    (section,) = read.sections
    assert (section.kind, section.material) == ("solid", "steel")
    assert len(read.mesh.cells_of(section.cell_set)) == read.mesh.cell_count
    assert read.ignored == ()


@pytest.mark.parametrize("name", ["conrod", "crank"])
def test_middle_nodes_of_c3d20_lie_at_their_edges(name):
    mesh = read_mesh(DATA / f"{name}.inp")
    (solids,) = mesh.blocks
    for start, end, middle in solids.cell.edges:
        a, b, m = (mesh.points[solids.nodes[:, i]] for i in (start, end, middle))
        length = np.linalg.norm(b - a, axis=1)
        # An arc over a right angle rises by (√2 − 1)/2 = 0.21 of its chord above the chord's middle.
        assert (np.linalg.norm(m - (a + b) / 2, axis=1) / length).max() < 0.21


@pytest.mark.parametrize("name", ["conrod", "crank"])
def test_the_published_meshes_as_meshio_reads_them(name):
    mesh = read_mesh(DATA / f"{name}.inp")
    other = meshio.read(DATA / f"{name}.inp")
    assert (mesh.points == other.points).all()
    assert (mesh.blocks[0].nodes == other.cells[0].data).all()
    assert other.cells[0].type == "hexahedron20"


def test_end_circles_of_the_conrod_are_found_by_place():
    mesh = read_mesh(DATA / "conrod.inp")
    for z in (0.0, 0.01):
        circle = mesh.nodes_on(
            lambda p, z=z: (np.abs(np.hypot(p[:, 0], p[:, 1]) - 0.005) < 1e-6) & (np.abs(p[:, 2] - z) < 1e-6)
        )
        # A circle divided into n quadratic edges has 2 n nodes evenly about the bearing's centre.
        assert len(circle) % 2 == 0
        assert len(circle) >= 16
        np.testing.assert_allclose(mesh.points[circle].mean(axis=0)[:2], 0, atol=1e-8)


def test_nodes_elements_and_labels(tmp_path):
    read = model(tmp_path, TWO_SQUARES)
    mesh = read.mesh
    assert require_valid(mesh).area == pytest.approx(2.0, rel=ROUNDING)
    assert mesh.node_labels.tolist() == [1, 2, 3, 11, 12, 13]
    assert cell_labels(mesh, "web") == [100, 200]
    assert len(mesh.nodes_of("every")) == 6
    assert read.element_types["CPS4R"].tolist() == [0, 1]


def test_sets_by_list_range_name_and_element_set(tmp_path):
    text = TWO_SQUARES + (
        "*NSET, NSET=Low\n1, 2,\n3\n*NSET, NSET=odd, GENERATE\n1, 13, 2\n"
        "*NSET, NSET=both\nLOW, odd, 12\n*NSET, NSET=Low\n11\n"
        "*ELSET, ELSET=second\n200\n*NSET, NSET=of_second, ELSET=second\n"
        "*ELSET, ELSET=joined\nsecond, 100\n*NSET, NSET=quick, GENERATE\n11, 13\n"
    )
    mesh = model(tmp_path, text).mesh
    assert labels(mesh, "Low") == [1, 2, 3, 11]
    assert labels(mesh, "odd") == [1, 3, 11, 13]
    assert labels(mesh, "both") == [1, 2, 3, 11, 12, 13]
    assert labels(mesh, "of_second") == [2, 3, 12, 13]
    assert labels(mesh, "quick") == [11, 12, 13]
    assert cell_labels(mesh, "joined") == [100, 200]


def test_a_range_larger_than_the_machine_costs_nothing(tmp_path):
    mesh = model(tmp_path, TWO_SQUARES + "*NSET, NSET=all, GENERATE\n1, 4000000000000000000\n").mesh
    assert len(mesh.nodes_of("all")) == 6


def test_surfaces_of_plane_cells(tmp_path):
    text = TWO_SQUARES + "*ELSET, ELSET=e1\n100\n*SURFACE, NAME=Skin, TYPE=ELEMENT\nweb, S1\ne1, S4\n200, S2\n"
    mesh = model(tmp_path, text).mesh
    (edges,) = mesh.facets_of("Skin")
    assert len(edges) == 4
    assert sorted(labels(mesh, "Skin")) == [1, 2, 3, 11, 13]
    # x·n: bottom sides 0, left side 0, right side at x = 2 of length 1.
    assert outward_flux(mesh, mesh.facets_of("Skin")) == pytest.approx(2.0, rel=ROUNDING)


def test_surfaces_of_nodes_of_shell_sides_and_of_free_faces(tmp_path):
    text = TWO_SQUARES.replace("CPS4R", "S4R") + (
        "*SURFACE, NAME=points, TYPE=NODE\nevery\n*SURFACE, NAME=upper\nweb, SPOS\n"
        "*SURFACE, NAME=edge\nweb, E3\n*SURFACE, NAME=free\n200,\n"
    )
    mesh = model(tmp_path, text).mesh
    assert len(mesh.nodes_of("points")) == 6
    assert cell_labels(mesh, "upper") == [100, 200]
    assert labels(mesh, "edge") == [11, 12, 13]
    assert len(mesh.facets_of("free")[0]) == 3


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("shape", ["hexahedron", "wedge", "tetra"])
def test_faces_of_solids_are_numbered_as_in_abaqus(tmp_path, order, shape):
    """Each face number against the corners that the Abaqus manual lists for it."""
    manual = {
        "hexahedron": [(1, 2, 3, 4), (5, 8, 7, 6), (1, 5, 6, 2), (2, 6, 7, 3), (3, 7, 8, 4), (4, 8, 5, 1)],
        "wedge": [(1, 2, 3), (4, 6, 5), (1, 4, 5, 2), (2, 5, 6, 3), (3, 6, 4, 1)],
        "tetra": [(1, 2, 3), (1, 4, 2), (2, 4, 3), (3, 4, 1)],
    }[shape]
    write_mesh(block((1, 1, 1), (1, 1, 1), order, shape), tmp_path / "solid.inp")
    text = (tmp_path / "solid.inp").read_text()
    for number, corners in enumerate(manual, start=1):
        mesh = model(tmp_path, f"{text}*SURFACE, NAME=one\n1, S{number}\n").mesh
        (face,) = mesh.facets_of("one")
        first = mesh.blocks[0].nodes[0]
        assert set(face.nodes[0, : face.cell.corners]) == {first[c - 1] for c in corners}


ASSEMBLED = """\
*Part, name=Bar
*Node
1, 0., 0., 0.
2, 1., 0., 0.
*Element, type=B31
7, 1, 2
*Nset, nset=tip
2
*Elset, elset=whole
7
*Beam Section, elset=whole, material=steel, section=RECT
0.02, 0.01
0., 0., -1.
*End Part
*Assembly, name=A
*Instance, name=first, part=Bar
*End Instance
*Instance, name=second, part=bar
0., 0., 5.
1., 0., 0.,  1., 0., 1., 90.
*End Instance
*Nset, nset=tips
first.tip, second.tip
*Nset, nset=one, instance=second
1
*Nset, nset=dotted
first.2, second.1
*End Assembly
*Material, name=Steel
*Density
7800.,
*Elastic
2.1e11, 0.3
2.0e11, 0.3, 100.
*Boundary
tips, 1, 6
*Step
*Static
*Nset, nset=in_a_step
99
*End Step
"""


def test_instances_are_placed_shifted_then_turned(tmp_path):
    read = model(tmp_path, ASSEMBLED)
    mesh = read.mesh
    assert mesh.node_count == 4
    # (0,0,0) → (0,0,5) → a quarter turn about the line x = 1, y = 0 along z → (1, −1, 5).
    np.testing.assert_allclose(mesh.points[2:], [(1, -1, 5), (1, 0, 5)], atol=ROUNDING)
    np.testing.assert_allclose(mesh.points[mesh.nodes_of("tips")], [(1, 0, 0), (1, 0, 5)], atol=ROUNDING)
    assert mesh.nodes_of("one").tolist() == [2]
    assert mesh.nodes_of("dotted").tolist() == [1, 2]
    assert mesh.nodes_of("first.tip").tolist() == [1]
    assert mesh.cells_of("second.whole").tolist() == mesh.cells_of("second").tolist() == [1]
    assert "in_a_step" not in mesh.node_sets
    assert [s.cell_set for s in read.sections] == ["first.whole", "second.whole"]
    assert read.sections[0].values == (0.02, 0.01)
    assert read.sections[0].material in read.materials
    assert (read.sections[0].kind, read.sections[0].profile) == ("beam", "RECT")
    assert (read.materials["Steel"].youngs_modulus, read.materials["Steel"].density) == (2.1e11, 7800.0)
    assert read.ignored == ()


def test_one_instance_keeps_the_plain_names(tmp_path):
    text = ASSEMBLED.split("*Instance, name=second", maxsplit=1)[0] + "*End Assembly\n"
    mesh = model(tmp_path, text).mesh
    assert mesh.nodes_of("tip").tolist() == [1]
    assert mesh.cells_of("whole").tolist() == [0]


def test_parts_without_an_assembly_stand_for_themselves(tmp_path):
    mesh = model(tmp_path, ASSEMBLED.split("*Assembly", maxsplit=1)[0]).mesh
    assert mesh.nodes_of("tip").tolist() == [1]


def test_an_instance_may_define_its_own_mesh(tmp_path):
    inside = "*Assembly, name=A\n*Instance, name=I\n*Node\n1, 0, 0\n2, 1, 0\n*Element, type=T2D2\n1, 1, 2\n"
    mesh = model(tmp_path, inside + "*Nset, nset=n\n2\n*End Instance\n*End Assembly\n").mesh
    assert mesh.nodes_of("n").tolist() == [1]


def test_the_middle_node_of_a_beam_is_the_second(tmp_path):
    text = "*NODE\n1, 0, 0\n2, 1, 0\n3, 2, 0\n*ELEMENT, TYPE=B22\n1, 1, 2, 3\n"
    mesh = model(tmp_path, text).mesh
    assert mesh.blocks[0].cell.name == "line3"
    assert mesh.points[mesh.blocks[0].nodes[0]][:, 0].tolist() == [0, 2, 1]
    assert require_valid(mesh).length == pytest.approx(2.0, rel=ROUNDING)


@pytest.mark.parametrize(
    ("type_name", "cell", "nodes"),
    [
        ("T3D2", "line", 2),
        ("B21", "line", 2),
        ("B33", "line", 2),
        ("B32OS", "line3", 3),
        ("CPE3", "triangle", 3),
        ("S3R", "triangle", 3),
        ("CPE4I", "quad", 4),
        ("S4", "quad", 4),
        ("CPE6M", "triangle6", 6),
        ("CPS8R", "quad8", 8),
        ("S8R5", "quad8", 8),
        ("C3D4", "tetra", 4),
        ("C3D10M", "tetra10", 10),
        ("C3D8I", "hexahedron", 8),
        ("C3D8RH", "hexahedron", 8),
        ("C3D20R", "hexahedron20", 20),
        ("C3D6", "wedge", 6),
        ("C3D15", "wedge15", 15),
        ("MASS", "vertex", 1),
    ],
)
def test_element_types(tmp_path, type_name, cell, nodes):
    rows = "".join(f"{i}, {i}, {i * i}, {i**3}\n" for i in range(1, nodes + 1))
    listed = ",\n".join(map(str, range(1, nodes + 1)))
    mesh = model(tmp_path, f"*NODE\n{rows}*ELEMENT, TYPE={type_name.lower()}\n1,\n{listed}\n").mesh
    assert [(b.cell.name, len(b)) for b in mesh.blocks] == [(cell, 1)]


def test_included_files_are_read_from_the_folder(tmp_path):
    (tmp_path / "nodes.txt").write_text("1, 0, 0\n** comment\n2, 1, 0\n")
    (tmp_path / "rest.inp").write_text("*ELEMENT, TYPE=T2D2, ELSET=bars\n1, 1, 2\n")
    mesh = model(tmp_path, "*NODE, INPUT=nodes.txt\n*INCLUDE, INPUT=rest.inp\n*NSET, NSET=a\n2\n").mesh
    assert mesh.nodes_of("a").tolist() == [1]
    assert mesh.cells_of("bars").tolist() == [0]


def test_a_keyword_line_may_go_on(tmp_path):
    mesh = model(tmp_path, TWO_SQUARES + "*NSET,\nNSET=a,\nGENERATE\n1, 3\n").mesh
    assert labels(mesh, "a") == [1, 2, 3]


def test_anisotropic_material_is_listed_as_not_read(tmp_path):
    text = TWO_SQUARES + "*MATERIAL, NAME=ply\n*ELASTIC, TYPE=LAMINA\n1, 2, 3\n*DENSITY\n1600\n"
    read = model(tmp_path, text)
    assert read.materials["ply"].youngs_modulus is None
    assert read.materials["ply"].density == 1600
    assert read.ignored == ("*ELASTIC, TYPE=LAMINA (model.inp:15)",)


def test_a_file_with_windows_line_ends_and_latin_comments(tmp_path):
    path = tmp_path / "model.inp"
    path.write_bytes(TWO_SQUARES.replace("a comment", "Größe").encode("latin-1").replace(b"\n", b"\r\n"))
    assert read_abaqus(path).mesh.node_count == 6


@pytest.mark.parametrize("order", [1, 2])
def test_the_written_file_reads_back_the_same(tmp_path, order):
    mesh = block((1, 1, 1), (2, 1, 1), order, "tetra")
    write_mesh(mesh, tmp_path / "solid.inp")
    again = read_mesh(tmp_path / "solid.inp")
    assert (again.points == mesh.points).all()
    for name in mesh.facet_sets:
        assert facet_nodes(again.facets_of(name)) == facet_nodes(mesh.facets_of(name))


BAR = "*NODE\n1, 0, 0\n2, 1, 0\n*ELEMENT, TYPE=T2D2\n1, 1, 2\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no \\*NODE and \\*ELEMENT data"),
        ("*NODE\n1, 0, 0\n", "has no \\*NODE and \\*ELEMENT data"),
        ("1, 2, 3\n", "model.inp:1: data before the first keyword"),
        ("*1\n", "is not a keyword"),
        ("*NODE\n-1, 0, 0\n", "model.inp:2: number -1 is not possible"),
        ("*NODE\n0, 0, 0\n", "model.inp:2: number 0 is not possible"),
        ("*NODE\n1.5, 0, 0\n", "model.inp:2: '1.5' is not a node or element number"),
        ("*NODE\n1, nan, 0\n", "model.inp:2: 'nan' is not a finite number"),
        ("*NODE\n1, 1e999, 0\n", "model.inp:2: '1e999' is not a finite number"),
        ("*NODE\n1, zero, 0\n", "model.inp:2: 'zero' is not a number"),
        ("*NODE\n1, 0\n", "model.inp:2: a node has a number and 2 or 3 coordinates"),
        ("*NODE, SYSTEM=C\n1, 0, 0\n", "model.inp:1: only SYSTEM=R is read"),
        ("*NODE\n1, 0, 0\n1, 1, 0\n" + BAR[6:], "node 1 was defined already at model.inp:2"),
        (BAR + "*NGEN\n1, 2\n", "model.inp:6: \\*NGEN is not read"),
        (BAR + "*ELEMENT\n2, 1, 2\n", "model.inp:6: \\*ELEMENT has no TYPE"),
        (BAR + "*ELEMENT, TYPE=SAX1\n2, 1, 2\n", "model.inp:6: element type 'SAX1' is not known; use one of T2D2"),
        (BAR + "*ELEMENT, TYPE=T2D2\n2, 1, 3\n", "model.inp:7: node 3 is not defined"),
        (BAR + "*ELEMENT, TYPE=T2D2\n1, 2, 1\n", "model.inp:7: element 1 was defined already at model.inp:5"),
        (BAR + "*ELEMENT, TYPE=T2D2\n2, 1, 2, 3\n", "model.inp:7: element 2 has 3 nodes where T2D2 has 2"),
        (BAR + "*ELEMENT, TYPE=C3D8\n2, 1, 2\n", "model.inp:7: element 2 has 2 of the 8 nodes of C3D8"),
        (BAR + "*NSET\n1\n", "model.inp:6: \\*NSET has no NSET"),
        (BAR + "*NSET, NSET=a\n9\n", "model.inp:6: node 9 is not defined"),
        (BAR + "*NSET, NSET=a\nb\n", "model.inp:6: there is no node set 'b'"),
        (BAR + "*NSET, NSET=a\nb\n*NSET, NSET=b\na\n", "contains itself"),
        (BAR + "*NSET, NSET=a, GENERATE\n7, 9\n", "model.inp:6: no node from 7 to 9 is defined"),
        (BAR + "*NSET, NSET=a, GENERATE\n2, 1\n", "model.inp:7: GENERATE runs from 2 down to 1"),
        (BAR + "*NSET, NSET=a, GENERATE\n1\n", "model.inp:7: GENERATE takes first, last and step"),
        (BAR + "*NSET, NSET=a, INSTANCE=x\n1\n", "model.inp:6: there is no instance 'x'; known: none"),
        (BAR + "*SURFACE, NAME=s\n1, S3\n", "model.inp:7: 'S3' is not a face of line cells; use S1 to S2"),
        (BAR + "*SURFACE, NAME=s\n1, TOP\n", "model.inp:7: 'TOP' is not a face"),
        (BAR + "*SURFACE, NAME=s\nb, S1\n", "model.inp:7: there is no element set 'b'"),
        (BAR + "*SURFACE, NAME=s, TYPE=CYLINDER\n1\n", "model.inp:6: only \\*SURFACE of TYPE=ELEMENT"),
        (BAR + "*SOLID SECTION, ELSET=x, MATERIAL=m\n", "model.inp:6: there is no element set 'x'"),
        (BAR + "*INSTANCE, NAME=i, PART=p\n", "model.inp:6: there is no part 'p'; known: none"),
        (BAR + "*INSTANCE, NAME=i\n1,1,1\n1,1,1,1,1,1,90\n", "two points of the rotation axis are the same"),
        (BAR + "*INSTANCE, NAME=i\n1,1,1\n1,1,1\n", "model.inp:8: a rotation takes two points and an angle"),
        (BAR + "*ELASTIC\n1, 2\n", "model.inp:6: \\*ELASTIC stands before any \\*MATERIAL"),
        (BAR + "*MATERIAL, NAME=m\n*DENSITY\n", "model.inp:7: \\*DENSITY has no data line"),
        (BAR + "*INCLUDE, INPUT=../other.inp\n", "model.inp:6: ../other.inp: leads out of the folder"),
        (BAR + "*INCLUDE, INPUT=/etc/hostname\n", "leads out of the folder"),
        (BAR + "*INCLUDE, INPUT=model.inp\n", "includes itself"),
        (BAR + "*INCLUDE, INPUT=missing.inp\n", "missing.inp: there is no such file"),
        (BAR + "*NSET, NSET=a,\n", "the keyword line ends with a comma but nothing follows"),
        ("*PART, NAME=p\n*END PART\n*PART, NAME=P\n", "model.inp:3: there is a part 'P' already"),
    ],
)
def test_wrong_files_are_refused_at_their_line(tmp_path, text, message):
    with pytest.raises(InputError, match=message):
        model(tmp_path, text)


def test_binary_junk_is_refused(tmp_path):
    path = tmp_path / "model.inp"
    path.write_bytes(bytes(range(256)) * 50)
    with pytest.raises(InputError, match="is not text"):
        read_abaqus(path)


def test_a_link_out_of_the_folder_is_not_followed(tmp_path):
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "secret.inp").write_text("*NODE\n1, 0, 0\n")
    (inside / "link.inp").symlink_to(tmp_path / "secret.inp")
    with pytest.raises(InputError, match="leads out of the folder"):
        model(inside, "*INCLUDE, INPUT=link.inp\n")


def test_every_truncation_of_a_file_is_read_or_refused(tmp_path):
    """No cut of a file may raise anything but InputError."""
    write_mesh(block((1, 1, 1), (1, 1, 1), 2), tmp_path / "whole.inp")
    whole = (tmp_path / "whole.inp").read_bytes()
    outcomes = set()
    for length in range(0, len(whole), 37):
        (tmp_path / "cut.inp").write_bytes(whole[:length])
        try:
            read_abaqus(tmp_path / "cut.inp")
            outcomes.add("read")
        except InputError:
            outcomes.add("refused")
    assert outcomes == {"read", "refused"}


def test_random_damage_is_read_or_refused(tmp_path):
    random = np.random.default_rng(0)
    for _ in range(400):
        damaged = bytearray(ASSEMBLED.encode())
        for place in random.integers(0, len(damaged), 3):
            damaged[place] = random.integers(32, 127)
        path = tmp_path / "model.inp"
        path.write_bytes(bytes(damaged))
        try:
            assert read_abaqus(path).mesh.cell_count > 0
        except InputError as error:
            assert "model.inp" in str(error)
