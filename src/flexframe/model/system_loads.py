"""Loads on the bodies of a system: fields, forces at markers, and forces that follow a relative coordinate."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol

import numpy as np

from flexframe.errors import InputError, at_field
from flexframe.given import Described
from flexframe.maths.arrays import Array
from flexframe.maths.formula import Formula
from flexframe.model.characteristics import (
    Acts,
    Characteristic,
    LawParameters,
    Sprung,
    half_turns,
    own_formula,
    scales,
)
from flexframe.model.constraints import (
    Along,
    Directed,
    Direction,
    Distance,
    Fixed,
    Holonomic,
    Law,
    Rotation,
    TimeLaw,
    constant_of,
    follows_state,
    state_law,
)
from flexframe.model.elasticity import Bushing
from flexframe.model.friction import Friction, FrictionInJoint
from flexframe.model.joints import X, Z
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
        return constant_of(law)


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

    `kind` is what a case calls it, and the law that the core evaluates (`core/src/force_laws`) unless its
    `parameters` name another one.
    """

    kind: ClassVar[str]

    @property
    def name(self) -> str:
        """Its name, unique among the loads of a system."""
        ...

    @property
    def first(self) -> str:
        """First marker, written "body.point"; axes are given in its frame."""
        ...

    @property
    def second(self) -> str:
        """Second marker, written "body.point"."""
        ...

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

    Both formulas may use t and names of sensors and controllers as well, and `factor`, a formula of these,
    multiplies all of it. What that adds to a force of s and v alone counts as the work of a load.
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
    factor: Law = 1.0

    def coordinate(self) -> Holonomic:
        """The distance of the markers [m], or the position of the second along `axis` of the first frame [m]."""
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
    factor: Law = 1.0

    def coordinate(self) -> Holonomic:
        """The rotation of the second frame about `axis` of the first [rad]."""
        return _coordinate("angle", self.axis)

    def stretch(self, value: Array) -> Array:
        """s − free in (−π, π]."""
        return half_turns(value - self.free)


@dataclass(frozen=True)
class Motor(Directed):
    """A torque [N m] about the axis that depends on the speed [rad/s] of the second body against the first.

    Straight lines between the given points, constant beyond them; or a `law`: a formula of the speed v, of t and
    of names of sensors and controllers, or a table or function of these. `factor`, a formula of t and names,
    multiplies all of it.
    """

    kind: ClassVar[str] = "motor"
    name: str
    first: str
    second: str
    speeds: Sequence[float] = ()
    torques: Sequence[float] = ()
    axis: Direction = Z
    law: Law | None = None
    factor: Law = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        with at_field("law"):
            self.state_force  # noqa: B018 - refuses what is no law
        with at_field("factor"):
            state_law(self.factor)
        if self.law is not None:
            if len(self.speeds) or len(self.torques):
                raise InputError(f"motor {self.name} has a law and a table; leave one of them out", field="law")
            return
        if len(self.speeds) != len(self.torques) or len(self.speeds) < 2:
            raise InputError(
                f"motor {self.name} needs a torque for each speed, two of them at least, or a law", field="torques"
            )
        if not (np.diff(self.speeds) > 0).all():
            raise InputError(f"the speeds of motor {self.name} do not increase; sort them", field="speeds")

    @property
    def state_force(self) -> TimeLaw | None:
        """Its law: a formula of v, t and names, or a table or function of names."""
        if self.law is None:
            return None
        if isinstance(self.law, str) or (isinstance(self.law, Formula) and self.law.variables[:1] == ("v",)):
            return own_formula(self.law, ("v",))
        return state_law(self.law)

    @property
    def follows(self) -> bool:
        """Whether its torque depends on more than a table of the speed."""
        return self.law is not None or scales(self.factor)

    @property
    def _points(self) -> tuple[Sequence[float], Sequence[float]]:
        """Speeds and torques; none at all with a law."""
        return (self.speeds, self.torques) if self.law is None else ((-1.0, 1.0), (0.0, 0.0))

    def coordinate(self) -> Holonomic:
        """The rotation of the second frame about `axis` of the first [rad]."""
        return _coordinate("angle", self.axis)

    def force(self, value: Array, rate: Array) -> Array:  # noqa: ARG002 - the same at all angles
        """Torque [N m] on the second body at `rate` [rad/s] by the table; zero with a `law`, a signal."""
        return np.asarray(np.interp(rate, *self._points))

    def slopes(self, value: Array, rate: Array) -> tuple[Array, Array]:  # noqa: ARG002 - the same at all angles
        """−∂T/∂s, which is zero, and −∂T/∂ṡ [N m s/rad] of the table."""
        speeds, torques = self._points
        slopes = np.array([0.0, *np.diff(torques) / np.diff(speeds), 0.0])
        return np.zeros_like(rate), -slopes[np.searchsorted(speeds, rate)]

    def parameters(self) -> LawParameters:
        """The table as a curve: speed [rad/s], torque [N m] and zero, a row for each point."""
        speeds, torques = self._points
        return LawParameters(curve=np.stack([speeds, torques, np.zeros(len(speeds))], axis=1).astype(float))


@dataclass(frozen=True)
class Actuator(Directed):
    """A force [N] or torque [N m] between two markers that follows a formula of t, sensors and controllers.

    It acts on the second marker along their line, along an axis of the first body, or about it (`along: angle`).
    Before the start it has the value `law_before`, without which a formula of t is zero there and one of the state
    follows it.
    """

    kind: ClassVar[str] = "actuator"
    name: str
    first: str
    second: str
    law: Law
    axis: Direction | None = None
    along: Literal["line", "axis", "angle"] = "angle"
    law_before: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        with at_field("actuator"):
            state_law(self.law)

    def coordinate(self) -> Holonomic:
        """The distance [m], the position along `axis` of the first frame [m], or the rotation about it [rad]."""
        return _coordinate(self.along, self.axis or (Z if self.along == "angle" else X))

    def force(self, value: Array, rate: Array) -> Array:  # noqa: ARG002 - what it follows is added to this
        """Zero: its force [N or N m] is a signal, which is added to this."""
        return np.zeros_like(value)

    def slopes(self, value: Array, rate: Array) -> tuple[Array, Array]:
        """Zero and zero, as `force` is zero in every state."""
        return np.zeros_like(value), np.zeros_like(rate)

    def parameters(self) -> LawParameters:
        """None: the core evaluates its law as a signal."""
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
        case Sprung() | Motor() | Bushing():
            own = () if isinstance(load, Bushing) else (load.state_force, getattr(load, "state_damping", None))
            open_ones = (law for law in own if not isinstance(law, Formula) or "t" in law.variables)
            return state_law(load.factor), *(law for law in open_ones if law is not None and follows_state(law))
        case Friction():
            coefficients = load.pressed.laws if isinstance(load, FrictionInJoint) and load.pressed else ()
            return (*(load.changing or ()), *coefficients)
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
