"""Bodies that spin freely or on supports: what the frame, the stress and the free motion owe each other."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.linalg import qr
from tests.geometric import geometric_stiffness
from tests.rounding import ROUNDING

from flexframe.assembly.discrete import DiscreteBody, discretise
from flexframe.assembly.dofs import rigid_displacements
from flexframe.elements.properties import STEEL, BarProperty, Circle, PlaneProperty
from flexframe.equations.bodies import equations_of_motion
from flexframe.equations.coefficients import Terms
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import rotation_from_vector, skew
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.builders import annulus, disc, line, polyline, rectangle
from flexframe.mesh.cells import LINE
from flexframe.mesh.mesh import Mesh
from flexframe.model.body import Body, Damping, PointMass, Region
from flexframe.model.loads import NodeForce
from flexframe.model.supports import Clamp, Fix
from flexframe.motion.frame import FrameMotion

from .solving import MATERIAL, SECTION, THEORIES, beam_body, frequencies, recovered, solve

OMEGA = 0.8
SPIN = FrameMotion.spin(OMEGA)


def centred(body: Body) -> Body:
    """The body with its centre of mass in the origin."""
    centre = discretise(body).inertia.centre_of_mass
    return replace(body, mesh=body.mesh.moved(translation=-centre))


def plane_body(mesh: Mesh, **extra) -> Body:
    return Body("plate", mesh, (Region(PlaneProperty(MATERIAL, 0.3)),), **extra)


def frame_of_beams(theory: str, space: str) -> Body:
    """A closed frame without symmetry, sections turned."""
    corners = [(0, 0, 0), (1.2, 0.1, 0), (1.0, 0.9, 0), (0.2, 0.7, 0), (0, 0, 0)]
    return beam_body(polyline(corners, 2), theory, space=space)


def truss() -> Body:
    corners = np.array([[0, 0, 0], [1, 0.2, 0], [0.3, 0.9, 0], [1.2, 1.0, 0]])
    bars = np.array([(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)])
    prop = BarProperty(MATERIAL, 0.2)
    return Body("truss", Mesh(corners, (CellBlock(LINE, bars),)), (Region(prop),), space="planar")


SHAPES = {
    "rectangle of triangles": plane_body(rectangle(1.3, 0.7, (3, 2), order=1, shape="triangle")),
    "rectangle of quadratic triangles": plane_body(rectangle(1.3, 0.7, (2, 2), order=2, shape="triangle")),
    "rectangle of quadrilaterals": plane_body(rectangle(1.3, 0.7, (3, 2), order=1)),
    "annulus": plane_body(annulus(0.4, 1.0, (1, 6))),
    "plate with a particle": plane_body(rectangle(1.3, 0.7, (2, 2)), point_masses=(PointMass("top_right", 0.5),)),
    "truss": truss(),
    "straight beam": beam_body(line(1.5, 3), "timoshenko", space="planar"),
    "beam frame in the plane": frame_of_beams("euler_bernoulli", "planar"),
    "beam frame in space": frame_of_beams("timoshenko", "spatial"),
}


def stiffness_of_motion(discrete: DiscreteBody, motion: FrameMotion) -> Array:
    """k(ω²) + k_g."""
    parts = equations_of_motion(discrete, motion).stiffness_parts
    return (parts["centrifugal"] + parts["geometric"]).toarray()


@pytest.mark.parametrize("name", SHAPES)
def test_free_spin_does_not_feel_a_turn(name: str) -> None:
    """(k_g + k(ω²)) r = 0 for the rotation about the spin axis through the centre of mass (virial theorem).

    Each part alone is of order one; the solution for the stress costs the condition of k, about 1e3.
    """
    discrete = discretise(centred(SHAPES[name]))
    parts = equations_of_motion(discrete, SPIN).stiffness_parts
    turn = rigid_displacements(discrete.dofs, discrete.body.mesh.points)[:, 5]
    alone = np.abs(parts["centrifugal"] @ turn).max()
    assert alone > 1e-3
    assert np.abs(stiffness_of_motion(discrete, SPIN) @ turn).max() < 1e-11 * alone


@pytest.mark.parametrize("name", SHAPES)
def test_free_spin_and_rigid_translation(name: str) -> None:
    """A translation t in the plane of rotation keeps −ω² m t only: it appears at ω in the rotating frame."""
    discrete = discretise(centred(SHAPES[name]))
    shift = rigid_displacements(discrete.dofs, discrete.body.mesh.points)[:, :2]
    force = stiffness_of_motion(discrete, SPIN) @ shift
    np.testing.assert_allclose(force, -(OMEGA**2) * (discrete.mass @ shift), atol=1e-11)
    np.testing.assert_allclose(shift.T @ force, -(OMEGA**2) * discrete.inertia.mass * np.eye(2), atol=1e-11)


@pytest.mark.parametrize("theory", THEORIES)
def test_free_spin_about_any_principal_axis(theory: str) -> None:
    """A spatial frame with sections turned against its plane, spinning about each principal axis of inertia."""
    frame = frame_of_beams(theory, "spatial")
    bent = replace(
        frame, mesh=replace(frame.mesh, points=frame.mesh.points + [0, 0, 1] * frame.mesh.points[:, :1] ** 2)
    )
    (region,) = bent.regions
    body = centred(replace(bent, regions=(replace(region, prop=replace(region.prop, up=(0.3, 0.2, 0.9))),)))
    discrete = discretise(body)
    _, axes = np.linalg.eigh(discrete.inertia.inertia_tensor)
    rotations = rigid_displacements(discrete.dofs, body.mesh.points)[:, 3:]
    for axis in axes.T:
        turn = rotations @ axis
        K = stiffness_of_motion(discrete, FrameMotion.spin(OMEGA, axis))
        alone = OMEGA**2 * np.abs(discrete.mass @ turn).max()
        assert np.abs(K @ turn).max() < 1e-10 * alone


@pytest.mark.parametrize("name", SHAPES)
def test_stress_of_a_free_body_does_not_depend_on_the_auxiliary_support(name: str) -> None:
    """The load is balanced by inertia before any support is chosen, so every choice gives the same k_g."""
    body = centred(SHAPES[name])
    motion = FrameMotion((0, 0, OMEGA), (0, 0, 0.7), (0, 0, 0), (0.4, -0.3, 0))
    discrete, other = discretise(body), discretise(body)
    rigid = other.equilibrium.rigid
    spatial = body.space == "spatial"
    assert rigid.shape[1] == (6 if spatial else 3)
    taken = set(discrete.equilibrium.auxiliary.tolist())
    # another determinate choice among the coordinates that were not chosen
    rest = np.array([i for i in range(len(rigid)) if i not in taken])
    chosen = rest[qr(rigid[rest].T, mode="r", pivoting=True)[1][: rigid.shape[1]]]
    assert np.linalg.cond(rigid[chosen]) < 1e3
    other.equilibrium.__dict__["auxiliary"] = np.sort(chosen)
    first, second = (geometric_stiffness(d, motion).toarray() for d in (discrete, other))
    np.testing.assert_allclose(first, second, atol=1e-10 * np.abs(first).max())


@pytest.mark.parametrize("name", SHAPES)
def test_inertia_relief_balances_the_load(name: str) -> None:
    """The relief is minus the rigid acceleration that the load causes: m a = F, I α = moment about the centre."""
    body = centred(SHAPES[name])
    node, force = 1, np.array([0.3, -0.8, 0.5 if body.space == "spatial" else 0.0])
    solved = solve(replace(body, loads=(NodeForce(node, tuple(force)),)))
    inertia = solved.discrete.inertia
    place = solved.discrete.body.mesh.points[node]
    np.testing.assert_allclose(solved.relief[:3], -force / inertia.mass, atol=1e-12)
    moment = np.cross(place, force)
    if body.space == "spatial":
        np.testing.assert_allclose(-inertia.inertia_tensor @ solved.relief[3:], moment, atol=1e-12)
    else:
        assert -inertia.inertia_tensor[2, 2] * solved.relief[5] == pytest.approx(moment[2], rel=1e-11)
    # nothing is left over for the auxiliary support, and the displacements contain no rigid motion
    np.testing.assert_allclose(solved.reaction, 0, atol=1e-12)
    rigid = rigid_displacements(solved.discrete.dofs, solved.discrete.body.mesh.points)
    out_of_balance = solved.discrete.stiffness @ solved.delta
    applied = np.zeros((len(solved.nodal), 6))
    applied[node, :3] = force
    load = applied[solved.discrete.dofs.numbers >= 0]
    load = load + inertia.origin_load(solved.relief[:3]) + inertia.position_load(skew(solved.relief[3:]))
    np.testing.assert_allclose(out_of_balance, load, atol=1e-11)
    np.testing.assert_allclose(rigid.T @ (solved.discrete.mass @ solved.delta), 0, atol=1e-11)


def test_partly_free_body_is_relieved_in_its_free_directions() -> None:
    """A beam that slides along x on a roller bed accelerates along x only; the supports carry the rest."""
    mesh = line(1.5, 2)
    body = beam_body(
        mesh, "timoshenko", [Fix("start", ("uy", "rz"))], [NodeForce("end", (0.6, 0.2))], space="planar"
    )
    solved = solve(body)
    mass = solved.discrete.inertia.mass
    np.testing.assert_allclose(solved.relief, [-0.6 / mass, 0, 0, 0, 0, 0], atol=1e-12)
    np.testing.assert_allclose(solved.reaction[0], [0, -0.2, 0, 0, 0, -0.2 * 1.5], atol=1e-11)


# ---------------------------------------------------------------------- rotating discs, plane stress


def disc_stress(r: Array, a: float, b: float, E_rho: float) -> tuple[Array, Array]:
    """σ_r, σ_θ of a ring a < r < b (a = 0: a disc) spinning at OMEGA; E_rho = ρω²."""
    nu = MATERIAL.poisson
    k = (3 + nu) / 8 * E_rho
    if a == 0:
        return k * (b**2 - r**2), k * (b**2 - (1 + 3 * nu) / (3 + nu) * r**2)
    radial = k * (a**2 + b**2 - a**2 * b**2 / r**2 - r**2)
    return radial, k * (a**2 + b**2 + a**2 * b**2 / r**2 - (1 + 3 * nu) / (3 + nu) * r**2)


@pytest.mark.parametrize(
    ("name", "mesh", "inner"),
    [
        ("annulus", annulus(0.3, 1.0, (10, 40)), 0.3),
        ("annulus of triangles", annulus(0.3, 1.0, (10, 40), shape="triangle"), 0.3),
        ("disc", disc(1.0, 5), 0.0),
        ("disc of triangles", disc(1.0, 5, shape="triangle"), 0.0),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_stress_of_a_rotating_disc(name: str, mesh: Mesh, inner: float) -> None:
    """Closed form of the free disc; quadratic elements of size 0.1 are within 1 % of the peak everywhere.

    Stress is of second order in size over radius; the mean error is five times smaller. The rim, of order three
    at least, is within 2e-4.
    """
    solved = solve(plane_body(mesh), SPIN)
    places, values = recovered(solved)
    r = np.hypot(places[:, 0], places[:, 1])
    n = places[:, :2] / r[:, None]
    sxx, syy, sxy = values.T
    radial = n[:, 0] ** 2 * sxx + n[:, 1] ** 2 * syy + 2 * n[:, 0] * n[:, 1] * sxy
    hoop = sxx + syy - radial
    rho = MATERIAL.density * OMEGA**2
    exact_radial, exact_hoop = disc_stress(r, inner, 1.0, rho)
    peak = exact_hoop.max()
    for computed, exact in ((radial, exact_radial), (hoop, exact_hoop)):
        assert np.abs(computed - exact).max() < 0.01 * peak
        assert np.abs(computed - exact).mean() < 2e-3 * peak
    # u_r = r(σ_θ − νσ_r)/E at the rim, where σ_r = 0
    _, rim = disc_stress(np.array([1.0]), inner, 1.0, rho)
    outer = mesh.nodes_of("outer")
    moved = np.einsum("ni,ni->n", solved.nodal[outer, :2], mesh.points[outer, :2])
    np.testing.assert_allclose(moved, rim[0] / MATERIAL.young, rtol=2e-4)


# ---------------------------------------------------------------------- sections that turn


def test_propeller_moment() -> None:
    """A blade along x that spins about z resists pitch with ω²ρ(Iz − Iy) for each unit of length.

    Iz = ∫y² lies in the plane of rotation. The pitch is uniform, so neither torsion nor Wagner's term counts.
    """
    body = beam_body(line(1.5, 3, start=(0.4, 0, 0)), "timoshenko", [Clamp("start")])
    discrete = discretise(body)
    pitch = np.zeros((4, 6))
    pitch[:, 3] = 1.0
    energy = pitch.ravel() @ stiffness_of_motion(discrete, SPIN) @ pitch.ravel()
    expected = OMEGA**2 * MATERIAL.density * (SECTION.inertia_z - SECTION.inertia_y) * 1.5
    assert energy == pytest.approx(expected, rel=1e-10)


def test_spinning_shaft_splits_its_bending_modes() -> None:
    """Simply supported Rayleigh shaft, L 1 m, d 50 mm, steel, 3000 rad/s: 102.215419 and 100.745065 Hz.

    Inertial frame; seen from the shaft they are at Ω − 2πf forward and Ω + 2πf backward. Exact values to nine
    digits; eight cubic elements (order 4) leave 1e-5 of f, and f is the small difference to Ω.
    """
    speed = 3000.0
    supports = [Fix("start", ("ux", "uy", "uz", "rx")), Fix("end", ("uy", "uz"))]
    body = beam_body(line(1.0, 8), "euler_bernoulli", supports, section=Circle(0.05), material=STEEL)
    seen = frequencies(body, FrameMotion.spin(speed, (1, 0, 0)), count=40)
    forward = seen[np.argmin(np.abs(seen - (speed - 2 * np.pi * 102.215419)))]
    backward = seen[np.argmin(np.abs(seen - (speed + 2 * np.pi * 100.745065)))]
    assert (speed - forward) / (2 * np.pi) == pytest.approx(102.215419, rel=2e-5)
    assert (backward - speed) / (2 * np.pi) == pytest.approx(100.745065, rel=2e-5)


@pytest.mark.parametrize("gamma", [2.0, 4.0, 8.0])
def test_lag_follows_from_flap(gamma: float) -> None:
    """Rotating cantilever, pure Euler–Bernoulli: flap 4.137320, 5.585001, 9.256838 and lag² = flap² − γ².

    Without rotary inertia and with a stretch so stiff that it does not couple (slenderness 1e4); sixteen elements
    of order 4 resolve the bending at the root, a length of 1/γ, to 2e-5.
    """
    flap = {2.0: 4.137320, 4.0: 5.585001, 8.0: 9.256838}[gamma]
    slender = replace(SECTION, inertia_z=SECTION.area * 1e-8, inertia_y=SECTION.area * 1e-8)
    scale = np.sqrt(MATERIAL.young * slender.inertia_z / (MATERIAL.density * slender.area))
    body = beam_body(line(1.0, 16), "euler_bernoulli", [Clamp("start")], section=slender, rotary_inertia=0.0)
    found = frequencies(body, FrameMotion.spin(gamma * scale), count=2) / scale
    np.testing.assert_allclose(found, [np.sqrt(flap**2 - gamma**2), flap], rtol=2e-5)


@pytest.mark.parametrize(("law", "exact"), [("green", 1.571710373293), ("engineering", 1.558011906332)])
def test_stretching_of_a_spinning_beam(law: str, exact: float) -> None:
    """2 % strain at the root, Ω² = 0.04: ((1 + 0.02 (1 − x²)) u')' + (ω² + Ω²) u = 0 with Green's strain.

    Engineering strain has no N u'²: ω² = π²/4 − Ω². Linear elements have order 2: the limit from 8 and 16 of them
    is right to the fourth, (π/2/8)⁴/500 = 3e-6. A bar has Green's strain and the same elements.
    """
    section = replace(SECTION, inertia_z=SECTION.area * 1e-6, inertia_y=SECTION.area * 1e-6)
    material = replace(MATERIAL, young=1.0, density=1.0)
    held = (Clamp("start"), Fix("all", ("uy", "uz", "rx", "ry", "rz")))

    def first(divisions: int) -> float:
        body = beam_body(line(1.0, divisions), "timoshenko", held, section=section, material=material)
        prop = replace(body.regions[0].prop, strain_law=law)
        body = replace(body, regions=(replace(body.regions[0], prop=prop),))
        return float(frequencies(body, FrameMotion.spin(0.2), count=1)[0])

    coarse, fine = first(8), first(16)
    assert (4 * fine - coarse) / 3 == pytest.approx(exact, rel=5e-6)
    if law == "green":
        rod = Region(BarProperty(material, section.area))
        bar = Body(
            "rod", line(1.0, 8), (rod,), supports=(Clamp("start"), Fix("all", ("uy", "uz"))), space="spatial"
        )
        assert coarse == pytest.approx(float(frequencies(bar, FrameMotion.spin(0.2), count=1)[0]), rel=1e-11)


def test_rotary_inertia_of_a_spinning_beam() -> None:
    """A rigid beam hinged at the axis of its spin about z: rigid dynamics gives the stiffness of flap and lag.

    With J = ∫ρxxᵀ about the hinge, flap has ω²(J_xx − J_zz) and inertia J_xx + J_zz; lag is free. The hinge holds
    ux, uy, uz and rx.
    """
    body = beam_body(line(1.5, 2), "timoshenko", [Fix("start", ("ux", "uy", "uz", "rx"))])
    discrete = discretise(body)
    J = discrete.inertia.second_moment
    rigid = rigid_displacements(discrete.dofs, body.mesh.points)
    K = stiffness_of_motion(discrete, SPIN)
    flap, lag = rigid[:, 4], rigid[:, 5]
    assert lag @ K @ lag == pytest.approx(0, abs=1e-12)
    assert flap @ K @ flap == pytest.approx(OMEGA**2 * (J[0, 0] - J[2, 2]), rel=1e-11)
    assert flap @ discrete.mass @ flap == pytest.approx(J[0, 0] + J[2, 2], rel=1e-12)


def test_terms_are_multipliers() -> None:
    """Each multiplier scales its own parts and nothing else; the stress is that of the true loads."""
    body = replace(SHAPES["rectangle of quadrilaterals"], supports=(Clamp("left"),))
    discrete = discretise(replace(body, loads=(NodeForce("top_right", (0.2, 0.1)),)))
    motion = FrameMotion((0, 0, 0.9), (0, 0, 0.4), (3.0, 2.0, 0), (0.3, 0.1, 0))
    true = equations_of_motion(discrete, motion)
    chosen = Terms(coriolis=0.5, euler=-2.0, centrifugal=3.0, geometric=0.25)
    scaled = equations_of_motion(discrete, motion, chosen)
    assert not chosen.physical
    assert true.terms.physical
    for kind in ("damping_parts", "stiffness_parts", "load_parts"):
        for name, part in getattr(true, kind).items():
            factor = getattr(chosen, name, 1.0)
            other = getattr(scaled, kind)[name]
            difference = other - factor * part
            assert np.abs(difference).max() <= ROUNDING * np.abs(part).max()
    # sums are the sums of the named parts
    K = sum(part.toarray() for part in scaled.stiffness_parts.values())
    np.testing.assert_allclose(scaled.stiffness.toarray(), K, atol=ROUNDING)
    np.testing.assert_allclose(scaled.load, sum(scaled.load_parts.values()), atol=ROUNDING)
    # a multiplier of zero takes the part out
    none = equations_of_motion(discrete, motion, Terms(0, 0, 0, 0))
    assert set(none.stiffness_parts) == {"elastic"}
    assert not none.damping_parts
    assert set(none.load_parts) == {"origin", "applied"}


def test_velocity_of_the_origin_does_not_matter() -> None:
    """Galilei: v_O appears nowhere, to the last bit."""
    discrete = discretise(SHAPES["beam frame in space"])
    still = FrameMotion((0.3, -0.5, 0.9), (0.2, 0.4, -0.1), (0, 0, 0), (0.3, 0.1, 0.7))
    moving = replace(still, origin_velocity=np.array([3.0, -7.0, 11.0]))
    first, second = equations_of_motion(discrete, still), equations_of_motion(discrete, moving)
    for name in ("mass", "damping", "stiffness"):
        assert np.abs(getattr(first, name) - getattr(second, name)).max() == 0
    np.testing.assert_array_equal(first.load, second.load)


def test_structural_damping_is_relative_to_the_frame() -> None:
    """αM + βK of a held body beside the Coriolis matrix, in a part of its own."""
    body = replace(SHAPES["straight beam"], supports=(Clamp("start"),), damping=Damping(mass=0.3, stiffness=0.02))
    discrete = discretise(body)
    parts = equations_of_motion(discrete, SPIN).damping_parts
    expected = 0.3 * discrete.mass.toarray() + 0.02 * discrete.stiffness.toarray()
    np.testing.assert_allclose(parts["structural"].toarray(), expected, atol=ROUNDING)
    coriolis = parts["coriolis"].toarray()
    np.testing.assert_allclose(
        coriolis, 2 * discrete.inertia.contraction(skew([0, 0, OMEGA])).toarray(), atol=ROUNDING
    )


def test_frame_at_rest_adds_nothing() -> None:
    """Without motion and loads the elastic stiffness is alone."""
    equations = equations_of_motion(discretise(SHAPES["truss"]), FrameMotion(origin_velocity=(5.0, 1.0, 0.0)))
    assert set(equations.stiffness_parts) == {"elastic"}
    assert not equations.damping_parts
    assert not equations.load_parts
    assert np.abs(equations.damping).max() == 0
    assert np.abs(equations.load).max() == 0


def test_spin_axis_turns_with_the_body() -> None:
    """A spatial frame turned by Q with its spin axis has the same frequencies; condition about 1e4."""
    Q = rotation_from_vector(np.array([0.3, 1.1, -0.4]))
    frame = frame_of_beams("timoshenko", "spatial")
    (region,) = frame.regions
    here = replace(
        frame, supports=(Clamp("start"),), regions=(replace(region, prop=replace(region.prop, up=(0, 0, 1.0))),)
    )
    there = replace(
        here,
        mesh=frame.mesh.moved(Q),
        regions=(replace(region, prop=replace(region.prop, up=tuple(Q[:, 2]))),),
    )
    axis = np.array([0.2, 0.5, 0.8])
    first = frequencies(here, FrameMotion.spin(0.3, axis))
    second = frequencies(there, FrameMotion.spin(0.3, Q @ axis))
    np.testing.assert_allclose(first, second, rtol=1e-8)
