"""Gears with mesh stiffness and backlash, belts and cables with stretch, against closed forms."""

import numpy as np
import pytest

import flexframe as ff
from flexframe.analyses.statics.system_analysis import system_statics
from flexframe.errors import InputError
from flexframe.model.joints import Prismatic, Revolute
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.system import System
from flexframe.model.system_loads import MarkerForce
from flexframe.model.transmissions.belts import Belt, Cable
from flexframe.model.transmissions.contract import Transmission
from flexframe.model.transmissions.gears import Gear, Rack
from flexframe.multibody.contract import Simulation, SimulationOptions
from flexframe.multibody.integrators.simulation import integrate
from flexframe.multibody.system import dynamic_system

I1, I2 = 0.02, 0.3
FINE = {"integrator": "dormand_prince", "tolerance": 1e-10}


def pair(joint: Transmission, speed: float = 0.0, torques: tuple[float, float] = (0.0, 0.0)) -> System:
    bodies = [RigidBody("a", 1.0, np.array(I1)), RigidBody("b", 1.0, np.array(I2))]
    loads = [MarkerForce(f"T{k}", b.name, moment=(0.0, 0.0, torques[k])) for k, b in enumerate(bodies)]
    return System(
        bodies,
        [Revolute("A", "ground", "a"), Revolute("B", "ground.B", "b"), joint],
        loads=loads,
        ground={"B": (1.0, 0.0)},
        start={"a": Placement(angular_velocity=np.array([0.0, 0.0, speed]))},
    )


def run(system: System, duration: float, samples: int, **options: object) -> Simulation:
    asked = SimulationOptions(duration=duration, samples=samples, **options)  # type: ignore[arg-type]
    return integrate(dynamic_system(system), asked)


def test_elastic_teeth_vibrate_at_their_frequency() -> None:
    """s = θ₂ + θ₁/i: s̈ = −k (1/I₂ + 1/(i² I₁)) s; steps with the tolerance 1e-10, some hundred."""
    ratio, k = 2.5, 800.0
    found = run(pair(Gear("g", "a", "b", ratio=ratio, stiffness=k), speed=3.0), 2.0, 101, **FINE)
    s = found.angles[:, 1] + found.angles[:, 0] / ratio
    omega = np.sqrt(k * (1 / I2 + 1 / (ratio**2 * I1)))
    amplitude = 3.0 / ratio / omega
    np.testing.assert_allclose(s, amplitude * np.sin(omega * found.times), atol=1e-7 * amplitude)
    energy = found.energies[:, :4].sum(axis=1)
    np.testing.assert_allclose(energy, 0.5 * I1 * 9.0, rtol=1e-6)
    # stored in the teeth, exactly ½ k s²
    np.testing.assert_allclose(found.energies[:, 3], 0.5 * k * s**2, atol=1e-12)


def test_damped_teeth_dissipate_what_is_missing() -> None:
    found = run(pair(Gear("g", "a", "b", ratio=2.5, stiffness=800.0, damping=0.7), speed=3.0), 1.0, 51, **FINE)
    stored, dissipated = found.energies[:, :4].sum(axis=1), found.energies[:, 6]
    np.testing.assert_allclose(stored + dissipated, 0.5 * I1 * 9.0, rtol=1e-7)
    assert dissipated[-1] > 0.01


def test_backlash_is_crossed_in_free_flight() -> None:
    """From the middle of the play b the flanks meet after (b/2)/(ω/i); one meeting lasts half a period, then the
    wheels fly apart with the same relative speed and cross the whole play."""
    ratio, k, b, speed = 2.0, 5000.0, 0.1, 3.0
    rate = speed / ratio  # of s
    omega = np.sqrt(k * (1 / I2 + 1 / (ratio**2 * I1)))
    first, meeting = b / 2 / rate, np.pi / omega
    system = pair(Gear("g", "a", "b", ratio=ratio, stiffness=k, backlash=b), speed=speed)
    found = run(system, first + meeting + 0.9 * b / rate, 4001, step=2e-5)
    s, t = found.angles[:, 1] + found.angles[:, 0] / ratio, found.times
    flying = t <= first
    np.testing.assert_allclose(s[flying], rate * t[flying], atol=1e-12)  # nothing acts
    back = t > first + meeting
    expected = b / 2 - rate * (t[back] - first - meeting)
    # trapezoidal errors (h ω)²/12 of the half period, and one step at each end
    np.testing.assert_allclose(s[back], expected, atol=rate * 2e-5)
    np.testing.assert_allclose(s.max(), b / 2 + rate / omega, atol=1e-6)


def test_forces_of_elastic_teeth_are_reported() -> None:
    """At rest under a torque of both wheels, T₂ = k s and T₁ = T₂/i; the joint carries that moment."""
    joint = Gear("g", "a", "b", ratio=2.5, stiffness=800.0, damping=40.0)
    base = pair(joint, torques=(4.0, 10.0))
    driven = System(
        base.bodies,
        base.joints,
        [ff.AngleDrive("hold", "ground", "a", 0.0), ff.AngleDrive("turn", "ground.B", "b", "0.01*t")],
        base.loads,
        ground=base.ground,
    )
    forces = ff.joint_forces(driven, [0.0, 1.0]).forces
    torque = -(800.0 * 0.01 * np.array([0.0, 1.0]) + 40.0 * 0.01)
    # the law has its flanks at zero play: at s = 0 neither of them touches
    np.testing.assert_allclose(forces.joints["g"].moment[1, 2], torque[1], rtol=1e-12)
    motion = ff.simulate(pair(joint, torques=(4.0, 10.0)), duration=0.2, step=1e-3, samples=21)
    s = motion.motion.body("b").angles + motion.motion.body("a").angles / 2.5
    rate = (
        motion.motion.body("b").angular_velocities[:, 2] + motion.motion.body("a").angular_velocities[:, 2] / 2.5
    )
    np.testing.assert_allclose(motion.forces.joints["g"].moment[1:, 2], -(800 * s + 40 * rate)[1:], rtol=1e-9)


def test_a_rack_with_elastic_teeth() -> None:
    """x − r θ vibrates with k (1/m + r²/I)."""
    m, r, k = 3.0, 0.05, 2e4
    system = System(
        [RigidBody("pinion", 1.0, np.array(I1)), RigidBody("rack", m, np.array(0.1))],
        [
            Revolute("A", "ground", "pinion"),
            Prismatic("guide", "ground", "rack", axis=(1.0, 0.0)),
            Rack("teeth", "pinion", "rack", r, stiffness=k),
        ],
        start={"rack": Placement(velocity=np.array([0.2, 0.0, 0.0]))},
    )
    found = run(system, 0.5, 51, **FINE)
    gap = found.positions[:, 1, 0] - r * found.angles[:, 0]
    omega = np.sqrt(k * (1 / m + r**2 / I1))
    np.testing.assert_allclose(gap, 0.2 / omega * np.sin(omega * found.times), atol=1e-7 * 0.2 / omega)


def test_a_tight_belt_has_two_strands_and_a_slack_one() -> None:
    """Frequency with 2 k r₂² while both pull, k r₂² of a cable or of a belt without pretension."""
    r1, r2, k, speed = 0.1, 0.25, 3000.0, 0.5
    torsion = k * r2**2
    for joint, stiffness in (
        (Belt("belt", "a", "b", (r1, r2), stiffness=k, pretension=500.0), 2 * torsion),
        (Belt("belt", "a", "b", (r1, r2), stiffness=k), torsion),
    ):
        found = run(pair(joint, speed), 1.0, 101, **FINE)
        s = found.angles[:, 1] - found.angles[:, 0] * r1 / r2
        omega = np.sqrt(stiffness * (1 / I2 + (r1 / r2) ** 2 / I1))
        amplitude = speed * r1 / r2 / omega
        np.testing.assert_allclose(s, -amplitude * np.sin(omega * found.times), atol=1e-6 * amplitude)
        total = found.energies[:, :4].sum(axis=1)
        np.testing.assert_allclose(total, total[0], rtol=1e-6)


def test_a_slack_cable_does_nothing() -> None:
    """The first drum runs ahead and slackens the cable: it turns freely, and the other stands still."""
    found = run(pair(Cable("cable", "a", "b", (0.1, 0.25), stiffness=3000.0), speed=2.0), 1.0, 11, **FINE)
    np.testing.assert_allclose(found.angles[:, 0], 2.0 * found.times, atol=1e-12)
    np.testing.assert_allclose(found.angles[:, 1], 0.0, atol=1e-15)
    pulled = run(pair(Cable("cable", "a", "b", (0.1, 0.25), stiffness=3000.0), speed=-2.0), 1.0, 11, **FINE)
    assert pulled.angles[-1, 1] < -0.01


def test_an_elastic_train_at_rest() -> None:
    """Equilibrium: a torsion spring holds the second wheel; T₂ = i T₁ through the teeth, s = T₂/k."""
    given = pair(Gear("g", "a", "b", ratio=2.5, stiffness=800.0), torques=(4.0, 0.0))
    hold = ff.loads.TorsionSpring("hold", "ground.B", "b", stiffness=50.0)
    system = System(given.bodies, given.joints, loads=[*given.loads, hold], ground=given.ground)
    motion = system_statics(system).motion
    b, a = (motion.body(name).angles[0] for name in "ba")
    np.testing.assert_allclose(b, -10.0 / 50.0, rtol=1e-8)
    np.testing.assert_allclose(b + a / 2.5, 10.0 / 800.0, rtol=1e-7)


def test_radau_counts_turns_in_the_plane_only() -> None:
    """Some turns with an irrational ratio; in space it says what to take instead."""
    found = run(pair(Gear("g", "a", "b", ratio=np.pi), 30.0), 1.0, 6, integrator="radau", tolerance=1e-8)
    assert found.angles[-1, 0] > 8.0
    np.testing.assert_allclose(found.angles[:, 1], -found.angles[:, 0] / np.pi, atol=1e-10)
    wheels = [RigidBody(name, 1.0, np.full(3, 0.1)) for name in "ab"]
    hinges = [Revolute(name.upper(), "ground", name) for name in "ab"]
    system = System(wheels, [*hinges, Gear("g", "a", "b", ratio=2.0)], space="spatial")
    with pytest.raises(InputError, match="counts the turns of an angle"):
        run(system, 0.1, 3, integrator="radau", tolerance=1e-6)
