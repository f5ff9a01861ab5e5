"""What a sensor is, what it may ask of a state, and what it gives: value, rate and Jacobian."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np

from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.model.body import Body
from flexframe.model.measured import Measured, MeasuredCoordinate
from flexframe.model.rigid_body import RigidBody
from flexframe.model.supports import NodeSelection
from flexframe.model.system import GROUND, System
from flexframe.motion.frame import vector3

if TYPE_CHECKING:
    from flexframe.sensors.states import State


@dataclass(frozen=True, eq=False)
class Reading:
    """Values (T, …) and their slopes (T, …, d) in d directions, carried through every operation by the chain rule.

    The directions are those that a state seeks: time alone (d = 1, the slope is the rate), or the coordinates of
    the state (the slopes are the Jacobian). Without slopes (None) nothing is known of the derivative.
    """

    values: Array
    slopes: Array | None = None

    def __array_ufunc__(self, function: np.ufunc, method: str, *inputs: "Reading", **options: Any) -> "Reading":
        """Let numpy.sqrt and numpy.maximum take readings, so that a formula for arrays serves them too."""
        if method == "__call__" and not options:
            if function is np.sqrt:
                return inputs[0].sqrt()
            if function is np.maximum:
                return _larger(*inputs)
        return NotImplemented

    def chain(self, values: Array, gradient: Array) -> "Reading":
        """f(x) of each element: values f and slopes f′ ẋ, both of the shape of x."""
        return Reading(values, None if self.slopes is None else gradient[..., None] * self.slopes)

    def __getitem__(self, component: int | slice) -> "Reading":
        """Some components of a vector."""
        return Reading(self.values[:, component], None if self.slopes is None else self.slopes[:, component])

    def __neg__(self) -> "Reading":
        return Reading(-self.values, None if self.slopes is None else -self.slopes)

    def __add__(self, other: "Reading | Array | float") -> "Reading":
        if not isinstance(other, Reading):
            return Reading(self.values + other, self.slopes)
        known = self.slopes is not None and other.slopes is not None
        return Reading(self.values + other.values, self.slopes + other.slopes if known else None)  # type: ignore[operator]  # both

    def __sub__(self, other: "Reading | Array | float") -> "Reading":
        return self + -other

    def __mul__(self, other: "Reading | float") -> "Reading":
        if not isinstance(other, Reading):
            return Reading(self.values * other, None if self.slopes is None else self.slopes * other)
        slopes = None
        if self.slopes is not None and other.slopes is not None:
            slopes = self.slopes * other.values[..., None] + self.values[..., None] * other.slopes
        return Reading(self.values * other.values, slopes)

    __rmul__ = __mul__

    def __truediv__(self, other: float) -> "Reading":
        return Reading(self.values / other, None if self.slopes is None else self.slopes / other)

    def __pow__(self, exponent: int) -> "Reading":
        return self.chain(self.values**exponent, exponent * self.values ** (exponent - 1))

    def sqrt(self) -> "Reading":
        """√x; at zero it has no slope, which becomes NaN."""
        root = np.sqrt(self.values)
        with np.errstate(divide="ignore", invalid="ignore"):
            return self.chain(root, 0.5 / root)

    def along(self, direction: Array) -> "Reading":
        """Component of a vector in a constant direction: (T,)."""
        slopes = None if self.slopes is None else np.einsum("tiz,i->tz", self.slopes, direction)
        return Reading(self.values @ direction, slopes)

    def dot(self, other: "Reading") -> "Reading":
        """a · b of two vectors: (T,)."""
        return product("ti,ti->t", self, other)

    def norm(self) -> "Reading":
        """|a| of a vector: (T,)."""
        return self.dot(self).sqrt()

    def rotated(self, rotation: "Reading") -> "Reading":
        """R a, with R (T, 3, 3)."""
        return product("tij,tj->ti", rotation, self)

    def rotated_back(self, rotation: "Reading") -> "Reading":
        """Rᵀ a."""
        return product("tji,tj->ti", rotation, self)


def _larger(first: Reading, second: Reading) -> Reading:
    """The larger one at each instant, with its slopes."""
    values, wins = np.maximum(first.values, second.values), first.values >= second.values
    if first.slopes is None or second.slopes is None:
        return Reading(values)
    return Reading(values, np.where(wins[..., None], first.slopes, second.slopes))


def product(subscripts: str, first: Reading, second: Reading) -> Reading:
    """A product in the notation of `numpy.einsum`, such as "ti,ti->t"; its slopes by the product rule."""
    inputs, out = subscripts.split("->")
    one, two = inputs.split(",")
    values = np.asarray(np.einsum(subscripts, first.values, second.values))
    if first.slopes is None or second.slopes is None:
        return Reading(values)
    slopes = np.einsum(f"{one}z,{two}->{out}z", first.slopes, second.values)
    return Reading(values, slopes + np.einsum(f"{one},{two}z->{out}z", first.values, second.slopes))


def stack(parts: list[Reading]) -> Reading:
    """Numbers (T,) as components of one vector (T, k)."""
    known = [part.slopes for part in parts if part.slopes is not None]
    slopes = np.stack(known, axis=1) if len(known) == len(parts) else None
    return Reading(np.stack([part.values for part in parts], axis=1), slopes)


Sought = Literal["value", "rate", "jacobian"]
Axes = Literal["space", "body"]

# The types of the fields of a sensor; the word says how a case file writes such a field.
Name = Annotated[str, "name"]  # of a body, joint or drive
MarkerName = Annotated[str, "marker"]  # "body.point", or "body" alone
Markers = Annotated[tuple[str, str], "markers"]  # two of them
Point = Annotated[tuple[float, ...] | int, "point"]  # m in body axes, or the number of a node
Selection = Annotated[NodeSelection, "selection"]
Direction = Annotated[tuple[float, ...], "direction"]


@dataclass(frozen=True, eq=False)
class Marker:
    """A point of a body: nodes of its mesh that it follows, or (without nodes) a point fixed in its frame."""

    body: str
    on: NodeSelection | None
    point: Array  # m, undeformed, body axes: (3,)

    @property
    def name(self) -> str:
        """Name of the point on a body with few coordinates."""
        return f"marker {self.on}"


@dataclass(frozen=True, eq=False)
class Measurement:
    """What a sensor sees: one number at each instant (T,), or a vector (T, k) with named components."""

    unit: str
    reading: Reading
    components: tuple[str, ...] = ()

    @property
    def values(self) -> Array:
        """(T,) or (T, k)."""
        return self.reading.values

    def columns(self, name: str) -> dict[str, Array]:
        """Each component by its name, such as "tip y"; a single number by the name of the sensor: (T,) each."""
        if not self.components:
            return {name: self.values}
        return {f"{name} {part}": column for part, column in zip(self.components, self.values.T, strict=True)}


class UnavailableError(InputError):
    """A sensor asks for something that an analysis does not have."""

    def __init__(self, state: "State", what: str, remedy: str) -> None:
        super().__init__(f"{state.analysis} has no {what}; {remedy}")


class Sensor(ABC):
    """A description of something to be measured: a frozen dataclass whose fields are words of a case file.

    In a case file the first field names the sensor, as `energy: kinetic`; where that field is `quantity`, its
    choices do, as `velocity: arm.tip`, and the value belongs to the second field.
    """

    @abstractmethod
    def read(self, state: "State") -> Measurement:
        """The measurement at all instants of a state; InputError for what does not exist or is not available."""

    def markers(self, system: System) -> tuple[Marker, ...]:  # noqa: ARG002 - most sensors need none
        """Markers that it follows; InputError for what the system does not have."""
        return ()

    def measurements(self, name: str, system: System) -> Mapping[str, Measured]:  # noqa: ARG002
        """What formulas may use under its name, by component; '' is that of a single number."""
        raise InputError(
            f"a formula cannot use the sensor {name}, a {type(self).__name__}; it may use positions, velocities, "
            "distances, angles and angular velocities, and forces of loads, contacts, joints and drives"
        )

    def value(self, state: "State") -> Array:
        """y: (T,) or (T, k)."""
        return self.read(state).values

    def rate(self, state: "State") -> Array:
        """dy/dt, in the shape of the value."""
        return np.asarray(self._slopes(state, "rate")[..., 0])

    def jacobian(self, state: "State") -> Array:
        """∂y/∂q of the n coordinates of a state, such that ẏ = J q̇ for q̇ = (v, ω, δ̇): (T, n) or (T, k, n)."""
        return self._slopes(state, "jacobian")

    def _slopes(self, state: "State", sought: Sought) -> Array:
        found = self.read(state.seeking(sought)).reading.slopes
        if found is None:
            remedy = {
                "rate": "measure its value, or a velocity or acceleration",
                "jacobian": "take a sensor that depends on positions and deformations alone",
                "value": "",
            }[sought]
            raise UnavailableError(state, f"{sought} of a {type(self).__name__}", remedy)
        return found


@dataclass(frozen=True)
class Rate(Sensor):
    """The time derivative of what another sensor measures; in case files `rate: true`."""

    of: Sensor

    def read(self, state: "State") -> Measurement:
        rates, plain = self.of.rate(state), self.of.read(state)
        unit = f"{plain.unit}/s".removeprefix("/") if plain.unit else "1/s"
        return Measurement(unit, Reading(rates), plain.components)

    def markers(self, system: System) -> tuple[Marker, ...]:
        return self.of.markers(system)

    def measurements(self, name: str, system: System) -> Mapping[str, Measured]:
        found = self.of.measurements(name, system)
        rates: dict[str, Measured] = {}
        for part, each in found.items():
            if not isinstance(each, MeasuredCoordinate):
                raise InputError(
                    f"a formula cannot use the sensor {name}, the rate of a force; filter the force by a transfer "
                    "function such as s/(0.001 s + 1)"
                )
            if each.rate:
                raise InputError(f"a formula cannot use the sensor {name}, which is an acceleration")
            rates[part] = replace(each, rate=True)
        return rates


def find_marker(system: System, name: str, at: NodeSelection | None = None) -> Marker:
    """The marker that a sensor names.

    Parameters
    ----------
    system
        The bodies.
    name
        "body.point"; "body" with `at`; or "body" alone, the origin of its frame.
    at
        The node of a mesh nearest to a point [m], a node or set, or a point of a rigid body [m].

    Returns
    -------
    Marker
        Body, nodes (of a meshed body) and place [m] in its axes.

    Examples
    --------
    >>> crank = ff.RigidBody.rod("crank", length=0.3, mass=1.2)
    >>> system = ff.System([crank], [ff.Revolute("A", "ground", "crank")])
    >>> ff.sensors.find_marker(system, "crank.end").body
    'crank'
    """
    owner, frame = system.frame(name)
    if owner == GROUND:
        raise InputError("a sensor on the ground sees nothing; name a body")
    body, point = system.body(owner), name.partition(".")[2]
    if point and at is not None:
        raise InputError(f"the marker {name} is given with at; leave out one of them")
    if isinstance(body, RigidBody):
        if isinstance(at, int | str):
            raise InputError(f"body {owner} has no nodes; give a point instead of '{at}'")
        return Marker(owner, None, frame.point if at is None else vector3(at, "at"))
    on: NodeSelection | None = at
    if at is None and point:
        on = int(point) if point.isdigit() else point
    if on is None:
        return Marker(owner, None, frame.point)
    return Marker(owner, on, _centre(body, on))


def _centre(body: Body, on: NodeSelection) -> Array:
    return np.asarray(body.mesh.points[body.selected_nodes(on)].mean(axis=0))


def find_markers(system: System, sensors: Mapping[str, Sensor]) -> dict[str, dict[str, NodeSelection]]:
    """Nodes that sensors follow on meshed bodies: body → name of the marker → nodes."""
    found: dict[str, dict[str, NodeSelection]] = {}
    for name, sensor in sensors.items():
        with naming(name):
            for marker in sensor.markers(system):
                if marker.on is not None:
                    found.setdefault(marker.body, {})[marker.name] = marker.on
    return found


@contextmanager
def naming(sensor: str) -> Iterator[None]:
    """Within it an InputError gets the name of the sensor."""
    try:
        yield
    except InputError as error:
        raise InputError(f"sensor {sensor}: {error}", field=("sensors", sensor, *error.field)) from None


def read_all(sensors: Mapping[str, Sensor], state: "State") -> dict[str, Measurement]:
    """What all sensors see."""
    found = {}
    for name, sensor in sensors.items():
        with naming(name):
            found[name] = sensor.read(state)
    return found
