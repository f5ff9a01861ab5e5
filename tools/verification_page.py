"""Write docs/verification/results.md from the checks of `flexframe verify`."""

from itertools import groupby
from pathlib import Path

from flexframe.verification.run import verify_rows

PAGE = Path(__file__).parents[1] / "docs" / "verification" / "results.md"

HEAD = """# Computed against references

This page is written by `python tools/verification_page.py` from the checks of `flexframe verify`.
Each figure is computed on two meshes; the error is that of the finer one, relative to the reference.

"""


def page() -> str:
    parts = [HEAD]
    for name, group in groupby(verify_rows(progress=print), key=lambda row: row.name):
        rows = list(group)
        parts.append(f"## {name}\n\n{rows[0].conditions}. Source: {rows[0].source}.\n\n")
        parts.append("| quantity | reference | computed | half the density | error | tolerance | |\n")
        parts.append("|---|---:|---:|---:|---:|---:|---|\n")
        for row in rows:
            parts.append(
                f"| {row.quantity} | {row.reference:.8g} | {row.computed:.8g} | {row.coarse:.8g} "
                f"| {row.relative_error:.1e} | {row.tolerance:.0e} | {'met' if row.passed else '**missed**'} |\n"
            )
        parts.append("\n")
    return "".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE.name}")
