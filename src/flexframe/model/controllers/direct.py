"""Blocks without a memory: a law of time under a name, a gain, limits, a hold."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from numpy.typing import ArrayLike

from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.maths.pieces import Pieces
from flexframe.model.constraints import Piecewise
from flexframe.model.controllers.contract import Block, Outputs, SignalBuilder, limit, require_limits


@dataclass(frozen=True, eq=False)
class RateOfLaw:
    """The derivative of a law that is made of polynomials."""

    of: Piecewise

    @cached_property
    def pieces(self) -> Pieces:
        """Its polynomials."""
        return self.of.pieces.derivative

    def jet(self, times: ArrayLike, /) -> tuple[Array, Array, Array]:
        return self.pieces.jet(times)


@dataclass(frozen=True, eq=False)
class Reference(Block):
    """A law of time under a name: a setpoint that several formulas read.

    Of a trajectory or recording, name.rate is its derivative.
    """

    kind: ClassVar[str] = "reference"

    def connect(self, builder: SignalBuilder) -> Iterator[Outputs]:
        law = self.input
        if not isinstance(law, Piecewise):
            return self._direct(builder, lambda: self._read(builder))
        return self._with_rate(builder, RateOfLaw(law))

    def _with_rate(self, builder: SignalBuilder, rate: RateOfLaw) -> Iterator[Outputs]:
        if self.period is None:
            yield {"": self._read(builder), "rate": builder.input(rate)}
            return
        held = builder.held(0.0), builder.held(0.0)
        yield dict(zip(("", "rate"), held, strict=True))
        values = self._read(builder), builder.input(rate)
        builder.sample(self.period, self.offset, list(zip(held, values, strict=True)))


@dataclass(frozen=True, eq=False)
class Gain(Block):
    """factor × input."""

    kind: ClassVar[str] = "gain"
    factor: float = 1.0

    def connect(self, builder: SignalBuilder) -> Iterator[Outputs]:
        return self._direct(builder, lambda: builder.linear([(self.factor, self._read(builder))]))


@dataclass(frozen=True, eq=False)
class Saturation(Block):
    """The input between two limits."""

    kind: ClassVar[str] = "saturation"
    limits: tuple[float, float]

    def __post_init__(self) -> None:
        super().__post_init__()
        require_limits(self.name, self.limits)

    def connect(self, builder: SignalBuilder) -> Iterator[Outputs]:
        return self._direct(builder, lambda: limit(builder, self._read(builder), self.limits))


@dataclass(frozen=True, eq=False)
class ZeroOrderHold(Block):
    """The input as it was at the last sampling instant."""

    kind: ClassVar[str] = "hold"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.period is None:
            raise InputError(f"controller {self.name}: a hold needs a period; give it", field="period")

    def connect(self, builder: SignalBuilder) -> Iterator[Outputs]:
        return self._direct(builder, lambda: self._read(builder))
