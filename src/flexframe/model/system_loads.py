"""Loads on the bodies of a system: fields, forces at markers, and forces that follow a relative coordinate."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import ClassVar, Literal, Protocol

import numpy as np

from flexframe.errors import InputError, at_field
from flexframe.given import Described
from flexframe.maths.arrays import Array
from flexframe.maths.formula import Formula
from flexframe.model.bristles import PRESLIDING, RELAXATION, Bristles, FrictionModel, require_bristles
from flexframe.model.characteristics import Acts, Characteristic, LawParameters, Sprung, half_turns
from flexframe.model.constraints import (
    Along,
    Directed,
    Direction,
    Distance,
    Fixed,
    Holonomic,
    Rotation,
    TimeLaw,
    state_law,
)
from flexframe.model.drives import Law
from flexframe.model.elasticity import Bushing
from flexframe.model.joints import Cylindrical, Joint, Prismatic, Revolute, X, Z, frictions_of
from flexframe.motion.frame import vector3


@dataclass(frozen=True)
class SystemGravity(Described):
    """An acceleration field [m/s²], fixed in space, on the mass of every body.

    A factor as a formula of t lets it grow or stop; the work of a field that changes is that of a load.
    `factor_before` is the factor before t = 0, as that of the loads of a body.
    """

    kind: ClassVar[str] = "gravity"
    name: str = "gravity"
    acceleration: Direction = (0.0, -9.81, 0.0)
    factor: Law = 1.0
    factor_before: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        with at_field("gravity"):
            vector3(self.acceleration, f"acceleration of {self.name}")
        with at_field("factor"):
            state_law(self.factor)

    @property
    def constant_factor(self) -> float | None:
        """The factor where it never changes."""
        law = state_law(self.factor)
        return law.value if isinstance(law, Fixed) else _constant(law)


@dataclass(frozen=True)
class MarkerForce(Described):
    """A force [N] and a moment [N m] at a marker, as formulas of t, sensors and controllers.

    Components are in axes of space or of the body.

    `force_before` and `moment_before` are their values before t = 0, which a start in equilibrium counts with;
    without them constant components are what they are and the others zero.
    """

    kind: ClassVar[str] = "force"
    name: str
    on: str
    force: tuple[Law, ...] = (0.0, 0.0, 0.0)
    moment: tuple[Law, ...] = (0.0, 0.0, 0.0)
    axes: Literal["space", "body"] = "space"
    force_before: tuple[float, ...] | None = None
    moment_before: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, laws in (("force", self.force), ("moment", self.moment)):
            if len(laws) not in (2, 3):
                raise InputError(
                    f"load {self.name}: {name} has {len(laws)} components; give three, or two in the plane",
                    field=name,
                )
            with at_field(name):
                for law in laws:
                    state_law(law)

    def before(self) -> tuple[float | None, ...]:
        """Given values before the start of the three components of the force and of the moment."""
        parts: list[float | None] = []
        for given in (self.force_before, self.moment_before):
            parts += (None,) * 3 if given is None else (*given, 0.0, 0.0, 0.0)[:3]
        return tuple(parts)


@dataclass(frozen=True)
class BodyLoads(Described):
    """How the loads of a body itself act: a factor as a formula of t, and whose axes their components are in.

    Without it they act as they are and turn with the body. `factor_before` is the factor before t = 0, which a
    start in equilibrium counts with: that of a constant, else zero, unless given.
    """

    kind: ClassVar[str] = "body_loads"
    name: str
    body: str
    factor: Law = 1.0
    axes: Literal["space", "body"] = "body"
    factor_before: float | None = None


class CoordinateForce(Protocol):
    """A force between two markers that depends on a coordinate s between them and its rate.

    `kind` is the law that the core evaluates (`core/src/force_laws`): one class here and one file there.
    """

    kind: ClassVar[str]

    @property
    def name(self) -> str: ...
    @property
    def first(self) -> str: ...
    @property
    def second(self) -> str: ...

    def coordinate(self) -> Holonomic:
        """The coordinate s: a distance, a position along an axis, or an angle."""
        ...

    def force(self, value: Array, rate: Array) -> Array:
        """Force [N or N m] on the second body in the direction of growing s."""
        ...

    def slopes(self, value: Array, rate: Array) -> tuple[Array, Array]:
        """−∂F/∂s and −∂F/∂ṡ."""
        ...

    def parameters(self) -> LawParameters:
        """What its law in the core is made of."""
        ...


def _coordinate(along: Literal["line", "axis", "angle"], axis: Direction) -> Holonomic:
    match along:
        case "line":
            return Distance(Fixed(0.0))
        case "axis":
            return Along(axis)
        case "angle":
            return Rotation(axis)


@dataclass(frozen=True)
class Spring(Sprung):
    """A spring with damper between two markers, along their line or along an axis of the first body.

    Its force on the second body in the direction of growing s [m] is preload − stiffness (s − free) − damping ṡ.
    It may only pull (tension) or only push (compression), do nothing while |s − free| is within a clearance, or
    have a characteristic of its own: a formula of the stretch s − free, there called s, and of its rate v, or a
    table of forces over stretches. The damping may be a formula of v. The damper works while the spring does.
    """

    kind: ClassVar[str] = "spring"
    name: str
    first: str
    second: str
    stiffness: float = 0.0
    free: float = 0.0
    damping: float | str | Formula = 0.0
    axis: Direction | None = None
    preload: float = 0.0
    acts: Acts = "both"
    clearance: float = 0.0
    characteristic: Characteristic | None = None

    def coordinate(self) -> Holonomic:
        return _coordinate("line", X) if self.axis is None else _coordinate("axis", self.axis)


@dataclass(frozen=True)
class TorsionSpring(Sprung):
    """A torsion spring [N m/rad] with damper about an axis.

    Its torque on the second body is preload − stiffness (s − free) − damping ṡ, s − free being taken in (−π, π];
    the other fields are those of a spring, a positive twist being its tension.
    """

    kind: ClassVar[str] = "torsion_spring"
    name: str
    first: str
    second: str
    stiffness: float = 0.0
    free: float = 0.0
    damping: float | str | Formula = 0.0
    axis: Direction = Z
    preload: float = 0.0
    acts: Acts = "both"
    clearance: float = 0.0
    characteristic: Characteristic | None = None

    def coordinate(self) -> Holonomic:
        return _coordinate("angle", self.axis)

    def stretch(self, value: Array) -> Array:
        """s − free in (−π, π]."""
        return half_turns(value - self.free)


@dataclass(frozen=True)
class Friction(Directed):
    """Coulomb friction along an axis [N], or about it [N m], with a limit that is a number or a formula of state.

    `elasto_plastic` sticks without creep up to `static` (else `limit`) and slides with `limit`: bristles of a
    `stiffness` [N/m, N m/rad] and a `damping` bend before they slip, as a spring up to the part `break_away`
    of `static`; `static` falls to `limit` over the velocity `stribeck`, and `viscous` adds to it in proportion to
    the velocity. `lugre` does so too and drifts a little under loads that change. `tanh` is
    −limit tanh(ṡ/velocity): the velocity [m/s, rad/s] is where it reaches 76 % of its full value; below it the
    contact creeps instead of sticking. Without a model it is tanh where that velocity is given, else
    elasto-plastic. Without a stiffness bristles bend by `presliding`, 10 µm or 10 µrad, under `static`; without a
    damping it is the time `relaxation`, 1 ms, times the stiffness.

    `limit` and `static` may be formulas of t, sensors and controllers, never below zero: the stiffness follows
    `static` then.
    """

    kind: ClassVar[str] = "friction"
    name: str
    first: str
    second: str
    limit: Law
    velocity: float | None = None
    axis: Direction | None = None
    of: Literal["sliding", "rotation"] = "sliding"
    model: FrictionModel | None = None
    static: Law | None = None
    stiffness: float | None = None
    damping: float | None = None
    viscous: float = 0.0
    stribeck: float = 1e-3
    break_away: float = 0.9
    presliding: float | None = None
    relaxation: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("limit", "static"):
            with at_field(name):
                state_law(getattr(self, name) or 0.0)
        velocity = 1e-3 if self.velocity is None else self.velocity
        if not ((self._limits is None or self._limits[0] >= 0) and velocity > 0):
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
        if self._limits is not None and not self._limits[0] > 0:
            raise InputError(f"friction {self.name} with bristles needs a limit above zero", field="limit")
        if self._limits is not None and self._limits[1] < self._limits[0]:
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
            if self._limits is None:
                raise InputError(
                    f"the limit of friction {self.name} is a formula, which its {name} follows; give {other} "
                    f"instead",
                    field=name,
                )
            if not (value > 0 or (value == 0 and not positive)):
                raise InputError(f"{name} of friction {self.name} is negative or zero; mend it", field=name)
        require_bristles(self, f"friction {self.name}")

    @property
    def _limits(self) -> tuple[float, float] | None:
        """Limit and static where both are numbers."""
        laws = [state_law(law) for law in (self.limit, self.limit if self.static is None else self.static)]
        values = [law.value if isinstance(law, Fixed) else _constant(law) for law in laws]
        limit, static = values
        return None if limit is None or static is None else (limit, static)

    @property
    def changing(self) -> tuple[TimeLaw, TimeLaw] | None:
        """The laws of limit and static where one of them is no number."""
        if self._limits is not None:
            return None
        return state_law(self.limit), state_law(self.limit if self.static is None else self.static)

    @property
    def bristles(self) -> Bristles | None:
        """What its state follows, none of tanh."""
        model = self.model or ("elasto_plastic" if self.velocity is None else "tanh")
        if model == "tanh":
            return None
        presliding = PRESLIDING if self.presliding is None else self.presliding
        if self.stiffness is not None and self._limits is not None and self.stiffness > 0:
            presliding = self._limits[1] / self.stiffness
        relaxation = RELAXATION if self.relaxation is None else self.relaxation
        if self.damping is not None and self._limits is not None and self._limits[1] > 0:
            relaxation = self.damping * presliding / self._limits[1]
        numbers = (presliding, relaxation, self.viscous, self.stribeck, self.break_away)
        return Bristles(model, self._limits, *numbers)

    def coordinate(self) -> Holonomic:
        if self.of == "sliding":
            return _coordinate("axis", self.axis or X)
        return _coordinate("angle", self.axis or Z)

    def force(self, value: Array, rate: Array) -> Array:
        if self._constant_tanh is None:  # what follows bristles or a formula is a signal
            return np.zeros_like(value)
        return -self._constant_tanh * np.tanh(rate / self.smoothing)

    def slopes(self, value: Array, rate: Array) -> tuple[Array, Array]:  # noqa: ARG002 - the same everywhere
        if self._constant_tanh is None:
            return np.zeros_like(rate), np.zeros_like(rate)
        return np.zeros_like(rate), self._constant_tanh / self.smoothing / np.cosh(rate / self.smoothing) ** 2

    def parameters(self) -> LawParameters:
        bristles, limit = self.bristles, 0.0 if self._limits is None else self._limits[0]
        numbers = (0.0, 0.0) if bristles is None else (bristles.stiffness, bristles.presliding)
        return LawParameters((limit, self.smoothing, *numbers))

    @property
    def _constant_tanh(self) -> float | None:
        return None if self.bristles is not None or self._limits is None else self._limits[0]

    @property
    def smoothing(self) -> float:
        """The velocity of tanh [m/s, rad/s]."""
        return 1e-3 if self.velocity is None else self.velocity


@dataclass(frozen=True)
class FrictionInJoint(Friction):
    """The friction of a joint, which the system adds to its loads."""

    joint: str = ""


def joint_frictions(joint: Joint) -> tuple[FrictionInJoint, ...]:
    """The friction of a joint along its axis and about it."""
    found = []
    for field, given in frictions_of(joint).items():
        assert isinstance(joint, Revolute | Prismatic | Cylindrical), "others have none"
        turns = field == "rotation_friction" or isinstance(joint, Revolute)
        with at_field(field):
            found.append(
                FrictionInJoint(
                    f"{joint.name}.{field}",
                    joint.first,
                    joint.second,
                    axis=joint.axis,
                    of="rotation" if turns else "sliding",
                    joint=joint.name,
                    **{each.name: getattr(given, each.name) for each in fields(given)},
                )
            )
    return tuple(found)


def _constant(law: TimeLaw) -> float | None:
    """The number that a formula without variables is."""
    if isinstance(law, Formula) and not any(map(law.depends_on, law.variables)):
        return float(law(*np.zeros(len(law.variables))))
    return None


@dataclass(frozen=True)
class Motor(Directed):
    """A torque [N m] about the axis that depends on the speed [rad/s] of the second body against the first.

    Straight lines between the given points, constant beyond them.
    """

    kind: ClassVar[str] = "motor"
    name: str
    first: str
    second: str
    speeds: Sequence[float]
    torques: Sequence[float]
    axis: Direction = Z

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.speeds) != len(self.torques) or len(self.speeds) < 2:
            raise InputError(f"motor {self.name} needs a torque for each speed, two of them at least")
        if not (np.diff(self.speeds) > 0).all():
            raise InputError(f"the speeds of motor {self.name} do not increase; sort them")

    def coordinate(self) -> Holonomic:
        return _coordinate("angle", self.axis)

    def force(self, value: Array, rate: Array) -> Array:  # noqa: ARG002 - the same at all angles
        return np.asarray(np.interp(rate, self.speeds, self.torques))

    def slopes(self, value: Array, rate: Array) -> tuple[Array, Array]:  # noqa: ARG002 - the same at all angles
        slopes = np.array([0.0, *np.diff(self.torques) / np.diff(self.speeds), 0.0])
        return np.zeros_like(rate), -slopes[np.searchsorted(self.speeds, rate)]

    def parameters(self) -> LawParameters:
        points = np.stack([self.speeds, self.torques, np.zeros(len(self.speeds))], axis=1).astype(float)
        return LawParameters(curve=points)


@dataclass(frozen=True)
class Actuator(Directed):
    """A force [N] or torque [N m] between two markers that follows a formula of t, sensors and controllers.

    It acts on the second marker along their line, along an axis of the first body, or about it (`along: angle`).
    """

    kind: ClassVar[str] = "actuator"
    name: str
    first: str
    second: str
    law: Law
    axis: Direction | None = None
    along: Literal["line", "axis", "angle"] = "angle"

    def __post_init__(self) -> None:
        super().__post_init__()
        with at_field("actuator"):
            state_law(self.law)

    def coordinate(self) -> Holonomic:
        return _coordinate(self.along, self.axis or (Z if self.along == "angle" else X))

    def force(self, value: Array, rate: Array) -> Array:  # noqa: ARG002 - what it follows is added to this
        return np.zeros_like(value)

    def slopes(self, value: Array, rate: Array) -> tuple[Array, Array]:
        return np.zeros_like(value), np.zeros_like(rate)

    def parameters(self) -> LawParameters:
        return LawParameters()


COORDINATE_FORCES: tuple[type[CoordinateForce], ...] = (Spring, TorsionSpring, Friction, Motor, Actuator)
"""Every kind of force along a coordinate; adding one is a class and its name here."""


def laws_of(load: "SystemLoad") -> tuple[TimeLaw, ...]:
    """The laws of time or state that a load follows."""
    match load:
        case MarkerForce(force=force, moment=moment):
            return tuple(map(state_law, (*force, *moment)))
        case BodyLoads(factor=factor) | SystemGravity(factor=factor):
            return (state_law(factor),)
        case Actuator(law=law):
            return (state_law(law),)
        case Friction():
            return load.changing or ()
    return ()


def require_known(load: "SystemLoad") -> None:
    """Compiled analyses know the forces of this module by their numbers, so one with a law of its own is refused.

    A subclass that only adds fields or names is taken for its base.
    """
    if isinstance(load, SystemGravity | MarkerForce | BodyLoads | Bushing):
        return
    base = next((kind for kind in COORDINATE_FORCES if isinstance(load, kind)), None)
    own = (
        []
        if base is None
        else [m for m in ("force", "coordinate") if getattr(type(load), m) is not getattr(base, m)]
    )
    if base is None or own:
        what = "is no force that flexframe knows" if base is None else f"has its own {own[0]}"
        names = ", ".join(kind.__name__ for kind in COORDINATE_FORCES)
        raise InputError(
            f"{load.name}: {type(load).__name__} {what}, which not every analysis could follow; use {names}, "
            "a spring with a formula of its own as characteristic"
        )


SystemLoad = SystemGravity | MarkerForce | BodyLoads | Bushing | CoordinateForce

SYSTEM_LOADS: tuple[type[SystemLoad], ...] = (SystemGravity, MarkerForce, BodyLoads, *COORDINATE_FORCES, Bushing)
"""Every kind of load; what a case may say of it follows from its class."""
