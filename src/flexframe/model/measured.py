"""Coordinates that formulas of loads and controllers may use, under the names of sensors."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

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
