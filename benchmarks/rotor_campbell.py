"""A Campbell diagram of 100 speeds of a shaft on two bearings against ROSS, in the frame at rest.

Both have the same Timoshenko elements with rotary inertia and gyroscopic moments, and isotropic bearings. ROSS
solves the full problem at every speed, and draws nothing here.

Usage: python -m benchmarks.rotor_campbell [elements] [repetitions]
"""

import sys

import numpy as np
import ross
from benchmarks.harness import Comparison, compare, write

from flexframe.analyses.campbell.analysis import campbell_diagram
from flexframe.assembly.discrete import discretise
from flexframe.elements.properties import Circle, Material
from flexframe.model.bearings import Bearing
from flexframe.model.body import Body
from flexframe.model.supports import Fix

LENGTH, DIAMETER, STIFFNESS = 1.2, 0.04, 1e7
YOUNG, POISSON, DENSITY = 210e9, 0.3, 7850.0
SPEEDS = np.linspace(0.0, 1000.0, 100)
MODES = 8


def of_flexframe(elements: int) -> Body:
    """The shaft, without its axial and torsional motions, which ROSS leaves out as well."""
    return Body.beam(
        "shaft",
        length=LENGTH,
        divisions=elements,
        section=Circle(DIAMETER),
        material=Material(young=YOUNG, poisson=POISSON, density=DENSITY),
        space="spatial",
        supports=(Fix("all", dofs=("ux", "rx")),),
    )


def of_ross(elements: int) -> ross.Rotor:
    steel = ross.Material("steel", rho=DENSITY, E=YOUNG, Poisson=POISSON)
    shaft = [
        ross.ShaftElement(
            L=LENGTH / elements,
            idl=0.0,
            odl=DIAMETER,
            material=steel,
            shear_effects=True,
            rotary_inertia=True,
            gyroscopic=True,
        )
        for _ in range(elements)
    ]
    bearings = [
        ross.BearingElement(n=node, kxx=STIFFNESS, kyy=STIFFNESS, cxx=0.0, cyy=0.0) for node in (0, elements)
    ]
    return ross.Rotor(shaft, [], bearings)


def workload(elements: int, repetitions: int) -> Comparison:
    discrete, rotor = discretise(of_flexframe(elements)), of_ross(elements)
    bearings = (Bearing("start", stiffness=STIFFNESS), Bearing("end", stiffness=STIFFNESS))
    kept: dict[str, np.ndarray] = {}

    def ours() -> None:
        diagram = campbell_diagram(
            discrete, SPEEDS, modes=MODES, axis=(1, 0, 0), bearings=bearings, frame="inertial"
        )
        kept["ours"] = np.sort(diagram.frequencies_hz, axis=1)

    def theirs() -> None:
        kept["peer"] = np.sort(rotor.run_campbell(SPEEDS, frequencies=MODES).wd, axis=1) / (2 * np.pi)

    work = f"Campbell diagram of a shaft of {elements} elements, {len(SPEEDS)} speeds, {MODES} modes"
    result = compare(work, "ROSS", ours, theirs, repetitions=repetitions)
    difference = float(np.abs(kept["ours"] / kept["peer"] - 1).max())
    # shear coefficients of the circle differ by some per cent between the two, which a slender shaft hardly feels
    assert difference < 2e-3, f"frequencies differ by {difference:.1e}"
    return Comparison(
        result.workload, result.peer, result.ours_s, result.peer_s, f"frequencies differ by {difference:.0e}"
    )


if __name__ == "__main__":
    elements = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    repetitions = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    write("rotor_campbell", [workload(elements, repetitions)])
