"""The compact tables of a presentation on a terminal."""

from rich.table import Table as Printed
from rich.text import Text

from flexframe.presentation.blocks import Cell, Column, Table
from flexframe.results.record import Record


def record_tables(record: Record) -> list[Printed]:
    """What a terminal shows of a result."""
    return [print_table(table) for table in record.presentation().overview()]


def print_table(table: Table) -> Printed:
    """A table with its numbers rounded as its columns say; text stands on the left, numbers on the right."""
    printed = Printed(caption=table.caption or None, caption_justify="left")
    for place, column in enumerate(table.columns):
        words = all(row[place] is None or isinstance(row[place], str) for row in table.rows)
        title = f"{column.header} [{column.unit}]" if column.unit else column.header
        printed.add_column(Text(title), justify="left" if words else "right")  # text: brackets are no markup
    for row in table.rows:
        printed.add_row(*(_show(cell, column) for cell, column in zip(row, table.columns, strict=True)))
    return printed


def _show(cell: Cell, column: Column) -> str:
    if cell is None:
        return ""
    return f"{cell:.{column.digits}g}" if isinstance(cell, float) else str(cell)
