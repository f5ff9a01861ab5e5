"""The six formalisms at the level of a system: the same accelerations, forces and motions by six routes."""

from dataclasses import replace

import numpy as np
import pytest
from tests.dynamics.samples import simulate
from tests.rounding import ROUNDING, rounding

from flexframe.analyses.crosscheck.system_analysis import crosscheck_dynamics
from flexframe.errors import AnalysisError
from flexframe.formalisms.mass_points import Work, mass_points
from flexframe.formalisms.point_systems import point_system
from flexframe.formalisms.registry import formalism_named, numeric_formalisms
from flexframe.formalisms.system_motion import ByFormalism, formalism_run
from flexframe.model.friction import Friction
from flexframe.model.joints import Revolute
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.system import System
from flexframe.model.system_loads import MarkerForce, SystemGravity, TorsionSpring
from flexframe.multibody.contract import DynamicState
from flexframe.multibody.equations import accelerations_at, equations_at
from flexframe.multibody.start import initial_state
from flexframe.multibody.system import dynamic_system, to_second_order

from .system_samples import (
    SYSTEMS,
    double_pendulum,
    free_body,
    redundant_four_bar,
    slider_crank,
    spatial_arm,
    state_of,
)

MADE = {name: make() for name, make in SYSTEMS.items()}


def rods(*loads) -> System:
    """The rigid double pendulum of uniform rods, horizontal and at rest."""
    bodies = [RigidBody.rod(name, length=1.0, mass=1.0) for name in ("upper", "lower")]
    joints = [Revolute("A", "ground.O", "upper.start"), Revolute("B", "upper.end", "lower.start")]
    start = {"lower": Placement((1.0, 0.0))}
    return System(bodies, joints, (), [SystemGravity(), *loads], {"O": (0, 0)}, start)


@pytest.mark.parametrize("formalism", numeric_formalisms(), ids=lambda formalism: formalism.name)
@pytest.mark.parametrize("name", MADE)
def test_accelerations_and_joint_forces(name: str, formalism) -> None:
    """Against the compiled equations at a deformed, moving state, in units of the mass matrix.

    1e-10: stiff shapes make M⁻¹k of order 1e8 beside gravity, so that rounding of the elastic forces shows as
    1e-12.
    """
    system = MADE[name]
    if formalism.system_refusal(system) is not None:
        assert formalism.name == "whittaker"
        assert name != "elastic double pendulum"
        return
    state = state_of(system, deflection=2e-3)
    equations, expected = equations_at(system, state), accelerations_at(system, state)
    found = formalism.system_motion(point_system(system).at(state), Work())
    unit = 1 / np.sqrt(np.diagonal(equations.mass))
    size = np.abs(expected.velocity_rate / unit).max()
    assert np.abs((found.accelerations - expected.velocity_rate) / unit).max() < 1e-10 * size
    forces = equations.constraint.T @ expected.multipliers
    assert np.abs((found.joint_forces - forces) * unit).max() < 1e-10 * (
        size + np.abs(forces * unit).max(initial=0.0)
    )


@pytest.mark.parametrize("second_order", [False, True], ids=["field", "second order"])
@pytest.mark.parametrize("planar", [False, True], ids=["spatial", "planar"])
def test_mass_points_have_the_integrals_of_a_body(planar: bool, second_order: bool) -> None:
    """All sums of w (1, x, F)(1, x, F); a kinetic energy without its higher terms needs negative weights."""
    system = double_pendulum() if planar else spatial_arm()
    body = system.bodies[0]
    body = to_second_order(body) if second_order else body
    axes = slice(0, 2) if planar else slice(0, 3)
    points = mass_points(body, planar=planar)
    w, s, x, F = points.weights, points.shares, points.positions[:, axes], points.fields[:, axes]
    assert w @ s**2 == pytest.approx(body.mass, rel=1e-13)
    sums = {
        "first_moment": (np.einsum("g,g,gi->i", w, s, x), body.first_moment[axes]),
        "second_moment": (np.einsum("g,gi,gj->ij", w, x, x), body.second_moment[axes, axes]),
        "origin_coupling": (np.einsum("g,g,gir->ir", w, s, F), body.origin_coupling[axes]),
        "position_coupling": (np.einsum("g,gi,gjr->ijr", w, x, F), body.position_coupling[axes, axes]),
        "shape_products": (np.einsum("g,gir,gjt->ijrt", w, F, F), body.shape_products[axes, axes]),
    }
    for name, (found, expected) in sums.items():
        scale = max(float(np.abs(expected).max()), 1e-30)
        np.testing.assert_allclose(found, expected, atol=1e-12 * scale, err_msg=name)
    assert (w > 0).all() or second_order


@pytest.mark.parametrize("name", ["elastic double pendulum", "spatial arm", "free body"])
def test_motions_by_every_formalism(name: str) -> None:
    """One integrator at 1e-12, six sets of equations: the same place after the fastest period, 1e-9 of what moved.

    The compiled equations are compared with second derivatives of positions on the way: round-off.
    """
    record = crosscheck_dynamics(MADE[name])
    assert record.agrees, record.summary()["formalisms"]
    # sums of at most a thousand products, positions some lengths from the origin
    assert record.closed_form_difference < rounding(1000, 10)
    applicable = [check for check in record.checks if check.applicable]
    assert len(applicable) == (6 if name == "elastic double pendulum" else 5)
    for check in applicable[1:]:
        assert check.differences["motion"] < 1e-9
        assert check.drift < 1e-9


def test_unknowns_of_a_redundant_loop() -> None:
    """18 velocities, 20 rows of which 17 count: one freedom for Maggi and Kane, all rows with multipliers."""
    record = crosscheck_dynamics(redundant_four_bar(), duration=0.02)
    unknowns = {check.name: check.unknowns for check in record.checks}
    assert unknowns == {
        "lagrange": 38,
        "gibbs_appell": 18,
        "hamilton": 36,
        "maggi": 1,
        "kane": 1,
        "whittaker": 0,
    }
    assert record.agrees


@pytest.mark.parametrize("formalism", ["kane", "lagrange", "whittaker"])
def test_published_double_pendulum(formalism: str) -> None:
    """Uniform rods let go from the horizontal: hinge and tip after one second to all published digits.

    Whittaker's motion starts at a brake point, from which it leaves in time, and passes turning points.
    """
    system = dynamic_system(rods())
    run = simulate(system, samples=[0.0, 0.5, 1.0], tolerance=1e-11, integrator=ByFormalism(formalism))
    hinge = run.positions[-1, 1, :2]
    tip = hinge + np.array([np.cos(run.angles[-1, 1]), np.sin(run.angles[-1, 1])])
    np.testing.assert_allclose(hinge, (-0.934807, -0.355155), atol=1e-6)
    np.testing.assert_allclose(tip, (-1.662115, -1.041467), atol=1e-6)
    assert run.position_residuals.max() < 1e-12
    assert run.energy_drift < 1e-9


def test_elastic_pendulum_in_its_angle() -> None:
    """Whittaker's angle for the time on an elastic double pendulum that swings: the motion that Kane has in time.

    The energy is fixed in h, so that it is kept to the rounding of the projection; 1e-7 of the deflection.
    """
    system, times = double_pendulum(), np.linspace(0.0, 0.004, 3)
    start = state_of(system, deflection=2e-4)
    in_time = formalism_run(system, start, times, formalism="kane", tolerance=1e-11).simulation
    in_angle = formalism_run(system, start, times, formalism="whittaker", tolerance=1e-11).simulation
    np.testing.assert_allclose(in_angle.times, times, atol=ROUNDING)
    size = np.abs(in_time.deformations).max()
    np.testing.assert_allclose(in_angle.deformations, in_time.deformations, atol=1e-7 * size)
    np.testing.assert_allclose(in_angle.angles, in_time.angles, atol=1e-9)
    assert in_angle.energy_drift < 1e-10


def test_continued_motion_is_the_same() -> None:
    """State, step and tolerances are kept: momenta are formed again, so that only their rounding differs."""
    system, times = dynamic_system(rods()), np.linspace(0.0, 0.4, 5)
    options = {"tolerance": 1e-8, "integrator": ByFormalism("hamilton")}
    whole = simulate(system, samples=times, **options)
    half = simulate(system, samples=times[:3], **options)
    rest = simulate(system, half.end, samples=times[2:], **options)
    np.testing.assert_allclose(rest.positions[-1], whole.positions[-1], rtol=0, atol=1e-13)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (spatial_arm, "moves in space"),
        (slider_crank, "motor prescribes a motion in time"),
        (lambda: free_body("planar", damping=1e-4), "beam is damped"),
        (lambda: dynamic_system(rods(TorsionSpring("s", "ground.O", "upper.start", damping=0.1))), "damper of s"),
        (
            lambda: dynamic_system(rods(Friction("f", "ground.O", "upper.start", 1.0, of="rotation"))),
            "f depends on",
        ),
        (lambda: dynamic_system(rods(MarkerForce("push", "lower.end", (1.0, 0.0, 0.0)))), "force push"),
    ],
)
def test_whittaker_says_why_it_does_not_apply(make, reason: str) -> None:
    system = make()
    found = formalism_named("Whittaker").system_refusal(system)
    assert found is not None
    assert reason in found
    with pytest.raises(AnalysisError, match="does not apply"):
        formalism_run(system, initial_state(system), np.array([0.0, 0.1]), formalism="whittaker")


def test_at_rest_no_angle_can_replace_time() -> None:
    system = dynamic_system(rods())
    instant = point_system(system).at(initial_state(system))
    with pytest.raises(AnalysisError, match="brake point"):
        formalism_named("whittaker").system_motion(instant, Work())


def test_motions_without_inertia() -> None:
    """A massless body that others hold: the accelerations are those without it, by every formalism."""
    system = rods()
    light = replace(
        system, bodies=[*system.bodies, RigidBody("light", 0.0, 0.0, points={"P": (0, 0), "Q": (0.5, 0)})]
    )
    joined = replace(
        light,
        joints=[*system.joints, Revolute("C", "ground.O", "light.P"), Revolute("D", "upper.M", "light.Q")],
        bodies=[
            RigidBody.rod("upper", length=1.0, mass=1.0, points={"M": (0.5, 0.0)}),
            *light.bodies[1:],
        ],
    )
    dynamic = dynamic_system(joined)
    instant = point_system(dynamic).at(initial_state(dynamic))
    plain = dynamic_system(system)
    expected = accelerations_at(plain, initial_state(plain)).velocity_rate
    for formalism in numeric_formalisms()[:5]:
        found = formalism.system_motion(instant, Work()).accelerations
        np.testing.assert_allclose(
            found[:6], expected, atol=1e-10 * np.abs(expected).max(), err_msg=formalism.name
        )


def test_free_motion_without_inertia_is_refused() -> None:
    """A massless body that hangs on one hinge turns without inertia; every formalism says so."""
    light = RigidBody("light", 0.0, 0.0, points={"P": (0, 0)})
    system = System([light], [Revolute("C", "ground.O", "light.P")], ground={"O": (0, 0)})
    dynamic = dynamic_system(system)
    state = DynamicState(
        0.0,
        *(np.zeros((1, 3)), np.array([[1.0, 0, 0, 0]]), np.zeros(0)),
        *(np.zeros((1, 3)),) * 2,
        np.zeros(0),
        np.zeros(1),
    )
    instant = point_system(dynamic).at(state)
    for formalism in numeric_formalisms()[:5]:
        with pytest.raises(AnalysisError, match="inertia"):
            formalism.system_motion(instant, Work())
