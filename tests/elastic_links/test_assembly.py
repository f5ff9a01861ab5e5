"""Joined bodies: joint rows, springs, curvature of joints, rigid parts, forces."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.linalg

import flexframe as ff
from flexframe.assembly.dofs import rigid_displacements
from flexframe.equations.coefficients import Terms
from flexframe.maths.rotations import rotation_from_vector
from flexframe.mesh.plane_builders import rectangle
from flexframe.model.constraints import Along, Distance, Fixed, Perpendicular
from flexframe.model.drives import AngleDrive
from flexframe.model.joints import PointOnLine, Revolute, Weld
from flexframe.model.rigid_body import BodyFrame, Placement, RigidBody
from flexframe.model.system import System
from flexframe.model.system_loads import MarkerForce, Spring, TorsionSpring
from flexframe.multibody.constraints import BoundFrames, constraint_table
from flexframe.multibody.inverse_dynamics import inverse_dynamics
from flexframe.multibody.kinematics import follow
from flexframe.multibody.links.assembly import assembly_motion, elastic_assembly
from flexframe.multibody.links.joined_bodies import RigidPart, curvature
from flexframe.multibody.links.link import ElasticLink, given_history
from flexframe.multibody.mechanism import mechanism
from flexframe.multibody.states import SPATIAL_COLUMNS, Configuration

from .links import TURN, elastic_four_bar, slider_crank


def moving(system, times):
    motion = follow(mechanism(system), np.asarray(times, dtype=float))
    return motion, inverse_dynamics(motion)


def still(system, times=(0.0, 1.0)):
    return elastic_assembly(follow(mechanism(system), np.asarray(times)), None)


def frequencies(assembly, count, instant=0):
    now = assembly.at(instant)
    mu = scipy.linalg.eigh(now.stiffness, now.mass, eigvals_only=True, subset_by_index=[0, count - 1])
    return np.sqrt(mu) / (2 * np.pi)


def cantilever(**extra):
    return ff.Body.beam(
        "arm",
        length=0.5,
        divisions=6,
        section=ff.Rectangle(0.02, 0.01),
        material=ff.STEEL,
        theory="euler_bernoulli",
        **extra,
    )


# ---------------------------------------------------------------------- joining


def test_weld_is_a_clamp():
    """An arm welded to the ground, turned by half a radian: frequencies of the clamped body, to round-off."""
    ground = {"O": BodyFrame((1, 2), 0.5)}
    system = System([cantilever()], [Weld("root", "ground.O", "arm.start")], ground=ground)
    clamped = replace(cantilever(), supports=(ff.Clamp("start"),))
    np.testing.assert_allclose(frequencies(still(system), 4), ff.modes(clamped, count=4).frequencies_hz, rtol=1e-9)


def test_two_halves_are_one_beam():
    """Two arms welded end to end at an angle of their frames make one straight beam of twelve elements."""
    half = cantilever()
    other = replace(half, name="second")
    system = System(
        [half, other],
        [Weld("root", "ground.O", "arm.start"), Weld("joint", "arm.end", "second.start")],
        ground={"O": (0, 0)},
        start={"second": Placement((0.5, 0))},
    )
    whole = ff.Body.beam(
        "whole",
        length=1.0,
        divisions=12,
        section=ff.Rectangle(0.02, 0.01),
        material=ff.STEEL,
        theory="euler_bernoulli",
        supports=(ff.Clamp("start"),),
    )
    # the lowest of a stiffness matrix with ω_max/ω_1 = 1e4 keeps 1e-8
    np.testing.assert_allclose(frequencies(still(system), 4), ff.modes(whole, count=4).frequencies_hz, rtol=1e-7)


def test_rigid_part_is_a_point_mass():
    """A rigid body welded to the tip: the same as a point mass with rotary inertia there."""
    tip = RigidBody("tip", 0.3, 2e-4, points={"P": (0, 0)})
    system = System(
        [cantilever(), tip],
        [Weld("root", "ground.O", "arm.start"), Weld("joint", "arm.end", "tip.P")],
        ground={"O": (0, 0)},
        start={"tip": Placement((0.5, 0))},
    )
    loaded = replace(
        cantilever(), supports=(ff.Clamp("start"),), point_masses=(ff.PointMass("end", 0.3, (1e-4, 1e-4, 2e-4)),)
    )
    np.testing.assert_allclose(frequencies(still(system), 4), ff.modes(loaded, count=4).frequencies_hz, rtol=1e-7)


def test_spring_between_bodies():
    """A spring across the tip of a cantilever: the same as a spring to the frame of the body; damper likewise."""
    spring = Spring("spring", "ground.P", "arm.end", stiffness=5e3, free=0.2, damping=7.0, axis=(0, 1))
    system = System(
        [cantilever()],
        [Weld("root", "ground.O", "arm.start")],
        loads=[spring],
        ground={"O": (0, 0), "P": (0.5, -0.2)},
    )
    held = replace(
        cantilever(),
        supports=(ff.Clamp("start"),),
        springs=(ff.supports.FrameSpring("end", stiffness=(0, 5e3, 0)),),
    )
    joined = still(system)
    np.testing.assert_allclose(frequencies(joined, 3), ff.modes(held, count=3).frequencies_hz, rtol=1e-8)
    damping = joined.at(0).damping
    np.testing.assert_allclose(np.trace(damping), 7.0, rtol=1e-9)  # one row of length one
    twisted = replace(system, loads=[TorsionSpring("spring", "ground.P", "arm.end", stiffness=40.0)])
    held = replace(held, springs=(ff.supports.FrameSpring("end", rotational_stiffness=(0, 0, 40.0)),))
    np.testing.assert_allclose(frequencies(still(twisted), 3), ff.modes(held, count=3).frequencies_hz, rtol=1e-8)


def test_plane_elements_are_joined_at_node_sets():
    """A plate pinned at the mean of its left edge and on its right edge; a motor cannot hold such a set."""
    plate = ff.Body.plane("plate", rectangle(0.2, 0.05, (4, 1)), material=ff.STEEL, thickness=0.01)
    pins = [Revolute("A", "ground.A", "plate.left"), PointOnLine("B", "ground.A", "plate.right")]
    system = System([plate], pins, [], ground={"A": (0, 0.025)})
    assert still(system).rank == 3
    driven = replace(system, joints=pins[:1], drives=[AngleDrive("motor", "ground.A", "plate.left", 0.0)])
    with pytest.raises(ff.InputError, match=r"motor holds a rotation of 'plate\.left'"):
        still(driven).constraints.any()


def test_joint_forces_are_in_the_row_space():
    """B spans what A leaves, and forces of joints do no work on it: Bᵀ(M q̈ + C q̇ + K q − f) = 0."""
    motion, forces = moving(slider_crank(divisions=4), np.linspace(0, TURN, 7))
    assembly = elastic_assembly(motion, forces)
    found = assembly_motion(assembly, quasi_static=True)
    for i in range(7):
        B, A = assembly.basis_at(i), assembly.constraints[i]
        np.testing.assert_allclose(A @ B, 0.0, atol=1e-12)
        _, K, f = assembly.blocks(i)
        carried = K @ found.displacements[i] - f
        np.testing.assert_allclose(carried, A.T @ found.multipliers[i], atol=1e-7 * np.abs(f).max())
        # rigid joint forces are in balance with inertia: what remains for the joined bodies is the inertia alone
        assert np.abs(B.T @ carried).max() < 1e-7 * np.abs(f).max()


def test_displacements_go_with_compliance():
    """The loads of the rigid motion, joint forces among them, are in balance body by body: what they deform goes
    with 1/E, nothing is left that would move bodies as a whole."""
    soft, stiff = [], []
    for young, out in ((2e11, soft), (2e15, stiff)):
        system = slider_crank(divisions=4)
        rod = system.body("rod")
        material = ff.Material(young=young, poisson=0.3, density=7870)
        region = replace(rod.regions[0], prop=replace(rod.regions[0].prop, material=material))
        system = replace(
            system, bodies=[replace(b, regions=(region,)) if b.name == "rod" else b for b in system.bodies]
        )
        motion, forces = moving(system, np.linspace(0, TURN, 5))
        out.append(
            assembly_motion(
                elastic_assembly(motion, forces, Terms(geometric=0, centrifugal=0, euler=1)), quasi_static=True
            )
        )
    ratio = np.abs(stiff[0].displacements).max() / np.abs(soft[0].displacements).max()
    assert ratio == pytest.approx(1e-4, rel=0.01)


# ---------------------------------------------------------------------- rigid parts and curvature


def test_rigid_part_terms_are_those_of_a_stiff_body():
    """All frame terms and loads of a rigid part equal those of an elastic beam, seen through its rigid motions."""
    beam = ff.Body.beam(
        "b",
        length=0.6,
        divisions=3,
        section=ff.Rectangle(0.03, 0.05),
        material=ff.STEEL,
        root=0.1,
        space="spatial",
    )
    discrete = ff.discretise(beam)
    inertia = discrete.inertia
    part = RigidPart.of(inertia.mass, inertia.centre_of_mass, inertia.inertia_tensor, SPATIAL_COLUMNS)
    random = np.random.default_rng(5)
    t = np.arange(3.0)
    history = given_history(
        t,
        angular_velocity=random.normal(size=(3, 3)),
        angular_acceleration=random.normal(size=(3, 3)),
        origin_acceleration=random.normal(size=(3, 3)),
    )
    rigid = rigid_displacements(discrete.dofs, beam.mesh.points)
    terms = Terms(geometric=0)
    ours, theirs = part.equations(history, terms), ElasticLink(discrete).equations(history, terms)
    for i in range(3):
        for small, full in (
            (ours.mass, theirs.mass),
            (ours.matrix_at(1, i), theirs.matrix_at(1, i)),
            (ours.matrix_at(0, i), theirs.matrix_at(0, i)),
        ):
            whole = rigid.T @ (full @ rigid)
            # elastic forces of rigid motions leave 1e-16 E
            np.testing.assert_allclose(small.toarray(), whole, atol=1e-5 if full is not theirs.mass else 1e-12)
        np.testing.assert_allclose(ours.load_at(i), rigid.T @ theirs.load_at(i), atol=1e-11)


@pytest.mark.parametrize(
    "condition",
    [Along((0.6, 0.8, 0.0)), Distance(Fixed(1.0)), Perpendicular((0.0, 1.0, 0.0), (1.0, 0.0, 0.0))],
    ids=["along", "distance", "perpendicular"],
)
def test_curvature_is_the_second_derivative(condition):
    """Second differences of s under small displacements of the two places, step h = 1e-3: errors of order h²."""
    random = np.random.default_rng(2)
    R = rotation_from_vector(random.normal(size=(1, 3, 3)))
    R[:, 2] = np.eye(3)
    r = random.normal(size=(1, 3, 3))
    r[:, 2] = 0.0
    bound = BoundFrames(condition, 0, 1, random.normal(size=3), random.normal(size=3), np.eye(3), np.eye(3))
    exact = curvature(bound, Configuration(r, R, None), planar=False)[0]

    def value(x):
        positions, rotations = r.copy(), R.copy()
        for side, point in enumerate((bound.first_point, bound.second_point)):
            d, turn = x[6 * side : 6 * side + 3], rotation_from_vector(x[6 * side + 3 : 6 * side + 6])
            place = r[0, side] + R[0, side] @ point
            rotations[0, side] = turn @ R[0, side]
            positions[0, side] = place + d - rotations[0, side] @ point
        return constraint_table((bound,), 2).values(Configuration(positions, rotations, None))[0][0, 0]

    h, found, unit = 1e-3, np.zeros((12, 12)), np.eye(12)
    for i in range(12):
        for j in range(12):
            a, b = h * unit[i], h * unit[j]
            found[i, j] = (value(a + b) - value(a - b) - value(b - a) + value(-a - b)) / (4 * h * h)
    np.testing.assert_allclose(exact, found, atol=5e-6)


def test_tension_stiffens_an_arm():
    """An arm welded to the ground, pulled at its tip: the frequency of the clamped body under the same force."""
    pull = 200.0
    system = System(
        [cantilever()],
        [Weld("root", "ground.O", "arm.start")],
        loads=[MarkerForce("pull", "arm.end", (pull, 0.0, 0.0))],
        ground={"O": (0, 0)},
    )
    motion, forces = moving(system, [0.0, 1.0])
    stretched = frequencies(elastic_assembly(motion, forces), 1)[0]
    loaded = replace(cantilever(), supports=(ff.Clamp("start"),), loads=(ff.NodeForce("end", (pull, 0, 0)),))
    # the free body's stress comes by inertia relief, the clamped one's by its support: the same stress
    assert stretched == pytest.approx(ff.modes(loaded, count=1).frequencies_hz[0], rel=1e-8)
    assert stretched > 1.01 * frequencies(still(system), 1)[0]


def test_step_size_must_be_even():
    motion, forces = moving(slider_crank(divisions=2), [0.0, 0.001, 0.003])
    with pytest.raises(ff.InputError, match="evenly spaced"):
        assembly_motion(elastic_assembly(motion, forces))


def test_joined_motion_converges():
    """Four-bar at 5 Hz from rest: generalised-α of second order; halving the steps quarters the change."""
    ends = []
    for steps in (100, 200, 400):
        motion, forces = moving(elastic_four_bar(2, law="31.4159265*t"), np.linspace(0, 0.05, steps + 1))
        found = assembly_motion(elastic_assembly(motion, forces), spectral_radius=0.5)
        ends.append(found.displacements[-1])
    first, second = np.abs(ends[1] - ends[0]).max(), np.abs(ends[2] - ends[1]).max()
    assert second < 0.4 * first
    assert second < 0.06 * np.abs(ends[2]).max()  # of rotations, which swing with the third mode at 100 Hz
