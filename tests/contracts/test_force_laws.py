"""Every law of force along a coordinate keeps its contract: −dE/ds is the elastic force, and power balances.

A body slides along x, or turns about z, under one force element. A law that is new needs a line in SAMPLES.
"""

from dataclasses import replace

import numpy as np
import pytest
from rounding import rounding

from flexframe import _core
from flexframe.maths.rotations import quaternion_exponential
from flexframe.model.rigid_body import RigidBody
from flexframe.model.system import System
from flexframe.model.system_loads import (
    COORDINATE_FORCES,
    Actuator,
    CoordinateForce,
    Friction,
    Motor,
    Spring,
    TorsionSpring,
)
from flexframe.model.transmissions import Belt, Cable, Gear, Transmission
from flexframe.multibody.contract import DynamicState, DynamicSystem
from flexframe.multibody.equations import evaluation_at
from flexframe.multibody.places import place_of
from flexframe.multibody.start import initial_state
from flexframe.multibody.system import dynamic_system

ENDS = ("ground", "body")
SAMPLES: dict[str, CoordinateForce] = {
    "spring": Spring("force", *ENDS, stiffness=3.0, free=0.4, damping=0.7, axis=(1.0, 0.0, 0.0)),
    "torsion_spring": TorsionSpring("force", *ENDS, stiffness=3.0, free=0.4, damping=0.7),
    "friction": Friction("force", *ENDS, limit=3.0, velocity=0.4),
    "actuator": Actuator("force", *ENDS, law=2.5, axis=(1.0, 0.0, 0.0), along="axis"),
    "motor": Motor("force", *ENDS, speeds=(-2.0, 0.0, 2.0), torques=(3.0, 1.0, -2.0)),
}
JOINTS: dict[str, Transmission] = {  # they act along s of the body, while the other one stands still
    "gear_mesh": Gear("force", "other", "body", ratio=2.0, stiffness=3.0, backlash=0.3, damping=0.7),
    "belt": Belt("force", "other", "body", stiffness=3.0, pretension=1.0, damping=0.7),
    "cable": Cable("force", "other", "body", stiffness=3.0, pretension=1.0, damping=0.7),
}
ABOUT = ("torsion_spring", "motor", *JOINTS)
DRIVING = ("motor", "actuator")  # their work is that of a load
STATES = [(0.9, 0.3), (-1.2, -0.8), (0.1, 1.4), (-0.6, 0.0)]  # s and ṡ
H = 1e-2  # differences of second order of a parabola are exact; rounding over h remains

every_law = pytest.mark.parametrize("name", _core.force_laws())
every_state = pytest.mark.parametrize(("s", "rate"), STATES)


def test_every_law_has_a_sample() -> None:
    assert sorted(_core.force_laws()) == sorted((*SAMPLES, *JOINTS))
    assert {type(law) for law in SAMPLES.values()} == set(COORDINATE_FORCES)


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
    if name in ABOUT:
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
    column = 5 if name in ABOUT else 0
    return -float(evaluation.residual()[column]), evaluation.spring_energy(), evaluation.powers()


@every_law
@every_state
def test_forces_as_the_model_has_them(name: str, s: float, rate: float) -> None:
    """Against the law in Python."""
    law = JOINTS[name].element() if name in JOINTS else SAMPLES[name]
    assert law is not None
    expected = 2.5 if isinstance(law, Actuator) else float(law.force(np.array(s), np.array(rate)))
    assert at(name, s, rate)[0] == pytest.approx(expected, rel=0, abs=rounding(100, 10.0))


@every_law
@every_state
def test_elastic_force_is_the_slope_of_the_energy(name: str, s: float, rate: float) -> None:
    """At rest friction is zero and a motor has no energy: what is left at ṡ = 0 less a motor is −dE/ds."""
    ahead, behind = (at(name, s + step, rate)[1] for step in (H, -H))
    slope = (ahead - behind) / (2 * H)
    elastic = 0.0 if name in DRIVING else at(name, s, 0.0)[0]
    assert -slope == pytest.approx(elastic, rel=0, abs=rounding(100, 10.0 / H))


@every_law
@every_state
def test_power_balance(name: str, s: float, rate: float) -> None:
    """f ṡ = −dE/dt + power of loads − dissipation, and what is no drive takes energy."""
    force, _, (drives, loads, dissipated) = at(name, s, rate)
    ahead, behind = (at(name, s + step, rate)[1] for step in (H, -H))
    stored = (ahead - behind) / (2 * H) * rate
    assert force * rate == pytest.approx(loads - dissipated - stored, rel=0, abs=rounding(100, 10.0 / H))
    assert drives == 0.0
    assert dissipated >= 0.0
    assert (loads == 0.0) == (name not in DRIVING or rate == 0.0)
