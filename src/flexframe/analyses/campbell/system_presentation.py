"""How the Campbell diagram of a system is shown."""

import numpy as np

from flexframe.analyses.campbell.branch_presentation import (
    ROWS,
    TURN,
    branch_columns_left_out,
    branch_data,
    branch_plot,
    critical_overview,
    damping,
    growth_plot,
    has_growth,
    left_out,
    measured_tables,
    number,
)
from flexframe.analyses.campbell.shape_pictures import Shapes
from flexframe.analyses.campbell.system_record import SystemCampbell
from flexframe.analyses.transient.coupled_presentation import bases_blocks
from flexframe.maths.arrays import IntArray
from flexframe.presentation.blocks import Check, Column, Notice, Plot, Table, Words
from flexframe.presentation.drawing import BUDGET
from flexframe.presentation.presentation import DataTable, Figure, Presentation, compact, logarithmic_decrement
from flexframe.presentation.scenes import Block, Mode, Scene
from flexframe.presentation.scenes import Modes as ModeList
from flexframe.results.record import thin


class SystemCampbellPresentation(Presentation[SystemCampbell]):
    """The diagram, moving shapes, branches, critical speeds, growth, coordinates of the bodies."""

    def blocks(self, name: str) -> tuple[Block, ...]:
        record = self.record
        scene, snapshots = _scene(name, record)
        blocks: list[Block] = [
            *critical_overview(record, _criticals(record)),
            *(Notice("info", text) for text in record.notices),
            _diagram(record, scene.id, snapshots),
            *measured_tables(record),
            scene,
            _branches(record),
        ]
        if record.critical_speeds:
            blocks.append(_criticals(record))
        if has_growth(record):
            blocks.append(growth_plot(record, _names(record)))
        if record.reductions:
            blocks += bases_blocks(record.reductions)
        return tuple(blocks)

    def overview(self) -> tuple[Table, ...]:
        """The critical speeds, then the branches at the first and the last speed."""
        record = self.record
        branches = compact(_branches(record), without=branch_columns_left_out(record), rows=len(record.labels))
        return (*critical_overview(record, _criticals(record)), branches, *measured_tables(record))

    def quality(self) -> tuple[Check, ...]:
        record = self.record
        held = "keeps the speed" if record.spin == "held" else "gives the torque of the steady state only"
        large = "the steady state leaves the range of small deflections"
        return (
            Check("steady deflection over length", float(record.deflections.max(initial=0.0)), "", 0.1, large),
            Check("torque at the last speed", float(record.torques[-1]), "N m", digits=4),
            Check(f"drive {record.drive}", held),
            Check("no mode is missing", "counted (all eigenvalues of the reduced equations at every speed)"),
            Check("method", record.method),
        )

    def data(self) -> DataTable:
        """Frequencies over speed, a column for each branch."""
        return branch_data(self.record)

    def figure(self) -> Figure:
        """Branches, engine orders and critical speeds."""
        return _diagram(self.record, "campbell", np.arange(len(self.record.snapshots)))


def _scene(name: str, record: SystemCampbell) -> tuple[Scene, IntArray]:
    """The shapes that fit into the page, and the numbers of their speeds among the kept ones."""
    drawn = Shapes.of(record.system, record.shapes)
    parts = drawn.parts
    branches = len(record.labels)
    room = BUDGET // (8 * max(1, sum(part.columns * len(part.nodes) for part in parts)) * branches)
    snapshots = thin(len(record.snapshots), int(np.clip(room, 1, len(record.snapshots))))
    names = _names(record)
    shapes = [
        Mode(
            label=names[b],
            displacement=drawn.displacements(int(place), b),
            frequency=f"{record.frequencies_hz[record.snapshots[place], b]:.6g} Hz",
            group=Words("{}", (float(record.speeds[record.snapshots[place]]) / TURN,), "turns/s"),
        )
        for place in snapshots
        for b in range(branches)
    ]
    scene = Scene(
        id=f"campbell-{name}",
        parts=parts,
        content=ModeList(tuple(shapes)),
        title="Mode shapes",
        caption="Seen in the frame that turns with the system, about its steady state.",
        view="xy" if record.system.space == "planar" else "corner",
    )
    return scene, snapshots


def _names(record: SystemCampbell) -> list[str]:
    return [f"{b}. {label}" for b, label in enumerate(record.labels, start=1)]


def _diagram(record: SystemCampbell, scene: str, snapshots: IntArray) -> Plot:
    return branch_plot(
        record,
        record.frequencies_hz,
        names=_names(record),
        colours=[""] * len(record.labels),
        criticals=record.critical_speeds,
        frame="rotating",
        title="Campbell diagram in the frame that turns with the system",
        caption="",
        scene=scene,
        snapshots=snapshots,
    )


def _branches(record: SystemCampbell) -> Table:
    columns = (
        Column("branch"),
        Column("what"),
        *(Column("at", "Hz", 7, at=(float(record.speeds[k]), "rad/s")) for k in (0, -1)),
        Column("damping ratio at the last", "", 3),
        Column("logarithmic decrement", "", 3),
    )
    rows = tuple(
        (
            b + 1,
            label,
            *(number(record.frequencies_hz[k, b]) for k in (0, -1)),
            (ratio := damping(record.damping_ratios[-1, b])),
            logarithmic_decrement(ratio),
        )
        for b, label in enumerate(record.labels)
    )
    stiffening = "on" if record.geometric else "off"
    return Table(columns, rows, caption=f"All branches. {record.method}. Geometric stiffening {stiffening}.")


def _criticals(record: SystemCampbell) -> Table:
    columns = (
        Column("critical speed", "rad/s", 8),
        Column("turns", "turns/s", 6),
        Column("engine order"),
        Column("frequency, rotating frame", "Hz", 6),
        Column("excited by"),
    )
    rows = tuple(
        (c.speed_rad_s, c.speed_rad_s / TURN, c.engine_order, c.frequency_hz, c.excited_by)
        for c in record.critical_speeds[:ROWS]
    )
    return Table(
        columns,
        rows,
        caption="Critical speeds, all crossings. Solved on the branches, steady state included: Im λ(Ω) = eΩ. "
        "Order 0 is a load that turns with "
        "the system." + left_out(record.critical_speeds),
    )
