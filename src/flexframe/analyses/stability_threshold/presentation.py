"""How the cross-coupling that a rotor bears is shown."""

import numpy as np

from flexframe.analyses.stability_threshold.record import StabilityThreshold, decrements
from flexframe.presentation.blocks import (
    Axis,
    Cell,
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

_COLOURS = {"forward": "orange", "backward": "blue", "mixed": "purple", "": "green"}


class StabilityThresholdPresentation(Presentation[StabilityThreshold]):
    """Threshold and verdict, damped modes with their decrements, and decrements over the cross-coupling."""

    axes = ("cross_coupling", "branch")
    telling = ("threshold_N_m",)

    def blocks(self, name: str) -> tuple[Block, ...]:  # noqa: ARG002
        record = self.record
        return (
            *self.overview(),
            *(Notice("info", text) for text in record.notices),
            _curves(record),
        )

    def overview(self) -> tuple[Table, ...]:
        """The threshold with its verdict, then the damped modes at the speed."""
        return _verdict(self.record), _modes(self.record)

    def quality(self) -> tuple[Check, ...]:
        record = self.record
        counted = {True: "counted", False: "no", None: "not known"}[record.confirmed]
        worst = float(np.nanmax(record.errors))
        return (
            Check("largest relative error, estimated", worst, "", 1e-3, "ask for more modes"),
            Check("no mode is missing", f"{counted} ({record.completeness})"),
            Check("method", record.method),
        )

    def data(self) -> DataTable:
        """Logarithmic decrements over the cross-coupling [N/m], a column for each branch."""
        columns = {f"branch_{i}": values for i, values in enumerate(self.record.logarithmic_decrements.T, start=1)}
        return DataTable("cross_coupling_N_m", self.record.cross_couplings, columns)

    def figure(self) -> Figure:
        """Decrements over the cross-coupling."""
        return _curves(self.record)


def _name(record: StabilityThreshold, b: int) -> str:
    return f"{b + 1}. {record.whirl[b]}" if record.whirl[b] else f"mode {b + 1}"


def _verdict(record: StabilityThreshold) -> Table:
    columns = (
        Column("speed", "rad/s", 6),
        Column("threshold", "N/m", 5),
        Column("mode"),
        Column(f"decrement of {record.decrement:g} at", "N/m", 5),
        Column("expected", "N/m", 5),
        Column("decrement with it", "", 3),
        Column("threshold over it", "", 3),
        Column("verdict"),
    )
    row = (
        record.speed_rad_s,
        record.threshold,
        "" if record.threshold_branch is None else _name(record, record.threshold_branch),
        record.required,
        record.anticipated,
        record.anticipated_decrement,
        record.ratio,
        record.verdict,
    )
    return Table(
        columns,
        (row,),
        caption=f"Cross-coupled stiffness on {', '.join(record.places)} that makes the rotor whirl by itself, "
        "beside what its seals and bearings have. API 617 asks, in level I, for a decrement of 0.1 with the "
        "cross-coupling that is expected and for a threshold of twice that; its third condition, on the density "
        "of the gas and the ratio of speed to critical speed, is for you to look up.",
    )


def _modes(record: StabilityThreshold) -> Table:
    """Damped modes at the speed: without the cross-coupling, and with what is expected."""
    with_it = record.anticipated_eigenvalues
    columns = [
        Column("mode"),
        Column("damped frequency", "Hz", 5),
        Column("as a speed", "rad/s", 5),
        Column("logarithmic decrement", "", 3),
        *((Column("with the expected cross-coupling", "", 3),) if with_it is not None else ()),
        Column("verdict"),
    ]
    rows = []
    for b in range(len(record.whirl)):
        value = record.eigenvalues[0, b]
        if not np.isfinite(value):
            continue
        alone = _decrement(value)
        row: list[Cell] = [_name(record, b), *_frequency(value, alone), alone]
        worst = alone
        if with_it is not None:
            expected = _decrement(with_it[b])
            row.append(expected)
            worst = expected if expected is not None else alone
        rows.append((*row, _verdict_text(worst, record.decrement)))
    return Table(
        tuple(columns),
        tuple(rows),
        caption=f"Damped modes at the speed. API 617 asks for a logarithmic decrement of {record.decrement:g} and "
        "more.",
    )


def _frequency(value: complex, decrement: float | None) -> tuple[Cell, Cell]:
    if decrement is None:
        return None, None
    return abs(value.imag) / (2 * np.pi), abs(value.imag)


def _decrement(value: complex) -> float | None:
    found = float(decrements(np.array([value]))[0])
    return found if np.isfinite(found) else None


def _verdict_text(decrement: float | None, required: float) -> str:
    if decrement is None:
        return "overdamped"
    if decrement < 0:
        return "unstable"
    return "enough" if decrement >= required else f"below {required:g}"


def _curves(record: StabilityThreshold) -> Plot:
    lines = {"threshold": record.threshold, "expected": record.anticipated}
    return Plot(
        x=Axis("cross-coupled stiffness", "N/m"),
        y=Axis("logarithmic decrement"),
        series=tuple(
            Series(_name(record, b), record.cross_couplings, values, colour=_COLOURS[record.whirl[b]])
            for b, values in enumerate(record.logarithmic_decrements.T)
            if np.isfinite(values).any() and np.nanmin(values) < _SHOWN
        ),
        title="Logarithmic decrements over the cross-coupling",
        reference_lines=(
            ReferenceLine("stable above", 0.0),
            *(VerticalLine(name, at) for name, at in lines.items() if at is not None),
        ),
        caption="Modes that are damped more than critically by far are left out. A curve below zero is a rotor "
        "that whirls by itself.",
        height=400,
    )


_SHOWN = 3.0  # decrements above which a curve says nothing
