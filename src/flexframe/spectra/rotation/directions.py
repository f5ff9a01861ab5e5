"""Branches as waves: nodal diameters, whirl in both frames, frequencies in space."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from flexframe.maths.arrays import Array
from flexframe.results.record import Whirl
from flexframe.spectra.rotation.tracked_modes import TrackedModes
from flexframe.spectra.rotation.waves import Waves

Table = tuple[tuple[Whirl, ...], ...]
_CIRCULAR = 0.75  # part of the modes with one number of nodal diameters, above which a body fills circles


@dataclass(frozen=True, eq=False)
class Directions:
    """What the branches are, with tables over (speeds, branches)."""

    nodal_diameters: tuple[int | None, ...]
    inertial_frequencies_hz: Array
    rotating_whirl: Table
    inertial_whirl: Table


def directions(forms: Waves, tracked: TrackedModes, speeds: Array) -> Directions | None:
    """Waves of all branches; None for a body most of whose modes mix several nodal diameters."""
    known = np.isfinite(tracked.eigenvalues.real)
    diameters = np.full(known.shape, np.nan)
    signed = np.full(known.shape, np.nan)
    for k in range(len(speeds)):
        chosen = tracked.vectors[k][:, known[k]]
        diameters[k, known[k]] = forms.diameters(chosen)
        signed[k, known[k]] = forms.travelling(chosen)
    if np.isfinite(diameters[known]).mean() < _CIRCULAR:
        return None
    # e^{i(nθ+ωt)} of the turning frame is e^{i(nθ+(ω−nΩ)t)} in space; it runs towards −θ where n and ω agree
    omega = tracked.eigenvalues.imag
    in_space = omega - signed * speeds[:, None]
    spin = np.sign(speeds)[:, None]
    still = np.abs(in_space) <= 1e-9 * np.nanmax(np.abs(omega), initial=0.0)
    return Directions(
        tuple(
            _common(column[np.isfinite(column)], int(known[:, b].sum())) for b, column in enumerate(diameters.T)
        ),
        np.where(speeds[:, None] == 0, np.abs(omega), np.abs(in_space)) / (2 * np.pi),
        _words(-signed * np.sign(omega) * spin),
        _words(np.where(still, 0.0, -signed * np.sign(in_space) * spin)),
    )


def _common(values: Array, known: int) -> int | None:
    """The number that most of the speeds have."""
    if not values.size:
        return None
    value, times = Counter(values.tolist()).most_common(1)[0]
    return int(value) if times > known / 2 else None


def _words(direction: Array) -> Table:
    words: dict[float, Whirl] = {1.0: "forward", -1.0: "backward"}
    return tuple(tuple(words.get(float(np.sign(value)), "") for value in row) for row in direction)
