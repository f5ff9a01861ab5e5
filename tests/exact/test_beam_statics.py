"""Beams against their own differential equations: deflections, end forces, resultants, signs, orientation."""

import numpy as np
import pytest
from numpy.polynomial import Polynomial

from flexframe.elements.families import family_named
from flexframe.elements.integration import stiffness_points
from flexframe.elements.properties import BeamProperty, Circle, Rectangle
from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import rotation_from_vector
from flexframe.mesh.builders import line, polyline
from flexframe.model.loads import Gravity, LineLoad, NodeForce
from flexframe.model.supports import Clamp, Fix, Pin
from flexframe.motion.frame import FrameMotion

from .solving import MATERIAL, SECTION, THEORIES, Solved, beam_body, recovered, rigidities, solve

every_theory = pytest.mark.parametrize("theory", THEORIES)

# one element has condition number below 1e4
ROUND_OFF = 1e-11

L = 1.7
TIP_FORCE = np.array([0.3, -0.7, 0.4])
TIP_MOMENT = np.array([0.2, 0.5, -0.6])


def local_tip(theory: str) -> Array:
    """Tip displacements and rotations of a cantilever under TIP_FORCE and TIP_MOMENT, in local axes."""
    r = rigidities(theory)
    (Fx, Fy, Fz), (Mx, My, Mz) = TIP_FORCE, TIP_MOMENT
    return np.array(
        [
            Fx * L / r.EA,
            Fy * (L**3 / (3 * r.EIz) + L / r.kGA) + Mz * L**2 / (2 * r.EIz),
            Fz * (L**3 / (3 * r.EIy) + L / r.kGA) - My * L**2 / (2 * r.EIy),
            Mx * L / r.GJ,
            My * L / r.EIy - Fz * L**2 / (2 * r.EIy),
            Mz * L / r.EIz + Fy * L**2 / (2 * r.EIz),
        ]
    )


@every_theory
@pytest.mark.parametrize("divisions", [1, 3])
@pytest.mark.parametrize("turn", [(0, 0, 0), (0.4, -1.1, 0.8), (-2.0, 0.3, 1.9)], ids=str)
def test_cantilever_in_any_direction(theory: str, divisions: int, turn: tuple[float, ...]) -> None:
    """All six tip loads at once, one element suffices, and the answer turns with the beam."""
    Q = rotation_from_vector(np.array(turn, float))
    mesh = line(L, divisions, start=(0.3, -0.2, 0.9), direction=Q[:, 0])
    tip = NodeForce("end", tuple(Q @ TIP_FORCE), tuple(Q @ TIP_MOMENT))
    solved = solve(beam_body(mesh, theory, [Clamp("start")], [tip], up=tuple(Q[:, 1])))
    displacement = solved.at("end")
    computed = np.concatenate([Q.T @ displacement[:3], Q.T @ displacement[3:]])
    np.testing.assert_allclose(computed, local_tip(theory), rtol=ROUND_OFF)
    # resultants act on the face whose outward normal is local x
    places, values = recovered(solved)
    x = (places - mesh.points[0]) @ Q[:, 0]
    (Fx, Fy, Fz), (Mx, My, Mz) = TIP_FORCE, TIP_MOMENT
    expected = np.stack(
        [x * 0 + Fx, x * 0 + Fy, x * 0 + Fz, x * 0 + Mx, My - Fz * (L - x), Mz + Fy * (L - x)], axis=1
    )
    np.testing.assert_allclose(values, expected, atol=1e-10)
    # the root carries the opposite of what the tip puts in
    force, moment = solved.reaction[0, :3], solved.reaction[0, 3:]
    arm = mesh.points[-1] - mesh.points[0]
    np.testing.assert_allclose(force, -Q @ TIP_FORCE, atol=ROUND_OFF)
    np.testing.assert_allclose(moment, -Q @ TIP_MOMENT - np.cross(arm, Q @ TIP_FORCE), atol=ROUND_OFF)


def test_default_orientation() -> None:
    """Without `up` local z is as near to the body's z as the beam allows; along z local y is the body's y."""
    r = rigidities("euler_bernoulli")
    for direction, sideways, inertia in (
        ((1, 0, 0), (0, 1, 0), r.EIz),
        ((1, 0, 0), (0, 0, 1), r.EIy),
        ((0, 1, 0), (1, 0, 0), r.EIz),
        ((1, 0, 1), (0, 1, 0), r.EIz),
        ((1, 0, 1), (-1, 0, 1), r.EIy),
        ((0, 0, 1), (0, 1, 0), r.EIz),
        ((0, 0, 1), (1, 0, 0), r.EIy),
    ):
        unit = np.array(sideways) / np.linalg.norm(sideways)
        mesh = line(L, 1, direction=direction)
        body = beam_body(mesh, "euler_bernoulli", [Clamp("start")], [NodeForce("end", tuple(unit))])
        moved = solve(body).at("end")[:3] @ unit
        assert moved == pytest.approx(L**3 / (3 * inertia), rel=ROUND_OFF)


def test_up_along_the_beam_is_refused() -> None:
    with pytest.raises(InputError, match="parallel to the beam"):
        solve(beam_body(line(L, 1), "timoshenko", [Clamp("start")], up=(2.0, 0.0, 0.0)))


@every_theory
def test_planar_beam_is_the_in_plane_part(theory: str) -> None:
    """In planar space only ux, uy, rz remain, with the same values."""
    force, moment = (0.3, -0.7, 0.0), (0.0, 0.0, -0.6)
    loads = [NodeForce("end", force, moment)]
    mesh = line(L, 2, direction=(2.0, 1.0, 0.0))
    planar = solve(beam_body(mesh, theory, [Clamp("start")], loads, space="planar"))
    spatial = solve(beam_body(mesh, theory, [Clamp("start")], loads))
    assert planar.discrete.dofs.count == 9
    np.testing.assert_allclose(planar.nodal, spatial.nodal, atol=ROUND_OFF)


@every_theory
def test_uniform_load_simply_supported(theory: str) -> None:
    """5qL⁴/384EI + qL²/8κGA at the middle, qL³/24EI at the ends, qL²/8 in the middle of the beam."""
    r, q = rigidities(theory), 0.8
    supports = [Fix("start", ("ux", "uy", "uz", "rx")), Fix("end", ("uy", "uz"))]
    mesh = line(L, 2)
    solved = solve(beam_body(mesh, theory, supports, [LineLoad((0.0, q, 0.0))]))
    middle = 5 * q * L**4 / (384 * r.EIz) + q * L**2 / (8 * r.kGA)
    assert solved.at(1, "uy") == pytest.approx(middle, rel=ROUND_OFF)
    assert solved.at("start", "rz") == pytest.approx(q * L**3 / (24 * r.EIz), rel=ROUND_OFF)
    places, values = recovered(solved)
    x = places[:, 0]
    # an upward load bends the beam downwards-convex: M = −q x(L − x)/2, V = q(L/2 − x) with M' = −V
    np.testing.assert_allclose(values[:, 5], -q * x * (L - x) / 2, atol=1e-11)
    np.testing.assert_allclose(values[:, 1], q * (L / 2 - x), atol=1e-11)
    np.testing.assert_allclose(solved.reaction[[0, -1], 1], -q * L / 2, rtol=ROUND_OFF)


@every_theory
@pytest.mark.parametrize("divisions", [1, 4])
def test_consistent_end_forces_of_a_clamped_beam(theory: str, divisions: int) -> None:
    """Uniform load: qL/2 and qL²/12 at each end, in both planes; the axial load is shared equally."""
    q = np.array([0.5, 0.8, -0.3])
    mesh = line(L, divisions)
    solved = solve(beam_body(mesh, theory, [Clamp("start"), Clamp("end")], [LineLoad(tuple(q))]))
    for end, sign in ((0, 1), (-1, -1)):
        np.testing.assert_allclose(solved.reaction[end, :3], -q * L / 2, rtol=ROUND_OFF)
        moment = [0, sign * q[2] * L**2 / 12, -sign * q[1] * L**2 / 12]
        np.testing.assert_allclose(solved.reaction[end, 3:], moment, atol=ROUND_OFF)


@every_theory
def test_propped_cantilever(theory: str) -> None:
    """The prop takes what brings its end back: 3qL/8 without shear deformation."""
    r, q = rigidities(theory), 0.8
    mesh = line(L, 1)
    solved = solve(beam_body(mesh, theory, [Clamp("start"), Fix("end", ("uy",))], [LineLoad((0.0, -q, 0.0))]))
    free = q * L**4 / (8 * r.EIz) + q * L**2 / (2 * r.kGA)
    unit = L**3 / (3 * r.EIz) + L / r.kGA
    assert solved.reaction[1, 1] == pytest.approx(free / unit, rel=ROUND_OFF)
    if theory == "euler_bernoulli":
        assert solved.reaction[1, 1] == pytest.approx(3 * q * L / 8, rel=ROUND_OFF)


@every_theory
def test_gravity_is_a_line_load(theory: str) -> None:
    """ρA g along the beam: same displacements and same resultants inside."""
    g = (0.4, -1.2, 0.7)
    per_length = tuple(MATERIAL.density * SECTION.area * np.array(g))
    mesh = line(L, 2)
    heavy = solve(beam_body(mesh, theory, [Clamp("start")], [Gravity(g)]))
    loaded = solve(beam_body(mesh, theory, [Clamp("start")], [LineLoad(per_length)]))
    np.testing.assert_allclose(heavy.delta, loaded.delta, atol=ROUND_OFF)
    _, by_gravity = recovered(heavy, np.array(g))
    _, by_line = recovered(loaded)
    np.testing.assert_allclose(by_gravity, by_line, atol=ROUND_OFF)


def test_line_load_on_part_of_a_beam() -> None:
    """q on the outer half only: vL = q(L/2)… from M = q(L/2)(3L/4 − x) inside and q(L−x)²/2 outside."""
    r, q = rigidities("euler_bernoulli"), 0.9
    mesh = polyline([(0, 0, 0), (L / 2, 0, 0), (L, 0, 0)], (1, 1))
    solved = solve(beam_body(mesh, "euler_bernoulli", [Clamp("start")], [LineLoad((0.0, q, 0.0), on="segment2")]))
    # superpose: full load qL⁴/8 less the load on the inner half, which moves the tip by slope and deflection
    half = L / 2
    inner = q * half**4 / 8 + q * half**3 / 6 * half
    assert solved.at("end", "uy") == pytest.approx((q * L**4 / 8 - inner) / r.EIz, rel=ROUND_OFF)
    places, values = recovered(solved)
    x = places[:, 0]
    moment = np.where(x < half, q * half * (3 * half / 2 - x), q * (L - x) ** 2 / 2)
    np.testing.assert_allclose(values[:, 5], moment, atol=1e-11)


# ---------------------------------------------------------------------- inside a clamped beam


def clamped(q: Polynomial, m: float, EI: float, kGA: float) -> tuple[Polynomial, Polynomial]:
    """V(x), M(x) of a clamped beam under a force q(x) and a moment m for each unit of length.

    V' = −q, M' = −V − m, EIθ' = M, v' = θ + V/κGA; the two unknowns at x = 0 make θ = v = 0 at x = L.
    """

    def end(V: Polynomial, M: Polynomial) -> tuple[float, float]:
        theta = M.integ() / EI
        return theta(L), (theta + V / kGA).integ()(L)

    x, one, zero = Polynomial([0.0, 1.0]), Polynomial([1.0]), Polynomial([0.0])
    V = -q.integ()
    M = -V.integ() - m * x
    columns = np.array([end(one, -x), end(zero, one)]).T
    V0, M0 = np.linalg.solve(columns, -np.array(end(V, M)))
    return V + V0, M - V0 * x + M0


@every_theory
@pytest.mark.parametrize("degree", [0, 1, 2])
def test_particular_resultants(theory: str, degree: int) -> None:
    """Constant, linear and quadratic loads in all three directions of a beam turned in space.

    The force per mass also varies across the section, f = As, which makes moments ∫ρ s × As.
    """
    r = rigidities(theory)
    Q = rotation_from_vector(np.array([0.5, 0.7, -0.9]))
    family = family_named(f"{theory}_beam")
    prop = BeamProperty(MATERIAL, SECTION, up=tuple(Q[:, 1]))
    coordinates = np.array([[0.2, 0.1, 0.0], [0.2, 0.1, 0.0] + L * Q[:, 0]])[None]
    at = family.strain_fields(coordinates, prop).positions
    x = (at[0] - coordinates[0, 0]) @ Q[:, 0]
    shapes = [Polynomial([0.4, -0.9, 0.7][: degree + 1]), Polynomial([-0.8, 0.5, 1.1][: degree + 1])]
    shapes.append(Polynomial([0.3, 0.6, -0.5][: degree + 1]))
    local = np.stack([q(x) for q in shapes], axis=1)
    A = np.array([[0.3, -0.8, 0.6], [0.2, 0.7, 1.1], [-0.4, 0.9, -0.5]])
    load = (local @ Q.T / SECTION.area)[None]
    values = family.particular_resultants(coordinates, prop, load, Q @ A @ Q.T)[0]
    mx, my, mz = np.zeros(3)
    for y, z in ((1, 0), (0, 1)):  # s = (0, y, z) with ∫y² = Iz, ∫z² = Iy, ∫yz = 0
        s = np.array([0, y * np.sqrt(SECTION.inertia_z), z * np.sqrt(SECTION.inertia_y)])
        mx, my, mz = np.array([mx, my, mz]) + MATERIAL.density * np.cross(s, A @ s)
    axial = -shapes[0].integ()
    axial = axial - axial.integ()(L) / L
    V, M = clamped(shapes[1], mz, r.EIz, r.kGA)
    # in the x–z plane a positive moment about y bends the other way
    Vz, minus_My = clamped(shapes[2], -my, r.EIy, r.kGA)
    expected = np.stack([axial(x), V(x), Vz(x), mx * (L / 2 - x), -minus_My(x), M(x)], axis=1)
    np.testing.assert_allclose(values, expected, atol=1e-12)


def test_textbook_clamped_beam() -> None:
    """M = q(L²/12 − Lx/2 + x²/2), V = q(L/2 − x) under a uniform load."""
    q = -0.8
    V, M = clamped(Polynomial([q]), 0.0, 1.0, 3.0)
    assert M(0) == pytest.approx(q * L**2 / 12, rel=1e-12)
    family = family_named("timoshenko_beam")
    prop = BeamProperty(MATERIAL, SECTION)
    coordinates = np.array([[[0.0, 0, 0], [L, 0, 0]]])
    x = family.strain_fields(coordinates, prop).positions[0, :, 0]
    load = np.broadcast_to([0, q / SECTION.area, 0], (1, 4, 3))
    values = family.particular_resultants(coordinates, prop, load, np.zeros((3, 3)))[0]
    np.testing.assert_allclose(values[:, 5], q * (L**2 / 12 - L * x / 2 + x**2 / 2), atol=1e-13)
    np.testing.assert_allclose(values[:, 1], V(x), atol=1e-13)


@every_theory
@pytest.mark.parametrize("divisions", [1, 3])
def test_axial_force_of_a_spinning_cantilever(theory: str, divisions: int) -> None:
    """P(x) = ½ρAω²(L² − x²) at every point, whatever the mesh; with a hub radius x counts from the axis."""
    omega, root = 1.3, 0.4
    mesh = line(L, divisions, start=(root, 0, 0))
    solved = solve(beam_body(mesh, theory, [Clamp("start")]), FrameMotion.spin(omega))
    places, values = recovered(solved, gradient=omega**2 * np.diag([1.0, 1.0, 0.0]))
    x = places[:, 0]
    P = MATERIAL.density * SECTION.area * omega**2 * ((root + L) ** 2 - x**2) / 2
    np.testing.assert_allclose(values[:, 0], P, rtol=1e-12)
    np.testing.assert_allclose(values[:, 1:], 0, atol=1e-12)


@every_theory
def test_euler_load_of_an_accelerated_cantilever(theory: str) -> None:
    """ε_z brings −ρAεx across the beam and −ρI_zε as a moment on each slice.

    From V' = ρAεx and M' = −V − m with m = −ρI_zε, V(L) = M(L) = 0. Two elements.
    """
    epsilon = 0.9
    rho, A, Iz = MATERIAL.density, SECTION.area, SECTION.inertia_z
    mesh = line(L, 2)
    solved = solve(beam_body(mesh, theory, [Clamp("start")]), FrameMotion(angular_acceleration=(0, 0, epsilon)))
    force = -rho * A * epsilon * L**2 / 2
    moment = -rho * A * epsilon * L**3 / 3 - rho * Iz * epsilon * L
    assert solved.reaction[0, 1] == pytest.approx(-force, rel=ROUND_OFF)
    assert solved.reaction[0, 5] == pytest.approx(-moment, rel=ROUND_OFF)
    r = rigidities(theory)
    x = Polynomial([0, 1])
    V = -rho * A * epsilon * (L**2 - x**2) / 2
    M = -(V - rho * Iz * epsilon).integ()
    M = M - M(L)
    theta = M.integ() / r.EIz
    v = (theta + V / r.kGA).integ()
    assert solved.at("end", "uy") == pytest.approx(v(L), rel=ROUND_OFF)
    places, values = recovered(solved, gradient=-epsilon * np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 0]]))
    np.testing.assert_allclose(values[:, 1], V(places[:, 0]), atol=1e-11)
    np.testing.assert_allclose(values[:, 5], M(places[:, 0]), atol=1e-11)


# ---------------------------------------------------------------------- frames of several beams


@every_theory
@pytest.mark.parametrize("seed", range(3))
def test_corner_frame_in_any_direction(theory: str, seed: int) -> None:
    """A clamped corner with legs a, b and a tip force: bending, shear, stretch and torsion by superposition."""
    r, a, b = rigidities(theory), 1.1, 0.8
    Q = rotation_from_vector(np.random.default_rng(seed).standard_normal(3) * 2)
    corners = np.array([[0, 0, 0], [a, 0, 0], [a, b, 0]]) @ Q.T
    mesh = polyline(corners, (2, 1))
    F = np.array([0.4, -0.3, 0.5])
    # local y is the normal of the frame, so EIz bends out of its plane and EIy in it
    solved = solve(beam_body(mesh, theory, [Clamp("start")], [NodeForce("end", tuple(Q @ F))], up=tuple(Q[:, 2])))
    Fx, Fy, Fz = F
    theta_z = (Fy * a**2 / 2 - Fx * b * a) / r.EIy  # of the corner
    ux = Fx * a / r.EA - theta_z * b + Fx * (b**3 / (3 * r.EIy) + b / r.kGA)
    uy = Fy * (a**3 / (3 * r.EIy) + a / r.kGA) - Fx * b * a**2 / (2 * r.EIy) + Fy * b / r.EA
    uz = Fz * ((a**3 + b**3) / (3 * r.EIz) + (a + b) / r.kGA) + Fz * b * a / r.GJ * b
    np.testing.assert_allclose(Q.T @ solved.at("end")[:3], [ux, uy, uz], rtol=1e-10)


def test_sections_of_simple_shapes() -> None:
    """Constants of rectangle and tube; Saint-Venant's torsion of a rectangle (Timoshenko and Goodier's table)."""
    strip = Rectangle(width=0.2, height=0.6)
    assert strip.inertia_z == pytest.approx(0.2 * 0.6**3 / 12)
    assert strip.inertia_y == pytest.approx(0.6 * 0.2**3 / 12)
    # k1 of J = k1 a b³, printed with three digits
    for ratio, k1 in ((1.0, 0.1406), (2.0, 0.229), (3.0, 0.263), (10.0, 0.312)):
        for section in (Rectangle(0.1, 0.1 * ratio), Rectangle(0.1 * ratio, 0.1)):
            assert section.torsion_constant / (0.1 * ratio * 0.1**3) == pytest.approx(k1, abs=6e-4)
    tube = Circle(0.3, inner_diameter=0.2)
    assert tube.area == pytest.approx(np.pi * (0.15**2 - 0.1**2))
    assert tube.inertia_y == pytest.approx(np.pi / 4 * (0.15**4 - 0.1**4))
    assert tube.torsion_constant == pytest.approx(np.pi / 2 * (0.15**4 - 0.1**4))


def test_pinned_ends_carry_no_moment() -> None:
    """Pins hold displacements only: the end moments of a loaded beam vanish."""
    mesh = line(L, 3)
    supports = [Pin("start"), Fix("start", ("rx",)), Pin("end")]
    solved: Solved = solve(beam_body(mesh, "timoshenko", supports, [LineLoad((0.0, 1.0, 0.5))]))
    np.testing.assert_allclose(solved.reaction[:, 4:], 0, atol=ROUND_OFF)
    places = stiffness_points(solved.discrete.batches[0])
    assert places.shape == (3, 4, 3)
