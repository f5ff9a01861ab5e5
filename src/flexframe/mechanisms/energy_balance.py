"""Energy balance of a motion along the steps of its integration, whatever instants of it are stored."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.polynomial.legendre import leggauss

from flexframe.maths.arrays import Array
from flexframe.mechanisms.inverse_dynamics import applied_power, drive_power, inverse_dynamics, kinetic_energy
from flexframe.mechanisms.motion import MechanismMotion

_POINTS, _WEIGHTS = leggauss(6)  # of twelfth order, far beyond the integration
_AT_ONCE = 200  # steps

MotionAt = Callable[[Array, Array], MechanismMotion]
"""Times (T,) and state vectors (T, n) → the motion there."""


@dataclass(eq=False)
class EnergyBalance:
    """Largest |T − T₀ − ∫P dt|, P the power of loads and drives, integrated inside the steps by Gauss's formula.

    T is taken where a step leaves the motion, on the joints, so that the misfit is that of the integration.
    """

    motion_at: MotionAt
    _work: float = 0.0
    _start: float | None = None
    _scale: float = 0.0
    _drift: float = 0.0
    _steps: list[tuple[float, float]] = field(default_factory=list)
    _inner: list[Array] = field(default_factory=list)
    _ends: list[Array] = field(default_factory=list)

    def begin(self, time: float, y: Array) -> None:
        """The start."""
        self._start = float(kinetic_energy(self.motion_at(np.array([time]), y[None]))[0])
        self._scale = abs(self._start)

    def take(self, before: float, after: float, dense: Callable[[Array], Array], y: Array) -> None:
        """A step, its interpolation, and the state in which it was left."""
        self._steps.append((before, after))
        self._inner.append(np.asarray(dense(before + (after - before) * (_POINTS + 1) / 2)).T)
        self._ends.append(np.array(y))
        if len(self._steps) == _AT_ONCE:
            self._close()

    def _close(self) -> None:
        if not self._steps:
            return
        before, after = np.array(self._steps).T
        times = before[:, None] + (after - before)[:, None] * (_POINTS + 1) / 2
        forces = inverse_dynamics(self.motion_at(times.ravel(), np.concatenate(self._inner)))
        power = (applied_power(forces.motion) + drive_power(forces)).reshape(times.shape)
        work = self._work + np.cumsum((after - before) / 2 * (power @ _WEIGHTS))
        energy = kinetic_energy(self.motion_at(after, np.array(self._ends)))
        assert self._start is not None, "begun before the first step"
        self._scale = max(self._scale, float(np.abs(energy).max()), float(np.abs(work).max()))
        self._drift = max(self._drift, float(np.abs(energy - self._start - work).max()))
        self._work = float(work[-1])
        self._steps, self._inner, self._ends = [], [], []

    @property
    def drift(self) -> float:
        """The largest misfit, relative to the largest of |T| and |∫P dt|."""
        self._close()
        return self._drift / self._scale if self._scale else 0.0
