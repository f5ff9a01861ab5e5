"""What every transmission is: a joint that couples two coordinates, with forces where it is elastic."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, cast

import numpy as np

from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.maths.formula import Formula
from flexframe.model.characteristics import LawParameters
from flexframe.model.constraints import (
    Along,
    Between,
    Coupled,
    Directed,
    Direction,
    Holonomic,
    JointConstraint,
    Perpendicular,
    unit,
)

X, Z = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)
SAME = 1e-9
"""Sine of an angle, and part of a length, that are rounding."""


def as_tuple(vector: Array) -> Direction:
    """A vector as entries hold it."""
    return tuple(vector.tolist())


def same_line(first: Array, second: Array) -> bool:
    """Whether two unit vectors are along one line."""
    return bool(np.linalg.norm(np.cross(first, second)) < SAME)


def of_unit_length(direction: Sequence[float]) -> Direction:
    """The direction with length one."""
    return tuple(unit(direction, "direction").tolist())


@dataclass(frozen=True, eq=False)
class TransmissionForce:
    """A force along s − f(r); with the protocol of forces along coordinates."""

    kind: ClassVar[str]
    name: str
    first: str
    second: str
    coupled: Coupled
    stiffness: float
    given: float  # play or pretension
    damping: float

    def coordinate(self) -> Holonomic:
        return self.coupled.follower.coordinate

    def force(self, value: Array, rate: Array) -> Array:
        raise NotImplementedError

    def slopes(self, value: Array, rate: Array) -> tuple[Array, Array]:
        raise NotImplementedError

    @property
    def damped(self) -> bool:
        """Whether it takes energy."""
        return self.damping > 0

    def parameters(self) -> LawParameters:
        return LawParameters((self.stiffness, self.given, self.damping))


class MeshForce(TransmissionForce):
    """Flanks with play b: −sgn(s) max(0, k p + d ṗ) where p = |s| − b/2 > 0, else nothing."""

    kind: ClassVar[str] = "gear_mesh"

    def force(self, value: Array, rate: Array) -> Array:
        depth, side = np.abs(value) - 0.5 * self.given, np.sign(value)
        push = np.maximum(self.stiffness * depth + self.damping * side * rate, 0.0)
        return np.asarray(np.where(depth > 0, -side * push, 0.0))

    def slopes(self, value: Array, rate: Array) -> tuple[Array, Array]:
        depth, side = np.abs(value) - 0.5 * self.given, np.sign(value)
        pushes = (depth > 0) & (self.stiffness * depth + self.damping * side * rate >= 0)
        return np.where(pushes, self.stiffness, 0.0), np.where(pushes, self.damping, 0.0)


class CableForce(TransmissionForce):
    """One strand that pulls: −max(0, T₀ + k s), with damping while it is taut."""

    kind: ClassVar[str] = "cable"
    sides: ClassVar[tuple[float, ...]] = (1.0,)

    def force(self, value: Array, rate: Array) -> Array:
        total = np.zeros(np.shape(value))
        for side in self.sides:
            tension = self.given + side * self.stiffness * value
            pull = np.maximum(tension + side * self.damping * rate, 0.0)
            total = total - np.where(tension > 0, side * pull, 0.0)
        return total

    def slopes(self, value: Array, rate: Array) -> tuple[Array, Array]:
        taut = np.zeros(np.shape(value))
        for side in self.sides:
            tension = self.given + side * self.stiffness * value
            taut = taut + ((tension > 0) & (tension + side * self.damping * rate >= 0))
        return self.stiffness * taut, self.damping * taut


@dataclass(frozen=True, eq=False)
class FlankForce(CableForce):
    """A flank of teeth, along s or (`side` −1) along −s."""

    side: float


class BeltForce(CableForce):
    """Two strands that pull against each other."""

    kind: ClassVar[str] = "belt"
    sides: ClassVar[tuple[float, ...]] = (1.0, -1.0)


@dataclass(frozen=True, eq=False)
class Pull:
    """A force or moment on a wheel in a direction of its carrier that follows what its transmission carries.

    Its law is one of `force`, the torque or force along the second coordinate, or of the stretch `s` of an elastic
    transmission with its rate `v`. It has the protocol of forces along coordinates.
    """

    kind: ClassVar[str] = "actuator"
    name: str
    first: str  # the carrier
    second: str
    along: Along | Perpendicular
    joint: str
    law: Formula
    coupled: Coupled

    def coordinate(self) -> Holonomic:
        return self.along

    def force(self, value: Array, rate: Array) -> Array:  # noqa: ARG002 - what it follows is added to this
        return np.zeros_like(value)

    def slopes(self, value: Array, rate: Array) -> tuple[Array, Array]:
        return np.zeros_like(value), np.zeros_like(rate)

    def parameters(self) -> LawParameters:
        return LawParameters()


class Transmission(Directed):
    """A joint that couples two coordinates."""

    kind: ClassVar[str]
    name: str
    first: str
    second: str

    def coupling(self) -> Coupled:
        """What follows what."""
        raise NotImplementedError

    def element(self) -> TransmissionForce | None:
        """Its force, where it has a stiffness."""
        return None

    def elements(self) -> tuple[TransmissionForce, ...]:
        """Its force in the parts that act by themselves, as each flank of its teeth does."""
        whole = self.element()
        return () if whole is None else (whole,)

    def pulls(self) -> tuple[Pull, ...]:
        """What it pulls and pushes beside its own coordinates."""
        return ()

    @property
    def follows_reaction(self) -> str:
        """The field for which it acts on bearings with a force that follows its reaction; none: no force does."""
        if getattr(self, "stiffness", None) is not None or getattr(self, "torque_only", True):
            return ""
        follows = {"flanks": getattr(self, "flanks", "one") == "both"}
        follows |= {name: bool(getattr(self, name, 0.0)) for name in ("helix_angle", "pretension")}
        return next((name for name, does in follows.items() if does), "")

    def assemble(self, centres: tuple[Array, Array] | None, misfit: float) -> "Transmission":  # noqa: ARG002
        """The same where the places of both markers in the axes of the carrier are known, at the start.

        Places are given where bearings hold the markers of wheels there. `misfit` is s − f(r); an elastic
        transmission whose phase is not given begins without a stretch.
        """
        return self

    def constraints(self) -> tuple[JointConstraint, ...]:
        return (self.coupling(),) if self.element() is None else ()


def require_positive(what: str, value: float) -> None:
    if not (value > 0 and np.isfinite(value)):
        raise InputError(f"{what} is {value:g}; give a number above zero")


def require_not_negative(joint: Transmission, *names: str) -> None:
    for name in names:
        value = getattr(joint, name)
        if value is not None and not value >= 0:
            raise InputError(f"{name} of {joint.name} is {value:g}; give zero or more", field=name)


def fields_of(joint: Transmission) -> dict[str, Any]:
    return {each.name: getattr(joint, each.name) for each in fields(cast("Any", joint))}


def pulls_of(joints: Iterable[object]) -> tuple[Pull, ...]:
    """What transmissions among joints pull and push beside their own coordinates."""
    return tuple(each for joint in joints if isinstance(joint, Transmission) for each in joint.pulls())


def elements_of(joints: Iterable[object]) -> tuple[TransmissionForce, ...]:
    """Force elements among joints."""
    return tuple(each for joint in joints if isinstance(joint, Transmission) for each in joint.elements())


def sides_of(joint: object) -> tuple[Between, ...]:
    """The coordinates that a joint couples, each with its two markers."""
    found = [c for c in joint.constraints() if isinstance(c, Coupled)] if hasattr(joint, "constraints") else []
    if isinstance(joint, Transmission) and (element := joint.element()) is not None:
        found.append(element.coupled)
    return tuple(side for coupled in found for side in coupled.sides)
