"""Bodies from Abaqus files and from matrices of other programs."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse
from scipy.io import mmwrite
from tests.rounding import ROUNDING

import flexframe as ff
from flexframe.assembly.body_check import check_body
from flexframe.assembly.discrete import DiscreteBody, discretise
from flexframe.assembly.matrix_body import matrix_body
from flexframe.elements.properties import BarProperty, BeamProperty, PlaneProperty
from flexframe.errors import AnalysisError, InputError
from flexframe.exchange.abaqus.files import abaqus_body
from flexframe.exchange.abaqus.reading import read_abaqus
from flexframe.exchange.matrices import read_coordinates, read_matrix
from flexframe.maths.arrays import Array
from flexframe.mesh.builders import block
from flexframe.model.body import Body
from flexframe.model.supports import Clamp

MESHES = Path(__file__).parents[2] / "examples" / "meshes"


# ---------------------------------------------------------------------- Abaqus


@pytest.mark.parametrize(("name", "mass"), [("conrod", 0.13792115), ("crank", 0.08406301)])
def test_masses_of_the_published_meshes(name: str, mass: float) -> None:
    """Steel as filed; the figures have eight digits."""
    check = check_body(abaqus_body(name, read_abaqus(MESHES / f"{name}.inp")))
    assert check.mass == pytest.approx(mass, abs=5e-9)
    assert check.volume * 7850 == pytest.approx(mass, rel=1e-7)
    assert check.elements.keys() == {"hexahedron20"}
    assert f"mass {mass:.6g} kg" in check.describe()


@pytest.mark.parametrize("name", ["conrod", "crank"])
def test_mass_matrices_of_the_published_meshes(name: str) -> None:
    """∫ρφφ by seven Gauss points in each direction, with shape functions from a Vandermonde matrix; 1e-12."""
    discrete = discretise(abaqus_body(name, read_abaqus(MESHES / f"{name}.inp")))
    (batch,) = discrete.batches
    phi, weights = independent_hexahedron(batch.coordinates)
    element = 7850.0 * np.einsum("eg,ga,gb->eab", weights, phi, phi, optimize=True)
    total = np.zeros((discrete.body.mesh.node_count,) * 2)
    for nodes, matrix in zip(batch.nodes, element, strict=True):
        total[np.ix_(nodes, nodes)] += matrix
    found = discrete.inertia.scalar.toarray()
    assert np.abs(found - total).max() < 1e-12 * np.abs(total).max()
    assert np.abs(discrete.mass.toarray() - np.kron(total, np.eye(3))).max() < 1e-12 * np.abs(total).max()


def independent_hexahedron(coordinates: Array) -> tuple[Array, Array]:
    """φ (points, 20) and dV (elements, points) of serendipity hexahedra from the monomials they span."""
    corners = np.array(
        [(-1, -1, -1), (1, -1, -1), (1, 1, -1), (-1, 1, -1), (-1, -1, 1), (1, -1, 1), (1, 1, 1), (-1, 1, 1)]
    )
    edges = [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7)]
    nodes = np.vstack([corners, [(corners[a] + corners[b]) / 2 for a, b in edges]])
    powers = [p for p in np.ndindex(3, 3, 3) if sum(e for e in p if e > 1) <= 2]
    assert len(powers) == 20

    def basis(x: Array) -> Array:
        return np.stack([x[:, 0] ** i * x[:, 1] ** j * x[:, 2] ** k for i, j, k in powers], axis=1)

    def slope(x: Array, axis: int) -> Array:
        columns = []
        for p in powers:
            lower = list(p)
            lower[axis] = max(p[axis] - 1, 0)
            columns.append(p[axis] * np.prod(x ** np.array(lower), axis=1))
        return np.stack(columns, axis=1)

    inverse = np.linalg.inv(basis(nodes))
    g, w = np.polynomial.legendre.leggauss(7)
    points = np.array([(a, b, c) for a in g for b in g for c in g])
    weights = np.array([a * b * c for a in w for b in w for c in w])
    gradient = np.stack([slope(points, axis) @ inverse for axis in range(3)], axis=2)
    J = np.einsum("gad,eai->egid", gradient, coordinates)
    return basis(points) @ inverse, np.linalg.det(J) * weights


FILE = """*NODE
1, 0, 0
2, 1, 0
3, 1, 1
4, 0, 1
5, 2, 0
6, 2, 1
*ELEMENT, TYPE=CPE4, ELSET=PLATE
1, 1, 2, 3, 4
*ELEMENT, TYPE=B31, ELSET=ARM
2, 2, 5
*ELEMENT, TYPE=T3D2, ELSET=STAY
3, 3, 6
4, 5, 6
*MATERIAL, NAME=ALU
*ELASTIC
70e9, 0.33
*DENSITY
2700
*MATERIAL, NAME=SECRET
*SOLID SECTION, ELSET=PLATE, MATERIAL=ALU
0.02
*BEAM SECTION, ELSET=ARM, MATERIAL=ALU, SECTION=RECT
0.03, 0.05
*SOLID SECTION, ELSET=STAY, MATERIAL=SECRET
1e-4
"""


def test_sections_become_regions(tmp_path: Path) -> None:
    """Plane strain, beam and bar of one file; a material without data is asked for by name."""
    path = tmp_path / "mixed.inp"
    path.write_text(FILE)
    model = read_abaqus(path)
    with pytest.raises(InputError, match=r"SECRET.*no isotropic \*ELASTIC"):
        abaqus_body("mixed", model)
    body = abaqus_body("mixed", model, materials={"secret": ff.STEEL})
    plate, arm, stay = (region.prop for region in body.regions)
    assert isinstance(plate, PlaneProperty) and plate.state == "strain" and plate.thickness == 0.02
    assert isinstance(arm, BeamProperty) and arm.section.width == 0.03 and arm.section.height == 0.05
    assert isinstance(stay, BarProperty) and stay.area == 1e-4 and stay.material is ff.STEEL
    expected = 2700 * (0.02 + 0.03 * 0.05) + 7850 * 1e-4 * 2
    assert discretise(body).inertia.mass == pytest.approx(expected, rel=ROUNDING)


# ---------------------------------------------------------------------- matrices


@pytest.fixture
def original() -> DiscreteBody:
    mesh = block((0.4, 0.1, 0.1), (3, 1, 1))
    return discretise(Body.solid("bar", mesh, material=ff.STEEL, supports=(Clamp("left"),)))


def taken(original: DiscreteBody, **more) -> DiscreteBody:
    return matrix_body("import", original.stiffness, original.mass, original.body.mesh.points, **more)


def test_invariants_come_back_from_the_matrices(original: DiscreteBody) -> None:
    """Every invariant of the import equals that of the body whose matrices they are; round-off."""
    found, expected = taken(original).inertia, original.inertia
    assert found.mass == pytest.approx(expected.mass, rel=1e-13)
    for name in ("first_moment", "second_moment", "origin_coupling", "position_coupling"):
        wanted = getattr(expected, name)
        np.testing.assert_allclose(getattr(found, name), wanted, atol=1e-13 * np.abs(wanted).max())
    A = np.random.default_rng(0).standard_normal((3, 3))
    assert abs(found.contraction(A) - expected.contraction(A)).max() < 1e-13 * abs(expected.mass_matrix()).max()


def test_modes_of_an_import_in_rotation(original: DiscreteBody) -> None:
    """Frozen rotation without geometric stiffness: the frequencies of the original; eigensolver 1e-8."""
    supports = tuple(Clamp(int(node)) for node in original.body.mesh.nodes_of("left"))
    motion, terms = ff.FrameMotion(angular_velocity=np.array([0, 30.0, 200.0])), ff.Terms(geometric=0)
    found = ff.modes(taken(original, supports=supports), motion, terms=terms, count=4).frequencies_hz
    np.testing.assert_allclose(found, ff.modes(original, motion, terms=terms, count=4).frequencies_hz, rtol=1e-8)
    with pytest.raises(AnalysisError, match="geometric stiffness does not follow"):
        ff.modes(taken(original, supports=supports), motion, count=4)


def test_import_without_coordinates(original: DiscreteBody) -> None:
    """At rest nothing else is needed; in a turning frame the positions are asked for."""
    supports = tuple(Clamp(int(node)) for node in original.body.mesh.nodes_of("left"))
    bare = matrix_body("import", original.stiffness, original.mass, supports=supports)
    found = ff.modes(bare, count=3).frequencies_hz
    np.testing.assert_allclose(found, ff.modes(original, count=3).frequencies_hz, rtol=1e-9)
    with pytest.raises(AnalysisError, match="give their coordinates"):
        ff.modes(bare, ff.FrameMotion(angular_velocity=np.array([0, 0, 9.0])), terms=ff.Terms(geometric=0))


@pytest.mark.parametrize("ending", ["mtx", "npz", "npy", "coordinate", "abaqus"])
def test_files_of_matrices(original: DiscreteBody, tmp_path: Path, ending: str) -> None:
    """Written with 17 digits and read back equal; one triangle stands for the symmetric matrix."""
    K = sparse.coo_array(original.stiffness)
    path = tmp_path / f"K.{ending}"
    labels = None
    if ending == "mtx":
        mmwrite(path, K, precision=17)
    elif ending == "npz":
        sparse.save_npz(path, sparse.csr_array(K))
    elif ending == "npy":
        np.save(path, K.toarray())
    else:
        lower = K.row >= K.col
        row, column, value = K.row[lower], K.col[lower], K.data[lower]
        if ending == "coordinate":
            table = np.column_stack([row + 1, column + 1, value])
        else:
            # nodes 10, 20, … and degrees of freedom 1, 2, 3
            table = np.column_stack(
                [row // 3 * 10 + 10, row % 3 + 1, column // 3 * 10 + 10, column % 3 + 1, value]
            )
            labels = np.array([(node * 10 + 10, i) for node in range(K.shape[0] // 3) for i in (1, 2, 3)])
        lines = [", ".join(f"{x:.17g}" for x in line) for line in table]
        path.write_text("** stiffness\n" + "\n".join(lines) + "\n")
    read = read_matrix(path)
    assert abs(read.matrix - original.stiffness).max() < ROUNDING * abs(K).max()
    assert (read.labels is None) == (labels is None)
    if labels is not None:
        np.testing.assert_array_equal(read.labels, labels)


def test_rows_in_another_order(original: DiscreteBody) -> None:
    """Labels put the rows right; the inertia is that of the original."""
    size = original.dofs.count
    order = np.random.default_rng(4).permutation(size)
    labels = np.column_stack([order // 3 + 1, order % 3 + 1])
    K, M = (m[order][:, order] for m in (original.stiffness, original.mass))
    made = matrix_body("shuffled", K, M, original.body.mesh.points, labels=labels)
    assert abs(made.stiffness - original.stiffness).max() == 0
    np.testing.assert_allclose(made.inertia.inertia_tensor, original.inertia.inertia_tensor, rtol=1e-12)


def test_coordinates_from_files(tmp_path: Path) -> None:
    """Rows with and without labels."""
    (tmp_path / "a.txt").write_text("# x y z\n0 0 0\n1 0 0\n")
    (tmp_path / "b.csv").write_text("7, 0, 0, 0\n9, 1, 0, 0.5\n")
    plain, none = read_coordinates(tmp_path / "a.txt")
    assert none is None and plain.shape == (2, 3)
    labelled, labels = read_coordinates(tmp_path / "b.csv")
    assert labels is not None
    np.testing.assert_array_equal(labels, [7, 9])
    assert labelled[1, 2] == 0.5


def test_matrices_that_no_body_has_are_refused(original: DiscreteBody) -> None:
    """The reason is in the message."""
    K, points, size = original.stiffness, original.body.mesh.points, original.dofs.count
    uneven = sparse.diags_array(np.tile([1.0, 1.0, 2.0], size // 3), format="csr")
    with pytest.raises(InputError, match=r"masses .* along x, y and z; no body has that"):
        matrix_body("b", K, uneven, points)
    with pytest.raises(InputError, match="two rows belong to the same degree of freedom"):
        matrix_body(
            "b", K, original.mass, points, labels=np.column_stack([np.ones(size), np.arange(size) % 6 + 1])
        )
    with pytest.raises(InputError, match="coordinates do not belong"):
        matrix_body("b", K, original.mass, np.random.default_rng(1).permutation(points))
    with pytest.raises(InputError, match="not symmetric"):
        matrix_body("b", sparse.csr_array(sparse.triu(K)), original.mass, points)


def test_supported_as_any_body(original: DiscreteBody) -> None:
    """Statics of an import under a nodal force: the original's displacements; solver 1e-9."""
    node = int(original.body.mesh.nearest_node((0.4, 0.1, 0.1)))
    load = (ff.NodeForce(node, (0.0, 100.0, 0.0)),)
    supports = tuple(Clamp(int(n)) for n in original.body.mesh.nodes_of("left"))
    terms = ff.Terms(geometric=0)
    found = taken(original, supports=supports, loads=load).equilibrium
    expected = ff.statics(replace(original.body, loads=load), terms=terms).displacements[:, :3].ravel()
    force = np.zeros(original.dofs.count)
    force[3 * node + 1] = 100.0
    np.testing.assert_allclose(
        found.solve(force).displacements[:, 0], expected, atol=1e-9 * np.abs(expected).max()
    )
