"""Multipliers of the terms that a moving frame adds."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Terms:
    """Multipliers of the terms that the moving frame adds: 1 is the physics, other values are for study.

    `euler` and `centrifugal` scale matrix and load alike; the stress behind `geometric` is always that of the
    true loads.
    """

    coriolis: float = 1.0
    euler: float = 1.0
    centrifugal: float = 1.0
    geometric: float = 1.0

    @property
    def physical(self) -> bool:
        """Whether every term is on as it is."""
        return self == Terms()

    def multiplier(self, part: str) -> float:
        """Of a part of the equations by its name; 1 for parts that no multiplier scales."""
        return float(getattr(self, part)) if part in _NAMES else 1.0


_NAMES = frozenset(Terms.__dataclass_fields__)
