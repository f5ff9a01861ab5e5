"""The record of the modes of a system about its equilibrium or its steady rotation."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np

from flexframe.analyses.campbell.system_shapes import BodyShapes
from flexframe.analyses.transient.coupled_record import ReductionFigures
from flexframe.maths.arrays import Array, ComplexArray
from flexframe.model.system import System
from flexframe.results.record import Frame, NamedArrays, Record, complex_pairs


@dataclass(frozen=True, eq=False, repr=False)
class SystemModes(Record):
    """Eigenvalues λ and shapes of small motions of all bodies together, joints eliminated.

    One of each conjugate pair is given, ascending by |λ|; free motions have λ = 0. Nothing is filtered:
    eigenvalues with positive real part are unstable and stay in the list.
    """

    kind: ClassVar[str] = "modes"
    presented_by: ClassVar[str] = ".system_presentation:SystemModesPresentation"

    system: System
    eigenvalues: ComplexArray  # rad/s: (modes,)
    labels: tuple[str, ...]
    shapes: tuple[BodyShapes, ...]  # about one state, largest displacement 1
    residuals: Array  # ‖P(λ)φ‖ relative to its terms: (modes,)
    frame: Frame
    time: float  # s, of drives and loads at rest
    speed_rad_s: float
    drive: str  # that turns the system; none where it rests
    stability: Literal["stable", "unstable", "neutral", ""]  # of the equilibrium at rest
    reductions: tuple[ReductionFigures, ...]
    geometric: bool
    method: str
    strains: Mapping[str, float] = field(default_factory=dict)  # largest of each body of exact beams
    notices: tuple[str, ...] = ()

    @property
    def frequencies_hz(self) -> Array:
        """|Im λ| / 2π."""
        return np.abs(self.eigenvalues.imag) / (2 * np.pi)

    @property
    def growth_rates(self) -> Array:
        """Re λ [1/s]: positive is unstable."""
        return self.eigenvalues.real

    def summary(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "system": self.system.name,
            "bodies": [body.name for body in self.system.bodies],
            "frequencies_hz": self.frequencies_hz.tolist(),
            "eigenvalues": complex_pairs(self.eigenvalues),
            "labels": list(self.labels),
            "residuals": self.residuals.tolist(),
            "frame": self.frame,
            "time_s": self.time,
            "speed_rad_s": self.speed_rad_s,
            "drive": self.drive,
            "stability": self.stability,
            **({"max_strain": dict(self.strains)} if self.strains else {}),
            "reductions": {found.body: found.summary() for found in self.reductions},
            "geometric": self.geometric,
            "method": self.method,
            "notices": list(self.notices),
        }

    def arrays(self) -> NamedArrays:
        data: dict[str, Any] = {
            "eigenvalue": (("mode", "part"), np.stack([self.eigenvalues.real, self.eigenvalues.imag], -1)),
            "frequency": ("mode", self.frequencies_hz, {"units": "Hz"}),
            "residual": ("mode", self.residuals),
        }
        for body in self.shapes:
            data |= body.variables("mode")
        return NamedArrays(
            data,
            coords={
                "part": ["re", "im"],
                "dof": ["ux", "uy", "uz", "rx", "ry", "rz"],
                "axis": ["x", "y", "z"],
                "label": ("mode", list(self.labels)),
            },
            attrs={
                "kind": self.kind,
                "system": self.system.name,
                "frame": self.frame,
                "speed_rad_s": self.speed_rad_s,
            },
        )
