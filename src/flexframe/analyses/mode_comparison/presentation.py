"""How modes of several models are shown side by side."""

from typing import ClassVar

import numpy as np

from flexframe.analyses.mode_comparison.record import ModeComparison
from flexframe.analyses.modes.record import Modes
from flexframe.presentation.blocks import Axis, Cell, Column, KeyValue, KeyValues, Notice, Plot, Series, Table
from flexframe.presentation.drawing import drawing, frames_within_budget
from flexframe.presentation.presentation import DataTable, Figure, Presentation, compact, terms_text
from flexframe.presentation.scenes import Block, Mode, Row, Scene
from flexframe.presentation.scenes import Modes as ModeList


class ModeComparisonPresentation(Presentation[ModeComparison]):
    """One table with a column for each model, their shapes beside each other, and the differences."""

    lists: ClassVar = {"modes.*": ("mode",), "bodies": ("body",)}

    def blocks(self, name: str) -> tuple[Block, ...]:
        record = self.record
        largest = record.largest_difference
        sizes = zip(record.models, record.unknowns, strict=True)
        figures = [KeyValue(f"Unknowns of {model}", size) for model, size in sizes]
        figures.append(
            KeyValue("Speed", record.speed_rad_s, "rad/s", note=f"{record.speed_rad_s / (2 * np.pi):.5g} Hz")
        )
        if largest is not None:
            figures.append(KeyValue("Largest difference", 100 * largest, "%", digits=3))
        scenes = tuple(
            _scene(f"comparison-{name}-{number}", record, number, modes)
            for number, modes in enumerate(record.models.values())
        )
        blocks: list[Block] = [
            KeyValues(tuple(figures)),
            *(Notice("warning", text) for text in record.notices),
            _table(record),
            Row(scenes),
            _plot(record),
        ]
        return tuple(blocks)

    def overview(self) -> tuple[Table, ...]:
        """A row for each mode with the differences in per cent."""
        table = _table(self.record)
        return (compact(table, rows=len(table.rows)),)

    def data(self) -> DataTable:
        """A row for each mode, a column of frequencies [Hz] for each model."""
        columns = dict(zip(self.record.models, self.record.frequencies.T, strict=True))
        return DataTable("", None, {"shape": [m.shape.describe() for m in self.record.matched], **columns})

    def figure(self) -> Figure:
        """Differences to the first model."""
        return _plot(self.record)


def _table(record: ModeComparison) -> Table:
    names = tuple(record.models)
    columns = [Column("shape"), Column("no."), *(Column(name, "Hz", 6) for name in names)]
    columns += [Column(f"{name} beside {names[0]}", "%", 3) for name in names[1:]]
    highest = max((f for m in record.matched for f in m.frequencies_hz if f is not None), default=0.0)
    rows: list[tuple[Cell, ...]] = []
    for mode in record.matched:
        rigid = mode.shape.motion == "rigid"
        shown = tuple(0.0 if f is not None and rigid and f < 1e-6 * highest else f for f in mode.frequencies_hz)
        differences = (None if d is None or rigid else 100 * d for d in mode.differences[1:])
        rows.append((mode.shape.describe(), mode.order, *shown, *differences))
    return Table(
        tuple(columns),
        tuple(rows),
        caption=f"Modes side by side. Frame: {record.frame}. Terms: {terms_text(record.terms)}.",
    )


def _scene(scene_id: str, record: ModeComparison, number: int, modes: Modes) -> Scene:
    """The shapes of one model in the order of the table."""
    drawn = drawing(modes.body, modes.mesh, modes.model)
    ordered = [(m, k) for m in record.matched if (k := m.modes[number]) is not None]
    count = frames_within_budget(drawn, len(ordered), 2)
    shapes = tuple(
        Mode(
            label=f"{mode.shape.describe()}, {mode.order}.",
            displacement=drawn.displacements(modes.shapes[k]),
            frequency=f"{modes.frequencies_hz[k]:.6g} Hz",
        )
        for mode, k in ordered[:count]
    )
    first = next((i for i, (mode, _) in enumerate(ordered[:count]) if mode.shape.motion != "rigid"), 0)
    return Scene(
        id=scene_id, parts=drawn.parts, content=ModeList(shapes, first=first), title=modes.body, height=360
    )


def _plot(record: ModeComparison) -> Plot:
    names = tuple(record.models)
    elastic = [m for m in record.matched if m.shape.motion != "rigid" and m.frequencies_hz[0]]
    series = []
    for number, name in enumerate(names[1:], 1):
        both = [(m.frequencies_hz[0], m.differences[number]) for m in elastic if m.differences[number] is not None]
        x, y = np.array(both, dtype=float).reshape(-1, 2).T
        series.append(Series(name, x, 100 * y, line=False, markers=True))
    return Plot(
        Axis(f"frequency of {names[0]}", "Hz"),
        Axis(f"difference to {names[0]}", "%"),
        tuple(series),
        title="Differences of the models",
    )
