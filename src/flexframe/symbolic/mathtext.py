"""LaTeX of expressions, matrices and running text: matrices are taken apart so that they can be read."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sympy import (
    Add,
    ImmutableMatrix,
    Integer,
    Mul,
    Poly,
    Symbol,
    fraction,
    gcd_list,
    latex,
    lcm_list,
)

from flexframe.symbolic.elements import Expression, Matrix


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


LINE = 95  # visible characters
UNICODE = {
    "ω̇": r"$\dot\omega$",
    "τ̇": r"$\dot\tau$",
    "ω": r"$\omega$",
    "ε": r"$\varepsilon$",
    "τ": r"$\tau$",
    "δ_1": r"$\delta_1$",
    "δ": r"$\delta$",
    "ξ": r"$\xi$",
    "η": r"$\eta$",
    "–": "--",
    "L*": "$L^*$",
}


def write(expression: Expression) -> str:
    """LaTeX of an expression in the notation of the theory."""
    return latex(expression, symbol_names=_symbol_names(expression))


def _symbol_names(expression: Expression) -> dict[Symbol, str]:
    names = {}
    for symbol in expression.free_symbols:
        name = symbol.name
        if name.startswith("epsilon"):
            names[symbol] = r"\varepsilon" + (f"_{{{name[8:]}}}" if len(name) > 7 else "")
        elif match := re.fullmatch(r"([avp])_([OV])(\d)", name):
            names[symbol] = f"{match[1]}_{{{match[2]},{match[3]}}}"
        elif match := re.fullmatch(r"(delta'+)_(\d+)", name):
            names[symbol] = f"{{\\{match[1]}_{{{match[2]}}}}}"
    return names


def factor_text(factor: Expression, order: Sequence[Symbol]) -> str:
    """A monomial with its symbols in the given order: ρAL/420."""
    above, below = fraction(factor)
    halves = []
    for half in (above, below):
        number, monomial = half.as_coeff_Mul()
        powers = monomial.as_powers_dict()
        if not all(base in order for base in powers if base != 1):
            return write(factor)
        symbols = [write(base ** powers[base]) for base in order if base in powers]
        numbers = [write(number)] if number != 1 or not symbols else []
        halves.append(" ".join(numbers + symbols))
    return halves[0] if halves[1] == "1" else rf"\frac{{{halves[0]}}}{{{halves[1]}}}"


def matrix_text(matrix: Matrix) -> str:
    """A matrix in brackets; a column is written as a transposed row."""
    if matrix.cols == 1 and matrix.rows > 3:
        return matrix_text(matrix.T) + "^T"
    rows = " \\\\\n".join(" & ".join(write(matrix[r, t]) for t in range(matrix.cols)) for r in range(matrix.rows))
    return f"\\begin{{bmatrix}}\n{rows}\n\\end{{bmatrix}}"


def sum_text(expression: Expression, parameters: Sequence[Symbol], longest: int) -> str | None:
    """A polynomial grouped by its parameters and broken into aligned lines; None if it has too many terms."""
    if expression == 0:
        return "0"
    summands = by_parameters(expression, parameters)
    if sum(len(s.terms) for s in summands) > longest:
        return None
    pieces = []
    for summand in summands:
        if len(summand.terms) == 1:
            pieces.append(with_sign(write(summand.factor * summand.terms[0])))
            continue
        inner = [with_sign(write(term)) for term in summand.terms]
        if summand.factor != 1:
            factor = factor_text(summand.factor, parameters)
            inner[0] = with_sign(factor + r"\bigl(") + inner[0].removeprefix("+")
            inner[-1] += r"\bigr)"
        pieces.extend(inner)
    return break_lines(pieces)


def factored_text(expression: Expression, longest: int) -> str | None:
    """A sum as it stands, broken into aligned lines; None if it is too long or a term is wider than a line."""
    pieces = [with_sign(write(term)) for term in expression.as_ordered_terms()]
    sizes = [visible(piece) for piece in pieces]
    return break_lines(pieces) if max(sizes) < 1.5 * LINE and sum(sizes) < longest * 12 else None


def break_lines(pieces: list[str]) -> str:
    """Join the signed pieces of a sum, with a new aligned line whenever one is full."""
    lines, length = [""], 0
    for piece in (pieces[0].removeprefix("+"), *pieces[1:]):
        size = visible(piece)
        if length and length + size > LINE:
            lines.append(r"&\quad ")
            length = 0
        lines[-1] += piece
        length += size
    return "\\\\\n".join(lines)


def width(matrix: Matrix) -> int:
    """About how many characters wide a matrix is."""
    return sum(2 + max(visible(write(matrix[r, t])) for r in range(matrix.rows)) for t in range(matrix.cols))


def visible(text: str) -> int:
    """About how many characters a reader sees; a fraction is as wide as its longer half."""
    text = re.sub(r"\\frac\{([^{}]*)\}\{([^{}]*)\}", lambda m: max(m[1], m[2], key=len), text)
    text = re.sub(r"\\[a-zA-Z]+", "x", text)
    return len(re.sub(r"[{}\s^_\\]", "", text))


def with_sign(text: str) -> str:
    """With a sign in front."""
    return text if text.startswith("-") else "+" + text


def display(content: str) -> str:
    """A formula on its own line."""
    return f"\\[\n{content}\n\\]"


def prose(text: str) -> str:
    """Running text with its Greek letters as formulas."""
    for letters, formula in UNICODE.items():
        text = text.replace(letters, formula)
    pieces = re.split(r"(\$[^$]*\$)", text)
    return "".join(p if p.startswith("$") else re.sub(r"(\w+)_(\w+)", r"$\1_{\2}$", p) for p in pieces)
