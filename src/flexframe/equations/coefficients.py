"""What multiplies a part of the equations: a function of the operating point."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np

from flexframe.equations.operating_point import AMOUNTS, OperatingPoint, Substitution


class Coefficient(Protocol):
    """A scalar function of the operating point, real or complex."""

    @property
    def components(self) -> tuple[str, ...] | None:
        """The factors of a product of components, () of a constant; None for any other function."""
        ...

    @property
    def open_to(self) -> tuple[str, ...]:
        """Components and amounts on which it may depend."""
        ...

    def at(self, point: OperatingPoint) -> Any:
        """The values at a point: an array that broadcasts to its shape."""
        ...

    def substitute(self, given: Substitution) -> "Coefficient":
        """The same with some components expressed by others."""
        ...

    def held(self, point: OperatingPoint) -> "Coefficient":
        """The same with functions replaced by their values at a point; products of components stay."""
        ...


@dataclass(frozen=True)
class Monomial:
    """scale · Π components: 2 ωx ωy, or a constant."""

    components: tuple[str, ...] = ()
    scale: complex = 1.0

    @property
    def open_to(self) -> tuple[str, ...]:
        return self.components

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

    def held(self, point: OperatingPoint) -> "Monomial":  # noqa: ARG002 - there is no function
        return self

    def __str__(self) -> str:
        return " ".join(self.components) or "1"


CONSTANT = Monomial()


@dataclass(frozen=True, eq=False)
class Law:
    """Any function of the operating point times a product of components: a bearing's table over the speed.

    It must take arrays of instants too. A function may give several values (..., k) at once, of which the law is
    the one at a `place`; laws of one function are then evaluated together. A substitution changes the product, and
    the amounts that the function sees.
    """

    name: str
    function: Callable[[OperatingPoint], Any]
    factor: Monomial = CONSTANT
    place: int | None = None
    amounts: tuple[str, ...] = AMOUNTS  # on which the function depends
    given: Substitution = field(default_factory=dict)

    @property
    def components(self) -> None:
        return None

    @property
    def open_to(self) -> tuple[str, ...]:
        seen = [self.given.get(name, (1.0, name))[1] for name in self.amounts]
        return (*self.factor.components, *(name for name in seen if name is not None))

    def at(self, point: OperatingPoint) -> Any:
        return self.factor.at(point) * self._value(point)

    def held(self, point: OperatingPoint) -> Monomial:
        return Monomial(self.factor.components, self.factor.scale * self._value(point).item())

    def _value(self, point: OperatingPoint) -> Any:
        """Of the function, with what it is given."""
        values = self.values(point)
        return values if self.place is None else values[..., self.place]

    def values(self, point: OperatingPoint) -> Any:
        """All that the function gives."""
        return np.asarray(self.function(point.given(self.given) if self.given else point))

    def substitute(self, given: Substitution) -> "Law":
        later = {
            name: (number, None)
            if other is None
            else (number * given[other][0], given[other][1])
            if other in given
            else (number, other)
            for name, (number, other) in self.given.items()
        }
        own = {name: value for name, value in given.items() if name in self.amounts and name not in self.given}
        return replace(self, factor=self.factor.substitute(given), given={**own, **later})

    def __str__(self) -> str:
        return " ".join([self.name, *self.factor.components])
