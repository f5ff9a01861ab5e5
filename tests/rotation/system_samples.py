"""Turning systems for the tests of their Campbell diagrams."""

import numpy as np

from flexframe.analyses.transient.coupled.elastic_parts import ReductionChoice
from flexframe.elements.properties import GeneralSection, Material
from flexframe.model.body import Body
from flexframe.model.drives import AngleDrive
from flexframe.model.joints import Prismatic, Revolute, Weld
from flexframe.model.rigid_body import BodyFrame, Placement, RigidBody
from flexframe.model.system import System
from flexframe.model.system_loads import Spring, SystemGravity, SystemLoad, TorsionSpring
from flexframe.reduction.attached import ClampedFrame
from flexframe.reduction.strategies import Modal

FLAP, LAG = (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
MASS, LENGTH = 3.0, 1.7
INERTIA = MASS * LENGTH**2 / 3
"""Of a uniform rigid blade about its hinge."""


def rigid_blades(
    offset: float,
    hinge: tuple[float, ...],
    *,
    count: int = 1,
    stiffness: float = 0.0,
    hub: float = 1.0,
    loads: tuple[SystemLoad, ...] = (),
) -> System:
    """Uniform rigid blades on hinges at a distance from the axis, on a driven hub of an inertia [kg m²]."""
    angles = 2 * np.pi * np.arange(count) / count
    places = [offset * np.array([np.cos(a), np.sin(a), 0.0]) for a in angles]
    turns = [np.array([0.0, 0.0, a]) for a in angles]
    cross = MASS * LENGTH**2 / 12
    points = {f"p{i}": BodyFrame(p, t) for i, (p, t) in enumerate(zip(places, turns, strict=True))}
    bodies = [RigidBody("hub", 5.0, np.diag([hub, hub, hub]), points=points)]
    bodies += [
        RigidBody(
            f"b{i}", MASS, np.diag([0.0, cross, cross]), np.array([LENGTH / 2, 0, 0]), {"tip": (LENGTH, 0, 0)}
        )
        for i in range(count)
    ]
    springs = [TorsionSpring(f"s{i}", f"hub.p{i}", f"b{i}", stiffness, axis=hinge) for i in range(count)]
    return System(
        bodies,
        [
            Revolute("bearing", "ground", "hub"),
            *(Revolute(f"h{i}", f"hub.p{i}", f"b{i}", axis=hinge) for i in range(count)),
        ],
        [AngleDrive("spin", "ground", "hub", "3*t")],
        loads=[*(springs if stiffness else []), *loads],
        start={f"b{i}": Placement(p, t) for i, (p, t) in enumerate(zip(places, turns, strict=True))},
        space="spatial",
    )


def elastic_blade(slender: float, divisions: int = 16) -> Body:
    """Unit length, mass and bending stiffness, no rotary inertia, engineering strain as in references C."""
    inertia = 1 / slender**2
    return Body.beam(
        "blade",
        length=1.0,
        divisions=divisions,
        section=GeneralSection(1.0, inertia, inertia, 2 * inertia),
        material=Material(young=1 / inertia, poisson=0.0, density=1.0),
        theory="euler_bernoulli",
        rotary_inertia=0.0,
        strain_law="engineering",
        space="spatial",
    )


def clamped_blade(offset: float, slender: float) -> System:
    """An elastic blade welded to a rigid driven hub."""
    place = np.array([offset, 0.0, 0.0])
    hub = RigidBody("hub", 5.0, np.ones(3), points={"rim": place})
    return System(
        [hub, elastic_blade(slender)],
        [Revolute("bearing", "ground", "hub"), Weld("root", "hub.rim", "blade")],
        [AngleDrive("spin", "ground", "hub", 0.0)],
        start={"blade": Placement(place)},
        space="spatial",
    )


def modes_of_blade(count: int) -> dict[str, ReductionChoice]:
    """Bending modes with the static answers to inertia, in the frame of the root."""
    choice = ReductionChoice(Modal(count), ClampedFrame("start"), inertia_shapes=True)
    return {"blade": choice}


def sprung_mass(frequency: float, *, damping: float = 0.0, in_space: float = 0.0, second: float = 1.0) -> System:
    """2 kg on equal springs [rad/s] along two axes of a turning hub; dampers there and to space [N s/m].

    `second` multiplies the stiffness of springs to space that are not there otherwise.
    """
    mass, stiffness = 2.0, 2.0 * frequency**2
    springs: list[SystemLoad] = [
        Spring(f"k{axis}", "hub", "mass", stiffness, damping=damping, axis=direction)
        for axis, direction in (("x", (1.0, 0.0, 0.0)), ("y", (0.0, 1.0, 0.0)))
    ]
    springs.append(TorsionSpring("turn", "hub", "mass", 1e4))
    if second != 1.0:
        springs.append(Spring("bearing", "ground", "mass", second * stiffness, axis=(1.0, 0.0, 0.0)))
    if in_space:
        springs += [
            Spring(f"c{axis}", "ground", "mass", damping=in_space, axis=direction)
            for axis, direction in (("x", (1.0, 0.0, 0.0)), ("y", (0.0, 1.0, 0.0)))
        ]
    return System(
        [RigidBody("hub", 1.0, np.array(1.0)), RigidBody("mass", mass, np.array(0.01))],
        [Revolute("axle", "ground", "hub")],
        [AngleDrive("spin", "ground", "hub", "t")],
        loads=springs,
    )


def blade_and_slider(frequency: float) -> System:
    """A flapping rigid blade, and a mass that a spring holds along the axis: they do not know of each other."""
    base = rigid_blades(0.3, FLAP)
    return System(
        [*base.bodies, RigidBody("slider", 1.0, np.ones(3))],
        [*base.joints, Prismatic("guide", "hub", "slider", axis=(0.0, 0.0, 1.0))],
        base.drives,
        loads=[Spring("coil", "hub", "slider", frequency**2, axis=(0.0, 0.0, 1.0))],
        start=base.start,
        space="spatial",
    )


def hub_on_springs(offset: float, *, count: int, mass: float, stiffness: float) -> System:
    """Uniform rigid blades on lag hinges of a hub that springs of equal stiffness hold in the plane."""
    angles = 2 * np.pi * np.arange(count) / count
    places = [offset * np.array([np.cos(a), np.sin(a), 0.0]) for a in angles]
    cross, centre = np.array(MASS * LENGTH**2 / 12), np.array([LENGTH / 2, 0, 0])
    return System(
        [
            RigidBody("hub", mass, np.array(1.0), points={f"p{i}": p for i, p in enumerate(places)}),
            *(RigidBody(f"b{i}", MASS, cross, centre) for i in range(count)),
        ],
        [Revolute(f"h{i}", f"hub.p{i}", f"b{i}") for i in range(count)],
        [AngleDrive("spin", "ground", "hub", "t")],
        loads=[
            Spring("x", "ground", "hub", stiffness, axis=(1.0, 0.0, 0.0)),
            Spring("y", "ground", "hub", stiffness, axis=(0.0, 1.0, 0.0)),
        ],
        start={f"b{i}": Placement(p, np.array([a])) for i, (p, a) in enumerate(zip(places, angles, strict=True))},
    )


def slider_crank(*, gravity: bool = False) -> System:
    """A linkage, whose coefficients change with the angle."""
    return System(
        [
            RigidBody.rod("crank", length=0.15, mass=0.36),
            RigidBody.rod("rod", length=0.3, mass=0.15),
            RigidBody("slider", 0.1, np.array(1e-5)),
        ],
        [
            Revolute("axle", "ground", "crank.start"),
            Revolute("pin", "crank.end", "rod.start"),
            Revolute("eye", "rod.end", "slider"),
            Prismatic("guide", "ground", "slider"),
        ],
        [AngleDrive("motor", "ground", "crank", "150*t")],
        loads=[SystemGravity()] if gravity else [],
        start={"rod": Placement(np.array([0.15, 0, 0])), "slider": Placement(np.array([0.45, 0, 0]))},
    )
