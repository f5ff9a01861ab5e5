"""The report of a crosscheck: six formalisms side by side."""

import numpy as np

from flexframe.reports.document import (
    Axis,
    Block,
    Column,
    KeyValue,
    KeyValues,
    Notice,
    Plot,
    ReferenceLine,
    Section,
    Series,
    Table,
    Text,
)
from flexframe.results.crosscheck import Crosscheck, FormalismCheck

FLOOR = 1e-18  # where a difference of exactly zero is drawn


def section(name: str, record: Crosscheck) -> Section:
    """Verdict, table of the formalisms, differences of every quantity, and what was compared."""
    worst = max((check.max_relative_difference or 0.0 for check in record.checks), default=0.0)
    applicable = sum(check.applicable for check in record.checks)
    blocks: list[Block] = [
        KeyValues(
            (
                KeyValue("Verdict", "all agree" if record.agrees else "disagreement"),
                KeyValue("Formalisms that apply", f"{applicable} of {len(record.checks)}"),
                KeyValue("Largest relative difference", worst, note=f"limit {record.tolerance:g}", digits=2),
                KeyValue("Closed form and positions", record.closed_form_difference, digits=2),
                KeyValue("Speed", record.speed_rad_s, "rad/s"),
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
    return Section(name, tuple(blocks))


def _table(record: Crosscheck) -> Table:
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


def _plot(record: Crosscheck) -> Plot:
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
