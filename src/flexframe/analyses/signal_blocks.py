"""Sensors as spectra, and what of a decay can be read from them, for reports."""

from collections.abc import Mapping

import numpy as np

from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.presentation.blocks import Axis, Cell, Column, Plot, Series, Table
from flexframe.presentation.scenes import Block
from flexframe.results.signals import Decay, Spectrum, decay, settling_time, spectrum

Curves = Mapping[str, tuple[str, Array]]
"""Unit and values of every curve."""

_FEWEST = 64  # instants of a curve whose spectrum is drawn
_POINTS = 1500  # of a drawn spectrum
_ONE_MODE = 0.3  # misfit of the logarithms of peaks up to which a decay is that of one mode
_QUIET = 1e-9  # part of the mean value that is no vibration


def signal_blocks(times: Array, curves: Curves) -> list[Block]:
    """A table of main frequency, decay and settling time of the curves, and their spectra by unit."""
    if len(times) < _FEWEST:
        return []
    alive = {name: found for name, found in curves.items() if np.ptp(found[1]) > _QUIET * np.abs(found[1]).max()}
    spectra = {name: spectrum(times, values) for name, (_, values) in alive.items()}
    if not spectra:
        return []
    rows = tuple(_row(name, times, alive[name][1], spectra[name]) for name in alive)
    columns = (
        Column("sensor"),
        Column("main frequency", "Hz"),
        Column("damping ratio", "", 3),
        Column("logarithmic decrement", "", 3),
        Column("settled to 2 % after", "s", 4),
    )
    caption = (
        "Of the stored instants. The main frequency is that of the largest amplitude about the mean; damping is "
        "given where the peaks fall as those of one mode do."
    )
    plots = [_plot(unit, alive, spectra) for unit in dict.fromkeys(unit for unit, _ in alive.values())]
    return [Table(columns, rows, caption=caption), *plots]


def _row(name: str, times: Array, values: Array, found: Spectrum) -> tuple[Cell, ...]:
    fallen = _decay(times, values)
    settled = settling_time(times, values)
    return (
        name.replace("_", " "),
        found.main_hz if np.isfinite(found.main_hz) else None,
        None if fallen is None else fallen.damping_ratio,
        None if fallen is None else fallen.logarithmic_decrement,
        settled if np.isfinite(settled) and settled < 0.9 * (times[-1] - times[0]) else None,
    )


def _decay(times: Array, values: Array) -> Decay | None:
    """The decay of one mode; nothing where there is no such thing."""
    try:
        found = decay(times, values)
    except InputError:
        return None
    return found if found.peaks >= 6 and found.misfit < _ONE_MODE and found.damping_ratio > 0 else None


def _plot(unit: str, curves: Curves, spectra: Mapping[str, Spectrum]) -> Plot:
    series = []
    for name, (own, _) in curves.items():
        if own == unit:
            found = spectra[name]
            shown = slice(1, 1 + _POINTS)
            heights = np.maximum(found.amplitudes[shown], 1e-9 * found.amplitudes.max())
            series.append(Series(name.replace("_", " "), found.frequencies_hz[shown], heights))
    return Plot(
        Axis("frequency", "Hz"),
        Axis("amplitude", unit, log=True),
        tuple(series),
        title="Spectrum of the sensors",
        caption="Hann's window over the stored instants, about the mean value.",
        height=300,
    )
