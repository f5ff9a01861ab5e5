"""Linear models about states in which stops of joints are pressed, or open."""

import numpy as np
import pytest

import flexframe as ff

LENGTH, MASS, K, D, G = 0.4, 2.0, 3e3, 4.0, 9.81
INERTIA = MASS * LENGTH**2 / 3


def rod(lower: float, start: float, **stops: object) -> ff.System:
    return ff.System(
        [ff.RigidBody.rod("rod", length=LENGTH, mass=MASS)],
        [ff.Revolute("A", "ground", "rod", stops=(lower, 1.0), **stops)],  # type: ignore[arg-type]
        loads=[ff.SystemGravity()],
        sensors={"angle": ff.sensors.RotationSensor("angle", "rod")},
        start={"rod": ff.Placement(rotation=[start])},
    )


@pytest.mark.parametrize(("lower", "start", "pressed"), [(-0.1, -0.1, True), (-3.0, -1.5, False)])
def test_poles_of_a_rod_on_its_stop(lower: float, start: float, pressed: bool) -> None:
    """I s² + d s + K − ½ m g l sin φ = 0 where it lies on it, without d and K where it hangs."""
    model = ff.linearise(rod(lower, start, stop_stiffness=K, stop_damping=D), inputs=[], outputs=["angle"])
    angle = model.outputs[0].value
    exact = np.roots([INERTIA, D * pressed, K * pressed - MASS * G * LENGTH / 2 * np.sin(angle)])
    np.testing.assert_allclose(np.sort_complex(model.poles), np.sort_complex(exact), atol=1e-6 * abs(exact[0]))
    words = "pressed, with its tangent" if pressed else "open"
    assert f"stop A.lower is {words}" in model.notices


def test_impulses_and_cycles_are_refused() -> None:
    impulsive = {"stop_law": ff.contacts.NormalLaw("impulsive", restitution=0.5)}
    with pytest.raises(ff.InputError, match="a linear model knows no impulses"):
        ff.linearise(rod(-0.1, -0.1, **impulsive), inputs=[], outputs=["angle"])
