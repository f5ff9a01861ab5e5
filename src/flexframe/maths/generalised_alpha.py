"""The constants of generalised-α, for every integrator that steps by it."""

from dataclasses import dataclass

from flexframe.errors import InputError


@dataclass(frozen=True)
class AlphaMethod:
    """Generalised-α (Chung & Hulbert 1993) with the spectral radius ρ∞ at infinite frequency.

    Displacements and rates follow Newmark with β and γ; the equation of motion holds at a weighted instant:

        (1 − α_m) a' + α_m a,   (1 − α_f) q' + α_f q,   α_m = (2ρ∞ − 1)/(ρ∞ + 1),   α_f = ρ∞/(ρ∞ + 1),
        γ = ½ + α_f − α_m,   β = ¼ (½ + γ)² .

    ρ∞ = 1 damps nothing (it is the midpoint rule), 0 all that is fast beside the step.
    """

    spectral_radius: float = 1.0

    def __post_init__(self) -> None:
        if not 0 <= self.spectral_radius <= 1:
            raise InputError(
                f"the spectral radius is {self.spectral_radius:g}; give a number between 0 and 1, 0.8 is usual",
                field="spectral_radius",
            )

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
        return 0.5 + self.force_weight - self.inertia_weight

    @property
    def beta(self) -> float:
        return 0.25 * (self.gamma + 0.5) ** 2
