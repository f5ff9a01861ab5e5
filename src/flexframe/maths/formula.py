"""Formulas typed by users: parsed here, never handed to Python, with exact first and second derivatives.

Grammar, lowest precedence first: + −, * /, sign, ^ or ** (right-associative, binds tighter than the sign),
then numbers, names, calls and parentheses. A formula becomes a postfix tape of opcodes and operands: numbers
and variables push a value, functions replace the topmost values by their result.

Outside the domain of a function (division by zero, log of a negative number, a derivative at a kink of
infinite slope) the result is inf or nan, as in numpy; whoever evaluates checks.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from difflib import get_close_matches
from enum import IntEnum

import numpy as np
from numpy.typing import ArrayLike

from flexframe.errors import InputError
from flexframe.maths.arrays import Array, BoolArray, IntArray

MAX_LENGTH = 2000
MAX_DEPTH = 50


class Operation(IntEnum):
    """Opcodes of the tape; the operand is a number, the index of a variable, or unused (zero)."""

    NUMBER = 0
    VARIABLE = 1
    NEGATE = 2
    ADD = 3
    SUBTRACT = 4
    MULTIPLY = 5
    DIVIDE = 6
    POWER = 7
    SIN = 8
    COS = 9
    TAN = 10
    ASIN = 11
    ACOS = 12
    ATAN = 13
    ATAN2 = 14
    SINH = 15
    COSH = 16
    TANH = 17
    EXP = 18
    LOG = 19
    SQRT = 20
    ABS = 21
    SIGN = 22
    STEP = 23
    MIN = 24
    MAX = 25
    MOD = 26


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
_OPERATORS = {"+": Operation.ADD, "-": Operation.SUBTRACT, "*": Operation.MULTIPLY, "/": Operation.DIVIDE}
_SYNTAX_ONLY = {Operation.NUMBER, Operation.VARIABLE, Operation.NEGATE, *_OPERATORS.values(), Operation.POWER}
_FUNCTIONS = {o.name.lower(): o for o in Operation if o not in _SYNTAX_ONLY} | {"pow": Operation.POWER}
_CONSTANTS = {"pi": float(np.pi), "e": float(np.e)}


@dataclass(frozen=True)
class Formula:
    """A formula of named variables, compiled.

    Shapes: opcodes (k,) of `Operation`, operands (k,). `stack_size` values are alive at most at once.
    Two formulas are equal if their texts and variables are.
    """

    text: str
    variables: tuple[str, ...]
    opcodes: IntArray = field(compare=False, repr=False)
    operands: Array = field(compare=False, repr=False)
    stack_size: int = field(compare=False, repr=False)

    @staticmethod
    def parse(text: str, variables: tuple[str, ...] = ("t",)) -> "Formula":
        """Compile `text`; raises `InputError` with the column of what is wrong and what to do."""
        if len(text) > MAX_LENGTH:
            raise InputError(f"a formula of {len(text)} characters is too long; use at most {MAX_LENGTH}")
        tape = _Parser(text, variables).parse()
        opcodes = np.array([code for code, _ in tape], dtype=np.int64)
        operands = np.array([value for _, value in tape], dtype=float)
        opcodes.setflags(write=False)
        operands.setflags(write=False)
        pushes = [1 if code <= Operation.VARIABLE else 1 - _arity(code) for code, _ in tape]
        return Formula(text, variables, opcodes, operands, int(np.cumsum(pushes).max()))

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
                    arguments = [stack.pop() for _ in range(_arity(code))][::-1]
                    stack.append(_evaluate(code, arguments))
        return np.array(stack[0])

    def jet(self, *values: ArrayLike) -> Jet:
        """Value, first and second derivative with respect to t (to the first variable if none is named t).

        Exact, by arithmetic on Taylor coefficients; the other variables are held.
        """
        arrays = self._broadcast(values)
        zero, one = np.zeros(arrays[0].shape), np.ones(arrays[0].shape)
        moving = self.variables.index("t") if "t" in self.variables else 0
        stack: list[Jet] = []
        with np.errstate(all="ignore"):
            for code, operand in self._tape():
                if code is Operation.NUMBER:
                    stack.append((np.full(zero.shape, operand), zero, zero))
                elif code is Operation.VARIABLE:
                    index = int(operand)
                    stack.append((arrays[index], one if index == moving else zero, zero))
                elif code in _UNARY:
                    stack.append(_unary_jet(code, stack.pop()))
                else:
                    second, first = stack.pop(), stack.pop()
                    stack.append(_BINARY_JETS[code](first, second))
        value, slope, curvature = (np.array(part) for part in stack[0])
        return value, slope, curvature

    def _tape(self) -> list[tuple[Operation, float]]:
        return [(Operation(int(c)), float(v)) for c, v in zip(self.opcodes, self.operands, strict=True)]

    def _broadcast(self, values: tuple[ArrayLike, ...]) -> list[Array]:
        assert len(values) == len(self.variables), f"the formula has variables {self.variables}"
        return list(np.broadcast_arrays(*(np.asarray(v, dtype=float) for v in values))) or [np.zeros(())]


def _arity(code: Operation) -> int:
    return 1 if code in _UNARY else 2


def _evaluate(code: Operation, arguments: list[Array]) -> Array:
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
    return _chosen(first[0] <= second[0], np.minimum(first[0], second[0]), first, second)


def _maximum_jet(first: Jet, second: Jet) -> Jet:
    return _chosen(first[0] >= second[0], np.maximum(first[0], second[0]), first, second)


def _chosen(use_first: BoolArray, value: Array, first: Jet, second: Jet) -> Jet:
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


# --- parser ----------------------------------------------------------------------------------------------

_TOKEN = re.compile(
    r"(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[A-Za-z_]\w*)|(?P<sign>\*\*|[-+*/^(),])", re.ASCII
)
_INSTEAD = {"−": "-", "–": "-", "×": "*", "·": "*", "÷": "/", "π": "pi", "²": "^2", "³": "^3", "√": "sqrt(...)",
            "<": "step(...)", ">": "step(...)", "[": "(", "]": ")", "{": "(", "}": ")"}  # fmt: skip

_Tape = list[tuple[Operation, float]]


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    column: int


class _Parser:
    """Recursive descent; every rule returns the tape of what it read."""

    def __init__(self, text: str, variables: tuple[str, ...]) -> None:
        self._variables = variables
        self._tokens = _tokenise(text)
        self._at = 0
        self._depth = 0

    def parse(self) -> _Tape:
        if self._next.kind == "end":
            raise InputError("the formula is empty; write a number or an expression")
        tape = self._sum()
        token = self._next
        if token.text == ")":
            raise _error(token, "this closing parenthesis has no opening one", "remove it")
        if token.text == ",":
            raise _error(token, "a comma stands outside a function", "use a point for decimals")
        if token.kind != "end":
            raise self._missing_operator(token)
        return tape

    def _missing_operator(self, token: _Token) -> InputError:
        known = token.kind != "name" or token.text in {*self._variables, *_CONSTANTS, *_FUNCTIONS}
        if known:
            return _error(token, f"an operator is missing before {token.text!r}", f"write * {token.text}")
        advice = "a formula is in SI and has no units, so 30 deg is 30*pi/180"
        return _error(token, f"{token.text!r} cannot follow a value", advice)

    @property
    def _next(self) -> _Token:
        return self._tokens[self._at]

    def _take(self) -> _Token:
        self._at += 1
        return self._tokens[self._at - 1]

    def _sum(self) -> _Tape:
        tape = self._product()
        while self._next.text in ("+", "-"):
            code = _OPERATORS[self._take().text]
            tape = _apply(code, tape, self._product())
        return tape

    def _product(self) -> _Tape:
        tape = self._signed()
        while self._next.text in ("*", "/"):
            code = _OPERATORS[self._take().text]
            tape = _apply(code, tape, self._signed())
        return tape

    def _signed(self) -> _Tape:
        """A sign, a power or an atom; everything nested passes here, so depth is counted here."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise _error(self._next, f"nesting is deeper than {MAX_DEPTH}", "simplify the formula")
        if self._next.text in ("+", "-"):
            negative = self._take().text == "-"
            tape = self._signed()
            tape = _apply(Operation.NEGATE, tape) if negative else tape
        else:
            tape = self._atom()
            if self._next.text in ("^", "**"):
                self._take()
                tape = _apply(Operation.POWER, tape, self._signed())
        self._depth -= 1
        return tape

    def _atom(self) -> _Tape:
        token = self._take()
        if token.kind == "number":
            value = float(token.text)
            if not np.isfinite(value):
                raise _error(token, f"{token.text} is too large a number", "use at most 1.7e308")
            return [(Operation.NUMBER, value)]
        if token.kind == "name":
            return self._call(token) if self._next.text == "(" else self._name(token)
        if token.text == "(":
            tape = self._sum()
            self._close(token)
            return tape
        what = "the formula ends too early" if token.kind == "end" else f"{token.text!r} has nothing to work on"
        raise _error(token, what, "write a number, a name or a parenthesis there")

    def _name(self, token: _Token) -> _Tape:
        if token.text in self._variables:
            return [(Operation.VARIABLE, float(self._variables.index(token.text)))]
        if token.text in _CONSTANTS:
            return [(Operation.NUMBER, _CONSTANTS[token.text])]
        if token.text in _FUNCTIONS:
            raise _error(token, f"the function {token.text} has no argument", f"write {token.text}(...)")
        raise _unknown(token, (*self._variables, *_CONSTANTS))

    def _call(self, token: _Token) -> _Tape:
        if token.text not in _FUNCTIONS:
            if token.text in self._variables or token.text in _CONSTANTS:
                raise _error(token, f"{token.text} is not a function", f"write {token.text} * (...)")
            raise _unknown(token, tuple(_FUNCTIONS))
        code = _FUNCTIONS[token.text]
        opening = self._take()
        arguments = [self._sum()]
        while self._next.text == ",":
            self._take()
            arguments.append(self._sum())
        self._close(opening)
        fixed = code not in (Operation.MIN, Operation.MAX)
        if (fixed and len(arguments) != _arity(code)) or len(arguments) < _arity(code):
            wanted = f"{_arity(code)}" if fixed else "2 or more"
            raise _error(token, f"{token.text} has {len(arguments)} argument(s)", f"give it {wanted}")
        tape = _apply(code, *arguments[: _arity(code)])
        for argument in arguments[_arity(code) :]:
            tape = _apply(code, tape, argument)
        return tape

    def _close(self, opening: _Token) -> None:
        token = self._take()
        if token.text == ")":
            return
        if token.kind in ("number", "name") or token.text == "(":
            raise self._missing_operator(token)
        what = f"the parenthesis opened in column {opening.column} is not closed"
        raise _error(token, what, "add the closing one")


def _apply(code: Operation, *arguments: _Tape) -> _Tape:
    """Join the tapes of the arguments; numbers alone are combined at once if the result is finite."""
    if all(len(a) == 1 and a[0][0] is Operation.NUMBER for a in arguments):
        with np.errstate(all="ignore"):
            value = float(_evaluate(code, [np.array(a[0][1]) for a in arguments]))
        if np.isfinite(value):
            return [(Operation.NUMBER, value)]
    return [*(step for argument in arguments for step in argument), (code, 0.0)]


def _tokenise(text: str) -> list[_Token]:
    tokens, at = [], 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        match = _TOKEN.match(text, at)
        if match is None:
            instead = _INSTEAD.get(text[at])
            advice = f"write {instead}" if instead else "use numbers, names, + - * / ^ ( ) and commas"
            raise _error(_Token("", text[at], at + 1), f"the character {text[at]!r} is not known", advice)
        tokens.append(_Token(str(match.lastgroup), match.group(), at + 1))
        at = match.end()
    return [*tokens, _Token("end", "", len(text) + 1)]


def _error(token: _Token, what: str, advice: str) -> InputError:
    return InputError(f"formula, column {token.column}: {what}; {advice}")


def _unknown(token: _Token, known: tuple[str, ...]) -> InputError:
    # The nearest of all names, functions or not; the list is of those that can stand here.
    near = get_close_matches(token.text.lower(), {*known, *_FUNCTIONS, *_CONSTANTS}, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]}? " if near else ""
    shown = token.text if len(token.text) <= 40 else token.text[:40] + "…"
    return _error(token, f"the name {shown!r} is not known", f"{hint}known here: {', '.join(known)}")
