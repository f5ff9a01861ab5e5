"""Drives: an angle, a position, a distance or a path between two frames as a function of time.

Where a formula names sensors of position, the drive follows these coordinates; `System` puts them in their place.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, Protocol, Self

from flexframe.errors import InputError, at_field
from flexframe.model.constraints import (
    Along,
    Directed,
    Direction,
    Distance,
    Fixed,
    JointConstraint,
    Law,
    Rotation,
    TimeLaw,
    follows_state,
    state_law,
)
from flexframe.model.following import FollowingLaw, driven
from flexframe.model.joints import Joint, Prismatic, Revolute, X, Z


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
        return (driven(self.first, self.second, Rotation(self.axis), self.law),)


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
        return (driven(self.first, self.second, Along(self.axis), self.law),)


@dataclass(frozen=True)
class DistanceDrive(Driven):
    """The distance of the two markers [m]: a hydraulic cylinder."""

    kind: ClassVar[str] = "distance"
    name: str
    first: str
    second: str
    law: Law

    def constraints(self) -> tuple[JointConstraint, ...]:
        return (driven(self.first, self.second, Distance(Fixed()), self.law),)


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
            driven(self.first, self.second, Along(axis), law) for axis, law in zip(axes, self.path, strict=False)
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
