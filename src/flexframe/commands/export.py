"""flexframe export: stored results in the formats of other programs."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from flexframe.analyses.linear_model.files import require_model, write_mat, write_matrices, write_simscape
from flexframe.commands.console import print_json
from flexframe.errors import InputError
from flexframe.exchange.paraview import write_paraview
from flexframe.results.body_fields import body_fields
from flexframe.results.csv_tables import write_csv
from flexframe.results.storage import read_results


def _mat(dataset: Any, folder: Path, name: str) -> tuple[Path, ...]:
    require_model(dataset, name)
    return (write_mat(dataset, folder / f"{name}.mat"),)


def _simscape(dataset: Any, folder: Path, name: str) -> tuple[Path, ...]:
    require_model(dataset, name)
    return (write_simscape(dataset, folder / f"{name}-simscape.mat"),)


def _csv(dataset: Any, folder: Path, name: str) -> tuple[Path, ...]:
    """Matrices of a linear model as matrices, all else by what it runs over."""
    if dataset.attrs.get("kind") == "linear_model":
        return write_matrices(dataset, folder, name)
    return write_csv(dataset, folder, name)


WRITERS: Mapping[str, Callable[[Any, Path, str], tuple[Path, ...]]] = {
    "vtk": write_paraview,
    "csv": _csv,
    "mat": _mat,
    "simscape": _simscape,
}
_OF_MODELS = ("mat", "simscape")


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
        if not names and not _fits(dataset, to):
            skipped.append(name)
            continue
        written[name] = [str(path) for path in WRITERS[to](dataset, target, name)]
    if not written:
        lacks = {"mat": "is a linear model", "simscape": "is a linear model of one body with frames"}
        way = "add frames: {root: start, tip: end} to one" if to == "simscape" else "write them with --to csv"
        raise InputError(f"{directory}: no analysis {lacks.get(to, 'has fields on a mesh')}; {way}")
    if as_json:
        print_json({"files": written, "skipped": skipped})
        return
    for name, files in written.items():
        shown = files[:1] if to == "vtk" else files
        for file in shown:
            print(f"{name}: {file}")
    for name in skipped:
        print(f"{name}: {'no linear model' if to in _OF_MODELS else 'no fields on a mesh'}, left out")


def _fits(dataset: Any, to: str) -> bool:
    """Whether a format has a place for what an analysis computed."""
    match to:
        case "vtk":
            return any(fields.on_nodes for fields in body_fields(dataset))
        case "mat":
            return bool(dataset.attrs.get("kind") == "linear_model")
        case "simscape":
            return "solid_mass" in dataset
    return True
