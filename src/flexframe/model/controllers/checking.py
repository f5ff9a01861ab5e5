"""Whether blocks can be connected: every name stands for one thing, and no block needs its own output at once."""

from collections.abc import Callable, Sequence
from typing import Any

from flexframe.errors import InputError, at_field, at_part
from flexframe.maths.expression import CONSTANTS, FUNCTIONS
from flexframe.maths.formula import Formula
from flexframe.model.constraints import state_law
from flexframe.model.controllers.connection import Connections
from flexframe.model.controllers.contract import Controller, Sampling

_TAKEN = ("t", *CONSTANTS, *FUNCTIONS)


def require_connected(controllers: Sequence[Controller], sensor: Callable[[str], object]) -> None:
    """Refuse names that stand for nothing or are no names, and algebraic loops.

    `sensor` refuses a name that is neither a sensor nor a controller.
    """
    for controller in controllers:
        with at_part("controllers", controller.name):
            for name in (controller.name, *filter(None, controller.outputs)):
                _require_name(name)
            for field, laws in controller.laws().items():
                with at_field(field):
                    for law in map(state_law, laws):
                        _require_known(law, controllers, sensor)
    _Trial(controllers).connections.all_outputs()


def _require_name(name: str) -> None:
    taken = name in _TAKEN
    if taken or not (name.isidentifier() and name.isascii()):
        why = "is a word of formulas" if taken else "cannot stand in a formula"
        raise InputError(f"the name '{name}' {why}; choose another of letters, digits and _")


def _require_known(law: object, controllers: Sequence[Controller], sensor: Callable[[str], object]) -> None:
    outputs = {controller.name: controller.outputs for controller in controllers}
    for name in law.names if isinstance(law, Formula) else ():
        whole, _, component = name.partition(".")
        if whole not in outputs:
            sensor(name)
        elif component not in outputs[whole]:
            parts = " or ".join(f"{whole}.{part}" if part else whole for part in outputs[whole])
            raise InputError(f"the controller {whole} has no output '{name}'; write {parts}")


class _Trial:
    """A builder that makes nothing, to see in which order blocks ask for each other."""

    def __init__(self, controllers: Sequence[Controller]) -> None:
        self.connections = Connections(controllers, self)

    def input(self, law: Any, sampling: Sampling | None = None) -> int:  # noqa: ARG002 - as the protocol has it
        found = state_law(law)
        for name in found.names if isinstance(found, Formula) else ():
            whole = name.partition(".")[0]
            if whole in self.connections:
                self.connections.outputs(whole)
        return 0

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
