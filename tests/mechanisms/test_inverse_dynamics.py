"""Joint forces of known motions: body by body, in closed form, and by their power."""

import numpy as np
import pytest
from tests.mechanism_equations import mechanism_equations

from flexframe.elements.properties import STEEL, Rectangle
from flexframe.errors import InputError
from flexframe.model.body import Body
from flexframe.model.drives import AngleDrive
from flexframe.model.friction import Friction
from flexframe.model.joints import Revolute
from flexframe.model.rigid_body import RigidBody
from flexframe.model.system import System
from flexframe.model.system_loads import Spring, SystemGravity, TorsionSpring
from flexframe.multibody.inverse_dynamics import applied_power, drive_power, inverse_dynamics, kinetic_energy
from flexframe.multibody.kinematics import follow
from flexframe.multibody.mechanism import mechanism
from flexframe.multibody.states import as_vector

from .linkages import four_bar, slider_crank, two_freedom_linkage
from .newton_euler import imbalance


def forces_of(system, times):
    return inverse_dynamics(follow(mechanism(system), times))


@pytest.mark.parametrize("space", ["planar", "spatial"])
@pytest.mark.parametrize("make", [slider_crank, four_bar])
def test_every_body_is_in_balance(make, space):
    system = make("7*t + 3*t^2", space=space)
    forces = forces_of(system, np.linspace(0, 1, 60))
    assert imbalance(forces) < 1e-10  # round-off of sums of forces
    assert forces.balance < 1e-12


def test_two_driven_freedoms_with_gravity():
    base = two_freedom_linkage("pi/3 + 0.4*t", "110*pi/180 + 0.1*sin(t)")
    system = System(base.bodies, base.joints, base.drives, [SystemGravity()], ground=base.ground, start=base.start)
    assert imbalance(forces_of(system, np.linspace(0, 1, 50))) < 1e-10


def test_projection_on_free_directions_vanishes():
    """Bᵀ Q_joint = 0 for the forces of the joints alone; drives do the work."""
    forces = forces_of(slider_crank(), np.linspace(0, 0.04, 40))
    ready = forces.motion.mechanism
    joints = ~ready.drive_rows
    _, J = ready.constraints.values(forces.motion.configuration)
    A = ready.constraints.reduce_jacobian(J)[:, joints]
    Q = np.einsum("tmn,tm->tn", A, forces.multipliers[:, joints])
    q_rate = as_vector(forces.motion.velocities, True)
    B = q_rate / np.linalg.norm(q_rate, axis=1, keepdims=True)  # the one freedom
    assert np.abs(np.einsum("tn,tn->t", B, Q)).max() < 1e-10 * np.abs(Q).max()


def test_slider_crank_forces_by_hand():
    """With a rod without mass the slider's force is m ẍ along x, and the rod pushes along itself."""
    bodies = slider_crank().bodies
    light = RigidBody("rod", 0.0, 0.0, points={"B": (0, 0), "C": (0.3, 0)})
    base = slider_crank()
    system = System([bodies[0], light, bodies[2]], base.joints, base.drives, ground=base.ground, start=base.start)
    t = np.linspace(0, 0.0418, 50)
    forces = forces_of(system, t)
    q = 150 * t
    sine = 0.15 * np.sin(q) / 0.3
    x_second = forces.motion.marker("slider.C")[2][:, 0]
    along = 0.075552 * x_second  # force of the rod on the slider along x
    np.testing.assert_allclose(forces.joints["C"].force[:, 0], along, rtol=1e-10, atol=1e-9)
    across = -along * sine / np.sqrt(1 - sine**2)  # a two-force member pushes along itself
    np.testing.assert_allclose(forces.joints["slide"].force[:, 1], -across, rtol=1e-9, atol=1e-8)


def test_power_of_drive_and_loads_is_the_rate_of_kinetic_energy():
    loads = [
        SystemGravity(),
        Spring("spring", "ground.A", "slider.C", 900.0, 0.2, 12.0),
        TorsionSpring("torsion", "crank.B", "rod.B", 3.0, 0.1, 0.02),
        Friction("friction", "ground.A", "slider.C", 4.0, velocity=0.05),
    ]
    t = np.linspace(0, 1.2, 4001)
    forces = forces_of(slider_crank("3*t + t^2", loads=loads), t)
    power = drive_power(forces) + applied_power(forces.motion)
    energy = kinetic_energy(forces.motion)
    h = t[1] - t[0]
    slope = (8 * (energy[3:-1] - energy[1:-3]) - (energy[4:] - energy[:-4])) / (12 * h)
    # fourth-order difference, h = 0.3 ms: h⁴/30 of the fifth derivative, below 1e-9 of the power
    assert np.abs(slope - power[2:-2]).max() < 1e-7 * np.abs(power).max()


def test_spring_force_enters_the_balance():
    spring = Spring("spring", "ground.A", "slider.C", 900.0, 0.2)
    forces = forces_of(slider_crank("3*t", loads=[spring]), np.linspace(0, 2, 60))
    slider = forces.motion.marker("slider.C")[0]
    pull = np.zeros_like(slider)
    pull[:, 0] = -900.0 * (slider[:, 0] - 0.2)
    zero = np.zeros_like(pull)
    assert imbalance(forces, {"slider": [(slider, pull, zero)]}) < 1e-10


@pytest.mark.parametrize("rotary", [0.0, 1.0])
def test_a_meshed_body_counts_with_mass_and_inertia_of_its_mesh(rotary):
    """A bar of length l and height h has the inertia m (l² + h²)/12 about its centre, m l²/12 without rotary."""
    section = Rectangle(0.02, 0.01)
    bar = Body.beam(
        "rod",
        length=0.3,
        divisions=4,
        section=section,
        material=STEEL,
        rotary_inertia=rotary,
    )
    base = slider_crank()
    mass = STEEL.density * 0.02 * 0.01 * 0.3
    rigid = RigidBody(
        "rod", mass, mass * (0.09 + rotary * 0.01**2) / 12, (0.15, 0), {"start": (0, 0), "end": (0.3, 0)}
    )

    def system(rod):
        joints = [
            base.joints[0],
            Revolute("B", "crank.B", "rod.start"),
            Revolute("C", "rod.end", "slider.C"),
            base.joints[3],
        ]
        return System(
            [base.bodies[0], rod, base.bodies[2]], joints, base.drives, ground=base.ground, start=base.start
        )

    t = np.linspace(0, 0.04, 20)
    meshed, plain = forces_of(system(bar), t), forces_of(system(rigid), t)
    for name in ("A", "B", "C", "slide"):
        np.testing.assert_allclose(meshed.joints[name].force, plain.joints[name].force, rtol=1e-9, atol=1e-7)


def test_redundant_crank_shares_are_notified_and_resultants_are_unique():
    from .test_kinematics import parallelogram

    forces = forces_of(parallelogram("0.4 + 5*t"), np.linspace(0, 0.4, 30))
    assert imbalance(forces) < 1e-10
    assert "share of each joint is not" in forces.motion.notices[0]


def test_components_in_the_axes_of_either_body():
    forces = forces_of(slider_crank(), np.linspace(0, 0.04, 9))
    on_rod, _ = forces.on("B", "rod")
    on_crank, _ = forces.on("B", "crank")
    rod, crank = forces.motion.body("rod"), forces.motion.body("crank")
    in_space = np.einsum("tij,tj->ti", rod.rotations, on_rod)
    np.testing.assert_allclose(in_space, -np.einsum("tij,tj->ti", crank.rotations, on_crank), atol=1e-9)
    with pytest.raises(InputError, match="B links crank and rod, not slider"):
        forces.on("B", "slider")


def test_spinning_wheel_needs_the_gyroscopic_moment():
    """A wheel on a turning arm: the bearing moment is I₃ Ω ω (steady precession without gravity)."""
    wheel = RigidBody("wheel", 1.0, (0.04, 0.02, 0.02), points={"O": (0, 0, 0)})
    arm = RigidBody("arm", 1.0, (0.01, 0.01, 0.01), points={"O": (0, 0, 0)})
    x = (1.0, 0.0, 0.0)
    system = System(
        [arm, wheel],
        [Revolute("pivot", "ground.O", "arm.O"), Revolute("bearing", "arm.O", "wheel.O", axis=x)],
        [
            AngleDrive("turn", "ground.O", "arm.O", "2*t"),
            AngleDrive("spin", "arm.O", "wheel.O", "30*t", axis=x),
        ],
        ground={"O": (0, 0, 0)},
        space="spatial",
    )
    forces = forces_of(system, np.linspace(0, 0.3, 13))
    _, moment = forces.on("bearing", "arm")
    # dL/dt = Ω ẑ × (I₃ ω x̂) = I₃ Ω ω ŷ in arm axes, on the wheel; the arm feels the opposite
    np.testing.assert_allclose(moment, np.tile([0.0, -0.04 * 2 * 30, 0.0], (13, 1)), atol=1e-12)


def test_a_load_across_the_plane_is_refused():
    torsion = TorsionSpring("torsion", "ground.A", "crank.A", 1.0, axis=(1.0, 0.0, 0.0))
    with pytest.raises(InputError, match="torsion acts across the x–y plane"):
        mechanism(slider_crank(loads=[torsion]))


def test_neutral_equations_are_met_by_the_motion_and_its_forces():
    """M q̈ + h = Q + Aᵀλ, A q̇ + b = 0, A q̈ + γ = 0 at an instant of a known motion."""
    forces = forces_of(slider_crank("3*t + t^2", loads=[SystemGravity()]), np.linspace(0.3, 1, 5))
    motion, k = forces.motion, 2
    one = mechanism_equations(
        motion.mechanism, motion.times[k], motion.configuration.at([k]), motion.velocities.at([k])
    )
    second = as_vector(motion.accelerations, True)[k]
    np.testing.assert_allclose(one.constraint @ one.velocity + one.drive_rate, 0.0, atol=1e-12)
    np.testing.assert_allclose(one.constraint @ second + one.bias, 0.0, atol=1e-11)
    pull = one.applied_force + one.constraint.T @ forces.multipliers[k]
    np.testing.assert_allclose(one.mass @ second + one.inertia_force, pull, atol=1e-11)
    assert one.kinetic_energy == pytest.approx(kinetic_energy(motion)[k], rel=1e-13)
    assert one.owners[-1] == "motor"
