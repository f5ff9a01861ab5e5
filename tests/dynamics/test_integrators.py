"""Order, constraints, energy, resumption and ends of the integrators."""

import numpy as np
import pytest
from tests.rounding import ROUNDING

from flexframe.errors import AnalysisError, InputError
from flexframe.model.joints import Revolute
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.system import System
from flexframe.model.system_loads import SystemGravity
from flexframe.multibody.contract import DynamicState, Simulation
from flexframe.multibody.histories import body_history, joint_force, marker_history
from flexframe.multibody.start import initial_state
from flexframe.multibody.system import dynamic_system

from .samples import double_pendulum, flexible_pendulum, simulate, spinning_beam


def ends(simulation: Simulation) -> np.ndarray:
    """Hinge and tip of the double pendulum."""
    hinge = simulation.positions[-1, 1, :2]
    angle = simulation.angles[-1, 1]
    return np.concatenate([hinge, hinge + np.array([np.cos(angle), np.sin(angle)])])


REFERENCE = np.array([-0.934807, -0.355155, -1.662115, -1.041467])  # references J, t = 1 s


def test_double_pendulum_of_the_references() -> None:
    """Both integrators at t = 1 s; the references have six decimals."""
    system = double_pendulum()
    pair = simulate(system, duration=1.0, tolerance=1e-10, integrator="dormand_prince", samples=3)
    np.testing.assert_allclose(ends(pair), REFERENCE, atol=6e-7)
    alpha = simulate(system, duration=1.0, step=2.5e-4, samples=3)
    np.testing.assert_allclose(ends(alpha), REFERENCE, atol=3e-6)  # its error at this step, from the order below


@pytest.mark.parametrize("radius", [1.0, 0.8, 0.3])
def test_order_of_generalised_alpha(radius: float) -> None:
    """Halving the step divides the errors of positions by four; against the pair at 1e-12. Order 2 ± 0.1."""
    system = double_pendulum()
    exact = simulate(system, duration=0.4, tolerance=1e-12, integrator="dormand_prince", samples=2)
    errors = [
        np.abs(ends(simulate(system, duration=0.4, step=h, samples=2, spectral_radius=radius)) - ends(exact)).max()
        for h in (4e-3, 2e-3, 1e-3)
    ]
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    np.testing.assert_allclose(orders, 2.0, atol=0.1)


def test_order_with_elastic_coordinates() -> None:
    """A soft pendulum: tip and joint forces converge with order 2 while the step resolves its modes."""
    system = flexible_pendulum(modes=0)
    exact = simulate(system, duration=0.1, tolerance=1e-12, integrator="dormand_prince", samples=2)
    tip, force = (marker_history(exact, "beam.tip").positions[-1], joint_force(exact, "pivot")[0][-1])
    errors, force_errors = [], []
    for h in (1e-4, 5e-5, 2.5e-5):
        found = simulate(system, duration=0.1, step=h, samples=2, spectral_radius=0.9)
        errors.append(np.abs(marker_history(found, "beam.tip").positions[-1] - tip).max())
        force_errors.append(np.abs(joint_force(found, "pivot")[0][-1] - force).max())
    for some in (errors, force_errors):
        np.testing.assert_allclose(np.log2(np.array(some[:-1]) / some[1:]), 2.0, atol=0.2)


PAIRS = ("dormand_prince", "dormand_prince_853")


@pytest.mark.parametrize(("integrator", "order"), [(PAIRS[0], 5), (PAIRS[1], 8)])
def test_order_of_the_pairs(integrator: str, order: int) -> None:
    """Steps grow with the root of the tolerance of this order, within a tenth, as they are not all alike.

    The first second is left out, for steps begin small. Errors stay below twenty tolerances.
    """
    system = double_pendulum()
    exact = simulate(system, duration=1.0, tolerance=1e-13, integrator=PAIRS[1], samples=2)
    tolerances, steps = np.array([1e-7, 1e-9, 1e-11, 1e-13]), []
    for tolerance in tolerances:
        short, long = (
            simulate(system, duration=duration, tolerance=tolerance, integrator=integrator, samples=2)
            for duration in (1.0, 3.0)
        )
        steps.append(long.statistics.steps - short.statistics.steps)
        assert np.abs(ends(short) - ends(exact)).max() < 20 * tolerance
    found = -np.polyfit(np.log(steps), np.log(tolerances), 1)[0]
    assert abs(found - order) < order / 10


@pytest.mark.parametrize("integrator", PAIRS)
def test_dense_output_of_the_pairs(integrator: str) -> None:
    """Samples between steps are as good as steps that end there: 40 samples against 4000, to ten tolerances."""
    system = double_pendulum()
    few, many = (
        simulate(system, duration=1.0, tolerance=1e-8, integrator=integrator, samples=count)
        for count in (41, 4001)
    )
    assert few.statistics.steps == many.statistics.steps
    np.testing.assert_allclose(few.positions, many.positions[::100], atol=ROUNDING)
    exact = simulate(system, duration=1.0, tolerance=1e-12, integrator="dormand_prince", samples=4001)
    assert np.abs(many.positions - exact.positions).max() < 1e-7


@pytest.mark.parametrize("integrator", PAIRS)
def test_steps_do_not_depend_on_interruptions(integrator: str) -> None:
    """A motion in seven pieces takes the steps of the whole one: equal numbers of steps and evaluations."""
    system, times = double_pendulum(), np.linspace(0.0, 1.0, 71)
    options = {"tolerance": 1e-9, "integrator": integrator}
    whole = simulate(system, samples=times, **options).statistics
    state, pieces = None, []
    for first in range(0, 70, 10):
        piece = simulate(system, state, samples=times[first : first + 11], **options)
        pieces.append(piece.statistics)
        state = piece.end
    assert sum(piece.steps for piece in pieces) == whole.steps
    assert sum(piece.rejected for piece in pieces) == whole.rejected
    assert sum(piece.evaluations for piece in pieces) == whole.evaluations


@pytest.mark.parametrize("integrator", ["generalised_alpha", *PAIRS])
def test_conditions_and_energy(integrator: str) -> None:
    """Constraints hold to 1e-10 at positions and velocities; energy drifts by the error of the method."""
    system = flexible_pendulum()
    found = simulate(system, duration=0.5, step=1e-4, tolerance=1e-9, integrator=integrator, samples=51)
    assert found.position_residuals.max() < 1e-10
    assert found.velocity_residuals.max() < 1e-10
    assert found.energy_drift < (1e-4 if integrator == "generalised_alpha" else 1e-6)


@pytest.mark.parametrize("integrator", ["generalised_alpha", *PAIRS])
def test_resumed_run_is_the_same_run(integrator: str) -> None:
    """Stopped at a sample, saved as arrays and continued: every number of the uninterrupted run, bit by bit."""
    system = flexible_pendulum()
    times = np.linspace(0.0, 0.2, 21)
    options = {"step": 2e-4, "tolerance": 1e-7, "integrator": integrator}
    whole = simulate(system, samples=times, **options)
    first = simulate(system, samples=times[:11], **options)
    saved = DynamicState.from_arrays({name: np.array(value) for name, value in first.end.arrays().items()})
    second = simulate(system, saved, samples=times[10:], **options)
    for name in (
        "positions",
        "quaternions",
        "deformations",
        "velocities",
        "accelerations",
        "multipliers",
        "energies",
    ):
        np.testing.assert_array_equal(getattr(whole, name)[:11], getattr(first, name))
        np.testing.assert_array_equal(getattr(whole, name)[10:], getattr(second, name))


@pytest.mark.parametrize("integrator", ["generalised_alpha", "dormand_prince"])
def test_progress_and_checkpoints(integrator: str) -> None:
    """Fractions rise to one, checkpoints are states of samples, and an exception of the caller cancels the run."""
    system = double_pendulum()
    fractions: list[float] = []
    states: list[DynamicState] = []
    options = {"duration": 1.0, "step": 1e-4, "tolerance": 1e-12, "integrator": integrator, "samples": 101}
    simulate(system, **options, progress=fractions.append, checkpoint=states.append)
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1.0
    assert states[-1].time == 1.0

    class CancelledError(Exception):
        pass

    def cancel(_fraction: float) -> None:
        raise CancelledError

    with pytest.raises(CancelledError):
        simulate(system, **options, progress=cancel)


def test_free_tumbling_of_a_rigid_body() -> None:
    """Many turns about the unstable axis: momentum in space stays with the pair, and it turns over.

    Generalised-α comes nearer with order 2, in the translation of its frame too, whose velocity is in body axes.
    """
    body = RigidBody("plate", 1.0, np.diag([1.0, 2.0, 3.0]))
    start = {"plate": Placement(angular_velocity=np.array([0.01, 3.0, 0.02]), velocity=np.array([0.1, 0.2, 0.3]))}
    system = dynamic_system(System([body], start=start, space="spatial"))
    pair = simulate(system, duration=20.0, tolerance=1e-10, integrator="dormand_prince", samples=101)
    momentum = pair.angular_momentum
    np.testing.assert_allclose(momentum, np.tile(momentum[0], (101, 1)), atol=1e-7)
    spin = np.stack([body_history(pair, "plate").rotations[t].T @ momentum[t] for t in range(101)])
    assert spin[:, 1].min() < -0.9 * spin[0, 1]
    np.testing.assert_allclose(pair.positions[-1, 0], [2.0, 4.0, 6.0], atol=1e-6)
    away = [
        np.abs(simulate(system, duration=5.0, step=step, samples=26).positions - pair.positions[:26]).max()
        for step in (0.01, 0.005)
    ]
    assert np.log2(away[0] / away[1]) == pytest.approx(2.0, abs=0.1)


def test_small_deflections_end() -> None:
    """Spun above its first frequency without geometric terms a blade diverges: the run stops and says why."""
    system = spinning_beam("5*t + 0.01*sin(t)", geometric=False)
    with pytest.raises(AnalysisError, match=r"t = \d.*blade left the range of small deflections"):
        simulate(system, duration=60.0, step=2e-3, samples=601)
    part = simulate(system, duration=60.0, step=2e-3, samples=601, partial=True)
    assert part.reason is not None
    assert 1 < len(part.times) < 601


def test_sensors_agree_with_differences_of_positions() -> None:
    """Velocity and acceleration of an elastic point by differences of samples 2e-4 s apart: 1e-4 of their size."""
    system = flexible_pendulum()
    found = simulate(system, duration=0.2, tolerance=1e-10, integrator="dormand_prince", samples=2001)
    r = marker_history(found, "beam.tip").positions
    v = marker_history(found, "beam.tip").velocities
    a = marker_history(found, "beam.tip").accelerations
    h = found.times[1]
    np.testing.assert_allclose((r[2:] - r[:-2]) / (2 * h), v[1:-1], atol=1e-3 * np.abs(v).max())
    np.testing.assert_allclose((v[2:] - v[:-2]) / (2 * h), a[1:-1], atol=1e-2 * np.abs(a).max())
    force, _ = joint_force(found, "pivot")
    rate = (found.linear_momentum[2:] - found.linear_momentum[:-2]) / (2 * h)
    weight = np.array([0.0, -9.81, 0.0]) * system.bodies[0].mass
    np.testing.assert_allclose(force[1:-1] + weight, rate, atol=1e-2 * np.abs(rate).max())


def test_what_cannot_be_integrated() -> None:
    """Messages for a missing step, unknown names and free motions without inertia."""
    system = double_pendulum()
    with pytest.raises(InputError, match="no step is given; give one of step, steps and tolerance"):
        simulate(system, duration=1.0)
    with pytest.raises(InputError, match="equal steps"):
        simulate(system, duration=1.0, tolerance=1e-6)
    with pytest.raises(InputError, match="unknown integrator 'euler'"):
        simulate(system, duration=1.0, step=1e-3, integrator="euler")
    with pytest.raises(InputError, match="duration"):
        simulate(system, duration=0.0, step=1e-3)
    with pytest.raises(InputError, match="1 samples are too few; give two or more"):
        simulate(system, duration=1.0, step=1e-3, samples=1)
    light = System(
        [RigidBody("mote", 0.0, np.zeros(3))], [Revolute("pin", "ground", "mote")], loads=[SystemGravity()]
    )
    with pytest.raises(AnalysisError, match="inertia"):
        simulate(dynamic_system(light), duration=1.0, step=1e-3)


def test_start_is_on_the_joints() -> None:
    """The start of the flexible pendulum with a given deformation: constraints to 1e-13, deformation as given."""
    system = flexible_pendulum()
    given = np.zeros(int(system.elastic_starts[-1]))
    given[1] = 0.01
    state = initial_state(system, deformation=given)
    np.testing.assert_allclose(state.deformation, given, atol=1e-13)
    np.testing.assert_allclose(state.positions, 0.0, atol=1e-13)
