"""Ellipses in space: orbits and rotating forces by their parts that go with the spin and against it.

With x = Re(x̂e^{iΩt}) and y = Re(ŷe^{iΩt}) along e₁ and e₂

    x + iy = f e^{iΩt} + b e^{−iΩt},   f = ½(x̂ + iŷ),   b̄ = ½(x̂ − iŷ) :

the half axes are |f| + |b| and |f| − |b|, which is negative where the orbit goes against the spin.
"""

from dataclasses import dataclass

import numpy as np

from flexframe.maths.arrays import Array, ComplexArray


@dataclass(frozen=True, eq=False)
class Ellipses:
    """Ellipses over samples by complex amplitudes along e₁ and e₂ of space: (samples,) each."""

    first: ComplexArray
    second: ComplexArray
    unit: str = "m"

    @property
    def forward(self) -> ComplexArray:
        """f, the part that turns with the spin."""
        return np.asarray((self.first + 1j * self.second) / 2)

    @property
    def backward(self) -> ComplexArray:
        """b, the part that turns against it."""
        return np.asarray(np.conj(self.first - 1j * self.second) / 2)

    @property
    def major(self) -> Array:
        """The larger half axis, the largest distance from the centre."""
        return np.asarray(np.abs(self.forward) + np.abs(self.backward))

    @property
    def minor(self) -> Array:
        """The smaller half axis, negative where the orbit goes against the spin."""
        return np.asarray(np.abs(self.forward) - np.abs(self.backward))

    @property
    def inclination(self) -> Array:
        """Angle of the major axis from e₁ [rad]."""
        return np.asarray((np.angle(self.forward) + np.angle(self.backward)) / 2)

    def path(self, sample: int, points: int = 181) -> Array:
        """One turn of a sample, closed: (points, 2)."""
        phase = np.exp(1j * np.linspace(0.0, 2 * np.pi, points))
        return np.stack([(self.first[sample] * phase).real, (self.second[sample] * phase).real], axis=1)

    def along(self, angle: float) -> ComplexArray:
        """What a probe at an angle [rad] from e₁ sees: (samples,)."""
        return np.asarray(np.cos(angle) * self.first + np.sin(angle) * self.second)
