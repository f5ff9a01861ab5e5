"""Plane elements against published and closed solutions."""

import numpy as np
import pytest
import skfem
import skfem.helpers
from skfem.models.elasticity import linear_elasticity
from tests.rounding import rounding

from flexframe.elements.properties import Material, PlaneProperty
from flexframe.maths.arrays import Array
from flexframe.mesh.builders import annulus, quadrilateral, rectangle
from flexframe.mesh.mesh import Mesh
from flexframe.mesh.shapes import cell_geometry
from flexframe.model.body import Body, Region
from flexframe.model.loads import Pressure, Traction
from flexframe.model.supports import Clamp, Fix, Pin, Roller, Symmetric

from .solving import Solved, mapped, recovered, solve

SHAPES = pytest.mark.parametrize("shape", ["quad", "triangle"])


def plate(mesh: Mesh, material: Material, thickness: float, supports, loads, state: str = "stress") -> Body:
    region = Region(PlaneProperty(material, thickness, state))
    return Body("plate", mesh, (region,), supports=tuple(supports), loads=tuple(loads))


def stress_at_node(solved: Solved, node: int) -> Array:
    """σ at a node from the displacements of the elements around it, averaged: (3,)."""
    found = []
    for batch in solved.discrete.batches:
        E, nu = batch.prop.material.young, batch.prop.material.poisson
        for nodes in batch.nodes[(batch.nodes == node).any(axis=1)]:
            place = cell_geometry(batch.family.cell).nodes[np.flatnonzero(nodes == node)[0]]
            gradient = batch.family.shape_gradient(place[None])[0]
            x = solved.discrete.body.mesh.points[nodes, :2]
            G = (gradient @ np.linalg.inv(x.T @ gradient)).T @ solved.nodal[nodes, :2]
            e = (G + G.T) / 2
            s = E / (1 - nu**2) * ((1 - nu) * e + nu * np.trace(e) * np.eye(2))
            found.append([s[0, 0], s[1, 1], s[0, 1]])
    return np.mean(found, axis=0)


def cook(divisions: int, order: int, shape: str) -> float:
    """Deflection of the middle of the right side of Cook's membrane."""
    corners = [(0, 0), (48, 44), (48, 60), (0, 44)]
    mesh = quadrilateral(corners, (divisions, divisions), order=order, shape=shape)
    material = Material(young=1.0, poisson=1 / 3, density=1.0)
    body = plate(mesh, material, 1.0, [Clamp("left")], [Traction("right", (0.0, 1 / 16))])
    return float(solve(body).at((48.0, 52.0), "uy"))


@SHAPES
def test_cook_membrane(shape: str) -> None:
    """v(48, 52) = 23.9677 (converged by two methods), from below as the stiffness of elements is too large.

    The corner singularity limits quadratic elements to about h^1.4: 0.03 % remain with 64 divisions, and Aitken's
    limit of 16, 32, 64 is within 3e-5.
    """
    first, second, third = (cook(n, 2, shape) for n in (16, 32, 64))
    assert first < second < third < 23.9677
    assert third == pytest.approx(23.9677, rel=3e-4)
    limit = third + (third - second) ** 2 / ((second - first) - (third - second))
    assert limit == pytest.approx(23.9677, rel=3e-5)


@SHAPES
def test_cook_membrane_of_linear_elements(shape: str) -> None:
    """Linear elements lock in bending and come slowly: within 4 % with 32 divisions, from below."""
    coarse, fine = cook(8, 1, shape), cook(32, 1, shape)
    assert coarse < fine < 23.9677
    assert fine == pytest.approx(23.9677, rel=0.04)


@SHAPES
def test_elliptic_membrane(shape: str) -> None:
    """NAFEMS LE1: σ_yy = 92.7 MPa at D (2, 0) under 10 MPa of outward pressure (published to three digits).

    E 210 GPa, ν 0.3, thickness 0.1 m. A mapped mesh, finer inside; the stress is that of the elements at D,
    whose size is 1/30 of the radius of curvature there: 0.5 %.
    """
    square = rectangle(1.0, 1.0, (20, 28), shape=shape)

    def map_(u: Array, v: Array) -> tuple[Array, Array]:
        # u from the inner to the outer ellipse, v from D on the x-axis to the y-axis
        s, angle = np.expm1(2 * u) / np.expm1(2), np.pi / 2 * v
        return (2 + 1.25 * s) * np.cos(angle), (1 + 1.75 * s) * np.sin(angle)

    mesh = mapped(square, map_)
    supports = [Symmetric("bottom", (0, 1)), Symmetric("top", (1, 0))]
    material = Material(young=210e9, poisson=0.3, density=7850)
    solved = solve(plate(mesh, material, 0.1, supports, [Pressure("right", -10e6)]))
    D = mesh.nearest_node((2.0, 0.0))
    np.testing.assert_allclose(mesh.points[D], [2, 0, 0], atol=1e-12)
    assert stress_at_node(solved, D)[1] == pytest.approx(92.7e6, rel=5e-3)


# ---------------------------------------------------------------------- thick cylinder

INNER, OUTER, PRESSURE = 0.5, 1.0, 0.8


@pytest.mark.parametrize("state", ["strain", "stress"])
@SHAPES
def test_thick_cylinder(state: str, shape: str) -> None:
    """Lamé under internal pressure, held by nothing: the load is in balance by itself.

    u_r(a) = p a/E' [(b² + a²)/(b² − a²) + ν'], with E/(1−ν²), ν/(1−ν) in plane strain. Displacements of quadratic
    elements with 8 × 48 divisions to 1e-4, stress within 1 % of p.
    """
    E, nu = 2.0, 0.3
    mesh = annulus(INNER, OUTER, (8, 48), shape=shape)
    body = plate(mesh, Material(E, nu, 1.0), 0.2, [], [Pressure("inner", PRESSURE)], state)
    solved = solve(body)
    E1, nu1 = (E / (1 - nu**2), nu / (1 - nu)) if state == "strain" else (E, nu)
    a, b, p = INNER, OUTER, PRESSURE
    for name, exact in (
        ("inner", p * a / E1 * ((b**2 + a**2) / (b**2 - a**2) + nu1)),
        ("outer", p * b / E1 * 2 * a**2 / (b**2 - a**2)),
    ):
        nodes = mesh.nodes_of(name)
        x = mesh.points[nodes, :2]
        moved = np.einsum("ni,ni->n", solved.nodal[nodes, :2], x) / np.linalg.norm(x, axis=1)
        np.testing.assert_allclose(moved, exact, rtol=1e-4)
    places, values = recovered(solved)
    r = np.hypot(places[:, 0], places[:, 1])
    n = places[:, :2] / r[:, None]
    radial = n[:, 0] ** 2 * values[:, 0] + n[:, 1] ** 2 * values[:, 1] + 2 * n[:, 0] * n[:, 1] * values[:, 2]
    factor = p * a**2 / (b**2 - a**2)
    np.testing.assert_allclose(radial, factor * (1 - b**2 / r**2), atol=0.01 * p)
    np.testing.assert_allclose(values[:, 0] + values[:, 1] - radial, factor * (1 + b**2 / r**2), atol=0.01 * p)


# ---------------------------------------------------------------------- MacNeal and Harder


@SHAPES
@pytest.mark.parametrize(("divisions", "tolerance"), [((6, 1), 0.03), ((60, 4), 1.5e-3)])
def test_straight_cantilever(shape: str, divisions: tuple[int, int], tolerance: float) -> None:
    """6 × 0.2 × 0.1, E 1e7, ν 0.3: unit forces at the tip, extension 3.0e-5 and bending 0.1081.

    The figures are of beam theory; the clamped end of the plate stiffens it by 0.1 %. Six elements in a row are
    stiff by less than 3 %.
    """
    mesh = rectangle(6.0, 0.2, divisions, shape=shape)
    material = Material(young=1e7, poisson=0.3, density=1.0)
    traction = 1 / (0.2 * 0.1)
    pulled = solve(plate(mesh, material, 0.1, [Clamp("left")], [Traction("right", (traction, 0.0))]))
    assert pulled.at((6.0, 0.1), "ux") == pytest.approx(3.0e-5, rel=3e-3)
    bent = solve(plate(mesh, material, 0.1, [Clamp("left")], [Traction("right", (0.0, traction))]))
    assert bent.at((6.0, 0.1), "uy") == pytest.approx(0.1081, rel=tolerance)


@SHAPES
def test_pure_bending_is_exact_with_quadratic_elements(shape: str) -> None:
    """σ_xx = −M y/I: u = −Mxy/EI, v = M(x² + νy²)/2EI is quadratic, so two elements have it up to round-off."""
    E, nu = 2.0, 0.3
    height, length = 0.6, 1.5
    mesh = rectangle(length, height, (2, 1), shape=shape)
    centred = mapped(mesh, lambda x, y: (x, y - height / 2))
    kappa = 0.01
    x, y = centred.points[:, 0], centred.points[:, 1]
    exact = np.column_stack([-kappa * x * y, kappa * (x**2 + nu * y**2) / 2])
    body = plate(centred, Material(E, nu, 1.0), 0.2, [Pin("left")], [])
    discrete = solve(body).discrete
    force = (discrete.stiffness @ exact.ravel()).reshape(-1, 2)
    free = ~np.isin(np.arange(len(x)), np.concatenate([centred.nodes_of("left"), centred.nodes_of("right")]))
    # no force on the free sides and inside; on the right side the moment EIκ alone
    terms = rounding(discrete.dofs.count) * (abs(discrete.stiffness) @ np.abs(exact.ravel())).max()
    assert np.abs(force[free]).max() < terms
    right = centred.nodes_of("right")
    moment = np.sum(-force[right, 0] * y[right])
    assert moment == pytest.approx(E * 0.2 * height**3 / 12 * kappa, rel=1e-12)
    assert np.abs(force[right].sum(axis=0)).max() < len(right) * terms


def test_plane_strain_and_plane_stress_differ_as_they_should() -> None:
    """Uniaxial stress: ε = σ/E and (1 − ν²)σ/E, lateral −νσ/E and −ν(1 + ν)σ/E."""
    E, nu, sigma = 2.0, 0.3, 0.1
    for state, along, across in (
        ("stress", sigma / E, -nu * sigma / E),
        ("strain", (1 - nu**2) * sigma / E, -nu * (1 + nu) * sigma / E),
    ):
        mesh = rectangle(1.0, 1.0, (2, 2), order=1)
        supports = [Roller("left", (1, 0)), Fix("bottom_left", ("uy",))]
        solved = solve(plate(mesh, Material(E, nu, 1.0), 0.2, supports, [Traction("right", (sigma, 0))], state))
        np.testing.assert_allclose(solved.at("top_right")[:2], [along, across], rtol=1e-12)


# ---------------------------------------------------------------------- another library


@pytest.mark.parametrize("order", [1, 2])
@SHAPES
def test_matrices_agree_with_scikit_fem(order: int, shape: str) -> None:
    """K and M of a parallelogram of elements have the eigenvalues of scikit-fem's, numbered otherwise.

    Affine elements are integrated exactly by both; eigenvalues of symmetric matrices keep 1e-13 of the largest.
    """
    corners = [(0, 0), (1.2, 0.2), (1.5, 1.0), (0.3, 0.8)]
    mesh = quadrilateral(corners, (2, 3), order=order, shape=shape)
    material = Material(young=2.0, poisson=0.3, density=1.7)
    discrete = solve(plate(mesh, material, 0.4, [], [])).discrete
    cell = mesh.blocks[0].cell
    used = np.unique(mesh.blocks[0].nodes[:, : cell.corners])
    number = np.full(mesh.node_count, -1)
    number[used] = np.arange(len(used))
    points, cells = mesh.points[used, :2].T, number[mesh.blocks[0].nodes[:, : cell.corners]].T
    kind = skfem.MeshTri if shape == "triangle" else skfem.MeshQuad
    scalar = {
        ("triangle", 1): skfem.ElementTriP1,
        ("triangle", 2): skfem.ElementTriP2,
        ("quad", 1): skfem.ElementQuad1,
        ("quad", 2): skfem.ElementQuadS2,
    }[shape, order]()
    basis = skfem.Basis(kind(points, cells), skfem.ElementVector(scalar), intorder=6)
    mu = material.young / (2 * (1 + material.poisson))
    lame = material.young * material.poisson / (1 - material.poisson**2)  # of plane stress
    K = 0.4 * linear_elasticity(lame, mu).assemble(basis)
    M = 0.4 * material.density * skfem.BilinearForm(lambda u, v, _: skfem.helpers.dot(u, v)).assemble(basis)
    for ours, theirs in ((discrete.stiffness, K), (discrete.mass, M)):
        expected = np.linalg.eigvalsh(theirs.toarray())
        np.testing.assert_allclose(np.linalg.eigvalsh(ours.toarray()), expected, atol=1e-13 * expected[-1])
