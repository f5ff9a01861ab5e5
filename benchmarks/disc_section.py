"""Modes with 0 to 6 nodal diameters of a disc: by its section, against the full solid, at rest and at speed.

Both discretise the disc and find, with shapes and labels, the lowest modes of every number of nodal diameters from
0 to 6: the section asks for them one number after the other, the solid for as many modes as hold them all. The
section has the cells of the solid in a meridian plane, and its frequencies differ from those of the solid by the
error of the solid's mesh along the circumference; the note says by how much, and how much a solid with half the
cells there differs from it. Processor time of both is compared, which a busy machine changes less than the time
that passes.

Usage: python -m benchmarks.disc_section [repetitions]
"""

import sys
from dataclasses import replace

import numpy as np
from benchmarks.harness import Figure, alternating, processor_seconds, write

from flexframe.analyses.modes.analysis import modes
from flexframe.analyses.modes.record import Modes
from flexframe.elements.properties import STEEL
from flexframe.mesh.builders import rectangle, tube
from flexframe.model.body import Body
from flexframe.model.supports import Clamp
from flexframe.motion.frame import FrameMotion

INNER, OUTER, HEIGHT = 0.06, 0.3, 0.02  # m
RADIAL, AROUND, AXIAL = 8, 80, 2  # with so many around the solid has six nodal diameters to 1e-3
DIAMETERS = tuple(range(7))
OF_SOLID = 32  # modes that hold the lowest of all nodal diameters
SPEED = 800.0  # rad/s
LEAST_RATIO = 50.0


def by_section(speed: float) -> Modes:
    """Two modes of each number of nodal diameters."""
    mesh = rectangle(OUTER - INNER, HEIGHT, (RADIAL, AXIAL))
    mesh = replace(mesh, points=mesh.points + np.array([INNER, 0.0, 0.0]))
    body = Body.of_revolution("disc", mesh, material=STEEL, supports=(Clamp("left"),))
    return modes(body, FrameMotion.spin(speed, (0, 1, 0)), count=2, nodal_diameters=DIAMETERS)


def by_solid(speed: float, around: int = AROUND) -> Modes:
    """All modes up to the last that is wanted."""
    mesh = tube(INNER, OUTER, HEIGHT, (RADIAL, around, AXIAL))
    body = Body.solid("disc", mesh, material=STEEL, supports=(Clamp("inner"),))
    return modes(body, FrameMotion.spin(speed), count=OF_SOLID)


def lowest(found: Modes) -> np.ndarray:
    """Frequencies of the two lowest modes of each number of nodal diameters: (diameters, 2)."""
    assert found.nodal_diameters is not None
    numbers = np.array([-1 if n is None else n for n in found.nodal_diameters])
    return np.array([np.sort(found.frequencies_hz[numbers == n])[:2] for n in DIAMETERS])


def measured(speed: float, repetitions: int) -> Figure:
    """The ratio of the medians, and the largest difference of a frequency."""
    section, solid, coarse = (
        lowest(f) for f in (by_section(speed), by_solid(speed), by_solid(speed, AROUND // 2))
    )
    seconds: list[list[float]] = [[], []]

    def timed(place: int) -> None:
        work = (by_section, by_solid)[place]
        seconds[place].append(processor_seconds(lambda: work(speed), enough=0.5))

    alternating([lambda: timed(0), lambda: timed(1)], repetitions, warm=False)
    ours, theirs = seconds
    difference, error = (float(np.abs(f / solid - 1).max()) for f in (section, coarse))
    where = f"at {speed:g} rad/s" if speed else "at rest"
    return Figure(
        f"nodal diameters 0 to 6 of a disc by its section {where}, times faster than the full solid",
        float(np.median(theirs) / np.median(ours)),
        "times",
        LEAST_RATIO,
        at_least=True,
        note=f"{np.median(ours):.3g} against {np.median(theirs):.3g} s; frequencies within {difference:.1e}, half "
        f"the cells around change those of the solid by {error:.1e}",
    )


if __name__ == "__main__":
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    write("disc_section", figures=[measured(speed, repetitions) for speed in (0.0, SPEED)])
