"""The record of damped modes of a rotor over a cross-coupled stiffness that is added to it."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from flexframe.maths.arrays import Array, ComplexArray
from flexframe.results.record import NamedArrays, Record, Whirl


@dataclass(frozen=True, eq=False, repr=False)
class StabilityThreshold(Record):
    """Eigenvalues at one speed over the sum Q of cross-coupled stiffness at some places.

    The force on the shaft at a place is Q times its share times the displacement, a quarter of a turn ahead in the
    sense of the spin. `threshold` is the smallest Q at which a mode stops to decay, None where none does up to the
    largest Q; `required` the smallest one at which a logarithmic decrement falls to `decrement`.
    """

    kind: ClassVar[str] = "stability_threshold"
    presented_by: ClassVar[str] = ".presentation:StabilityThresholdPresentation"

    body: str
    speed_rad_s: float
    places: tuple[str, ...]
    cross_couplings: Array  # N/m, from zero: (points,)
    eigenvalues: ComplexArray  # rad/s, NaN where a branch is above the modes asked for: (points, branches)
    whirl: tuple[Whirl, ...]  # of the branches without the cross-coupling
    threshold: float | None  # N/m
    threshold_branch: int | None  # counted from 0
    decrement: float  # that rules ask for
    required: float | None  # N/m
    anticipated: float | None  # N/m, what the machine is expected to have
    anticipated_eigenvalues: ComplexArray | None  # of the branches with it: (branches,)
    errors: Array  # relative error of each |λ|: (points, branches)
    confirmed: bool | None  # whether a count shows that no mode is missing
    completeness: str
    method: str
    notices: tuple[str, ...] = ()

    @property
    def frequencies_hz(self) -> Array:
        """|Im λ| / 2π: (points, branches)."""
        return np.abs(self.eigenvalues.imag) / (2 * np.pi)

    @property
    def logarithmic_decrements(self) -> Array:
        """−2π Re λ/|Im λ|; NaN where a motion does not oscillate: (points, branches)."""
        return decrements(self.eigenvalues)

    @property
    def anticipated_decrement(self) -> float | None:
        """The smallest one with the cross-coupling that the machine is expected to have."""
        if self.anticipated_eigenvalues is None:
            return None
        return float(np.nanmin(decrements(self.anticipated_eigenvalues)))

    @property
    def ratio(self) -> float | None:
        """The threshold over what the machine is expected to have."""
        return self.threshold / self.anticipated if self.threshold and self.anticipated else None

    @property
    def verdict(self) -> str:
        """After API 617: a decrement of 0.1 with what is expected, and twice that before the rotor whirls."""
        if self.threshold == 0.0:
            return "unstable without any"
        if self.anticipated is None:
            return "nothing is known of the cross-coupling that the machine has"
        assert self.anticipated_decrement is not None
        if self.anticipated_decrement < 0:
            return "fails: unstable with it"
        if self.anticipated_decrement < self.decrement:
            return f"fails: a decrement below {self.decrement:g}"
        if self.ratio is not None and self.ratio < SAFETY:
            return f"needs a level II analysis of API 617 (ratio below {SAFETY:g})"
        return "meets API 617, level I"

    def summary(self) -> dict[str, Any]:
        known = np.isfinite(self.eigenvalues.real)
        return {
            "kind": self.kind,
            "body": self.body,
            "speed_rad_s": self.speed_rad_s,
            "places": list(self.places),
            "threshold_N_m": self.threshold,
            "decrement": self.decrement,
            "required_N_m": self.required,
            "anticipated_N_m": self.anticipated,
            "anticipated_decrement": self.anticipated_decrement,
            "ratio": self.ratio,
            "verdict": self.verdict,
            "cross_couplings_N_m": self.cross_couplings.tolist(),
            "frequencies_hz": _rows(self.frequencies_hz, known),
            "logarithmic_decrements": _rows(self.logarithmic_decrements, np.isfinite(self.logarithmic_decrements)),
            "whirl": list(self.whirl),
            "errors": {"largest": float(np.nanmax(self.errors)), "kind": "estimate"},
            "confirmed": self.confirmed,
            "completeness": self.completeness,
            "method": self.method,
            "notices": list(self.notices),
        }

    def arrays(self) -> NamedArrays:
        points = ("cross_coupling", "branch")
        parts = np.stack([self.eigenvalues.real, self.eigenvalues.imag], -1)
        return NamedArrays(
            {"eigenvalue": ((*points, "part"), parts, {"units": "rad/s"}), "error": (points, self.errors)},
            coords={
                "cross_coupling": ("cross_coupling", self.cross_couplings, {"units": "N/m"}),
                "part": ["re", "im"],
            },
            attrs={"kind": self.kind, "body": self.body, "speed": self.speed_rad_s},
        )


SAFETY = 2.0
"""How many times the expected cross-coupling a rotor must bear so that API 617 is satisfied with level I."""


def decrements(eigenvalues: ComplexArray) -> Array:
    """−2π Re λ/|Im λ|; NaN where a motion does not oscillate."""
    turning = np.abs(eigenvalues.imag) > 1e-9 * np.abs(eigenvalues)
    safe = np.where(turning, np.abs(eigenvalues.imag), 1.0)
    return np.asarray(np.where(turning, -2 * np.pi * eigenvalues.real / safe, np.nan))


def _rows(values: Array, known: Array) -> list[list[float | None]]:
    return [
        [float(v) if there else None for v, there in zip(row, flags, strict=True)]
        for row, flags in zip(values, known, strict=True)
    ]
