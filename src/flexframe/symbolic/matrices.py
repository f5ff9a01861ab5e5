"""Take a matrix of symbols apart so that it can be read: motion terms, section data, common factors."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sympy import (
    Add,
    ImmutableMatrix,
    Integer,
    Mul,
    Poly,
    Symbol,
    gcd_list,
    lcm_list,
)

from flexframe.symbolic.element_data import Expression, Matrix


def by_motion(matrix: Matrix, motion: Sequence[Symbol]) -> dict[Expression, Matrix]:
    """Coefficient matrices of the monomials in ω, ε, a_O."""
    parts: dict[tuple[int, ...], dict[tuple[int, int], Expression]] = {}
    for r in range(matrix.rows):
        for t in range(matrix.cols):
            if matrix[r, t] != 0:
                for powers, coefficient in Poly(matrix[r, t], *motion).terms():
                    parts.setdefault(powers, {})[r, t] = coefficient
    return {
        Mul(*(s**n for s, n in zip(motion, powers, strict=True))): _matrix(matrix, entries)
        for powers, entries in sorted(parts.items(), reverse=True)
    }


def by_groups(matrix: Matrix, groups: Sequence[Symbol]) -> list[Matrix]:
    """Summands with different powers of the section data (area, second moments, …)."""
    parts: dict[tuple[Expression, ...], dict[tuple[int, int], Expression]] = {}
    for r in range(matrix.rows):
        for t in range(matrix.cols):
            for term in Add.make_args(matrix[r, t].expand()):
                if term == 0:
                    continue
                powers = term.as_powers_dict()
                key = tuple(powers.get(symbol, Integer(0)) for symbol in groups)
                entries = parts.setdefault(key, {})
                entries[r, t] = entries.get((r, t), Integer(0)) + term
    return [_matrix(matrix, entries) for _, entries in sorted(parts.items(), reverse=True)]


def with_common_factor(matrix: Matrix) -> tuple[Expression, Matrix]:
    """positive monomial × matrix of polynomials; whole numbers stay inside, as in EI/L³ [12, 6L, …]."""
    terms = [term.as_coeff_Mul() for entry in matrix.flat() for term in Add.make_args(entry.expand()) if term != 0]
    if not terms:
        return Integer(1), matrix
    powers = [monomial.as_powers_dict() for _, monomial in terms]
    symbols = sorted({base for held in powers for base in held if base != 1}, key=str)
    common = Mul(*(symbol ** min(held.get(symbol, 0) for held in powers) for symbol in symbols))
    factor = common / lcm_list([number.q for number, _ in terms])
    return factor, matrix.applyfunc(lambda entry: (entry / factor).expand())


def rational_ratio(matrix: Matrix, other: Matrix) -> Expression | None:
    """q with matrix = q · other, if there is a rational one."""
    if matrix.shape != other.shape:
        return None
    ratio = None
    for mine, its in zip(matrix.flat(), other.flat(), strict=True):
        if (mine == 0) != (its == 0):
            return None
        if mine != 0:
            found = (mine / its).cancel() if ratio is None else ratio
            if not found.is_Rational or (mine - found * its).expand() != 0:
                return None
            ratio = found
    return ratio


@dataclass(frozen=True)
class Summand:
    """factor × Σ terms, where the factor holds the parameters and the terms the variables."""

    factor: Expression
    terms: tuple[Expression, ...]


def by_parameters(expression: Expression, parameters: Iterable[Symbol]) -> list[Summand]:
    """A sum sorted by its parameters, with the common rational factor of each group taken out."""
    known = set(parameters)
    groups: dict[Expression, list[Expression]] = {}
    for term in Add.make_args(expression.expand()):
        constant, variable = term.as_independent(*(term.free_symbols - known), as_Add=False)
        rational, scale = constant.as_coeff_Mul()
        groups.setdefault(scale, []).append(rational * variable)
    summands = []
    for scale, terms in groups.items():
        bottom = lcm_list([t.as_coeff_Mul()[0].q for t in terms])
        top = gcd_list([t.as_coeff_Mul()[0] * bottom for t in terms])
        inner = Add(*(t * bottom / top for t in terms))
        summands.append(Summand(scale * top / bottom, tuple(inner.as_ordered_terms())))
    return sorted(summands, key=lambda s: s.factor.sort_key())


def _matrix(like: Matrix, entries: dict[tuple[int, int], Expression]) -> Matrix:
    return ImmutableMatrix(like.rows, like.cols, lambda r, t: entries.get((r, t), Integer(0)))
