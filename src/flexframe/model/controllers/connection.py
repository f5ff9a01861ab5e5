"""Which block reads which, by the names in formulas: in the order of need, and without algebraic loops."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from flexframe.errors import InputError, at_part
from flexframe.maths.expression import CONSTANTS, FUNCTIONS
from flexframe.maths.formula import Formula, Operation
from flexframe.model.controllers.contract import Controller, Outputs, Sampling, SignalBuilder

_TAKEN = ("t", *CONSTANTS, *FUNCTIONS)


class ConnectedNames(Mapping[str, int]):
    """Signals by the names that formulas use; a block is connected when the first formula reads it.

    The builder looks names up here, and blocks ask the builder for their inputs, so that every block follows those
    that it reads. One that is asked for its output before it could give it is in an algebraic loop.
    """

    def __init__(self, controllers: Sequence[Controller], others: Mapping[str, int]) -> None:
        self._controllers = {each.name: each for each in controllers}
        self._others = others
        self._found: dict[str, Outputs] = {}
        self._open: list[str] = []  # blocks that wait for others before they give their outputs
        self._unfinished: dict[str, Iterator[Outputs]] = {}
        self.builder: SignalBuilder | None = None

    def __iter__(self) -> Iterator[str]:
        yield from self._others
        for controller in self._controllers.values():
            yield from output_names(controller)

    def __len__(self) -> int:
        return len(list(iter(self)))

    def __getitem__(self, name: str) -> int:
        if name in self._others:
            return self._others[name]
        owner, _, component = name.partition(".")
        if owner not in self._controllers or component not in self._controllers[owner].outputs:
            raise KeyError(name)
        self.connect(owner)
        if not self._open:
            self._finish(owner)
        return self._found[owner][component]

    def connect_all(self) -> None:
        """Connect also the blocks that nothing reads."""
        for name in self._controllers:
            self.connect(name)

    def connect(self, name: str) -> None:
        """Connect a block, and before it those that it reads."""
        if name in self._found:
            return
        if name in self._open:
            loop = [*self._open[self._open.index(name) :], name]
            raise InputError(
                f"controllers need their own output at the same instant: {' reads '.join(loop)}; put a "
                "block with a state or a period into the loop",
                part=("controllers", name),
            )
        assert self.builder is not None
        self._open.append(name)
        with at_part("controllers", name):
            steps = self._controllers[name].connect(self.builder)
            self._found[name] = next(steps)
        self._open.remove(name)
        self._unfinished[name] = steps
        # what stands after the outputs may read blocks that wait for these outputs
        while self._unfinished and not self._open:
            self._finish(next(reversed(self._unfinished)))

    def _finish(self, name: str) -> None:
        """Let a block read what it did not need for its outputs, unless it does so already."""
        with at_part("controllers", name):
            for _ in self._unfinished.pop(name, ()):
                raise AssertionError("a block yields its outputs once")


def output_names(controller: Controller) -> tuple[str, ...]:
    """What formulas call the outputs of a block."""
    return tuple(f"{controller.name}.{part}" if part else controller.name for part in controller.outputs)


def names_in(law: Any, known: Sequence[str]) -> tuple[str, ...]:
    """The names, other than t, that a law uses; a text is read as a formula of them."""
    formula = Formula.parse(law, ("t", *known)) if isinstance(law, str) else law
    if not isinstance(formula, Formula):
        return ()
    codes = zip(formula.opcodes, formula.operands, strict=True)
    used = {formula.variables[int(operand)] for code, operand in codes if code == Operation.VARIABLE}
    return tuple(name for name in formula.variables if name in used and name != "t")


class _Trial:
    """A builder that notes nothing, to see whether blocks can be connected."""

    def __init__(self, names: Mapping[str, int]) -> None:
        self._names = names

    def input(self, law: Any, sampling: Sampling | None = None) -> int:  # noqa: ARG002
        known = tuple(self._names)
        for name in names_in(law, known):
            if name not in known:
                raise InputError(
                    f"there is no sensor or controller '{name}'; known are {', '.join(known) or 'none'}"
                )
            self._names[name]
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

    def sample_function(self, *given: Any) -> None: ...


def require_connected(controllers: Sequence[Controller], sensors: Sequence[str]) -> None:
    """Refuse names that stand for nothing or for two things, and algebraic loops."""
    seen = dict.fromkeys(_TAKEN, "a word of formulas") | dict.fromkeys(sensors, "a sensor")
    for controller in controllers:
        for name in dict.fromkeys((controller.name, *output_names(controller))):
            simple = all(part.isidentifier() and part.isascii() for part in name.split("."))
            taken = (
                "cannot stand in a formula" if not simple else f"is {seen[name]} already" if name in seen else ""
            )
            if taken:
                raise InputError(
                    f"the name '{name}' of a controller {taken}; choose another of letters, digits and _",
                    part=("controllers", controller.name),
                )
        seen |= dict.fromkeys((controller.name, *output_names(controller)), "a controller")
    names = ConnectedNames(controllers, dict.fromkeys(sensors, 0))
    names.builder = _Trial(names)
    names.connect_all()
