"""Functions of Python as blocks."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from flexframe.given import Described
from flexframe.model.constraints import Law
from flexframe.model.controllers.contract import Outputs, SignalBuilder, read_all, require_sampling


@dataclass(frozen=True, eq=False)
class PythonFunction(Described):
    """Any function of Python at a sampling rate: function(time, *inputs) returns the output, or all of them.

    It is called once at each instant, in the order of time, and may keep a memory of its own; a run that goes on
    from a checkpoint does not restore that. A call takes some microseconds, beside what the function itself does.
    """

    kind: ClassVar[str] = "python_function"
    name: str
    input: Law | tuple[Law, ...]
    function: Callable[..., Any]
    period: float
    offset: float = 0.0
    components: tuple[str, ...] = ()
    initial: float = 0.0
    unit: str = ""  # of the outputs, for tables and figures

    def __post_init__(self) -> None:
        super().__post_init__()
        require_sampling(self.name, self.period, self.offset)

    @property
    def outputs(self) -> tuple[str, ...]:
        return self.components or ("",)

    def connect(self, builder: SignalBuilder) -> Iterator[Outputs]:
        held = [builder.held(self.initial) for _ in self.outputs]
        yield dict(zip(self.outputs, held, strict=True))
        laws = self.input if isinstance(self.input, tuple) else (self.input,)
        inputs = read_all(builder, self.kind, laws, (self.period, self.offset))
        builder.call(self.name, self.period, self.offset, self.function, inputs, held)
