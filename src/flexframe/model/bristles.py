"""Friction that sticks: two rough faces whose bristles bend before they slip.

With the bending z of the bristles and the slip velocity v

    ż = v (1 − α x) ,   x = sign(v) σ₀ z/g(v) ,   g(v) = Fc + (Fs − Fc) exp(−(v/vs)²) ,
    f = −(σ₀ z + σ₁ exp(−(σ₁ v/Fs)²) ż + σ₂ v) .

The damping σ₁ acts while faces stick; its decay keeps its force below 0.43 Fs where they meet at a high speed.

LuGre (Canudas de Wit, Olsson, Åström, Lischinsky 1995) has α = 1: bristles slip a little under any load. In the
elasto-plastic model (Dupont, Hayward, Armstrong, Altpeter 2002) α = 0 up to the break-away x = b and where v turns
back, whence ż = v: faces that stick are a spring. From b to 1 α grows as ½ (1 − cos π(x − b)/(1 − b)).
"""

from dataclasses import dataclass
from typing import Literal

from flexframe.maths.formula import Formula

FrictionModel = Literal["elasto_plastic", "lugre", "tanh"]

_DECAY = "exp(-(v/stribeck)^2)"
_BENT = f"sign(v)*stiffness*z/(limit + (static - limit)*{_DECAY})"
_ELASTO_PLASTIC = "v*(1 - 0.5*x*(1 - cos(pi*min(1, max(0, (x - break_away)/(1 - break_away))))))"


@dataclass(frozen=True)
class Bristles:
    """The numbers of friction with bristles: Fc, Fs, σ₀, σ₁, σ₂, vs, and b of the elasto-plastic model."""

    model: Literal["elasto_plastic", "lugre"]
    limit: float
    static: float
    stiffness: float
    damping: float
    viscous: float
    stribeck: float
    break_away: float

    def bent(self) -> Formula:
        """x of v and z."""
        return self._formula(_BENT, ("v", "z"))

    def rate(self) -> Formula:
        """ż of v and x."""
        return self._formula("v*(1 - x)" if self.model == "lugre" else _ELASTO_PLASTIC, ("v", "x"))

    def force(self) -> Formula:
        """f of v, z and w = ż."""
        return self._formula("-(stiffness*z + damping*exp(-(damping*v/static)^2)*w + viscous*v)", ("v", "z", "w"))

    def _formula(self, text: str, variables: tuple[str, ...]) -> Formula:
        names = ("limit", "static", "stiffness", "damping", "viscous", "stribeck", "break_away")
        return Formula.parse(text, variables, {name: getattr(self, name) for name in names})
