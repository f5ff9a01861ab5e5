"""Formulas typed by users, with exact first and second derivatives.

A formula becomes a postfix tape of opcodes and operands: numbers and variables push a value, functions replace the
topmost values by their result. The grammar is that of `expression`.

Outside the domain of a function (division by zero, log of a negative number, a derivative at a kink of
infinite slope) the result is inf or nan, as in numpy; whoever evaluates checks.

Formulas that jump are smooth with k and n as variables of their own, which stay what they are until their
arguments pass a zero; who follows them in time changes them there:

    sign(a) = k,   step(a) = (1 + k)/2   with k = ±1 by the side of a,   mod(a, b) = a − b n   with n = floor(a/b).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum

import numpy as np
from numpy.typing import ArrayLike

from flexframe.maths.arrays import Array, BoolArray, IntArray
from flexframe.maths.expression import CONSTANTS, FUNCTIONS, MAX_DEPTH, MAX_LENGTH, Operation, arity, parse

__all__ = ["MAX_DEPTH", "MAX_LENGTH", "Formula", "Jet", "Operation", "evaluate"]

Jet = tuple[Array, Array, Array]  # value, first and second derivative

_OfOne = Callable[[Array], Array]
_OfTwo = Callable[[Array, Array], Array]

# value f(x), slope f'(x, f) and curvature f''(x, f)
_UNARY: dict[Operation, tuple[_OfOne, _OfTwo, _OfTwo]] = {
    Operation.NEGATE: (np.negative, lambda x, _: -np.ones_like(x), lambda x, _: np.zeros_like(x)),
    Operation.SIN: (np.sin, lambda x, _: np.cos(x), lambda _, f: -f),
    Operation.COS: (np.cos, lambda x, _: -np.sin(x), lambda _, f: -f),
    Operation.TAN: (np.tan, lambda _, f: 1.0 + f * f, lambda _, f: 2.0 * f * (1.0 + f * f)),
    Operation.ASIN: (np.arcsin, lambda x, _: (1.0 - x * x) ** -0.5, lambda x, _: x * (1.0 - x * x) ** -1.5),
    Operation.ACOS: (np.arccos, lambda x, _: -((1.0 - x * x) ** -0.5), lambda x, _: -x * (1.0 - x * x) ** -1.5),
    Operation.ATAN: (np.arctan, lambda x, _: 1.0 / (1.0 + x * x), lambda x, _: -2.0 * x / (1.0 + x * x) ** 2),
    Operation.SINH: (np.sinh, lambda x, _: np.cosh(x), lambda _, f: f),
    Operation.COSH: (np.cosh, lambda x, _: np.sinh(x), lambda _, f: f),
    Operation.TANH: (np.tanh, lambda _, f: 1.0 - f * f, lambda _, f: -2.0 * f * (1.0 - f * f)),
    Operation.EXP: (np.exp, lambda _, f: f, lambda _, f: f),
    Operation.LOG: (np.log, lambda x, _: 1.0 / x, lambda x, _: -1.0 / (x * x)),
    Operation.SQRT: (np.sqrt, lambda _, f: 0.5 / f, lambda x, f: -0.25 / (x * f)),
    Operation.ABS: (np.abs, lambda x, _: np.sign(x), lambda x, _: np.zeros_like(x)),
    Operation.SIGN: (np.sign, lambda x, _: np.zeros_like(x), lambda x, _: np.zeros_like(x)),
    Operation.STEP: (
        lambda x: np.where(np.isnan(x), x, np.where(x < 0.0, 0.0, 1.0)),
        lambda x, _: np.zeros_like(x),
        lambda x, _: np.zeros_like(x),
    ),
}
_BINARY: dict[Operation, _OfTwo] = {
    Operation.ADD: np.add,
    Operation.SUBTRACT: np.subtract,
    Operation.MULTIPLY: np.multiply,
    Operation.DIVIDE: np.divide,
    Operation.POWER: np.power,
    Operation.ATAN2: np.arctan2,
    Operation.MIN: np.minimum,
    Operation.MAX: np.maximum,
    Operation.MOD: np.mod,
}
_Tape = list[tuple[Operation, float]]


@dataclass(frozen=True)
class Formula:
    """A formula of named variables, compiled.

    Shapes: opcodes (k,) of `Operation`, operands (k,). `stack_size` values are alive at most at once; `constants`
    are the named numbers that occur in it. Two formulas are equal if their texts, variables and constants are.
    """

    text: str
    variables: tuple[str, ...]
    opcodes: IntArray = field(compare=False, repr=False)
    operands: Array = field(compare=False, repr=False)
    stack_size: int = field(compare=False, repr=False)
    constants: tuple[tuple[str, float], ...] = ()

    @staticmethod
    def parse(
        text: str,
        variables: tuple[str, ...] = ("t",),
        constants: Mapping[str, float] | None = None,
        *,
        open_to_names: bool = False,
    ) -> "Formula":
        """Compile `text`, numbers standing for the names of `constants`.

        With `open_to_names` other names, such as `gap` or `tip.x`, become variables too, in their order of
        appearance; who asks for that knows later what they stand for.

        Raises `InputError` with the column of what is wrong and what to do.
        """
        algebra = _Tapes(list(variables), constants or {}, open_to_names=open_to_names)
        tape = parse(text, algebra)
        opcodes = np.array([code for code, _ in tape], dtype=np.int64)
        operands = np.array([value for _, value in tape], dtype=float)
        opcodes.setflags(write=False)
        operands.setflags(write=False)
        pushes = [1 if code <= Operation.VARIABLE else 1 - arity(code) for code, _ in tape]
        named = tuple(sorted(algebra.used.items()))
        return Formula(text, tuple(algebra.variables), opcodes, operands, int(np.cumsum(pushes).max()), named)

    def __call__(self, *values: ArrayLike) -> Array:
        """Value at one array for each variable, in their order; the arrays are broadcast together."""
        arrays = self._broadcast(values)
        stack: list[Array] = []
        with np.errstate(all="ignore"):
            for code, operand in self._tape():
                if code is Operation.NUMBER:
                    stack.append(np.full(arrays[0].shape, operand))
                elif code is Operation.VARIABLE:
                    stack.append(arrays[int(operand)])
                else:
                    arguments = [stack.pop() for _ in range(arity(code))][::-1]
                    stack.append(evaluate(code, arguments))
        return np.array(stack[0])

    def jet(self, *values: ArrayLike, along: str = "t") -> Jet:
        """Value, first and second derivative with respect to t, or to another variable (the first if none is so).

        Exact, by arithmetic on Taylor coefficients; the other variables are held.
        """
        arrays = self._broadcast(values)
        zero, one = np.zeros(arrays[0].shape), np.ones(arrays[0].shape)
        moving = self.variables.index(along) if along in self.variables else 0
        return self.along([(array, one if k == moving else zero, zero) for k, array in enumerate(arrays)])

    def along(self, curve: Sequence[Jet]) -> Jet:
        """Value, first and second derivative along a curve of the variables, all arrays of one shape."""
        zero = np.zeros(curve[0][0].shape if curve else ())
        stack: list[Jet] = []
        with np.errstate(all="ignore"):
            for code, operand in self._tape():
                if code is Operation.NUMBER:
                    stack.append((np.full(zero.shape, operand), zero, zero))
                elif code is Operation.VARIABLE:
                    stack.append(curve[int(operand)])
                elif code in _UNARY:
                    stack.append(_unary_jet(code, stack.pop()))
                else:
                    second, first = stack.pop(), stack.pop()
                    stack.append(_BINARY_JETS[code](first, second))
        value, slope, curvature = (np.array(part) for part in stack[0])
        return value, slope, curvature

    def perturb(self, relative: float) -> "Formula":
        """The formula with every operation off by a relative error, of alternating sign.

        How far its values are from those of the formula itself shows what rounding of that size makes of them.
        """
        tape: _Tape = []
        for number, (code, operand) in enumerate(self._tape()):
            tape.append((code, operand))
            if code > Operation.VARIABLE:
                factor = 1 + (relative if number % 2 else -relative)
                tape += [(Operation.NUMBER, factor), (Operation.MULTIPLY, 0.0)]
        opcodes, operands = (np.array(part) for part in zip(*tape, strict=True))
        return replace(self, opcodes=opcodes, operands=operands, stack_size=self.stack_size + 1)

    @property
    def names(self) -> tuple[str, ...]:
        """Variables other than the time."""
        return tuple(name for name in self.variables if name != "t")

    @property
    def name(self) -> str | None:
        """The name that it is, where it is nothing else."""
        alone = self.variables == ("t", *self.names) and len(self.names) == 1 and len(self.opcodes) == 1
        return self.names[0] if alone else None

    def depends_on(self, variable: str) -> bool:
        """Whether a variable stands in it."""
        return any(
            code is Operation.VARIABLE and self.variables[int(operand)] == variable
            for code, operand in self._tape()
        )

    def _tape(self) -> list[tuple[Operation, float]]:
        return [(Operation(int(c)), float(v)) for c, v in zip(self.opcodes, self.operands, strict=True)]

    def _broadcast(self, values: tuple[ArrayLike, ...]) -> list[Array]:
        assert len(values) == len(self.variables), f"the formula has variables {self.variables}"
        return list(np.broadcast_arrays(*(np.asarray(v, dtype=float) for v in values))) or [np.zeros(())]


@dataclass(frozen=True)
class _Tapes:
    """Expressions become tapes; numbers alone are combined at once if the result is finite."""

    variables: list[str]
    constants: Mapping[str, float]
    open_to_names: bool = False
    used: dict[str, float] = field(default_factory=dict)
    has_units: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.variables, *self.constants)

    def number(self, value: float) -> _Tape:
        return [(Operation.NUMBER, value)]

    def name(self, name: str) -> _Tape | None:
        if name in self.variables:
            return [(Operation.VARIABLE, float(self.variables.index(name)))]
        if name in self.constants:
            self.used[name] = float(self.constants[name])
            return self.number(self.used[name])
        if self.open_to_names and name not in CONSTANTS and name not in FUNCTIONS:
            self.variables.append(name)
            return [(Operation.VARIABLE, float(len(self.variables) - 1))]
        return None

    def is_unit(self, name: str) -> bool:  # noqa: ARG002 - a formula has none
        return False

    def measured(self, value: float, units: Sequence[tuple[str, int]]) -> _Tape:
        raise NotImplementedError("a formula has no units")

    def apply(self, code: Operation, *arguments: _Tape) -> _Tape:
        if all(len(a) == 1 and a[0][0] is Operation.NUMBER for a in arguments):
            with np.errstate(all="ignore"):
                value = float(evaluate(code, [np.array(a[0][1]) for a in arguments]))
            if np.isfinite(value):
                return self.number(value)
        return [*(step for argument in arguments for step in argument), (code, 0.0)]


def evaluate(code: Operation, arguments: list[Array]) -> Array:
    """The values of an operation; inf or nan outside its domain."""
    return _UNARY[code][0](*arguments) if code in _UNARY else _BINARY[code](*arguments)


# --- derivatives -----------------------------------------------------------------------------------------


def _unary_jet(code: Operation, jet: Jet) -> Jet:
    """f(x)' = f' x', f(x)'' = f' x'' + f'' x'²."""
    x, dx, ddx = jet
    value, slope, curvature = _UNARY[code]
    f = value(x)
    df = slope(x, f)
    return f, df * dx, df * ddx + curvature(x, f) * dx * dx


def _add_jet(first: Jet, second: Jet) -> Jet:
    (x, dx, ddx), (y, dy, ddy) = first, second
    return x + y, dx + dy, ddx + ddy


def _subtract_jet(first: Jet, second: Jet) -> Jet:
    (x, dx, ddx), (y, dy, ddy) = first, second
    return x - y, dx - dy, ddx - ddy


def _multiply_jet(first: Jet, second: Jet) -> Jet:
    (x, dx, ddx), (y, dy, ddy) = first, second
    return x * y, dx * y + x * dy, ddx * y + 2.0 * dx * dy + x * ddy


def _divide_jet(first: Jet, second: Jet) -> Jet:
    """q y = x differentiated twice."""
    (x, dx, ddx), (y, dy, ddy) = first, second
    q = x / y
    dq = (dx - q * dy) / y
    return q, dq, (ddx - 2.0 * dq * dy - q * ddy) / y


def _atan2_jet(first: Jet, second: Jet) -> Jet:
    """θ = atan2(x, y): r² θ' = y x' − x y' with r² = x² + y²."""
    (x, dx, ddx), (y, dy, ddy) = first, second
    square = x * x + y * y
    rate = (y * dx - x * dy) / square
    return np.arctan2(x, y), rate, (y * ddx - x * ddy - 2.0 * rate * (x * dx + y * dy)) / square


def _mod_jet(first: Jet, second: Jet) -> Jet:
    """x − y floor(x/y), the floor standing still between its jumps."""
    (x, dx, ddx), (y, dy, ddy) = first, second
    whole = np.floor(x / y)
    return np.mod(x, y), dx - whole * dy, ddx - whole * ddy


def _minimum_jet(first: Jet, second: Jet) -> Jet:
    return _choose(first[0] <= second[0], np.minimum(first[0], second[0]), first, second)


def _maximum_jet(first: Jet, second: Jet) -> Jet:
    return _choose(first[0] >= second[0], np.maximum(first[0], second[0]), first, second)


def _choose(use_first: BoolArray, value: Array, first: Jet, second: Jet) -> Jet:
    return value, np.where(use_first, first[1], second[1]), np.where(use_first, first[2], second[2])


def _power_jet(base: Jet, exponent: Jet) -> Jet:
    """xʸ: as a power of x where y stands still (any sign of x), else by exp(y log x)."""
    (x, dx, ddx), (y, dy, ddy) = base, exponent
    f = np.power(x, y)
    # A coefficient of zero ends the series: (x¹)'' = 0 also at x = 0.
    slope = np.where(y == 0.0, 0.0, y * np.power(x, y - 1.0))
    curvature = np.where(y * (y - 1.0) == 0.0, 0.0, y * (y - 1.0) * np.power(x, y - 2.0))
    log, ratio = np.log(x), dx / x
    rate = dy * log + y * ratio
    change = ddy * log + 2.0 * dy * ratio + y * (ddx / x - ratio * ratio)
    still = (dy == 0.0) & (ddy == 0.0)
    return (
        f,
        np.where(still, slope * dx, f * rate),
        np.where(still, slope * ddx + curvature * dx * dx, f * (rate * rate + change)),
    )


_BINARY_JETS: dict[Operation, Callable[[Jet, Jet], Jet]] = {
    Operation.ADD: _add_jet,
    Operation.SUBTRACT: _subtract_jet,
    Operation.MULTIPLY: _multiply_jet,
    Operation.DIVIDE: _divide_jet,
    Operation.POWER: _power_jet,
    Operation.ATAN2: _atan2_jet,
    Operation.MIN: _minimum_jet,
    Operation.MAX: _maximum_jet,
    Operation.MOD: _mod_jet,
}


class JumpKind(IntEnum):
    """What jumps, in the order of the core: the side of zero on which a number is, or the whole number below it.

    At zero itself SIGN is none, and STEP that above it.
    """

    SIGN = 0
    STEP = 1
    FLOOR = 2


@dataclass(frozen=True)
class Jump:
    """A variable that jumps where its argument passes zero, or a whole number."""

    kind: JumpKind
    argument: Formula  # of the variables of the formula, and of the jumps before this one

    @property
    def text(self) -> str:
        """What jumps, as one would type it."""
        return f"{self.kind.name.lower()}({self.argument.text})"


def jump_values(kind: JumpKind, argument: Array) -> Array:
    """k or n at many instants."""
    match kind:
        case JumpKind.SIGN:
            return np.sign(argument)
        case JumpKind.STEP:
            return np.where(argument < 0, -1.0, 1.0)
    return np.floor(argument)


def without_jumps(formula: Formula) -> tuple[Formula, tuple[Jump, ...]]:
    """The formula with a variable in the place of each jump, and what these variables are, in their order."""
    splitter = _Splitter(formula)
    smooth = splitter.run()
    return (splitter.formula(smooth), tuple(splitter.jumps)) if splitter.jumps else (formula, ())


class _Splitter:
    def __init__(self, formula: Formula) -> None:
        self.given = formula
        self.variables = list(formula.variables)
        self.jumps: list[Jump] = []

    def run(self) -> _Tape:
        stack: list[_Tape] = []
        for number, operand in zip(self.given.opcodes, self.given.operands, strict=True):
            code = Operation(int(number))
            if code in (Operation.NUMBER, Operation.VARIABLE):
                stack.append([(code, float(operand))])
                continue
            taken = [stack.pop() for _ in range(arity(code))][::-1]
            stack.append(self._apply(code, taken))
        return stack[0]

    def _apply(self, code: Operation, taken: list[_Tape]) -> _Tape:
        moves = any(each is Operation.VARIABLE for tape in taken for each, _ in tape)
        if moves and code is Operation.SIGN:
            return self._jump(JumpKind.SIGN, taken[0])
        if moves and code is Operation.STEP:
            side = self._jump(JumpKind.STEP, taken[0])
            half: _Tape = [(Operation.NUMBER, 0.5)]
            return [*half, *half, *side, (Operation.MULTIPLY, 0.0), (Operation.ADD, 0.0)]
        if moves and code is Operation.MOD:
            whole = self._jump(JumpKind.FLOOR, [*taken[0], *taken[1], (Operation.DIVIDE, 0.0)])
            return [*taken[0], *taken[1], *whole, (Operation.MULTIPLY, 0.0), (Operation.SUBTRACT, 0.0)]
        return [*(each for tape in taken for each in tape), (code, 0.0)]

    def _jump(self, kind: JumpKind, argument: _Tape) -> _Tape:
        jump = Jump(kind, self.formula(argument))
        known = [each.text for each in self.jumps]
        number = known.index(jump.text) if jump.text in known else len(known)
        if number == len(known):
            self.jumps.append(jump)
            self.variables.append(f"jump {number}")
        return [(Operation.VARIABLE, float(len(self.given.variables) + number))]

    def formula(self, tape: _Tape) -> Formula:
        """A part of the formula, with the variables so far."""
        pushes = [1 if code <= Operation.VARIABLE else 1 - arity(code) for code, _ in tape]
        opcodes = np.array([code for code, _ in tape], dtype=np.int64)
        operands = np.array([operand for _, operand in tape])
        for array in (opcodes, operands):
            array.setflags(write=False)
        text = _text(tape, self.variables)
        return Formula(text, tuple(self.variables), opcodes, operands, int(np.cumsum(pushes).max()))


_SIGNS = {
    Operation.ADD: ("+", 1),
    Operation.SUBTRACT: ("-", 1),
    Operation.MULTIPLY: ("*", 2),
    Operation.DIVIDE: ("/", 2),
    Operation.POWER: ("^", 4),
}
"""Operators with their precedence, a sign before a value having 3."""


def _text(tape: _Tape, variables: Sequence[str]) -> str:
    """A tape as one would type it."""
    stack: list[tuple[str, int]] = []  # with the precedence of the operator that stands outermost
    for code, operand in tape:
        if code is Operation.NUMBER:
            stack.append((f"{operand!r}".removesuffix(".0"), 5 if operand >= 0 else 3))
        elif code is Operation.VARIABLE:
            stack.append((variables[int(operand)], 5))
        elif code is Operation.NEGATE:
            text, level = stack.pop()
            stack.append((f"-{text if level > 3 else f'({text})'}", 3))
        elif code in _SIGNS:
            sign, level = _SIGNS[code]
            (left, left_level), (right, right_level) = [stack.pop() for _ in range(2)][::-1]
            left = left if left_level > level or (left_level == level and level < 4) else f"({left})"
            right = right if right_level > level else f"({right})"
            spaced = f" {sign} " if level == 1 else sign
            stack.append((f"{left}{spaced}{right}", level))
        else:
            taken = [stack.pop()[0] for _ in range(arity(code))][::-1]
            stack.append((f"{code.name.lower()}({', '.join(taken)})", 5))
    return stack[0][0]
