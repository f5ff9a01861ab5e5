"""Loads of the bodies themselves in coupled motions: exact motions, closed forms, one body on a known frame."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy import optimize
from scipy.special import fresnel

from flexframe.analyses.rigid_motion.analysis import rigid_motion
from flexframe.analyses.simulate import simulate
from flexframe.analyses.transient.coupled.beam_sections import BeamStress, beam_sections
from flexframe.analyses.transient.coupled.elastic_parts import ReductionChoice, elastic_parts
from flexframe.cases.case import parse_case
from flexframe.elements.properties import Material, Rectangle, SolidProperty
from flexframe.entries.motions import LawSignal
from flexframe.equations.coefficients import Terms
from flexframe.errors import InputError
from flexframe.formalisms.mass_points import Work
from flexframe.formalisms.point_systems import point_system
from flexframe.formalisms.registry import formalism_named, numeric_formalisms
from flexframe.maths.formula import Formula
from flexframe.maths.rotations import rotation_from_quaternion
from flexframe.mesh.solid_builders import block
from flexframe.model.body import Body, Region
from flexframe.model.drives import AngleDrive
from flexframe.model.joints import Revolute, Spherical, Weld
from flexframe.model.loads import Gravity, LineLoad, Load, NodeForce, Pressure, Traction
from flexframe.model.rigid_body import Placement
from flexframe.model.supports import Clamp
from flexframe.model.system import System
from flexframe.model.system_loads import BodyLoads, SystemGravity
from flexframe.motion.frame import planar
from flexframe.multibody.contract import DynamicState
from flexframe.multibody.equations import accelerations_at, equations_at, move_state
from flexframe.multibody.start import consistent_start
from flexframe.multibody.system import dynamic_system
from flexframe.reduction.attached import attach
from flexframe.reduction.basis import reduction_basis
from flexframe.reduction.interfaces import Interface
from flexframe.reduction.reduced_body import reduced_body
from flexframe.reduction.strategies import Modal
from flexframe.sensors import DofSensor, MarkerSensor

from .samples import resting_forces

LENGTH, SECTION = 1.2, Rectangle(width=0.03, height=0.02)
STEEL = Material(young=2e11, poisson=0.3, density=7800.0)
MASS = STEEL.density * SECTION.area * LENGTH


def bar(*loads: Load, space: str = "planar", divisions: int = 6, **changes) -> Body:
    return Body.beam(
        "bar",
        length=LENGTH,
        divisions=divisions,
        section=SECTION,
        material=STEEL,
        space=space,
        loads=loads,
        **changes,
    )


# ---------------------------------------------------------------------- bodies in free flight


def spinning_up(choice, tolerance: float = 1e-10) -> tuple:
    """A free bar under a uniform line load, which pushes its centre, and a couple of forces that spins it up."""
    q, couple = 40.0, 3.0
    pair = (NodeForce("start", (0.0, -couple / LENGTH)), NodeForce("end", (0.0, couple / LENGTH)))
    system = System([bar(LineLoad((q, 0.0)), *pair)])
    record = simulate(system, duration=0.8, tolerance=tolerance, samples=41, reductions={"bar": choice})
    return record, q * LENGTH, couple


def test_rigid_body_under_constant_forces_in_its_own_axes():
    """θ = αt²/2 and c̈ = (F/m)(cos θ, sin θ): the centre follows Fresnel's integrals; tolerance 1e-10 of a step."""
    record, force, couple = spinning_up("rigid")
    t = record.times
    alpha = couple / (MASS * (LENGTH**2 + SECTION.height**2) / 12)
    assert record.motion.configuration.angles[:, 0] == pytest.approx(alpha * t**2 / 2, abs=1e-8)
    # velocity: ∫cos(αt²/2) dt = √(π/α) C(t√(α/π))
    s, c = fresnel(t * np.sqrt(alpha / np.pi))
    speed = force / MASS * np.sqrt(np.pi / alpha) * np.stack([c, s], axis=1)
    angle = alpha * t**2 / 2
    arm, spin = LENGTH / 2 * np.stack([np.cos(angle), np.sin(angle)], axis=1), alpha * t
    origin = speed - spin[:, None] * np.stack([-arm[:, 1], arm[:, 0]], axis=1)
    found = record.motion.velocities.linear[:, 0, :2]
    assert found == pytest.approx(origin, abs=1e-8 * np.abs(origin).max())
    assert record.energy_drift < 1e-9


def test_stiff_elastic_body_moves_like_the_rigid_one():
    """Deflections of 1e-6 lengths change the motion by no more: the frame of mean axes is where the bar is."""
    rigid, elastic = spinning_up("rigid")[0], spinning_up(ReductionChoice(Modal(2)), 1e-7)[0]
    bent = np.abs(elastic.displacements["bar"][:, :, :2]).max()
    assert 1e-8 < bent < 1e-4
    places = [r.motion.configuration.positions[:, 0, :2] for r in (rigid, elastic)]
    assert places[1] == pytest.approx(places[0], abs=20 * bent)
    assert elastic.energy_drift < 1e-6


@pytest.mark.parametrize("choice", ["rigid", ReductionChoice(Modal(5))], ids=["rigid", "elastic"])
def test_a_load_that_keeps_its_direction_in_space(choice):
    """The centre of a tumbling bar flies a parabola under a dead line load, and the work is F·(r_c − r_c0).

    Both are exact for the rigid and the elastic bar, as the load acts on every particle in proportion to its mass;
    what is left is the tolerance of the integrator.
    """
    q = np.array([0.0, -30.0, 12.0])
    spin = (0.4, 2.0, 3.0)
    system = System(
        [bar(LineLoad(tuple(q)), space="spatial")],
        loads=[BodyLoads("wind", "bar", axes="space")],
        start={"bar": Placement(angular_velocity=spin)},
        space="spatial",
    )
    record = simulate(system, duration=0.5, tolerance=1e-10, samples=41, reductions={"bar": choice})
    t = record.times[:, None]
    momentum = record.linear_momentum
    assert momentum - momentum[0] == pytest.approx(q * LENGTH * t, abs=1e-7 * np.abs(momentum).max())
    path = momentum[0] / MASS * t + q * LENGTH / MASS * t**2 / 2  # of the centre
    assert record.energies["supplied"] == pytest.approx(path @ q * LENGTH, rel=1e-7, abs=1e-7)
    assert record.energy_drift < 1e-8


def test_a_factor_that_changes_in_time():
    """v = (F/m)(1 − cos ωt)/ω of a rigid bar under a force F sin ωt along its axis."""
    system = System([bar(LineLoad((50.0, 0.0)))], loads=[BodyLoads("shaker", "bar", factor="sin(9*t)")])
    record = simulate(system, duration=1.0, tolerance=1e-10, samples=41, reductions={"bar": "rigid"})
    expected = 50.0 * LENGTH / MASS * (1 - np.cos(9 * record.times)) / 9
    assert record.motion.velocities.linear[:, 0, 0] == pytest.approx(expected, abs=1e-8)


# ---------------------------------------------------------------------- a cantilever on a fixed hub


@cache
def roots() -> np.ndarray:
    """cosh β cos β = −1, with the shapes normalised to ∫φ² = 1 on the unit length."""
    return np.array(
        [optimize.brentq(lambda b: np.cos(b) + 1 / np.cosh(b), (n - 0.9) * np.pi, n * np.pi) for n in range(1, 9)]
    )


def shape(beta: float, x: np.ndarray) -> np.ndarray:
    ratio = (np.cosh(beta) + np.cos(beta)) / (np.sinh(beta) + np.sin(beta))
    return np.cosh(beta * x) - np.cos(beta * x) - ratio * (np.sinh(beta * x) - np.sin(beta * x))


def step_response(times: np.ndarray, *, tip: float = 0.0, line: float = 0.0) -> np.ndarray:
    """Deflection of the tip of an Euler–Bernoulli cantilever under loads that are there from t = 0."""
    EI, rhoA = STEEL.young * SECTION.inertia_z, STEEL.density * SECTION.area
    x, total = np.linspace(0, 1, 4001), np.zeros_like(times)
    for beta in roots():
        phi = shape(beta, x)
        force = tip * phi[-1] + line * LENGTH * np.trapezoid(phi, x)
        omega = (beta / LENGTH) ** 2 * np.sqrt(EI / rhoA)
        total += phi[-1] * force / (rhoA * LENGTH * omega**2) * (1 - np.cos(omega * times))
    return total


@pytest.mark.parametrize(("tip", "line"), [(3.0, 0.0), (0.0, 5.0)], ids=["tip force", "line load"])
def test_step_load_on_a_cantilever(tip, line):
    """Σφ(L)Q/ω²(1 − cos ωt) of the first eight modes.

    What is left are the modes above, 1e-4 of the deflection under a tip force and less under a line load, and the
    frequencies of the mesh, whose error of 1e-5 in the second mode grows to 5e-4 of its phase.
    """
    loads = (NodeForce("end", (0.0, tip)),) if tip else (LineLoad((0.0, line)),)
    body = bar(*loads, divisions=12, supports=(Clamp("start"),), theory="euler_bernoulli", rotary_inertia=0.0)
    system = System([body], [Weld("hub", "ground", "bar.start")])
    sensors = {"tip": MarkerSensor("displacement", "bar.end", along=(0.0, 1.0))}
    choice = {"bar": ReductionChoice(Modal(8))}
    record = simulate(
        system,
        duration=0.12,
        tolerance=1e-8,
        samples=241,
        reductions=choice,
        sensors=sensors,
        initial_deformation="undeformed",
    )
    expected = step_response(record.times, tip=tip, line=line)
    tolerance = 6e-4 if tip else 1e-4
    assert record.sensors["tip"].values == pytest.approx(expected, abs=tolerance * expected.max())
    # twice the static deflection: FL³/3EI or qL⁴/8EI, nearly in the first mode
    EI = STEEL.young * SECTION.inertia_z
    static = tip * LENGTH**3 / (3 * EI) + line * LENGTH**4 / (8 * EI)
    assert expected.max() == pytest.approx(2 * static, rel=0.02)
    # the work of the load is the energy that the bar holds, to the tolerance of the steps
    assert record.energy_drift < 5e-6
    assert record.energies["supplied"].max() > 0.9 * 2 * static * (tip or line * LENGTH * 0.4)


# ---------------------------------------------------------------------- the same as one body on a known frame

ANGLE = "4*t - 0.4*sin(5*t)"  # of the frame, which starts at 2 rad/s
COMPRESSION = 3000.0  # N, 44 % of π²EI/4L², at which the bar would buckle


def plank() -> Body:
    """A thin solid under pressure, traction along it and forces at its end, tied to its frame on the left."""
    mesh = block((0.5, 0.1, 0.01), (2, 1, 1), order=2)
    loads = (Pressure("top", 300.0), Traction("right", (-3e6, 2e4, 1e4)), NodeForce("right", (0.0, 0.0, 0.05)))
    return Body(
        "bar", mesh, (Region(SolidProperty(STEEL)),), supports=(Clamp("left"),), loads=loads, space="spatial"
    )


KNOWN = {
    "beam": lambda: bar(
        LineLoad((150.0, 8.0)),
        NodeForce("end", (-COMPRESSION, 5.0), (0.0, 0.0, 2.0)),
        divisions=3,
        supports=(Clamp("start"),),
    ),
    "solid": plank,
}


@pytest.mark.parametrize("name", KNOWN)
def test_agrees_with_one_body_on_a_known_frame(name):
    """All coordinates of the mesh kept, a driven frame: the equations are those of linear theory with k_g.

    Both integrate with the same step, which the first mode feels by (ωh)²/12 ~ 1e-5; the parts of quick modes,
    damped in one of them and not in the other, are 1e-3 of the deflection. Without k_g, which the compression
    of the loads makes, it would differ by more than a tenth.
    """
    body, steps, end = KNOWN[name](), 800, 0.1
    spatial = body.space == "spatial"
    start, tip = ("left", "right") if spatial else ("start", "end")
    node, dof = int(body.selected_nodes(tip)[-1]), "uz" if spatial else "uy"
    count = attach(body).discrete.supports.size
    system = System(
        [body],
        [Revolute("hub", "ground", f"bar.{start}")],
        [AngleDrive("motor", "ground", f"bar.{start}", ANGLE)],
        start={"bar": Placement(angular_velocity=(0, 0, 2.0))},
        space=body.space,
    )
    record, plain = (
        simulate(
            system,
            duration=end,
            step=end / steps,
            samples=101,
            sensors={"tip": MarkerSensor("displacement", "bar", at=node, along=(0, 0, 1) if spatial else (0, 1))},
            reductions={"bar": ReductionChoice(Modal(count, attachments=False))},
            terms=Terms(geometric=geometric),
            spectral_radius=0.95,
            initial_deformation="undeformed",
        )
        for geometric in (1.0, 0.0)
    )
    law = planar(LawSignal(Formula.parse(ANGLE)))
    known = simulate(body, law, duration=end, steps=steps, sensors={"tip": DofSensor(node, dof)}, stress=False)
    kept = np.searchsorted(known.times, record.times - 1e-9)
    assert known.times[kept] == pytest.approx(record.times, abs=1e-9)
    expected = known.sensors["tip"].values[kept]
    size = np.abs(expected).max()
    assert size > 1e-4
    assert record.sensors["tip"].values == pytest.approx(expected, abs=2e-3 * size)
    assert np.abs(plain.sensors["tip"].values - expected).max() > 0.1 * size


# ---------------------------------------------------------------------- the forces at a state


def somewhere(size: int, rng: np.random.Generator, bent: float = 0.05) -> DynamicState:
    """One body anywhere, deformed and moving."""
    quaternion = rng.normal(size=(1, 4))
    return DynamicState(
        time=0.3,
        positions=rng.normal(size=(1, 3)),
        quaternions=quaternion / np.linalg.norm(quaternion),
        deformation=bent * rng.normal(size=size),
        velocities=rng.normal(size=(1, 3)),
        angular_velocities=rng.normal(size=(1, 3)),
        rates=bent * rng.normal(size=size),
        angles=np.zeros(1),
    )


@pytest.mark.parametrize("geometric", [True, False], ids=["quadratic", "linear"])
def test_weight_as_a_dead_load_is_gravity(geometric):
    """Gravity of a body in axes of space pulls as gravity of the system does.

    The two go through different integrals (of the load; of inertia on projected fields) and kernels; of second
    order they are the same by virtual work, up to the condition of the static solutions, 1e-9.
    """
    weight = (3.0, -9.81, 1.5)
    body = bar(Gravity(weight), space="spatial", supports=(Clamp("start"),))
    attached = attach(body)
    reduced = reduced_body(attached, reduction_basis(attached, Modal(5)))
    way = BodyLoads("weight", "bar", axes="space")
    own = dynamic_system(System([body], loads=[way], space="spatial"), {"bar": reduced}, geometric=geometric)
    plain = dynamic_system(
        System([body], loads=[SystemGravity("weight", weight)], space="spatial"),
        {"bar": replace(reduced, loads=None)},
        geometric=geometric,
    )
    state = somewhere(5, np.random.default_rng(8))
    forces = [equations_at(system, state).applied_force for system in (own, plain)]
    stiff = np.concatenate([np.zeros(6), reduced.stiffness @ state.deformation])
    loads = [force + stiff for force in forces]
    assert loads[0] == pytest.approx(loads[1], abs=1e-9 * np.abs(stiff).max() + 1e-9 * np.abs(loads[1]).max())
    assert np.abs(loads[1]).max() > 1e-3 * np.abs(stiff).max()


@pytest.mark.parametrize("geometric", [True, False], ids=["quadratic", "linear"])
def test_dead_loads_are_the_slope_of_their_potential(geometric):
    """Q = −∂V/∂q with V = −Σ f·r of the nodes, where r is what sensors there say of a deformed, turned body.

    Differences of 1e-6 of V leave 1e-9 of the largest force by rounding and third derivatives.
    """
    rng = np.random.default_rng(3)
    forces = {node: rng.normal(size=3) for node in (2, 4, 6)}
    body = bar(*(NodeForce(n, tuple(f)) for n, f in forces.items()), space="spatial")
    attached = attach(body, sensors=[Interface(str(n), n) for n in forces])
    reduced = reduced_body(attached, reduction_basis(attached, Modal(5)))
    way = BodyLoads("dead", "bar", factor=2.5, axes="space")
    system = dynamic_system(System([body], loads=[way], space="spatial"), {"bar": reduced}, geometric=geometric)
    state = somewhere(5, rng)

    def potential(at: DynamicState) -> float:
        R, total = rotation_from_quaternion(at.quaternions[0]), 0.0
        for node, force in forces.items():
            point, d = reduced.point(str(node)), at.deformation
            u = point.rows[:3] @ d + geometric * np.einsum("irt,r,t->i", point.quadratic[:3], d, d) / 2
            total -= 2.5 * force @ (at.positions[0] + R @ (point.position + u))
        return total

    found = equations_at(system, state).applied_force
    elastic = np.concatenate([np.zeros(6), reduced.stiffness @ state.deformation + reduced.damping @ state.rates])
    slopes = [
        (potential(move_state(system, state, h)) - potential(move_state(system, state, -h))) / 2e-6
        for h in 1e-6 * np.eye(system.size)
    ]
    assert found + elastic == pytest.approx(-np.array(slopes), abs=1e-7 * np.abs(slopes).max())


def test_formalisms_agree_and_say_what_they_cannot():
    """Five formalisms find the accelerations of the compiled equations to rounding; Whittaker's needs a potential.

    Inertia and elimination are their own, the applied forces they are given: that these are right is shown above.
    """
    body = replace(plank(), supports=())
    attached = attach(body, interfaces=[Interface("left", "left")])
    reduced = reduced_body(attached, reduction_basis(attached, Modal(3), orthonormal=True))
    ball = Spherical("ball", "ground", "bar.left")
    system = dynamic_system(System([body], [ball], loads=[SystemGravity()], space="spatial"), {"bar": reduced})
    state = somewhere(reduced.size, np.random.default_rng(2), 1e-3)
    turned = rotation_from_quaternion(state.quaternions[0]) @ reduced.point("left").position
    state = consistent_start(system, replace(state, positions=-turned[None]))
    expected = accelerations_at(system, state).velocity_rate
    instant = point_system(system).at(state)
    for formalism in numeric_formalisms():
        if formalism.name != "whittaker":
            assert formalism.system_refusal(system) is None
            found = formalism.system_motion(instant, Work()).accelerations
            assert found == pytest.approx(expected, abs=1e-7 * np.abs(expected).max()), formalism.name
    in_plane = System([bar(LineLoad((0.0, 1.0)))], [Revolute("pin", "ground", "bar.start")])
    reason = formalism_named("whittaker").system_refusal(dynamic_system(in_plane))
    assert reason is not None and reason.endswith("the loads of body bar are not counted as a potential")


def test_bending_moment_between_the_nodes_of_a_loaded_beam():
    """M = qL²/2 at the root that the sensor reads, however coarse the mesh: the line load acts inside, too.

    The static answer is in the basis, so that rounding of the solution (1e-9) is left.
    """
    q = 40.0
    body = bar(LineLoad((0.0, q)), divisions=2, supports=(Clamp("start"),), theory="euler_bernoulli")
    system = System([body], [Weld("hub", "ground", "bar.start")])
    (part,) = elastic_parts(system, {"bar": ReductionChoice(Modal(2))}, watched={}).values()
    reduced = part.reduced
    coordinates = np.linalg.solve(reduced.stiffness, np.einsum("iir->r", reduced.loads.rows))
    forces = resting_forces(coordinates)
    found = BeamStress(beam_sections(part, "start"), forces).stresses("Mz")[0]["Mz"].values[0]
    assert abs(found) == pytest.approx(q * LENGTH**2 / 2, rel=1e-9)


# ---------------------------------------------------------------------- words


CASE = """\
ground: {O: [0, 0]}
bodies:
  strip:
    mesh: {line: {length: 1 m, divisions: 6}}
    material: steel
    section: {rectangle: {width: 30 mm, height: 4 mm}}
    supports: [{clamp: start}]
    reduction: {modes: 2}
    loads: [{line_load: [0, 3 N/m]}]
joints:
  hinge: {fixed: [ground.O, strip.start]}
loads:
  gusts: {body_loads: strip, factor: "1 - cos(4*t)", axes: space}
analyses:
  run: {kind: transient, duration: 1.0, step: 1 ms, samples: 51, sensors: {tip: {displacement: strip.end}}}
"""


def case(*changes: tuple[str, str]):
    text = CASE
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return parse_case(text, file="strip.yaml", folder=Path.cwd())


def test_a_case_with_gusts():
    """Slow gusts: the tip follows qL⁴/8EI times the factor, to the square of 4 over 21 rad/s and its own swing."""
    ready = case()
    record = ready.analyses["run"].run(ready)
    assert not any("do not act" in notice for notice in record.notices)
    EI = 210e9 * 0.03 * 0.004**3 / 12
    static = 3.0 / (8 * EI) * (1 - np.cos(4 * record.times))
    tip = record.sensors["tip"].values[:, 1]
    assert tip == pytest.approx(static, abs=0.12 * static.max())
    assert record.energies["supplied"].max() > 0
    assert record.energy_drift < 1e-3


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ([("body_loads: strip", "body_loads: stripe")], "did you mean 'strip'"),
        ([("    loads: [{line_load: [0, 3 N/m]}]\n", "")], "no loads of its own"),
        ([("  gusts:", "  more: {body_loads: strip}\n  gusts:")], "leave one out"),
    ],
)
def test_what_does_not_fit(changes, words):
    with pytest.raises(InputError, match=words):
        case(*changes).system()


def test_gravity_in_body_axes_is_said():
    """Constant in body axes is what the field says of itself; weight is meant most of the time."""
    ready = case(
        ("{line_load: [0, 3 N/m]}", "{gravity: [0, -9.81]}"),
        ('gusts: {body_loads: strip, factor: "1 - cos(4*t)", axes: space}', "weight: {gravity: [0, 0]}"),
    )
    record = ready.analyses["run"].run(ready)
    assert any("turns with it" in notice for notice in record.notices)


def test_the_conserving_integrator_refuses_loads_of_elastic_bodies():
    system = System([bar(LineLoad((1.0, 0.0)))])
    with pytest.raises(InputError, match="small deflections of bar; make it exact"):
        simulate(system, duration=0.1, step=1e-3, integrator="conserving")


def test_rigid_mechanisms_say_that_they_leave_loads_out():
    """Mechanisms of rigid bodies know loads of the system only; the same system as a coupled motion has them."""
    system = System([bar(LineLoad((0.0, 1.0)))], [Revolute("pin", "ground", "bar.start")])
    (notice,) = [text for text in rigid_motion(system, (0.0, 0.1)).notices if "bar" in text]
    assert "do not act in a rigid mechanism" in notice and "reduction: rigid" in notice
