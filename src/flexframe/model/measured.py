"""Coordinates that formulas of loads and controllers may use, under the names of sensors."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from flexframe.model.constraints import Holonomic

if TYPE_CHECKING:
    from flexframe.model.system import System


@dataclass(frozen=True)
class MeasuredCoordinate:
    """A coordinate between two markers, or its rate; an angle counts through all turns."""

    name: str  # of the sensor
    first: str
    second: str
    coordinate: Holonomic
    rate: bool = False


class Measuring(Protocol):
    """A sensor whose reading a formula may use."""

    def measured(self, name: str, system: "System", /) -> Mapping[str, MeasuredCoordinate]:
        """Its numbers by component, that of a scalar by ''; InputError where a formula cannot use it."""
        ...


class Controlling(Protocol):
    """A controller: it makes signals, which formulas may use under its name, from others."""

    @property
    def name(self) -> str: ...

    def connect(self, builder: Any, /) -> Mapping[str, int]:
        """Its outputs by component, that of a single one by ''; the builder is that of `multibody.signals`."""
        ...
