"""Forces of state, controllers and elastic joints by every formalism, against closed forms."""

import numpy as np
import pytest
from scipy.linalg import expm
from tests.rounding import rounding

import flexframe as ff
from flexframe.controllers import PID, Gain
from flexframe.errors import InputError
from flexframe.model.friction import Friction
from flexframe.model.joints import Revolute
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.system import System
from flexframe.model.system_loads import Actuator, MarkerForce, SystemGravity

J, KP, KI, KD, FILTER = 0.3, 40.0, 60.0, 4.0, 0.01
ANGLE = ff.sensors.RotationSensor("angle", "arm")
MOTIONS = ("lagrange", "gibbs_appell", "hamilton", "maggi", "kane")


def axis(**more: float) -> System:
    """An arm whose torque is a PID controller's."""
    return System(
        [RigidBody("arm", 1.0, np.array(J))],
        [Revolute("axis", "ground", "arm")],
        loads=[Actuator("motor", "ground", "arm", "torque")],
        sensors={"angle": ANGLE},
        controllers=[PID("torque", "1 - angle", kp=KP, ki=KI, kd=KD, filter=FILTER, **more)],
    )


@pytest.mark.parametrize("formalism", MOTIONS)
def test_states_of_controllers_are_integrated(formalism: str) -> None:
    """J φ̈ = PID(1 − φ) is linear in φ, φ̇, the integral, the filtered error and 1: the exponential of its matrix.

    Some ten steps of a relative error of 1e-10.
    """
    record = ff.simulate(axis(), duration=0.3, samples=4, tolerance=1e-10, formalism=formalism)
    error = np.array([-1.0, 0, 0, 0, 1])
    slow = error - np.array([0, 0, 0, 1, 0])
    torque = KP * error + np.array([0, 0, 1, 0, 0]) + KD / FILTER * slow
    A = np.array([[0, 1.0, 0, 0, 0], torque / J, KI * error, slow / FILTER, np.zeros(5)])
    exact = [(expm(A * t) @ [0, 0, 0, 0, 1.0])[0] for t in record.times]
    np.testing.assert_allclose(record.sensors["angle"].values, exact, rtol=0, atol=2e-8)


@pytest.mark.parametrize("formalism", ["maggi", "kane"])
def test_angles_are_counted_through_turns(formalism: str) -> None:
    """A spring that swings an arm through four turns: φ = 12 (1 − cos ωt); some hundred steps of 1e-10."""
    k = 2.0
    system = System(
        [RigidBody("arm", 1.0, np.array(J))],
        [Revolute("axis", "ground", "arm")],
        loads=[Actuator("spring", "ground", "arm", f"{k}*(12 - angle)")],
        sensors={"angle": ANGLE},
    )
    record = ff.simulate(system, duration=1.2, samples=4, tolerance=1e-10, formalism=formalism)
    exact = 12 - 12 * np.cos(np.sqrt(k / J) * record.times)
    np.testing.assert_allclose(record.sensors["angle"].values, exact, rtol=0, atol=2e-8)


def test_sampled_controllers_and_friction_are_compared() -> None:
    """All routes but Whittaker's, which has no energy integral and says what takes it."""
    system = axis(period=0.01)
    system = System(
        [*system.bodies, RigidBody("end", 0.2, np.array(0.01))],
        [*system.joints, Revolute("wrist", "arm", "end", stiffness=1e5)],
        loads=[
            *system.loads,
            SystemGravity(),
            Friction("brake", "ground", "arm", 0.5, of="rotation"),
            MarkerForce("wind", "end", (0.0, "-0.1*speed*abs(speed)")),
        ],
        sensors={"angle": ANGLE, "speed": ff.sensors.RotationSensor("angular_velocity", "arm", (0.0, 0.0, 1.0))},
        controllers=[*system.controllers, Gain("unused", "angle")],
    )
    found = ff.crosscheck_system(system, duration=1e-3)
    assert found.agrees and found.span_s <= 0.01
    for check in found.checks:
        assert check.applicable == (check.name != "whittaker")
        if check.applicable:
            assert set(check.differences) >= {"accelerations", "joint_forces"}
    assert "there is no energy integral" in found.checks[-1].reason
    assert "sampled controllers act at the states" in found.compared[0]


def test_an_elastic_joint_has_a_potential() -> None:
    """Without anything that takes energy Whittaker's route exists too, and agrees."""
    system = System(
        [RigidBody("bob", 2.0, np.array(0.05), points={"A": (0.0, 0.5, 0.0)})],
        [Revolute("A", "ground", "bob.A", stiffness=1e4)],
        loads=[SystemGravity()],
        start={"bob": Placement(np.array([0.0, -0.5, 0.0]), angular_velocity=np.array([0.0, 0.0, 1.0]))},
    )
    found = ff.crosscheck_system(system, duration=0.01)
    assert found.agrees and all(check.applicable for check in found.checks)


def test_the_torque_at_a_state_is_that_of_the_controller() -> None:
    """At the start a sampled PID gives kp + kd/filter for an error of one: φ̈ = (kp + kd/T)/J by every route."""
    from flexframe.formalisms.point_systems import point_system
    from flexframe.formalisms.registry import formalism_named
    from flexframe.formalisms.work import Work
    from flexframe.multibody.integrators.sampled import with_sampled_values
    from flexframe.multibody.start import initial_state
    from flexframe.multibody.system import dynamic_system

    dynamic = dynamic_system(axis(period=0.001))
    start = with_sampled_values(dynamic, initial_state(dynamic))
    torque = float(start.held[dynamic.network.signals[dynamic.network.outputs["torque"][""]].source])
    assert torque > KP
    for name in MOTIONS:
        motion = formalism_named(name).system_motion(point_system(dynamic).at(start), Work())
        assert motion.accelerations[2] == pytest.approx(torque / J, rel=rounding(100))


def test_sampled_controllers_in_a_motion_by_formalism_are_refused() -> None:
    with pytest.raises(InputError, match="leave the formalism out"):
        ff.simulate(axis(period=0.01), duration=0.1, samples=3, tolerance=1e-8, formalism="kane")
