"""Response curves, surfaces and scatters of a sweep with matplotlib."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from flexframe.errors import InputError
from flexframe.sweeps.responses import response_of

if TYPE_CHECKING:
    import xarray

    from flexframe.sweeps.sweep import Sweep


def response_plot(found: "Sweep", quantity: str, selection: Mapping[str, Any]) -> Any:
    """Axes with curves over one variation, filled contours over two, or points of a Latin hypercube."""
    import matplotlib.pyplot as plt

    data = found.dataset
    numeric = [str(name) for name, values in data.data_vars.items() if values.dtype.kind == "f"]
    if quantity not in numeric:
        raise InputError(f"the sweep has no number '{quantity}'; it has {', '.join(numeric)}")
    positions: dict[str, Any] = {}
    labels: dict[str, Any] = {}
    for name, value in selection.items():
        dim = name if name in data.dims else f"{quantity.split('.', maxsplit=1)[0]}.{name}"
        if dim not in data.dims:
            raise InputError(
                f"'{name}' is no dimension of '{quantity}'; use {', '.join(map(str, data[quantity].dims))}"
            )
        (labels if dim in data.coords else positions)[dim] = value
    data = data.isel({dim: [value] for dim, value in positions.items()}).sel(
        {dim: [value] for dim, value in labels.items()}
    )
    response = response_of(data, quantity, len(found.plan.shape))
    _, axes = plt.subplots(layout="constrained")
    label = f"{response.name} [{response.unit}]" if response.unit else response.name
    names = found.plan.names
    if found.plan.kind == "grid":
        long = [k for k, length in enumerate(response.values.shape[:-1]) if length > 1]
        if len(long) == 2 and all(data[names[k]].dtype.kind == "f" for k in long):
            values = response.values[..., 0].squeeze()
            surface = axes.contourf(data[names[long[1]]], data[names[long[0]]], values, levels=12)
            axes.figure.colorbar(surface, ax=axes, label=f"{label} {response.components[0]}".strip())
            axes.set(xlabel=axis_label(data, names[long[1]]), ylabel=axis_label(data, names[long[0]]))
            return axes
        if len(long) > 1:
            raise InputError(f"{len(long)} variations remain; fix all but two of them, as in {names[long[0]]}=…")
        along = long[0] if long else 0
        x, values = data[names[along]].to_numpy(), response.values.reshape(-1, response.values.shape[-1])
        order = np.arange(len(x))
        style = "-"
    else:
        x, values = data[names[0]].to_numpy(), response.values
        along, order, style = 0, np.argsort(x), "."
    for component, column in zip(response.components, values.T, strict=True):
        axes.plot(x[order], column[order], style, label=component or None)
    axes.set(xlabel=axis_label(data, names[along]), ylabel=label)
    if any(response.components):
        axes.legend()
    return axes


def axis_label(data: "xarray.Dataset", name: str) -> str:
    """A variation with its unit."""
    unit = data[name].attrs.get("units", "")
    return f"{name} [{unit}]" if unit else name
