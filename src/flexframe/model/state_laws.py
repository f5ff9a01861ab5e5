"""Laws of sensors and controllers beside formulas: tables of one input or two, and functions.

What springs, bushings and motors do beside their own law: parts that follow t, sensors and controllers.

A load with the force F(s, ṡ) of its own coordinate, a formula G of s, ṡ, t and names, a damping D of names and a
factor f has in all f (F + G − D ṡ). F stays an element of its own with its energy; what is left,

    (f − 1) F + f (G − D ṡ) ,

is a force along the same coordinate that follows a signal and whose work is that of a load.
"""

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from flexframe.errors import InputError, at_field
from flexframe.given import Described
from flexframe.maths.arrays import Array
from flexframe.maths.table_grid import TableGrid
from flexframe.model.characteristics import LawParameters
from flexframe.model.constraints import Holonomic, Law, StateLaw, state_law

if TYPE_CHECKING:
    from flexframe.model.system_loads import CoordinateForce


MOST_INPUTS = 64
"""Inputs of a function."""

_VALUE = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.POINTER(ctypes.c_double), ctypes.c_int)


def _require_inputs(law: StateLaw, most: int) -> None:
    with at_field("inputs"):
        if isinstance(law.inputs, str) or not 1 <= len(law.inputs) <= most:
            raise InputError(f"a {type(law).__name__} has one input to {most}; give a list of formulas or names")
        for each in law.inputs:
            state_law(each)


@dataclass(frozen=True, eq=False)
class Table(Described, StateLaw):
    """Values over one input or two, cubic between the points and held beyond the ends, never overshooting.

    `over` are the points of each input, increasing; `values` one for each point, of two inputs a row for each
    point of the first. All of it is in SI.
    """

    inputs: tuple[Law, ...]
    over: Sequence[Sequence[float]]
    values: Sequence[float] | Sequence[Sequence[float]]

    def __post_init__(self) -> None:
        super().__post_init__()
        _require_inputs(self, 2)
        if len(self.over) != len(self.inputs):
            raise InputError(
                f"a table of {len(self.inputs)} inputs has points for {len(self.over)}; give a list for each",
                field="over",
            )
        with at_field("values"):
            self.grid  # noqa: B018 - refuses points that make no table

    @cached_property
    def grid(self) -> TableGrid:
        """The table as the core has it."""
        try:
            x, *more = (np.asarray(points, dtype=float) for points in self.over)
            values = np.asarray(self.values, dtype=float)
        except (TypeError, ValueError):
            raise InputError(
                "a table has rows of different lengths or entries that are not numbers; correct them"
            ) from None
        if not more:
            return TableGrid(tuple(x), (0.0,), values.reshape(-1, 1))
        if len(more[0]) < 2:
            raise InputError("the second input of a table has a single point; give two at least, or leave it out")
        return TableGrid(tuple(x), tuple(more[0]), values)

    def evaluate(self, *inputs: Array) -> Array:
        return self.grid.at(inputs[0], inputs[1] if len(inputs) > 1 else np.zeros(1))[0]


@dataclass(frozen=True, eq=False)
class CompiledLaw(Described, StateLaw):
    """A compiled function `double f(const double *inputs, int count)`, called without the interpreter.

    `function` is a function of ctypes, a `scipy.LowLevelCallable` of one, an object with an `address` such as a
    cfunc of numba, or an address. `slopes`, if given, is
    `void g(const double *inputs, int count, double *slopes)` and fills in the derivatives; without it they are
    found by differences.
    """

    inputs: tuple[Law, ...]
    function: object
    slopes: object | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        _require_inputs(self, MOST_INPUTS)
        self.addresses  # noqa: B018 - refuses what has none

    @cached_property
    def addresses(self) -> tuple[int, int]:
        """Of the function and of its slopes, zero where it has none."""
        with at_field("function"):
            own = _address(self.function)
        with at_field("slopes"):
            return own, 0 if self.slopes is None else _address(self.slopes)

    def evaluate(self, *inputs: Array) -> Array:
        function = _VALUE(self.addresses[0])
        rows = np.stack(np.broadcast_arrays(*inputs), axis=-1).astype(float)
        pack = ctypes.c_double * len(inputs)
        return np.array([function(pack(*row), len(inputs)) for row in rows])


def _address(function: Any) -> int:
    """Where a compiled function stands in memory."""
    found = getattr(function, "function", function)  # of a LowLevelCallable
    found = getattr(found, "address", found)  # of a cfunc
    if isinstance(found, int) and not isinstance(found, bool):
        where: int | None = found
    else:
        try:
            where = ctypes.cast(found, ctypes.c_void_p).value
        except (ctypes.ArgumentError, TypeError):
            where = None
    if not where:
        raise InputError(
            f"{function!r} is no compiled function; give one of ctypes, a scipy.LowLevelCallable of one, a cfunc "
            "of numba or an address, or take a PythonLaw"
        )
    return where


@dataclass(eq=False)
class _Calls:
    """What became of the calls of a function of Python."""

    count: int = 0
    error: BaseException | None = None


@dataclass(frozen=True, eq=False)
class PythonLaw(Described, StateLaw):
    """A function of Python, f(*inputs), called at every evaluation of the equations.

    It must give the same number for the same inputs: what has a memory is a `controllers.PythonFunction` with a
    sampling period. Slopes are found by differences. A call takes some microseconds where a formula takes some
    nanoseconds; a motion counts the calls in its notices.
    """

    inputs: tuple[Law, ...]
    function: Callable[..., float]
    calls: _Calls = field(default_factory=_Calls, init=False, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        _require_inputs(self, MOST_INPUTS)

    @cached_property
    def _pointer(self) -> Any:
        return _VALUE(self._call)

    def _call(self, inputs: Any, count: int) -> float:
        """NaN where the function fails, as an exception cannot pass through the core."""
        self.calls.count += 1
        if self.calls.error is not None:
            return float("nan")
        try:
            return float(self.function(*inputs[:count]))
        except BaseException as error:
            self.calls.error = error
            return float("nan")

    @property
    def addresses(self) -> tuple[int, int]:
        """Of the function for the core; it has no slopes."""
        return _address(self._pointer), 0

    def evaluate(self, *inputs: Array) -> Array:
        rows = np.stack(np.broadcast_arrays(*inputs), axis=-1).astype(float)
        return np.array([float(self.function(*row)) for row in rows.tolist()])


@dataclass(frozen=True, eq=False)
class StateForce:
    """A force along the coordinate of an element, which follows the signal number `row` of its load."""

    kind: ClassVar[str] = "actuator"
    element: "CoordinateForce"
    row: int = 0

    @property
    def name(self) -> str:
        """That of the load."""
        return self.element.name

    @property
    def first(self) -> str:
        return self.element.first

    @property
    def second(self) -> str:
        return self.element.second

    def coordinate(self) -> Holonomic:
        return self.element.coordinate()

    def force(self, value: Array, rate: Array) -> Array:  # noqa: ARG002 - what it follows is added to this
        return np.zeros_like(value)

    def slopes(self, value: Array, rate: Array) -> tuple[Array, Array]:
        return np.zeros_like(value), np.zeros_like(rate)

    def parameters(self) -> LawParameters:
        return LawParameters()
