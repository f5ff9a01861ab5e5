"""flexframe export: stored results in the formats of other programs."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from flexframe.commands.console import print_json
from flexframe.errors import InputError
from flexframe.reports.paraview import write_paraview
from flexframe.results.body_fields import body_fields
from flexframe.results.csv_tables import write_csv
from flexframe.results.storage import read_results

WRITERS: Mapping[str, Callable[[Any, Path, str], tuple[Path, ...]]] = {"vtk": write_paraview, "csv": write_csv}


def export(
    directory: Path, to: str, out: Path | None, names: Sequence[str], as_json: bool, *, confined: bool = False
) -> None:
    """Write the chosen analyses, all that can be written without names; print the files to open."""
    if to not in WRITERS:
        raise InputError(f"--to {to}: this format is unknown; choose one of {', '.join(WRITERS)}")
    stored = read_results(directory, confined=confined)
    unknown = [name for name in names if name not in stored.summary["analyses"]]
    if unknown:
        known = ", ".join(stored.summary["analyses"])
        raise InputError(f"{directory}: there is no analysis '{unknown[0]}'; choose from {known}")
    named = directory if directory.name else directory.resolve()
    target = out or named.with_name(f"{named.name}-{to}")
    if target.resolve() == directory.resolve():
        raise InputError(f"{out}: these are the results themselves; give another folder with --out")
    written: dict[str, list[str]] = {}
    skipped: list[str] = []
    for name in names or stored.summary["analyses"]:
        dataset = stored.dataset(name)
        if not names and to == "vtk" and not any(fields.on_nodes for fields in body_fields(dataset)):
            skipped.append(name)
            continue
        written[name] = [str(path) for path in WRITERS[to](dataset, target, name)]
    if not written:
        raise InputError(f"{directory}: no analysis has fields on a mesh; write them with --to csv")
    if as_json:
        print_json({"files": written, "skipped": skipped})
        return
    for name, files in written.items():
        shown = files if to == "csv" else files[:1]
        for file in shown:
            print(f"{name}: {file}")
    for name in skipped:
        print(f"{name}: no fields on a mesh, left out")
