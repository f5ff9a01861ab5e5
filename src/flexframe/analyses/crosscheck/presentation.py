"""How a crosscheck is shown: the formalisms side by side."""

import numpy as np

from flexframe.analyses.crosscheck.record import Crosscheck, FormalismCheck
from flexframe.analyses.crosscheck.system_record import SystemCrosscheck
from flexframe.presentation.blocks import (
    Axis,
    Cell,
    Column,
    KeyValue,
    KeyValues,
    Notice,
    Plot,
    ReferenceLine,
    Series,
    Table,
    Text,
)
from flexframe.presentation.presentation import DataTable, Figure, Presentation
from flexframe.presentation.scenes import Block

FLOOR = 1e-18  # where a difference of exactly zero is drawn


class CrosscheckPresentation(Presentation[Crosscheck | SystemCrosscheck]):
    """Verdict, table of the formalisms, differences of every quantity, and what was compared."""

    def blocks(self, name: str) -> tuple[Block, ...]:  # noqa: ARG002
        record = self.record
        worst = max((check.max_relative_difference or 0.0 for check in record.checks), default=0.0)
        applicable = sum(check.applicable for check in record.checks)
        blocks: list[Block] = [
            KeyValues(
                (
                    KeyValue("Verdict", "all agree" if record.agrees else "disagreement"),
                    KeyValue("Formalisms that apply", f"{applicable} of {len(record.checks)}"),
                    KeyValue("Largest relative difference", worst, note=f"limit {record.tolerance:g}", digits=2),
                    KeyValue("Closed form and positions", record.closed_form_difference, digits=2),
                    *_subject(record),
                )
            ),
            *(
                Notice("error", f"{check.title} disagrees")
                for check in record.checks
                if not check.agrees(record.tolerance)
            ),
            *(Notice("warning", text) for text in record.notices),
            _table(record),
            _plot(record),
            Text("Compared:\n\n" + "\n".join(f"- {line}" for line in record.compared)),
        ]
        return tuple(blocks)

    def overview(self) -> tuple[Table, ...]:
        """A row for each formalism; those that do not apply are named below with the reason."""
        record = self.record
        columns = (
            Column("formalism"),
            Column("largest difference", "", 2),
            Column("unknowns"),
            Column("multiplications"),
            Column("additions"),
            Column("time", "ms", 3),
            Column(""),
        )
        rows: list[tuple[Cell, ...]] = []
        for check in record.checks:
            if check.applicable:
                counts = (check.unknowns, check.multiplications, check.additions)
                figures = (check.max_relative_difference, *counts, 1e3 * check.seconds)
                rows.append((check.name, *figures, _remark(check, record)))
            else:
                rows.append((check.name, "–", *[None] * 4, ""))
        reasons = [f"{c.name} does not apply: {c.reason}" for c in record.checks if not c.applicable]
        verdict = "agree" if record.agrees else "do NOT agree"
        words = f"The formalisms {verdict}: relative differences of their equations, limit {record.tolerance:g}."
        return (Table(columns, tuple(rows), "\n".join([words, *reasons])),)

    def data(self) -> DataTable:
        """A row for each formalism."""
        names = (
            "applicable",
            "max_relative_difference",
            "unknowns",
            "multiplications",
            "additions",
            "seconds",
            "reason",
        )
        checks = self.record.checks
        columns = {name: [getattr(check, name) for check in checks] for name in names}
        return DataTable("formalism", [check.title for check in checks], columns)

    def figure(self) -> Figure:
        """Differences of every quantity."""
        return _plot(self.record)


def _remark(check: FormalismCheck, record: Crosscheck | SystemCrosscheck) -> str:
    """A disagreement, or how far the joints of a system were missed."""
    if (check.max_relative_difference or 0.0) > record.tolerance:
        return "DISAGREES"
    return f"drift {check.drift:.0e}" if isinstance(record, SystemCrosscheck) else ""


def _subject(record: Crosscheck | SystemCrosscheck) -> tuple[KeyValue, ...]:
    """What was compared, in figures."""
    if isinstance(record, Crosscheck):
        return (KeyValue("Speed", record.speed_rad_s, "rad/s"),)
    return (
        KeyValue("Velocities", record.velocities, note=f"{sum(record.bodies.values())} of them elastic"),
        KeyValue("Constraints", record.constraints, note="of joints and drives"),
        KeyValue("Motion compared over", record.span_s, "s", digits=3),
    )


def _table(record: Crosscheck | SystemCrosscheck) -> Table:
    if isinstance(record, SystemCrosscheck):
        return _system_table(record)
    return Table(
        (
            Column("formalism"),
            Column("largest difference", "", 2),
            Column("unknowns"),
            Column("multiplications"),
            Column("additions"),
            Column("time", "ms", 3),
            Column("starts from"),
        ),
        tuple(_row(check) for check in record.checks),
        caption="Operations and time to form the equations of the compared elements; unknowns of the system that "
        "each formalism solves for the body.",
    )


def _row(check: FormalismCheck) -> tuple[str | float | int | None, ...]:
    if not check.applicable:
        return (check.title, None, None, None, None, None, f"not applicable: {check.reason}")
    counts = (check.unknowns, check.multiplications, check.additions)
    return (check.title, check.max_relative_difference, *counts, 1e3 * check.seconds, check.primitive)


def _system_table(record: SystemCrosscheck) -> Table:
    rows: list[tuple[str | float | int | None, ...]] = []
    for check in record.checks:
        if not check.applicable:
            rows.append((check.title, *[None] * 6, f"not applicable: {check.reason}"))
            continue
        figures = (check.unknowns, check.multiplications, 1e3 * check.seconds, check.drift, check.energy_drift)
        rows.append((check.title, check.max_relative_difference, *figures, check.primitive))
    return Table(
        (
            Column("formalism"),
            Column("largest difference", "", 2),
            Column("unknowns"),
            Column("multiplications"),
            Column("time", "ms", 3),
            Column("drift", "", 2),
            Column("energy", "", 2),
            Column("starts from"),
        ),
        tuple(rows),
        caption="Operations and time for the accelerations at one state; unknowns that each solves for. Drift: "
        "the largest gap of joints after a step of the motion, before it is put back, in lengths of the system "
        "and radians. Energy: change of the energy balance over that motion.",
    )


def _plot(record: Crosscheck | SystemCrosscheck) -> Plot:
    """Differences of every quantity, one series for each formalism."""
    quantities = list(dict.fromkeys(name for check in record.checks for name in check.differences))
    series = []
    for check in record.checks:
        if check.applicable:
            places = [i for i, name in enumerate(quantities) if name in check.differences]
            values = [max(check.differences[quantities[i]], FLOOR) for i in places]
            series.append(
                Series(check.title, np.array(places, float) + 1, np.array(values), line=False, markers=True)
            )
    names = "; ".join(f"{i + 1} {name.replace('_', ' ')}" for i, name in enumerate(quantities))
    return Plot(
        x=Axis("quantity", minimum=0.0, maximum=len(quantities) + 1.0),
        y=Axis("relative difference", log=True, minimum=FLOOR),
        series=tuple(series),
        title="Differences from the references",
        reference_lines=(ReferenceLine("limit", intercept=record.tolerance),),
        caption=f"{names}.",
    )
