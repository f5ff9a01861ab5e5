"""Plane elements against published and closed solutions."""

import numpy as np
import pytest

from flexframe.elements.properties import Material, PlaneProperty
from flexframe.maths.arrays import Array
from flexframe.mesh.builders import annulus, quadrilateral, rectangle
from flexframe.mesh.mesh import Mesh
from flexframe.model.body import Body, Region
from flexframe.model.loads import Pressure, Traction
from flexframe.model.supports import Clamp, Hold, Pin, Roller, Symmetric

from .solving import Solved, mapped, recovered, solve

QUADRATIC = pytest.mark.parametrize("shape", ["quad", "triangle"])


def plate(mesh: Mesh, material: Material, thickness: float, supports, loads, state: str = "stress") -> Body:
    region = Region(PlaneProperty(material, thickness, state))
    return Body("plate", mesh, (region,), supports=tuple(supports), loads=tuple(loads))


def stress_at_node(solved: Solved, node: int) -> Array:
    """σ at a node from the displacements of the elements around it, averaged: (3,)."""
    from flexframe.mesh.shapes import cell_geometry

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


@pytest.mark.parametrize("order", [1, 2])
@QUADRATIC
def test_cook_membrane(order: int, shape: str) -> None:
    """v(48, 52) = 23.9677 (converged by two methods).

    From below as the stiffness is too large; the corner singularity limits quadratic elements to about h^1.4,
    so that 32 divisions are within 0.02 %. Linear elements of 32 divisions lock in bending: 4 %.
    """
    coarse, fine = cook(8, order, shape), cook(32, order, shape)
    assert coarse < fine < 23.9677
    assert fine == pytest.approx(23.9677, rel=2e-4 if order == 2 else 0.04)


@QUADRATIC
def test_elliptic_membrane(shape: str) -> None:
    """NAFEMS LE1: σ_yy = 92.7 MPa at D (2, 0) under 10 MPa of outward pressure (published to three digits).

    E 210 GPa, ν 0.3, thickness 0.1 m; a graded mapped mesh. Stress straight from the element, 0.5 %.
    """
    square = rectangle(1.0, 1.0, (10, 14), shape=shape)

    def map_(u: Array, v: Array) -> tuple[Array, Array]:
        # u from the inner to the outer ellipse, finer inside; v from AB on the y axis to D on the x axis and back
        s, angle = u**1.5, np.pi / 2 * v
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
@QUADRATIC
def test_thick_cylinder(state: str, shape: str) -> None:
    """Lamé under internal pressure, held by nothing: the load is in balance by itself.

    u_r(a) = p a/E' [(b² + a²)/(b² − a²) + ν'], with E/(1−ν²), ν/(1−ν) in plane strain. Displacements of quadratic
    elements with 8 × 48 divisions to 2e-5, stress within 1 % of p.
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
        np.testing.assert_allclose(moved, exact, rtol=2e-5)
    places, values = recovered(solved)
    r = np.hypot(places[:, 0], places[:, 1])
    n = places[:, :2] / r[:, None]
    radial = n[:, 0] ** 2 * values[:, 0] + n[:, 1] ** 2 * values[:, 1] + 2 * n[:, 0] * n[:, 1] * values[:, 2]
    factor = p * a**2 / (b**2 - a**2)
    np.testing.assert_allclose(radial, factor * (1 - b**2 / r**2), atol=0.01 * p)
    np.testing.assert_allclose(values[:, 0] + values[:, 1] - radial, factor * (1 + b**2 / r**2), atol=0.01 * p)


# ---------------------------------------------------------------------- MacNeal and Harder


@QUADRATIC
def test_straight_cantilever(shape: str) -> None:
    """6 × 0.2 × 0.1, E 1e7, ν 0.3: unit forces at the tip, extension 3.0e-5 and bending 0.1081.

    The figures are of beam theory; the clamped end of the plate stiffens it by some 0.1 %.
    """
    mesh = rectangle(6.0, 0.2, (24, 2), shape=shape)
    material = Material(young=1e7, poisson=0.3, density=1.0)
    traction = 1 / (0.2 * 0.1)
    pulled = solve(plate(mesh, material, 0.1, [Clamp("left")], [Traction("right", (traction, 0.0))]))
    assert pulled.at((6.0, 0.1), "ux") == pytest.approx(3.0e-5, rel=3e-3)
    bent = solve(plate(mesh, material, 0.1, [Clamp("left")], [Traction("right", (0.0, traction))]))
    assert bent.at((6.0, 0.1), "uy") == pytest.approx(0.1081, rel=2e-3)


@pytest.mark.parametrize("distortion", ["rectangular", "trapezoidal", "parallelogram"])
def test_straight_cantilever_with_six_elements(distortion: str) -> None:
    """Six 8-node elements in a row, as in the original test; what distortion costs stays within a few percent."""
    mesh = rectangle(6.0, 0.2, (6, 1))
    x, y = mesh.points[:, 0].copy(), mesh.points[:, 1]
    inside = (x > 0) & (x < 6)
    shift = 0.2 * (y / 0.2 - 0.5)  # slanted by 45° at most
    column = np.round(x)
    if distortion == "trapezoidal":
        x = x + np.where(inside & (x == column), shift * (-1) ** column, 0.0)
    elif distortion == "parallelogram":
        x = x + np.where(inside & (x == column), shift, 0.0)
    moved = mapped(mesh, lambda u, v: (x, v))
    points = moved.points.copy()
    for edge in moved.blocks[0].cell.edges:
        first, last, middle = (moved.blocks[0].nodes[:, i] for i in edge)
        points[middle] = (points[first] + points[last]) / 2
    straight = Mesh(points, moved.blocks, node_sets=moved.node_sets, facet_sets=moved.facet_sets)
    material = Material(young=1e7, poisson=0.3, density=1.0)
    load = Traction("right", (0.0, 1 / (0.2 * 0.1)))
    solved = solve(plate(straight, material, 0.1, [Clamp("left")], [load]))
    # rectangles are 1.3 % stiff; full integration on slanted sides costs up to 5 %
    assert solved.at((6.0, 0.1), "uy") == pytest.approx(0.1081, rel=0.015 if distortion == "rectangular" else 0.05)


@QUADRATIC
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
    assert np.abs(force[free]).max() < 1e-15
    right = centred.nodes_of("right")
    moment = np.sum(-force[right, 0] * y[right])
    assert moment == pytest.approx(E * 0.2 * height**3 / 12 * kappa, rel=1e-12)
    assert np.abs(force[right].sum(axis=0)).max() < 1e-16


def test_plane_strain_and_plane_stress_differ_as_they_should() -> None:
    """Uniaxial stress: ε = σ/E and (1 − ν²)σ/E, lateral −νσ/E and −ν(1 + ν)σ/E."""
    E, nu, sigma = 2.0, 0.3, 0.1
    for state, along, across in (
        ("stress", sigma / E, -nu * sigma / E),
        ("strain", (1 - nu**2) * sigma / E, -nu * (1 + nu) * sigma / E),
    ):
        mesh = rectangle(1.0, 1.0, (2, 2), order=1)
        supports = [Roller("left", (1, 0)), Hold("bottom_left", ("uy",))]
        solved = solve(plate(mesh, Material(E, nu, 1.0), 0.2, supports, [Traction("right", (sigma, 0))], state))
        np.testing.assert_allclose(solved.at("top_right")[:2], [along, across], rtol=1e-12)
