"""Modes at all speeds of a sweep, on a projection that is made as large as the wanted accuracy needs."""

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from flexframe.keeping import keep_part
from flexframe.maths.arrays import Array
from flexframe.spectra.rotation.error_bounds import Errors, errors
from flexframe.spectra.rotation.small_spectra import SmallModes
from flexframe.spectra.rotation.speed_projection import SpeedProjection

_SAMPLES = 9
_ROUNDS = 20
_LARGEST = 500  # columns
_RESERVE = 0.3  # of the tolerance at the samples, so that the speeds between them keep it
_SLACK = 300.0  # times the tolerance for the modes above the wanted ones, which only tell those apart


@dataclass(frozen=True, eq=False)
class Sweep:
    """The lowest modes at each speed with their errors: the wanted, those above up to `watched`, and four more."""

    speeds: Array
    modes: tuple[SmallModes, ...]
    errors: tuple[Errors, ...]
    wanted: int
    watched: int

    @property
    def worst(self) -> float:
        """Largest relative error among the wanted modes."""
        return max(float(e.relative[: self.wanted].max(initial=0.0)) for e in self.errors)

    def excess(self) -> Array:
        """Largest error at each speed, that of modes above the wanted ones taken less seriously: (speeds,)."""
        return np.array([float(self.weighted(e).max(initial=0.0)) for e in self.errors])

    def weighted(self, e: Errors) -> Array:
        """Errors of the watched modes as they count: (watched,)."""
        relative = e.relative[: self.watched].copy()
        relative[self.wanted :] /= _SLACK
        return relative

    def padded(self, size: int) -> "Sweep":
        """The same modes in the coordinates of a basis that has grown to `size` columns."""
        rows = size - self.modes[0].vectors.shape[0]
        modes = tuple(replace(m, vectors=np.pad(m.vectors, ((0, rows), (0, 0)))) for m in self.modes)
        return replace(self, modes=modes)

    @property
    def guaranteed(self) -> bool:
        """Whether every error is a bound."""
        return all(e.guaranteed for e in self.errors)


def sweep(projection: SpeedProjection, speeds: Array, wanted: int, tolerance: float) -> Sweep:
    """Solve at sample speeds and enrich until their errors are small, then at all; again where it is needed."""
    sampled = list(np.unique(np.linspace(0, len(speeds) - 1, min(_SAMPLES, len(speeds))).astype(int)))
    for _ in range(_ROUNDS):
        _enrich(projection, speeds[sampled], wanted, _RESERVE * tolerance)
        result = _solve(projection, speeds, wanted, tolerance)
        excess = result.excess()
        bad = [int(k) for k in np.argsort(-excess) if excess[k] > tolerance]
        if set(bad) <= set(sampled):
            break
        sampled += [k for k in bad if k not in sampled][:6]
    return result


def _solve(projection: SpeedProjection, speeds: Array, wanted: int, goal: float) -> Sweep:
    goals = np.full(projection.modes, goal)
    goals[wanted:] *= _SLACK
    state = projection.fingerprint

    def solved(speed: float) -> tuple[SmallModes, Errors]:
        modes = projection.modes_at(speed, projection.modes + 4)
        return modes, errors(projection, modes, goals)

    found = [
        keep_part("modes at a speed", (state, speed, goals), partial(solved, speed))
        for speed in map(float, speeds)
    ]
    modes, accuracy = zip(*found, strict=True)
    return Sweep(speeds, modes, accuracy, wanted, projection.modes)


def _enrich(projection: SpeedProjection, speeds: Array, wanted: int, goal: float) -> None:
    """Correct what exceeds the goal at these speeds until nothing does, or rounding lets it fall no further."""
    for _ in range(_ROUNDS):
        if projection.whole or projection.size >= _LARGEST:
            return
        found = _solve(projection, speeds, wanted, goal)
        added = 0
        exceeding = [found.weighted(e) > goal for e in found.errors]
        by_columns = [
            e.weighted[:, : found.watched][:, high & ~e.solved[: found.watched]]
            for e, high in zip(found.errors, exceeding, strict=True)
        ]
        if any(columns.size for columns in by_columns):
            added += projection.corrected(np.hstack(by_columns), 2 * found.watched)
        # what the kept columns do not show any more
        for modes, e, high in zip(found.modes, found.errors, exceeding, strict=True):
            chosen = np.flatnonzero(high & (e.solved & ~e.rounded)[: found.watched])
            if chosen.size:
                corrections, _, _ = projection.solved_residuals(
                    modes.eigenvalues[chosen], modes.speed, modes.vectors[:, chosen]
                )
                added += projection.extend(corrections)
        if not added:
            return
