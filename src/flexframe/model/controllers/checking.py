"""Whether blocks can be connected: every name stands for one thing, and no block needs its own output at once."""

from collections.abc import Callable, Sequence
from typing import Any

from flexframe.errors import InputError, at_part
from flexframe.maths.expression import CONSTANTS, FUNCTIONS
from flexframe.maths.formula import Formula
from flexframe.model.constraints import names_in, state_law
from flexframe.model.controllers.connection import Connections
from flexframe.model.controllers.contract import Controller, Sampling
from flexframe.model.measured import Measured, dimension_of_law

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

    def held(self, initial: float) -> int:  # noqa: ARG002
        return 0

    def sample(self, period: float, offset: float, values: Sequence[tuple[int, int]]) -> None: ...

    def call(self, *given: Any) -> None: ...
