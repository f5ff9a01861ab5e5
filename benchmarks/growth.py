"""How the cost of each workload grows, at four sizes, against what theory expects.

Usage: python -m benchmarks.growth [scale]      (scale 2 doubles every size)
"""

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.derivation import with_flexframe
from benchmarks.harness import Growth, growth, write

from flexframe.analyses.campbell.analysis import campbell_diagram
from flexframe.analyses.cycle_spectrum.analysis import cycle_spectrum
from flexframe.analyses.modes.analysis import modes
from flexframe.analyses.transient.entry import TransientEntry
from flexframe.assembly.discrete import discretise
from flexframe.cases.case import load_case
from flexframe.elements.properties import STEEL
from flexframe.mesh.builders import annulus, block, rectangle
from flexframe.model.body import Body
from flexframe.model.supports import Clamp
from flexframe.sweeps.sweep import sweep

EXAMPLES = Path(__file__).parents[1] / "examples"
Work = Callable[[], Any]


def plane_body(size: int) -> Body:
    """A plate of about this many unknowns, in quadrilaterals of second order."""
    n = max(2, round(np.sqrt(size / 12)))
    mesh = rectangle(2.0, 1.0, divisions=(2 * n, n), order=2, shape="quad")
    return Body.plane("plate", mesh, material=STEEL, thickness=0.01, supports=(Clamp("left"),))


def solid_body(size: int, shape: str) -> Body:
    """A block of about this many unknowns."""
    per_cube = 12.0 if shape == "hexahedron" else 24.0  # unknowns for each cell of the grid, second order
    n = max(2, round((size / (2 * per_cube)) ** (1 / 3)))
    mesh = block((2.0, 1.0, 1.0), (2 * n, n, n), order=2, shape=shape)
    return Body.solid("block", mesh, material=STEEL, supports=(Clamp("left"),))


def assembly_of(make: Callable[[int], Body]) -> Callable[[int], Work]:
    """Time the integration of everything."""

    def prepared(size: int) -> Work:
        body = make(size)
        return lambda: discretise(body)

    return prepared


def modes_of(size: int) -> Work:
    discrete = discretise(solid_body(size, "tetra"))
    return lambda: modes(discrete, count=20)


def campbell_of(size: int) -> Work:
    rings = max(3, round(np.sqrt(size / 18)))
    mesh = annulus(0.05, 0.3, (rings, 3 * rings), order=2)
    disc = discretise(Body.plane("disc", mesh, material=STEEL, thickness=0.01, supports=(Clamp("inner"),)))
    speeds = 2 * np.pi * np.linspace(0.0, 500.0, 20)
    return lambda: campbell_diagram(disc, speeds, modes=8)


def cycle_of(positions: int) -> Work:
    system = load_case(EXAMPLES / "wind_pump.yaml").system()
    times = np.linspace(0, 60 / 140, positions, endpoint=False)
    return lambda: cycle_spectrum(system, times, body="lever", count=6)


def transient_of(steps: int) -> Work:
    case = load_case(EXAMPLES / "spin_up.yaml", [])
    name = next(iter(case.analyses))
    entry = case.document.analyses[name]
    assert isinstance(entry, TransientEntry)
    changed = entry.model_copy(update={"duration": entry.step * steps, "samples": 101})
    return lambda: changed.run(case)


def derivation_of(elements: int) -> Work:
    return lambda: with_flexframe(elements)


def sweep_of(cases: int) -> Work:
    from benchmarks.sweep import CASE, FIELD

    folder = Path(tempfile.mkdtemp())
    (folder / "cheap.yaml").write_text(CASE, encoding="utf-8")
    return lambda: sweep(folder / "cheap.yaml", {FIELD: f"0.5:1.5:{cases}"})


def four(smallest: float, factor: float, scale: float) -> list[int]:
    """Four sizes, each some times the one before."""
    return [round(max(2.0, scale * smallest) * factor**k) for k in range(4)]


def all_growths(scale: float = 1.0) -> list[Growth]:
    """Every workload, one after another."""
    found = [
        growth(
            "assembly, plane quadrilaterals",
            four(25_000, 2, scale),
            assembly_of(plane_body),
            unit="unknowns",
            theory=1.0,
        ),
        growth(
            "assembly, Tet10",
            four(25_000, 2, scale),
            assembly_of(lambda n: solid_body(n, "tetra")),
            unit="unknowns",
            theory=1.0,
        ),
        growth(
            "assembly, Hex20",
            four(25_000, 2, scale),
            assembly_of(lambda n: solid_body(n, "hexahedron")),
            unit="unknowns",
            theory=1.0,
        ),
        growth(
            "20 modes, Tet10",
            four(16_000, 2, scale),
            modes_of,
            unit="unknowns",
            theory=2.0,
            why="flops of nested dissection in space; solves grow like n^4/3 and rule small models",
            repetitions=1,
        ),
        growth(
            "Campbell diagram, 20 speeds, plane disc",
            four(16_000, 2, scale),
            campbell_of,
            unit="unknowns",
            theory=1.5,
            why="flops of nested dissection in the plane; projected problems do not grow and rule small models",
            repetitions=1,
        ),
        growth("wind-pump cycle", four(3_600, 2, scale), cycle_of, unit="positions", theory=1.0),
        growth("derivation of a beam", four(40, 2, scale), derivation_of, unit="elements", theory=1.0),
        growth("sweep", four(50, 2, scale), sweep_of, unit="cases", theory=1.0),
    ]
    if (EXAMPLES / "spin_up.yaml").is_file():
        found.append(growth("spin-up, time loop", four(50_000, 2, scale), transient_of, unit="steps", theory=1.0))
    return found


if __name__ == "__main__":
    os.environ.setdefault("FLEXFRAME_THREADS", "1")  # a growth is of one thread
    write("growth", growths=all_growths(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0))
