"""How critical speeds over the stiffness of bearings are shown."""

import numpy as np

from flexframe.analyses.critical_speed_map.record import CriticalSpeedMap, OwnStiffness
from flexframe.presentation.blocks import Axis, Check, Column, Notice, Plot, Series, Table
from flexframe.presentation.presentation import DataTable, Figure, Presentation, compact
from flexframe.presentation.scenes import Block


class CriticalSpeedMapPresentation(Presentation[CriticalSpeedMap]):
    """The map with the stiffness of the bearings laid over it, where both meet, and the ends of its curves."""

    def blocks(self, name: str) -> tuple[Block, ...]:  # noqa: ARG002
        record = self.record
        return (
            *_crossings(record),
            *(Notice("info", text) for text in record.notices),
            _map(record),
            _ends(record),
        )

    def overview(self) -> tuple[Table, ...]:
        """Where the map meets the stiffness of the bearings, then the ends of its curves."""
        return (*(compact(table) for table in _crossings(self.record)), _ends(self.record))

    def quality(self) -> tuple[Check, ...]:
        record = self.record
        return (Check("stiffnesses", len(record.stiffnesses)), Check("bearings", ", ".join(record.bearings)))

    def data(self) -> DataTable:
        """Critical speeds [rad/s] over the stiffness [N/m], a column for each mode."""
        columns = {f"mode_{i}_rad_s": values for i, values in enumerate(self.record.speeds.T, start=1)}
        return DataTable("stiffness_N_m", self.record.stiffnesses, columns)

    def figure(self) -> Figure:
        """The map."""
        return _map(self.record)


def _map(record: CriticalSpeedMap) -> Plot:
    low, high = float(np.nanmin(record.speeds)), float(np.nanmax(record.speeds))
    curves = [Series(f"{i}. critical speed", record.stiffnesses, row) for i, row in enumerate(record.speeds.T, 1)]
    return Plot(
        x=Axis("stiffness of each bearing", "N/m", log=True),
        y=Axis("critical speed", "rad/s", log=True),
        series=(*curves, *(_own(curve, low, high) for curve in record.own)),
        title="Undamped critical speeds over the stiffness of the bearings",
        caption=f"Each bearing of the map ({', '.join(record.bearings)}) has the stiffness of the abscissa in all "
        "directions and no damping; grey is the stiffness that a bearing has at each speed. Unbalance meets a "
        "critical speed near where both cross. Curves that are flat are held by the shaft, those that rise by "
        "the bearings.",
        height=460,
    )


def _own(curve: OwnStiffness, low: float, high: float) -> Series:
    """Stiffness of a bearing: upright where it is the same at all speeds, nothing where it is not positive."""
    if curve.speeds is None:
        x, y = np.repeat(curve.stiffnesses, 2), np.array([low, high])
    else:
        x, y = curve.stiffnesses, curve.speeds
    there = (x > 0) & (y > 0)
    return Series(curve.label, np.where(there, x, np.nan), np.where(there, y, np.nan), colour="grey", dashed=True)


def _crossings(record: CriticalSpeedMap) -> tuple[Table, ...]:
    if not record.crossings:
        return ()
    columns = (
        Column("critical speed", "rad/s", 6),
        Column("mode"),
        Column("stiffness of"),
        Column("stiffness", "N/m", 4),
    )
    rows = tuple((c.speed_rad_s, c.mode, c.bearing, c.stiffness_n_m) for c in record.crossings)
    caption = (
        "Where the map meets the stiffness of a bearing: critical speeds of a shaft whose bearings all are like "
        "this one in this direction."
    )
    return (Table(columns, rows, caption=caption),)


def _ends(record: CriticalSpeedMap) -> Table:
    columns = (
        Column("mode"),
        *(Column(f"on {k:.3g} N/m", "rad/s", 6) for k in (record.stiffnesses[0], record.stiffnesses[-1])),
    )
    rows = tuple(
        (i, *(float(row[k]) if np.isfinite(row[k]) else None for k in (0, -1)))
        for i, row in enumerate(record.speeds.T, start=1)
    )
    return Table(columns, rows, caption="Critical speeds at the ends of the map.")
