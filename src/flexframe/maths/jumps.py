"""Formulas that jump: sign, step and mod as values that stay what they are until their arguments pass a zero.

    sign(a) = k,   step(a) = (1 + k)/2   with k = ±1 by the side of a,   mod(a, b) = a − b n   with n = floor(a/b).

With k and n as variables of their own a formula is smooth; who follows it in time changes them where arguments
pass.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from flexframe.maths.arrays import Array
from flexframe.maths.expression import Operation, arity
from flexframe.maths.formula import Formula

_Tape = list[tuple[Operation, float]]


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
