"""What a reader of a sweep wants to see first: the numbers that answer to the variations."""

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import numpy as np

from flexframe.analyses.kinds import presentation_class
from flexframe.maths.arrays import Array

if TYPE_CHECKING:
    import xarray

    from flexframe.sweeps.sweep import Sweep

MOST_COMPONENTS = 12
HISTORIES = (".instant", ".sample", ".speed")


@dataclass(frozen=True, eq=False)
class Response:
    """One number of every case."""

    analysis: str
    name: str
    unit: str
    components: tuple[str, ...]
    values: Array  # (*shape of the plan, components)


def responses(found: "Sweep") -> list[Response]:
    """The telling quantities that differ between the cases, histories by their largest values."""
    data = found.dataset
    kinds = found.kinds
    chosen = []
    for name in map(str, data.data_vars):
        analysis = next((a for a in kinds if name.startswith(f"{a}.")), "")
        if analysis and data[name].dtype.kind == "f" and _is_telling(name, analysis, kinds[analysis], data):
            response = response_of(data, name, len(found.plan.shape), analysis)
            finite = response.values[np.isfinite(response.values)]
            if finite.size and _differs(response.values):
                chosen.append(response)
    return chosen


def response_of(data: "xarray.Dataset", name: str, outer: int, analysis: str = "") -> Response:
    """A quantity by its components; along a history the largest magnitude counts."""
    variable = data[name]
    title = name
    for dim in variable.dims[outer:]:
        if str(dim).endswith(HISTORIES):
            variable = abs(variable).max(str(dim))
            title = f"largest |{name}|"
    inner = variable.dims[outer:]
    shape = variable.shape[:outer]
    values = variable.to_numpy().reshape(*shape, -1)[..., :MOST_COMPONENTS]
    labels = _labels(data, tuple(map(str, inner)), variable.shape[outer:])[:MOST_COMPONENTS]
    return Response(analysis, title, str(data[name].attrs.get("units", "")), labels, values)


def _is_telling(name: str, analysis: str, kind: str, data: "xarray.Dataset") -> bool:
    rest = name[len(analysis) + 1 :]
    telling = presentation_class(kind).telling
    if telling:
        return any(fnmatchcase(rest, pattern) for pattern in telling)
    return data[name].ndim == data["status"].ndim


def _differs(values: Array) -> bool:
    """Whether a component changes by more than round-off from case to case."""
    flat = values.reshape(-1, values.shape[-1])
    for column in flat.T:
        finite = column[np.isfinite(column)]
        if finite.size > 1 and np.ptp(finite) > 1e-9 * np.abs(finite).max():
            return True
    return False


def part_label(dim: str, place: int) -> str:
    """Name of an entry of a list, counted from 1: 'mode 1'."""
    word = dim.rpartition(".")[2]
    return f"{place + 1}" if word.isdecimal() else f"{word} {place + 1}"


def _labels(data: "xarray.Dataset", dims: tuple[str, ...], shape: tuple[int, ...]) -> tuple[str, ...]:
    labels = [""]
    for dim, length in zip(dims, shape, strict=True):
        if dim in data.coords:
            parts = [str(value) for value in data[dim].values]
        else:
            parts = [part_label(dim, k) for k in range(length)]
        labels = [f"{label} {part}".strip() for label in labels for part in parts]
    return tuple(labels)
