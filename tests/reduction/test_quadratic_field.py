"""The quadratic displacement field: identities with geometric stiffness, closed forms, choice of supports."""

from dataclasses import replace

import numpy as np
import pytest
from tests.rounding import ROUNDING

from flexframe.assembly.discrete import discretise
from flexframe.assembly.inertia import CYCLIC
from flexframe.assembly.loads import AppliedLoads
from flexframe.elements.properties import Rectangle
from flexframe.maths.rotations import skew
from flexframe.model.body import Body
from flexframe.model.supports import Clamp, Fix
from flexframe.motion.frame import FrameMotion
from flexframe.reduction.attached import attach
from flexframe.reduction.basis import reduction_basis
from flexframe.reduction.equations import reduced_equations
from flexframe.reduction.geometric import UnitLoads, geometric_stiffness
from flexframe.reduction.interfaces import Interface
from flexframe.reduction.kinetics import (
    kinetic_energy,
    mass_matrix,
    point_position,
)
from flexframe.reduction.reduced_body import reduce_body, reduced_body
from flexframe.reduction.strategies import Guyan, Modal

from .samples import FREE, MATERIAL, beam, clamped, frame, plate

every_body = pytest.mark.parametrize("name", FREE)
both = pytest.mark.parametrize("held", [True, False], ids=["held", "free"])


def close(computed, expected, tolerance: float, scale: float) -> None:
    assert np.abs(np.asarray(computed) - expected).max() <= tolerance * max(scale, np.abs(expected).max())


@every_body
@both
def test_integrals_are_those_of_the_geometric_invariants(name: str, held: bool) -> None:
    """g_i, H_ab against Vᵀk_gV of the assembled invariants: k_g^(i), k_g^a, k_g^ab and ΣH = −½Σk_g^aa.

    The loads differ (x_a e_b alone, not the frame's accelerations) and the stress is assembled elsewhere, so that
    agreement is up to the condition of the static solution, about 1e4 times rounding.
    """
    attached = attach(clamped(FREE[name]) if held else FREE[name])
    basis = reduction_basis(attached, Modal(4))
    body, known = reduced_body(attached, basis), attached.discrete.geometric
    H = body.position_quadratic
    scale = float(np.abs(H).max())
    assert scale > 1e-3
    trace = np.zeros_like(H[0, 0])
    for a, b, c in CYCLIC:
        close(body.origin_quadratic[a], basis.reduce(known.invariant(("origin", a, 0))), 1e-11, scale)
        close(body.euler_quadratic[a], basis.reduce(known.invariant(("euler", a, 0))), 1e-11, scale)
        own = basis.reduce(known.invariant(("centrifugal", a, a)))
        mixed = basis.reduce(known.invariant(("centrifugal", min(b, c), max(b, c))))
        close(body.centrifugal_quadratic[a, a], own, 1e-11, scale)
        close(body.centrifugal_quadratic[b, c], mixed, 1e-11, scale)
        trace += own
    close(H[0, 0] + H[1, 1] + H[2, 2], -trace / 2, 1e-11, scale)


@every_body
@both
def test_points_are_unit_forces(name: str, held: bool) -> None:
    """G_i(x_P) = −k_g^(P,i), the stiffness of the stress that a unit force at the point causes."""
    node = FREE[name].mesh.node_count - 2 if name != "flanged solid" else 5
    attached = attach(clamped(FREE[name]) if held else FREE[name], sensors=[Interface("P", node)])
    basis = reduction_basis(attached, Modal(4))
    (point,) = reduced_body(attached, basis).sensors
    discrete = attached.discrete
    for column in np.flatnonzero(discrete.dofs.numbers[node] >= 0):
        forces = np.zeros(discrete.dofs.count)
        forces[discrete.dofs.numbers[node, column]] = 1.0
        applied = AppliedLoads(forces, np.zeros(3), np.zeros_like(discrete.loads.line))
        alone = replace(discrete.geometric, applied=applied, _known={})
        expected = -basis.reduce(alone.invariant(("applied", 0, 0)))
        close(point.quadratic[column], expected, 1e-10, float(np.abs(point.quadratic).max()))


@pytest.mark.parametrize("theory", ["euler_bernoulli", "timoshenko"])
def test_tip_of_a_bent_cantilever(theory: str) -> None:
    """Under a tip force F the tip comes nearer by F²L⁵/15(EI)² (second order of the elastica).

    With shear v' = θ + F/κGA: ½∫v'² gains F²L³/(3 EI κGA) + F²L/2(κGA)²; k_g acts along the tangent. The static
    shape is exact, so that only rounding of the solution (1e-10) is left.
    """
    body = beam("planar", divisions=5, theory=theory, supports=(Clamp("start"),))
    reduced = reduce_body(body, Guyan(), interfaces=[Interface("tip", "end")])
    section, L = body.regions[0].prop.section, 1.5  # type: ignore[attr-defined]
    EI = MATERIAL.young * section.inertia_z
    force = 0.01 * EI / L**2
    shear = MATERIAL.shear_modulus * section.area * section.shear_factor
    load = reduced.point("tip").rows[1] * force
    q = np.linalg.solve(reduced.stiffness, load)
    place = point_position(reduced.point("tip"), q)
    expected = -(force**2) * L**5 / (15 * EI**2)
    if theory == "timoshenko":
        expected -= force**2 * L**3 / (3 * EI * shear) + force**2 * L / (2 * shear**2)
    assert place[0] - L == pytest.approx(expected, rel=1e-9)
    linear = point_position(reduced.point("tip"), q, quadratic=False)
    assert linear[0] == pytest.approx(L, abs=ROUNDING)
    np.testing.assert_allclose(place[1], linear[1], rtol=1e-9)


def test_foreshortening_integrals_of_a_cantilever() -> None:
    """g_x = −∫ρA ∫₀ˣ (u'u' + w'w') and H_xx = −∫ρA x ∫₀ˣ (u'u' + w'w') of Euler–Bernoulli fields, by quadrature.

    Green's strain of the axis keeps its linear part. The fields are cubics on each element, so that slopes follow
    from nodal values and eight points are exact.
    """
    divisions, L = 4, 1.5
    body = beam("planar", divisions, theory="euler_bernoulli", supports=(Clamp("start"),), rotary_inertia=0.0)
    attached = attach(body)
    basis = reduction_basis(attached, Modal(5))
    reduced = reduced_body(attached, basis)
    nodal = attached.discrete.dofs.nodal(basis.vectors)
    h = L / divisions
    points, weights = np.polynomial.legendre.leggauss(8)
    squares = np.zeros((reduced.size, reduced.size))  # ∫₀ˣ (u_r'u_t' + w_r'w_t') so far
    g, H = np.zeros_like(squares), np.zeros_like(squares)
    density = MATERIAL.density * body.regions[0].prop.section.area  # type: ignore[attr-defined]

    def slopes(element: int, s):
        v1, t1, v2, t2 = (nodal[element + i, column] for i, column in ((0, 1), (0, 5), (1, 1), (1, 5)))
        first = (6 * s**2 - 6 * s) / h * (v1 - v2)
        stretch = (nodal[element + 1, 0] - nodal[element, 0]) / h
        return np.stack([stretch, first + (1 - 4 * s + 3 * s**2) * t1 + (3 * s**2 - 2 * s) * t2])

    for element in range(divisions):
        for t, w in zip((points + 1) / 2, weights / 2, strict=True):
            inner = squares.copy()
            for t2, w2 in zip((points + 1) / 2, weights / 2, strict=True):
                d = slopes(element, t * t2)
                inner += w2 * t * h * d.T @ d
            g -= density * w * h * inner
            H -= density * w * h * (element + t) * h * inner
        for t, w in zip((points + 1) / 2, weights / 2, strict=True):
            d = slopes(element, t)
            squares += w * h * d.T @ d
    close(reduced.origin_quadratic[0], g, 1e-10, 0.0)
    close(reduced.position_quadratic[0, 0], H, 1e-10, 0.0)


def balanced_loads(body: Body, rng: np.random.Generator) -> UnitLoads:
    """A spin, accelerations and forces at two nodes whose sum has no resultant and no moment."""
    discrete = discretise(body)
    inertia, planar = discrete.inertia, body.space == "planar"
    free = discrete.equilibrium.rigid.shape[1]
    forces = np.zeros((body.mesh.node_count, 6))
    forces[[1, -1], :3] = rng.standard_normal((2, 3))
    forces[:, 2] *= not planar
    omega = np.array([0, 0, 0.8]) if planar else rng.standard_normal(3)
    W2 = skew(omega) @ skew(omega)
    vector = forces[discrete.dofs.numbers >= 0] - inertia.position_load(W2)
    # the accelerations that this load gives the free body
    solution = discrete.equilibrium.solve(vector)
    a, alpha = solution.relief[:3, 0], solution.relief[3:, 0]
    assert free == (3 if planar else 6)
    vector = vector + inertia.origin_load(a) + inertia.position_load(skew(alpha))
    return UnitLoads(vector[:, None], a[None], (skew(alpha) - W2)[None])


def determinate_supports(body: Body) -> tuple[tuple, tuple]:
    """Two supports that hold the body without straining it: a clamp of one node, or single conditions."""
    if body.name == "frame":
        return (Clamp(0),), (Clamp(body.mesh.node_count - 1),)
    made = []
    for x in (0.0, 1.5):
        corners = [(x, 0, 0), (x, 0.4, 0), (x, 0, 0.3)]
        along, back = ("ux", "uy", "uz"), ("ux", "uz")
        if body.space == "planar":
            made.append((Fix(corners[0], along[:2]), Fix(corners[1], back[:1])))
        else:
            made.append((Fix(corners[0], along), Fix(corners[1], back), Fix(corners[2], ("ux",))))
    return made[0], made[1]


@pytest.mark.parametrize("name", ["spatial frame", "planar frame", "plate", "solid", "solid of tetrahedra"])
def test_balanced_loads_do_not_feel_the_support(name: str) -> None:
    """k_g of a balanced load is the same with inertia relief and held at either end: no reaction remains.

    Singly the loads differ by order one. Three static solutions agree to their condition, 1e4 times rounding.
    """
    body = FREE[name]
    rng = np.random.default_rng(5)
    loads = balanced_loads(body, rng)
    free = discretise(body)
    V = rng.standard_normal((free.dofs.count, 3))
    held = [discretise(replace(body, supports=supports)) for supports in determinate_supports(body)]
    found = [geometric_stiffness(discrete, loads, V)[0] for discrete in (free, *held)]
    size = np.abs(found[0]).max()
    for other in found[1:]:
        assert np.abs(other - found[0]).max() < 1e-9 * size
    # one load of the sum alone depends on the support
    alone = UnitLoads(-free.inertia.origin_load(np.eye(3)[0])[:, None], -np.eye(3)[:1], np.zeros((1, 3, 3)))
    single = [geometric_stiffness(discrete, alone, V)[0] for discrete in held]
    assert np.abs(single[0] - single[1]).max() > 1e-3 * np.abs(single[0]).max()


@every_body
def test_mean_axes_hold_for_the_quadratic_field(name: str) -> None:
    """Inertia balances a uniform acceleration exactly: no stress, g = 0 and ∫ρ x × u₂ = 0."""
    body = reduce_body(FREE[name], Modal(4))
    scale = np.abs(body.position_quadratic).max()
    assert np.abs(body.origin_quadratic).max() < 1e-10 * scale
    planar = "plan" in name or "plate" in name
    axes = [2] if planar else [0, 1, 2]
    assert np.abs(body.euler_quadratic[axes]).max() < 1e-10 * scale


@pytest.mark.parametrize("name", ["spatial frame", "plate", "solid", "flanged solid"])
def test_lagrangian_about_steady_spin(name: str) -> None:
    """Second derivatives of T − ½δᵀkδ at δ = 0 are section-4 matrices with their k_g.

    T is of second degree in (δ, δ̇) but for terms in δ²δ̇, so central differences with step 1 of the energy at rest
    and of the momentum at δ̇ = 0 are exact; a skew matrix is left by the symmetric k_g^a for constant ω.
    """
    body = reduce_body(clamped(FREE[name]), Modal(4))
    m, rng = body.size, np.random.default_rng(6)
    omega = rng.standard_normal(3) if body.name != "plate" else np.array([0, 0, 1.3])
    rest = np.zeros(3)

    def energy(delta, rates) -> float:
        return kinetic_energy(body, delta, rest, omega, rates) - delta @ body.stiffness @ delta / 2

    unit, zero = np.eye(m), np.zeros(m)
    hessian = np.array(
        [
            [
                (energy(r + t, zero) - energy(r - t, zero) - energy(t - r, zero) + energy(-r - t, zero)) / 4
                for t in unit
            ]
            for r in unit
        ]
    )
    mixed = np.array([[_mixed(energy, r, t) for t in unit] for r in unit])  # ∂²L/∂δ̇_r∂δ_t
    equations = reduced_equations(body, FrameMotion(angular_velocity=omega))
    size = np.abs(equations.stiffness).max()
    np.testing.assert_allclose(-hessian, equations.stiffness, atol=1e-11 * size)
    # d/dt(∂L/∂δ̇) − ∂L/∂δ brings B − Bᵀ of δ̇ᵀBδ
    np.testing.assert_allclose(mixed - mixed.T, equations.damping, atol=1e-11 * size)


def _mixed(energy, rate, delta) -> float:
    return (energy(delta, rate) - energy(-delta, rate) - energy(delta, -rate) + energy(-delta, -rate)) / 4


def test_large_deformation_loses_definiteness() -> None:
    """The quadratic field without its own kinetic energy loses definiteness when the body bends by its length."""
    body = reduce_body(
        Body.beam(
            "rod",
            length=1.0,
            divisions=8,
            section=Rectangle(0.01, 0.01),
            material=MATERIAL,
            space="planar",
            supports=(Clamp("start"),),
        ),
        Modal(2),
        interfaces=[Interface("tip", "end")],
    )
    small = np.zeros(body.size)
    small[0] = 0.01 / abs(body.point("tip").rows[1, 0])
    near, far = (mass_matrix(body, factor * small) for factor in (1.0, 200.0))
    moving = np.diagonal(near) > 0  # a line of points has no inertia about itself
    assert np.linalg.eigvalsh(near[np.ix_(moving, moving)])[0] > 0
    assert np.linalg.eigvalsh(far[np.ix_(moving, moving)])[0] < 0


def test_point_beside_its_nodes_turns_with_them() -> None:
    """x_P of a point o away from the mean of its nodes moves by ½θ×(θ×o) more than that mean."""
    offset = np.array([0.3, 0.1])
    points = [Interface("centre", "right"), Interface("beside", "right", at=(1.5 + offset[0], 0.2 + offset[1]))]
    body = reduce_body(replace(plate(), supports=(Clamp("left"),)), Modal(3), sensors=points)
    q = np.random.default_rng(7).standard_normal(body.size)
    centre, beside = body.sensors
    turn = float(centre.rows[5] @ q)
    arm = np.array([*offset, 0])
    second = [point_position(p, q) - point_position(p, q, quadratic=False) for p in (centre, beside)]
    bend = np.einsum("rt,r,t->", centre.quadratic[5], q, q) / 2
    expected = second[0] + np.cross([0, 0, bend], arm) - turn**2 / 2 * arm
    np.testing.assert_allclose(second[1], expected, rtol=1e-10)


def test_frame_changes_nothing_in_the_energy_of_a_rigid_motion() -> None:
    """At δ = δ̇ = 0 the energy is that of a rigid body."""
    body = reduce_body(clamped(frame()), Modal(3))
    v, omega = np.random.default_rng(8).standard_normal((2, 3))
    J, S = body.second_moment, body.first_moment
    tensor = np.trace(J) * np.eye(3) - J
    expected = body.mass * v @ v / 2 + v @ np.cross(omega, S) + omega @ tensor @ omega / 2
    assert kinetic_energy(body, np.zeros(3), v, omega, np.zeros(3)) == pytest.approx(expected, rel=1e-13)


def test_a_load_without_nodal_forces_stresses_the_sections() -> None:
    """−ρ y e_y on a straight planar beam pulls its sections apart but pushes no node: k_g^xx = −H_yy all the same.

    Both are integrals of the same polynomials; 1e-12 is rounding.
    """
    attached = attach(clamped(FREE["planar beam"]))
    basis = reduction_basis(attached, Modal(4))
    slopes = np.zeros((1, 3, 3))
    slopes[0, 1, 1] = -1.0
    loads = UnitLoads(np.zeros((attached.discrete.dofs.count, 1)), np.zeros((1, 3)), slopes)
    made = geometric_stiffness(attached.discrete, loads, basis.vectors)[0]
    known = basis.reduce(attached.discrete.geometric.invariant(("centrifugal", 0, 0)))
    assert np.abs(known).max() > 1e-3
    close(made, -known, 1e-12, float(np.abs(known).max()))
