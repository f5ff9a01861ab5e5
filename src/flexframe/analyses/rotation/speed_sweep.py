"""Modes at all speeds of a sweep, on a projection that is made as large as the wanted accuracy needs."""

from dataclasses import dataclass, replace

import numpy as np

from flexframe.analyses.rotation.error_bounds import Errors, errors
from flexframe.analyses.rotation.small_spectra import SmallModes
from flexframe.analyses.rotation.speed_projection import SpeedProjection
from flexframe.maths.arrays import Array

_SAMPLES = 9
_ROUNDS = 20
_LARGEST = 500  # columns
_RESERVE = 0.3  # of the tolerance at the samples, so that the speeds between them keep it


@dataclass(frozen=True, eq=False)
class Sweep:
    """The lowest modes at each speed, more than wanted, with their errors."""

    speeds: Array
    modes: tuple[SmallModes, ...]
    errors: tuple[Errors, ...]
    wanted: int

    @property
    def worst(self) -> float:
        """Largest relative error among the wanted modes."""
        return max(float(e.relative[: self.wanted].max(initial=0.0)) for e in self.errors)

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
        result = _solved(projection, speeds, wanted)
        bad = [k for k in _by_error(result) if result.errors[k].relative[:wanted].max() > tolerance]
        if set(bad) <= set(sampled):
            break
        sampled += [k for k in bad if k not in sampled][:6]
    return result


def _solved(projection: SpeedProjection, speeds: Array, wanted: int) -> Sweep:
    modes = tuple(projection.modes_at(float(speed), wanted + 4) for speed in speeds)
    return Sweep(speeds, modes, tuple(errors(projection, found) for found in modes), wanted)


def _by_error(result: Sweep) -> list[int]:
    largest = [e.relative[: result.wanted].max(initial=0.0) for e in result.errors]
    return [int(k) for k in np.argsort(largest)[::-1]]


def _enrich(projection: SpeedProjection, speeds: Array, wanted: int, goal: float) -> None:
    """Correct what exceeds the goal at these speeds until nothing does, or rounding lets it fall no further."""
    before = np.inf
    for _ in range(_ROUNDS):
        if projection.whole or projection.size >= _LARGEST:
            return
        found = _solved(projection, speeds, wanted)
        if found.worst <= goal or (found.worst > 0.5 * before and found.worst < 1e-6):
            return
        before = found.worst
        exceeding = [e.weighted[:, :wanted][:, e.relative[:wanted] > goal] for e in found.errors]
        if not projection.corrected(np.hstack(exceeding), 2 * wanted):
            return
