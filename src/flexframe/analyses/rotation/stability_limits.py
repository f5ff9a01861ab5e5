"""Speeds at which a body becomes unstable or stable again."""

import numpy as np
from scipy.optimize import brentq

from flexframe.analyses.rotation.speed_projection import SpeedProjection
from flexframe.analyses.rotation.speed_sweep import Sweep

UNSTABLE = 1e-6  # growth rate relative to the largest |λ|, above round-off of the eigensolver


def stability_limits(projection: SpeedProjection, swept: Sweep) -> tuple[float, ...]:
    """Where the largest real part changes its sign: to the last digits with damping, by bisection without."""
    scale = max(float(np.abs(modes.eigenvalues).max()) for modes in swept.modes)
    level = UNSTABLE * scale if projection.equations.conservative else 0.0

    def growth(speed: float) -> float:
        values = projection.modes_at(speed, swept.wanted).eigenvalues
        return float(values.real.max()) - level

    rates = [float(modes.eigenvalues[: swept.wanted].real.max()) - level for modes in swept.modes]
    limits = []
    for k in range(len(rates) - 1):
        if (rates[k] > 0) != (rates[k + 1] > 0) and max(abs(rates[k]), abs(rates[k + 1])) > 1e-9 * scale:
            low, high = float(swept.speeds[k]), float(swept.speeds[k + 1])
            if growth(low) * growth(high) < 0:
                limits.append(float(brentq(growth, low, high, xtol=1e-13 * max(abs(low), abs(high)), rtol=1e-14)))
    return tuple(limits)
