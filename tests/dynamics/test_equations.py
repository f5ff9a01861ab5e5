"""The equations at one state against positions differentiated with fifty digits, and against the mechanisms."""

import mpmath as mp
import numpy as np
import pytest
from tests.mechanism_equations import mechanism_equations

from flexframe.maths.rotations import (
    quaternion_exponential,
    quaternion_from_rotation,
    rotation_from_quaternion,
    skew,
)
from flexframe.model.drives import AngleDrive
from flexframe.model.friction import Friction
from flexframe.model.joints import (
    Cylindrical,
    InPlane,
    Joint,
    KnifeEdge,
    PointOnLine,
    Prismatic,
    Revolute,
    Rod,
    Rolling,
    Spherical,
    Universal,
    Weld,
)
from flexframe.model.rigid_body import BodyFrame, RigidBody
from flexframe.model.system import System
from flexframe.model.system_loads import MarkerForce, Motor, Spring, SystemGravity, TorsionSpring
from flexframe.multibody.contract import DynamicState, DynamicSystem
from flexframe.multibody.equations import accelerations_at, equations_at, move_state, with_velocity
from flexframe.multibody.start import consistent_start, initial_state
from flexframe.multibody.states import Rates, array_poses
from flexframe.multibody.system import dynamic_system
from flexframe.reduction.kinetics import mass_matrix

from .samples import flexible_pendulum, particle_body


def cloud(geometric: bool, *joints: Joint) -> DynamicSystem:
    reduced, *_ = particle_body()
    stand_in = RigidBody("cloud", 1.0, np.eye(3), points={"P": reduced.interfaces[0].position})
    system = System([stand_in], joints, ground={"Q": (0.3, -0.2, 0.4)}, space="spatial")
    return dynamic_system(system, {"cloud": reduced}, geometric=geometric)


def state_of_cloud(seed: int = 5, size: float = 0.3) -> DynamicState:
    random = np.random.default_rng(seed)
    return DynamicState(
        time=0.0,
        positions=random.normal(size=(1, 3)),
        quaternions=quaternion_exponential(random.normal(size=(1, 3))),
        deformation=size * random.normal(size=3),
        velocities=random.normal(size=(1, 3)),
        angular_velocities=random.normal(size=(1, 3)),
        rates=random.normal(size=3),
        angles=np.zeros(1),
    )


def particle_forces(state: DynamicState, acceleration: np.ndarray, geometric: bool) -> np.ndarray:
    """Σ m (∂r/∂q)·r̈ with r̈ by second differences of positions with fifty digits."""
    _, mass, x, N, G = particle_body()
    R = rotation_from_quaternion(state.quaternions[0])
    v, w, d, dd = state.velocities[0], state.angular_velocities[0], state.deformation, state.rates
    vd, wd, ddd = acceleration[:3], acceleration[3:6], acceleration[6:]
    G = G if geometric else 0 * G
    origin_acceleration = R @ (vd + np.cross(w, v))

    def positions(t: mp.mpf) -> mp.matrix:
        # r_O + R exp(ω t + ½ ω̇ t²) (x + N δ + ½ δᵀG δ)
        turn = mp.matrix(skew(w).tolist()) * t + mp.matrix(skew(wd).tolist()) * (t * t / 2)
        rotation = mp.matrix(R.tolist()) * (mp.eye(3) + turn + turn * turn / 2 + turn * turn * turn / 6)
        delta = [mp.mpf(a) + mp.mpf(b) * t + mp.mpf(c) * t * t / 2 for a, b, c in zip(d, dd, ddd, strict=True)]
        m = len(delta)
        local = mp.matrix(3, len(mass))
        for p in range(len(mass)):
            for i in range(3):
                value = mp.mpf(x[p, i]) + sum(mp.mpf(N[p, i, r]) * delta[r] for r in range(m))
                value += sum(mp.mpf(G[p, i, r, s]) * delta[r] * delta[s] for r in range(m) for s in range(m)) / 2
                local[i, p] = value
        return rotation * local

    with mp.workdps(50):
        h = mp.mpf(10) ** -15
        second = (positions(h) - 2 * positions(mp.mpf(0)) + positions(-h)) / h**2
    a = np.array(second.tolist(), dtype=float).T + origin_acceleration
    slope = N + G @ d
    local = x + N @ d + np.einsum("pirs,r,s->pi", G, d, d) / 2
    columns = np.concatenate([np.tile(np.eye(3), (len(mass), 1, 1)), -skew(local), slope], axis=2)
    return np.einsum("p,ij,pjq,pi->q", mass, R, columns, a)


@pytest.mark.parametrize("geometric", [True, False], ids=["quadratic field", "linear field"])
def test_inertia_against_positions(geometric: bool) -> None:
    """M u̇ + h of a body of mass points against second derivatives of their positions; round-off of sums, 1e-12."""
    system, state = cloud(geometric), state_of_cloud()
    acceleration = np.random.default_rng(8).normal(size=9)
    found = equations_at(system, state)
    expected = particle_forces(state, acceleration, geometric)
    np.testing.assert_allclose(
        found.mass @ acceleration + found.inertia_force, expected, atol=1e-12 * np.abs(expected).max()
    )


def test_mass_matrix_against_the_reduced_body() -> None:
    """The linear field is that of reduction/kinetics.py; the quadratic one agrees to the order it keeps.

    Halving δ eight times leaves differences that fall with δ², the first order that kinetics leaves out of M.
    """
    reduced, *_ = particle_body()
    state = state_of_cloud()
    linear = equations_at(cloud(False), state).mass
    np.testing.assert_allclose(linear, mass_matrix(reduced, state.deformation, quadratic=False), atol=1e-12)
    away = []
    for size in (1e-2, 5e-3):
        small = state_of_cloud(size=size)
        full = equations_at(cloud(True), small).mass
        both = (slice(None, 6), slice(None))
        away.append(np.abs(full - mass_matrix(reduced, small.deformation))[both].max())
    assert 3.5 < away[0] / away[1] < 4.5


def test_mass_matrix_stays_definite() -> None:
    """A clamped soft beam bent by a tenth of its length: the truncated M is no longer definite, this one is."""
    system = flexible_pendulum(modes=6)
    reduced = system.bodies[0].reduced
    assert reduced is not None
    tip = reduced.point("tip")
    bent = np.linalg.lstsq(tip.rows[:2], np.array([0.0, 0.1]), rcond=None)[0]
    state = initial_state(system)
    state = DynamicState.from_arrays({**state.arrays(), "deformation": bent})
    M = equations_at(system, state).mass
    scale = 1 / np.sqrt(np.diagonal(M))
    assert np.linalg.eigvalsh(M * np.outer(scale, scale))[0] > 0
    planar = [0, 1, 5, *range(6, 6 + reduced.size)]
    truncated = mass_matrix(reduced, bent)[np.ix_(planar, planar)]
    assert np.linalg.eigvalsh(truncated)[0] < 0


JOINTS: list[Joint] = [
    Revolute("link", "first.A", "second.B", axis=(0.2, 0.3, 1.0)),
    Prismatic("link", "first.A", "second.B", axis=(1.0, 0.5, 0.2)),
    Cylindrical("link", "first.A", "second.B", axis=(1.0, 0.5, 0.2)),
    Spherical("link", "first.A", "second.B"),
    Universal("link", "first.A", "second.B"),
    Weld("link", "first.A", "second.B"),
    InPlane("link", "first.A", "second.B"),
    PointOnLine("link", "first.A", "second.B"),
    Rod("link", "first.A", "second.B", 0.7),
    Rolling("link", "ground", "second", 0.3, normal=(0.0, 1.0, 0.0), axis=(0.0, 0.0, 1.0)),
    KnifeEdge("link", "ground", "second.B"),
]


@pytest.mark.parametrize("joint", JOINTS, ids=lambda joint: joint.kind)
def test_rigid_systems_as_the_mechanisms_have_them(joint: Joint) -> None:
    """Accelerations and multipliers of two bodies with every joint and force, against `mechanism_equations`.

    The constraints need not hold at the state: both solve the same equations. Condition of the matrix, 1e-9.
    """
    random = np.random.default_rng(11)
    points = {"A": BodyFrame(np.array([0.4, 0.1, -0.2]), np.array([0.1, 0.2, 0.3])), "B": (0.1, -0.3, 0.2)}
    bodies = [
        RigidBody(name, mass, np.diag([0.3, 0.4, 0.5]), np.array([0.1, 0.05, -0.02]), points=points)
        for name, mass in (("first", 1.3), ("second", 0.9))
    ]
    loads = [
        SystemGravity(acceleration=(0.3, -9.81, 0.5)),
        MarkerForce("push", "second.B", ("2*sin(3*t)", 1.0, -0.4), (0.2, "t^2", 0.1), axes="body"),
        MarkerForce("pull", "first.A", (0.2, 0.3, "exp(-t)")),
        Spring("spring", "ground", "second.A", stiffness=30.0, free=0.4, damping=2.0),
        TorsionSpring("twist", "first.A", "second.B", stiffness=3.0, free=0.2, damping=0.3),
        Friction("rub", "first.A", "second.B", limit=0.7, velocity=0.5),
        Motor("motor", "ground", "first", speeds=(-5.0, 0.0, 5.0), torques=(3.0, 2.0, -1.0)),
    ]
    turn = AngleDrive("turn", "ground", "first", "0.4*t + 0.1*t^3")
    system = System(bodies, [joint], [turn], loads, space="spatial")
    ready = dynamic_system(system)
    R = rotation_from_quaternion(quaternion_exponential(0.4 * random.normal(size=(2, 3))))
    r, v, w = random.normal(size=(2, 3)), random.normal(size=(2, 3)), random.normal(size=(2, 3))
    state = DynamicState(
        time=0.7,
        positions=r,
        quaternions=quaternion_from_rotation(R),
        deformation=np.zeros(0),
        velocities=np.einsum("bji,bj->bi", R, v),
        angular_velocities=np.einsum("bji,bj->bi", R, w),
        rates=np.zeros(0),
        angles=np.zeros(2),
    )
    none = np.zeros((1, 3))
    c = array_poses(r[None], R[None], None)
    e = mechanism_equations(
        ready.mechanism, 0.7, c, Rates(np.concatenate([v, none])[None], np.concatenate([w, none])[None])
    )
    m = len(e.bias)
    matrix = np.block([[e.mass, -e.constraint.T], [e.constraint, np.zeros((m, m))]])
    expected = np.linalg.lstsq(matrix, np.concatenate([e.applied_force - e.inertia_force, -e.bias]), rcond=1e-12)[
        0
    ]
    found = accelerations_at(ready, state)
    u = found.velocity_rate.reshape(2, 6)
    linear = np.einsum("bij,bj->bi", R, u[:, :3] + np.cross(state.angular_velocities, state.velocities))
    angular = np.einsum("bij,bj->bi", R, u[:, 3:])
    both = np.hstack([linear, angular]).ravel()
    np.testing.assert_allclose(both, expected[:12], atol=1e-9 * np.abs(expected[:12]).max())
    np.testing.assert_allclose(found.multipliers, expected[12:], atol=1e-9 * np.abs(expected).max())


def test_elastic_point_conditions_against_differences() -> None:
    """A and γ of a weld at a point that moves and turns with the deformation, against central differences.

    Steps of 1e-6 leave 1e-9 of the values; γ comes from differences of A u along u.
    """
    system = cloud(True, Weld("hold", "ground.Q", "cloud.P"))
    state = state_of_cloud(size=0.1)
    here = equations_at(system, state)
    h, n = 1e-6, system.size
    A = np.zeros((system.rows, n))
    for k, unit in enumerate(np.eye(n)):
        ahead, behind = (equations_at(system, move_state(system, state, s * h * unit)).gap for s in (1.0, -1.0))
        A[:, k] = (ahead - behind) / (2 * h)
    np.testing.assert_allclose(here.constraint, A, atol=1e-8)
    u = here.velocity
    ahead, behind = (
        equations_at(system, with_velocity(system, move_state(system, state, s * h * u), u)).constraint @ u
        for s in (1.0, -1.0)
    )
    np.testing.assert_allclose(here.bias, (ahead - behind) / (2 * h), atol=1e-7 * np.abs(here.bias).max())


def test_redundant_joints_have_the_smallest_forces() -> None:
    """A door on two hinges in space: five constraints follow from the others, and λ is the shortest solution.

    Forces and moments are made comparable by what each row alone would meet, Σ A²/M. Against the pseudo-inverse at
    the same state; the regularisation is refined away to 1e-7.
    """
    door = RigidBody(
        "door", 10.0, np.diag([1.0, 2.0, 3.0]), np.array([0.5, 0, 0]), {"low": (0, 0, 0), "high": (0, 0, 1)}
    )
    system = dynamic_system(
        System(
            [door],
            [Revolute("low", "ground.low", "door.low"), Revolute("high", "ground.high", "door.high")],
            loads=[SystemGravity(acceleration=(0.0, -9.81, -3.0))],
            ground={"low": (0, 0, 0), "high": (0, 0, 1)},
            space="spatial",
        )
    )
    assert "5 redundant constraints among low, high" in system.notices[0]
    state = consistent_start(system, initial_state(system))
    e, found = equations_at(system, state), accelerations_at(system, state)
    schur = e.constraint @ np.linalg.solve(e.mass, e.constraint.T)
    right = -e.bias - e.constraint @ np.linalg.solve(e.mass, e.applied_force - e.inertia_force)
    weights = 1 / np.sqrt((e.constraint**2 / np.diagonal(e.mass)).sum(axis=1))
    shortest = weights * (np.linalg.pinv(schur * np.outer(weights, weights), rcond=1e-10) @ (weights * right))
    np.testing.assert_allclose(found.multipliers, shortest, atol=1e-7 * np.abs(shortest).max())
    np.testing.assert_allclose(e.constraint @ found.velocity_rate + e.bias, 0.0, atol=1e-9)
