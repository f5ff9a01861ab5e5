"""Drives: an angle, a position, a distance or a path between two frames as a function of time."""

from dataclasses import dataclass
from typing import ClassVar, Protocol

from flexframe.errors import InputError, at_field
from flexframe.model.constraints import (
    Along,
    Constraint,
    Directed,
    Direction,
    Distance,
    Rotation,
    TimeLaw,
    time_law,
)
from flexframe.model.joints import X, Z

Law = TimeLaw | str | float
"""A formula of t, a number, or a law such as a smoothed record; SI units."""


class Drive(Protocol):
    """Prescribes a relative motion; its force or torque is what keeps it."""

    kind: ClassVar[str]

    @property
    def name(self) -> str: ...
    @property
    def first(self) -> str: ...
    @property
    def second(self) -> str: ...

    def constraints(self) -> tuple[Constraint, ...]:
        """One constraint for each prescribed coordinate."""
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
            for law in (getattr(self, "law", 0.0),) if path is None else path:
                time_law(law)


@dataclass(frozen=True)
class AngleDrive(Driven):
    """The second frame is turned against the first by an angle [rad] about their common axis."""

    kind: ClassVar[str] = "angle"
    name: str
    first: str
    second: str
    law: Law
    axis: Direction = Z

    def constraints(self) -> tuple[Constraint, ...]:
        return (Rotation(self.axis, time_law(self.law)),)


@dataclass(frozen=True)
class PositionDrive(Driven):
    """The second marker is this far [m] from the first along an axis of the first body."""

    kind: ClassVar[str] = "position"
    name: str
    first: str
    second: str
    law: Law
    axis: Direction = X

    def constraints(self) -> tuple[Constraint, ...]:
        return (Along(self.axis, law=time_law(self.law)),)


@dataclass(frozen=True)
class DistanceDrive(Driven):
    """The distance of the two markers [m]: a hydraulic cylinder."""

    kind: ClassVar[str] = "distance"
    name: str
    first: str
    second: str
    law: Law

    def constraints(self) -> tuple[Constraint, ...]:
        return (Distance(time_law(self.law)),)


@dataclass(frozen=True)
class PathDrive(Driven):
    """The second marker follows a path [m] given in the axes of the first frame, two components or three."""

    kind: ClassVar[str] = "path"
    name: str
    first: str
    second: str
    path: tuple[Law, ...]

    def constraints(self) -> tuple[Constraint, ...]:
        axes = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
        return tuple(Along(axis, law=time_law(law)) for axis, law in zip(axes, self.path, strict=False))


DRIVES: tuple[type[Drive], ...] = (AngleDrive, PositionDrive, DistanceDrive, PathDrive)
"""Every kind of drive; adding one is a class and its name here."""
