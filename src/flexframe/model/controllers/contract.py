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

from flexframe.errors import InputError, at_field, at_part
from flexframe.given import Described
from flexframe.maths.expression import CONSTANTS, FUNCTIONS
from flexframe.maths.formula import Formula
from flexframe.model.constraints import Law, names_in, state_law
from flexframe.model.measured import Measured, dimension_of_law

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

    def hold(self, initial: float) -> int:
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
        output = builder.hold(0.0)
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


_WHOLE = 1e-9  # relative, of a number of periods


class Connections:
    """Blocks that are connected when the first formula reads them.

    Blocks ask the builder for their inputs, and the builder asks here for the outputs of blocks, so that every
    block follows those that it reads. One that is asked for its outputs before it could give them is in an
    algebraic loop.
    """

    def __init__(self, controllers: Sequence[Controller], builder: SignalBuilder) -> None:
        self._controllers = {each.name: each for each in controllers}
        self._builder = builder
        self._found: dict[str, Outputs] = {}
        self._open: list[str] = []  # blocks that wait for others before they give their outputs
        self._unfinished: dict[str, Iterator[Outputs]] = {}
        self._at_work: list[str] = []  # blocks that describe themselves, each asked by the one before

    @property
    def at_work(self) -> str:
        """The block that describes itself, which what it makes belongs to; '' where none does."""
        return self._at_work[-1] if self._at_work else ""

    def __contains__(self, name: object) -> bool:
        return name in self._controllers

    def outputs(self, name: str) -> Outputs:
        """The outputs of a block."""
        if name not in self._found:
            self._connect(name)
        if not self._open:
            self._finish(name)
        return self._found[name]

    def all_outputs(self) -> dict[str, Outputs]:
        """Those of all blocks, also of those that nothing reads."""
        return {name: self.outputs(name) for name in self._controllers}

    def _connect(self, name: str) -> None:
        if name in self._open:
            loop = [*self._open[self._open.index(name) :], name]
            raise InputError(
                f"controllers need their own output at the same instant: {' reads '.join(loop)}; put a block with "
                "a state or a period into the loop",
                part=("controllers", name),
            )
        self._open.append(name)
        self._at_work.append(name)
        with at_part("controllers", name):
            steps = self._controllers[name].connect(self._builder)
            self._found[name] = next(steps)
        self._at_work.pop()
        self._open.remove(name)
        self._unfinished[name] = steps
        # what stands after the outputs may read blocks that wait for these outputs
        while self._unfinished and not self._open:
            self._finish(next(reversed(self._unfinished)))

    def _finish(self, name: str) -> None:
        """Let a block read what it did not need for its outputs, unless it does so already."""
        self._at_work.append(name)
        with at_part("controllers", name):
            for _ in self._unfinished.pop(name, ()):
                raise AssertionError("a block yields its outputs once")
        self._at_work.pop()


def reads_fresh(reader: Sampling | None, source: Sampling) -> bool:
    """Whether all instants of a sampled reader are instants of what it reads."""
    if reader is None:
        return False
    parts = (reader[0] / source[0], (reader[1] - source[1]) / source[0])
    return parts[1] > -_WHOLE and all(abs(part - round(part)) <= _WHOLE * max(1.0, abs(part)) for part in parts)


_TAKEN = ("t", *CONSTANTS, *FUNCTIONS)


def require_connected(controllers: Sequence[Controller], sensor: Callable[..., Measured]) -> None:
    """Refuse names that stand for nothing or are no names, and algebraic loops.

    `sensor` refuses a name that is neither a sensor nor a controller, or that only sampled blocks may read.
    """
    for controller in controllers:
        with at_part("controllers", controller.name):
            require_name(controller.name)
    for name, outputs in _Trial(controllers, sensor).connections.all_outputs().items():
        with at_part("controllers", name):
            for component in filter(None, outputs):
                require_name(component)


def require_name(name: str) -> None:
    """Refuse a name that cannot stand in a formula."""
    taken = name in _TAKEN
    if taken or not (name.isidentifier() and name.isascii()):
        why = "is a word of formulas" if taken else "cannot stand in a formula"
        raise InputError(f"the name '{name}' {why}; choose another of letters, digits and _")


class _Trial:
    """A builder that makes nothing, to see in which order blocks ask for each other."""

    def __init__(self, controllers: Sequence[Controller], sensor: Callable[..., Measured]) -> None:
        self.connections = Connections(controllers, self)
        self.sensor = sensor

    def input(self, law: Any, sampling: Sampling | None = None) -> int:
        for name in names_in(state_law(law)):
            whole, _, component = name.partition(".")
            if whole not in self.connections:
                self.sensor(name, instants=sampling is not None)
                continue
            outputs = self.connections.outputs(whole)
            if component not in outputs:
                parts = " or ".join(f"{whole}.{part}" if part else whole for part in outputs)
                raise InputError(f"the controller {whole} has no output '{name}'; write {parts}")
        return 0

    def dimension(self, law: Any) -> tuple[int, int, int] | None:
        return dimension_of_law(law, self.connections, self.sensor)

    def state(self, initial: float) -> int:  # noqa: ARG002
        return 0

    def derive(self, state: int, signal: int) -> None: ...

    def linear(self, terms: Sequence[tuple[float, int]], constant: float = 0.0) -> int:  # noqa: ARG002
        return 0

    def formula(self, formula: Formula, signals: Sequence[int]) -> int:  # noqa: ARG002
        return 0

    def hold(self, initial: float) -> int:  # noqa: ARG002
        return 0

    def sample(self, period: float, offset: float, values: Sequence[tuple[int, int]]) -> None: ...

    def call(self, *given: Any) -> None: ...
