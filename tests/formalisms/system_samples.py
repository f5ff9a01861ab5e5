"""Systems of rigid and elastic bodies on which formalisms are compared, and states that are nowhere special."""

from dataclasses import replace

import numpy as np

from flexframe.analyses.transient.coupled.division import elastic_system
from flexframe.analyses.transient.coupled.elastic_parts import ReductionChoice
from flexframe.elements.properties import Material, Rectangle
from flexframe.model.body import Body, Damping
from flexframe.model.drives import AngleDrive
from flexframe.model.joints import Prismatic, Revolute, Spherical
from flexframe.model.loads import LineLoad
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.system import System
from flexframe.model.system_loads import MarkerForce, Spring, SystemGravity
from flexframe.multibody.contract import DynamicState, DynamicSystem
from flexframe.multibody.equations import move_state
from flexframe.multibody.start import consistent_start, initial_state
from flexframe.multibody.system import dynamic_system
from flexframe.reduction.attached import ClampedFrame, MeanAxes
from flexframe.reduction.interfaces import Interface
from flexframe.reduction.reduced_body import ReducedBody, reduce_body
from flexframe.reduction.strategies import Modal

SOFT = Material(young=2e8, poisson=0.3, density=1200.0, name="soft")
SECTION = Rectangle(width=0.02, height=0.02)


def elastic_rod(name: str, length: float, *, space: str = "planar", modes: int = 3) -> tuple[Body, ReducedBody]:
    """A soft beam along x with its frame clamped at the start."""
    body = Body.beam(name, length=length, divisions=6, section=SECTION, material=SOFT, space=space)
    points = [Interface("start", "start"), Interface("end", "end")]
    return body, reduce_body(
        body, Modal(modes), interfaces=points, reference=ClampedFrame("start"), orthonormal=True
    )


def double_pendulum(*, geometric: bool = True, loads: tuple = (SystemGravity(),)) -> DynamicSystem:
    """Two elastic rods under gravity, conservative and planar."""
    (upper, first), (lower, second) = elastic_rod("upper", 1.0), elastic_rod("lower", 0.8)
    system = System(
        [upper, lower],
        [Revolute("A", "ground.O", "upper.start"), Revolute("B", "upper.end", "lower.start")],
        loads=loads,
        ground={"O": (0, 0)},
        start={
            "upper": Placement((0, 0), -0.4, angular_velocity=(0, 0, 1.5)),
            "lower": Placement((0.921, -0.389), 0.3, angular_velocity=(0, 0, -2.0)),
        },
    )
    return dynamic_system(system, {"upper": first, "lower": second}, geometric=geometric)


def slider_crank() -> DynamicSystem:
    """A driven crank, an elastic rod, a slider, a spring with a damper and a force."""
    rod, reduced = elastic_rod("rod", 0.3)
    bodies = [
        RigidBody("crank", 0.36, (1e-5, 0.002727, 0.002727), (0.075, 0, 0), {"A": (0, 0), "B": (0.15, 0)}),
        rod,
        RigidBody("slider", 0.075552, (1e-5, 1e-5, 1e-5), points={"C": (0, 0)}),
    ]
    joints = [
        Revolute("A", "ground.A", "crank.A"),
        Revolute("B", "crank.B", "rod.start"),
        Revolute("C", "rod.end", "slider.C"),
        Prismatic("slide", "ground.A", "slider.C"),
    ]
    loads = [
        SystemGravity(),
        Spring("spring", "ground.A", "slider.C", stiffness=300.0, free=0.4, damping=2.0),
        MarkerForce("push", "slider.C", ("-3*sin(5*t)", 0.0, 0.0)),
    ]
    start = {"rod": Placement((0.15, 0), -0.1), "slider": Placement((0.45, 0))}
    drives = [AngleDrive("motor", "ground.A", "crank.A", "0.7 + 9*t + t^2")]
    system = System(bodies, joints, drives, loads, ground={"A": (0, 0)}, start=start)
    return dynamic_system(system, {"rod": reduced})


def spatial_arm() -> DynamicSystem:
    """An elastic arm on a ball, a rigid flap on a hinge at its end, and a spring to the ground."""
    arm, reduced = elastic_rod("arm", 1.0, space="spatial", modes=5)
    flap = RigidBody("flap", 0.4, (0.01, 0.02, 0.025), (0.1, 0.02, 0.05), {"H": (0, 0, 0), "E": (0.2, 0, 0.1)})
    system = System(
        [arm, flap],
        [Spherical("ball", "ground.O", "arm.start"), Revolute("hinge", "arm.end", "flap.H", axis=(0.0, 1.0, 0.0))],
        loads=[
            SystemGravity(acceleration=(0.0, 0.0, -9.81)),
            Spring("spring", "ground.P", "flap.E", stiffness=40.0, free=0.5, damping=0.3),
        ],
        ground={"O": (0, 0, 0), "P": (0.4, 0.8, 0.5)},
        start={
            "arm": Placement((0, 0, 0), (0.3, -0.5, 0.2), angular_velocity=(0.5, -1.0, 2.0)),
            "flap": Placement((0.9, 0.2, 0.4), (0.3, -0.1, 0.2), angular_velocity=(0.5, 2.0, 2.0)),
        },
        space="spatial",
    )
    return dynamic_system(system, {"arm": reduced})


def redundant_four_bar() -> DynamicSystem:
    """A planar loop described in space: three of its joint rows say what others say."""
    lengths = {"crank": 0.108, "coupler": 0.2794, "follower": 0.2705}
    bodies = [
        RigidBody(name, 1.0, (0.001, a * a / 12, a * a / 12), (a / 2, 0, 0), {"start": (0, 0), "end": (a, 0)})
        for name, a in lengths.items()
    ]
    joints = [
        Revolute("A", "ground.A", "crank.start"),
        Revolute("B", "crank.end", "coupler.start"),
        Revolute("C", "coupler.end", "follower.end"),
        Revolute("D", "ground.D", "follower.start"),
    ]
    start = {
        "crank": Placement((0, 0), angular_velocity=(0, 0, 5.0)),
        "coupler": Placement((0.108, 0), 1.0),
        "follower": Placement((0.254, 0), 1.4),
    }
    system = System(bodies, joints, (), [SystemGravity()], {"A": (0, 0), "D": (0.254, 0)}, start, space="spatial")
    return dynamic_system(system)


def free_body(space: str = "spatial", *, modes: int = 4, damping: float = 0.0) -> DynamicSystem:
    """A soft beam with mean axes in free flight."""
    body = Body.beam("beam", length=1.0, divisions=8, section=Rectangle(0.02, 0.03), material=SOFT, space=space)
    body = replace(body, damping=Damping(stiffness=damping))
    reduced = reduce_body(body, Modal(modes), reference=MeanAxes(), orthonormal=True)
    start = {
        "beam": Placement(
            (0.1, 0.2, 0.3), (0.2, 0.4, -0.3), velocity=(1.0, -2.0, 0.5), angular_velocity=(4, 2, 6.0)
        )
    }
    if space == "planar":
        start = {"beam": Placement((0.1, 0.2), 0.7, velocity=(1.0, -2.0), angular_velocity=(0, 0, 6.0))}
    return dynamic_system(System([body], start=start, space=space), {"beam": reduced})


SYSTEMS = {
    "elastic double pendulum": double_pendulum,
    "elastic slider-crank": slider_crank,
    "spatial arm": spatial_arm,
    "redundant four-bar": redundant_four_bar,
    "free body": free_body,
}


def state_of(system: DynamicSystem, *, deflection: float = 0.01, seed: int = 3) -> DynamicState:
    """A state on the joints with deformations of about this part of the length of the bodies."""
    rng = np.random.default_rng(seed)
    plain = initial_state(system)
    # orthonormal modes: an amplitude moves all of the body by that much; high ones move less, as under any load
    amplitudes = []
    for body in system.bodies:
        squares = np.diagonal(body.stiffness)
        amplitudes.append(np.sqrt(body.mass) * squares.min(initial=np.inf) / squares)
    size = deflection * np.concatenate(amplitudes)
    delta, rates = size * rng.uniform(-1, 1, len(size)), 5 * size * rng.uniform(-1, 1, len(size))
    return consistent_start(system, replace(plain, deformation=delta, rates=rates))


def exact_arm(space: str = "planar", *, damping: float = 0.0, load: float = 0.0) -> DynamicSystem:
    """A soft arm of exact beams on a hinge or a ball, a rigid flap at its end."""
    arm = Body.beam("arm", length=1.0, divisions=3, section=Rectangle(0.02, 0.03), material=SOFT, space=space)
    loads = (LineLoad((0.0, load, 0.0)),) if load else ()
    arm = replace(arm, damping=Damping(stiffness=damping), loads=loads)
    flap = RigidBody("flap", 0.2, (0.001, 0.002, 0.0025), (0.05, 0.02, 0), {"H": (0, 0, 0)})
    bearing = Revolute if space == "planar" else Spherical
    system = System(
        [arm, flap],
        [bearing("A", "ground.O", "arm.start"), Revolute("B", "arm.end", "flap.H")],
        loads=[SystemGravity()],
        ground={"O": (0, 0, 0)},
        start={
            "arm": Placement((0, 0, 0), 0.3, angular_velocity=(0, 0, 2.0)),
            "flap": Placement((0.955, 0.296, 0), 0.8, angular_velocity=(0, 0, -1.0)),
        },
        space=space,
    )
    divided = elastic_system(system, {"arm": ReductionChoice(exact=True)}, watched={})
    return dynamic_system(divided.system, {})


def bent_state(system: DynamicSystem, *, turn: float = 0.4, seed: int = 3) -> DynamicState:
    """A state on the joints with sections of exact beams turned by about so much, stretched, and moving apart."""
    rng = np.random.default_rng(seed)
    plain, planar = initial_state(system), system.planar
    sizes = np.array([0.01, 0.01, turn] if planar else [0.01] * 3 + [turn] * 3)
    steps = sizes * rng.uniform(-1, 1, (len(system.bodies), len(sizes)))
    bent = move_state(system, plain, steps.ravel())
    keep, about = ((1.0, 1.0, 0.0), (0.0, 0.0, 1.0)) if planar else ((1.0,) * 3, (1.0,) * 3)
    shape = bent.velocities.shape
    return consistent_start(
        system,
        replace(
            bent,
            velocities=bent.velocities + np.array(keep) * rng.uniform(-1, 1, shape),
            angular_velocities=bent.angular_velocities + 3 * np.array(about) * rng.uniform(-1, 1, shape),
        ),
    )
