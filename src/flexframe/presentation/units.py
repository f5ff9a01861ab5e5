"""Units in which results are shown: those that a reader chose, else SI with the multiple that fits the numbers.

Records, data frames and files are in SI. What is drawn or printed passes through here last, so that no axis shows
1·10⁷ Pa and a shaft that was described in rpm and mm is answered in them.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np

from flexframe.maths.arrays import Array
from flexframe.presentation.blocks import (
    Axis,
    Band,
    Cell,
    Column,
    KeyValue,
    KeyValues,
    Plot,
    ReferenceLine,
    Series,
    Table,
    VerticalLine,
    Words,
)
from flexframe.presentation.presentation import Bars
from flexframe.presentation.scenes import History, Mode, Modes, Row, ScalarField, Scene, StaticShape

Shown = TypeVar("Shown")


@dataclass(frozen=True)
class Scale:
    """A unit, and what a number in SI is multiplied by to be in it."""

    unit: str
    factor: float = 1.0


QUOTIENT = " per "
"""Between the units of an answer and of what it answers to, which are chosen apart: "m per N m"."""

_MULTIPLES: Mapping[str, tuple[tuple[float, Scale], ...]] = {
    "Pa": ((1e4, Scale("Pa")), (np.inf, Scale("MPa", 1e-6))),
    "m": ((2e-5, Scale("µm", 1e6)), (2e-2, Scale("mm", 1e3)), (np.inf, Scale("m"))),
    "N": ((1e5, Scale("N")), (np.inf, Scale("kN", 1e-3))),
    "N m": ((1e5, Scale("N m")), (np.inf, Scale("kN m", 1e-3))),
    "N/m": ((1e5, Scale("N/m")), (np.inf, Scale("kN/m", 1e-3))),
    "kg m": ((1e-1, Scale("g mm", 1e6)), (np.inf, Scale("kg m"))),
    "W": ((1e4, Scale("W")), (np.inf, Scale("kW", 1e-3))),
}
"""Multiples of a unit up to which largest number each is shown, where nobody chose one."""


@dataclass(frozen=True)
class DisplayUnits:
    """Chosen units, by the SI unit that they replace."""

    chosen: Mapping[str, Scale] = field(default_factory=dict)

    def scale(self, unit: str, largest: float) -> Scale:
        """In which unit to show numbers, the largest of which is given in SI."""
        found = self._scale(unit, largest)
        return replace(found, unit=found.unit.replace("^2", "²").replace("^3", "³"))

    def _scale(self, unit: str, largest: float) -> Scale:
        if unit in self.chosen:
            return self.chosen[unit]
        if QUOTIENT in unit:
            above, _, below = unit.partition(QUOTIENT)
            over, under = self._scale(above, largest), self.chosen.get(below, Scale(below))
            shown = under.unit if under.unit.isalnum() else f"({under.unit})"
            return Scale(f"{over.unit or '1'}/{shown}", over.factor / under.factor)
        if unit == "turns/s" and "rad/s" in self.chosen:
            return Scale(self.chosen["rad/s"].unit, 2 * np.pi * self.chosen["rad/s"].factor)
        if largest > 0 and np.isfinite(largest):
            for bound, found in _MULTIPLES.get(unit, ()):
                if largest < bound:
                    return found
        return Scale(unit)

    def words(self, value: float, unit: str, digits: int = 6) -> str:
        """A number with its unit; where the unit is another one, the SI number stands beside it."""
        found = self.scale(unit, abs(value))
        shown = f"{value * found.factor:.{digits}g} {found.unit}"
        return shown if unit not in self.chosen or found.unit == unit else f"{shown} ({value:.{digits}g} {unit})"


SI = DisplayUnits()
"""Nothing chosen."""


def in_units(shown: Shown, units: DisplayUnits) -> Shown:
    """The same thing to see (blocks, figures, tuples of them), with its numbers in the units of a reader."""
    converted: Shown = _CONVERTERS.get(type(shown), _keep)(shown, units)
    return converted


def _keep(shown: Any, units: DisplayUnits) -> Any:  # noqa: ARG001 - it has no numbers with units
    return shown


def _each(shown: tuple[Any, ...], units: DisplayUnits) -> tuple[Any, ...]:
    return tuple(in_units(part, units) for part in shown)


def _row(row: Row, units: DisplayUnits) -> Row:
    return replace(row, blocks=_each(row.blocks, units))


def _key_values(figures: KeyValues, units: DisplayUnits) -> KeyValues:
    return replace(figures, items=tuple(_key_value(item, units) for item in figures.items))


def _bars(bars: Bars, units: DisplayUnits) -> Bars:
    scale = units.scale(bars.axis.unit, _largest(np.array(bars.values)))
    values = tuple(value * scale.factor for value in bars.values)
    return replace(bars, values=values, axis=_axis(bars.axis, scale))


def _scene(scene: Scene, units: DisplayUnits) -> Scene:
    content = scene.content
    if isinstance(content, Modes):
        modes = tuple(_mode(mode, units) for mode in content.modes)
        content = replace(content, modes=modes)
    made = replace(scene, content=content, fields=tuple(_field(found, units) for found in scene.fields))
    if scene.displacement_unit != "m":
        return made
    scale = units.scale("m", _largest(*_displacements(content)))
    return replace(made, displacement_unit=scale.unit, displacement_factor=scale.factor)


def _mode(mode: Mode, units: DisplayUnits) -> Mode:
    label, frequency, group = (_words(text, units) for text in (mode.label, mode.frequency, mode.group))
    return replace(mode, label=label, frequency=frequency, group=group)


def _displacements(content: Modes | History | StaticShape) -> Iterator[Array]:
    """Of all nodes, whose sizes a colour bar shows."""
    found: list[Any]
    if isinstance(content, History):
        found = [motion.displacements for motion in content.motions]
    elif isinstance(content, StaticShape):
        found = list(content.displacement)
    else:
        found = [shape for mode in content.modes for shape in mode.displacement]
    yield from (np.abs(part[..., :3]) for part in found if part is not None and part.size)


def _words(text: str | Words, units: DisplayUnits) -> str:
    if isinstance(text, str):
        return text
    scale = units.scale(text.unit, _largest(np.array(text.values)))
    return text.show(scale.unit, scale.factor)


def _largest(*values: Array) -> float:
    """The largest size of finite numbers."""
    sizes = [np.abs(part[np.isfinite(part)]) for part in values]
    return max((float(size.max()) for size in sizes if size.size), default=0.0)


def _scale_cell(cell: Cell, factor: float) -> Cell:
    return cell * factor if isinstance(cell, int | float) and not isinstance(cell, bool) and factor != 1 else cell


def _table(table: Table, units: DisplayUnits) -> Table:
    """Columns in the unit of their header, or rows in theirs where a column names it; without empty columns."""
    columns, cells = list(table.columns), [list(row) for row in table.rows]
    own = [k for k, column in enumerate(columns) if column.of_row]
    names = [k for k, column in enumerate(columns) if column.header == "unit" and not column.unit]
    for row in cells if own and names else ():
        numbers = np.array([row[k] for k in own if isinstance(row[k], float)])
        scale = units.scale(str(row[names[0]] or ""), _largest(numbers))
        row[names[0]] = scale.unit or None
        for k in own:
            row[k] = _scale_cell(row[k], scale.factor)
    made: list[tuple[Column, list[Cell]]] = []
    alone = sum(column.unit == "rad/s" for column in columns) == 1
    for k, column in enumerate(columns):
        if column.unit == "turns/s" and "rad/s" in units.chosen:
            continue  # the speed stands beside it in the unit that was chosen
        values = [row[k] for row in cells]
        if values and all(value is None or value == "" for value in values):
            continue  # nothing is known of it
        numbers = np.array([value for value in values if isinstance(value, int | float)], dtype=float)
        scale = units.scale(column.unit, _largest(numbers)) if column.unit else Scale("")
        shown = replace(_place_column(column, units), unit=scale.unit)
        made.append((shown, [_scale_cell(value, scale.factor) for value in values]))
        if column.unit == "rad/s" != scale.unit and alone:  # a speed stands in both units
            made.append((replace(column, header=""), values))
    rows = tuple(tuple(values[number] for _, values in made) for number in range(len(cells)))
    return replace(table, columns=tuple(column for column, _ in made), rows=rows)


def _place_column(column: Column, units: DisplayUnits) -> Column:
    """A column that holds what is found at one value of something, with that value in its header."""
    if column.at is None:
        return column
    scale = units.scale(column.at[1], abs(column.at[0]))
    return replace(column, header=f"{column.header} {column.at[0] * scale.factor:.5g} {scale.unit}", at=None)


def _key_value(item: KeyValue, units: DisplayUnits) -> KeyValue:
    if not isinstance(item.value, int | float) or not item.unit:
        return item
    scale = units.scale(item.unit, abs(float(item.value)))
    return replace(item, value=_scale_cell(item.value, scale.factor), unit=scale.unit)


def _axis(axis: Axis, scale: Scale) -> Axis:
    ends = [None if end is None else end * scale.factor for end in (axis.minimum, axis.maximum)]
    return replace(axis, unit=scale.unit, minimum=ends[0], maximum=ends[1])


def _plot(plot: Plot, units: DisplayUnits) -> Plot:
    x = units.scale(plot.x.unit, _largest(*(series.x for series in plot.series)))
    y = units.scale(plot.y.unit, _largest(*(series.y for series in plot.series)))
    plot = replace(plot, caption=_words(plot.caption, units))
    if x.factor == y.factor == 1 and x.unit == plot.x.unit and y.unit == plot.y.unit:
        return replace(plot, reference_lines=tuple(map(_label_line, plot.reference_lines)))
    if plot.x.unit == plot.y.unit:  # of one plane
        y = x
    lines = tuple(
        _label_line(replace(line, x=line.x * x.factor))
        if isinstance(line, VerticalLine)
        else replace(line, slope=line.slope * y.factor / x.factor, intercept=line.intercept * y.factor)
        for line in plot.reference_lines
    )
    return replace(
        plot,
        x=_axis(plot.x, x),
        y=_axis(plot.y, y),
        series=tuple(_series(series, x.factor, y.factor) for series in plot.series),
        reference_lines=lines,
        bands=tuple(_band(band, x.factor, y.factor) for band in plot.bands),
        cursor=None if plot.cursor is None else replace(plot.cursor, x=plot.cursor.x * x.factor),
    )


def _label_line(line: ReferenceLine | VerticalLine) -> ReferenceLine | VerticalLine:
    """A line with the number beside it in the unit of the axis."""
    return replace(line, label=line.words) if isinstance(line, VerticalLine) else line


def _series(series: Series, x: float, y: float) -> Series:
    return replace(series, x=series.x * x, y=series.y * y)


def _band(band: Band, x: float, y: float) -> Band:
    return replace(band, x=band.x * x, lower=band.lower * y, upper=band.upper * y)


def _field(found: ScalarField, units: DisplayUnits) -> ScalarField:
    scale = units.scale(found.unit, _largest(*(part for part in found.values if part is not None)))
    if scale.factor == 1:
        return found
    values = tuple(None if part is None else part * scale.factor for part in found.values)
    return replace(found, values=values, unit=scale.unit)


_CONVERTERS: Mapping[type, Callable[[Any, DisplayUnits], Any]] = {
    tuple: _each,
    Row: _row,
    Table: _table,
    KeyValues: _key_values,
    Plot: _plot,
    Bars: _bars,
    Scene: _scene,
}
