"""How a Campbell diagram is shown: branches in both frames, critical speeds, moving shapes."""

from typing import ClassVar, Literal

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
from flexframe.analyses.campbell.record import CampbellDiagram
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, IntArray
from flexframe.presentation.blocks import Cell, Check, Column, Notice, Plot, Table, Words
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
from flexframe.results.record import Frame

_COLOURS = {"forward": "orange", "backward": "blue", "mixed": "purple", "": "green"}


_CRITICALLY_DAMPED = 2.5  # amplification factor, by API 617
_REMARKS = ("branches are shown only", "critical speeds are those of the undamped", "parts of the shaft whirl")


def _level(notice: str) -> Literal["info", "warning"]:
    """Remarks on what is shown are no warnings."""
    return "info" if notice.startswith(_REMARKS) else "warning"


class CampbellPresentation(Presentation[CampbellDiagram]):
    """The diagram in the turning frame and in space, moving shapes, critical speeds, damping."""

    axes = ("speed", "branch")
    lists: ClassVar = {
        "critical_speeds_rad_s": ("critical_speed",),
        "critical_speeds.*": ("crossing",),
        "stability_limits_rad_s": ("stability_limit",),
        "engine_orders": ("engine_order",),
        "labels": ("branch",),
        "measured.*": ("measured",),
        "nodal_diameters": ("branch",),
        "whirl": ("branch",),
        "bodies": ("body",),
        "reductions.*": ("shape of {holder}",),
    }
    telling = ("critical_speeds_rad_s", "stability_limits_rad_s")

    def blocks(self, name: str) -> tuple[Block, ...]:
        record = self.record
        drawn = drawing(record.body, record.mesh, record.model, springs=record.bearings)
        snapshots = _snapshots(record, drawn)
        scene = _scene(name, record, drawn, snapshots)
        blocks: list[Block] = [
            *_damped_criticals(record),
            *critical_overview(record, _criticals(record)),
            *(Notice(_level(text), text) for text in record.notices),
            _diagram(record, record.frequencies_hz, record.frame, scene.id, snapshots),
        ]
        if record.inertial_frequencies_hz is not None and record.frame != "inertial":
            blocks.append(_diagram(record, record.inertial_frequencies_hz, "inertial", scene.id, snapshots))
        blocks += [*measured_tables(record), scene, _branches(record)]
        if record.critical_speeds:
            blocks.append(_criticals(record))
        if has_growth(record):
            blocks.append(growth_plot(record, _names(record)))
        return tuple(blocks)

    def overview(self) -> tuple[Table, ...]:
        """The critical speeds that a load excites, then the branches at the first and the last speed."""
        record = self.record
        branches = compact(_branches(record), without=branch_columns_left_out(record), rows=len(record.labels))
        return (
            *_damped_criticals(record),
            *critical_overview(record, _criticals(record)),
            branches,
            *measured_tables(record),
        )

    def quality(self) -> tuple[Check, ...]:
        record = self.record
        worst = float(np.nanmax(record.errors))
        kind = "guaranteed" if record.guaranteed else "estimated"
        counted = {True: "counted", False: "no", None: "not known"}[record.confirmed]
        return (
            Check(f"largest relative error, {kind}", worst, "", 1e-3, "ask for more modes"),
            Check("no mode is missing", f"{counted} ({record.completeness})" if record.completeness else counted),
            Check("branches", len(record.labels)),
            Check("speeds", len(record.speeds)),
        )

    def data(self) -> DataTable:
        """Frequencies over speed, a column for each branch."""
        return branch_data(self.record)

    def figure(self, frame: Frame = "rotating") -> Figure:
        """Branches, engine orders and critical speeds in one frame."""
        record = self.record
        seen = record.inertial_frequencies_hz if frame == "inertial" else record.frequencies_hz
        if seen is None:
            raise InputError(
                "the body does not fill circles, so its modes have no frequency in space; plot the rotating frame"
            )
        return _diagram(record, seen, frame, "campbell", np.arange(len(record.snapshots)))


def _snapshots(record: CampbellDiagram, drawn: Drawing) -> IntArray:
    """Which of the kept speeds fit into the page."""
    branches = len(record.labels)
    room = max(1, frames_within_budget(drawn, len(record.snapshots) * branches, 2) // branches)
    chosen = np.unique(
        np.rint(np.linspace(0, len(record.snapshots) - 1, min(room, len(record.snapshots)))).astype(int)
    )
    return chosen if room > 1 else np.array([len(record.snapshots) - 1])


def _scene(name: str, record: CampbellDiagram, drawn: Drawing, snapshots: IntArray) -> Scene:
    shapes = []
    for place in snapshots:
        k = record.snapshots[place]
        for b in range(len(record.labels)):
            shapes.append(
                Mode(
                    label=_branch_name(record, b),
                    displacement=drawn.displacements(record.shapes[place, b]),
                    frequency=f"{record.frequencies_hz[k, b]:.6g} Hz",
                    group=Words("{}", (float(record.speeds[k]) / TURN,), "turns/s"),
                )
            )
    return Scene(
        id=f"campbell-{name}",
        parts=drawn.parts,
        content=ModeList(tuple(shapes)),
        title="Mode shapes",
        caption="Seen in space." if record.frame == "inertial" else "Seen in the frame that turns with the body.",
    )


def _branch_name(record: CampbellDiagram, b: int) -> str:
    words = [record.labels[b]] if record.labels[b] else []
    if record.nodal_diameters is not None and record.nodal_diameters[b] is not None and not words:
        words.append(f"n = {record.nodal_diameters[b]}")
    if record.whirl is not None and record.whirl[b]:
        words.append(record.whirl[b])
    return f"{b + 1}. {', '.join(words)}" if words else f"branch {b + 1}"


def _names(record: CampbellDiagram) -> list[str]:
    return [_branch_name(record, b) for b in range(len(record.labels))]


def _diagram(record: CampbellDiagram, table: Array, frame: str, scene: str, snapshots: IntArray) -> Plot:
    place = "in the frame that turns with the body" if frame == "rotating" else "in space (inertial frame)"
    return branch_plot(
        record,
        table,
        names=_names(record),
        colours=[_COLOURS[word] for word in record.whirl or [""] * len(record.labels)],
        criticals=[c for c in record.critical_speeds if c.excited_by],
        frame=frame,
        title=f"Campbell diagram {place}",
        caption="Orange waves run with the spin, blue ones against it, as seen in space; purple ones do both. ",
        scene=scene,
        snapshots=snapshots,
    )


def _branches(record: CampbellDiagram) -> Table:
    columns = [Column("branch"), Column("what")]
    if record.nodal_diameters is not None:
        columns.append(Column("nodal diameters"))
    columns += [Column("at", "Hz", 7, at=(float(record.speeds[k]), "rad/s")) for k in (0, -1)]
    in_space = None if record.frame == "inertial" else record.inertial_frequencies_hz
    if in_space is not None:
        columns.append(Column("in space at the last", "Hz", 7))
    columns += [
        Column("damping ratio at the last", "", 3),
        Column("logarithmic decrement", "", 3),
        Column("largest error", "", 2),
    ]
    rows = []
    for b in range(len(record.labels)):
        row: list[Cell] = [b + 1, _branch_name(record, b).partition(". ")[2]]
        if record.nodal_diameters is not None:
            row.append(record.nodal_diameters[b])
        row += [number(record.frequencies_hz[k, b]) for k in (0, -1)]
        if in_space is not None:
            row.append(number(in_space[-1, b]))
        ratio = damping(record.damping_ratios[-1, b])
        row += [ratio, logarithmic_decrement(ratio), float(np.nanmax(record.errors[:, b]))]
        rows.append(tuple(row))
    terms = terms_text(record.terms, ("coriolis", "centrifugal", "geometric"))
    return Table(tuple(columns), tuple(rows), caption=f"All branches. Terms: {terms}. Solver: {record.method}.")


def _damped_criticals(record: CampbellDiagram) -> tuple[Table, ...]:
    """Speeds at which damped frequencies meet an engine order, with their decrements."""
    if not record.damped_critical_speeds:
        return ()
    columns = (
        Column("damped critical speed", "rad/s", 7),
        Column("turns", "turns/s", 6),
        Column("engine order"),
        Column("branch"),
        Column("logarithmic decrement", "", 3),
        Column("amplification factor π/δ", "", 3),
        Column("excited by"),
        Column("remark"),
    )
    rows = tuple(
        (
            c.speed_rad_s,
            c.speed_rad_s / TURN,
            c.engine_order,
            _branch_name(record, c.branch - 1),
            c.logarithmic_decrement,
            *_amplification(c.logarithmic_decrement, c.excited_by),
        )
        for c in record.damped_critical_speeds[:ROWS]
    )
    caption = (
        "Damped critical speeds: where |Im λ| of a branch is the engine order times the speed. Those with an "
        "amplification factor below 2.5 show no peak, and API 617 asks for no margin of them."
    )
    return (Table(columns, rows, caption=caption + left_out(record.damped_critical_speeds)),)


def _amplification(decrement: float, excited_by: str) -> tuple[Cell, Cell, Cell]:
    """π/δ, the load, and what is to be said of it."""
    if decrement <= 0:
        return None, excited_by, "unstable"
    factor = np.pi / decrement
    return factor, excited_by, "critically damped" if factor < _CRITICALLY_DAMPED else ""


def _criticals(record: CampbellDiagram) -> Table:
    columns = (
        Column("critical speed", "rad/s", 8),
        Column("turns", "turns/s", 6),
        Column("engine order"),
        Column(f"frequency, {record.frame} frame", "Hz", 6),
        Column("in space", "Hz", 6),
        Column("nodal diameters"),
        Column("excited by"),
        Column("relative error", "", 2),
    )
    ordered = sorted(record.critical_speeds, key=lambda c: not c.excited_by)
    rows = tuple(
        (
            c.speed_rad_s,
            c.speed_rad_s / TURN,
            c.engine_order,
            c.frequency_hz,
            None if record.frame == "inertial" else c.inertial_frequency_hz,  # the column before
            c.nodal_diameter,
            c.excited_by,
            c.error,
        )
        for c in ordered[:ROWS]
    )
    return Table(
        columns,
        rows,
        caption="Critical speeds, all crossings. Solved as eigenvalues of Kφ = Ω²(e²M − ieG − S)φ. Order 0 is a "
        "load that turns with the body. "
        "Rows without an exciting load are crossings that an evenly spread load does not excite."
        + left_out(ordered),
    )
