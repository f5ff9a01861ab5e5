"""Arrays with named dimensions: what a record gives to a file, and to xarray for those who work with it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from flexframe.errors import InputError

if TYPE_CHECKING:
    import xarray


@dataclass(frozen=True, eq=False)
class Variable:
    """An array, the names of its dimensions, and what else there is to say about it."""

    dims: tuple[str, ...]
    values: NDArray[Any]
    attrs: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def given(cls, name: str, value: Any) -> "Variable":
        """From (dims, values) or (dims, values, attrs); values alone lie along a dimension of the same name."""
        dims, values, attrs = (*value, {})[:3] if isinstance(value, tuple) else (name, value, {})
        return cls((dims,) if isinstance(dims, str) else tuple(dims), np.asarray(values), attrs)


@dataclass(frozen=True, eq=False)
class NamedArrays:
    """Variables, coordinates and attributes in the notation of xarray, which is not needed to write them.

    xarray and pandas take longer to load than a small case takes to compute.
    """

    variables: Mapping[str, Any]  # name → (dims, values) or (dims, values, attrs)
    coords: Mapping[str, Any] = field(default_factory=dict)  # the same, or values along a dimension of that name
    attrs: Mapping[str, Any] = field(default_factory=dict)

    def extended(
        self,
        variables: Mapping[str, Any],
        coords: Mapping[str, Any] | None = None,
        attrs: Mapping[str, Any] | None = None,
    ) -> "NamedArrays":
        """The same with more in it."""
        return NamedArrays(
            {**self.variables, **variables}, {**self.coords, **(coords or {})}, {**self.attrs, **(attrs or {})}
        )

    def all_variables(self) -> dict[str, Variable]:
        """Variables and coordinates by name."""
        for name in self.variables.keys() & self.coords.keys():
            raise InputError(
                f"'{name}' is the name of a coordinate of the results; rename what has it in the case"
            )
        return {name: Variable.given(name, value) for name, value in {**self.variables, **self.coords}.items()}

    def to_xarray(self) -> "xarray.Dataset":
        """The dataset."""
        import xarray

        return xarray.Dataset(dict(self.variables), coords=dict(self.coords), attrs=dict(self.attrs))
