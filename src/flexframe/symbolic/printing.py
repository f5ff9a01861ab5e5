"""A derivation as a LaTeX text that can be read: named matrices, common factors in front, motion terms grouped."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from sympy import Integer, Symbol, factor

from flexframe.symbolic.elements import Expression, Matrix
from flexframe.symbolic.fields import BETA, BODY_LOAD
from flexframe.symbolic.formalism import Derivation, Step
from flexframe.symbolic.mathtext import (
    LINE,
    by_groups,
    by_motion,
    display,
    factor_text,
    factored_text,
    matrix_text,
    prose,
    rational_ratio,
    sum_text,
    visible,
    width,
    with_common_factor,
    with_sign,
    write,
)

LONGEST_SUM = 120  # terms; a longer primitive is described, not printed
WIDEST_MATRIX = 130


def to_latex(derivation: Derivation, *, document: bool = False, steps: bool = True) -> str:
    """The derivation as LaTeX (amsmath); with `document` a complete file."""
    title = f"{derivation.element.title}; {derivation.motion.space} motion; {derivation.authors}"
    parts = [rf"\section*{{{prose(_capital(title))}}}", *_description(derivation)]
    if steps:
        parts.append(r"\subsection*{Derivation}")
        parts.extend(_step(step, derivation) for step in derivation.steps)
    parts.append(r"\subsection*{Equations of motion}")
    parts.extend(_equations(derivation))
    body = "\n".join(parts) + "\n"
    return _document(body, wide=len(derivation.element.dofs) > 8) if document else body


def _document(body: str, wide: bool) -> str:
    paper = "a3paper,landscape" if wide else "a4paper,landscape"
    return "\n".join(
        (
            r"\documentclass[10pt]{article}",
            r"\usepackage[utf8]{inputenc}",
            r"\usepackage{amsmath,amssymb}",
            rf"\usepackage[{paper},margin=15mm]{{geometry}}",
            r"\setcounter{MaxMatrixCols}{24}",
            r"\setlength{\parindent}{0pt}",
            r"\allowdisplaybreaks",
            r"\begin{document}",
            body + r"\end{document}",
            "",
        )
    )


def _description(derivation: Derivation) -> list[str]:
    """What moves, by which functions, and what the symbols stand for."""
    element = derivation.element
    frame = r", \(\boldsymbol\omega=(0,0,\omega)\)" if derivation.motion.space == "planar" else ""
    lines = [
        r"Position of a point of the element: "
        r"\(\boldsymbol r=\boldsymbol r_O+\mathbf R(\boldsymbol x+\mathbf N\boldsymbol\delta)\); "
        rf"all components in the moving frame{frame}.",
        rf"Coordinates \(\delta_1,\dots,\delta_{{{len(element.dofs)}}}\): {', '.join(element.dofs)}.",
        display(rf"\boldsymbol x={matrix_text(element.position)}"),
        display(rf"\mathbf N={matrix_text(element.shape.applyfunc(factor))}"),
        *(_capital(prose(remark)) + "." for remark in element.remarks),
    ]
    if derivation.conditions:
        items = (rf"\item {prose(condition)}" for condition in derivation.conditions)
        lines.extend((r"\begin{itemize}", *items, r"\end{itemize}"))
    if element.definitions:
        lines.append("With")
        lines.extend(display(_definition(symbol, value)) for symbol, value in element.definitions)
    return lines


def _definition(symbol: Symbol, value: Expression) -> str:
    """symbol = value, a long polynomial with its common factor in front."""
    content = sum_text(value, (), LONGEST_SUM) if value.is_Add else write(value)
    return rf"\begin{{aligned}}&{write(symbol)}={content}\end{{aligned}}"


def _step(step: Step, derivation: Derivation) -> str:
    """One primitive; what does not fit on a page is replaced by its number of terms."""
    title = rf"\paragraph{{{prose(_capital(step.title))}.}}"
    expression, parameters = step.expression, _parameters(derivation)

    def sum_of(entry: Expression) -> str | None:
        if step.factored:
            return factored_text(entry, LONGEST_SUM)
        return sum_text(entry, parameters, LONGEST_SUM)

    if not expression.is_Matrix:
        content = sum_of(expression)
        if content is None:
            return title + _not_printed([expression]) + display(step.formula)
        return title + "\n" + display(rf"\begin{{aligned}}&{step.formula}={content}\end{{aligned}}")
    entries = list(expression.flat())
    column = expression.cols == 1
    if (not column or expression.rows <= 3) and width(expression) <= WIDEST_MATRIX:
        return title + "\n" + display(f"{step.formula}={matrix_text(expression)}")
    sums = [sum_of(entry) for entry in entries] if column else [None]
    if any(content is None for content in sums):
        return title + _not_printed(entries) + display(step.formula)
    lines = "\\\\\n".join(rf"&\text{{{r}:}}\quad {content}" for r, content in enumerate(sums, start=1))
    return "\n".join((title, display(step.formula), r"\begin{align*}", lines, r"\end{align*}"))


def _not_printed(entries: list[Expression]) -> str:
    terms = sum(len(entry.args) if entry.is_Add else 1 for entry in entries if entry != 0)
    size = f"A sum of {terms} terms, too" if terms > 1 else "Too"
    return f" {size} long to print.\n"


@dataclass
class _Book:
    """Matrices already named, so that equal ones are referred to and not printed again."""

    names: list[tuple[str, Matrix]] = field(default_factory=list)

    def reference(self, matrix: Matrix, name: str) -> tuple[Expression, str]:
        """(rational factor, name) of a known matrix, or the new name with factor one.

        A vector refers to vectors of its own letter only: d and e may agree by accident.
        """
        for known, content in self.names:
            akin = matrix.cols > 1 or known.partition("_")[0] == name.partition("_")[0]
            ratio = rational_ratio(matrix, content) if akin else None
            if ratio is not None:
                return ratio, known
        self.names.append((name, matrix))
        return Integer(1), name


@dataclass(frozen=True)
class _Term:
    """A part of the equation: its letter, its matrix, and how the matrix of a monomial is called and scaled."""

    letter: str
    matrix: Matrix
    name: Callable[[Expression], str]
    scale: Callable[[Expression], int]

    @property
    def present(self) -> bool:
        return not self.matrix.is_zero_matrix


def _equations(derivation: Derivation) -> list[str]:
    """The equation in letters, each part by its motion, each named matrix once."""
    book = _Book()
    book.reference(derivation.mass, r"\mathbf m")
    stiffness, load = derivation.stiffness, derivation.load
    book.reference(stiffness["elastic"], r"\mathbf k")
    if "geometric" in stiffness:
        book.reference(stiffness["geometric"], r"\mathbf k_g")
    sign = 1 if derivation.motion.space == "planar" else -1
    rates = (
        _Term(r"2\mathbf c(\omega)", derivation.coriolis, _name_letter(r"\mathbf C"), lambda _: 2),
        _Term(r"\mathbf c_\beta", derivation.damping, _name_letter(r"\mathbf k"), lambda _: 1),
    )
    turning = (
        _Term(r"\mathbf k(\varepsilon)", stiffness["euler"], _name_letter(r"\mathbf C"), lambda _: 1),
        _Term(r"\mathbf k(\omega^2)", stiffness["centrifugal"], _name_letter(r"\mathbf K"), _pairs),
    )
    right = (
        *(
            (_Term(r"\boldsymbol q^*", load["body"], _name_letter(r"\boldsymbol b"), lambda _: 1),)
            if "body" in load
            else ()
        ),
        _Term(r"-\boldsymbol q(\varepsilon)", load["euler"], _name_letter(r"\boldsymbol d"), lambda _: -1),
        _Term(
            r"-\boldsymbol q(\omega^2)",
            load["centrifugal"],
            _name_letter(r"\boldsymbol e"),
            lambda m: sign * _pairs(m),
        ),
        _Term(r"-\mathbf m_O\boldsymbol a_O", load["origin"], _name_letter(r"\boldsymbol m", "O,"), lambda _: -1),
    )
    groups = [[term for term in group if term.present] for group in (rates, turning, right)]
    damped, bracket, loads = ([term.letter for term in group] for group in groups)
    constant = [r"\mathbf k", *([r"\mathbf k_g"] if "geometric" in stiffness else [])]
    rate = damped[0] if len(damped) == 1 else f"[{'+'.join(damped)}]"
    equation = (
        r"\mathbf m\ddot{\boldsymbol\delta}"
        + (rf"+{rate}\dot{{\boldsymbol\delta}}" if damped else "")
        + rf"+[{'+'.join(constant + bracket)}]\boldsymbol\delta="
        + "".join(with_sign(letter) for letter in loads).removeprefix("+")
    )
    parts = [display(f"{term.letter}={_group(term, derivation, book)}") for group in groups for term in group]
    matrices = [_named_matrix(name, matrix, derivation) for name, matrix in book.names]
    return [display(rf"\boxed{{{equation}}}"), *parts, *matrices]


def _pairs(monomial: Expression) -> int:
    """ω_a² stands for one pair of indices, ω_a ω_b for ab and ba."""
    return 1 if len(monomial.free_symbols) == 1 else 2


def _name_letter(letter: str, prefix: str = "") -> Callable[[Expression], str]:
    """C_1 for the coefficient of ω_1, K_12 for that of ω_1 ω_2, no index in the plane."""

    def name(monomial: Expression) -> str:
        powers = sorted(monomial.as_powers_dict().items(), key=lambda item: str(item[0]))
        digits = "".join(re.sub(r"\D", "", s.name) * int(n) for s, n in powers if isinstance(s, Symbol))
        return letter + (f"_{{{prefix}{digits}}}" if digits else "")

    return name


def _group(term: _Term, derivation: Derivation, book: _Book) -> str:
    """Σ motion monomial × named matrix."""
    variables = [*derivation.motion.coefficients, *(s for s in derivation.parameters if s in (BETA, *BODY_LOAD))]
    pieces = []
    for monomial, coefficient in by_motion(term.matrix, variables).items():
        scale = Integer(term.scale(monomial))
        ratio, known = book.reference(coefficient / scale, term.name(monomial))
        pieces.append(with_sign(rf"{write(ratio * scale * monomial)}\,{known}"))
    return "".join(pieces).removeprefix("+")


def _named_matrix(name: str, matrix: Matrix, derivation: Derivation) -> str:
    """name = Σ factor × matrix, or its node blocks if it is too wide."""
    pieces = []
    for part in by_groups(matrix, derivation.element.groups):
        scale, content = with_common_factor(part)
        if matrix.cols > 1 and width(content) > WIDEST_MATRIX:
            return _node_blocks(name, matrix, derivation)
        pieces.append(("" if scale == 1 else factor_text(scale, _parameters(derivation))) + matrix_text(content))
    between = "+" if matrix.cols == 1 and sum(map(visible, pieces)) < 2 * LINE else "\\\\\n&\\quad +"
    return display(rf"\begin{{aligned}}&{name}={between.join(pieces)}\end{{aligned}}")


def _node_blocks(name: str, matrix: Matrix, derivation: Derivation) -> str:
    """The blocks of nodes a ≤ b of a symmetric matrix."""
    nodes = int(derivation.element.dofs[-1][-1])
    size = matrix.rows // nodes
    scale, content = with_common_factor(matrix)
    lines = [display(rf"{name}={write(scale)}\,[{name}^{{ab}}],\qquad {name}^{{ba}}=({name}^{{ab}})^T")]
    for a in range(nodes):
        for b in range(a, nodes):
            block = content[a * size : (a + 1) * size, b * size : (b + 1) * size]
            lines.append(display(rf"{name}^{{{a + 1}{b + 1}}}={matrix_text(block)}"))
    return "\n".join(lines)


def _parameters(derivation: Derivation) -> tuple[Symbol, ...]:
    """Parameters in the order in which a product of them is written."""
    return (*derivation.parameters, *(symbol for symbol, _ in derivation.definitions))


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
