"""What formulas of loads and controllers may use, under names of sensors and inputs: coordinates, and forces."""

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from flexframe.maths.formula import Formula
from flexframe.model.constraints import Along, Direction, Distance, Holonomic, Rotation, TimeLaw, state_law

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


@dataclass(frozen=True)
class MeasuredLoad:
    """The force of a load: of one along a coordinate all of it, else a component."""

    name: str  # of the sensor
    load: str
    component: int = 0


@dataclass(frozen=True)
class MeasuredContact:
    """The normal force of a contact, or its gap."""

    name: str  # of the sensor
    contact: str
    quantity: Literal["force", "gap"]


@dataclass(frozen=True)
class MeasuredReaction:
    """The force of a joint or drive: of one constraint of a drive, or a part of the wrench on the second body."""

    name: str  # of the sensor
    joint: str
    row: int = 0  # of a drive
    direction: Direction | None = None  # of force and moment, space axes: (6,)
    in_first: bool = False  # whether the direction is one in the axes of the first marker's body


@dataclass(frozen=True)
class MeasuredInput:
    """The value of an input."""

    name: str


@dataclass(frozen=True)
class MeasuredSprings:
    """The force of the springs of an elastic joint on its second body, along a direction of space."""

    name: str  # of the sensor
    joint: str
    parts: tuple[float, ...]  # of the force of each spring for a displacement, in their order


Measured = MeasuredCoordinate | MeasuredLoad | MeasuredContact | MeasuredReaction | MeasuredInput | MeasuredSprings


def dimension_of(what: Measured) -> tuple[int, int, int] | None:
    """Powers of m, kg and s of what is measured; None where that is not known."""
    if isinstance(what, MeasuredSprings):
        return 1, 1, -2
    if not isinstance(what, MeasuredCoordinate):
        return None
    rate = -1 if what.rate else 0
    match what.coordinate:
        case Rotation():
            return 0, 0, rate
        case Along() | Distance():
            return 1, 0, rate
    return None


def dimension_of_law(
    law: TimeLaw | str | float, controllers: Container[str], measured: Callable[..., Measured]
) -> tuple[int, int, int] | None:
    """The dimension of a sensor that a law names alone; `measured` says what a name is."""
    found = state_law(law)
    name = found.name if isinstance(found, Formula) else None
    if name is None or name.partition(".")[0] in controllers:
        return None
    return dimension_of(measured(name, instants=True))


class Measuring(Protocol):
    """A sensor whose reading a formula may use."""

    def measurements(self, name: str, system: "System", /) -> Mapping[str, Measured]:
        """Its numbers by component, that of a scalar by ''; InputError where a formula cannot use it."""
        ...
