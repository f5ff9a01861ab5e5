"""The weights of generalised-α for a spectral radius."""

from dataclasses import dataclass

from flexframe.errors import InputError


@dataclass(frozen=True)
class GeneralisedAlpha:
    """Parameters of generalised-α (Chung and Hulbert 1993) for a spectral radius at infinite frequency."""

    spectral_radius: float = 1.0

    def __post_init__(self) -> None:
        if not 0 <= self.spectral_radius <= 1:
            raise InputError(f"spectral radius is {self.spectral_radius:g}; give a number from 0 to 1")

    @property
    def inertia_weight(self) -> float:
        """α_m: how much of the old accelerations enters."""
        return (2 * self.spectral_radius - 1) / (self.spectral_radius + 1)

    @property
    def force_weight(self) -> float:
        """α_f: how much of the old displacements and rates enters."""
        return self.spectral_radius / (self.spectral_radius + 1)

    @property
    def gamma(self) -> float:
        return 0.5 - self.inertia_weight + self.force_weight

    @property
    def beta(self) -> float:
        return (1 - self.inertia_weight + self.force_weight) ** 2 / 4
