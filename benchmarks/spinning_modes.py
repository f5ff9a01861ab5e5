"""Twenty-four modes of a spinning solid disc against those of the same disc at rest, both counted, in turns.

Usage: python -m benchmarks.spinning_modes [repetitions]
"""

import statistics
import sys
import time

import numpy as np
from benchmarks.harness import Figure, alternating, write

from flexframe.analyses.modes.analysis import modes
from flexframe.assembly.discrete import DiscreteBody, discretise
from flexframe.elements.properties import STEEL
from flexframe.mesh.builders import tube
from flexframe.model.body import Body
from flexframe.model.supports import Clamp
from flexframe.motion.frame import REST, FrameMotion

COUNT = 24
SPEED = 800.0  # rad/s
DIVISIONS = {"20k": (9, 60, 2), "100k": (14, 140, 3)}
LARGEST_RATIO = 3.0


def disc(divisions: tuple[int, int, int]) -> DiscreteBody:
    """A disc of Hex20 on a hub."""
    mesh = tube(0.05, 0.3, 0.02, divisions)
    return discretise(Body.solid("disc", mesh, material=STEEL, supports=(Clamp("inner"),)))


def measured(name: str, repetitions: int) -> Figure:
    """Processor time of both, which a busy machine changes less than the time that passes."""
    body = disc(DIVISIONS[name])
    seconds: dict[str, list[float]] = {"rest": [], "spin": []}
    worst = {}

    def solve(kind: str) -> None:
        began = time.process_time()
        found = modes(body, REST if kind == "rest" else FrameMotion.spin(SPEED), count=COUNT)
        seconds[kind].append(time.process_time() - began)
        assert found.confirmed, "a mode may be missing"
        worst[kind] = float(np.max(found.residuals))

    alternating([lambda: solve("spin"), lambda: solve("rest")], repetitions, warm=False)
    rest, spin = (statistics.median(seconds[kind]) for kind in ("rest", "spin"))
    residuals = f"residuals {worst['spin']:.1e} and {worst['rest']:.1e}"
    return Figure(
        f"{COUNT} modes of a spinning Hex20 disc, {body.supports.size} unknowns, in those at rest",
        spin / rest,
        "times",
        LARGEST_RATIO,
        note=f"{spin:.3g} against {rest:.3g} s, both counted; {residuals}",
    )


if __name__ == "__main__":
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    write("spinning_modes", figures=[measured(name, repetitions) for name in DIVISIONS])
