"""Springs of every characteristic, bushings, elastic joints and changing gravity against closed forms."""

import numpy as np
import pytest
from scipy.special import ellipk

from flexframe.analyses.statics.system_analysis import system_statics
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import (
    quaternion_exponential,
    quaternion_product,
    rotation_from_quaternion,
    rotation_from_vector,
)
from flexframe.model.characteristics import ForceTable
from flexframe.model.elasticity import Bushing
from flexframe.model.joints import Prismatic, Revolute
from flexframe.model.rigid_body import BodyFrame, Placement, RigidBody
from flexframe.model.system import System
from flexframe.model.system_loads import MarkerForce, Spring, SystemGravity, SystemLoad
from flexframe.multibody.contract import DynamicState, DynamicSystem, Simulation
from flexframe.multibody.equations import evaluation_at, place_of
from flexframe.multibody.histories import joint_force
from flexframe.multibody.start import initial_state
from flexframe.multibody.system import dynamic_system

from .samples import simulate

X = (1.0, 0.0, 0.0)
MASS = 2.0
TOLERANCE = 1e-11


def slide(*loads: SystemLoad, at: float = 0.0, speed: float = 0.0) -> DynamicSystem:
    """A body that slides along x."""
    block = RigidBody("block", MASS, 0.1)
    return dynamic_system(
        System(
            [block],
            [Prismatic("guide", "ground", "block")],
            loads=loads,
            start={"block": Placement((at, 0.0), velocity=(speed, 0.0))},
        )
    )


def run(system: DynamicSystem, duration: float, samples: int = 2) -> Simulation:
    return simulate(
        system, duration=duration, tolerance=TOLERANCE, integrator="dormand_prince_853", samples=samples
    )


def test_mass_that_bounces_on_a_unilateral_spring() -> None:
    """Flight of 2v/g and contact of (2/ω)(π − atan(vω/g)) with ω² = k/m: after three periods it is back.

    The force has kinks, at which steps are refused until they are small: ten thousand tolerances are allowed.
    """
    g, height, k = 9.81, 0.2, 5e3
    spring = Spring("buffer", "ground", "block", stiffness=k, axis=X, acts="compression")
    system = slide(spring, SystemGravity(acceleration=(-g, 0.0)), at=height)
    v, omega = np.sqrt(2 * g * height), np.sqrt(k / MASS)
    period = 2 * v / g + 2 / omega * (np.pi - np.arctan(v * omega / g))
    found = run(system, 3 * period, samples=301)
    assert found.positions[-1, 0, 0] == pytest.approx(height, rel=0, abs=1e4 * TOLERANCE)
    # seen at a hundred samples a period
    deepest = g / omega**2 + np.sqrt((g / omega**2) ** 2 + (v / omega) ** 2)
    assert -found.positions[:, 0, 0].min() == pytest.approx(deepest, rel=1e-2)
    assert found.energy_drift < 1e-5  # samples inside a step with a kink are interpolated, others good to 1e-9


@pytest.mark.parametrize("k", [3e3])
def test_spring_with_clearance(k: float) -> None:
    """From one end of the play to the other at constant speed, half a sine on each side: T = 2·2c/v + 2π/ω."""
    c, v = 0.01, 0.7
    system = slide(Spring("play", "ground", "block", stiffness=k, axis=X, clearance=c), speed=v)
    period = 4 * c / v + 2 * np.pi / np.sqrt(k / MASS)
    found = run(system, 2 * period)
    assert found.positions[-1, 0, 0] == pytest.approx(0.0, abs=1e4 * TOLERANCE)
    assert found.velocities[-1, 0] == pytest.approx(v, abs=1e6 * TOLERANCE)
    assert found.energy_drift < 1e4 * TOLERANCE


def test_preload_shifts_the_rest() -> None:
    """x'' = (P − kx)/m from rest: x = P/k (1 − cos ωt)."""
    k, preload = 400.0, 30.0
    system = slide(Spring("spring", "ground", "block", stiffness=k, axis=X, preload=preload))
    found = run(system, 0.37, samples=11)
    exact = preload / k * (1 - np.cos(np.sqrt(k / MASS) * found.times))
    np.testing.assert_allclose(found.positions[:, 0, 0], exact, rtol=0, atol=100 * TOLERANCE)
    assert found.energy_drift < 100 * TOLERANCE


def test_duffing_oscillator() -> None:
    """m x'' = −αx − βx³ from rest at A: T = 4 K(β A²/(2(α + βA²)))/√((α + βA²)/m), K by scipy."""
    alpha, beta, amplitude = 100.0, 5e4, 0.1
    spring = Spring("spring", "ground", "block", axis=X, characteristic=f"-{alpha}*s - {beta}*s^3")
    stiff = alpha + beta * amplitude**2
    period = 4 * ellipk(beta * amplitude**2 / (2 * stiff)) / np.sqrt(stiff / MASS)
    found = run(slide(spring, at=amplitude), 2.25 * period, samples=10)
    np.testing.assert_allclose(found.positions[[0, 8, 9], 0, 0], (amplitude, amplitude, 0.0), atol=1e3 * TOLERANCE)
    assert found.energy_drift < 100 * TOLERANCE


def test_formula_with_damping_closes_the_balance() -> None:
    """What a formula does at v beyond its value at rest is dissipated."""
    spring = Spring("spring", "ground", "block", axis=X, characteristic="-100*s - max(0, 300*s) - 2*v*abs(v)")
    found = run(slide(spring, at=0.1), 1.0, samples=101)
    assert found.energy_drift < 1e4 * TOLERANCE  # kinks
    assert found.energies[-1, 6] > 0.1 * found.energies[0, 3]


def test_table_stores_what_it_gives_back() -> None:
    """The balance closes, also where the table goes on straight."""
    table = ForceTable((-0.05, -0.02, 0.0, 0.03, 0.05), (60.0, 10.0, 0.0, -30.0, -40.0))
    found = run(slide(Spring("s", "ground", "block", axis=X, characteristic=table), at=0.08), 1.0, samples=101)
    assert found.positions[:, 0, 0].min() < -0.05
    assert found.energy_drift < 1e5 * TOLERANCE  # second derivatives jump at the points


def test_gravity_that_grows() -> None:
    """a = g min(1, t/τ): v(2τ) = 3gτ/2, and its work is that of a load."""
    g, tau = 9.81, 0.1
    system = slide(SystemGravity(acceleration=(g, 0.0), factor=f"min(1, t/{tau})"))
    found = run(system, 2 * tau, samples=21)
    speed = 1.5 * g * tau
    assert found.velocities[-1, 0] == pytest.approx(speed, rel=1e4 * TOLERANCE)
    kinetic, gravity, loads = found.energies[-1, [0, 2, 5]]
    assert kinetic == pytest.approx(MASS * speed**2 / 2, rel=1e4 * TOLERANCE)
    assert loads == pytest.approx(kinetic, rel=1e-6)
    assert gravity == 0.0


# ---------------------------------------------------------------------- bushings


def mount(random: np.random.Generator) -> Bushing:
    """Full matrices of stiffness and damping, and a preload."""
    A, B = random.normal(size=(2, 6, 6))
    return Bushing(
        *("mount", "one.P", "two.P"),
        stiffness=(200 * (A @ A.T + 2 * np.eye(6))).tolist(),
        damping=(B @ B.T).tolist(),
        preload=random.normal(size=6).tolist(),
    )


def two_bodies(bushing: Bushing) -> DynamicSystem:
    first, second = BodyFrame((0.1, 0.2, 0.3), (0.3, -0.2, 0.5)), BodyFrame((-0.2, 0.1, 0.0), (0.1, 0.4, -0.3))
    one = RigidBody("one", 1.0, np.diag([0.1, 0.2, 0.25]), points={"P": first})
    two = RigidBody("two", 2.0, np.diag([0.3, 0.2, 0.4]), points={"P": second})
    start = {"two": Placement((0.5, 0.0, 0.2), (0.2, 0.4, -0.1), (0.0, 0.3, 0.1), (0.5, 0.0, 2.0))}
    return dynamic_system(System([one, two], loads=[bushing], start=start, space="spatial"))


def measured(system: DynamicSystem, state: DynamicState) -> tuple[Array, Array, float]:
    """Displacement and rotation vector of the second marker in axes of the first, and the energy."""
    R = rotation_from_quaternion(state.quaternions)
    frames = [body.frames["P"] for body in system.system.bodies]  # type: ignore[union-attr]
    axes = [R[i] @ frames[i].axes for i in range(2)]
    places = [state.positions[i] + R[i] @ frames[i].point for i in range(2)]
    evaluation = evaluation_at(system, 0.0)
    evaluation.evaluate(place_of(system, state), 0.0, np.zeros(12), np.zeros(0), False)
    turn = axes[0].T @ axes[1]
    angle = np.arccos((np.trace(turn) - 1) / 2)
    vector = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    return (
        axes[0].T @ (places[1] - places[0]),
        vector * angle / (2 * np.sin(angle)),
        float(evaluation.spring_energy()),
    )


def test_energy_of_a_bushing() -> None:
    """½ qᵀKq − Pᵀq of the displacement and the rotation vector, found here from the matrices."""
    bushing = mount(np.random.default_rng(1))
    system = two_bodies(bushing)
    displacement, turn, energy = measured(system, initial_state(system))
    q = np.concatenate([displacement, turn])
    assert bushing.preload is not None
    exact = q @ np.array(bushing.stiffness) @ q / 2 - np.array(bushing.preload) @ q
    assert energy == pytest.approx(exact, rel=1e-12)  # a hundred products


def test_bushing_under_a_large_common_rotation() -> None:
    """Body forces stay what they are in axes that turn along, whatever the rotation."""
    system = two_bodies(mount(np.random.default_rng(2)))
    state = initial_state(system)
    plain = residual(system, state)
    for vector in ((2.0, -1.0, 0.5), (0.0, 0.0, 3.1), (-4.0, 2.0, 1.0)):
        turn = rotation_from_vector(np.array(vector))
        common = quaternion_exponential(np.array(vector))
        moved = DynamicState(
            **vars(state)
            | {
                "positions": state.positions @ turn.T + 5.0,
                "quaternions": np.array([quaternion_product(common, q) for q in state.quaternions]),
            }
        )
        np.testing.assert_allclose(residual(system, moved), plain, rtol=0, atol=1e-11 * np.abs(plain).max())


def residual(system: DynamicSystem, state: DynamicState) -> Array:
    evaluation = evaluation_at(system, 0.0)
    evaluation.evaluate(place_of(system, state), 0.0, np.zeros(12), np.zeros(0), False)
    return evaluation.residual()


def test_bushing_keeps_momentum_and_balances_energy() -> None:
    found = run(two_bodies(mount(np.random.default_rng(3))), 0.5, samples=51)
    assert found.energy_drift < 1e3 * TOLERANCE
    for momentum in (found.linear_momentum, found.angular_momentum):
        np.testing.assert_allclose(momentum - momentum[0], 0.0, atol=1e3 * TOLERANCE)


# ---------------------------------------------------------------------- elastic joints


def pendulum(stiffness: float | None) -> DynamicSystem:
    rod = RigidBody("rod", 1.0, 0.02, points={"A": (-0.3, 0.0)})
    damping = 0.0 if stiffness is None else 0.2 * np.sqrt(stiffness)
    hinge = Revolute("A", "ground", "rod.A", stiffness=stiffness, damping=damping)
    start = {"rod": Placement((0.31, 0.02))}  # roughly: both begin with the hinge closed
    return dynamic_system(System([rod], [hinge], loads=[SystemGravity()], start=start))


def test_stiff_joint_converges_to_the_ideal_one() -> None:
    """Motion and force of the joint differ by what is proportional to 1/k: a tenth for ten times the stiffness."""
    ideal = run(pendulum(None), 0.6, samples=7)
    places, forces = [], []
    for k in (1e5, 1e6, 1e7):
        found = run(pendulum(k), 0.6, samples=7)
        assert found.energy_drift < 1e3 * TOLERANCE
        places.append(np.abs(found.positions[-1] - ideal.positions[-1]).max())
        wanted, got = joint_force(ideal, "A")[0][-1], joint_force(found, "A")[0][-1]
        forces.append(np.abs(got - wanted).max() / np.abs(wanted).max())
    np.testing.assert_allclose(np.log10(np.array(places[:-1]) / places[1:]), 1.0, atol=0.1)
    np.testing.assert_allclose(np.log10(np.array(forces[:-1]) / forces[1:]), 1.0, atol=0.2)


def test_force_of_an_elastic_joint_at_rest() -> None:
    """A block that hangs on an elastic guide: sideways push over stiffness, and the guide bears it."""
    block = RigidBody("block", MASS, 0.1)
    guide = Prismatic("guide", "ground", "block", stiffness=1e4, damping=400.0, rotation_stiffness=50.0)
    system = dynamic_system(System([block], [guide], loads=[MarkerForce("push", "block", (0.0, 20.0))]))
    found = run(system, 1.0)
    assert found.positions[-1, 0, 1] == pytest.approx(20 / 1e4, rel=1e-8)  # ζ = 1.4: exp(−25 …) is left
    np.testing.assert_allclose(joint_force(found, "guide")[0][-1], (0.0, -20.0, 0.0), rtol=0, atol=1e-6)


def test_frequencies_on_a_bushing() -> None:
    """At rest under no load: eigenvalues of M⁻¹K with the mass of a body about the centre of its mount."""
    random = np.random.default_rng(4)
    A = random.normal(size=(6, 6))
    K = 300 * (A @ A.T + np.eye(6))
    mass, inertia = 2.0, np.diag([0.3, 0.2, 0.4])
    block = RigidBody("block", mass, inertia)
    system = System([block], loads=[Bushing("mount", "ground", "block", K.tolist())], space="spatial")
    found = system_statics(system)
    exact = np.sort(np.linalg.eigvals(np.linalg.solve(np.diag([mass] * 3 + [0.3, 0.2, 0.4]), K)).real)
    np.testing.assert_allclose(found.eigenvalues, exact[: len(found.eigenvalues)], rtol=1e-5)  # by differences
