"""Sensors as spectra, and what of a decay can be read from them, for reports."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.model.system import unknown
from flexframe.presentation.blocks import Axis, Cell, Column, Plot, Series, Table
from flexframe.presentation.scenes import Block
from flexframe.results.signals import Decay, Spectrum, decay, mean_over_time, settling_time, spectrum

Curves = Mapping[str, tuple[str, Array]]
"""Unit and values of every curve."""

_BAND = 0.02  # of the largest distance from the last value, where no band is given
_PERIODS = 3  # of a main frequency that a curve must hold, else it is the curve as a whole
_FEWEST = 64  # instants of a curve whose spectrum is drawn
_POINTS = 1500  # of a drawn spectrum
_ONE_MODE = 0.3  # misfit of the logarithms of peaks up to which a decay is that of one mode
_SIMILAR = 0.2  # change of the main frequency over a motion that still is the same vibration
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
    alive = _alive(times, curves)
    if not alive:
        return []
    spectra = {name: spectrum(times, values) for name, (_, values) in alive.items()}
    table = _table(times, alive, spectra, bands or {})
    known = tuple(row for row in table.rows if any(cell is not None for cell in row[2:]))
    waves = {name: alive[name] for name, row in zip(alive, table.rows, strict=True) if row[2] is not None}
    plots = [_plot(unit, waves, spectra) for unit in dict.fromkeys(unit for unit, _ in waves.values())]
    return [*([replace(table, rows=known)] if known else []), *plots]


def signal_table(
    times: Array, curves: Curves, bands: Mapping[str, float] | None, only: Mapping[str, float] | None = None
) -> tuple[Table, ...]:
    """The table alone, of energies none, and of the sensors that `only` names where it is given."""
    alive = {
        name: found
        for name, found in _alive(times, curves).items()
        if found[0] != "J" and (only is None or _band(name, only) is not None)
    }
    if not alive:
        return ()
    spectra = {name: spectrum(times, values) for name, (_, values) in alive.items()}
    table = _table(times, alive, spectra, bands or {})
    rows = [
        (*row[:6], *(row[6:] if _band(name, bands or {}) is not None else (None, None)))
        for name, row in zip(alive, table.rows, strict=True)
    ]
    kept = tuple(row for row in rows if any(row[k] is not None for k in (2, 4, 6)))
    settles = any(row[6] is not None for row in kept)
    words = (
        "Frequencies of the largest amplitudes of the sensors, their means over whole periods of these in the "
        f"last third of the time{', and when they stay within the band of settling' if settles else ''}."
    )
    return (replace(table, rows=kept, caption=words),) if kept else ()


def _alive(times: Array, curves: Curves) -> dict[str, tuple[str, Array]]:
    """Curves that change, and are long enough for a spectrum."""
    if len(times) < _FEWEST:
        return {}
    return {name: found for name, found in curves.items() if np.ptp(found[1]) > _QUIET * np.abs(found[1]).max()}


def _table(times: Array, alive: Curves, spectra: Mapping[str, Spectrum], bands: Mapping[str, float]) -> Table:
    rows = tuple(_row(name, times, alive[name], spectra[name], bands) for name in alive)
    columns = (
        Column("sensor"),
        Column("unit"),
        Column("main frequency", "Hz"),
        Column("mean of the last periods", "", 5, of_row=True),
        Column("damping ratio", "", 3),
        Column("logarithmic decrement", "", 3),
        Column("settled after", "s", 4),
        Column("to within ±", "", 4, of_row=True),
    )
    caption = (
        "Frequencies, means and settling of the sensors. Of the stored instants. The main frequency is that of "
        "the largest amplitude about the mean, where three periods of it were seen, and the mean that of whole "
        "periods in the last third; damping is given where the peaks fall as those of one mode do. A curve has "
        "settled when it stays within 2 % of its largest distance from the last value, or within the band that "
        "the analysis gives under settling."
    )
    return Table(columns, rows, caption=caption)


def _band(name: str, bands: Mapping[str, float]) -> float | None:
    """The band of a sensor, also of one of its components."""
    return next((bands[key] for key in bands if name == key or name.startswith(f"{key} ")), None)


def _row(
    name: str, times: Array, curve: tuple[str, Array], found: Spectrum, bands: Mapping[str, float]
) -> tuple[Cell, ...]:
    unit, values = curve
    fallen = _decay(times, values)
    band = _band(name, bands)
    if band is None:
        band = _BAND * float(np.abs(values - values[-1]).max())
    settled = settling_time(times, values, absolute=band)
    known = np.isfinite(settled) and settled < 0.9 * (times[-1] - times[0])
    main = found.main_hz
    seen = np.isfinite(main) and main * (times[-1] - times[0]) >= _PERIODS
    return (
        name.replace("_", " "),
        unit,
        main if seen else None,
        periodic_mean(times, values, main) if seen else None,
        None if fallen is None else fallen.damping_ratio,
        None if fallen is None else fallen.logarithmic_decrement,
        settled if known else None,
        band if known or name in bands else None,
    )


def periodic_mean(times: Array, values: Array, frequency: float) -> float:
    """The mean over whole periods of about a frequency [Hz] in the last third of the time, one period at least."""
    late = times >= times[-1] - (times[-1] - times[0]) / 3
    if late.sum() >= _FEWEST:  # a motion that settles has another frequency at its end
        last = spectrum(times[late], values[late]).main_hz
        frequency = last if abs(last - frequency) < _SIMILAR * frequency else frequency
    count = max(1, int((times[-1] - times[0]) * frequency / 3))
    start = max(float(times[0]), float(times[-1]) - count / frequency)
    inside = times > start
    t = np.concatenate([[start], times[inside]])
    x = np.concatenate([[np.interp(start, times, values)], values[inside]])
    mean = mean_over_time(t, x)
    return mean if abs(mean) > _QUIET * float(np.abs(values).max()) else 0.0


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
