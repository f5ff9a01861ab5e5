"""How modes are shown: moving shapes, table of frequencies, frequency against nodal diameter."""

from typing import Any, ClassVar

import numpy as np

from flexframe.analyses.modes.record import Modes
from flexframe.maths.arrays import Array, ComplexArray
from flexframe.presentation.blocks import (
    Axis,
    Cell,
    Check,
    Column,
    KeyValue,
    KeyValues,
    Notice,
    Plot,
    PointLinks,
    Series,
    Table,
)
from flexframe.presentation.drawing import Drawing, drawing, frames_within_budget
from flexframe.presentation.presentation import (
    DataTable,
    Figure,
    Presentation,
    compact,
    logarithmic_decrement,
    terms_text,
)
from flexframe.presentation.scenes import Block, Mode, Scene
from flexframe.presentation.scenes import Modes as ModeList

RIGID_NOISE = 1e-6  # part of the highest frequency below which that of a rigid motion is zero
_ROUNDING = 1e-9  # share of the energy of a mode that is none

FRAMES = {
    "fixed": "fixed (the body does not rotate)",
    "rotating": "rotating with the body",
    "inertial": "inertial",
}


class ModesPresentation(Presentation[Modes]):
    """Moving shapes, table of frequencies and, for wheels, frequency against nodal diameter."""

    axes = ("mode",)
    lists: ClassVar = {
        "eigenvalues": ("mode", "part"),
        "direction_shares": ("mode", "axis"),
        "frequency_bounds_hz": ("mode", "side"),
    }
    telling = ("frequencies_hz", "growth_rates*")

    def blocks(self, name: str) -> tuple[Block, ...]:
        record = self.record
        shown = _show(record)
        scene = _scene(record, f"modes-{name}", shown)
        blocks: list[Block] = [
            KeyValues(
                (
                    KeyValue("Lowest elastic frequency", _lowest_elastic(record), "Hz"),
                    KeyValue("Speed", record.speed_rad_s, "rad/s", f"frame: {record.frame}"),
                )
            ),
            *(Notice("warning", text) for text in record.notices),
            scene,
            _table(record),
        ]
        if record.nodal_diameters is not None:
            blocks.append(_wheel_plot(record, scene.id, shown))
        return tuple(blocks)

    def overview(self) -> tuple[Table, ...]:
        """A row for each mode."""
        table = _table(self.record)
        hidden = [
            "residual",
            *(["growth rate"] if _damping_ratios(self.record) is None else []),
            *(column.header for column in table.columns if column.header.startswith("energy in")),
        ]
        return (compact(table, without=hidden, rows=len(table.rows)),)

    def quality(self) -> tuple[Check, ...]:
        bounds = self.record.frequency_bounds_hz
        if bounds is None:
            words = "the eigenvalues are not converged to this part; ask for fewer modes or check the mesh"
            first = Check("largest residual", float(self.record.residuals.max(initial=0.0)), "", 1e-5, words)
        else:
            words = "the bounds are wide; use fewer substructures"
            widest = float(_relative_widths(bounds).max(initial=0.0))
            first = Check("widest distance of the bounds of a frequency, relative", widest, "", 1e-4, words)
        return (first, Check("solver", self.record.method))

    def data(self) -> DataTable:
        """A row for each mode."""
        record = self.record
        columns: dict[str, Any] = {
            "frequency_hz": record.frequencies_hz,
            "growth_rate": record.growth_rates + 0.0,  # no −0 in a table
            "label": list(record.labels),
            "residual": record.residuals,
        }
        if record.frequency_bounds_hz is not None:
            columns["at_least_hz"], columns["at_most_hz"] = record.frequency_bounds_hz.T
        if record.nodal_diameters is not None:
            columns["nodal_diameters"] = list(record.nodal_diameters)
        if record.whirl is not None:
            columns["whirl"] = list(record.whirl)
        if record.inertial_frequencies_hz is not None:
            columns["inertial_hz"] = record.inertial_frequencies_hz
        return DataTable("mode", np.arange(1, len(record.eigenvalues) + 1), columns)

    def figure(self, count: int = 6) -> Figure:
        """The first shapes."""
        return _scene(self.record, "modes", min(count, len(self.record.eigenvalues)))


def _drawing(record: Modes) -> Drawing:
    return drawing(record.body, record.mesh, record.model)


def _show(record: Modes) -> int:
    """How many shapes fit into a page."""
    return frames_within_budget(_drawing(record), len(record.eigenvalues), 2)


def _scene(record: Modes, scene_id: str, shown: int) -> Scene:
    """The first shapes."""
    drawn = _drawing(record)
    frequencies = _settle(record, record.frequencies_hz)
    shapes = tuple(
        Mode(
            label=f"{k + 1}. {_description(record, k) or 'mode'}",
            displacement=tuple(_visible(u) for u in drawn.displacements(record.shapes[k])),
            frequency=f"{frequencies[k]:.6g} Hz",
        )
        for k in range(shown)
    )
    count = len(record.eigenvalues)
    rest = f" The first {shown} of {count} modes are drawn." if shown < count else ""
    return Scene(
        id=scene_id,
        parts=drawn.parts,
        content=ModeList(shapes, first=_first_elastic(record, shown)),
        title="Mode shapes",
        caption=f"Frame: {FRAMES[record.frame]}.{rest}",
    )


def _visible(shape: ComplexArray) -> ComplexArray | Array:
    """A mode without phase differences as a real array: half the size."""
    return shape.real if np.abs(shape.imag).max() < 1e-9 else shape


def _round(values: Array, scale: Array) -> Array:
    """Values to eight digits of the largest of `scale`: beyond that an eigensolver's digits are noise."""
    largest = float(np.max(scale, initial=0.0)) or 1.0
    return np.round(values, 7 - int(np.floor(np.log10(largest)))) + 0.0


def _settle(record: Modes, frequencies: Array) -> Array:
    """Frequencies; the zero of a rigid motion is double, and found to the root of the precision."""
    rigid = np.array(["rigid" in label for label in record.labels], dtype=bool)
    noise = rigid & (np.abs(frequencies) < RIGID_NOISE * record.frequencies_hz.max(initial=0.0))
    return np.where(noise, 0.0, frequencies)


def _first_elastic(record: Modes, shown: int) -> int:
    """The mode that a picture opens with: the first that is not a rigid motion."""
    return next((k for k in range(shown) if "rigid" not in record.labels[k]), 0)


def _lowest_elastic(record: Modes) -> float | None:
    elastic = [f for f, label in zip(record.frequencies_hz, record.labels, strict=True) if "rigid" not in label]
    return float(min(elastic)) if elastic else None


def _description(record: Modes, k: int) -> str:
    words = [record.labels[k]] if record.labels[k] else []
    known = record.nodal_diameters is not None and record.nodal_diameters[k] is not None
    if record.nodal_diameters is not None and known and "rigid" not in record.labels[k]:
        words.append(f"n = {record.nodal_diameters[k]}")
    if record.whirl is not None and record.whirl[k]:
        words.append(record.whirl[k])
    return ", ".join(words)


def _damping_ratios(record: Modes) -> Array | None:
    """−Re λ / |λ| of each mode; nothing where no mode is damped or grows."""
    size = np.abs(record.eigenvalues)
    growth = _round(record.growth_rates, size)
    if not growth.any():
        return None
    return np.asarray(np.where(size > 0, -growth / np.where(size > 0, size, 1.0), 0.0) + 0.0)


def _share(part: float) -> float:
    """Of the energy, in per cent; nothing where it is rounding."""
    return 100 * part if part > _ROUNDING else 0.0


def _table(record: Modes) -> Table:
    columns = [Column("mode"), Column("frequency", "Hz", 7), Column("growth rate", "1/s", 3)]
    bounds = record.frequency_bounds_hz
    if bounds is not None:
        columns += [Column("at least", "Hz", 10), Column("at most", "Hz", 10)]
    if record.nodal_diameters is not None:
        columns.append(Column("nodal diameters"))
    if record.whirl is not None:
        columns.append(Column("whirl"))
    if record.inertial_frequencies_hz is not None:
        columns.append(Column("inertial frame", "Hz", 7))
    directions = record.direction_shares is not None and record.nodal_diameters is None
    if directions:
        columns += [Column(f"energy in {axis}", "%", 3) for axis in "xyz"]
    ratios = _damping_ratios(record)
    if ratios is not None:
        columns += [Column("damping ratio", "", 3), Column("logarithmic decrement", "", 3)]
    columns += [Column("residual", "", 2), Column("label")]
    rows = []
    frequencies = _settle(record, record.frequencies_hz)
    seen = None if record.inertial_frequencies_hz is None else _settle(record, record.inertial_frequencies_hz)
    growth = _round(record.growth_rates, np.abs(record.eigenvalues))
    for k in range(len(record.eigenvalues)):
        row: list[Cell] = [k + 1, float(frequencies[k]), float(growth[k])]
        if bounds is not None:
            row += [float(bound) if np.isfinite(bound) else None for bound in bounds[k]]
        row += [given[k] for given in (record.nodal_diameters, record.whirl) if given is not None]
        if seen is not None:
            row.append(float(seen[k]) if np.isfinite(seen[k]) else None)
        if directions:
            assert record.direction_shares is not None
            row += [_share(float(share)) for share in record.direction_shares[k]]
        if ratios is not None:
            row += [float(ratios[k]), logarithmic_decrement(float(ratios[k]))]
        rows.append((*row, float(record.residuals[k]), record.labels[k]))
    return Table(
        tuple(columns),
        tuple(rows),
        caption=f"All modes. Terms: {terms_text(record.terms)}. Solver: {record.method}.",
    )


def _wheel_plot(record: Modes, scene: str, shown: int) -> Plot:
    """Frequency over nodal diameter, one series for each wave direction; a click plays the mode."""
    assert record.nodal_diameters is not None
    diameters = np.array([np.nan if n is None else n for n in record.nodal_diameters])
    numbers = np.arange(len(diameters))
    waves = np.array(record.whirl if record.whirl is not None else [""] * len(diameters))
    series = []
    for wave, colour in (("forward", "orange"), ("backward", "blue"), ("", "green")):
        chosen = (waves == wave) & np.isfinite(diameters)
        if chosen.any():
            targets = np.where(numbers[chosen] < shown, numbers[chosen], -1)
            series.append(
                Series(
                    f"{wave} waves" if wave else "standing waves",
                    diameters[chosen],
                    record.frequencies_hz[chosen],
                    colour=colour,
                    line=False,
                    markers=True,
                    links=PointLinks(scene, modes=targets),
                )
            )
    return Plot(
        x=Axis("nodal diameters", minimum=-0.5, maximum=float(np.nanmax(diameters)) + 0.5),
        y=Axis(f"frequency, {record.frame} frame", "Hz"),
        series=tuple(series),
        title="Frequency and nodal diameter",
        caption="Click a point to play its mode.",
    )


def _relative_widths(bounds: Array) -> Array:
    """Distance of the bounds of each frequency as a part of it; those that are not known are left out."""
    known = bounds[np.isfinite(bounds).all(axis=1) & (bounds[:, 1] > 0)]
    return np.asarray((known[:, 1] - known[:, 0]) / known[:, 1])
