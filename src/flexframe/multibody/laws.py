"""Laws of time as flat tables: tapes of formulas, coefficients of polynomials, anything else tabulated.

Functions of Python that loads follow are called by the core: what they raise is raised when it returns.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import numpy as np

from flexframe.errors import AnalysisError, InputError
from flexframe.maths.arrays import Array
from flexframe.maths.formula import Formula, Operation
from flexframe.maths.pieces import DEGREE
from flexframe.model.constraints import (
    Along,
    Distance,
    Fixed,
    Piecewise,
    Rotation,
    StateLaw,
    TimeLaw,
    follows_state,
    state_law,
)
from flexframe.model.drives import FollowingLaw
from flexframe.model.state_laws import CompiledLaw, PythonLaw, Table
from flexframe.model.system import System, part_of
from flexframe.model.system_loads import laws_of
from flexframe.multibody.contract import DynamicSystem, Simulation
from flexframe.multibody.signals import Kind, SignalLaw
from flexframe.multibody.tables import LawTables

NUMBER, TAPE, TABLE, PIECES, SIGNAL, GRID, FUNCTION, NESTED = range(8)

_POINTS = 8193  # of a tabulated law
_SUSPECTS = 16  # intervals between them that are searched for a jump
_HALVINGS = 20  # of these: to 1e-10 of the whole
_JUMP = 1e-6  # of the range of a law, which a smooth one does not have in so short a time
_ROUNDING = 16 * float(np.finfo(float).eps)  # of each operation of a formula, with a margin


@dataclass(eq=False)
class LawCollection:
    """Laws by number, each kept once."""

    laws: list[TimeLaw] = field(default_factory=lambda: [Fixed(0.0)])

    def number(self, law: TimeLaw) -> int:
        """The number of a law; zero is the law 0."""
        if isinstance(law, Fixed) and law.value == 0.0:
            return 0
        for number, known in enumerate(self.laws):
            if known is law:
                return number
        self.laws.append(law)
        return len(self.laws) - 1


def law_tables(laws: Sequence[TimeLaw], begin: float, end: float) -> LawTables:
    """Tables of laws; those that are neither formulas nor polynomials hold between the two times.

    Parts of laws that are made of others come after all that are given.
    """
    laws, nested = _with_parts(laws)
    count = len(laws)
    kinds, starts, counts, columns = (np.zeros(count, dtype=np.int64) for _ in range(4))
    values, origins = np.zeros(count), np.zeros((count, 2))
    opcodes: list[np.ndarray] = [np.zeros(0, dtype=np.int64)]
    operands: list[np.ndarray] = [np.zeros(0)]
    table: list[np.ndarray] = [np.zeros((0, 3))]
    pieces: list[np.ndarray] = [np.zeros((0, DEGREE + 2))]
    grids: list[np.ndarray] = [np.zeros(0)]
    functions: list[tuple[int, int, int]] = []
    made_of: list[int] = []
    for number, law in enumerate(laws):
        if number in nested:
            parts = nested[number]
            kinds[number], counts[number], starts[number] = NESTED, len(parts) - 1, len(made_of)
            made_of += parts
            continue
        match law:
            case Fixed(value=value):
                kinds[number], values[number] = NUMBER, value
            case Formula():
                kinds[number], counts[number] = TAPE, len(law.opcodes)
                starts[number] = sum(map(len, opcodes))
                opcodes.append(np.array(law.opcodes))
                operands.append(np.array(law.operands))
            case SignalLaw(signal=signal):
                kinds[number], starts[number] = SIGNAL, signal
            case Table(grid=grid):
                kinds[number], starts[number] = GRID, sum(map(len, grids))
                counts[number], columns[number] = grid.values.shape
                grids.append(grid.numbers)
            case CompiledLaw() | PythonLaw():
                kinds[number], starts[number] = FUNCTION, len(functions)
                functions.append((*law.addresses, len(law.inputs)))
            case Piecewise():
                rows = law.pieces.table()
                kinds[number], counts[number], starts[number] = PIECES, len(rows), sum(map(len, pieces))
                origins[number] = law.pieces.origin, law.pieces.period
                pieces.append(rows)
            case _:
                times = np.linspace(begin, end if end > begin else begin + 1.0, _POINTS)
                kinds[number], counts[number], starts[number] = TABLE, _POINTS, sum(map(len, table))
                origins[number] = begin, times[1] - times[0]
                table.append(np.stack(law.jet(times), axis=1))
    return LawTables(
        kinds,
        starts,
        counts,
        values,
        np.concatenate(opcodes),
        np.concatenate(operands),
        origins,
        np.ascontiguousarray(np.concatenate(table)),
        np.ascontiguousarray(np.concatenate(pieces)),
        columns,
        np.concatenate(grids),
        np.array(made_of, dtype=np.int64),
        np.array(functions, dtype=np.int64).reshape(-1, 3),
        max((law.stack_size for law in laws if isinstance(law, Formula)), default=1),
    )


def _with_parts(given: Sequence[TimeLaw]) -> tuple[list[TimeLaw], dict[int, list[int]]]:
    """Laws with those that drives follow in their place, parts of tables after all; which are made of which."""
    laws = [law.law if isinstance(law, FollowingLaw) else law for law in given]
    waiting = [number for number, law in enumerate(given) if isinstance(law, FollowingLaw)]
    nested: dict[int, list[int]] = {}
    while waiting:
        number = waiting.pop()
        law = laws[number]
        if not isinstance(law, Table) or number in nested:
            continue
        first = len(laws)
        grid = replace(law, inputs=("t",) * len(law.inputs))  # the numbers alone
        laws += [grid, *(state_law(each) for each in law.inputs)]
        nested[number] = list(range(first, len(laws)))
        waiting += nested[number][1:]
    return laws, nested


def require_finite_laws(system: System, times: Array) -> None:
    """Refuse laws of drives and loads that are not finite at some of the times [s]."""
    laws: list[tuple[str, str, TimeLaw, bool]] = []
    for name, law in _drive_laws(system):
        laws.append(("drives", name, law, True))
    for load in system.loads:
        laws += [(*part_of(load), law, False) for law in laws_of(load)]
    for where, name, law, with_rates in laws:
        if isinstance(law, Fixed) or follows_state(law):
            continue
        jet = np.array(law.jet(times)[: 3 if with_rates else 1])  # (orders, T)
        finite = np.isfinite(jet).all(axis=0)
        if not finite.all():
            what = "value, velocity and acceleration" if with_rates else "value"
            when = times[int(np.argmin(finite))]
            raise InputError(
                f"{where.removesuffix('s')} {name} has no finite {what} at t = {when:g} s; "
                "choose another law or other times",
                part=(where, name),
            )
    for name, law in _drive_laws(system):
        found = law_jump(law, times, 0)
        if found is not None:
            time, size = found
            turns = " (angles count through all turns: leave mod out)" if _is_turn(size) else ""
            raise InputError(
                f"the position of drive {name} jumps by {size:.4g} at t = {time:.6g} s, which no force can do; "
                f"let a trajectory lead from one to the other, as trapezoid, s_curve or polynomial do{turns}",
                part=("drives", name),
            )


def speed_jumps(system: System, times: Array) -> Iterator[str]:
    """Words about drives whose speed jumps, which takes an impulse."""
    for name, law in _drive_laws(system):
        found = law_jump(law, times, 1)
        if found is not None:
            yield (
                f"the speed of drive {name} jumps by {found[1]:.4g} at t = {found[0]:.6g} s: its force there is "
                "as large as steps are short; take a trajectory with limited acceleration"
            )


def _drive_laws(system: System) -> Iterator[tuple[str, TimeLaw]]:
    """Laws of the positions that drives prescribe, with the names of these."""
    for drive in system.drives:
        for constraint in drive.constraints():
            if isinstance(constraint, Along | Rotation | Distance):
                yield drive.name, constraint.law


def law_jump(law: TimeLaw, times: Array, order: int) -> tuple[float, float] | None:
    """Time and size of the first jump of a formula of t, or of its rate (order 1), or None without one.

    Between neighbours t, t + h of a grid a smooth f has f(t + h) − f(t) = h (ḟ(t) + ḟ(t + h))/2 + O(h³). Intervals
    with the largest misfits are halved until only that of a jump is left, which stands above what rounding makes
    of the formula at nearly all times.
    """
    if not isinstance(law, Formula) or follows_state(law) or len(times) < 2 or not times[-1] > times[0]:
        return None

    def misfit(begin: Array, end: Array) -> Array:
        first, last = law.jet(begin), law.jet(end)
        slope = (last[order + 1] + first[order + 1]) / 2
        return np.nan_to_num(np.abs(last[order] - first[order] - (end - begin) * slope), posinf=0.0)

    with np.errstate(all="ignore"):
        grid = np.linspace(times[0], times[-1], _POINTS)
        worst = np.argsort(misfit(grid[:-1], grid[1:]))[-_SUSPECTS:]
        begin, end = grid[worst], grid[worst + 1]
        for _ in range(_HALVINGS):
            middle = (begin + end) / 2
            later = misfit(middle, end) > misfit(begin, middle)
            begin, end = np.where(later, middle, begin), np.where(later, end, middle)
        left = misfit(begin, end)
        range_ = np.ptp(np.nan_to_num(law.jet(grid)[order], posinf=0.0, neginf=0.0))
        between = grid[:-1] + (np.sqrt(5) - 1) / 2 * np.diff(grid)  # where jumps are not, as those at round times
        moved = law.perturb(_ROUNDING).jet(between)[order] - law.jet(between)[order]
        rounding = np.percentile(np.nan_to_num(np.abs(moved), posinf=0.0), 99)
    jumps = np.flatnonzero(left > max(_JUMP * range_, rounding))
    if not len(jumps):
        return None
    first = jumps[np.argmin(end[jumps])]
    return float(end[first]), float(left[first])


def _is_turn(size: float) -> bool:
    return bool(abs(size / (2 * np.pi) - round(size / (2 * np.pi))) < _JUMP and size > 1)


def value_before(law: TimeLaw, given: float | None) -> float:
    """What a load was before the start: as given, else its number where it is constant, else zero.

    NaN stands for one that follows the state: it does so before the start too.
    """
    if given is not None:
        return given
    match law:
        case Fixed(value=value):
            return value
        case Formula() if int(Operation.VARIABLE) not in map(int, law.opcodes):
            return float(law.jet(0.0)[0])
        case SignalLaw():
            return np.nan
    return 0.0


def system_before(system: DynamicSystem, time: float) -> DynamicSystem:
    """The system with the laws of drives at a time and with loads that keep their values before the start."""
    tables = system.tables
    forces, loads, fields, beams = tables.forces, tables.loads, tables.fields, tables.beams
    befores = (forces.before.ravel(), loads.before, fields.before, beams.before, forces.actuators_before)
    values = np.concatenate(befores)
    present = np.concatenate([forces.laws.ravel(), loads.laws, fields.laws, beams.laws, forces.actuators])
    first = len(system.laws)
    numbers = np.where(np.isnan(values), present, np.arange(first, first + values.size))
    ends = np.cumsum([before.size for before in befores[:-1]])
    of_forces, of_loads, of_fields, of_beams, actuators = np.split(numbers, ends)
    laws = (*system.laws, *(Fixed(float(value)) for value in np.nan_to_num(values)))
    earlier = tables._replace(
        laws=law_tables(laws, time, time),
        forces=forces._replace(laws=of_forces.reshape(forces.laws.shape), actuators=actuators),
        loads=loads._replace(laws=of_loads),
        fields=fields._replace(laws=of_fields),
        beams=beams._replace(laws=of_beams),
    )
    return replace(system, laws=laws, tables=earlier)


def frozen(system: DynamicSystem, time: float) -> DynamicSystem:
    """The system with drives and loads that stay for ever what they are at a time."""
    tables = (system.tables.rows, system.tables.coordinates)
    of_coordinates = {int(law) for table in tables for law in table.laws[table.leading[:, 1] > 0]}

    def stop(number: int, law: TimeLaw) -> TimeLaw:
        if isinstance(law, FollowingLaw) and law.names:
            return law.frozen(time)
        own = isinstance(law, Formula) and law.variables != ("t",)  # of signals
        if isinstance(law, SignalLaw) or own or follows_state(law) or number in of_coordinates:
            return law
        return Fixed(float(law.jet(np.array([time]))[0][0]))

    laws = tuple(stop(number, law) for number, law in enumerate(system.laws))
    return replace(system, laws=laws, tables=system.tables._replace(laws=law_tables(laws, time, time)))


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
            found += [
                f"{_owner(system.system, law)} left its table: {words}" for words in _unused_fields(law, inputs)
            ]
    return tuple(dict.fromkeys(found))


def _unused_fields(table: Table, inputs: list[Array]) -> Iterator[str]:
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
