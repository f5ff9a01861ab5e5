"""The grammar of what users type: formulas of time and quantities of a case, never handed to Python.

Lowest precedence first: + −, * /, sign, ^ or ** (right-associative, binds tighter than the sign), then numbers,
names, calls and parentheses. Where units are known, a number may have one: `3 mm`, `7.9 g/cm^3`, `5 N m`; number
and unit bind tighter than any operator. What names, numbers and operators mean is the matter of an `Algebra`.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import IntEnum
from typing import Generic, Protocol, TypeVar

import numpy as np

from flexframe.errors import InputError

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


_OPERATORS = {"+": Operation.ADD, "-": Operation.SUBTRACT, "*": Operation.MULTIPLY, "/": Operation.DIVIDE}
_OPERATORS["·"] = Operation.MULTIPLY  # a sign where units are known
_SYNTAX_ONLY = {Operation.NUMBER, Operation.VARIABLE, Operation.NEGATE, *_OPERATORS.values(), Operation.POWER}
_OF_TWO = {*_OPERATORS.values(), Operation.POWER, Operation.ATAN2, Operation.MIN, Operation.MAX, Operation.MOD}
FUNCTIONS = {o.name.lower(): o for o in Operation if o not in _SYNTAX_ONLY} | {"pow": Operation.POWER}
CONSTANTS = {"pi": float(np.pi), "e": float(np.e)}


def arity(code: Operation) -> int:
    """How many values an operation takes."""
    return 2 if code in _OF_TWO else 1


T = TypeVar("T")


class Algebra(Protocol[T]):
    """What the parts of an expression mean; `names` are those that may stand for a value, for messages."""

    @property
    def names(self) -> Collection[str]: ...
    @property
    def has_units(self) -> bool:
        """Whether a unit may follow a number."""
        ...

    def number(self, value: float) -> T:
        """A number as it is typed."""
        ...

    def name(self, name: str) -> T | None:
        """What a name stands for, if anything."""
        ...

    def is_unit(self, name: str) -> bool:
        """Whether a name after a number is that of a unit."""
        ...

    def measured(self, value: float, units: Sequence[tuple[str, int]]) -> T:
        """A number times units, each with its power."""
        ...

    def apply(self, code: Operation, *arguments: T) -> T:
        """The result of an operation."""
        ...


def parse(text: str, algebra: Algebra[T]) -> T:
    """What an expression means; `InputError` with the column of what is wrong and what to do."""
    if len(text) > MAX_LENGTH:
        raise InputError(f"a formula of {len(text)} characters is too long; use at most {MAX_LENGTH}")
    return _Parser(text, algebra).parse()


# --- tokens ----------------------------------------------------------------------------------------------

_NUMBER = r"(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
_TOKEN = re.compile(_NUMBER + r"|(?P<name>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?)|(?P<sign>\*\*|[-+*/^(),])", re.ASCII)
_UNIT_TOKEN = re.compile(
    _NUMBER + r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*|[µμ][ms]|°|%)|(?P<raised>[²³⁴])|(?P<sign>\*\*|[-+*/^(),·])",
    re.ASCII,
)
_INSTEAD = {"−": "-", "–": "-", "×": "*", "·": "*", "÷": "/", "π": "pi", "²": "^2", "³": "^3", "√": "sqrt(...)",
            "<": "step(...)", ">": "step(...)", "[": "(", "]": ")", "{": "(", "}": ")"}  # fmt: skip
_RAISED = {"²": 2, "³": 3, "⁴": 4}


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    column: int


def _tokenise(text: str, pattern: "re.Pattern[str]") -> list[_Token]:
    tokens, at = [], 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        match = pattern.match(text, at)
        if match is None:
            instead = _INSTEAD.get(text[at])
            advice = f"write {instead}" if instead else "use numbers, names, + - * / ^ ( ) and commas"
            raise _error(_Token("", text[at], at + 1), f"the character {text[at]!r} is not known", advice)
        tokens.append(_Token(str(match.lastgroup), match.group(), at + 1))
        at = match.end()
    return [*tokens, _Token("end", "", len(text) + 1)]


# --- parser ----------------------------------------------------------------------------------------------


class _Parser(Generic[T]):
    """Recursive descent; every rule returns what it read."""

    def __init__(self, text: str, algebra: Algebra[T]) -> None:
        self._algebra = algebra
        self._tokens = _tokenise(text, _UNIT_TOKEN if algebra.has_units else _TOKEN)
        self._at = 0
        self._depth = 0

    def parse(self) -> T:
        if self._next.kind == "end":
            raise InputError("the formula is empty; write a number or an expression")
        whole = self._sum()
        token = self._next
        if token.text == ")":
            raise _error(token, "this closing parenthesis has no opening one", "remove it")
        if token.text == ",":
            raise _error(token, "a comma stands outside a function", "use a point for decimals")
        if token.kind != "end":
            raise self._missing_operator(token)
        return whole

    def _missing_operator(self, token: _Token) -> InputError:
        known = token.kind != "name" or any(
            token.text in names for names in (self._algebra.names, CONSTANTS, FUNCTIONS)
        )
        if known:
            return _error(token, f"an operator is missing before {token.text!r}", f"write * {token.text}")
        advice = "a formula is in SI and has no units, so 30 deg is 30*pi/180"
        if self._algebra.has_units:
            advice = "write an operator before it; a unit stands after a number"
        return _error(token, f"{token.text!r} cannot follow a value", advice)

    @property
    def _next(self) -> _Token:
        return self._tokens[self._at]

    def _take(self) -> _Token:
        self._at += 1
        return self._tokens[self._at - 1]

    def _sum(self) -> T:
        left = self._product()
        while self._next.text in ("+", "-"):
            code = _OPERATORS[self._take().text]
            left = self._algebra.apply(code, left, self._product())
        return left

    def _product(self) -> T:
        left = self._parse_signed()
        while self._next.text in ("*", "/", "·"):
            code = _OPERATORS[self._take().text]
            left = self._algebra.apply(code, left, self._parse_signed())
        return left

    def _parse_signed(self) -> T:
        """A sign, a power or an atom; everything nested passes here, so depth is counted here."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise _error(self._next, f"nesting is deeper than {MAX_DEPTH}", "simplify the formula")
        if self._next.text in ("+", "-"):
            negative = self._take().text == "-"
            value = self._parse_signed()
            value = self._algebra.apply(Operation.NEGATE, value) if negative else value
        else:
            value = self._atom()
            if self._next.text in ("^", "**"):
                self._take()
                value = self._algebra.apply(Operation.POWER, value, self._parse_signed())
        self._depth -= 1
        return value

    def _atom(self) -> T:
        token = self._take()
        if token.kind == "number":
            return self._parse_measured(token)
        if token.kind == "name":
            return self._call(token) if self._next.text == "(" else self._name(token)
        if token.text == "(":
            value = self._sum()
            self._close(token)
            return value
        what = "the formula ends too early" if token.kind == "end" else f"{token.text!r} has nothing to work on"
        raise _error(token, what, "write a number, a name or a parenthesis there")

    def _name(self, token: _Token) -> T:
        value = self._algebra.name(token.text)
        if value is not None:
            return value
        if token.text in CONSTANTS:
            return self._algebra.number(CONSTANTS[token.text])
        if token.text in FUNCTIONS:
            raise _error(token, f"the function {token.text} has no argument", f"write {token.text}(...)")
        raise _unknown(token, (*self._algebra.names, *CONSTANTS))

    def _call(self, token: _Token) -> T:
        if token.text not in FUNCTIONS:
            if token.text in self._algebra.names or token.text in CONSTANTS:
                raise _error(token, f"{token.text} is not a function", f"write {token.text} * (...)")
            raise _unknown(token, tuple(FUNCTIONS))
        code = FUNCTIONS[token.text]
        opening = self._take()
        arguments = [self._sum()]
        while self._next.text == ",":
            self._take()
            arguments.append(self._sum())
        self._close(opening)
        fixed = code not in (Operation.MIN, Operation.MAX)
        if (fixed and len(arguments) != arity(code)) or len(arguments) < arity(code):
            wanted = f"{arity(code)}" if fixed else "2 or more"
            raise _error(token, f"{token.text} has {len(arguments)} argument(s)", f"give it {wanted}")
        value = self._algebra.apply(code, *arguments[: arity(code)])
        for argument in arguments[arity(code) :]:
            value = self._algebra.apply(code, value, argument)
        return value

    def _close(self, opening: _Token) -> None:
        token = self._take()
        if token.text == ")":
            return
        if token.kind in ("number", "name") or token.text == "(":
            raise self._missing_operator(token)
        what = f"the parenthesis opened in column {opening.column} is not closed"
        raise _error(token, what, "add the closing one")

    # --- numbers with units ------------------------------------------------------------------------------

    def _parse_measured(self, token: _Token) -> T:
        """A number, times the product of units that follows it; `1/s` and `/s` begin with a quotient."""
        value = float(token.text)
        if not np.isfinite(value):
            raise _error(token, f"{token.text} is too large a number", "use at most 1.7e308")
        units: list[tuple[str, int]] = []
        sign = 1
        if self._algebra.has_units and [t.text for t in self._tokens[self._at : self._at + 2]] == ["1", "/"]:
            self._at += 2
            sign = -1
            if not self._unit_at(self._at):
                raise _error(self._next, f"{self._next.text!r} is not a unit", "write it like 0.5 1/s")
        while self._unit_at(self._at):
            units.append((self._take().text, sign * self._unit_power()))
            sign = 1
            if self._next.text in ("*", "/", "·") and self._unit_at(self._at + 1):
                sign = -1 if self._take().text == "/" else 1
        if not units:
            return self._algebra.number(value)
        if self._next.text in ("^", "**"):
            raise _error(self._next, "this power could be that of the unit or of all", "put parentheses")
        return self._algebra.measured(value, units)

    def _unit_at(self, place: int) -> bool:
        """Whether a token names a unit; a name before a parenthesis is a function."""
        token = self._tokens[place]
        named = token.kind == "name" and self._algebra.has_units and self._tokens[place + 1].text != "("
        return named and self._algebra.is_unit(token.text)

    def _unit_power(self) -> int:
        """The power that follows a unit, 1 without one."""
        if self._next.kind == "raised":
            return _RAISED[self._take().text]
        if self._next.text not in ("^", "**"):
            return 1
        self._take()
        sign = -1 if self._next.text == "-" else 1
        if self._next.text in ("+", "-"):
            self._take()
        power = self._take()
        if not re.fullmatch(r"\d", power.text):
            raise _error(power, "the power of a unit is one digit", "write it like m^2")
        return sign * int(power.text)


def _error(token: _Token, what: str, advice: str) -> InputError:
    return InputError(f"formula, column {token.column}: {what}; {advice}")


def _unknown(token: _Token, known: tuple[str, ...]) -> InputError:
    # The nearest of all names, functions or not; the list is of those that can stand here.
    near = get_close_matches(token.text.lower(), {*known, *FUNCTIONS, *CONSTANTS}, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]}? " if near else ""
    shown = token.text if len(token.text) <= 40 else token.text[:40] + "…"
    return _error(token, f"the name {shown!r} is not known", f"{hint}known here: {', '.join(known)}")
