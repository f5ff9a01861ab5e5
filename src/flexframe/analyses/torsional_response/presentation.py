"""How torsional vibration is shown."""

import numpy as np

from flexframe.analyses.torsional_response.record import TorsionalResponse
from flexframe.presentation.blocks import (
    Axis,
    Check,
    Column,
    Notice,
    Plot,
    ReferenceLine,
    Series,
    Table,
    VerticalLine,
)
from flexframe.presentation.presentation import DataTable, Figure, Presentation
from flexframe.presentation.scenes import Block

TURN = 2 * np.pi
_ROWS = 8  # segments in the table
_SHAPES = 4


class TorsionalResponsePresentation(Presentation[TorsionalResponse]):
    """Critical speeds with their verdict, torques in the shafts, interference diagram, shapes."""

    axes = ("speed",)

    def blocks(self, name: str) -> tuple[Block, ...]:  # noqa: ARG002
        record = self.record
        return (
            *self.overview(),
            *(Notice("info", text) for text in record.notices),
            _torque_plot(record),
            _interference(record),
            *_shape_plots(record),
        )

    def overview(self) -> tuple[Table, ...]:
        """Critical speeds of the orders, then the segments with the largest stress."""
        return (*_criticals(self.record), _segments(self.record), _frequencies(self.record))

    def quality(self) -> tuple[Check, ...]:
        record = self.record
        return (
            Check("speeds", len(record.speeds)),
            Check("damped", "yes" if record.damped else "no"),
            Check("method", record.method),
        )

    def data(self) -> DataTable:
        """Largest torque [N m] of every segment over the speed."""
        columns = {segment.label: self.record.peaks[:, s] for s, segment in enumerate(self.record.segments)}
        return DataTable("speed_rad_s", self.record.speeds, columns)

    def figure(self) -> Figure:
        """Torque over the speed where the stress is largest."""
        return _torque_plot(self.record)


def _criticals(record: TorsionalResponse) -> tuple[Table, ...]:
    if not record.criticals:
        return ()
    columns = (
        Column("critical speed", "rad/s", 6),
        Column("order"),
        Column("of shaft"),
        Column("mode"),
        Column("natural frequency", "Hz", 5),
        Column("excited"),
        Column("separation margin", "%", 3),
        Column("verdict"),
    )
    rows = tuple(
        (
            c.speed_rad_s,
            c.order,
            c.shaft,
            c.mode,
            c.frequency_hz,
            "yes" if c.excited else "no",
            None if c.margin is None else 100 * c.margin,
            c.verdict,
        )
        for c in record.criticals
    )
    return (
        Table(
            columns,
            rows,
            caption="Torsional critical speeds: where an engine order meets a natural frequency. API 617 asks for "
            "10 % between them and the operating speeds, or for a proof that the stresses are harmless.",
        ),
    )


def _segments(record: TorsionalResponse) -> Table:
    """Where the vibratory stress is largest."""
    columns = (
        Column("shaft"),
        Column("largest torque", "N m", 5),
        Column("at speed", "rad/s", 6),
        Column("main order"),
        Column("shear stress", "Pa", 4),
    )
    most = record.peaks.max(axis=0)
    stress = most * np.array([segment.stress for segment in record.segments])
    rows = []
    for s in np.argsort(-stress, kind="stable")[:_ROWS]:
        k = int(np.argmax(record.peaks[:, s]))
        main = int(np.argmax(np.abs(record.torques[:, k, s])))
        rows.append(
            (
                record.segments[s].label,
                float(most[s]),
                float(record.speeds[k]),
                record.names[main],
                float(stress[s]),
            )
        )
    return Table(
        columns,
        tuple(rows),
        caption="Largest vibratory torques, all orders together, beside the mean torque; nominal shear stress at "
        "the surface of the thinner end, without notches.",
    )


def _frequencies(record: TorsionalResponse) -> Table:
    columns = (Column("mode"), Column("natural frequency", "Hz", 6), Column("as a speed", "rad/s", 6))
    rows = tuple((j, float(f), float(f) * TURN) for j, f in enumerate(record.frequencies_hz, start=1))
    return Table(columns, rows, caption="Torsional natural frequencies above zero.")


def _torque_plot(record: TorsionalResponse) -> Plot:
    _, s = record.worst
    series = [Series("all orders", record.speeds / TURN, record.peaks[:, s])]
    if len(record.names) > 1:
        series += [
            Series(name, record.speeds / TURN, np.abs(values[:, s]))
            for name, values in zip(record.names, record.torques, strict=True)
        ]
    return Plot(
        x=Axis("speed", "turns/s"),
        y=Axis("torque", "N m", log=bool((record.peaks[:, s] > 0).all())),
        series=tuple(series),
        title=f"Vibratory torque in {record.segments[s].label}",
        reference_lines=_operating(record),
        caption="Where the shear stress is largest.",
    )


def _operating(record: TorsionalResponse) -> tuple[VerticalLine, ...]:
    limits = record.operating_speeds or ()
    words = ("lowest operating speed", "highest operating speed")
    return tuple(VerticalLine(word, at / TURN) for word, at in zip(words, limits, strict=False))


def _interference(record: TorsionalResponse) -> Plot:
    """Natural frequencies as level lines, orders as inclined ones."""
    turns = record.speeds / TURN
    series = tuple(
        Series(f"mode {j}", turns, np.full(len(turns), f)) for j, f in enumerate(record.frequencies_hz, start=1)
    )
    orders = sorted({(c.order, c.shaft, c.frequency_hz / (c.speed_rad_s / TURN)) for c in record.criticals})
    slopes = {round(slope, 9): f"{order:g} × {shaft}" for order, shaft, slope in orders}
    return Plot(
        x=Axis("speed", "turns/s"),
        y=Axis("frequency", "Hz", minimum=0.0),
        series=series,
        title="Interference diagram",
        reference_lines=(
            *(ReferenceLine(name, slope=slope) for slope, name in slopes.items()),
            *_operating(record),
        ),
        caption="Critical speeds are where the lines of engine orders cross those of natural frequencies.",
        height=420,
    )


def _shape_plots(record: TorsionalResponse) -> list[Block]:
    """Twist along each shaft in the lowest modes."""
    names = list(dict.fromkeys(name for name, _ in record.stations))
    blocks: list[Block] = []
    for name in names:
        here = np.array([k for k, (shaft, _) in enumerate(record.stations) if shaft == name])
        x = np.array([record.stations[k][1] for k in here])
        blocks.append(
            Plot(
                x=Axis("place along the shaft", "m"),
                y=Axis("twist, largest of all shafts 1"),
                series=tuple(
                    Series(f"mode {j + 1}", x, shape[here], markers=True)
                    for j, shape in enumerate(record.shapes[:_SHAPES])
                ),
                title=f"Torsional modes along {name}",
                height=300,
            )
        )
    return blocks
