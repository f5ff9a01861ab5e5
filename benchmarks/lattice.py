"""A lattice of closed loops (N four-bar mechanisms in a row, IFToMM benchmark A02), in the plane and in space.

Posts and bars of 1 m and 1 kg, upright at the start, pushed with 1 rad/s. In the positions in which all of them
lie on one line the rank of the constraints falls by the number of loops. In space every loop of hinges has three
constraints too many. Exudyn stops at them; it gets closing joints that hold only displacements in the plane, and
ours is timed with both. The motion has one freedom: its differential equation tells the error of the angle. Both
of Exudyn's builds run in turns with ours, with full and with modified Newton iterations, the faster of which
counts. Times are of the processor.

Usage: python -m benchmarks.lattice [repetitions]
"""

import statistics
import sys

import exudyn as exu
import numpy as np
from benchmarks.chains import EXPONENT
from benchmarks.exudyn_peer import Peers, exudyn_processes, faster, solve_seconds, solver_settings
from benchmarks.harness import Comparison, Figure, Growth, processor_seconds, write
from exudyn import itemInterface as items  # noqa: N813 - a module
from exudyn.rigidBodyUtilities import GetRigidBodyNode, RotationMatrixZ
from scipy.integrate import solve_ivp

from flexframe.maths.arrays import Array
from flexframe.model.drives import AngleDrive
from flexframe.model.joints import Joint, PointOnLine, Revolute
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.system import System
from flexframe.model.system_loads import SystemGravity
from flexframe.multibody.contract import DynamicSystem, Simulation, SimulationOptions
from flexframe.multibody.histories import body_history
from flexframe.multibody.integrators.simulation import integrate
from flexframe.multibody.start import initial_state
from flexframe.multibody.system import dynamic_system

LOOPS = (2, 10, 40)
STEP, STEPS = 1e-3, 1000  # the timed run passes one singular position, near 0.7 s
LONG = 10_000  # steps of the run whose energy is watched: the 10 s that the benchmark asks for
UPRIGHT, GRAVITY = np.pi / 2, 9.81
PLANE, SPACE, OPEN = "in the plane", "in space", "in space, closed by hand without redundant constraints"
AXIS_INERTIA = 1e-3  # kg m², about the axis of a rod, which never turns about it


def rod(name: str, space: bool) -> RigidBody:
    """About its centre, where Exudyn is fastest."""
    inertia = np.array([AXIS_INERTIA if space else 0.0, 1 / 12, 1 / 12])
    return RigidBody(name, 1.0, inertia, points={"start": (-0.5, 0, 0), "end": (0.5, 0, 0)})


def our_lattice(loops: int, kind: str) -> DynamicSystem:
    """The lattice in flexframe."""
    space = kind != PLANE
    posts, bars = [f"post{i}" for i in range(loops + 1)], [f"bar{i}" for i in range(loops)]
    start = {name: Placement(np.array([i, 0.5, 0.0]), np.array([0, 0, UPRIGHT])) for i, name in enumerate(posts)}
    start |= {name: Placement(np.array([i + 0.5, 1.0, 0.0])) for i, name in enumerate(bars)}
    joints: list[Joint] = [Revolute(f"foot{i}", f"ground.p{i}", f"{name}.start") for i, name in enumerate(posts)]
    joints += [Revolute(f"left{i}", f"post{i}.end", f"{name}.start") for i, name in enumerate(bars)]
    joints += [
        PointOnLine(f"right{i}", f"post{i + 1}.end", f"{name}.end", axis=(0.0, 0.0, 1.0))
        if kind == OPEN
        else Revolute(f"right{i}", f"post{i + 1}.end", f"{name}.end")
        for i, name in enumerate(bars)
    ]
    system = System(
        [rod(name, space) for name in (*posts, *bars)],
        joints,
        ground={f"p{i}": np.array([i, 0.0, 0.0]) for i in range(loops + 1)},
        start=start,
        initial=[AngleDrive("push", "ground", "post0", f"{UPRIGHT!r} - t")],
        loads=[SystemGravity(acceleration=(0.0, -GRAVITY, 0.0))],
        space="spatial" if space else "planar",
    )
    return dynamic_system(system)


class ExudynLattice:
    """The lattice in Exudyn, in the plane or in space, with a sensor of the first post."""

    def __init__(self, loops: int, *, space: bool) -> None:
        self.space, self.container = space, exu.SystemContainer()
        self.mbs = self.container.AddSystem()
        self.ground = self.mbs.AddObject(items.ObjectGround())
        posts = [self.rod((i, 0.5), UPRIGHT, (0.5, 0.0), -1.0) for i in range(loops + 1)]
        bars = [self.rod((i + 0.5, 1.0), 0.0, (1.0, 0.0), 0.0) for i in range(loops)]
        for i, (_, body) in enumerate(posts):
            self.hinge(self.marker(self.ground, (i, 0, 0)), self.end(body, -0.5))
        for i, (_, bar) in enumerate(bars):
            self.hinge(self.end(posts[i][1], 0.5), self.end(bar, -0.5))
            self.closing_joint(self.end(posts[i + 1][1], 0.5), self.end(bar, 0.5))
        self.sensor = self.mbs.AddSensor(
            items.SensorNode(
                nodeNumber=posts[0][0], storeInternal=True, outputVariableType=exu.OutputVariableType.Position
            )
        )
        self.mbs.Assemble()

    def rod(
        self, place: tuple[float, float], angle: float, speed: tuple[float, float], spin: float
    ) -> tuple[int, int]:
        """Node and body."""
        if self.space:
            node = self.mbs.AddNode(
                GetRigidBodyNode(
                    exu.NodeType.RotationEulerParameters,
                    position=[*place, 0.0],
                    velocity=[*speed, 0.0],
                    rotationMatrix=RotationMatrixZ(angle),
                    angularVelocity=[0.0, 0.0, spin],
                )
            )
            inertia = [AXIS_INERTIA, 1 / 12, 1 / 12, 0, 0, 0]
            body = self.mbs.AddObject(items.ObjectRigidBody(mass=1.0, inertia=inertia, nodeNumber=node))
        else:
            node = self.mbs.AddNode(
                items.NodeRigidBody2D(referenceCoordinates=[*place, angle], initialVelocities=[*speed, spin])
            )
            body = self.mbs.AddObject(items.ObjectRigidBody2D(mass=1.0, inertia=1 / 12, nodeNumber=node))
        centre = self.mbs.AddMarker(items.MarkerNodePosition(nodeNumber=node))
        self.mbs.AddLoad(items.LoadForceVector(markerNumber=centre, loadVector=[0.0, -GRAVITY, 0.0]))
        return node, body

    def marker(self, body: int, place: tuple[float, float, float]) -> int:
        kind = items.MarkerBodyRigid if self.space else items.MarkerBodyPosition
        return int(self.mbs.AddMarker(kind(bodyNumber=body, localPosition=list(place))))

    def end(self, body: int, place: float) -> int:
        return self.marker(body, (place, 0.0, 0.0))

    def hinge(self, first: int, second: int) -> None:
        kind = items.ObjectJointRevoluteZ if self.space else items.ObjectJointRevolute2D
        self.mbs.AddObject(kind(markerNumbers=[first, second]))

    def closing_joint(self, first: int, second: int) -> None:
        if not self.space:
            self.hinge(first, second)
            return
        self.mbs.AddObject(
            items.ObjectJointGeneric(markerNumbers=[first, second], constrainedAxes=[1, 1, 0, 0, 0, 0])
        )


def exudyn_seconds(loops: int, *, space: bool, modified: bool) -> float:
    """Processor time of a run."""
    lattice = ExudynLattice(loops, space=space)
    return solve_seconds(lattice.mbs, solver_settings(STEP, STEPS, modified=modified, sensors_every=STEPS))


def exudyn_history(loops: int, *, space: bool) -> Array:
    """Centre of the first post, every tenth step: (samples, 3)."""
    lattice = ExudynLattice(loops, space=space)
    lattice.mbs.SolveDynamic(solver_settings(STEP, STEPS, modified=True, sensors_every=10))
    return np.array(lattice.mbs.GetSensorStoredData(lattice.sensor))[:, 1:]


def angle_error(motion: Simulation, loops: int) -> float:
    """Of the first post against ((N + 1)/3 + N) θ̈ = −g cos θ ((N + 1)/2 + N), over the run [rad]."""
    ratio = ((loops + 1) / 2 + loops) / ((loops + 1) / 3 + loops)
    reference = solve_ivp(
        lambda _, y: [y[1], -GRAVITY * np.cos(y[0]) * ratio],
        (0.0, motion.times[-1]),
        [UPRIGHT, -1.0],
        method="DOP853",
        rtol=1e-12,
        atol=1e-12,
        t_eval=motion.times,
    )
    x, y, _ = body_history(motion, "post0").positions.T
    difference = np.arctan2(y, x) - reference.y[0]
    return float(np.abs((difference + np.pi) % (2 * np.pi) - np.pi).max())


def long_run(loops: int, kind: str) -> list[Figure]:
    """How far a run over the time that the benchmark asks for comes, and the errors of its angle and energy."""
    seconds = STEP * LONG
    options = SimulationOptions(seconds, STEP, samples=LONG // 10 + 1)
    motion = integrate(our_lattice(loops, kind), options, partial=True)
    energy, workload = motion.stored_energy, f"lattice of {loops} loops {kind}, run of {seconds:g} s"
    drift = float(np.abs(energy - energy[0]).max() / np.ptp(motion.energies[:, 0]))
    return [
        Figure(f"{workload}, reaches", float(motion.times[-1]), "s", seconds * (1 - 1e-9), at_least=True),
        Figure(f"{workload}, error of the angle", angle_error(motion, loops), "rad", 1e-3),
        Figure(f"{workload}, drift of the energy", drift, "of the largest kinetic energy", 1e-4),
    ]


def timings(loops: int, kind: str, repetitions: int, peers: Peers) -> tuple[list[float], dict[str, list[float]]]:
    """Processor times of ours and of the builds of Exudyn, in turns."""
    system = our_lattice(loops, kind)
    start, options = initial_state(system), SimulationOptions(STEP * STEPS, STEP, samples=2)
    ours: list[float] = []
    theirs: dict[tuple[str, bool], list[float]] = {(name, way): [] for name in peers for way in (False, True)}
    for _ in range(repetitions):
        ours.append(processor_seconds(lambda: integrate(system, options, start)))
        for (name, modified), times in theirs.items():
            times.append(peers[name](exudyn_seconds, loops, space=kind != PLANE, modified=modified))
    return ours, faster(theirs)


def distance(loops: int, kind: str, peers: Peers) -> Figure:
    """Of the first post from Exudyn's, over the timed run."""
    motion = integrate(our_lattice(loops, kind), SimulationOptions(STEP * STEPS, STEP, samples=STEPS // 10 + 1))
    theirs = next(iter(peers.values()))(exudyn_history, loops, space=kind != PLANE)
    away = float(np.abs(body_history(motion, "post0").positions - theirs).max())
    workload = f"lattice of {loops} loops {kind}, largest distance of the first post from Exudyn's"
    return Figure(workload, away, "m", 1e-4)


def compared(kind: str, repetitions: int, peers: Peers) -> tuple[list[Comparison], list[Growth], list[Figure]]:
    """One kind of lattice at all sizes."""
    comparisons, figures, ours, theirs = [], [], [], []
    for loops in LOOPS:
        own, builds = timings(loops, kind, repetitions, peers)
        ours.append(own)
        theirs.append(min(builds.values(), key=statistics.median))
        for name, seconds in builds.items():
            note = (
                f"{1e3 * min(own) / STEPS:.3g} against {1e3 * min(seconds) / STEPS:.3g} ms a step of the processor"
            )
            comparisons.append(
                Comparison(f"lattice of {loops} loops {kind}, {STEPS} steps", name, own, seconds, note)
            )
        figures += [distance(loops, kind, peers), *long_run(loops, kind)]
    growths = [
        Growth(f"lattice {kind}, time loop", "loops", list(LOOPS), ours, 1.0),
        Growth(f"the same with Exudyn, {kind}", "loops", list(LOOPS), theirs, 1.0),
    ]
    figures.append(Figure(f"lattice {kind}, exponent of the growth", growths[0].exponent, "", EXPONENT))
    return comparisons, growths, figures


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    with exudyn_processes() as processes:
        results = [compared(kind, count, processes) for kind in (PLANE, SPACE, OPEN)]
    write(
        "lattice",
        [row for rows, _, _ in results for row in rows],
        growths=[row for _, rows, _ in results for row in rows],
        figures=[row for _, _, rows in results for row in rows],
    )
