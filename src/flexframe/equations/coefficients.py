"""What multiplies a part of the equations: a function of the operating point."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from flexframe.equations.operating_point import OperatingPoint

Substitution = Mapping[str, tuple[complex, str | None]]
"""Component → a number and the component that it multiplies, None where the number is all."""


class Coefficient(Protocol):
    """A scalar function of the operating point, real or complex."""

    @property
    def components(self) -> tuple[str, ...] | None:
        """The factors of a product of components, () of a constant; None for any other function."""
        ...

    def at(self, point: OperatingPoint) -> Any:
        """The values at a point: an array that broadcasts to its shape."""
        ...

    def substitute(self, given: Substitution) -> "Coefficient":
        """The same with some components expressed by others."""
        ...


@dataclass(frozen=True)
class Monomial:
    """scale · Π components: 2 ωx ωy, or a constant."""

    components: tuple[str, ...] = ()
    scale: complex = 1.0

    def at(self, point: OperatingPoint) -> Any:
        value: Any = self.scale
        for name in self.components:
            value = value * point.component(name)
        return value

    def substitute(self, given: Substitution) -> "Monomial":
        scale, components = self.scale, []
        for name in self.components:
            factor, other = given.get(name, (1.0, name))
            scale *= factor
            if other is not None:
                components.append(other)
        return Monomial(tuple(components), scale)

    def __str__(self) -> str:
        return " ".join(self.components) or "1"


@dataclass(frozen=True, eq=False)
class Law:
    """Any function of the operating point: a bearing's table over the speed, a complex modulus over λ.

    It must take arrays of instants too. Substitutions leave it as it is.
    """

    name: str
    function: Callable[[OperatingPoint], Any]

    @property
    def components(self) -> None:
        return None

    def at(self, point: OperatingPoint) -> Any:
        return np.asarray(self.function(point))

    def substitute(self, given: Substitution) -> "Law":  # noqa: ARG002 - its function is opaque
        return self

    def __str__(self) -> str:
        return self.name


CONSTANT = Monomial()
