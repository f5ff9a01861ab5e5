"""The numbers of a sweep that answer to its variations, and their curves, surfaces and scatters."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

import numpy as np

from flexframe.analyses.kinds import presentation_class
from flexframe.errors import InputError
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


def response_plot(found: "Sweep", quantity: str, selection: Mapping[str, Any]) -> Any:
    """Axes with curves over one variation, filled contours over two, or points of a Latin hypercube."""
    import matplotlib.pyplot as plt

    data = _select(found.dataset, quantity, selection)
    response = response_of(data, quantity, len(found.plan.shape))
    _, axes = plt.subplots(layout="constrained")
    names = found.plan.names
    if found.plan.kind != "grid":
        return _curves(axes, data, response, names[0], style=".")
    long = [k for k, length in enumerate(response.values.shape[:-1]) if length > 1]
    if len(long) > 2:
        raise InputError(f"{len(long)} variations remain; fix all but two of them, as in {names[long[0]]}=…")
    measured = [data[name].dtype.kind == "f" for name in names]
    if len(long) == 2 and all(measured[k] for k in long):
        return _surface(axes, data, response, (names[long[1]], names[long[0]]))
    along = min(long, key=lambda k: not measured[k], default=0)  # numbers rather than words
    values = np.moveaxis(response.values, along, 0).reshape(data.sizes[names[along]], -1, len(response.components))
    if len(long) == 2:
        (across,) = (names[k] for k in long if k != along)
        words = tuple(f"{across} {word}" for word in data[across].values)
        response = replace(response, name=f"{response.name} {response.components[0]}".strip(), components=words)
        values = values[..., 0]
    response = replace(response, values=values.reshape(len(values), -1))
    return _curves(axes, data, response, names[along], style="-" if measured[along] else "o")


def _select(data: "xarray.Dataset", quantity: str, selection: Mapping[str, Any]) -> "xarray.Dataset":
    """The dataset where some dimensions are fixed: those of the variations by value, of lists by position."""
    numeric = [str(name) for name, values in data.data_vars.items() if values.dtype.kind == "f"]
    if quantity not in numeric:
        raise InputError(f"the sweep has no number '{quantity}'; it has {', '.join(numeric)}")
    for name, value in selection.items():
        dim = name if name in data.dims else f"{quantity.split('.', maxsplit=1)[0]}.{name}"
        if dim not in data.dims:
            raise InputError(
                f"'{name}' is no dimension of '{quantity}'; use {', '.join(map(str, data[quantity].dims))}"
            )
        if dim in data.coords:
            if value not in data[dim].values:
                known = ", ".join(map(str, data[dim].values[:20]))
                raise InputError(f"{name}={value} is not among the values; use one of {known}")
            data = data.sel({dim: [value]})
        else:
            size = data.sizes[dim]
            if not -size <= value < size:
                raise InputError(f"{name}={value} is beyond the list; count from 0 to {size - 1}")
            data = data.isel({dim: [value]}).assign_coords({dim: [part_label(dim, value % size)]})
    return data


def _curves(axes: Any, data: "xarray.Dataset", response: Response, along: str, *, style: str) -> Any:
    """A curve for each component; a single one is named by the axis."""
    single = len(response.components) == 1
    for component, column in zip(response.components, response.values.T, strict=True):
        axes.plot(data[along].to_numpy(), column, style, label=None if single else component)
    axes.set(
        xlabel=axis_label(data, along), ylabel=_value_label(response, response.components[0] if single else "")
    )
    if not single:
        axes.legend()
    return axes


def _surface(axes: Any, data: "xarray.Dataset", response: Response, names: tuple[str, str]) -> Any:
    """Filled contours of the first component; `names` are those of the horizontal and the vertical axis."""
    across, up = names
    filled = axes.contourf(data[across], data[up], response.values[..., 0].squeeze(), levels=12)
    axes.figure.colorbar(filled, ax=axes, label=_value_label(response, response.components[0]))
    axes.set(xlabel=axis_label(data, across), ylabel=axis_label(data, up))
    return axes


def _value_label(response: Response, component: str) -> str:
    label = f"{response.name} {component}".strip()
    return f"{label} [{response.unit}]" if response.unit else label


def axis_label(data: "xarray.Dataset", name: str) -> str:
    """A variation with its unit."""
    unit = data[name].attrs.get("units", "")
    return f"{name} [{unit}]" if unit else name
