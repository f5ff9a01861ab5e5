"""Random systems of mass points: rigid and elastic bodies in trees and closed loops, with forces and drives."""

from dataclasses import replace

import numpy as np

from flexframe.maths.arrays import Array
from flexframe.maths.formula import Formula
from flexframe.maths.rotations import quaternion_exponential
from flexframe.model.constraints import Fixed, follows_state
from flexframe.model.drives import AngleDrive, DistanceDrive, Drive
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
    Spherical,
    Universal,
    Weld,
)
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.system import System
from flexframe.model.system_loads import (
    Actuator,
    MarkerForce,
    Motor,
    Spring,
    SystemGravity,
    SystemLoad,
    TorsionSpring,
)
from flexframe.multibody.contract import DynamicState, DynamicSystem
from flexframe.multibody.system import dynamic_system
from flexframe.reduction.basis import ReductionBasis
from flexframe.reduction.loads import ReducedLoads
from flexframe.reduction.reduced_body import ReducedBody, ReducedPoint
from flexframe.reduction.strategies import Coordinate
from flexframe.sensors.contract import Rate, Sensor
from flexframe.sensors.kinds import MarkerSensor, RelativeSensor

from .oracle import Points

_COUNT = 8  # mass points of a body
_FORMULAS = ("2*sin(3*t)", "t^2 - 0.3", "exp(-t)*cos(2*t)", "1.5", "0.4*t + 0.1*t^3", "sqrt(1 + t^2)")


def random_points(random: np.random.Generator, size: int, *, planar: bool) -> Points:
    """Points with fields; G is a linear function of the place, as the bodies of the core have it."""
    flat = np.array([1.0, 1.0, 0.0]) if planar else np.ones(3)
    about = np.array([0.0, 0.0, 1.0]) if planar else np.ones(3)
    x = random.normal(size=(_COUNT, 3)) * flat
    a, b = random.normal(size=(3, size, size)), random.normal(size=(3, 3, size, size))
    G = (a + np.einsum("pk,kirs->pirs", x, b)) * flat[:, None, None]
    loaded = float(size > 0)
    return Points(
        masses=random.uniform(0.5, 2.0, _COUNT),
        places=x,
        shapes=random.normal(size=(_COUNT, 3, size)) * flat[:, None],
        curves=(G + G.swapaxes(2, 3)) / 2,
        forces=loaded * random.normal(size=(_COUNT, 3)) * flat,
        couple=loaded * random.normal(size=3) * about,
        turning=random.normal(size=(3, size)) * about[:, None],
    )


def reduced(name: str, points: Points, markers: dict[str, Array], random: np.random.Generator) -> ReducedBody:
    """The integrals of an elastic body, and markers that move and turn with it."""
    mass, x, N, G, f = points.masses, points.places, points.shapes, points.curves, points.forces
    size = N.shape[2]
    k, d = random.normal(size=(2, size, size))
    planar = not x[:, 2].any()
    kept = np.array([1.0, 1.0, 0.0, 0.0, 0.0, 1.0]) if planar else np.ones(6)
    interfaces = []
    for label, place in markers.items():
        rows, curves = random.normal(size=(6, size)), 0.3 * random.normal(size=(6, size, size))
        curves = (curves + curves.swapaxes(1, 2)) * kept[:, None, None]
        interfaces.append(ReducedPoint(label, place, rows * kept[:, None], curves, kept.astype(bool)))
    loads = ReducedLoads(
        force=f.sum(axis=0),
        moment=points.couple,
        positions=x.T @ f,
        rows=np.einsum("pir,pk->ikr", N, f),
        quadratic=np.einsum("pirs,pk->ikrs", G, f),
        turn_rows=np.einsum("ir,k->ikr", points.turning, points.couple),
        turn_quadratic=np.zeros((3, 3, size, size)),
    )
    return ReducedBody(
        name=name,
        mass=float(mass.sum()),
        first_moment=mass @ x,
        second_moment=np.einsum("p,pi,pj->ij", mass, x, x),
        origin_coupling=np.einsum("p,pir->ir", mass, N),
        position_coupling=np.einsum("p,pk,pmr->kmr", mass, x, N),
        shape_products=np.einsum("p,par,pbs->abrs", mass, N, N),
        stiffness=k @ k.T,
        damping=d @ d.T,
        origin_quadratic=np.einsum("p,pirs->irs", mass, G),
        position_quadratic=np.einsum("p,pa,pbrs->abrs", mass, x, G),
        interfaces=tuple(interfaces),
        sensors=(),
        basis=ReductionBasis(
            np.eye(size), tuple(Coordinate("mode", str(i), 1.0) for i in range(size)), "random", "random"
        ),
        loads=loads,
    )


def rigid(name: str, points: Points, markers: dict[str, Array]) -> RigidBody:
    mass, x = points.masses, points.places
    centre = mass @ x / mass.sum()
    d = x - centre
    inertia = np.einsum("p,pk,pk->", mass, d, d) * np.eye(3) - np.einsum("p,pi,pj->ij", mass, d, d)
    return RigidBody(name, float(mass.sum()), inertia, centre, points=markers)


def _joint(random: np.random.Generator, name: str, ends: tuple[str, str], *, planar: bool) -> Joint:
    axis = tuple(random.normal(size=3))
    flat = (axis[0], axis[1], 0.0)
    if planar:
        kinds: list[Joint] = [
            Revolute(name, *ends),
            Revolute(name, *ends),
            Prismatic(name, *ends, axis=flat),
            PointOnLine(name, *ends, axis=flat),
            Weld(name, *ends),
        ]
    else:
        kinds = [
            Revolute(name, *ends, axis=axis),
            Spherical(name, *ends),
            Universal(name, *ends),
            Cylindrical(name, *ends, axis=axis),
            Prismatic(name, *ends, axis=axis),
            InPlane(name, *ends, normal=axis),
            PointOnLine(name, *ends, axis=axis),
            Weld(name, *ends),
        ]
    return kinds[random.integers(len(kinds))]


def _sensors(random: np.random.Generator, markers: list[str]) -> dict[str, Sensor]:
    """What formulas of loads use: a distance with its rate, and where a marker is."""
    first, second, third = (markers[k] for k in random.permutation(len(markers))[:3])
    gap = RelativeSensor("distance", (first, second))
    return {"gap": gap, "speed": Rate(gap), "spot": MarkerSensor("position", third)}


def _loads(random: np.random.Generator, markers: list[str], *, planar: bool) -> list[SystemLoad]:
    def some() -> str:
        return markers[random.integers(len(markers))]

    def pair() -> tuple[str, str]:
        """Markers of two bodies, or of one and the ground."""
        second = some()
        others = [marker for marker in markers if marker.partition(".")[0] != second.partition(".")[0]]
        return ["ground.G", *others][random.integers(len(others) + 1)], second

    def formula() -> str:
        return _FORMULAS[random.integers(len(_FORMULAS))]

    z = 0.0 if planar else 1.0
    push = (
        ((formula(), formula()), (0.0, 0.0, formula()))
        if planar
        else ((formula(), 0.3, formula()), (formula(), 0.2, -0.4))
    )
    axis = tuple(random.normal(size=3) * np.array([1.0, 1.0, z]))
    turn = (0.0, 0.0, 1.0) if planar else tuple(random.normal(size=3))
    return [
        SystemGravity(acceleration=(0.3, -9.81, 0.5 * z)),
        MarkerForce("push", some(), *push, axes="body"),
        MarkerForce("pull", some(), (0.2, "0.3*sin(2*t) - spot.y*abs(gap)")),
        Spring("spring", *pair(), stiffness=30.0, free=0.4, damping=2.0),
        Spring("guide", *pair(), stiffness=10.0, free=-0.2, damping=0.5, axis=axis),
        TorsionSpring("twist", *pair(), stiffness=3.0, free=0.2, damping=0.3, axis=turn),
        Friction("rub", *pair(), limit=0.7, velocity=0.5, axis=axis),
        Actuator("actuator", *pair(), law="1.5*cos(3*t) - 0.4*gap + 0.1*spot.x*speed", axis=turn),
        Motor("motor", *pair(), speeds=(-50.0, 0.0, 50.0), torques=(3.0, 2.0, -1.0), axis=turn),
    ]


def random_system(seed: int, *, planar: bool, geometric: bool = True) -> tuple[DynamicSystem, list[Points]]:
    """Three to six bodies with tree joints, one or two loops closed between them, forces and drives."""
    random = np.random.default_rng(seed)
    count = int(random.integers(3, 7))
    names = [f"body{b}" for b in range(count)]
    flat = np.array([1.0, 1.0, 0.0]) if planar else np.ones(3)
    points, bodies, elastic, joints = [], [], {}, []
    where = {"ground.G": np.zeros(3)}
    start = {}
    for b, name in enumerate(names):
        size = 0 if b == 0 else int(random.integers(0, 4))
        own = random_points(random, size, planar=planar)
        markers = {label: random.normal(size=3) * flat for label in "PQS"}
        points.append(own)
        bodies.append(rigid(name, own, markers))
        if size:
            elastic[name] = reduced(name, own, markers, random)
        # on the ground, or on a body before it: all axes are parallel where the system starts
        parent = "ground.G" if b == 0 else f"{names[random.integers(b)]}.{'QS'[random.integers(2)]}"
        origin = where[parent] - markers["P"]
        start[name] = Placement(origin)
        where |= {f"{name}.{label}": origin + place for label, place in markers.items()}
        ends = (parent, f"{name}.P")
        joints.append(Revolute("axle", *ends) if b == 0 else _joint(random, f"joint{b}", ends, planar=planar))
    drives: list[Drive] = [AngleDrive("turn", "ground.G", "body0.P", "0.4*t + 0.1*t^3")]
    far = where[f"{names[-1]}.Q"]
    ground = {"G": np.zeros(3), "H": far + flat}
    joints.append(Rod("rod", "ground.H", f"{names[-1]}.Q", float(np.linalg.norm(flat))))
    if seed % 2:
        across = float(np.linalg.norm(where["body1.S"] - where[f"{names[-1]}.S"]))
        drives.append(DistanceDrive("cylinder", "body1.S", f"{names[-1]}.S", f"{across!r} + 0.1*sin(2*t)"))
    if not seed % 3 and not planar:
        joints.append(KnifeEdge("edge", "ground", "body1.Q"))
    markers_of_all = [place for place in where if place != "ground.G"]
    loads = _loads(random, markers_of_all, planar=planar)
    system = System(
        bodies,
        joints,
        drives,
        loads,
        ground=ground,
        start=start,
        sensors=_sensors(random, markers_of_all),
        space="planar" if planar else "spatial",
    )
    made = _with_factors(dynamic_system(system, elastic, geometric=geometric))
    return made, points if geometric else [replace(p, curves=0 * p.curves) for p in points]


def _with_factors(system: DynamicSystem) -> DynamicSystem:
    """Loads of bodies in turn in axes of space and of the body, with laws of the system as their factors."""
    count = len(system.tables.loads.bodies)
    numbers = np.arange(count)
    plain = [isinstance(law, Fixed | Formula) and not follows_state(law) for law in system.laws]
    of_time = np.flatnonzero(plain)
    laws = of_time[(3 * numbers + 1) % len(of_time)]
    loads = system.tables.loads._replace(laws=laws, in_space=numbers % 2)
    return replace(system, tables=system.tables._replace(loads=loads))


def random_state(system: DynamicSystem, seed: int) -> DynamicState:
    """Anywhere: constraints need not hold for the equations to be what they are."""
    random = np.random.default_rng(1000 + seed)
    bodies, total = len(system.bodies), int(system.elastic_starts[-1])
    flat = np.array([1.0, 1.0, 0.0]) if system.planar else np.ones(3)
    about = np.array([0.0, 0.0, 1.0]) if system.planar else np.ones(3)
    turns = 0.6 * random.normal(size=(bodies, 3)) * about
    return DynamicState(
        time=0.7,
        positions=random.normal(size=(bodies, 3)) * flat,
        quaternions=quaternion_exponential(turns),
        deformation=0.2 * random.normal(size=total),
        velocities=random.normal(size=(bodies, 3)) * flat,
        angular_velocities=random.normal(size=(bodies, 3)) * about,
        rates=random.normal(size=total),
        angles=turns[:, 2],
    )
