"""flexframe verify: computed values against references, one table."""

from collections.abc import Sequence

from flexframe.commands.console import console, print_json, progress_bar
from flexframe.errors import AnalysisError
from flexframe.verification.contract import Row
from flexframe.verification.run import chosen_checks, verify_rows


def verify(names: Sequence[str], as_json: bool) -> None:
    """Compute the named references (all without a name) and compare."""
    total = len(chosen_checks(names))
    with progress_bar(quiet=as_json) as show:
        started: list[str] = []

        def progress(name: str) -> None:
            show(len(started), total, name)
            started.append(name)

        rows = verify_rows(names, progress)
    if as_json:
        print_json([row.to_json() for row in rows])
    else:
        _print_table(rows)
    failed = [row for row in rows if not row.passed]
    if failed:
        places = ", ".join(f"{row.name} ({row.quantity})" for row in failed)
        raise AnalysisError(f"{len(failed)} of {len(rows)} values miss their reference: {places}")


def _print_table(rows: Sequence[Row]) -> None:
    """A table for each check, under its name and its source: so it fits 80 characters."""
    from rich.table import Table

    screen = console()
    for name in dict.fromkeys(row.name for row in rows):
        table = Table("quantity")
        for heading in ("computed", "reference", "error", "allowed", ""):
            table.add_column(heading, justify="right", no_wrap=True)
        own = [row for row in rows if row.name == name]
        for row in own:
            table.add_row(
                row.quantity,
                f"{row.computed:.7g}",
                f"{row.reference:.7g}",
                f"{row.relative_error:.1e}",
                f"{row.tolerance:.1e}",
                "pass" if row.passed else "FAIL",
            )
        screen.print(name, style="bold")
        for source in dict.fromkeys(row.source for row in own):
            screen.print(source)
        screen.print(table)
        screen.print()
