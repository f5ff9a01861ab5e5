"""From the rows of a route, polynomials that vanish, to the parts of the equation of motion."""

from collections.abc import Sequence
from dataclasses import dataclass

from sympy import Add, ImmutableMatrix, Symbol, expand

from flexframe.symbolic.algebra import Algebra, Polynomial
from flexframe.symbolic.element_data import Expression, Matrix
from flexframe.symbolic.fields import BETA, Coordinates
from flexframe.symbolic.motions import SymbolicMotion


@dataclass(frozen=True)
class Parts:
    """Matrices by (derivative of δ, name of the part)."""

    matrices: dict[tuple[str, str], Matrix]
    size: int

    def matrix(self, factor: str, part: str) -> Matrix:
        """A (p, p) part; zero if it does not occur."""
        return self.matrices.get((factor, part), ImmutableMatrix.zeros(self.size, self.size))

    def load(self, part: str) -> Matrix:
        """A (p, 1) part with the sign of the right side."""
        left = self.matrices.get(("constant", part))
        return ImmutableMatrix.zeros(self.size, 1) if left is None else -left


def collected(rows: Sequence[Polynomial], algebra: Algebra, symbols: Coordinates, motion: SymbolicMotion) -> Parts:
    """Sort every term by what it multiplies and by its physical origin."""
    index = {symbol: i for i, symbol in enumerate(algebra.ring.symbols)}
    unknowns = {
        index[symbol]: (factor, column)
        for factor, group in (("second", symbols.second), ("rate", symbols.rate), ("delta", symbols.delta))
        for column, symbol in enumerate(group)
    }
    entries: dict[tuple[str, str], dict[tuple[int, int], list[Expression]]] = {}
    for row, polynomial in enumerate(rows):
        for monomial, coefficient in polynomial.terms():
            present = [i for i, power in enumerate(monomial) if power]
            held = [unknowns[i] for i in present if i in unknowns]
            assert len(held) <= 1, "an element equation is linear in δ, δ̇, δ̈"
            factor, column = held[0] if held else ("constant", 0)
            known = tuple(0 if i in unknowns else power for i, power in enumerate(monomial))
            part = _part(factor, {algebra.ring.symbols[i]: known[i] for i in present}, algebra, motion)
            place = entries.setdefault((factor, part), {}).setdefault((row, column), [])
            place.append(algebra.term(known, coefficient))
    size = len(rows)

    def matrix(columns: int, places: dict[tuple[int, int], list[Expression]]) -> Matrix:
        return ImmutableMatrix(size, columns, lambda r, t: expand(Add(*places.get((r, t), ()))))

    return Parts({at: matrix(1 if at[0] == "constant" else size, places) for at, places in entries.items()}, size)


def _part(factor: str, powers: dict[Symbol, int], algebra: Algebra, motion: SymbolicMotion) -> str:
    """The physical origin of a term from the motion and the kind of integral that it contains."""
    kinds = {algebra.kinds[symbol] for symbol in powers if symbol in algebra.kinds} - {"geometry"}
    spin = sum(powers.get(symbol, 0) for symbol in motion.omega if symbol is not None)
    spin_rate = sum(powers.get(symbol, 0) for symbol in motion.epsilon if symbol is not None)
    origin = sum(powers.get(symbol, 0) for symbol in motion.a_O if symbol is not None)
    damped = powers.get(BETA, 0)
    assert len(kinds) == 1, f"a term mixes {sorted(kinds)}"
    parts = {
        ("second", "inertia", 0, 0, 0, 0): "mass",
        ("rate", "inertia", 1, 0, 0, 0): "coriolis",
        ("rate", "elastic", 0, 0, 0, 1): "damping",
        ("delta", "elastic", 0, 0, 0, 0): "elastic",
        ("delta", "geometric", 0, 0, 0, 0): "geometric",
        ("delta", "inertia", 0, 1, 0, 0): "euler",
        ("delta", "inertia", 2, 0, 0, 0): "centrifugal",
        ("constant", "inertia", 0, 1, 0, 0): "euler",
        ("constant", "inertia", 2, 0, 0, 0): "centrifugal",
        ("constant", "inertia", 0, 0, 1, 0): "origin",
        ("constant", "load", 0, 0, 0, 0): "body",
    }
    signature = (factor, *kinds, spin, spin_rate, origin, damped)
    speeds = [s for s in motion.v_O if s is not None and powers.get(s)]
    assert not speeds, f"the equation contains the velocity {speeds[0]} of the origin"
    assert signature in parts, f"a term {signature} has no place in the equation of motion"
    return parts[signature]
