"""Solid elements against exact solutions and published figures."""

from dataclasses import replace

import numpy as np
import pytest
from tests.geometric import geometric_stiffness
from tests.rounding import rounding

import flexframe as ff
from flexframe.assembly.discrete import discretise
from flexframe.elements.integration import stress
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import skew
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.builders import block, cylinder, tube
from flexframe.mesh.cells import HEXAHEDRON
from flexframe.mesh.mesh import Mesh
from flexframe.mesh.subdivision import tetrahedra
from flexframe.model.body import Body
from flexframe.model.supports import Clamp, Fix, Roller

SHAPES = [("hexahedron", 1), ("hexahedron", 2), ("tetra", 1), ("tetra", 2), ("wedge", 1), ("wedge", 2)]
every_solid = pytest.mark.parametrize(("shape", "order"), SHAPES, ids=str)


# ---------------------------------------------------------------------- MacNeal and Harder 1985


def patch_mesh() -> Mesh:
    """The published patch: seven hexahedra of the unit cube around an irregular inner one."""
    inner = np.array(
        [
            (0.249, 0.342, 0.192),
            (0.826, 0.288, 0.288),
            (0.850, 0.649, 0.263),
            (0.273, 0.750, 0.230),
            (0.320, 0.186, 0.643),
            (0.677, 0.305, 0.683),
            (0.788, 0.693, 0.644),
            (0.165, 0.745, 0.702),
        ]
    )
    outer = np.array(
        [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)], dtype=float
    )
    points = np.vstack([outer, inner])
    cells = [list(range(8, 16))]
    for _, face in HEXAHEDRON.facets:
        # the face of the cube and, in the same order, that of the inner cell: inwards from outside
        cells.append([*reversed(face), *(8 + node for node in reversed(face))])
    return Mesh(points, (CellBlock(HEXAHEDRON, np.array(cells)),))


def quadratic(mesh: Mesh) -> Mesh:
    """The same cells with nodes in the middle of their straight edges."""
    (cells,) = mesh.blocks
    middles: dict[tuple[int, ...], int] = {}
    rows = []
    for nodes in cells.nodes.tolist():
        edges = [tuple(sorted((nodes[a], nodes[b]))) for a, b in cells.cell.edges]
        rows.append([*nodes, *(middles.setdefault(edge, mesh.node_count + len(middles)) for edge in edges)])
    points = np.vstack([mesh.points, [mesh.points[list(edge)].mean(axis=0) for edge in middles]])
    return Mesh(points, (CellBlock(cells.cell.of_order(2), np.array(rows)),))


@pytest.mark.parametrize("shape", ["hexahedron", "tetra"])
@pytest.mark.parametrize("order", [1, 2])
def test_patch_of_macneal_and_harder(shape: str, order: int) -> None:
    """E 1e6, ν 1/4, u = 1e-3 (2x+y+z, x+2y+z, x+y+2z)/2 on the cube: σ = 2000, τ = 400 everywhere; round-off."""
    mesh = tetrahedra(patch_mesh()) if shape == "tetra" else patch_mesh()
    if order == 2:
        mesh = quadratic(mesh)
    discrete = discretise(Body.solid("patch", mesh, material=ff.Material(1e6, 0.25, 1.0)))
    G = 0.5e-3 * (np.ones((3, 3)) + np.eye(3))
    exact = mesh.points @ G.T
    x = mesh.points
    outside = (np.abs(x * (1 - x)) < 1e-12).any(axis=1)
    held, free = (discrete.dofs.numbers[mask][:, :3].ravel() for mask in (outside, ~outside))
    K = discrete.stiffness.toarray()
    solved = exact.ravel().copy()
    solved[free] = np.linalg.solve(K[np.ix_(free, free)], -K[np.ix_(free, held)] @ exact.ravel()[held])
    bound = rounding(len(free), np.linalg.cond(K[np.ix_(free, free)])) * np.abs(exact).max()
    np.testing.assert_allclose(solved, exact.ravel(), rtol=0, atol=bound)
    for batch in discrete.batches:
        values = stress(batch, solved[discrete.dofs.of_elements(batch)]).values
        expected = [2000.0] * 3 + [400.0] * 3
        np.testing.assert_allclose(values, np.broadcast_to(expected, values.shape), rtol=1e-10)


@pytest.mark.parametrize(
    ("shape", "order", "ratios"),
    [("hexahedron", 1, (0.988, 0.978, 0.973)), ("hexahedron", 2, (0.994, 0.970, 0.961))],
)
def test_straight_cantilever(shape: str, order: int, ratios: tuple[float, ...]) -> None:
    """6 × 0.2 × 0.1 in six elements: theory 3.0e-5, 0.1081, 0.4321 under unit loads.

    The clamp hinders contraction, which a coarse mesh feels: published ratios of such elements are 0.96 to 0.99,
    and the same six elements must give the same ratios, to three digits.
    """
    mesh = block((6.0, 0.2, 0.1), (6, 1, 1), order=order, shape=shape)
    found = [tip_displacement(mesh, direction) for direction in range(3)]
    np.testing.assert_allclose(np.array(found) / [3.0e-5, 0.1081, 0.4321], ratios, atol=6e-4)


def tip_displacement(mesh: Mesh, direction: int) -> float:
    """Mean displacement of the end under a unit force spread over it, E 1e7, ν 0.3."""
    area = np.ptp(mesh.points[:, 1]) * np.ptp(mesh.points[:, 2])
    traction = np.eye(3)[direction] / area
    body = Body.solid(
        "cantilever",
        mesh,
        material=ff.Material(1e7, 0.3, 1.0),
        supports=(Clamp("left"),),
        loads=(ff.loads.Traction("right", tuple(traction)),),
    )
    return float(ff.statics(body).displacements[mesh.nodes_of("right"), direction].mean())


def test_slender_hexahedra_do_not_lock() -> None:
    """L/h = 100, one element through the height: FL³/3EI within 2 %; locked elements give a few per cent."""
    length, height = 1.0, 0.01
    exact = length**3 / (3 * 1e7 * height**4 / 12)
    found = tip_displacement(block((length, height, height), (20, 1, 1), order=1), 2)
    assert found == pytest.approx(exact, rel=0.02)


# ---------------------------------------------------------------------- vibration


def test_free_block() -> None:
    """3 × 2 × 1, ν 0.3: ω√(ρ/E) of the first six modes to five digits, from two meshes.

    The error of quadratic elements falls with h⁴, which the meshes show (1.5 < ratio of a step by 5/4); it is
    extrapolated away.
    """
    exact = np.array([0.469666, 0.547106, 0.766188, 0.926967, 1.006242, 1.015994])
    found = [block_frequencies("hexahedron", n) for n in (4, 5)]
    errors = [values / exact - 1 for values in found]
    assert (errors[1] > -1e-6).all() and (errors[0] > 1.5 * errors[1]).all()  # from above
    extrapolated = found[1] + (found[1] - found[0]) / ((5 / 4) ** 4 - 1)
    np.testing.assert_allclose(extrapolated, exact, rtol=1e-5)


@pytest.mark.parametrize(("shape", "bound"), [("tetra", 0.02), ("wedge", 0.01)])
def test_free_block_of_other_cells(shape: str, bound: float) -> None:
    """The same from above on a coarse mesh; the bounds are twice the errors of such meshes."""
    exact = np.array([0.469666, 0.547106, 0.766188, 0.926967, 1.006242, 1.015994])
    errors = block_frequencies(shape, 2) / exact - 1
    assert (errors > 0).all() and errors.max() < bound


def block_frequencies(shape: str, n: int) -> Array:
    body = Body.solid(
        "block", block((3.0, 2.0, 1.0), (3 * n, 2 * n, n), shape=shape), material=ff.Material(1.0, 0.3, 1.0)
    )
    result = ff.modes(body, count=12)
    return result.frequencies_hz[6:] * 2 * np.pi


# ---------------------------------------------------------------------- rotation


@pytest.mark.parametrize(("shape", "order"), [("hexahedron", 2), ("tetra", 2), ("wedge", 2), ("hexahedron", 1)])
def test_rotating_cylinder_in_plane_strain(shape: str, order: int) -> None:
    """Held between its ends: u = ρω²(1+ν)(1−2ν)/(8E(1−ν)) r [(3−2ν)R² − r²] and σ of the textbook.

    Quadratic elements miss the cubic displacement by a few 1e-3 at this size, linear ones by a few per cent.
    """
    R, nu, E, rho, omega = 1.0, 0.3, 1.0, 1.0, 0.1
    divisions = (3, 3, 1) if order == 2 else (6, 6, 1)
    mesh = cylinder(R, 0.3, divisions, order=order, shape=shape)
    body = Body.solid(
        "cylinder",
        mesh,
        material=ff.Material(E, nu, rho),
        supports=(Fix("bottom", ("uz",)), Fix("top", ("uz",)), Fix("centre", ("ux", "uy"))),
    )
    # one node off the axis must not turn
    edge = int(np.argmax(mesh.points[:, 0]))
    body = replace(body, supports=(*body.supports, Roller(edge, (0.0, 1.0, 0.0))))
    result = ff.statics(body, ff.FrameMotion(angular_velocity=np.array([0, 0, omega])))
    x, y, _ = mesh.points.T
    r = np.hypot(x, y)
    radial = (result.displacements[:, 0] * x + result.displacements[:, 1] * y) / np.maximum(r, 1e-12)
    scale = rho * omega**2
    exact = scale * (1 + nu) * (1 - 2 * nu) / (8 * E * (1 - nu)) * r * ((3 - 2 * nu) * R**2 - r**2)
    tolerance = 5e-3 if order == 2 else 3e-2
    assert np.abs(radial - exact).max() < tolerance * exact.max()
    # trace of the stress at the recovery points: σr + σθ + σz = (1+ν)(σr + σθ)
    places = result.stress_positions
    radius = np.hypot(places[:, 0], places[:, 1])
    plane_sum = scale / (8 * (1 - nu)) * (2 * (3 - 2 * nu) * R**2 - 4 * radius**2)
    found = sum(result.stress_values[name] for name in ("sxx", "syy", "szz"))
    assert np.abs(found - (1 + nu) * plane_sum).max() < 10 * tolerance * plane_sum.max()


@every_solid
def test_virial_of_a_spinning_free_body(shape: str, order: int) -> None:
    """∫σ dV = −sym(W²J) in a free body, so that k_g of a linear field u = Gx is tr(G ∫σ Gᵀ), whatever the mesh.

    Linear fields are in every element's space; only the solver's round-off remains, 1e-9.
    """
    mesh = tube(0.3, 1.0, 0.8, (1, 6, 1), order=order, shape=shape).moved(translation=(0.2, -0.1, 0.4))
    discrete = discretise(Body.solid("tube", mesh, material=ff.Material(2.0, 0.3, 1.5)))
    omega = np.array([0.3, -0.2, 0.5])
    W = skew(omega)
    inertia = discrete.inertia
    K_g = geometric_stiffness(discrete, ff.FrameMotion(angular_velocity=omega))
    # inertia relief takes the part out that makes no stress: the body force of the balanced free body is
    # −W²x − a − α × x with a = −W² x_c and α the angular acceleration that frees the body of moments
    centre = inertia.centre_of_mass
    J = inertia.second_moment - inertia.mass * np.outer(centre, centre)
    tensor = np.trace(J) * np.eye(3) - J
    alpha = np.linalg.solve(tensor, -np.cross(omega, tensor @ omega))
    moment = -(W @ W + skew(alpha)) @ J
    np.testing.assert_allclose(moment, moment.T, atol=1e-10)
    rng = np.random.default_rng(5)
    for _ in range(3):
        G = rng.standard_normal((3, 3))
        field = (mesh.points @ G.T).ravel()
        assert field @ (K_g @ field) == pytest.approx(np.trace(G @ moment @ G.T), rel=1e-9)


def test_rigid_modes_of_a_spinning_free_block() -> None:
    """Seen from the turning frame: shift along and turn about the axis at 0, the free wobble, and three at Ω.

    At Ω circle a body that rests in space, one that drifts there (a double eigenvalue with one vector), and one
    whose spin axis is tilted in space. The wobble of a rigid block is Ω√((C−A)(C−B)/AB); elasticity changes it by
    (Ω/ω₁)², here 1e-5. The others are exact by symmetry of space.
    """
    speed, lengths = 1e-3, (3.0, 2.0, 1.0)
    mesh = block(lengths, (3, 2, 2)).moved(translation=tuple(-np.array(lengths) / 2))
    body = Body.solid("block", mesh, material=ff.Material(1.0, 0.3, 1.0))
    result = ff.modes(body, ff.FrameMotion(angular_velocity=np.array([0, 0, speed])), count=7)
    x, y, z = lengths
    A, B, C = y**2 + z**2, x**2 + z**2, x**2 + y**2
    wobble = np.sqrt((C - A) * (C - B) / (A * B))
    np.testing.assert_allclose(result.eigenvalues[:6] / speed, np.array([0, 0, wobble, 1, 1, 1]) * 1j, atol=1e-4)
    np.testing.assert_allclose(result.eigenvalues[[0, 1, 3, 4, 5]] / speed, [0, 0, 1j, 1j, 1j], atol=1e-13)
    assert abs(result.eigenvalues[6]) > 50 * speed  # elastic
    assert sorted(result.labels[:6]) == sorted(["rigid translation"] * 3 + ["rigid rotation"] * 3)
    assert result.residuals.max() < 1e-7


def test_free_motions_of_a_spinning_tube() -> None:
    """Two zeros (shift along, turn about the axis) however many modes are asked for; a tube wobbles below Ω.

    Its wobble is Ω(C−A)/A with the moments of inertia of the mesh; bending, (Ω/ω₁)²(1 − wobble),
    changes it by less than 1e-3.
    """
    body = discretise(Body.solid("tube", tube(0.06, 0.3, 0.03, (2, 10, 1)), material=ff.STEEL))
    speed = 120 * np.pi
    centre = body.inertia.centre_of_mass
    tensor = body.inertia.inertia_tensor - body.inertia.mass * (
        centre @ centre * np.eye(3) - np.outer(centre, centre)
    )
    for count in (1, 2, 3, 6, 9):
        result = ff.modes(body, ff.FrameMotion.spin(speed), count=count)
        assert len(result.eigenvalues) == count
        assert np.count_nonzero(result.eigenvalues == 0) == min(count, 2)
        if count > 2:
            assert result.eigenvalues[2].imag / speed == pytest.approx(tensor[2, 2] / tensor[0, 0] - 1, rel=1e-3)
        np.testing.assert_allclose(result.eigenvalues[3:6], 1j * speed, rtol=1e-13)
        assert (np.abs(result.eigenvalues[6:]) > 5 * speed).all()


def test_nodal_diameters_of_a_thick_disc() -> None:
    """A free disc bends first with two nodal diameters, twice; the labels need no rings of nodes."""
    mesh = cylinder(1.0, 0.1, (3, 3, 1), shape="tetra")
    result = ff.modes(Body.solid("disc", mesh, material=ff.STEEL), count=8)
    assert result.nodal_diameters is not None
    assert result.nodal_diameters[6:8] == (2, 2)
