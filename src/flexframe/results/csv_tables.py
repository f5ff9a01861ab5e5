"""Datasets as CSV tables: variables that run over the same things share a file."""

import csv
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from flexframe.errors import AnalysisError

if TYPE_CHECKING:
    import xarray

_COMPONENTS = ("dof", "axis", "part", "quaternion")
"""Dimensions that become columns, such as displacement_ux; all others become rows."""

_SENSOR = "sensor_"


def write_csv(dataset: "xarray.Dataset", folder: str | Path, name: str) -> tuple[Path, ...]:
    """Write NAME-sensors.csv, NAME-time.csv, NAME-node.csv, … with full precision; single values: NAME-values.csv.

    All sensors share a file with a row for each instant and a column for each of their components.
    """
    groups: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for key, variable in dataset.variables.items():
        rows = tuple(str(d) for d in variable.dims if _is_row(str(d)))
        if str(key) not in dataset.dims:
            sensors = str(key).startswith(_SENSOR) and rows == ("time",)
            groups.setdefault(("sensors" if sensors else "-".join(rows), rows), []).append(str(key))
    target = Path(folder)
    try:
        target.mkdir(parents=True, exist_ok=True)
        return tuple(
            _write_group(dataset, rows, keys, target / f"{name}-{what or 'values'}.csv")
            for (what, rows), keys in groups.items()
        )
    except OSError as error:
        reason = error.strerror or str(error)
        raise AnalysisError(
            f"{target}: {name} cannot be written ({reason}); free space or choose a folder"
        ) from error


def _is_row(dimension: str) -> bool:
    return dimension not in _COMPONENTS and not dimension.startswith(("corner_", "component_"))


def _write_group(dataset: "xarray.Dataset", rows: tuple[str, ...], keys: list[str], path: Path) -> Path:
    sizes = [dataset.sizes[dimension] for dimension in rows]
    headers, columns = [], []
    for place, dimension in enumerate(rows):
        numbers = dataset[dimension].values if dimension in dataset.coords else np.arange(sizes[place])
        shape = [-1 if i == place else 1 for i in range(len(rows))]
        headers.append(dimension)
        columns.append(np.broadcast_to(numbers.reshape(shape), sizes).ravel())
    for key in keys:
        made = _columns(dataset, key, rows)
        headers += [header for header, _ in made]
        columns += [values for _, values in made]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(headers)
        # plain Python numbers print all their digits
        writer.writerows(zip(*(column.tolist() for column in columns), strict=True))
    return path


def _columns(dataset: "xarray.Dataset", key: str, rows: tuple[str, ...]) -> list[tuple[str, Any]]:
    """The columns of a variable: one, or one for each combination of its components."""
    variable = dataset[key]
    components = [str(d) for d in variable.dims if not _is_row(str(d))]
    values = variable.transpose(*rows, *components).values
    names = [
        [str(n) for n in dataset[d].values] if d in dataset.coords else [str(i) for i in range(dataset.sizes[d])]
        for d in components
    ]
    flat = values.reshape(-1, int(np.prod([len(n) for n in names], dtype=int)))
    unit = variable.attrs.get("units")
    end = f" [{unit}]" if unit else ""
    shown = key.removeprefix(_SENSOR)
    return [(f"{'_'.join((shown, *chosen))}{end}", flat[:, i]) for i, chosen in enumerate(product(*names))]
