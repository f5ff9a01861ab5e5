"""Sensors as spectra, and what of a decay can be read from them, for reports."""

from collections.abc import Mapping, Sequence

import numpy as np

from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.model.system import unknown
from flexframe.presentation.blocks import Axis, Cell, Column, Plot, Series, Table
from flexframe.presentation.scenes import Block
from flexframe.results.signals import Decay, Spectrum, decay, settling_time, spectrum

Curves = Mapping[str, tuple[str, Array]]
"""Unit and values of every curve."""

_BAND = 0.02  # of the largest distance from the last value, where no band is given
_FEWEST = 64  # instants of a curve whose spectrum is drawn
_POINTS = 1500  # of a drawn spectrum
_ONE_MODE = 0.3  # misfit of the logarithms of peaks up to which a decay is that of one mode
_QUIET = 1e-9  # part of the mean value that is no vibration


def settling_bands(bands: Mapping[str, float], sensors: Sequence[str]) -> dict[str, float]:
    """Bands of settling by the names of sensors, refused where they are of none or of no size."""
    for name, band in bands.items():
        if name not in sensors:
            raise InputError(unknown("sensor", name, list(sensors)), field=("settling", name))
        if not band > 0:
            raise InputError(f"a band of {band:g} is never met; give more than zero", field=("settling", name))
    return dict(bands)


def signal_blocks(times: Array, curves: Curves, bands: Mapping[str, float] | None = None) -> list[Block]:
    """A table of main frequency, decay and settling time of the curves, and their spectra by unit.

    `bands` about the last value [SI] replace those of 2 % of the curves of these sensors.
    """
    if len(times) < _FEWEST:
        return []
    alive = {name: found for name, found in curves.items() if np.ptp(found[1]) > _QUIET * np.abs(found[1]).max()}
    spectra = {name: spectrum(times, values) for name, (_, values) in alive.items()}
    if not spectra:
        return []
    rows = tuple(_row(name, times, alive[name], spectra[name], bands or {}) for name in alive)
    columns = (
        Column("sensor"),
        Column("main frequency", "Hz"),
        Column("damping ratio", "", 3),
        Column("logarithmic decrement", "", 3),
        Column("settled after", "s", 4),
        Column("unit"),
        Column("to within ±", "", 4, of_row=True),
    )
    caption = (
        "Of the stored instants. The main frequency is that of the largest amplitude about the mean; damping is "
        "given where the peaks fall as those of one mode do. A curve has settled when it stays within 2 % of its "
        "largest distance from the last value, or within the band that the analysis gives under settling."
    )
    plots = [_plot(unit, alive, spectra) for unit in dict.fromkeys(unit for unit, _ in alive.values())]
    return [Table(columns, rows, caption=caption), *plots]


def _row(
    name: str, times: Array, curve: tuple[str, Array], found: Spectrum, bands: Mapping[str, float]
) -> tuple[Cell, ...]:
    unit, values = curve
    fallen = _decay(times, values)
    band = next((bands[key] for key in bands if name == key or name.startswith(f"{key} ")), None)
    if band is None:
        band = _BAND * float(np.abs(values - values[-1]).max())
    settled = settling_time(times, values, absolute=band)
    known = np.isfinite(settled) and settled < 0.9 * (times[-1] - times[0])
    return (
        name.replace("_", " "),
        found.main_hz if np.isfinite(found.main_hz) else None,
        None if fallen is None else fallen.damping_ratio,
        None if fallen is None else fallen.logarithmic_decrement,
        settled if known else None,
        unit,
        band if known or name in bands else None,
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
