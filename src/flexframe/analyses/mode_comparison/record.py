"""The record of modes of several models side by side."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np

from flexframe.analyses.modes.record import Modes
from flexframe.equations.coefficients import Terms
from flexframe.maths.arrays import Array
from flexframe.results.record import Frame, NamedArrays, Record


@dataclass(frozen=True)
class ModeClass:
    """What modes of different models have in common; those of one class are paired in the order of frequency."""

    motion: str  # "rigid", "across" (along the axis), "in plane", or the axis of most of the energy
    nodal_diameters: int | None
    whirl: str

    def describe(self) -> str:
        """In words."""
        waves = "" if self.nodal_diameters is None else f", n = {self.nodal_diameters}"
        return f"{self.motion}{waves}{f', {self.whirl}' if self.whirl else ''}"


@dataclass(frozen=True)
class MatchedMode:
    """A mode of all models; `modes` and frequencies in the order of the models, None where one lacks it."""

    shape: ModeClass
    order: int  # among those of its class, from 1
    modes: tuple[int | None, ...]
    frequencies_hz: tuple[float | None, ...]

    @property
    def differences(self) -> tuple[float | None, ...]:
        """Relative to the first model."""
        first = self.frequencies_hz[0]
        return tuple(None if f is None or not first else f / first - 1 for f in self.frequencies_hz)


@dataclass(frozen=True, eq=False, repr=False)
class ModeComparison(Record):
    """Modes of several models of one thing, paired by what they look like."""

    kind: ClassVar[str] = "mode_comparison"
    presented_by: ClassVar[str] = ".presentation:ModeComparisonPresentation"

    models: Mapping[str, Modes]
    matched: tuple[MatchedMode, ...]
    unknowns: tuple[int, ...]  # degrees of freedom of each model
    frame: Frame
    speed_rad_s: float
    terms: Terms
    notices: tuple[str, ...] = ()

    @property
    def largest_difference(self) -> float | None:
        """Of an elastic mode that all models have, relative to the first model."""
        found = [
            max(abs(d) for d in mode.differences if d is not None)
            for mode in self.matched
            if mode.shape.motion != "rigid" and None not in mode.frequencies_hz and mode.frequencies_hz[0]
        ]
        return max(found) if found else None

    def summary(self) -> dict[str, Any]:
        names = tuple(self.models)
        return {
            "kind": self.kind,
            "bodies": list(names),
            "unknowns": dict(zip(names, self.unknowns, strict=True)),
            "frame": self.frame,
            "speed_rad_s": self.speed_rad_s,
            "terms": asdict(self.terms),
            "modes": [
                {
                    "shape": mode.shape.describe(),
                    "nodal_diameters": mode.shape.nodal_diameters,
                    "motion": mode.shape.motion,
                    "whirl": mode.shape.whirl,
                    "order": mode.order,
                    "frequencies_hz": dict(zip(names, mode.frequencies_hz, strict=True)),
                    "relative_differences": dict(zip(names[1:], mode.differences[1:], strict=True)),
                }
                for mode in self.matched
            ],
            "largest_difference": self.largest_difference,
            "notices": list(self.notices),
        }

    @property
    def frequencies(self) -> Array:
        """Frequencies, NaN where a model lacks a mode: (modes, models)."""
        return np.array(
            [[np.nan if f is None else f for f in m.frequencies_hz] for m in self.matched], dtype=float
        )

    def arrays(self) -> NamedArrays:
        return NamedArrays(
            {"frequency": (("mode", "model"), self.frequencies, {"units": "Hz"})},
            coords={"model": list(self.models), "shape": ("mode", [m.shape.describe() for m in self.matched])},
            attrs={"kind": self.kind, "frame": self.frame, "speed_rad_s": self.speed_rad_s},
        )
