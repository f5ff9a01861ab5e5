"""Speeds at which a branch becomes unstable or stable again."""

import numpy as np

from flexframe.maths.arrays import Array, BoolArray
from flexframe.maths.roots import bracket_root
from flexframe.spectra.growth import UNSTABLE
from flexframe.spectra.rotation.speed_projection import SpeedProjection
from flexframe.spectra.rotation.tracked_modes import BranchStep, TrackedModes

_NOISE = 1e-9  # of |λ|: real parts of modes that nothing damps


def stability_limits(
    projection: SpeedProjection, tracked: TrackedModes, speeds: Array, count: int, grows: BoolArray
) -> tuple[float, ...]:
    """Where the real part of a branch that `grows` changes its sign, ascending; among the `count` lowest modes."""
    values = tracked.eigenvalues
    scale = float(np.nanmax(np.abs(values)))
    level = UNSTABLE * scale if projection.equations.conservative else 0.0
    growth = values.real - level
    changes = (growth[:-1] > 0) != (growth[1:] > 0)
    clear = np.maximum(np.abs(values.real[:-1]), np.abs(values.real[1:])) > _NOISE * np.abs(values[1:]) + level
    limits = []
    for k, b in np.argwhere(changes & clear & grows & np.isfinite(growth[:-1] + growth[1:])):
        branch = BranchStep(projection, tracked, speeds, int(k), int(b), count)

        def excess(speed: float, branch: BranchStep = branch) -> float:
            return branch.mode(speed)[0].real - level

        ends = (float(speeds[k]), float(speeds[k + 1]))
        sizes = [excess(end) for end in ends]
        if sizes[0] * sizes[1] < 0:
            limits.append(bracket_root(excess, *ends, tolerance=1e-13 * max(map(abs, ends))))
        elif min(map(abs, sizes)) <= _NOISE * abs(values[k, b]):  # a limit at one of the speeds, up to rounding
            limits.append(ends[int(np.argmin(np.abs(sizes)))])
    return tuple(sorted(set(limits)))
