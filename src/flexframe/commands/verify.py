"""flexframe verify: computed values against references, one table."""

from collections.abc import Sequence

from flexframe.commands.console import console, print_json
from flexframe.errors import AnalysisError
from flexframe.verification.run import verify_rows


def verify(names: Sequence[str], as_json: bool) -> None:
    """Compute the named references (all without a name) and compare."""
    rows = verify_rows(names)
    if as_json:
        print_json(rows)
    else:
        from rich.table import Table

        table = Table("name", "quantity", "computed", "reference", "error", "tolerance", "", "source")
        for row in rows:
            table.add_row(
                row["name"],
                row["quantity"],
                f"{row['computed']:.7g}",
                f"{row['reference']:.7g}",
                f"{row['relative_error']:.1e}",
                f"{row['tolerance']:.1e}",
                "pass" if row["passed"] else "FAIL",
                row["source"],
            )
        console().print(table)
    failed = [row["name"] for row in rows if not row["passed"]]
    if failed:
        raise AnalysisError(f"{len(failed)} of {len(rows)} values miss their reference: {', '.join(failed)}")
