"""Drives that follow a measured coordinate: s = f(r) + g(t)."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.maths.expression import arity
from flexframe.maths.formula import Formula, Operation
from flexframe.model.constraints import (
    Along,
    Between,
    Coupled,
    Distance,
    Fixed,
    JointConstraint,
    Rotation,
    TimeLaw,
    time_law,
)
from flexframe.model.measured import Measured, MeasuredCoordinate, MeasuredInput

_SUMS = (Operation.ADD, Operation.SUBTRACT, Operation.NEGATE)
_PROBES = (0.0, 1.0, 0.5)


@dataclass(frozen=True, eq=False)
class FollowingLaw:
    """f(r) + g(t) of a drive, r being another coordinate; as a law it is f alone, of r instead of the time."""

    formula: Formula  # of r and t
    leader: Between

    def jet(self, values: ArrayLike, /) -> tuple[Array, Array, Array]:
        return self.formula.jet(values, 0.0, along=self.formula.variables[0])

    @cached_property
    def of_time(self) -> TimeLaw:
        """g, which is zero at t = 0."""
        return _TimePart(self.formula) if self.formula.depends_on("t") else Fixed()

    def frozen(self, time: float) -> "FollowingLaw":
        """With the value of g at a time."""
        name, text = self.formula.variables[0], self.formula.text
        constants = {**dict(self.formula.constants), "t": time}
        stopped = Formula.parse(text, (name,), constants)
        return replace(self, formula=replace(stopped, variables=(name, "t")))


@dataclass(frozen=True, eq=False)
class _TimePart:
    """g(t) = f(r, t) − f(r, 0) at any r."""

    formula: Formula

    def jet(self, times: ArrayLike, /) -> tuple[Array, Array, Array]:
        for r in _PROBES:
            value, rate, second = self.formula.jet(r, times, along="t")
            beginning = self.formula(r, 0.0)
            if np.isfinite(beginning) and np.isfinite(value).all():
                break
        return value - beginning, rate, second


def following_law(given: Formula, measured: Measured, drive: str) -> FollowingLaw:
    """The law of a drive by a formula of one measured coordinate and t; what cannot be one is refused."""
    name = given.names[0]
    if len(set(given.names)) > 1:
        raise InputError(
            f"drive {drive} follows {' and '.join(given.names)}, and a drive follows one sensor at most; let it "
            "follow one, or take an actuator with a controller"
        )
    if isinstance(measured, MeasuredInput):
        raise InputError(
            f"drive {drive} follows {name}, an input, which may jump, and a drive prescribes a position with its "
            "speed and acceleration; take an actuator with a controller that follows it"
        )
    if not isinstance(measured, MeasuredCoordinate):
        raise InputError(
            f"drive {drive} follows {name}, a force; a drive prescribes a position, so that it may follow a "
            "position, distance or angle only; take an actuator with a controller"
        )
    if measured.rate:
        raise InputError(
            f"drive {drive} follows {name}, a speed: that would be a constraint on velocities, which no position "
            "belongs to; follow the position whose rate it is, or take an actuator with a controller"
        )
    formula = Formula.parse(given.text, (name, "t"), dict(given.constants))
    if not _separate(formula):
        raise InputError(
            f"drive {drive} mixes {name} and t in '{given.text}'; write a sum of a formula of {name} and one of t"
        )
    leader = Between(measured.first, measured.second, measured.coordinate)
    return FollowingLaw(formula, leader)


def _separate(formula: Formula) -> bool:
    """Whether a formula of two variables is a sum of functions of each."""
    stack: list[frozenset[int]] = []  # variables in each value
    for code, operand in zip(formula.opcodes, formula.operands, strict=True):
        operation = Operation(int(code))
        if operation is Operation.NUMBER:
            stack.append(frozenset())
        elif operation is Operation.VARIABLE:
            stack.append(frozenset({int(operand)}))
        else:
            taken = [stack.pop() for _ in range(arity(operation))]
            both = frozenset().union(*taken)
            scaled = operation is Operation.MULTIPLY and frozenset() in taken
            scaled = scaled or (operation is Operation.DIVIDE and not taken[0])
            if len(both) > 1 and operation not in _SUMS and not scaled:
                return False
            stack.append(both)
    return True


def driven(
    first: str, second: str, coordinate: Along | Rotation | Distance, law: "TimeLaw | str | float"
) -> JointConstraint:
    """The constraint of a drive: a coordinate after a law of time, or after another coordinate."""
    if not isinstance(law, FollowingLaw):
        return replace(coordinate, law=time_law(law))
    own = replace(coordinate, law=law.of_time)
    return Coupled(Between(first, second, own), law.leader, law)
