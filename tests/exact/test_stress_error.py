"""The error indicator of the stress against true errors, which exact solutions give."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import brentq

from flexframe.analyses.statics.analysis import statics
from flexframe.assembly.discrete import DiscreteBody, discretise
from flexframe.assembly.stress_error import StressError, stress_error
from flexframe.elements.contract import is_interpolated
from flexframe.elements.integration import gradients, stress
from flexframe.elements.properties import Material, PlaneProperty, ShellProperty, SolidProperty
from flexframe.maths.arrays import Array
from flexframe.maths.quadrature import gauss_cube, gauss_square, tetrahedron, triangle
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.builders import rectangle, tube
from flexframe.mesh.mesh import Mesh
from flexframe.mesh.subdivision import tetrahedra
from flexframe.model.body import Body, Region
from flexframe.model.loads import Pressure, Traction
from flexframe.model.supports import Clamp, Fix, Roller, Symmetric

INNER, OUTER, PRESSURE = 1.0, 2.0, 1.0
STEEL_LIKE = Material(1000.0, 0.3, 1.0)
RULES = {"quad": gauss_square(6), "triangle": triangle(10), "hexahedron": gauss_cube(5), "tetra": tetrahedron(8)}


def lame(places: Array) -> Array:
    """σxx, σyy, σxy of the thick cylinder under internal pressure: (…, 3)."""
    x, y = places[..., 0], places[..., 1]
    square = x**2 + y**2
    k = PRESSURE * INNER**2 / (OUTER**2 - INNER**2)
    radial, hoop = k * (1 - OUTER**2 / square), k * (1 + OUTER**2 / square)
    xx, yy = radial * x**2 + hoop * y**2, radial * y**2 + hoop * x**2
    return np.stack([xx, yy, (radial - hoop) * x * y], axis=-1) / square[..., None]


def in_space(plane: Array) -> Array:
    """With σzz = ν(σxx + σyy) of plane strain, in the order xx, yy, zz, xy, yz, zx: (…, 6)."""
    whole = np.zeros((*plane.shape[:-1], 6))
    whole[..., [0, 1, 3]] = plane
    whole[..., 2] = STEEL_LIKE.poisson * (plane[..., 0] + plane[..., 1])
    return whole


def quarter(divisions: int, order: int, shape: str) -> Mesh:
    """A quarter of the ring; left is the inner circle."""
    mesh = rectangle(1.0, 1.0, (divisions, 2 * divisions), order=order, shape=shape)
    radius, angle = INNER + (OUTER - INNER) * mesh.points[:, 0], np.pi / 2 * mesh.points[:, 1]
    return replace(mesh, points=np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1))


def solved(body: Body) -> tuple[DiscreteBody, Array, StressError]:
    discrete = discretise(body)
    displacements = discrete.equilibrium.solve(discrete.loads.forces).displacements[:, 0]
    error = stress_error(discrete, displacements)
    assert error is not None
    return discrete, displacements, error


def true_errors(discrete: DiscreteBody, displacements: Array) -> Array:
    """‖σ exact − σ‖ of each cell, by a fine rule and gradients of the displacements: (cells,)."""
    out = np.full(discrete.body.mesh.cell_count, np.nan)
    for batch in discrete.batches:
        family = batch.family
        assert is_interpolated(family)
        rule = RULES[family.cell.linear_name]
        at = gradients(family, batch, rule)
        nodal = np.append(displacements, 0.0)[discrete.dofs.of_elements(batch)]
        G = np.einsum("egad,eai->egid", at.gradient, nodal.reshape(batch.count, family.cell.nodes, -1))
        e = G + G.swapaxes(2, 3)
        places = np.einsum("ga,eai->egi", family.shape(rule.points), batch.coordinates)
        if family.cell.dimension == 2:
            D = STEEL_LIKE.plane_elasticity("stress")
            strain = np.stack([e[..., 0, 0] / 2, e[..., 1, 1] / 2, e[..., 0, 1]], axis=-1)
            exact = lame(places)
        else:
            D = STEEL_LIKE.solid_elasticity()
            pairs = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))
            strain = np.stack([e[..., i, j] / (2 if i == j else 1) for i, j in pairs], axis=-1)
            exact = in_space(lame(places))
        difference = exact - strain @ D
        squares = np.einsum("eg,egc,cd,egd->e", at.weights, difference, np.linalg.inv(D), difference)
        out[batch.cells] = np.sqrt(squares)
    return out


@pytest.mark.parametrize("shape", ["quad", "triangle"])
@pytest.mark.parametrize("order", [1, 2])
def test_thick_cylinder(shape: str, order: int) -> None:
    """Effectivity (estimate over true error) tends to 1: within 12 % with 6 divisions, 3 % with 12, 1.5 % with 24.

    The averages of quadratic triangles stay 3 % below.

    The true error falls with the order of the elements, and so does the estimate. The cells are judged one by one
    too: nine of ten within 35 % of their true error (seven of ten where averages are taken).
    """
    estimates, truths = [], []
    for divisions, tolerance in (
        (6, 0.12),
        (12, 0.03),
        (24, 0.03 if (shape, order) == ("triangle", 2) else 0.015),
    ):
        body = Body(
            "ring",
            quarter(divisions, order, shape),
            (Region(PlaneProperty(STEEL_LIKE, 1.0)),),
            supports=(Symmetric("bottom", (0, 1)), Symmetric("top", (1, 0))),
            loads=(Pressure("left", PRESSURE),),
        )
        discrete, displacements, error = solved(body)
        true = true_errors(discrete, displacements)
        estimates.append(error.estimate)
        truths.append(np.sqrt((true**2).sum()))
        assert error.estimate == pytest.approx(truths[-1], rel=tolerance)
    close = np.abs(error.cells / true - 1) < 0.35
    assert close.mean() > (0.7 if shape == "triangle" else 0.9)
    for values in (estimates, truths):
        assert np.log2(values[1] / values[2]) == pytest.approx(order, abs=0.1)


@pytest.mark.parametrize(
    ("shape", "order", "tolerance"), [("hexahedron", 2, 0.2), ("tetra", 2, 0.4), ("tetra", 1, 0.1)]
)
def test_thick_cylinder_of_solids(shape: str, order: int, tolerance: float) -> None:
    """A slice in plane strain, its faces held; one layer of cells of 11°, so that no corner is inside the body.

    Tetrahedra of second order have no points of better stress: the estimate is too large by a fifth to a third.
    """
    mesh = tube(INNER, OUTER, 0.5, (6, 32, 1), order=order)
    if shape == "tetra":
        mesh = tetrahedra(mesh)
    body = Body(
        "ring",
        mesh,
        (Region(SolidProperty(STEEL_LIKE)),),
        supports=(Fix("bottom", ("uz",)), Fix("top", ("uz",))),
        loads=(Pressure("inner", PRESSURE),),
        space="spatial",
    )
    discrete, displacements, error = solved(body)
    true = np.sqrt((true_errors(discrete, displacements) ** 2).sum())
    assert error.estimate == pytest.approx(true, rel=tolerance)


def plate_moments(x: Array, y: Array, nu: float) -> Array:
    """Mxx, Myy, Mxy of a simply supported unit Kirchhoff plate under unit load, by Navier's series: (…, 3)."""
    m = np.arange(1, 80, 2)
    waves = np.pi * m
    weight = 16 / np.pi**6 / (np.outer(m, m) * (m[:, None] ** 2 + m[None] ** 2) ** 2)
    sx, sy, cx, cy = (f(np.multiply.outer(p, waves)) for f in (np.sin, np.cos) for p in (x, y))
    wxx = -np.einsum("mn,...m,...n->...", weight * waves[:, None] ** 2, sx, sy)
    wyy = -np.einsum("mn,...m,...n->...", weight * waves[None] ** 2, sx, sy)
    wxy = np.einsum("mn,...m,...n->...", weight * np.outer(waves, waves), cx, cy)
    return np.stack([wxx + nu * wyy, wyy + nu * wxx, (1 - nu) * wxy], axis=-1)


@pytest.mark.parametrize("shape", ["quad", "triangle"])
def test_bent_plate(shape: str) -> None:
    """Shells: moments of a thin plate against Navier's at the points of the rule; effectivity within 4 %.

    Shear at t/a = 0.01 changes the moments by less than 1e-3, against errors of 5 %.
    """
    t, nu, n = 0.01, STEEL_LIKE.poisson, 8
    in_plane = ("ux", "uy", "rz")
    body = Body(
        "plate",
        rectangle(0.5, 0.5, (n, n), order=1, shape=shape),
        (Region(ShellProperty(STEEL_LIKE, t)),),
        supports=(
            Symmetric("right", (1, 0, 0)),
            Symmetric("top", (0, 1, 0)),
            Fix("left", ("uz", "rx", *in_plane)),
            Fix("bottom", ("uz", "ry", *in_plane)),
        ),
        loads=(Pressure("all", 1.0),),  # against the normal
        space="spatial",
    )
    discrete, displacements, error = solved(body)
    (batch,) = discrete.batches
    field = stress(batch, np.append(displacements, 0.0)[discrete.dofs.of_elements(batch)])
    exact = plate_moments(field.positions[..., 0], field.positions[..., 1], nu)
    difference = field.values[..., 3:6] - exact
    compliance = np.linalg.inv(STEEL_LIKE.plane_elasticity("stress")) * 12 / t**3
    area = 0.25 / exact[..., 0].size
    true = np.sqrt(area * np.einsum("egc,cd,egd->", difference, compliance, difference))
    assert error.estimate == pytest.approx(true, rel=0.04)
    assert 0.03 < error.relative < 0.06


@pytest.mark.parametrize(("shape", "order"), [("quad", 1), ("quad", 2), ("triangle", 1), ("triangle", 2)])
def test_uniform_stress_has_no_error(shape: str, order: int) -> None:
    """Also where the stress jumps from one material to another: strips side by side share the strain, ν = 0.

    Round-off of the solution only.
    """
    mesh = rectangle(2.0, 1.0, (4, 4), order=order, shape=shape)
    upper = np.array([mesh.points[mesh.cell(k)[1], 1].mean() > 0.5 for k in range(mesh.cell_count)])
    mesh = replace(mesh, cell_sets={"soft": np.flatnonzero(~upper), "stiff": np.flatnonzero(upper)})
    regions = tuple(
        Region(PlaneProperty(Material(young, 0.0, 1.0), 1.0), name)
        for young, name in ((1.0, "soft"), (5.0, "stiff"))
    )
    # tractions of the two stresses: 1 and 5 times the common strain
    facets = mesh.facets_of("right")
    low = [CellBlock(f.cell, f.nodes[mesh.points[f.nodes, 1].mean(axis=1) < 0.5]) for f in facets]
    high = [CellBlock(f.cell, f.nodes[mesh.points[f.nodes, 1].mean(axis=1) > 0.5]) for f in facets]
    mesh = replace(mesh, facet_sets={**mesh.facet_sets, "low": tuple(low), "high": tuple(high)})
    body = Body(
        "strips",
        mesh,
        regions,
        supports=(Roller("left", (1, 0)), Roller("bottom", (0, 1))),
        loads=(Traction("low", (1.0, 0.0)), Traction("high", (5.0, 0.0))),
    )
    _, _, error = solved(body)
    assert error.norm == pytest.approx(np.sqrt(1.0 * 1.0 + 5.0 * 5.0 / 5.0), rel=1e-12)
    assert error.relative < 1e-11


def test_summary_of_a_singular_corner() -> None:
    """A clamped cantilever: the worst cell is at a corner of the clamp, where the exact stress is infinite.

    The energy norm of the error falls with h^λ, σ ~ r^(λ−1) of a right-angled corner, one side held and one free:
    sin²(λπ/2) = ((κ+1)² − 4λ²)/4κ, κ = (3−ν)/(1+ν) (Williams 1952); approached to 0.05 on these meshes.
    """
    kappa = (3 - STEEL_LIKE.poisson) / (1 + STEEL_LIKE.poisson)
    exponent = brentq(lambda x: 4 * kappa * np.sin(x * np.pi / 2) ** 2 - (kappa + 1) ** 2 + 4 * x**2, 0.5, 1.0)
    errors = []
    for n in (8, 16, 32):
        mesh = rectangle(2.0, 1.0, (2 * n, n), order=2)
        body = Body.plane(
            "arm",
            mesh,
            material=STEEL_LIKE,
            thickness=1.0,
            supports=(Clamp("left"),),
            loads=(Traction("right", (0.0, 1.0)),),
        )
        record = statics(body)
        summary = record.summary()["stress_error"]
        errors.append(summary["relative"])
        corner = mesh.points[mesh.cell(summary["worst_cell"])[1]]
        assert np.abs(corner[:, 0]).min() == 0
        assert min(corner[:, 1].min(), 1 - corner[:, 1].max()) == pytest.approx(0, abs=1e-12)
    rates = np.log2(np.array(errors[:-1]) / errors[1:])
    np.testing.assert_allclose(rates, exponent, atol=0.05)
