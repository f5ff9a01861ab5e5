"""Functions of Python and tables that loads follow: what they raised, how often they were called, and the like."""

from collections.abc import Iterator
from contextlib import contextmanager

from flexframe.errors import AnalysisError
from flexframe.maths.arrays import Array
from flexframe.model.constraints import StateLaw, TimeLaw, state_law
from flexframe.model.state_laws import PythonLaw, Table
from flexframe.model.system import System
from flexframe.model.system_loads import laws_of
from flexframe.multibody.contract import DynamicSystem, Simulation
from flexframe.multibody.signals import Kind


def _functions(system: DynamicSystem) -> list[PythonLaw]:
    return [law for law in system.network.laws if isinstance(law, PythonLaw)]


@contextmanager
def python_errors(system: DynamicSystem) -> Iterator[None]:
    """Within it the core may call functions of Python; what one raises is raised when the core has returned."""
    for law in _functions(system):
        law.calls.error = None
    try:
        yield
    finally:
        for law in _functions(system):
            error = law.calls.error
            if isinstance(error, Exception):
                raise AnalysisError(
                    f"{_owner(system.system, law)} follows a function that fails: {type(error).__name__}: {error}"
                ) from error
            if error is not None:
                raise error


def start_counting(system: DynamicSystem) -> None:
    """Count calls of functions from here on."""
    for law in _functions(system):
        law.calls.count = 0


def law_notices(run: Simulation) -> tuple[str, ...]:
    """How often functions of Python were called, and which tables were left."""
    system = run.system
    found = [
        f"{_owner(system.system, law)} follows a function of Python, called {law.calls.count} times, which is "
        "slow; a formula, a table or a compiled function is fast"
        for law in _functions(system)
    ]
    for signal in system.network.signals:
        law = system.network.laws[signal.source] if signal.kind is Kind.LAW else None
        if isinstance(law, Table):
            inputs = [run.signals[:, number] for number in signal.inputs]
            found += [f"{_owner(system.system, law)} left its table: {words}" for words in _left(law, inputs)]
    return tuple(dict.fromkeys(found))


def _left(table: Table, inputs: list[Array]) -> Iterator[str]:
    for law, points, values in zip(table.inputs, table.over, inputs, strict=True):
        low, high, least, most = float(points[0]), float(points[-1]), float(values.min()), float(values.max())
        if least < low or most > high:
            name = getattr(state_law(law), "text", "an input")
            reached = least if low - least > most - high else most
            yield f"{name} reached {reached:.4g}, and beyond {low:.4g} to {high:.4g} its ends are held"


def _owner(system: System, law: TimeLaw) -> str:
    """The load that follows a law, in words."""

    def follows(each: TimeLaw) -> bool:
        return each is law or (isinstance(each, StateLaw) and any(follows(state_law(one)) for one in each.inputs))

    owner = next((load.name for load in system.loads if any(map(follows, laws_of(load)))), None)
    return "a controller" if owner is None else f"load {owner}"
