"""Controllers: blocks that turn signals into signals, which loads, drives of force and other blocks read by name.

A block is continuous, or sampled where it has a period: it then reads its inputs at offset, offset + period, … and
holds its output in between. Every block begins at rest, as transfer functions do: its states are zero (or as
given), and so are the inputs before the start.

`connect` describes a block to a `SignalBuilder`. It yields its outputs once: what stands before is needed for them
at the same instant, what stands after may depend on them. So a block with states closes a loop, and one without
cannot.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

import numpy as np

from flexframe.errors import InputError, at_field
from flexframe.given import Described
from flexframe.maths.formula import Formula
from flexframe.model.constraints import Law

Outputs = dict[str, int]
"""Signals by component; the single output of a block has the component ''."""


Sampling = tuple[float, float]
"""Period and offset [s]."""


class SignalBuilder(Protocol):
    """What collects signals: numbers that are computed in order, each from earlier ones."""

    def input(self, law: Any, sampling: Sampling | None = None) -> int:
        """The signal of a number, a formula of t and names, or a law of time.

        Who reads it at sampling instants reads what other blocks sample at the same instant.
        """
        ...

    def dimension(self, law: Any) -> tuple[int, int, int] | None:
        """Powers of m, kg and s of a sensor that a law names alone; None where that is not known."""
        ...

    def state(self, initial: float) -> int:
        """A state z with its value at the start."""
        ...

    def derive(self, state: int, signal: int) -> None:
        """ż is that signal, which may come later."""
        ...

    def linear(self, terms: Sequence[tuple[float, int]], constant: float = 0.0) -> int:
        """constant + Σ factor · signal."""
        ...

    def formula(self, formula: Formula, signals: Sequence[int]) -> int:
        """A formula of signals, in the order of its variables."""
        ...

    def held(self, initial: float) -> int:
        """A value that changes at sampling instants only."""
        ...

    def sample(self, period: float, offset: float, values: Sequence[tuple[int, int]]) -> None:
        """At every instant, held values take those of signals, all at once."""
        ...

    def call(  # noqa: PLR0917 - all that a function needs
        self,
        name: str,
        period: float,
        offset: float,
        function: Callable[..., Any],
        inputs: Sequence[int],
        outputs: Sequence[int],
    ) -> None:
        """At every instant, held values take what function(time, *inputs) returns."""
        ...


class Controller(Protocol):
    """A block with a name; its output is that name in formulas, or name.component where it has several."""

    @property
    def name(self) -> str: ...

    def connect(self, builder: SignalBuilder) -> Iterator[Outputs]:
        """Describe it; yields its outputs once."""
        ...


@dataclass(frozen=True, eq=False)
class Block(Described):
    """What all blocks with one output share: name, input, and the sampling."""

    kind: ClassVar[str]
    name: str
    input: Law
    period: float | None = field(default=None, kw_only=True)
    offset: float = field(default=0.0, kw_only=True)
    unit: str = field(default="", kw_only=True)  # of the output, for tables and figures

    def __post_init__(self) -> None:
        super().__post_init__()
        require_sampling(self.name, self.period, self.offset)

    @property
    def sampling(self) -> Sampling | None:
        """Period and offset of a sampled block."""
        return None if self.period is None else (self.period, self.offset)

    def _read(self, builder: SignalBuilder, field: str = "input") -> int:
        """The signal of what is given in a field; a case has the input in that of the kind."""
        with at_field(self.kind if field == "input" else field):
            return builder.input(getattr(self, field), self.sampling)

    def _direct(self, builder: SignalBuilder, make: Callable[[], int]) -> Iterator[Outputs]:
        """An output that follows from the input at the same instant, or is held after sampling."""
        if self.period is None:
            yield {"": make()}
            return
        output = builder.held(0.0)
        yield {"": output}
        builder.sample(self.period, self.offset, [(output, make())])


def read_all(builder: SignalBuilder, kind: str, laws: Sequence[Law], sampling: Sampling | None) -> list[int]:
    """The signals of several inputs of a block."""
    with at_field(kind):
        return [builder.input(law, sampling) for law in laws]


def limit(builder: SignalBuilder, signal: int, limits: tuple[float, float]) -> int:
    low, high = limits
    between = Formula.parse("min(max(u, low), high)", ("u",), {"low": float(low), "high": float(high)})
    return builder.formula(between, [signal])


def require_limits(name: str, limits: tuple[float, float]) -> None:
    low, high = limits
    if not (low < high and np.isfinite([low, high]).all()):
        raise InputError(
            f"controller {name}: limits {low:g} and {high:g} do not increase; sort them", field="limits"
        )


def require_sampling(name: str, period: float | None, offset: float) -> None:
    if period is not None and not (period > 0.0 and np.isfinite(period)):
        raise InputError(f"controller {name}: period is {period:g} s; give a time above zero", field="period")
    if not (offset >= 0.0 and np.isfinite(offset)):
        raise InputError(f"controller {name}: offset is {offset:g} s; give a time of zero or more", field="offset")
    if offset and period is None:
        raise InputError(f"controller {name}: offset is given without a period; give both", field="offset")


def require_discrete(name: str, period: float | None, *, discrete: bool) -> None:
    if discrete and period is None:
        raise InputError(f"controller {name}: a discrete block needs a period; give it", field="period")
