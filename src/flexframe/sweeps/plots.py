"""Response curves, surfaces and scatters of a sweep with matplotlib."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from flexframe.errors import InputError
from flexframe.sweeps.responses import Response, part_label, response_of

if TYPE_CHECKING:
    import xarray

    from flexframe.sweeps.sweep import Sweep


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
