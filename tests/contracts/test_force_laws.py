"""Every law of force along a coordinate keeps its contract: −dE/ds is the elastic force, and power balances.

A body slides along x, or turns about z, under one force element. A law that is new needs a line in SAMPLES or
JOINTS; its energy is a polynomial of degree four at most between kinks, for which differences of fourth order are
exact.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from scipy.interpolate import PchipInterpolator
from tests.rounding import rounding

from flexframe import _core
from flexframe.maths.rotations import quaternion_exponential
from flexframe.maths.table_grid import MonotoneCubic
from flexframe.model.characteristics import ForceTable
from flexframe.model.friction import Friction
from flexframe.model.rigid_body import RigidBody
from flexframe.model.system import System
from flexframe.model.system_loads import COORDINATE_FORCES, Actuator, CoordinateForce, Motor, Spring, TorsionSpring
from flexframe.model.transmissions.belts import Belt, Cable
from flexframe.model.transmissions.contract import Transmission
from flexframe.model.transmissions.gears import Gear
from flexframe.multibody.contract import DynamicState, DynamicSystem
from flexframe.multibody.equations import evaluation_at, place_of
from flexframe.multibody.start import initial_state
from flexframe.multibody.system import dynamic_system

ENDS = ("ground", "body")
AXIS = (1.0, 0.0, 0.0)
TABLE = ForceTable((-2.0, -0.9, 0.35, 2.0), (3.0, 2.5, -1.0, -2.0))
DUFFING = "-3*s - 2*s^3 - 0.4*v*(1 + s^2)"
SAMPLES: dict[str, CoordinateForce] = {
    "spring": Spring("force", *ENDS, stiffness=3.0, free=0.4, damping=0.7, axis=AXIS),
    "preload": Spring("force", *ENDS, stiffness=3.0, free=0.4, damping=0.7, axis=AXIS, preload=1.3),
    "tension": Spring("force", *ENDS, stiffness=3.0, free=0.15, damping=0.7, axis=AXIS, acts="tension"),
    "pressed": Spring("force", *ENDS, stiffness=3.0, free=0.2, axis=AXIS, preload=0.5, acts="compression"),
    "gap": Spring("force", *ENDS, stiffness=3.0, free=0.2, damping=0.7, axis=AXIS, clearance=0.5),
    "table": Spring("force", *ENDS, free=0.4, damping=0.7, axis=AXIS, characteristic=TABLE),
    "formula": Spring("force", *ENDS, free=0.4, axis=AXIS, characteristic=DUFFING),
    "damper": Spring("force", *ENDS, damping="0.7 + 0.2*v^2", axis=AXIS),
    "torsion_spring": TorsionSpring("force", *ENDS, stiffness=3.0, free=0.4, damping=0.7),
    "torsion gap": TorsionSpring("force", *ENDS, stiffness=3.0, free=0.2, damping=0.7, clearance=0.5),
    "torsion formula": TorsionSpring("force", *ENDS, free=0.4, damping=0.1, characteristic=DUFFING),
    "torsion table": TorsionSpring("force", *ENDS, free=0.4, characteristic=TABLE),
    "friction": Friction("force", *ENDS, limit=3.0, velocity=0.4),
    "actuator": Actuator("force", *ENDS, law=2.5, axis=(1.0, 0.0, 0.0), along="axis"),
    "motor": Motor("force", *ENDS, speeds=(-2.0, 0.0, 2.0), torques=(3.0, 1.0, -2.0)),
}
JOINTS: dict[str, Transmission] = {  # they act along s of the body, while the other one stands still
    "gear_mesh": Gear("force", "other", "body", ratio=2.0, stiffness=3.0, backlash=0.3, damping=0.7),
    "belt": Belt("force", "other", "body", stiffness=3.0, pretension=1.0, damping=0.7),
    "cable": Cable("force", "other", "body", stiffness=3.0, pretension=1.0, damping=0.7),
}
DRIVING = ("motor", "actuator")  # their work is that of a load
STATES = [(0.9, 0.3), (-1.2, -0.8), (0.1, 1.4), (-0.6, 0.0), (2.6, -0.5)]  # s and ṡ
H = 1e-2  # rounding over h remains

every_law = pytest.mark.parametrize("name", [*SAMPLES, *JOINTS])
every_state = pytest.mark.parametrize(("s", "rate"), STATES)


def test_every_law_has_a_sample() -> None:
    assert {law.parameters().law or law.kind for law in SAMPLES.values()} | set(JOINTS) == set(_core.force_laws())
    assert {type(law) for law in SAMPLES.values()} == set(COORDINATE_FORCES)


def law_of(name: str) -> CoordinateForce:
    law = JOINTS[name].element() if name in JOINTS else SAMPLES[name]
    assert law is not None
    return law


def turning(name: str) -> bool:
    return name in JOINTS or SAMPLES[name].kind in ("torsion_spring", "motor")


def slope(function: Callable[[float], float]) -> float:
    """At zero, by differences of fourth order."""
    near, far = (function(step) - function(-step) for step in (H, 2 * H))
    return (8 * near - far) / (12 * H)


def system_of(name: str) -> DynamicSystem:
    body = RigidBody("body", 2.0, np.diag([0.3, 0.4, 0.5]))
    if name in JOINTS:
        other = RigidBody("other", 2.0, np.diag([0.3, 0.4, 0.5]))
        return dynamic_system(System([body, other], [JOINTS[name]], space="spatial"))
    return dynamic_system(System([body], loads=[SAMPLES[name]], space="spatial"))


def state_of(system: DynamicSystem, name: str, s: float, rate: float) -> DynamicState:
    """Moved along x, or turned about z."""
    along, about = np.zeros((2, len(system.bodies), 3))
    along[0, 0] = about[0, 2] = 1.0
    if turning(name):
        return replace(
            initial_state(system), quaternions=quaternion_exponential(s * about), angular_velocities=rate * about
        )
    return replace(initial_state(system), positions=s * along, velocities=rate * along)


def at(name: str, s: float, rate: float) -> tuple[float, float, np.ndarray]:
    """Force along the coordinate, energy, and powers of drives, loads and dissipation."""
    system = system_of(name)
    evaluation = evaluation_at(system, 0.0)
    state = state_of(system, name, s, rate)
    evaluation.evaluate(place_of(system, state), 0.0, np.zeros(system.size), np.zeros(0), False)
    assert evaluation.coordinates()[0] == pytest.approx(s, abs=rounding(100))
    column = 5 if turning(name) else 0
    return -float(evaluation.residual()[column]), evaluation.spring_energy(), evaluation.powers()


@every_law
@every_state
def test_forces_as_the_model_has_them(name: str, s: float, rate: float) -> None:
    """Against the law in Python."""
    law = law_of(name)
    expected = 2.5 if isinstance(law, Actuator) else float(law.force(np.array(s), np.array(rate)))
    assert at(name, s, rate)[0] == pytest.approx(expected, rel=0, abs=rounding(100, 10.0))


@every_law
@every_state
def test_elastic_force_is_the_slope_of_the_energy(name: str, s: float, rate: float) -> None:
    """At rest friction is zero and a motor has no energy: what is left at ṡ = 0 less a motor is −dE/ds."""
    elastic = 0.0 if name in DRIVING else at(name, s, 0.0)[0]
    assert -slope(lambda step: at(name, s + step, rate)[1]) == pytest.approx(
        elastic, rel=0, abs=rounding(100, 10.0 / H)
    )


@every_law
@every_state
def test_power_balance(name: str, s: float, rate: float) -> None:
    """f ṡ = −dE/dt + power of loads − dissipation, and what is no drive takes energy."""
    force, _, (drives, loads, dissipated, _) = at(name, s, rate)
    stored = slope(lambda step: at(name, s + step, rate)[1]) * rate
    assert force * rate == pytest.approx(loads - dissipated - stored, rel=0, abs=rounding(100, 10.0 / H))
    assert drives == 0.0
    assert dissipated >= 0.0
    assert (loads == 0.0) == (name not in DRIVING or rate == 0.0)


@every_law
@every_state
def test_slopes_are_those_of_the_force(name: str, s: float, rate: float) -> None:
    """−∂F/∂s and −∂F/∂ṡ in Python against differences of the core; tanh is smooth to 1e-6 at h⁴."""
    spring, damper = law_of(name).slopes(np.array(s), np.array(rate))
    room = 1e-5 if name == "friction" else rounding(100, 10.0 / H)
    if name == "motor" and rate == 0.0:
        return  # a kink of its curve
    assert -slope(lambda step: at(name, s + step, rate)[0]) == pytest.approx(spring, rel=0, abs=room)
    assert -slope(lambda step: at(name, s, rate + step)[0]) == pytest.approx(damper, rel=0, abs=room)


def test_a_table_is_the_monotone_cubic_of_scipy() -> None:
    """Between the points; beyond them it goes on straight."""
    x, y = np.array([0.0, 1.0, 1.5, 4.0, 5.0, 7.0]), np.array([0.0, 2.0, 2.5, 2.5, 6.0, 5.0])
    ours, theirs = MonotoneCubic(x, y), PchipInterpolator(x, y)
    inside = np.linspace(0.0, 7.0, 101)
    assert ours.value(inside) == pytest.approx(theirs(inside), rel=0, abs=rounding(100, 10.0))
    ends = theirs.derivative()(np.array([0.0, 7.0]))
    beyond = np.array([y[0] - 2 * ends[0], y[-1] + 3 * ends[1]])
    assert ours.value(np.array([-2.0, 10.0])) == pytest.approx(beyond, rel=0, abs=rounding(100, 10.0))
