"""Chains of links in space, rigid and elastic, against Exudyn with its sparse solver, at five sizes.

The links are joined by hinges whose axes lie 45° to either side of the vertical plane in turn, or by ball joints;
they start in a horizontal line and fall. Elastic links are blocks of finite elements reduced to eight coordinates
(Craig & Bampton). Exudyn gets the same matrices and shapes, takes the same step and integrator, and runs in turns
with ours: both of its builds, with full and with modified Newton iterations, the faster of which counts. Hinges
between elastic bodies cost it much more than ball joints do, therefore both. It has no geometric stiffening:
histories are compared with ours switched off, speeds both with and without it. Times are of the processor.

Hinges hold the mean rotation of the nodes of an end. Both programs define it alike only to first order, and the
ends turn by 0.03 rad: the twist differs by the square of that (a quarter of the weight, a quarter of the part).

Usage: python -m benchmarks.chains [largest number of links] [repetitions]
"""

import statistics
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from time import perf_counter, process_time
from typing import Any, NamedTuple

import exudyn as exu
import numpy as np
from benchmarks.exudyn_peer import Peers, exudyn_processes, faster, solve_seconds, solver_settings
from benchmarks.harness import Comparison, Figure, Growth, processor_seconds, write
from exudyn import itemInterface as items  # noqa: N813 - a module
from exudyn.FEM import FEMinterface, ObjectFFRFreducedOrderInterface
from scipy.sparse import csr_matrix

from flexframe.assembly.discrete import DiscreteBody, discretise
from flexframe.elements.properties import Material
from flexframe.maths.arrays import Array
from flexframe.mesh.builders import block
from flexframe.model.body import Body
from flexframe.model.joints import Joint, Revolute, Spherical
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.system import System
from flexframe.model.system_loads import SystemGravity
from flexframe.multibody.contract import DynamicSystem, SimulationOptions
from flexframe.multibody.histories import body_history
from flexframe.multibody.integrators.simulation import integrate
from flexframe.multibody.start import initial_state
from flexframe.multibody.system import dynamic_system
from flexframe.reduction.interfaces import Interface
from flexframe.reduction.reduced_body import ReducedBody, reduce_body
from flexframe.reduction.strategies import CraigBampton

SIZES = (10, 20, 40, 80, 160)
LENGTH, WIDTH = 0.5, 0.01  # m
PLASTIC = Material(2e9, 0.3, 1100.0)  # the first mode of a free link takes 18 steps for a period
STEP, STEPS = 1e-3, 100
GRAVITY = (0.0, -9.81, 0.0)
RIGID, HINGES, BALLS = "rigid links on hinges", "elastic links on hinges", "elastic links on ball joints"
PLACE, DEFORMATION = "place of the last link", "deformation of the first link"
EXPONENT = 1.2  # asked of the growth
WHOLE_RUN = 80  # links of the run that is timed from call to record
Builds = dict[str, list[float]]
LEFT, RIGHT = (-LENGTH / 2, 0.0, 0.0), (LENGTH / 2, 0.0, 0.0)


class Results(NamedTuple):
    """Rows of a kind of chain."""

    comparisons: list[Comparison]
    growths: list[Growth]
    figures: list[Figure]


def axis(number: int) -> Array:
    """Of the hinge before a link."""
    return np.array([0.0, 1.0 if number % 2 else -1.0, 1.0]) / np.sqrt(2)


def places(links: int) -> Array:
    """Centres of the links at the start: (links, 3)."""
    return np.array([(LENGTH * (k + 0.5), 0.0, 0.0) for k in range(links)])


@cache
def elastic_link() -> tuple[DiscreteBody, ReducedBody]:
    """A block about its centre, and its reduction between its two ends."""
    mesh = block((LENGTH, WIDTH, WIDTH), (10, 1, 1))
    centred = replace(mesh, points=mesh.points - np.array([LENGTH, WIDTH, WIDTH]) / 2)
    discrete = discretise(Body.solid("link", centred, material=PLASTIC))
    ends = [Interface("left", "left"), Interface("right", "right")]
    return discrete, reduce_body(discrete, CraigBampton(2), interfaces=ends)


def rigid_link(name: str) -> RigidBody:
    """The same block, undeformed."""
    mass = PLASTIC.density * LENGTH * WIDTH**2
    across = mass * (LENGTH**2 + WIDTH**2) / 12
    inertia = np.array([mass * WIDTH**2 / 6, across, across])
    return RigidBody(name, mass, inertia, points={"left": np.array(LEFT), "right": np.array(RIGHT)})


def our_chain(links: int, *, kind: str, geometric: bool = False) -> DynamicSystem:
    """The chain in flexframe."""
    names = [f"link{k}" for k in range(links)]
    if kind == RIGID:
        bodies: list[Body | RigidBody] = [rigid_link(name) for name in names]
        reductions = {}
    else:
        discrete, reduced = elastic_link()
        bodies = [replace(discrete.body, name=name) for name in names]
        reductions = {name: replace(reduced, name=name) for name in names}
    before = ["ground", *(f"{name}.right" for name in names)]
    joints: list[Joint] = [
        Spherical(f"joint{k}", before[k], f"{name}.left")
        if kind == BALLS
        else Revolute(f"joint{k}", before[k], f"{name}.left", axis=tuple(axis(k)))
        for k, name in enumerate(names)
    ]
    start = {name: Placement(place) for name, place in zip(names, places(links), strict=True)}
    system = System(bodies, joints, loads=[SystemGravity(acceleration=GRAVITY)], start=start, space="spatial")
    return dynamic_system(system, reductions, geometric=geometric)


def turned(number: int) -> Array:
    """Rotation whose third axis is that of a hinge: (3, 3)."""
    x, z = np.array([1.0, 0.0, 0.0]), axis(number)
    return np.column_stack([x, np.cross(z, x), z])


def exudyn_chain(links: int, kind: str) -> tuple[Any, Any, dict[str, int]]:
    """The chain in Exudyn, with sensors of its last link and of what deforms the first."""
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    made = exudyn_rigid_links(mbs, links) if kind == RIGID else exudyn_elastic_links(mbs, links, kind)
    ground = mbs.AddObject(items.ObjectGround())
    before = mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=ground, localPosition=[0, 0, 0]))
    for k, link in enumerate(made):
        pair = [before, link.left]
        if kind == BALLS:
            mbs.AddObject(items.ObjectJointSpherical(markerNumbers=pair))
        else:
            turn = turned(k)
            mbs.AddObject(
                items.ObjectJointRevoluteZ(markerNumbers=pair, rotationMarker0=turn, rotationMarker1=turn)
            )
        before = link.right
    sensors = {PLACE: (made[-1].node, exu.OutputVariableType.Position)}
    if kind != RIGID:
        sensors[DEFORMATION] = (made[0].shapes, exu.OutputVariableType.Coordinates)
    numbers = {
        name: mbs.AddSensor(items.SensorNode(nodeNumber=node, storeInternal=True, outputVariableType=what))
        for name, (node, what) in sensors.items()
    }
    mbs.Assemble()
    return container, mbs, numbers


@dataclass(frozen=True)
class ExudynLink:
    """Markers of the ends, node of the frame and node of the elastic coordinates."""

    left: int
    right: int
    node: int
    shapes: int = -1


def exudyn_rigid_links(mbs: Any, links: int) -> list[ExudynLink]:
    """Rigid links, about their centres of mass, with Euler parameters: the fastest that Exudyn offers."""
    body, made = rigid_link("link"), []
    for place in places(links):
        node = mbs.AddNode(items.NodeRigidBodyEP(referenceCoordinates=[*place, 1, 0, 0, 0]))
        number = mbs.AddObject(
            items.ObjectRigidBody(mass=body.mass, inertia=[*np.diag(body.inertia), 0, 0, 0], nodeNumber=node)
        )
        left, right = (
            mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=number, localPosition=list(end)))
            for end in (LEFT, RIGHT)
        )
        weight = mbs.AddMarker(items.MarkerBodyMass(bodyNumber=number))
        mbs.AddLoad(items.LoadMassProportional(markerNumber=weight, loadVector=list(GRAVITY)))
        made.append(ExudynLink(left, right, node))
    return made


def exudyn_elastic_links(mbs: Any, links: int, kind: str) -> list[ExudynLink]:
    """Elastic links by their nodes, matrices and shapes."""
    discrete, reduced = elastic_link()
    mesh, fem, made = discrete.body.mesh, FEMinterface(), []
    order = discrete.dofs.numbers[:, :3].ravel()  # three displacements of each node
    fem.nodes = {"Position": np.array(mesh.points)}
    fem.massMatrix = csr_matrix(discrete.mass[order][:, order])
    fem.stiffnessMatrix = csr_matrix(discrete.stiffness[order][:, order])
    fem.modeBasis = {"matrix": np.array(reduced.basis.vectors[order]), "type": "NormalModes"}
    fem.surface = []
    interface = ObjectFFRFreducedOrderInterface(fem)
    marker = items.MarkerSuperElementPosition if kind == BALLS else items.MarkerSuperElementRigid
    for place in places(links):
        body = interface.AddObjectFFRFreducedOrder(
            mbs, positionRef=place.tolist(), rotationMatrixRef=np.eye(3), gravity=list(GRAVITY)
        )
        left, right = (
            mbs.AddMarker(
                marker(
                    bodyNumber=body["oFFRFreducedOrder"],
                    meshNodeNumbers=np.array(nodes),
                    weightingFactors=np.full(len(nodes), 1 / len(nodes)),
                )
            )
            for nodes in (mesh.nodes_of("left"), mesh.nodes_of("right"))
        )
        made.append(ExudynLink(left, right, body["nRigidBody"], body["nGenericODE2"]))
    return made


def exudyn_seconds(links: int, kind: str, *, modified: bool) -> float:
    """Processor time of a run."""
    _container, mbs, _ = exudyn_chain(links, kind)
    return solve_seconds(mbs, solver_settings(STEP, STEPS, modified=modified, sensors_every=STEPS))


def exudyn_histories(links: int, kind: str) -> dict[str, Array]:
    """Sensors at every step, without the column of the time."""
    _container, mbs, sensors = exudyn_chain(links, kind)
    mbs.SolveDynamic(solver_settings(STEP, STEPS, modified=True, sensors_every=1))
    return {name: np.array(mbs.GetSensorStoredData(number))[:, 1:] for name, number in sensors.items()}


def our_histories(links: int, kind: str, *, geometric: bool = False) -> dict[str, Array]:
    """The same sensors of ours."""
    system = our_chain(links, kind=kind, geometric=geometric)
    simulation = integrate(system, SimulationOptions(STEP * STEPS, STEP, samples=STEPS + 1))
    first, last = body_history(simulation, "link0"), body_history(simulation, f"link{links - 1}")
    return {PLACE: last.positions, DEFORMATION: first.deformation}


def our_work(links: int, kind: str, *, geometric: bool) -> Callable[[], float]:
    """A run of ours, ready to be timed: from the assembled start on, as Exudyn's runs are."""
    system = our_chain(links, kind=kind, geometric=geometric)
    start, options = initial_state(system), SimulationOptions(STEP * STEPS, STEP, samples=2)
    return lambda: processor_seconds(lambda: integrate(system, options, start))


def whole_run(repetitions: int) -> Figure:
    """From the description of the elastic chain to its record, nothing kept from before but loaded modules."""
    our_histories(2, HINGES)
    seconds, processor = [], []
    for _ in range(repetitions):
        elastic_link.cache_clear()
        began, worked = perf_counter(), process_time()
        our_histories(WHOLE_RUN, HINGES, geometric=True)
        seconds.append(perf_counter() - began)
        processor.append(process_time() - worked)
    return Figure(
        f"chain of {WHOLE_RUN} {HINGES}, with geometric stiffening, {STEPS} steps, from call to record",
        min(seconds),
        "s",
        3.0,
        note=f"{min(processor):.2f} s of the processor",
    )


def timings(links: int, kind: str, repetitions: int, peers: Peers) -> tuple[dict[bool, list[float]], Builds]:
    """Processor times of ours without and with geometric stiffening, and of the builds of Exudyn, in turns."""
    variants = (False,) if kind == RIGID else (False, True)
    works = {geometric: our_work(links, kind, geometric=geometric) for geometric in variants}
    ours: dict[bool, list[float]] = {geometric: [] for geometric in variants}
    theirs: dict[tuple[str, bool], list[float]] = {(name, way): [] for name in peers for way in (False, True)}
    for _ in range(repetitions):
        for geometric, work in works.items():
            ours[geometric].append(work())
        for (name, modified), times in theirs.items():
            times.append(peers[name](exudyn_seconds, links, kind, modified=modified))
    return ours, faster(theirs)


def differences(links: int, kind: str, peers: Peers) -> list[Figure]:
    """Of our histories from Exudyn's."""
    mine, theirs = our_histories(links, kind), next(iter(peers.values()))(exudyn_histories, links, kind)
    found = []
    for name, values in theirs.items():
        difference = np.abs(mine[name] - values).max() / np.ptp(values, axis=0).max()
        limit = 0.02 if kind == HINGES and name == DEFORMATION else 1e-4
        workload = f"chain of {links} {kind}, largest difference of the {name} from Exudyn's"
        found.append(Figure(workload, float(difference), "of its range", limit))
    return found


def compared(kind: str, sizes: Sequence[int], repetitions: int, peers: Peers) -> Results:
    """One kind of chain at all sizes."""
    found, grown, theirs = Results([], [], []), {}, []
    for links in sizes:
        ours, builds = timings(links, kind, repetitions, peers)
        theirs.append(min(builds.values(), key=statistics.median))
        for geometric, mine in ours.items():
            words = f"{kind}, with geometric stiffening" if geometric else kind
            grown.setdefault(words, []).append(mine)
            for name, seconds in builds.items():
                note = f"{per_step(mine)} against {per_step(seconds)} ms a step of the processor"
                workload = f"chain of {links} {words}, {STEPS} steps"
                found.comparisons.append(Comparison(workload, name, mine, seconds, note))
        found.figures.extend(differences(links, kind, peers))
    for words, times in grown.items():
        growth = Growth(f"chains of {words}, time loop", "links", list(sizes), times, 1.0)
        found.growths.append(growth)
        found.figures.append(Figure(f"chains of {words}, exponent of the growth", growth.exponent, "", EXPONENT))
    found.growths.append(Growth(f"the same with Exudyn, {kind}", "links", list(sizes), theirs, 1.0))
    return found


def per_step(seconds: Sequence[float]) -> str:
    """Milliseconds of a step, the quickest."""
    return f"{1e3 * min(seconds) / STEPS:.3g}"


if __name__ == "__main__":
    largest = int(sys.argv[1]) if len(sys.argv) > 1 else max(SIZES)
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    chosen = [size for size in SIZES if size <= largest]
    with exudyn_processes() as processes:
        results = [compared(kind, chosen, count, processes) for kind in (RIGID, HINGES, BALLS)]
    write(
        "chains",
        [row for result in results for row in result.comparisons],
        growths=[row for result in results for row in result.growths],
        figures=[whole_run(count), *(row for result in results for row in result.figures)],
    )
