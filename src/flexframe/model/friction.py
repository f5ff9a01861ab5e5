"""Friction as a load along or about an axis, given by itself or by a joint."""

from dataclasses import dataclass, fields
from typing import ClassVar, Literal

import numpy as np

from flexframe.errors import InputError, at_field
from flexframe.maths.arrays import Array
from flexframe.model.characteristics import LawParameters
from flexframe.model.constraints import (
    Along,
    Directed,
    Direction,
    Holonomic,
    Law,
    Rotation,
    TimeLaw,
    constant_of,
    state_law,
)
from flexframe.model.joints import Cylindrical, Joint, Prismatic, Revolute, X, Z, elasticity_of, frictions_of
from flexframe.model.rubbing import PRESLIDING, RELAXATION, Bristles, Pressed, Rubbing, require_bristles


@dataclass(frozen=True)
class Friction(Rubbing, Directed):
    """Coulomb friction along an axis [N], or about it [N m], with a limit that is a number or a formula of state.

    `limit` and `static` may be formulas of t, sensors and controllers, never below zero: the stiffness of bristles
    follows `static` then. The other fields are those of `Rubbing`.
    """

    kind: ClassVar[str] = "friction"
    name: str
    first: str
    second: str
    limit: Law
    axis: Direction | None = None
    of: Literal["sliding", "rotation"] = "sliding"

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("limit", "static"):
            with at_field(name):
                state_law(getattr(self, name) or 0.0)
        if not ((self.limits is None or self.limits[0] >= 0) and self.smoothing > 0):
            raise InputError(f"friction {self.name} needs a force of zero or more and a velocity above zero")
        if self.bristles is None:
            names = ("static", "stiffness", "damping", "presliding", "relaxation")
            given = [name for name in names if getattr(self, name) is not None]
            if given:
                raise InputError(
                    f"friction {self.name} has {given[0]}, which tanh does not know; take elasto_plastic or lugre "
                    "as its model and no regularisation, or leave it out",
                    field=given[0],
                )
            return
        self._check_bristles()

    def _check_bristles(self) -> None:
        if self.velocity is not None:
            raise InputError(
                f"friction {self.name} has a regularisation, which is for tanh; leave it out", field="velocity"
            )
        if self.limits is not None and not self.limits[0] > 0:
            raise InputError(f"friction {self.name} with bristles needs a limit above zero", field="limit")
        if self.limits is not None and self.limits[1] < self.limits[0]:
            raise InputError(
                f"static of friction {self.name} is below its limit; faces that stick hold as much at least",
                field="static",
            )
        for name, other, positive in (("stiffness", "presliding", True), ("damping", "relaxation", False)):
            value = getattr(self, name)
            if value is None:
                continue
            if getattr(self, other) is not None:
                raise InputError(
                    f"friction {self.name} has {name} and {other}, which say the same; leave one out", field=other
                )
            if self.limits is None:
                raise InputError(
                    f"the limit of friction {self.name} is a formula, which its {name} follows; give {other} "
                    f"instead",
                    field=name,
                )
            if not (value > 0 or (value == 0 and not positive)):
                raise InputError(f"{name} of friction {self.name} is negative or zero; correct it", field=name)
        require_bristles(self, f"friction {self.name}")

    @property
    def limits(self) -> tuple[float, float] | None:
        """Limit and static where both are numbers."""
        laws = [state_law(law) for law in (self.limit, self.limit if self.static is None else self.static)]
        limit, static = map(constant_of, laws)
        return None if limit is None or static is None else (limit, static)

    @property
    def changing(self) -> tuple[TimeLaw, TimeLaw] | None:
        """The laws of limit and static where one of them is no number."""
        if self.limits is not None:
            return None
        return state_law(self.limit), state_law(self.limit if self.static is None else self.static)

    @property
    def bristles(self) -> Bristles | None:
        """What its state follows, none of tanh."""
        model = self.model or ("elasto_plastic" if self.velocity is None else "tanh")
        if model == "tanh":
            return None
        presliding = PRESLIDING if self.presliding is None else self.presliding
        if self.stiffness is not None and self.limits is not None and self.stiffness > 0:
            presliding = self.limits[1] / self.stiffness
        relaxation = RELAXATION if self.relaxation is None else self.relaxation
        if self.damping is not None and self.limits is not None and self.limits[1] > 0:
            relaxation = self.damping * presliding / self.limits[1]
        numbers = (presliding, relaxation, self.viscous, self.stribeck, self.break_away)
        return Bristles(model, self.limits, *numbers)

    @property
    def smoothing(self) -> float:
        """The velocity of tanh [m/s, rad/s]."""
        return 1e-3 if self.velocity is None else self.velocity

    def coordinate(self) -> Holonomic:
        """The position [m] along `axis` of the first frame (x), or the rotation [rad] about it (z)."""
        if self.of == "sliding":
            return Along(self.axis or X)
        return Rotation(self.axis or Z)

    def force(self, value: Array, rate: Array) -> Array:
        """−limit · tanh(ṡ/`smoothing`) [N or N m]; zero where bristles or a formula give the force instead."""
        if self._constant_tanh is None:  # what follows bristles or a formula is a signal
            return np.zeros_like(value)
        return -self._constant_tanh * np.tanh(rate / self.smoothing)

    def slopes(self, value: Array, rate: Array) -> tuple[Array, Array]:  # noqa: ARG002 - the same everywhere
        """−∂F/∂s, which is zero, and −∂F/∂ṡ [N s/m or N m s/rad] of `force`."""
        if self._constant_tanh is None:
            return np.zeros_like(rate), np.zeros_like(rate)
        return np.zeros_like(rate), self._constant_tanh / self.smoothing / np.cosh(rate / self.smoothing) ** 2

    def parameters(self) -> LawParameters:
        """Limit [N, N m], smoothing [m/s, rad/s], bristle stiffness [N/m, N m/rad], presliding [m, rad]."""
        bristles, limit = self.bristles, 0.0 if self.limits is None else self.limits[0]
        numbers = (0.0, 0.0) if bristles is None else (bristles.stiffness, bristles.presliding)
        return LawParameters((limit, self.smoothing, *numbers))

    @property
    def _constant_tanh(self) -> float | None:
        return None if self.bristles is not None or self.limits is None else self.limits[0]


@dataclass(frozen=True)
class FrictionInJoint(Friction):
    """The friction of a joint, which the system adds to its loads; what its reaction adds to the limit."""

    joint: str = ""
    pressed: Pressed | None = None

    @property
    def limits(self) -> tuple[float, float] | None:
        return super().limits if self.pressed is None else None


def joint_frictions(joint: Joint, *, planar: bool) -> tuple[FrictionInJoint, ...]:
    """The friction of a joint along its axis and about it."""
    found = []
    for field, given in frictions_of(joint).items():
        assert isinstance(joint, Revolute | Prismatic | Cylindrical), "others have none"
        turns = field == "rotation_friction" or isinstance(joint, Revolute)
        own = elasticity_of(joint)
        if given.coefficient is not None and (own.displacement[0], own.rotation[0]) != (None, None):
            raise InputError(
                "a coefficient of friction follows the reaction of a rigid joint, and this one has springs; leave "
                "out its stiffness, or give friction a limit",
                field=field,
            )
        with at_field(field):
            found.append(
                FrictionInJoint(
                    f"{joint.name}.{field}",
                    joint.first,
                    joint.second,
                    0.0 if given.limit is None else given.limit,
                    axis=joint.axis,
                    of="rotation" if turns else "sliding",
                    joint=joint.name,
                    pressed=given.pressed(joint.kind, turns=turns, planar=planar),
                    **{each.name: getattr(given, each.name) for each in fields(Rubbing)},
                )
            )
    return tuple(found)
