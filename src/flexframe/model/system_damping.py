"""Damping of a whole system: ratios that its assembled modes have about a given state."""

from dataclasses import dataclass

import numpy as np

from flexframe.errors import InputError
from flexframe.given import Described
from flexframe.maths.arrays import Array


@dataclass(frozen=True)
class ModalDamping(Described):
    """A part of critical damping, the same for all modes of the assembled system about its state at a time [s].

    The state is the start of the motion (`at` 0), or the described start with all drives at another time.
    """

    ratio: float
    at: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        _require_ratio(self.ratio)
        _require_time(self.at)


@dataclass(frozen=True)
class RayleighFit(Described):
    """ζ = (α/ω + βω)/2 in all modes of the assembled system, with two ratios at two frequencies [Hz].

    Without frequencies they belong to the two lowest modes.
    """

    ratios: tuple[float, ...]
    frequencies: tuple[float, ...] | None = None
    at: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        for what, values in (("ratios", self.ratios), ("frequencies", self.frequencies)):
            if values is not None and len(values) != 2:
                raise InputError(f"damping has {len(values)} {what} to fit; give two")
        for ratio in self.ratios:
            _require_ratio(ratio)
        if self.frequencies is not None:
            if not 0 < self.frequencies[0] < self.frequencies[1] < np.inf:
                raise InputError(
                    f"the frequencies of damping are {self.frequencies}; give two that increase, in Hz"
                )
            self.coefficients(self.frequencies)
        _require_time(self.at)

    def coefficients(self, frequencies: tuple[float, ...]) -> tuple[float, float]:
        """α [1/s] and β [s]."""
        omegas = 2 * np.pi * np.array(frequencies)
        alpha, beta = np.linalg.solve(np.stack([1 / omegas, omegas], axis=1), 2 * np.array(self.ratios))
        if min(alpha, beta * omegas[1] ** 2) < -1e-12 * omegas[1]:
            low, high = self.ratios[0] * omegas[0] / omegas[1], self.ratios[0] * omegas[1] / omegas[0]
            raise InputError(
                f"a ratio of {self.ratios[0]:g} at {frequencies[0]:.4g} Hz and {self.ratios[1]:g} at "
                f"{frequencies[1]:.4g} Hz would need a negative damping; give the second one from {low:.3g} to "
                f"{high:.3g}, or modal damping"
            )
        return max(float(alpha), 0.0), max(float(beta), 0.0)


SystemDamping = ModalDamping | RayleighFit


def fitted_ratios(fit: RayleighFit, omegas: Array) -> tuple[Array, float, float]:
    """Ratios of modes by ascending ω [rad/s], α and β."""
    frequencies = fit.frequencies
    if frequencies is None:
        if len(omegas) < 2 or not 0 < omegas[0] < omegas[1]:
            raise InputError("the two lowest modes have no frequencies of their own; give frequencies to damping")
        frequencies = (float(omegas[0] / (2 * np.pi)), float(omegas[1] / (2 * np.pi)))
    alpha, beta = fit.coefficients(frequencies)
    ratios = alpha / np.where(omegas > 0, omegas, np.inf) / 2 + beta * omegas / 2
    return ratios, alpha, beta


def _require_ratio(ratio: float) -> None:
    if not 0 <= ratio < 1:
        raise InputError(f"a damping ratio is {ratio:g}; give a part of critical damping, from 0 to below 1")


def _require_time(at: float) -> None:
    if not np.isfinite(at):
        raise InputError(f"the time of the damped state is {at:g}; give seconds")
