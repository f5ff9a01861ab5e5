"""Drives: an angle, a position, a distance or a path between two frames by time, or by what is measured.

Where a formula names sensors of position, the drive follows these coordinates; `System` puts them in their place.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike

from flexframe.errors import InputError, at_field
from flexframe.given import Described
from flexframe.maths.arrays import Array
from flexframe.maths.formula import Formula, Jet
from flexframe.model.constraints import (
    Along,
    Between,
    Coupled,
    Directed,
    Direction,
    Distance,
    Fixed,
    JointConstraint,
    Law,
    Rotation,
    StateLaw,
    TimeLaw,
    follows_state,
    names_in,
    state_law,
    time_law,
)
from flexframe.model.joints import Joint, Prismatic, Revolute, X, Z
from flexframe.model.measured import Measured, MeasuredCoordinate, MeasuredInput
from flexframe.model.state_laws import Table

PartOfLaw = Formula | Table | TimeLaw
"""A formula of the coordinates and t, a table of such parts, or a law of time."""


@dataclass(frozen=True, eq=False)
class FollowingLaw:
    """f(r, t) of a drive: a formula of the names of other coordinates and of t, or a table of such formulas.

    Without names it is a law of time.
    """

    law: PartOfLaw  # formulas have the variables (*names, t)
    names: tuple[str, ...]
    leaders: tuple[Between, ...]  # r, in the order of the names

    def jet(self, times: ArrayLike, /) -> Jet:
        assert not self.names, "a law of coordinates is known in a position, not at a time"
        t = np.asarray(times, dtype=float)
        none = np.zeros((t.size, 0))
        value, rate, second = self.along(none, none, t.ravel(), 1.0)
        return value.reshape(t.shape), rate.reshape(t.shape), second.reshape(t.shape)

    @property
    def depends_on_time(self) -> bool:
        """Whether it changes where the coordinates do not."""
        return _depends_on_time(self.law)

    def along(self, values: Array, rates: Array, times: Array, time_rate: float) -> Jet:
        """f and two derivatives along straight lines of r (T, names) and t: (T,) each."""
        zero, still = np.zeros(len(times)), np.zeros(len(times))
        curve = [(values[:, k], rates[:, k], zero) for k in range(len(self.names))]
        return _along(self.law, [*curve, (times, np.full(len(times), time_rate), still)])

    def slopes(self, values: Array, times: Array) -> tuple[Array, Array, Array]:
        """f (T,), f_r (T, names) and f_t (T,)."""
        count = len(self.names)
        value = self.along(values, np.zeros_like(values), times, 0.0)[0]
        by_place = [
            self.along(values, np.tile(np.arange(count) == k, (len(times), 1)).astype(float), times, 0.0)[1]
            for k in range(count)
        ]
        return value, np.stack(by_place, axis=1), self.along(values, np.zeros_like(values), times, 1.0)[1]

    def frozen(self, time: float) -> "FollowingLaw":
        """With the time held."""
        return replace(self, law=_frozen(self.law, self.names, time))


def _along(law: PartOfLaw, curve: Sequence[Jet]) -> Jet:
    if isinstance(law, Table):
        return law.grid.along([_along(_part(each), curve) for each in law.inputs])
    if isinstance(law, Formula):
        return law.along(curve)
    time, rate, _ = curve[-1]
    value, first, second = law.jet(time)
    return value, first * rate, second * rate**2


def _part(given: Law) -> PartOfLaw:
    """An input of a table, which is made of parts already."""
    return Fixed(float(given)) if isinstance(given, int | float) else given  # type: ignore[return-value]


def _depends_on_time(law: PartOfLaw) -> bool:
    if isinstance(law, Table):
        return any(_depends_on_time(_part(each)) for each in law.inputs)
    return law.depends_on("t") if isinstance(law, Formula) else not isinstance(law, Fixed)


def _frozen(law: PartOfLaw, names: tuple[str, ...], time: float) -> PartOfLaw:
    if isinstance(law, Table):
        return replace(law, inputs=tuple(_frozen(_part(each), names, time) for each in law.inputs))
    if not isinstance(law, Formula):
        return Fixed(float(law.jet(np.array([time]))[0][0]))
    stopped = Formula.parse(law.text, names, {**dict(law.constants), "t": time})
    return replace(stopped, variables=(*names, "t"))


def following_law(given: TimeLaw, measured: Callable[[str], Measured], drive: str) -> FollowingLaw:
    """The law of a drive by measured coordinates and t; what cannot be one is refused."""
    names = tuple(dict.fromkeys(names_in(given)))
    leaders = tuple(_leader(name, measured(name), drive) for name in names)
    return FollowingLaw(_with_variables(given, names, drive), names, leaders)


def _leader(name: str, measured: Measured, drive: str) -> Between:
    if isinstance(measured, MeasuredInput):
        raise InputError(
            f"drive {drive} follows {name}, an input, which may jump, and a drive prescribes a position with its "
            "speed and acceleration; take an actuator with a controller that follows it"
        )
    if not isinstance(measured, MeasuredCoordinate):
        raise InputError(
            f"drive {drive} follows {name}, a force; a drive prescribes a position, so that it may follow "
            "positions, distances and angles only; take an actuator with a controller"
        )
    if measured.rate:
        raise InputError(
            f"drive {drive} follows {name}, a speed: that would be a constraint on velocities, which no position "
            "belongs to; follow the position whose rate it is, or take an actuator with a controller"
        )
    return Between(measured.first, measured.second, measured.coordinate)


def _with_variables(law: TimeLaw, names: tuple[str, ...], drive: str) -> PartOfLaw:
    """A law whose formulas have the same variables, in the same order."""
    if isinstance(law, Formula):
        return Formula.parse(law.text, (*names, "t"), dict(law.constants))
    if isinstance(law, Table):
        return replace(law, inputs=tuple(_with_variables(state_law(each), names, drive) for each in law.inputs))
    if isinstance(law, StateLaw):
        raise InputError(
            f"drive {drive} cannot follow a {type(law).__name__}, which has no second derivative; give a formula "
            "or a table, or take an actuator"
        )
    return law


def drive_constraint(
    first: str, second: str, coordinate: Along | Rotation | Distance, law: Law
) -> JointConstraint:
    """The constraint of a drive: a coordinate after a law of time, or after other coordinates."""
    if not isinstance(law, FollowingLaw) or not law.leaders:
        return replace(coordinate, law=time_law(law))
    own = Between(first, second, replace(coordinate, law=Fixed()))
    return Coupled(own, law.leaders[0], law, law.leaders[1:])


class Drive(Protocol):
    """Prescribes a relative motion; its force or torque is what keeps it."""

    kind: ClassVar[str]

    @property
    def name(self) -> str: ...
    @property
    def first(self) -> str: ...
    @property
    def second(self) -> str: ...

    @property
    def laws(self) -> "tuple[Law, ...]":
        """What its coordinates follow."""
        ...

    def constraints(self) -> tuple[JointConstraint, ...]:
        """One constraint for each prescribed coordinate."""
        ...

    def following(self, resolve: "Callable[[TimeLaw], FollowingLaw]") -> Self:
        """The drive with coordinates in the place of the names in its laws."""
        ...


class Driven(Directed):
    """A drive whose laws are checked when it is made."""

    kind: ClassVar[str]

    def __post_init__(self) -> None:
        super().__post_init__()
        path = getattr(self, "path", None)
        if path is not None and len(path) not in (2, 3):
            raise InputError(f"{len(path)} components of a path are given; give two or three", field=self.kind)
        with at_field(self.kind):
            for law in self.laws:
                state_law(law)

    @property
    def laws(self) -> "tuple[Law, ...]":
        """What its coordinates follow."""
        path: tuple[Law, ...] | None = getattr(self, "path", None)
        return (getattr(self, "law", 0.0),) if path is None else path

    @property
    def follows(self) -> bool:
        """Whether it follows another coordinate, so that its law is none of time alone."""
        return any(isinstance(law, FollowingLaw) for law in self.laws)

    def following(self, resolve: "Callable[[TimeLaw], FollowingLaw]") -> Self:
        """The drive with coordinates in the place of the names in its laws."""
        if not any(follows_state(state_law(law)) for law in self.laws):
            return self
        with at_field(self.kind):
            laws = tuple(resolve(found) if follows_state(found := state_law(law)) else law for law in self.laws)
        return replace(self, path=laws) if hasattr(self, "path") else replace(self, law=laws[0])  # type: ignore[type-var]


@dataclass(frozen=True)
class AngleDrive(Driven):
    """The second frame is turned against the first by an angle [rad] about their common axis."""

    kind: ClassVar[str] = "angle"
    name: str
    first: str
    second: str
    law: Law
    axis: Direction = Z

    def constraints(self) -> tuple[JointConstraint, ...]:
        return (drive_constraint(self.first, self.second, Rotation(self.axis), self.law),)


@dataclass(frozen=True)
class PositionDrive(Driven):
    """The second marker is this far [m] from the first along an axis of the first body."""

    kind: ClassVar[str] = "position"
    name: str
    first: str
    second: str
    law: Law
    axis: Direction = X

    def constraints(self) -> tuple[JointConstraint, ...]:
        return (drive_constraint(self.first, self.second, Along(self.axis), self.law),)


@dataclass(frozen=True)
class DistanceDrive(Driven):
    """The distance of the two markers [m]: a hydraulic cylinder."""

    kind: ClassVar[str] = "distance"
    name: str
    first: str
    second: str
    law: Law

    def constraints(self) -> tuple[JointConstraint, ...]:
        return (drive_constraint(self.first, self.second, Distance(Fixed()), self.law),)


@dataclass(frozen=True)
class PathDrive(Driven):
    """The second marker follows a path [m] given in the axes of the first frame, two components or three."""

    kind: ClassVar[str] = "path"
    name: str
    first: str
    second: str
    path: tuple[Law, ...]

    def constraints(self) -> tuple[JointConstraint, ...]:
        axes = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
        return tuple(
            drive_constraint(self.first, self.second, Along(axis), law)
            for axis, law in zip(axes, self.path, strict=False)
        )


def joint_drive(joint: Joint, law: Law, name: str = "") -> Drive:
    """A drive of the coordinate of a revolute or prismatic joint.

    Parameters
    ----------
    joint
        The joint.
    law
        Its angle [rad] or travel [m] over time.
    name
        Of the drive; "drive of JOINT" if not given.

    Returns
    -------
    Drive
        An `AngleDrive` or a `PositionDrive` between the markers of the joint, about or along its axis.

    Examples
    --------
    >>> hinge = ff.Revolute("elbow", "arm.end", "forearm.start", axis=(0, 1, 0))
    >>> ff.drives.joint_drive(hinge, "0.5*t").axis
    (0, 1, 0)
    """
    own = name or f"drive of {joint.name}"
    match joint:
        case Revolute(axis=axis):
            return AngleDrive(own, joint.first, joint.second, law, axis)
        case Prismatic(axis=axis):
            return PositionDrive(own, joint.first, joint.second, law, axis)
    raise InputError(
        f"{joint.name} has no single coordinate that a drive could follow; name a revolute or prismatic joint"
    )


DRIVES: tuple[type[Drive], ...] = (AngleDrive, PositionDrive, DistanceDrive, PathDrive)
"""Every kind of drive; adding one is a class and its name here."""


@dataclass(frozen=True)
class JointLimits(Described):
    """Bounds of a revolute or prismatic joint: of its coordinate [rad or m], its speed and its drive [N m or N].

    What is None has no bound. They stop nothing by themselves: paths and inverse kinematics keep to them or report
    what does not; `stops` of a joint are what it runs against.
    """

    joint: str
    lower: float | None = None
    upper: float | None = None
    speed: float | None = None
    force: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("speed", "force"):
            value = getattr(self, name)
            if value is not None and not (value > 0 and np.isfinite(value)):
                raise InputError(f"{name} of {self.joint} is {value:g}; give a bound above zero", field=name)
        low, high = self.range
        if not low < high:
            raise InputError(
                f"limits of {self.joint}, {low:g} and {high:g}, do not increase; sort them", field="lower"
            )

    @property
    def name(self) -> str:
        """That of its joint."""
        return self.joint

    @property
    def range(self) -> tuple[float, float]:
        """Lower and upper bound, infinite where there is none."""
        return (
            -np.inf if self.lower is None else float(self.lower),
            np.inf if self.upper is None else float(self.upper),
        )

    def nearest(self, value: float) -> float:
        """The value within the bounds that is nearest to another."""
        return float(np.clip(value, *self.range))
