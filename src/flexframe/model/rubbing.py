"""How faces rub, said once for loads and joints, and how the reaction of a joint presses its faces together.

Friction that sticks: two rough faces whose bristles bend before they slip.

With the bending z of the bristles and the slip velocity v

    ż = v (1 − α x) ,   x = sign(v) σ₀ z/g(v) ,   g(v) = Fc + (Fs − Fc) exp(−(v/vs)²) ,
    f = −(σ₀ z + σ₁ exp(−(σ₁ v/Fs)²) ż + σ₂ v) .

The damping σ₁ acts while faces stick; its decay keeps its force below 0.43 Fs where they meet at a high speed.

LuGre (Canudas de Wit, Olsson, Åström, Lischinsky 1995) has α = 1: bristles slip a little under any load. In the
elasto-plastic model (Dupont, Hayward, Armstrong, Altpeter 2002) α = 0 up to the break-away x = b and where v turns
back, whence ż = v: faces that stick are a spring. From b to 1 α grows as ½ (1 − cos π(x − b)/(1 − b)).

Where Fc follows a formula, or is μ N of a contact, bristles bend by the same `presliding` d under any Fs: σ₀ =
Fs/d and σ₁ = τ σ₀ with the `relaxation` τ change with it, and friction fades with its limit.
"""

from dataclasses import KW_ONLY, dataclass
from typing import Literal, Protocol

import numpy as np

from flexframe.errors import InputError, at_field
from flexframe.given import Described
from flexframe.maths.formula import Formula
from flexframe.model.constraints import TimeLaw, constant_of, state_law

FrictionModel = Literal["elasto_plastic", "lugre", "tanh"]

PRESLIDING = 1e-5
"""Bending of bristles at the break-away that are given no stiffness [m, rad]."""
RELAXATION = 1e-3
"""Their damping over their stiffness [s]."""

_DECAY = "exp(-(v/stribeck)^2)"
_BENT = f"sign(v)*stiffness*z/(limit + (static - limit)*{_DECAY})"
_ELASTO_PLASTIC = "v*(1 - 0.5*x*(1 - cos(pi*min(1, max(0, (x - break_away)/(1 - break_away))))))"
_FORCE = "-(stiffness*z + damping*exp(-(damping*v/static)^2)*w + viscous*v)"

# with limits that change: x and the force over σ₀ = Fs/d, both finite where the limit is zero
_MOST, _LEAST = "max(1e-30, fs)", "min(max(1e-30, fc), max(1e-30, fs))"
_BENT_UNDER = f"sign(v)*z/presliding*{_MOST}/({_LEAST} + ({_MOST} - {_LEAST})*{_DECAY})"
_FORCE_UNDER = f"-({_MOST}/presliding*(z + relaxation*exp(-(relaxation*v/presliding)^2)*w) + viscous*v)"


@dataclass(frozen=True)
class Bristles:
    """The numbers of friction with bristles: σ₂, vs, and b of the elasto-plastic model; d and τ.

    `limits` are Fc and Fs where they are numbers; none where they are signals.
    """

    model: Literal["elasto_plastic", "lugre"]
    limits: tuple[float, float] | None
    presliding: float
    relaxation: float
    viscous: float
    stribeck: float
    break_away: float

    @property
    def stiffness(self) -> float:
        """σ₀, zero where it changes."""
        return 0.0 if self.limits is None else self.limits[1] / self.presliding

    def deflection(self) -> Formula:
        """x of v and z, and of Fc and Fs where they are signals."""
        if self.limits is None:
            return self._formula(_BENT_UNDER, ("v", "z", "fc", "fs"))
        return self._formula(_BENT, ("v", "z"))

    def rate(self) -> Formula:
        """ż of v and x."""
        return self._formula("v*(1 - x)" if self.model == "lugre" else _ELASTO_PLASTIC, ("v", "x"))

    def force(self) -> Formula:
        """f of v, z and w = ż, and of Fs where it is a signal."""
        if self.limits is None:
            return self._formula(_FORCE_UNDER, ("v", "z", "w", "fs"))
        return self._formula(_FORCE, ("v", "z", "w"))

    def _formula(self, text: str, variables: tuple[str, ...]) -> Formula:
        names = ("presliding", "relaxation", "viscous", "stribeck", "break_away", "stiffness")
        values = {name: getattr(self, name) for name in names} | {"damping": self.relaxation * self.stiffness}
        if self.limits is not None:
            values |= {"limit": self.limits[0], "static": self.limits[1]}
        return Formula.parse(text, variables, values)


class BristleNumbers(Protocol):
    """What friction may say of its bristles beside its limit."""

    @property
    def presliding(self) -> float | None: ...
    @property
    def relaxation(self) -> float | None: ...
    @property
    def viscous(self) -> float: ...
    @property
    def stribeck(self) -> float: ...
    @property
    def break_away(self) -> float: ...


def require_bristles(given: BristleNumbers, what: str) -> None:
    """Refuse numbers of bristles that make no sense."""
    if not 0 < given.break_away < 1:
        raise InputError(f"break_away of {what} lies between 0 and 1", field="break_away")
    positive = {"presliding": True, "relaxation": False, "viscous": False, "stribeck": True}
    for name, above in positive.items():
        value = getattr(given, name)
        if value is not None and not (value > 0 or (value == 0 and not above)):
            raise InputError(f"{name} of {what} is negative or zero; correct it", field=name)


@dataclass(frozen=True)
class Rubbing(Described):
    """How faces rub: a model of friction and its numbers.

    `elasto_plastic` sticks without creep up to `static` (else the limit) and slides with the limit: bristles of a
    `stiffness` [N/m, N m/rad] and a `damping` bend before they slip, as a spring up to the part `break_away`
    of `static`; `static` falls to the limit over the velocity `stribeck`, and `viscous` adds to it in proportion
    to the velocity. `lugre` does so too and drifts a little under loads that change. `tanh` is
    −limit tanh(ṡ/velocity): the velocity [m/s, rad/s] is where it reaches 76 % of its full value; below it the
    contact creeps instead of sticking. Without a model it is tanh where that velocity is given, else
    elasto-plastic. Without a stiffness bristles bend by `presliding`, 10 µm or 10 µrad, under `static`; without a
    damping it is the time `relaxation`, 1 ms, times the stiffness.
    """

    _: KW_ONLY
    velocity: float | None = None
    model: FrictionModel | None = None
    static: TimeLaw | str | float | None = None
    stiffness: float | None = None
    damping: float | None = None
    viscous: float = 0.0
    stribeck: float = 1e-3
    break_away: float = 0.9
    presliding: float | None = None
    relaxation: float | None = None


@dataclass(frozen=True)
class Pressed:
    """What the reaction of a joint adds to the limit of its friction: a coefficient times the force on its faces.

    With the force F and the moment M across the axis, F_a and M_a along and about it, on the second body, the ends
    of a bearing or slide of the length L carry F/2 ± c with c = M × a/L. A slide rubs with the force
    μ (|F/2 + c| + |F/2 − c| + 2 |M_a|/w), a journal with the torque μ (r (|F/2 + c| + |F/2 − c|) + r_t |F_a|).
    Without a length both ends are one, and the first terms are |F|.
    """

    coefficient: TimeLaw
    static_coefficient: TimeLaw
    radius: float | None = None  # r, none of a slide
    thrust_radius: float | None = None  # r_t
    length: float | None = None  # L
    width: float | None = None  # w, none where no moment about the axis is counted

    @property
    def laws(self) -> tuple[TimeLaw, TimeLaw]:
        """Coefficients of sliding and of sticking."""
        return self.coefficient, self.static_coefficient

    def force(self) -> Formula:
        """The force, or force times radius, that coefficients multiply, of parts of the reaction.

        `fu`, `fv` and `fa` are forces across the axis and along it, `mu`, `mv` and `ma` the moments.
        """
        if self.length is None:
            across = "sqrt(fu^2 + fv^2)"
        else:
            plus, minus = (f"sqrt((fu/2 {c} mv/length)^2 + (fv/2 {d} mu/length)^2)" for c, d in ("+-", "-+"))
            across = f"{plus} + {minus}"
        text = across if self.radius is None else f"radius*({across})"
        names = ["fu", "fv"] + ([] if self.length is None else ["mu", "mv"])
        if self.thrust_radius is not None:
            text, names = f"{text} + thrust*abs(fa)", [*names, "fa"]
        if self.width is not None:
            text, names = f"{text} + 2*abs(ma)/width", [*names, "ma"]
        sizes = (self.radius, self.thrust_radius, self.length, self.width)
        given = zip(("radius", "thrust", "length", "width"), sizes, strict=True)
        return Formula.parse(text, tuple(names), {name: value for name, value in given if value is not None})


@dataclass(frozen=True)
class JointFriction(Rubbing):
    """Friction in a joint up to a `limit`: a force [N] along its axis or a torque [N m] about it.

    The limit is a number or a formula of t, sensors and controllers. With a `coefficient` µ it grows with the
    reaction of the joint, that of the same instant, see `Pressed`: a journal has a `radius` [m], and a
    `thrust_radius` for the force along its axis, which without one is the radius; `length` [m] is that of the
    bearing, or of the slide about its second marker, whose ends carry moments, `width` that of a slide, whose
    sides carry the moment about its axis. Moments are not counted without them. `static_coefficient` is that of
    faces that stick, and `limit` adds to it, as the torque of a seal.
    """

    limit: TimeLaw | str | float | None = None
    coefficient: TimeLaw | str | float | None = None
    static_coefficient: TimeLaw | str | float | None = None
    radius: float | None = None
    thrust_radius: float | None = None
    length: float | None = None
    width: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.limit is None and self.coefficient is None:
            raise InputError("friction of a joint has no limit; give one, or a coefficient", field="limit")
        for name in ("radius", "thrust_radius", "length", "width"):
            value = getattr(self, name)
            if value is None:
                continue
            if self.coefficient is None:
                raise InputError(
                    f"{name} is for friction with a coefficient; give one, or leave it out", field=name
                )
            if not (np.isfinite(value) and value > 0):
                raise InputError(f"{name} of friction is {value:g} m; give one above zero", field=name)
        self._require_coefficients()

    def _require_coefficients(self) -> None:
        if self.static_coefficient is not None and self.coefficient is None:
            raise InputError(
                "static_coefficient stands beside a coefficient; give one, or static with a limit",
                field="static_coefficient",
            )
        numbers = {}
        for name in ("coefficient", "static_coefficient"):
            if (given := getattr(self, name)) is None:
                continue
            with at_field(name):
                numbers[name] = constant_of(state_law(given))
            if (number := numbers[name]) is not None and not (np.isfinite(number) and number >= 0):
                raise InputError(f"{name} of friction is {number:g}; give one of zero or more", field=name)
        slides, sticks = (numbers.get(name) for name in ("coefficient", "static_coefficient"))
        if slides is not None and sticks is not None and sticks < slides:
            raise InputError(
                f"static_coefficient {sticks:g} is below the coefficient {slides:g}; faces that stick hold as "
                "much at least",
                field="static_coefficient",
            )

    def pressed(self, joint: str, *, turns: bool, planar: bool) -> Pressed | None:
        """What the reaction adds in a kind of joint, about its axis or along it; none without a coefficient."""
        if self.coefficient is None:
            return None
        unused = self._unused_lengths(joint, turns=turns, planar=planar)
        for name, why in unused.items():
            if getattr(self, name) is not None:
                raise InputError(f"{name} of friction is given, and {why}; leave it out", field=name)
        if turns and self.radius is None:
            raise InputError(
                "friction about an axis needs the radius at which faces rub beside its coefficient; give radius",
                field="radius",
            )
        thrust = None if "thrust_radius" in unused else self.thrust_radius or self.radius
        sticks = self.coefficient if self.static_coefficient is None else self.static_coefficient
        sizes = (self.radius, thrust, self.length, self.width)
        return Pressed(state_law(self.coefficient), state_law(sticks), *sizes)

    @staticmethod
    def _unused_lengths(joint: str, *, turns: bool, planar: bool) -> dict[str, str]:
        found = {}
        if not turns:
            found["radius"] = "friction along an axis is a force"
        if not turns or planar or joint != "revolute":
            found["thrust_radius"] = "no force acts along the axis of this joint"
        if planar and turns:
            found["length"] = "in the plane no moment tilts a journal"
        if planar or joint != "prismatic":
            found["width"] = "no moment acts about the axis of this joint"
        return found


def joint_friction(given: "JointFriction | TimeLaw | str | float | None") -> JointFriction | None:
    """The friction that a limit alone or a description stands for."""
    return given if given is None or isinstance(given, JointFriction) else JointFriction(given)
