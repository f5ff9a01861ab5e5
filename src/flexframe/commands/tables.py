"""The compact tables of a presentation on a terminal."""

from typing import Literal

from rich.table import Table as Printed
from rich.text import Text

from flexframe.presentation.blocks import Cell, Check, Column, Table
from flexframe.presentation.units import SI, DisplayUnits, in_units
from flexframe.results.record import Record

NAME = 18  # characters of a word that is not cut


def record_tables(record: Record, units: DisplayUnits = SI) -> list[Printed]:
    """What a terminal shows of a result, in the units of its reader."""
    return [print_table(in_units(table, units)) for table in record.presentation().overview()]


def quality_lines(record: Record) -> list[Text]:
    """How good a result is: one green line, or what is not as it should be."""
    checks = record.presentation().quality()
    doubts = [check for check in checks if not check.fine]
    if not checks:
        return []
    if not doubts:
        return [Text("quality: fine (" + ", ".join(map(_figure, checks)) + ")", style="green")]
    rest = [_figure(check) for check in checks if check.fine]
    lines = [Text(f"quality: {_figure(check)}: {check.otherwise}", style="yellow") for check in doubts]
    return lines + ([Text("quality, fine: " + ", ".join(rest), style="green")] if rest else [])


def _figure(check: Check) -> str:
    value = f"{check.value:.{check.digits}g}" if isinstance(check.value, float) else str(check.value)
    return f"{check.label} {value} {check.unit}".rstrip()


def print_table(table: Table) -> Printed:
    """A table with its numbers rounded as its columns say; text stands on the left, numbers on the right."""
    printed = Printed(caption=table.caption or None, caption_justify="left")
    for place, column in enumerate(table.columns):
        words = all(row[place] is None or isinstance(row[place], str) for row in table.rows)
        title = f"{column.header} [{column.unit}]" if column.unit else column.header
        shortest = max((len(word) for word in title.split()), default=0)  # words of a header are not cut,
        if not words:  # nor numbers,
            shortest = max(shortest, *(len(_show(row[place], column)) for row in table.rows))
        else:  # nor names
            names = (len(word) for row in table.rows for word in _show(row[place], column).split())
            shortest = max(shortest, *(size for size in names if size <= NAME), 0)
        justify: Literal["left", "right"] = "left" if words else "right"
        printed.add_column(  # text: brackets are no markup
            Text(title), justify=justify, overflow="fold", min_width=shortest
        )
    for row in table.rows:
        printed.add_row(*(_show(cell, column) for cell, column in zip(row, table.columns, strict=True)))
    return printed


def _show(cell: Cell, column: Column) -> str:
    if cell is None:
        return ""
    return f"{cell + 0.0:.{column.digits}g}" if isinstance(cell, float) else str(cell)
