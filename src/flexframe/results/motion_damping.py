"""What is damped in a motion of elastic bodies, and which ratios the modes of the assembled system have."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from flexframe.maths.arrays import Array
from flexframe.model.body import Body

SHOWN = 12  # modes


def element_words(body: Body) -> tuple[str, ...]:
    """Damping of a body's own elements."""
    own = body.damping
    if not (own.mass or own.stiffness):
        return ()
    return (f"body {body.name}: α {own.mass:.4g} 1/s and β {own.stiffness:.4g} s of its elements",)


def _none() -> Array:
    return np.empty(0)


@dataclass(frozen=True, eq=False)
class MotionDamping:
    """`parts` say in words what is damped by what.

    Frequencies and ratios are those of small motions of the assembled system about the damped state, all that acts
    included, the lowest ones first; empty where nothing is damped or there are too many to look at.
    """

    parts: tuple[str, ...] = ()
    at: float = 0.0  # time of the state [s]
    frequencies_hz: Array = field(default_factory=_none)  # (k,)
    ratios: Array = field(default_factory=_none)  # (k,)
    alpha: float | None = None  # 1/s, of a fit
    beta: float | None = None  # s

    @property
    def words(self) -> str:
        """All of it in one line."""
        if not self.parts:
            return "none but that of springs and dampers"
        return "; ".join([*self.parts, *([self.ratio_words] if self.ratio_words else [])])

    @property
    def ratio_words(self) -> str:
        """The ratios of the lowest assembled modes; nothing where they are not known."""
        modes = ", ".join(
            f"{ratio:.3g} at {frequency:.4g} Hz"
            for frequency, ratio in zip(self.frequencies_hz[:3], self.ratios[:3], strict=True)
        )
        return f"assembled modes at t = {self.at:g} s have {modes}" if modes else ""

    def summary(self) -> dict[str, Any]:
        out: dict[str, Any] = {"parts": list(self.parts)}
        if self.parts:
            out["assembled"] = {
                "at_s": self.at,
                "frequencies_hz": self.frequencies_hz.tolist(),
                "ratios": self.ratios.tolist(),
            }
        if self.alpha is not None:
            out["rayleigh"] = {"mass_1_s": self.alpha, "stiffness_s": self.beta}
        return out
