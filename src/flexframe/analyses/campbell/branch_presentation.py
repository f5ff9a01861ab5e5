"""What diagrams over the speed have in common when they are shown."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from flexframe.analyses.campbell.speed_branches import SpeedBranches, is_overdamped
from flexframe.maths.arrays import Array, IntArray
from flexframe.presentation.blocks import (
    Axis,
    Column,
    Plot,
    PointLinks,
    ReferenceLine,
    Series,
    Table,
    VerticalLine,
    Words,
)
from flexframe.presentation.presentation import DataTable, compact
from flexframe.spectra.rotation.critical_speeds import CriticalSpeed

TURN = 2 * np.pi
ROUND_OFF = 1e-6  # damping ratio that is not shown
ROWS = 60  # of the table of critical speeds


def branch_columns_left_out(record: SpeedBranches) -> list[str]:
    """Columns of the branches that a compact table does without: errors, and damping where there is none."""
    damped = np.nanmax(np.abs(record.damping_ratios[-1])) > ROUND_OFF
    return ["largest error", *(() if damped else ("damping ratio at the last", "logarithmic decrement"))]


def branch_plot(
    record: SpeedBranches,
    table: Array,
    *,
    names: Sequence[str],
    colours: Sequence[str],
    criticals: Sequence[CriticalSpeed],
    frame: str,
    title: str,
    caption: str,
    scene: str,
    snapshots: IntArray,
) -> Plot:
    """One series for each branch; points play their mode at the nearest speed that is kept."""
    turns, highest = record.speeds / TURN, float(np.nanmax(table))
    kept = record.speeds[record.snapshots[snapshots]]
    nearest = np.argmin(np.abs(record.speeds[:, None] - kept), axis=1)
    known = np.isfinite(record.frequencies_hz[record.snapshots[snapshots]])[nearest]
    series = tuple(
        Series(
            name,
            turns,
            table[:, b],
            colour=colour,
            markers=True,
            links=PointLinks(scene, modes=np.where(known[:, b], nearest * len(names) + b, -1)),
        )
        for b, (name, colour) in enumerate(zip(names, colours, strict=True))
    )
    if record.measured and frame == record.frame:
        points = [(at.speed / TURN, value) for at in record.measured for value in at.frequencies_hz]
        seen, values = np.array(points).T
        series = (*series, Series("measured", seen, values, colour="grey", line=False, markers=True))
        highest = max(highest, float(values.max()))
    sides = [sign for sign in (1, -1) if (sign * record.speeds > 0).any()]
    orders = [
        ReferenceLine(f"{order} ×", slope=sign * float(order)) for order in record.engine_orders for sign in sides
    ]
    silent = frame == record.frame and is_overdamped(record.eigenvalues).any()
    overdamped = "Points at zero are overdamped: they die away without oscillation. " if silent else ""
    crossed = [VerticalLine(f"critical, order {c.engine_order}", c.speed_rad_s / TURN) for c in criticals]
    return Plot(
        x=Axis("speed", "turns/s"),
        y=Axis(f"frequency, {frame} frame", "Hz", minimum=0.0, maximum=1.05 * highest or 1.0),
        series=series,
        title=title,
        reference_lines=(*orders, *crossed),
        caption=Words(
            f"{caption}{overdamped}Click a point to play its mode at the nearest speed that is kept: {{}}.",
            tuple(float(speed) / TURN for speed in kept),
            "turns/s",
            6,
        ),
        height=460,
    )


def measured_tables(record: SpeedBranches) -> tuple[Table, ...]:
    """Measured frequencies beside the computed ones; none where nothing was measured."""
    if not record.measured:
        return ()
    columns = (
        Column("speed", "rad/s", 6),
        Column("branch"),
        Column("measured", "Hz", 5),
        Column("computed", "Hz", 6),
        Column("computed against measured", "%", 3),
    )
    rows = tuple(
        (
            point.speed_rad_s,
            point.branch + 1,
            point.measured_hz,
            point.computed_hz,
            100 * point.difference,
        )
        for point in record.measured_points
    )
    left = sum(len(at.frequencies_hz) for at in record.measured) - len(rows)
    outside = f" {left} outside the speeds or beyond the branches of the diagram are left out." if left else ""
    caption = (
        "Measured frequencies, which the computation knows nothing of, each beside the branch nearest to it; "
        f"between the speeds of the diagram branches are straight lines.{outside}"
    )
    return (Table(columns, rows, caption=caption),)


def has_growth(record: SpeedBranches) -> bool:
    """Whether real parts are more than rounding."""
    return bool(np.nanmax(np.abs(record.growth_rates)) > 1e-6 * np.nanmax(np.abs(record.eigenvalues)))


def growth_plot(record: SpeedBranches, names: Sequence[str]) -> Plot:
    """Real parts of all branches: above zero is unstable."""
    turns = record.speeds / TURN
    limits = [VerticalLine("limit of stability", limit / TURN) for limit in record.stability_limits]
    return Plot(
        x=Axis("speed", "turns/s"),
        y=Axis("growth rate", "1/s"),
        series=tuple(Series(name, turns, record.growth_rates[:, b]) for b, name in enumerate(names)),
        title="Growth rates",
        reference_lines=(ReferenceLine("stable below", 0.0), *limits),
        caption="Real parts of the eigenvalues; a branch above zero is unstable.",
    )


def left_out(criticals: Sequence[object]) -> str:
    """What a table of critical speeds says of those that it does not show."""
    left = len(criticals) - ROWS
    return f" {left} more are in summary.json." if left > 0 else ""


def number(value: float) -> float | None:
    """A number for a table; nothing where it is not known."""
    return float(value) if np.isfinite(value) else None


def damping(ratio: float) -> float | None:
    """A damping ratio for a table, zero where it is rounding."""
    return 0.0 if abs(ratio) < ROUND_OFF else number(ratio)


def branch_data(record: SpeedBranches) -> DataTable:
    """Frequencies [Hz] over speed, a column for each branch."""
    branches = enumerate(record.frequencies_hz.T, start=1)
    return DataTable("speed_rad_s", record.speeds, {f"branch_{i}_hz": values for i, values in branches})


def critical_overview(record: SpeedBranches, criticals: Table) -> tuple[Table, ...]:
    """The critical speeds that a load excites, and the limits of stability."""
    place = [column.header for column in criticals.columns].index("excited by")
    excited = tuple(row for row in criticals.rows if row[place])
    limits = tuple((limit, limit / TURN) for limit in record.stability_limits)
    columns = (Column("limit of stability", "rad/s", 6), Column("turns", "turns/s", 6))
    damped = bool(getattr(record, "damped_critical_speeds", ()))
    title = f"{'Undamped critical' if damped else 'Critical'} speeds that a load excites."
    tables = {
        title: replace(criticals, rows=excited),
        "Limits of stability.": Table(columns, limits),
    }
    return tuple(
        compact(table, without=["relative error"], caption=caption)
        for caption, table in tables.items()
        if table.rows
    )
