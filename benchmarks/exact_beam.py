"""A very flexible cantilever that swings under its weight: exact beams against Exudyn's beams, as many elements.

In plane against its geometrically exact beam and its ANCF cable, in space against its geometrically exact beam.
All take the same steps of generalised-α with the same spectral radius in the same run.

Usage: python -m benchmarks.exact_beam [repetitions]
"""

import sys
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import exudyn as exu
import numpy as np
from benchmarks.exudyn_peer import Peers, exudyn_processes, faster, solve_seconds, solver_settings
from benchmarks.harness import Comparison, Figure, processor_seconds, write
from exudyn import itemInterface as items  # noqa: N813 - a module

from flexframe.analyses.transient.coupled.division import elastic_system
from flexframe.analyses.transient.coupled.elastic_parts import ReductionChoice
from flexframe.elements.properties import GeneralSection, Material
from flexframe.maths.arrays import Array
from flexframe.model.body import Body
from flexframe.model.joints import Weld
from flexframe.model.system import System
from flexframe.model.system_loads import SystemGravity
from flexframe.multibody.contract import DynamicSystem, SimulationOptions
from flexframe.multibody.integrators.simulation import integrate
from flexframe.multibody.start import initial_state
from flexframe.multibody.system import dynamic_system

LENGTH, ELEMENTS = 1.0, 40  # m
MASS, EA, GA, EI, GJ = 1.0, 1e4, 5e3, 0.5, 0.4  # kg/m, N, N m²
INERTIA = MASS * EI / EA  # kg m
GRAVITY = {"planar": (0.0, -9.81, 0.0), "spatial": (0.0, -8.0, -5.68)}  # m/s²
STEP, STEPS = 1e-3, 500
KINDS = {"planar": ("exact beam", "ANCF cable"), "spatial": ("exact beam",)}


def our_beam(space: str) -> DynamicSystem:
    """The cantilever along x."""
    material = Material(EA, EA / (2 * GA) - 1, MASS, idealised=True)
    section = GeneralSection(1.0, EI / EA, EI / EA, GJ / GA, 1.0)
    body = Body.beam(
        "beam",
        length=LENGTH,
        divisions=ELEMENTS,
        section=section,
        material=material,
        space=space,  # type: ignore[arg-type]
    )
    system = System(
        [body],
        [Weld("root", "ground", "beam.start")],
        loads=[SystemGravity("weight", GRAVITY[space])],
        space=body.space,
    )
    made = elastic_system(system, {"beam": ReductionChoice(exact=True)}, watched={})
    return dynamic_system(made.system)


class ExudynBeam:
    """The same cantilever of Exudyn's elements."""

    def __init__(self, space: str, kind: str) -> None:
        self.container = exu.SystemContainer()  # owns what it makes
        self.mbs = self.container.AddSystem()
        self.length = LENGTH / ELEMENTS
        node, element = self._makers(space, kind)
        nodes = [self.mbs.AddNode(node(k * self.length)) for k in range(ELEMENTS + 1)]
        for pair in pairwise(nodes):
            body = self.mbs.AddObject(element(list(pair)))
            marker = self.mbs.AddMarker(items.MarkerBodyMass(bodyNumber=body))
            self.mbs.AddLoad(items.LoadMassProportional(markerNumber=marker, loadVector=list(GRAVITY[space])))
        self._clamp(nodes[0], space)
        self.sensor = self.mbs.AddSensor(
            items.SensorNode(
                nodeNumber=nodes[-1],
                outputVariableType=exu.OutputVariableType.Position,
                writeToFile=False,
                storeInternal=True,
            )
        )
        self.mbs.Assemble()

    def _makers(self, space: str, kind: str) -> tuple[Callable[[float], Any], Callable[[list[int]], Any]]:
        """Of a node at x and of an element between two nodes."""
        if space == "spatial":
            section = exu.BeamSection()
            section.stiffnessMatrix = np.diag([EA, GA, GA, GJ, EI, EI])
            section.massPerLength = MASS
            section.inertia = INERTIA * np.diag([2.0, 1.0, 1.0])
            return (
                lambda x: items.NodeRigidBodyEP(referenceCoordinates=[x, 0, 0, 1, 0, 0, 0]),
                lambda pair: items.ObjectBeamGeometricallyExact(
                    nodeNumbers=pair, length=self.length, sectionData=section
                ),
            )
        if kind == "ANCF cable":
            return (
                lambda x: items.NodePoint2DSlope1(referenceCoordinates=[x, 0, 1, 0]),
                lambda pair: items.ObjectANCFCable2D(
                    nodeNumbers=pair,
                    length=self.length,
                    massPerLength=MASS,
                    bendingStiffness=EI,
                    axialStiffness=EA,
                    useReducedOrderIntegration=1,
                ),
            )
        return (
            lambda x: items.NodeRigidBody2D(referenceCoordinates=[x, 0, 0]),
            lambda pair: items.ObjectBeamGeometricallyExact2D(
                nodeNumbers=pair,
                length=self.length,
                massPerLength=MASS,
                crossSectionInertia=INERTIA,
                bendingStiffness=EI,
                axialStiffness=EA,
                shearStiffness=GA,
            ),
        )

    def _clamp(self, node: int, space: str) -> None:
        ground = self.mbs.AddObject(items.ObjectGround())
        if space == "spatial":
            markers = [
                self.mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=ground)),
                self.mbs.AddMarker(items.MarkerNodeRigid(nodeNumber=node)),
            ]
            self.mbs.AddObject(items.ObjectJointGeneric(markerNumbers=markers))
            return
        still = self.mbs.AddNode(items.NodePointGround())
        fixed = self.mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=still, coordinate=0))
        coordinates = self.mbs.GetNode(node)["referenceCoordinates"]
        held = [0, 1, 3] if len(coordinates) == 4 else [0, 1, 2]
        for coordinate in held:
            marker = self.mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=node, coordinate=coordinate))
            self.mbs.AddObject(items.ObjectConnectorCoordinate(markerNumbers=[fixed, marker]))


def exudyn_seconds(space: str, kind: str, *, modified: bool) -> float:
    """Processor time of a run."""
    beam = ExudynBeam(space, kind)
    return solve_seconds(beam.mbs, solver_settings(STEP, STEPS, modified=modified, sensors_every=STEPS))


def exudyn_tip(space: str, kind: str) -> Array:
    """Place of the tip every tenth step: (samples, 3)."""
    beam = ExudynBeam(space, kind)
    beam.mbs.SolveDynamic(solver_settings(STEP, STEPS, modified=True, sensors_every=10))
    return np.array(beam.mbs.GetSensorStoredData(beam.sensor))[:, 1:]


def compared(space: str, repetitions: int, peers: Peers) -> tuple[list[Comparison], list[Figure]]:
    """Times in turns, and how far the tips are apart."""
    system = our_beam(space)
    start, options = initial_state(system), SimulationOptions(STEP * STEPS, STEP, samples=2)
    run = integrate(system, SimulationOptions(STEP * STEPS, STEP, samples=STEPS // 10 + 1), start)
    tip, counted = run.positions[:, -1], run.statistics
    comparisons, figures = [], []
    for kind in KINDS[space]:
        ours: list[float] = []
        theirs: dict[tuple[str, bool], list[float]] = {(name, way): [] for name in peers for way in (False, True)}
        for _ in range(repetitions):
            ours.append(processor_seconds(lambda: integrate(system, options, start)))
            for (name, modified), times in theirs.items():
                times.append(peers[name](exudyn_seconds, space, kind, modified=modified))
        workload = f"swinging cantilever of {ELEMENTS} elements, {space}, {STEPS} steps"
        for name, seconds in faster(theirs).items():
            note = f"{1e6 * min(ours) / STEPS:.3g} against {1e6 * min(seconds) / STEPS:.3g} µs a step"
            comparisons.append(Comparison(workload, f"{kind} of {name}", ours, seconds, note))
        other = next(iter(peers.values()))(exudyn_tip, space, kind)
        away = float(np.abs(tip - other).max())
        figures.append(Figure(f"{workload}, largest distance of the tip from {kind}", away, "m", 2e-2 * LENGTH))
    work = f"{counted.factorisations} factorisations, {counted.evaluations} evaluations"
    figures.append(Figure(f"{space}, iterations a step", counted.iterations / counted.steps, "", note=work))
    return comparisons, figures


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    with exudyn_processes() as processes:
        results = [compared(space, count, processes) for space in KINDS]
    write(
        "exact_beam",
        [row for rows, _ in results for row in rows],
        figures=[row for _, rows in results for row in rows],
    )
