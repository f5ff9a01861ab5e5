"""Elastic mechanisms: frequencies of a four-bar linkage along its cycle."""

from typing import Any

import numpy as np

from flexframe.cases.case import load_case
from flexframe.cases.examples import example_paths
from flexframe.verification.contract import Check, Reference

_ANGLES = (0, 60, 180, 300)  # degrees of the crank
_FREQUENCIES = (
    (42.941, 46.587, 47.318, 46.371),
    (48.684, 50.625, 50.319, 50.487),
    (61.044, 103.420, 86.835, 94.179),
)
_BELOW = 46.38  # f1 at 60° with the pin below


def _summary(divisions: int, *settings: str) -> dict[str, Any]:
    """Frequencies of the example at rest every 60 degrees, with so many elements a bar."""
    bars = [f"bodies.{name}.mesh.line.divisions={divisions}" for name in ("crank", "coupler", "follower")]
    case = load_case(example_paths()["four_bar"], [*bars, "analyses.spectrum.samples=7", *settings])
    return case.analyses["spectrum"].run(case).summary()


def _four_bar(refinement: int) -> list[float]:
    """f1, f2 and f3 at four angles, then f1 of the other assembly at 60°."""
    below = ("start.coupler.angle=-60 deg", "start.follower.angle=-85 deg")
    found = [_summary(8 * refinement), _summary(8 * refinement, *below)]
    tables = [np.sort(np.array(summary["frequencies_hz"]), axis=1) for summary in found]
    rows = [angle // 60 for angle in _ANGLES]
    return [*tables[0][rows, :3].T.reshape(-1).tolist(), float(tables[1][1, 0])]


CHECKS: tuple[Check, ...] = (
    Check(
        "elastic-four-bar",
        "converged finite-element solution by a second method",
        "ground .254, crank .108, coupler .2794, follower .2705 m, 42 g at both moving pins, crank clamped at its "
        "root; Timoshenko beams κ 5/6, mechanism at rest, pin above the ground link, 16 elements a bar",
        (
            *(
                Reference(f"f{k + 1} at {angle}° [Hz]", value, 1e-3)
                for k, row in enumerate(_FREQUENCIES)
                for angle, value in zip(_ANGLES, row, strict=True)
            ),
            Reference("f1 at 60°, pin below [Hz]", _BELOW, 1e-3),
        ),
        _four_bar,
    ),
)
