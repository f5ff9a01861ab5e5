"""Friction that sticks: two rough faces whose bristles bend before they slip.

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

from dataclasses import dataclass
from typing import Literal, Protocol

from flexframe.errors import InputError
from flexframe.maths.formula import Formula

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

    def bent(self) -> Formula:
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
