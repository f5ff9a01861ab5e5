"""Blocks without a memory: a law of time under a name, a gain, limits, a hold."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from flexframe.errors import InputError
from flexframe.model.controllers.contract import Block, Outputs, SignalBuilder, limit, require_limits


@dataclass(frozen=True, eq=False)
class Reference(Block):
    """A law of time under a name: a setpoint that several formulas read."""

    kind: ClassVar[str] = "reference"

    def connect(self, builder: SignalBuilder) -> Iterator[Outputs]:
        return self._direct(builder, lambda: self._read(builder))


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
