"""Steps that keep energy and momenta: beams in flight, on joints, drives and springs, and what is refused."""

from typing import Any

import numpy as np
import pytest
from tests.exact_beams.cantilevers import beam_along, exact_system, straight
from tests.exact_beams.flights import EXACT, SOFT, SPACES, departures, flight
from tests.rounding import rounding

from flexframe.analyses.simulate import simulate
from flexframe.analyses.transient.coupled_record import CoupledMotion
from flexframe.cases.case import load_case
from flexframe.cases.checking import check_case
from flexframe.cases.examples import example_paths
from flexframe.elements.properties import Material, Rectangle
from flexframe.entries.problems import CaseError
from flexframe.errors import InputError
from flexframe.model.body import Body
from flexframe.model.drives import AngleDrive
from flexframe.model.joints import Joint, Revolute, Spherical
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.system import Space, System
from flexframe.model.system_loads import Spring, SystemGravity
from flexframe.multibody.contract import SimulationOptions
from flexframe.multibody.integrators.simulation import integrate
from flexframe.multibody.start import rigid_start
from flexframe.sensors import MarkerSensor

CONSERVING = {"integrator": "conserving"}


# ---------------------------------------------------------------------- free flight


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("step", [4e-3, 1e-3])
def test_free_flight_keeps_energy_and_momenta_to_rounding(space: Space, step: float) -> None:
    """Whatever the step, the free beam bends by two radians.

    A step solves for velocities to about ten roundings of the largest of them, and energies follow; at worst what
    all steps leave adds up.
    """
    found = flight(space, sharp=True, step=step, **CONSERVING)
    free = found.times[found.snapshots] >= 0.5
    assert np.abs(found.displacements["beam"][free, :, 3:]).max() > 1.5
    bound = rounding(10 * 1.5 / step)
    assert (departures(found) < bound).all()
    assert found.energy_drift < bound  # work of the kick included


@pytest.mark.slow
@pytest.mark.parametrize("space", SPACES)
def test_free_flight_of_many_steps(space: Space) -> None:
    """10⁵ steps, a flight of 100 s. Ten roundings a step would add up to 2e-10; the next step makes them good.

    The moment of momentum about the start, from which the beam flies away, is the least exact of them (2e-12).
    """
    found = flight(space, sharp=True, duration=100.0, step=1e-3, **CONSERVING)
    assert found.energy_drift < 1e-11
    assert (departures(found) < 1e-11).all()


@pytest.mark.parametrize("space", SPACES)
def test_free_flight_is_of_second_order(space: Space) -> None:
    """Against error control: halving steps divides the error of places by four, within what faster waves leave."""
    exact = flight(space, tolerance=1e-8).sensors["node end"].values
    errors = np.array(
        [
            np.abs(flight(space, step=step, **CONSERVING).sensors["node end"].values - exact).max()
            for step in (4e-3, 2e-3, 1e-3)
        ]
    )
    ratios = errors[:-1] / errors[1:]
    assert ((ratios > 3.0) & (ratios < 4.7)).all()
    assert errors[-1] < 1.2e-4  # as those of generalised-α, on a way of a metre


@pytest.mark.parametrize("space", SPACES)
def test_momentum_of_a_long_fast_flight_does_not_wander(space: Space) -> None:
    """A beam that is thrown at 10 m/s and turns, 2,000 steps of a tenth of a radian."""
    spin = (0.0, 0.0, 5.0) if space == "planar" else (1.0, 3.0, 5.0)
    system = exact_system(System([beam_along(straight(1.0, 4), SOFT, space=space)], space=space))
    start = rigid_start(system)
    positions = start.positions - start.positions[0]
    rigid = type(start)(
        time=0.0,
        positions=start.positions,
        quaternions=start.quaternions,
        deformation=start.deformation,
        velocities=np.array([10.0, 2.0, 0.0]) + np.cross(spin, positions),
        angular_velocities=np.broadcast_to(spin, positions.shape).copy(),
        rates=start.rates,
        angles=start.angles,
        memory={},
    )
    options = SimulationOptions(duration=40.0, step=0.02, samples=11, **CONSERVING)  # type: ignore[arg-type]
    run = integrate(system, options, rigid)
    total = run.energies[:, :3].sum(axis=1)
    for values in (total[:, None], run.linear_momentum):
        assert np.abs(values - values[0]).max() < rounding(10 * 2000) * np.linalg.norm(values[0])
    # the mass centre goes 400 m; about the start the moment of momentum has so much longer an arm
    moment = run.angular_momentum
    assert np.abs(moment - moment[0]).max() < rounding(10 * 2000) * 400.0 * np.linalg.norm(run.linear_momentum[0])


# ---------------------------------------------------------------------- joints, drives, springs, loads


def swing(space: Space, joint: Joint, *, driven: bool = False, **way: Any) -> CoupledMotion:
    """The soft beam on a joint under its weight for a second, or turned there with its end on a spring."""
    weight = SystemGravity("weight", (0.0, -9.81) if space == "planar" else (0.0, -8.0, -5.68))
    spring = Spring("tail", "ground.hook", "beam.end", stiffness=3.0, damping=0.2, free=0.7)
    system = System(
        [beam_along(straight(1.0, 8), SOFT, space=space)],
        [joint],
        drives=[AngleDrive("turn", "ground", "beam.start", "2*sin(1.5*t)^2")] if driven else [],
        loads=[weight, spring] if driven else [weight],
        ground={"hook": (0.4, -1.2) if space == "planar" else (0.4, -1.2, 0.3)},
        space=space,
    )
    return simulate(
        system,
        duration=1.0,
        samples=21,
        sensors={"tip": MarkerSensor("position", "beam.end")},
        reductions={"beam": EXACT},
        initial_deformation="undeformed",
        **way,
    )


HINGE = Revolute("pin", "ground", "beam.start")
BALL = Spherical("pin", "ground", "beam.start")
JOINTS: list[tuple[Space, Joint]] = [("planar", HINGE), ("spatial", BALL), ("spatial", HINGE)]


@pytest.mark.parametrize(("space", "joint"), JOINTS)
def test_pendulums_keep_their_energy(space: Space, joint: Joint) -> None:
    """Joints do no work. The beam starts straight, so that its weight excites waves that no step resolves."""
    found = swing(space, joint, step=2e-3, **CONSERVING)
    assert found.energy_drift < rounding(10 * 500)
    exact = swing(space, joint, tolerance=1e-7)
    assert np.abs(found.sensors["tip"].values - exact.sensors["tip"].values).max() < 5e-4


@pytest.mark.parametrize("space", SPACES)
def test_drives_springs_and_dampers_are_balanced(space: Space) -> None:
    """Energy is what drives give and dampers take, to rounding; places are those of generalised-α, both O(h²)."""
    found = swing(space, HINGE, driven=True, step=1e-3, **CONSERVING)
    other = swing(space, HINGE, driven=True, step=1e-3, spectral_radius=1.0)
    assert found.energy_drift < rounding(10 * 1000)
    assert found.energies["dissipated"][-1] > 1e-2
    assert np.abs(found.sensors["tip"].values - other.sensors["tip"].values).max() < 5e-4


def test_rigid_double_pendulum_for_a_long_time() -> None:
    """4,000 steps of a chaotic motion: its energy does not drift.

    Joints hold places to ε lengths, hence velocities of 1 m/s and more to ε/h, which is the condition.
    """
    rods = [RigidBody.rod(name, length=1.0, mass=1.0) for name in ("upper", "lower")]
    system = System(
        rods,
        [Revolute("pivot", "ground", "upper.start"), Revolute("hinge", "upper.end", "lower.start")],
        loads=[SystemGravity()],
        start={"lower": Placement(np.array([1.0, 0, 0]))},
    )
    found = simulate(system, duration=20.0, step=5e-3, samples=101, **CONSERVING)  # type: ignore[arg-type]
    assert found.energy_drift < rounding(10 * 4000, 1 / 5e-3)


def test_continued_runs_have_the_same_bits() -> None:
    system = exact_system(
        System(
            [beam_along(straight(1.0, 4), SOFT, space="planar")], [HINGE], loads=[SystemGravity()], space="planar"
        )
    )
    times = np.linspace(0.0, 0.2, 5)
    options = SimulationOptions(duration=0.2, step=1e-3, **CONSERVING)  # type: ignore[arg-type]
    whole = integrate(system, options, rigid_start(system), times=times)
    half = integrate(system, options, rigid_start(system), times=times[:3])
    kept = type(half.end).from_arrays(half.end.arrays())
    rest = integrate(system, options, kept, times=times[2:])
    for name in ("positions", "quaternions", "velocities"):
        np.testing.assert_array_equal(getattr(rest, name), getattr(whole, name)[2:])


# ---------------------------------------------------------------------- refusals


def test_what_has_no_balance_is_refused_with_its_name() -> None:
    elastic = Body.beam(
        "bar", length=1.0, divisions=4, section=Rectangle(0.01, 0.01), material=Material(2e11, 0.3, 8e3)
    )
    hinge = Revolute("pin", "ground", "bar.start")
    with pytest.raises(InputError, match=r"small deflections of bar; make it exact"):
        simulate(System([elastic], [hinge]), duration=0.1, step=1e-3, **CONSERVING)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("example", "named"), [("slider_crank_clearance", "contact"), ("stick_slip", "event slips")]
)
def test_check_refuses_them(example: str, named: str) -> None:
    path = example_paths()[example]
    run = next(name for name, entry in load_case(path).document.analyses.items() if entry.kind == "transient")
    with pytest.raises(CaseError, match=named) as refused:
        check_case(load_case(path, [f"analyses.{run}.integrator=conserving"]))
    assert "integrator" in str(refused.value)
