"""What springs, bushings and motors do beside their own law: parts that follow t, sensors and controllers.

A load with the force F(s, ṡ) of its own coordinate, a formula G of s, ṡ, t and names, a damping D of names and a
factor f has in all f (F + G − D ṡ). F stays an element of its own with its energy; what is left,

    (f − 1) F + f (G − D ṡ) ,

is a force along the same coordinate that follows a signal and whose work is that of a load.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from flexframe.maths.arrays import Array
from flexframe.model.characteristics import LawParameters
from flexframe.model.constraints import Holonomic

if TYPE_CHECKING:
    from flexframe.model.system_loads import CoordinateForce


@dataclass(frozen=True, eq=False)
class StateForce:
    """A force along the coordinate of an element, which follows the signal number `row` of its load."""

    kind: ClassVar[str] = "actuator"
    element: "CoordinateForce"
    row: int = 0

    @property
    def name(self) -> str:
        """That of the load."""
        return self.element.name

    @property
    def first(self) -> str:
        return self.element.first

    @property
    def second(self) -> str:
        return self.element.second

    def coordinate(self) -> Holonomic:
        return self.element.coordinate()

    def force(self, value: Array, rate: Array) -> Array:  # noqa: ARG002 - what it follows is added to this
        return np.zeros_like(value)

    def slopes(self, value: Array, rate: Array) -> tuple[Array, Array]:
        return np.zeros_like(value), np.zeros_like(rate)

    def parameters(self) -> LawParameters:
        return LawParameters()
