"""A measured quantity at many instants, with its derivative where that is asked for."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from flexframe.maths.arrays import Array


@dataclass(frozen=True, eq=False)
class Reading:
    """Values (T, …) and their slopes (T, …, d) in d directions, carried through every operation by the chain rule.

    The directions are those that a state seeks: time alone (d = 1, the slope is the rate), or the coordinates of
    the state (the slopes are the Jacobian). Without slopes (None) nothing is known of the derivative.
    """

    values: Array
    slopes: Array | None = None

    def __array_ufunc__(self, function: np.ufunc, method: str, *inputs: "Reading", **options: Any) -> "Reading":
        """Let numpy.sqrt and numpy.maximum take readings, so that a formula for arrays serves them too."""
        if method == "__call__" and not options:
            if function is np.sqrt:
                return inputs[0].sqrt()
            if function is np.maximum:
                return _larger(*inputs)
        return NotImplemented

    def chain(self, values: Array, gradient: Array) -> "Reading":
        """f(x) of each element: values f and slopes f′ ẋ, both of the shape of x."""
        return Reading(values, None if self.slopes is None else gradient[..., None] * self.slopes)

    def __getitem__(self, component: int | slice) -> "Reading":
        """Some components of a vector."""
        return Reading(self.values[:, component], None if self.slopes is None else self.slopes[:, component])

    def __neg__(self) -> "Reading":
        return Reading(-self.values, None if self.slopes is None else -self.slopes)

    def __add__(self, other: "Reading | Array | float") -> "Reading":
        if not isinstance(other, Reading):
            return Reading(self.values + other, self.slopes)
        known = self.slopes is not None and other.slopes is not None
        return Reading(self.values + other.values, self.slopes + other.slopes if known else None)  # type: ignore[operator]  # both

    def __sub__(self, other: "Reading | Array | float") -> "Reading":
        return self + -other

    def __mul__(self, other: "Reading | float") -> "Reading":
        if not isinstance(other, Reading):
            return Reading(self.values * other, None if self.slopes is None else self.slopes * other)
        slopes = None
        if self.slopes is not None and other.slopes is not None:
            slopes = self.slopes * other.values[..., None] + self.values[..., None] * other.slopes
        return Reading(self.values * other.values, slopes)

    __rmul__ = __mul__

    def __truediv__(self, other: float) -> "Reading":
        return Reading(self.values / other, None if self.slopes is None else self.slopes / other)

    def __pow__(self, exponent: int) -> "Reading":
        return self.chain(self.values**exponent, exponent * self.values ** (exponent - 1))

    def sqrt(self) -> "Reading":
        """√x; at zero it has no slope, which becomes NaN."""
        root = np.sqrt(self.values)
        with np.errstate(divide="ignore", invalid="ignore"):
            return self.chain(root, 0.5 / root)

    def along(self, direction: Array) -> "Reading":
        """Component of a vector in a constant direction: (T,)."""
        slopes = None if self.slopes is None else np.einsum("tiz,i->tz", self.slopes, direction)
        return Reading(self.values @ direction, slopes)

    def dot(self, other: "Reading") -> "Reading":
        """a · b of two vectors: (T,)."""
        return product("ti,ti->t", self, other)

    def norm(self) -> "Reading":
        """|a| of a vector: (T,)."""
        return self.dot(self).sqrt()

    def rotated(self, rotation: "Reading") -> "Reading":
        """R a, with R (T, 3, 3)."""
        return product("tij,tj->ti", rotation, self)

    def rotated_back(self, rotation: "Reading") -> "Reading":
        """Rᵀ a."""
        return product("tji,tj->ti", rotation, self)


def _larger(first: Reading, second: Reading) -> Reading:
    """The larger one at each instant, with its slopes."""
    values, wins = np.maximum(first.values, second.values), first.values >= second.values
    if first.slopes is None or second.slopes is None:
        return Reading(values)
    return Reading(values, np.where(wins[..., None], first.slopes, second.slopes))


def product(subscripts: str, first: Reading, second: Reading) -> Reading:
    """A product in the notation of `numpy.einsum`, such as "ti,ti->t"; its slopes by the product rule."""
    inputs, out = subscripts.split("->")
    one, two = inputs.split(",")
    values = np.asarray(np.einsum(subscripts, first.values, second.values))
    if first.slopes is None or second.slopes is None:
        return Reading(values)
    slopes = np.einsum(f"{one}z,{two}->{out}z", first.slopes, second.values)
    return Reading(values, slopes + np.einsum(f"{one},{two}z->{out}z", first.values, second.slopes))


def stack(parts: list[Reading]) -> Reading:
    """Numbers (T,) as components of one vector (T, k)."""
    known = [part.slopes for part in parts if part.slopes is not None]
    slopes = np.stack(known, axis=1) if len(known) == len(parts) else None
    return Reading(np.stack([part.values for part in parts], axis=1), slopes)
