"""The published flexible slider-crank in space (Zwölfer & Gerstmayr 2021) against Exudyn, from the same matrices.

Both get the mesh, the mass and stiffness matrix and the modes from flexframe, tie the same circles of nodes, take
the same step and run in turns. Exudyn has no geometric stiffening: histories are compared with ours switched off,
speeds both with and without it. Both builds of Exudyn run, with full and with modified Newton iterations; the
faster one counts. What is asked is asked of the build that `import exudyn` gives. Times are of the processor.

Version 0.1.0 runs its own copy of this mechanism in turns with ours, if the folder of a worktree of it is given:
`git worktree add OLD ac10877`, in OLD `python -m venv .venv`, `.venv/bin/pip install -r requirements/core.lock
exudyn` and `.venv/bin/pip install --no-deps -e .`; then `--old OLD` here, or `OLD=OLD make bench
BENCH=slider_crank_3d`.

Usage: python -m benchmarks.slider_crank_3d [--modes 8 16] [--repetitions 3] [--old FOLDER]
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import exudyn as exu
import numpy as np
from benchmarks.exudyn_peer import Peers, exudyn_processes, faster, solve_seconds, solver_settings
from benchmarks.harness import Comparison, Figure, processor_seconds, write
from exudyn import itemInterface as items  # noqa: N813 - a module
from exudyn.FEM import FEMinterface, ObjectFFRFreducedOrderInterface
from scipy.sparse import csr_matrix

from flexframe.assembly.discrete import DiscreteBody
from flexframe.elements.properties import Material, SolidProperty
from flexframe.exchange.abaqus.reading import read_abaqus
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import rotation_from_quaternion
from flexframe.model.body import Body, Damping, Region
from flexframe.model.joints import PointOnLine, Prismatic, Spherical
from flexframe.model.rigid_body import BodyFrame, Placement, RigidBody
from flexframe.model.system import System
from flexframe.model.system_loads import MarkerForce
from flexframe.multibody.contract import DynamicState, DynamicSystem, Simulation, SimulationOptions
from flexframe.multibody.histories import body_history, marker_history
from flexframe.multibody.integrators.simulation import integrate
from flexframe.multibody.start import initial_state
from flexframe.multibody.system import dynamic_system
from flexframe.reduction.attached import MeanAxes, attach
from flexframe.reduction.basis import reduction_basis
from flexframe.reduction.interfaces import Interface
from flexframe.reduction.reduced_body import ReducedBody, reduced_body
from flexframe.reduction.strategies import Modal

MESHES = Path(__file__).parents[1] / "examples" / "meshes"
STEP, TORQUE, TORQUE_END, END = 1e-5, 2.5, 0.025, 0.075
TIMED_STEPS = 2000
RADIUS = 0.005
CIRCLES = {
    "crank": {"axle1": (0, 0, 0.01), "axle2": (0, 0, 0.02), "pin1": (0, 0.03, -0.01), "pin2": (0, 0.03, 0)},
    "conrod": {"crank1": (0, 0, 0), "crank2": (0, 0, 0.01), "piston1": (0, 0.08, 0), "piston2": (0, 0.08, 0.01)},
}
DENSITIES = {"crank": 7850.0, "conrod": 2710.0}
MIDDLE = (0.0, 0.04, 0.005)
Z = (0.0, 0.0, 1.0)


@dataclass(frozen=True, eq=False)
class Part:
    """A body with its matrices and its reduction."""

    body: Body
    discrete: DiscreteBody
    reduced: ReducedBody


def part(name: str, modes: int) -> Part:
    """Mesh, matrices and free–free modes of one body."""
    mesh = read_abaqus(MESHES / f"{name}.inp").mesh
    sets = {
        key: np.flatnonzero(
            (np.abs(np.hypot(*(mesh.points - centre)[:, :2].T) - RADIUS) < 5e-5)
            & (np.abs(mesh.points[:, 2] - centre[2]) < 5e-5)
        )
        for key, centre in CIRCLES[name].items()
    }
    region = Region(SolidProperty(Material(70e9, 0.3, DENSITIES[name])))
    body = Body(
        name,
        replace(mesh, node_sets={**mesh.node_sets, **sets}),
        (region,),
        damping=Damping(mass=1e-4, stiffness=1e-5),
        space="spatial",
    )
    attached = attach(
        body,
        interfaces=[Interface(key, key) for key in sets],
        sensors=[Interface("middle", MIDDLE)] if name == "conrod" else [],
        reference=MeanAxes(),
    )
    basis = reduction_basis(attached, Modal(modes, attachments=False))
    return Part(body, attached.discrete, reduced_body(attached, basis))


@cache
def parts_with(modes: int) -> dict[str, Part]:
    """Both elastic bodies."""
    return {name: part(name, modes) for name in CIRCLES}


def our_system(parts: dict[str, Part], *, geometric: bool, torque: str) -> DynamicSystem:
    """The mechanism in flexframe."""
    piston = RigidBody(
        "piston",
        0.1,
        np.array([2e-5, 1e-5, 2e-5]),
        points={"pin1": BodyFrame(np.array([0, 0, -0.005])), "pin2": BodyFrame(np.array([0, 0, 0.005]))},
    )
    system = System(
        [parts["crank"].body, parts["conrod"].body, piston],
        [
            Spherical("axle1", "ground.A1", "crank.axle1"),
            PointOnLine("axle2", "ground.A2", "crank.axle2", axis=Z),
            Spherical("pin1", "crank.pin1", "conrod.crank1"),
            PointOnLine("pin2", "crank.pin2", "conrod.crank2", axis=Z),
            Spherical("eye1", "piston.pin1", "conrod.piston1"),
            PointOnLine("eye2", "piston.pin2", "conrod.piston2", axis=Z),
            Prismatic("cylinder", "ground.guide", "piston", axis=(0.0, 1.0, 0.0)),
        ],
        loads=[MarkerForce("torque", "crank", moment=(0.0, 0.0, torque))],
        ground={"A1": (0, 0, 0.01), "A2": (0, 0, 0.02), "guide": (0, 0, -0.005)},
        start={
            "conrod": Placement(np.array([0, 0.03, -0.01])),
            "piston": Placement(np.array([0, 0.11, -0.005])),
        },
        space="spatial",
    )
    return dynamic_system(system, {name: one.reduced for name, one in parts.items()}, geometric=geometric)


def exudyn_body(mbs: Any, own: Part, position: Array, rotation: Array) -> dict[str, Any]:
    """The body in Exudyn, by its nodes, matrices and modes."""
    discrete, fem = own.discrete, FEMinterface()
    nodes = own.body.mesh.node_count
    order = discrete.dofs.numbers[:, :3].ravel()  # three displacements of each node
    fem.nodes = {"Position": np.array(own.body.mesh.points)}
    fem.massMatrix = csr_matrix(discrete.mass[order][:, order])
    fem.stiffnessMatrix = csr_matrix(discrete.stiffness[order][:, order])
    fem.modeBasis = {"matrix": np.array(own.reduced.basis.vectors[order]), "type": "NormalModes"}
    fem.surface = []
    assert len(order) == 3 * nodes
    made = ObjectFFRFreducedOrderInterface(fem).AddObjectFFRFreducedOrder(
        mbs,
        positionRef=position.tolist(),
        rotationMatrixRef=rotation,
        massProportionalDamping=1e-4,
        stiffnessProportionalDamping=1e-5,
    )
    return dict(made)


def exudyn_system(
    parts: dict[str, Part],
    start: DynamicState,
    torque: Callable[[Any, float, list[float]], list[float]] | None = None,
) -> Any:
    """The mechanism in Exudyn with its sensors, assembled as ours is.

    The nodes of the circles of the crank are not evenly spaced: their means lie up to 0.06 mm beside the centres.
    """
    R = rotation_from_quaternion(start.quaternions)
    SC = exu.SystemContainer()
    mbs = SC.AddSystem()
    ground = mbs.AddObject(items.ObjectGround())
    bodies = {
        "crank": exudyn_body(mbs, parts["crank"], start.positions[0], R[0]),
        "conrod": exudyn_body(mbs, parts["conrod"], start.positions[1], R[1]),
    }
    node = mbs.AddNode(items.NodePoint(referenceCoordinates=start.positions[2].tolist()))
    piston = mbs.AddObject(items.ObjectMassPoint(mass=0.1, nodeNumber=node))

    def circle(body: str, name: str) -> int:
        nodes = parts[body].body.mesh.node_sets[name]
        return int(
            mbs.AddMarker(
                items.MarkerSuperElementPosition(
                    bodyNumber=bodies[body]["oFFRFreducedOrder"],
                    meshNodeNumbers=np.array(nodes),
                    weightingFactors=np.full(len(nodes), 1 / len(nodes)),
                )
            )
        )

    def fixed(body: int, place: list[float]) -> int:
        return int(mbs.AddMarker(items.MarkerBodyPosition(bodyNumber=body, localPosition=place)))

    pairs = [
        (
            fixed(ground, [0, 0, 0.01]),
            circle("crank", "axle1"),
            circle("crank", "axle2"),
            fixed(ground, [0, 0, 0.02]),
        ),
        (circle("crank", "pin1"), circle("conrod", "crank1"), circle("conrod", "crank2"), circle("crank", "pin2")),
        (
            fixed(piston, [0, 0, -0.005]),
            circle("conrod", "piston1"),
            circle("conrod", "piston2"),
            fixed(piston, [0, 0, 0.005]),
        ),
    ]
    for first, second, third, fourth in pairs:
        mbs.AddObject(items.ObjectJointSpherical(markerNumbers=[first, second], constrainedAxes=[1, 1, 1]))
        mbs.AddObject(items.ObjectJointSpherical(markerNumbers=[fourth, third], constrainedAxes=[1, 1, 0]))
    nothing = mbs.AddNode(items.NodePointGround())
    still = mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=nothing, coordinate=0))
    for coordinate in (0, 2):
        moving = mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=node, coordinate=coordinate))
        mbs.AddObject(items.ObjectConnectorCoordinate(markerNumbers=[still, moving]))
    rigid = mbs.AddMarker(items.MarkerNodeRigid(nodeNumber=bodies["crank"]["nRigidBody"]))
    options = {} if torque is None else {"loadVectorUserFunction": torque}
    mbs.AddLoad(items.LoadTorqueVector(markerNumber=rigid, loadVector=[0, 0, TORQUE], **options))
    middle = int(parts["conrod"].body.mesh.nearest_node(MIDDLE))
    sensors = {
        "conrod_mid": mbs.AddSensor(
            items.SensorSuperElement(
                bodyNumber=bodies["conrod"]["oFFRFreducedOrder"],
                meshNodeNumber=middle,
                storeInternal=True,
                outputVariableType=exu.OutputVariableType.DisplacementLocal,
            )
        ),
        "crank_speed": mbs.AddSensor(
            items.SensorNode(
                nodeNumber=bodies["crank"]["nRigidBody"],
                storeInternal=True,
                outputVariableType=exu.OutputVariableType.AngularVelocity,
            )
        ),
        "piston": mbs.AddSensor(
            items.SensorNode(
                nodeNumber=node, storeInternal=True, outputVariableType=exu.OutputVariableType.Position
            )
        ),
    }
    mbs.Assemble()
    return SC, mbs, sensors


def exudyn_seconds(modes: int, start: DynamicState, *, modified: bool) -> float:
    """Processor time of a run with the torque on; the system is small, where the dense solver is faster."""
    _container, mbs, _ = exudyn_system(parts_with(modes), start)
    chosen = solver_settings(STEP, TIMED_STEPS, modified=modified, sensors_every=TIMED_STEPS, sparse=False)
    return solve_seconds(mbs, chosen)


def exudyn_histories(parts: dict[str, Part], start: DynamicState) -> dict[str, Array]:
    """Sensors over the whole run, every tenth step."""

    def torque(_mbs: Any, t: float, load: list[float]) -> list[float]:
        return load if t <= TORQUE_END else [0.0, 0.0, 0.0]

    _container, mbs, sensors = exudyn_system(parts, start, torque)
    mbs.SolveDynamic(solver_settings(STEP, round(END / STEP), modified=True, sensors_every=10, sparse=False))
    return {name: np.array(mbs.GetSensorStoredData(number)) for name, number in sensors.items()}


def our_histories(simulation: Simulation) -> dict[str, Array]:
    """The same sensors of ours."""
    return {
        "conrod_mid": marker_history(simulation, "conrod.middle").displacements,
        "crank_speed": body_history(simulation, "crank").angular_velocities,
        "piston": body_history(simulation, "piston").positions,
    }


def differences(parts: dict[str, Part]) -> dict[str, float]:
    """Largest difference of each sensor, relative to its largest change over the run."""
    system = our_system(parts, geometric=False, torque=f"{TORQUE}*step({TORQUE_END} - t)")
    count = round(END / STEP / 10)
    start = initial_state(system)
    ours = integrate(system, SimulationOptions(END, STEP, samples=count + 1), start)
    mine, theirs = our_histories(ours), exudyn_histories(parts, start)
    out = {}
    for name, values in theirs.items():
        at = np.stack([np.interp(values[:, 0], ours.times, mine[name][:, i]) for i in range(3)], axis=1)
        scale = np.ptp(values[:, 1:], axis=0).max()
        out[name] = float(np.abs(at - values[:, 1:4]).max() / scale)
    return out


def compared(modes: int, repetitions: int, peers: Peers) -> tuple[list[Comparison], list[Figure]]:
    """Speeds, and how far the histories are apart."""
    parts, results = parts_with(modes), []
    options = SimulationOptions(TIMED_STEPS * STEP, STEP, samples=101)
    for geometric in (True, False):
        system = our_system(parts, geometric=geometric, torque=str(TORQUE))
        start = initial_state(system)
        ours: list[float] = []
        theirs: dict[tuple[str, bool], list[float]] = {(name, way): [] for name in peers for way in (False, True)}
        for _ in range(repetitions):
            ours.append(processor_seconds(lambda: integrate(system, options, start)))  # noqa: B023 - called at once
            for (name, modified), times in theirs.items():
                times.append(peers[name](exudyn_seconds, modes, start, modified=modified))
        words = "with geometric stiffening" if geometric else "without geometric stiffening"
        for name, times in faster(theirs).items():
            note = f"{TIMED_STEPS / min(ours):.0f} against {TIMED_STEPS / min(times):.0f} steps/s of the processor"
            peer = f"{name}, which has no geometric stiffening" if geometric else name
            workload = f"slider-crank in space, {modes} modes a body, {words}"
            results.append(Comparison(workload, peer, ours, times, note))
    figures = [
        Figure(
            f"slider-crank in space, {modes} modes a body, largest difference of {name} from Exudyn's",
            value,
            "of its range",
            0.01,
        )
        for name, value in differences(parts).items()
    ]
    return results, figures


LOOP = """
import sys
from time import process_time
import benchmarks.slider_crank_3d as model
parts = {name: model.part(name, int(sys.argv[1])) for name in model.CIRCLES}
system = model.our_system(parts, geometric=sys.argv[2] == "True", torque=str(model.TORQUE))
start, step, duration = model.initial_state(system), model.STEP, int(sys.argv[3]) * model.STEP
if hasattr(model, "integrate"):
    work = lambda: model.integrate(system, model.SimulationOptions(duration, step, samples=101), start)
else:
    work = lambda: model.simulate(system, start, duration=duration, step=step, samples=101)
work()
print("ready", flush=True)
for _ in sys.stdin:
    began = process_time()
    work()
    print(process_time() - began, flush=True)
"""
"""Tells the processor time of a run for every line that it is given, in this version and in 0.1.0."""


def version_process(folder: Path, python: str, *given: object) -> "subprocess.Popen[str]":
    """A process in which the version of a folder is ready to run."""
    command = [python, "-c", LOOP, *map(str, given), str(TIMED_STEPS)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=folder)


def answer(process: "subprocess.Popen[str]", question: str = "") -> str:
    """A line of a process, after it was asked for it."""
    given, told = process.stdin, process.stdout
    assert given is not None and told is not None
    given.write(question)
    given.flush()
    found = told.readline()
    if not found:
        raise RuntimeError("a version ended without an answer")
    return found


def against_old(old: Path, modes: int, repetitions: int, *, geometric: bool) -> Comparison:
    """This version and 0.1.0 in turns."""
    versions = [(Path(__file__).parents[1], sys.executable), (old, str(old / ".venv" / "bin" / "python"))]
    processes = [version_process(folder, python, modes, geometric) for folder, python in versions]
    for process in processes:
        assert answer(process) == "ready\n"
    turns = [[float(answer(process, "run\n")) for process in processes] for _ in range(3 * repetitions)]
    for process in processes:
        process.communicate()
    ours, theirs = (list(times) for times in zip(*turns, strict=True))
    words = "with geometric stiffening" if geometric else "without geometric stiffening"
    return Comparison(f"slider-crank in space, {modes} modes a body, {words}", "flexframe 0.1.0", ours, theirs)


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="The flexible slider-crank in space.")
    parser.add_argument("--modes", type=int, nargs="+", default=[8, 16])
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--old", default=os.environ.get("OLD"), help="worktree of version 0.1.0 with its .venv")
    return parser.parse_args(given)


if __name__ == "__main__":
    asked = arguments()
    with exudyn_processes() as processes:
        found = [compared(modes, asked.repetitions, processes) for modes in asked.modes]
    comparisons = [comparison for rows, _ in found for comparison in rows]
    if asked.old:
        comparisons += [
            against_old(Path(asked.old).resolve(), modes, asked.repetitions, geometric=geometric)
            for modes in asked.modes
            for geometric in (True, False)
        ]
    write("slider_crank_3d", comparisons, figures=[figure for _, rows in found for figure in rows])
