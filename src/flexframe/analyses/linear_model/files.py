"""Linear models as files of other programs: MATLAB's .mat, tables of text, and Simscape's flexible body."""

import csv
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from flexframe.errors import AnalysisError, InputError

if TYPE_CHECKING:
    import xarray

_MATRICES = ("A", "B", "C", "D")


def require_model(dataset: "xarray.Dataset", name: str) -> None:
    """Refuse what is no linear model."""
    if not all(matrix in dataset for matrix in _MATRICES):
        raise InputError(f"{name} is no linear model; name an analysis of kind linear_model")


def write_mat(dataset: "xarray.Dataset", path: Path) -> Path:
    """A, B, C, D and, as cells of text, names and units: `ss(A, B, C, D, Ts)` makes the model in MATLAB.

    Ts is the time between instants [s], zero of a model in continuous time.
    """
    from scipy.io import savemat

    made: dict[str, Any] = {matrix: np.asarray(dataset[matrix].values, dtype=float) for matrix in _MATRICES}
    for word in ("state", "input", "output"):
        made[f"{word}_names"] = _cells(dataset[word].values)
        made[f"{word}_units"] = _cells(dataset[f"{word}_unit"].values)
        made[f"{word}_at_point"] = np.asarray(dataset[f"{word}_at_point"].values, dtype=float)
    made["point"], made["point_time"] = str(dataset.attrs["point"]), float(dataset.attrs["point_time"])
    made["Ts"] = float(dataset.attrs.get("sample_period", 0.0))
    for key in ("cycle_A", "cycle_B", "cycle_C", "cycle_D"):
        if key in dataset:  # MATLAB's arrays of models have the instants last
            made[key] = np.moveaxis(dataset[key].values, 0, -1)
    if "monodromy" in dataset:
        made["monodromy"], made["cycle_times"] = dataset["monodromy"].values, dataset["time"].values
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        savemat(path, made, oned_as="row")
    except OSError as error:
        raise _unwritable(path, error) from error
    return path


def write_simscape(dataset: "xarray.Dataset", path: Path) -> Path:
    """origins (n, 3), K, M, damping (6 n + m square) and frame_names, in the order of Simscape's block."""
    from scipy.io import savemat

    if "solid_mass" not in dataset:
        raise InputError("the model has no frames; give frames to a linear model of one body in space")
    made = {
        "origins": dataset["solid_origin"].values,
        "K": dataset["solid_stiffness"].values,
        "M": dataset["solid_mass"].values,
        "damping": dataset["solid_damping"].values,
        "frame_names": _cells(dataset["solid_frame"].values),
    }
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        savemat(path, made, oned_as="row")
    except OSError as error:
        raise _unwritable(path, error) from error
    return path


def write_matrices(dataset: "xarray.Dataset", folder: Path, name: str) -> tuple[Path, ...]:
    """NAME-A.csv … NAME-D.csv with the names of rows and columns, and NAME-channels.csv with units."""
    paths = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for matrix in _MATRICES:
            rows, columns = (str(dimension) for dimension in dataset[matrix].dims)
            values = dataset[matrix].values.tolist()
            table = [["", *map(str, dataset[columns].values)]]
            table += [[str(row), *line] for row, line in zip(dataset[rows].values, values, strict=True)]
            paths.append(_write(folder / f"{name}-{matrix}.csv", table))
        table = [["sort", "name", "unit", "value at the point"]]
        for word in ("state", "input", "output"):
            table += [
                [word, str(own), str(unit), value]
                for own, unit, value in zip(
                    dataset[word].values,
                    dataset[f"{word}_unit"].values,
                    dataset[f"{word}_at_point"].values.tolist(),
                    strict=True,
                )
            ]
        paths.append(_write(folder / f"{name}-channels.csv", table))
    except OSError as error:
        raise _unwritable(folder, error) from error
    return tuple(paths)


def _write(path: Path, table: list[list[Any]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(table)
    return path


def _cells(texts: Any) -> Any:
    made = np.empty((1, len(texts)), dtype=object)
    made[0, :] = [str(text) for text in texts]
    return made


def _unwritable(path: Path, error: OSError) -> AnalysisError:
    return AnalysisError(f"{path}: cannot be written ({error.strerror or error}); free space or choose a folder")
