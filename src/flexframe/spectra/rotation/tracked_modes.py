"""The modes of a sweep joined to branches, as far as they are wanted."""

from dataclasses import dataclass

import numpy as np
from scipy import linalg

from flexframe.maths.arrays import Array, ComplexArray
from flexframe.maths.branch_tracking import States, follow_branches
from flexframe.spectra.rotation.small_spectra import SmallModes
from flexframe.spectra.rotation.speed_projection import SpeedProjection
from flexframe.spectra.rotation.speed_sweep import Sweep

EQUAL = 3e-8  # of the largest |λ|
ZERO = 1e-5  # of the lowest elastic frequencies


@dataclass(frozen=True, eq=False)
class TrackedModes:
    """Eigenvalues and coordinates of branches; NaN and zero where a branch is not known."""

    eigenvalues: ComplexArray  # (speeds, branches)
    vectors: ComplexArray  # (speeds, r, branches)
    errors: Array  # (speeds, branches)
    doubtful: tuple[tuple[float, float], ...]  # intervals of speed


def tracked_modes(projection: SpeedProjection, swept: Sweep, wanted: int) -> TrackedModes:
    """All branches that are among the `wanted` lowest modes at any speed, by |λ| at the first speed."""
    factor = linalg.cholesky(projection.metric, lower=True)
    count = len(swept.modes[0].eigenvalues)
    scale = max(float(np.abs(modes.eigenvalues[:wanted]).max()) for modes in swept.modes)

    def states(modes: SmallModes) -> States:
        # in (Lᵀφ, λφ), LLᵀ = K̂, modes are orthogonal as far as the rotation changes K little
        both = np.concatenate([factor.T @ modes.vectors, modes.eigenvalues * modes.vectors])
        # free motions at rest are zeros that rounding has split; as equal ones they take any shape
        zero = np.abs(modes.eigenvalues) < ZERO * projection.scale
        return States(np.where(zero, 0.0, modes.eigenvalues), both / np.linalg.norm(both, axis=0))

    branches = follow_branches(
        lambda speed: states(projection.modes_at(speed, count)),
        swept.speeds,
        [states(modes) for modes in swept.modes],
        wanted=wanted,
        equal=EQUAL * scale,
    )
    table = [modes.eigenvalues for modes in swept.modes]
    branches = branches.lowest(wanted).by_size(table)
    numbers, known = branches.numbers, branches.numbers >= 0
    errors = np.array([e.relative for e in swept.errors])[np.arange(len(numbers))[:, None], numbers]
    size = projection.size
    vectors = np.zeros((len(numbers), size, numbers.shape[1]), dtype=complex)
    for k, state in enumerate(branches.states):
        half = linalg.solve_triangular(factor.T, state[:size], lower=False)
        half = half / np.linalg.norm(half, axis=0)
        vectors[k][:, known[k]] = half[:, numbers[k][known[k]]]
    return TrackedModes(
        branches.values(table), vectors, np.where(known, errors, np.nan), branches.intervals(swept.speeds)
    )


@dataclass(frozen=True, eq=False)
class BranchStep:
    """One branch between two speeds of a sweep, solved at any speed between them."""

    projection: SpeedProjection
    tracked: TrackedModes
    speeds: Array
    step: int  # from this speed to the next one
    branch: int
    count: int  # modes among which it is searched

    def mode(self, speed: float) -> tuple[complex, ComplexArray]:
        """Eigenvalue and coordinates (r,) at a speed."""
        k, b = self.step, self.branch
        part = (speed - self.speeds[k]) / (self.speeds[k + 1] - self.speeds[k])
        ends = self.tracked.eigenvalues[k : k + 2, b]
        vector = self.tracked.vectors[k if part < 0.5 else k + 1][:, b]
        return self.projection.mode_near(speed, complex((1 - part) * ends[0] + part * ends[1]), vector, self.count)
