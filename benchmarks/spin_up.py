"""Spin-up of a flexible blade (Kane, Ryan & Banerjee 1987): steps a second, and how near the tip comes.

The same 15 s by both integrators: fixed steps of 10 ms, and explicit steps with error control, which the axial
stiffness of the blade keeps short. The figures to meet are those of the linear theory with geometric stiffness.

Usage: python -m benchmarks.spin_up [repetitions]
"""

import statistics
import sys

from benchmarks.harness import Figure, write

from flexframe.elements.properties import GeneralSection, Material
from flexframe.model.body import Body
from flexframe.model.drives import AngleDrive
from flexframe.model.joints import Revolute
from flexframe.model.system import System
from flexframe.multibody.contract import DynamicSystem, Simulation, SimulationOptions
from flexframe.multibody.histories import marker_history
from flexframe.multibody.integrators.simulation import integrate
from flexframe.multibody.system import dynamic_system
from flexframe.reduction.attached import ClampedFrame
from flexframe.reduction.interfaces import Interface
from flexframe.reduction.reduced_body import reduce_body
from flexframe.reduction.strategies import CraigBampton

TRANSVERSE, AXIAL = -0.57440, -0.018839
LAW = "6/15*(t^2/2 + (15/(2*pi))^2*(cos(2*pi*t/15) - 1))"


def blade() -> DynamicSystem:
    """EA 2.8e7, GA 1e7, EI 1.4e4, ρA 1.2, ρI 6e-4, length 10, on a hub that turns as prescribed."""
    material = Material(young=2.8e7, poisson=2.8 / 2.4 - 1, density=1.2)
    section = GeneralSection(1.0, 5e-4, 5e-4, 1e-3)
    body = Body.beam("blade", length=10.0, divisions=16, section=section, material=material)
    tip = Interface("tip", "end")
    reduced = reduce_body(body, CraigBampton(4), interfaces=[tip], reference=ClampedFrame("start"))
    system = System([body], [Revolute("hub", "ground", "blade")], [AngleDrive("spin", "ground", "blade", LAW)])
    return dynamic_system(system, {"blade": reduced})


def figures(run: Simulation, rates: list[float]) -> list[Figure]:
    """Speed and errors of one integrator."""
    tip = marker_history(run, "blade.tip").displacements
    errors = {
        "transverse": abs(tip[:, 1].min() / TRANSVERSE - 1),
        "axial": abs(tip[:, 0].min() / AXIAL - 1),
    }
    name = f"spin-up, {run.integrator}"
    return [
        Figure(name, statistics.median(rates), "steps/s", note=f"{run.statistics.steps} steps"),
        *(Figure(f"{name}, {what} minimum", float(error), "off", 0.002) for what, error in errors.items()),
        Figure(f"{name}, energy", run.energy_drift, "drift"),
    ]


def main() -> None:
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    system, found = blade(), []
    for options in (
        SimulationOptions(15.0, step=0.01, samples=1501),
        SimulationOptions(15.0, tolerance=1e-7, integrator="dormand_prince", samples=1501),
    ):
        runs = [integrate(system, options) for _ in range(repetitions)]
        found += figures(runs[0], [run.statistics.steps / run.statistics.seconds for run in runs])
    write("spin_up", figures=found)


if __name__ == "__main__":
    main()
