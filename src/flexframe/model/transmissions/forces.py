"""Forces of elastic transmissions, and what transmissions pull and push beside their own coordinates."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from flexframe.maths.arrays import Array
from flexframe.maths.formula import Formula
from flexframe.model.characteristics import LawParameters
from flexframe.model.constraints import (
    Along,
    Coupled,
    Holonomic,
    Perpendicular,
)


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
