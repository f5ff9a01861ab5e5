"""How faces rub, said once for loads and joints, and how the reaction of a joint presses its faces together."""

from dataclasses import KW_ONLY, dataclass

import numpy as np

from flexframe.errors import InputError, at_field
from flexframe.given import Described
from flexframe.maths.formula import Formula
from flexframe.model.bristles import FrictionModel
from flexframe.model.constraints import TimeLaw, constant_of, state_law


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
        unused = self._unused(joint, turns=turns, planar=planar)
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
    def _unused(joint: str, *, turns: bool, planar: bool) -> dict[str, str]:
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
