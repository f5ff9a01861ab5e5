"""How modes of a system are shown: moving shapes of all bodies, and a table of frequencies."""

from typing import ClassVar

import numpy as np

from flexframe.analyses.campbell.shape_pictures import Shapes
from flexframe.analyses.modes.system_record import SystemModes
from flexframe.analyses.transient.coupled_presentation import bases_blocks
from flexframe.maths.arrays import Array
from flexframe.presentation.blocks import Check, Column, KeyValue, KeyValues, Notice, Table
from flexframe.presentation.drawing import BUDGET
from flexframe.presentation.presentation import (
    DataTable,
    Figure,
    Presentation,
    compact,
    logarithmic_decrement,
)
from flexframe.presentation.scenes import Block, Mode, Scene
from flexframe.presentation.scenes import Modes as ModeList

_UNDAMPED = 1e-9  # of |λ|: growth that is none


class SystemModesPresentation(Presentation[SystemModes]):
    """Moving shapes about the equilibrium, table of frequencies, coordinates of the bodies."""

    axes = ("mode",)
    lists: ClassVar = {"eigenvalues": ("mode", "part")}
    telling = ("frequencies_hz", "growth_rates*")

    def blocks(self, name: str) -> tuple[Block, ...]:
        record = self.record
        lowest = record.frequencies_hz[record.eigenvalues != 0]
        values = [KeyValue("Lowest frequency", float(lowest.min()) if lowest.size else None, "Hz")]
        if record.drive:
            values.append(KeyValue("Speed", record.speed_rad_s, "rad/s", f"by drive {record.drive}"))
        else:
            values.append(KeyValue("Equilibrium", record.stability, "", f"at t = {record.time:g} s"))
        blocks: list[Block] = [
            KeyValues(tuple(values)),
            *(Notice("warning", text) for text in record.notices),
            _scene(record, f"modes-{name}"),
            _table(record),
        ]
        if record.reductions:
            blocks += bases_blocks(record.reductions)
        return tuple(blocks)

    def overview(self) -> tuple[Table, ...]:
        """A row for each mode."""
        table = _table(self.record)
        hidden = ["residual", *([] if _damping_ratios(self.record).any() else ["growth rate"])]
        return (compact(table, without=hidden, rows=len(table.rows)),)

    def quality(self) -> tuple[Check, ...]:
        record = self.record
        words = "the eigenvalues are not converged to this part; look for parts without mass"
        strain = "the section law of exact beams is for small strains"
        return (
            Check("largest residual", float(record.residuals.max(initial=0.0)), "", 1e-5, words),
            *(
                Check(f"largest strain of {name}", value, "", 0.02, strain)
                for name, value in record.strains.items()
            ),
            Check("solver", record.method),
        )

    def data(self) -> DataTable:
        """A row for each mode."""
        record = self.record
        return DataTable(
            "mode",
            np.arange(1, len(record.eigenvalues) + 1),
            {
                "frequency_hz": record.frequencies_hz,
                "growth_rate": record.growth_rates + 0.0,  # no −0 in a table
                "label": list(record.labels),
                "residual": record.residuals,
            },
        )

    def figure(self) -> Figure:
        """The first shapes."""
        return _scene(self.record, "modes")


def _damping_ratios(record: SystemModes) -> Array:
    """Damping ratios −Re λ/|λ|, rounding set to zero."""
    size = np.abs(record.eigenvalues)
    ratio = np.divide(-record.growth_rates, size, out=np.zeros_like(size), where=size > 0)
    return np.where(np.abs(ratio) > _UNDAMPED, ratio, 0.0) + 0.0


def _scene(record: SystemModes, scene_id: str) -> Scene:
    drawn = Shapes.of(record.system, record.shapes)
    parts = drawn.parts
    room = BUDGET // (8 * max(1, sum(part.columns * len(part.nodes) for part in parts)))
    shown = int(np.clip(room, 1, len(record.labels)))
    shapes = tuple(
        Mode(
            label=f"{k + 1}. {record.labels[k]}",
            displacement=drawn.displacements(0, k),
            frequency=f"{record.frequencies_hz[k]:.6g} Hz",
        )
        for k in range(shown)
    )
    rest = f" The first {shown} of {len(record.labels)} modes are drawn." if shown < len(record.labels) else ""
    about = "the steady rotation, seen in the frame that turns with it" if record.drive else "the equilibrium"
    first = next((k for k in range(shown) if record.eigenvalues[k] != 0), 0)
    return Scene(
        id=scene_id,
        parts=parts,
        content=ModeList(shapes, first=first),
        title="Mode shapes",
        caption=f"About {about}.{rest}",
        view="xy" if record.system.space == "planar" else "corner",
    )


def _table(record: SystemModes) -> Table:
    columns = [Column("mode"), Column("frequency", "Hz", 7), Column("growth rate", "1/s", 3)]
    ratios = _damping_ratios(record)
    if ratios.any():
        columns += [Column("damping ratio", "", 3), Column("logarithmic decrement", "", 3)]
    columns += [Column("residual", "", 2), Column("label")]
    rows = [
        (
            k + 1,
            float(record.frequencies_hz[k]),
            float(record.growth_rates[k]) if ratios[k] else 0.0,
            *((float(ratios[k]), logarithmic_decrement(float(ratios[k]))) if ratios.any() else ()),
            float(record.residuals[k]),
            record.labels[k],
        )
        for k in range(len(record.labels))
    ]
    stiffening = "on" if record.geometric else "off"
    return Table(
        tuple(columns),
        tuple(rows),
        caption=f"All modes. {record.method}. Geometric stiffening {stiffening}.",
    )
