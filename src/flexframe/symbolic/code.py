"""A derivation as a function in Python (NumPy) or C that fills M, C, K, f."""

from collections.abc import Sequence
from dataclasses import dataclass

from sympy import Symbol, cse, numbered_symbols
from sympy.printing.c import C99CodePrinter
from sympy.printing.pycode import PythonCodePrinter

from flexframe.symbolic.elements import Expression, Matrix
from flexframe.symbolic.formalism import Derivation

MOTION_ARGUMENTS = ("omega", "epsilon", "a_O")
TEMPORARY = "tmp"


@dataclass(frozen=True)
class _Program:
    """Assignments in order: definitions, common subexpressions, then the non-zero entries of the outputs."""

    arguments: tuple[str, ...]
    assignments: tuple[tuple[str, Expression], ...]
    entries: tuple[tuple[str, int, int, Expression], ...]  # output, row, column, value
    excluded: tuple[str, ...]  # components of the motion that the derivation takes as zero
    size: int


def function_name(derivation: Derivation) -> str:
    """planar_beam_lagrange, and so on."""
    return f"{derivation.element.name}_{derivation.formalism}"


def to_python(derivation: Derivation, *, name: str | None = None) -> str:
    """Source of a Python function (parameters, ω, ε, a_O) → (M, C, K, f) that needs NumPy only."""
    program = _program(derivation)
    printer = PythonCodePrinter()
    p = program.size
    lines = [
        "import numpy as np",
        "",
        "",
        f"def {name or function_name(derivation)}({', '.join((*program.arguments, *MOTION_ARGUMENTS))}):",
        f"    \"\"\"M*delta'' + C*delta' + K*delta = f, {_plain(derivation)}.",
        "",
        *(f"    {line}" for line in _explanation(derivation)),
        f"    Returns M ({p}, {p}), C ({p}, {p}), K ({p}, {p}), f ({p},).",
        '    """',
    ]
    if program.excluded:
        lines += [
            f"    if {' or '.join(program.excluded)}:",
            f'        raise ValueError("these equations hold for {", ".join(program.excluded)} = 0 only")',
        ]
    lines += [f"    {symbol} = {printer.doprint(value)}" for symbol, value in program.assignments]
    lines += [f"    {output} = np.zeros(({p}, {p}))" for output in "MCK"]
    lines.append(f"    f = np.zeros({p})")
    for output, row, column, value in program.entries:
        place = f"{row}" if output == "f" else f"{row}, {column}"
        lines.append(f"    {output}[{place}] = {printer.doprint(value)}")
    lines.append("    return M, C, K, f")
    return "\n".join(lines) + "\n"


def to_c(derivation: Derivation, *, name: str | None = None) -> str:
    """Source of a C function (parameters, ω, ε, a_O, M, C, K, f) that fills row-major arrays."""
    program = _program(derivation)
    printer = C99CodePrinter({"user_functions": {"Pow": [(lambda _, power: power.is_Integer, _c_power)]}})
    p = program.size
    arguments = [
        *(f"double {argument}" for argument in program.arguments),
        *(f"const double {argument}[3]" for argument in MOTION_ARGUMENTS),
        *(f"double {output}[{p * p}]" for output in "MCK"),
        f"double f[{p}]",
    ]
    used = {str(s) for _, value in program.assignments for s in value.free_symbols}
    used |= {str(s) for *_, value in program.entries for s in value.free_symbols}
    used |= set(program.excluded)
    unused = [a for a in program.arguments if a not in used]
    unused += [a for a in MOTION_ARGUMENTS if not any(u.startswith(f"{a}[") for u in used)]
    lines = [
        f"/* M*delta'' + C*delta' + K*delta = f, {_plain(derivation)}.",
        " *",
        *(f" * {line}" for line in _explanation(derivation)),
        f" * Fills M, C, K ({p} x {p}, row by row) and f ({p}). Returns 0, or 1 with nothing filled if a",
        " * component of the motion that these equations take as zero is not zero.",
        " */",
        f"int {name or function_name(derivation)}(",
        ",\n".join(f"    {argument}" for argument in arguments),
        ")",
        "{",
        "    int i;",
    ]
    lines += [f"    const double {symbol} = {printer.doprint(value)};" for symbol, value in program.assignments]
    lines += [f"    (void){argument};" for argument in unused]
    if program.excluded:
        condition = " || ".join(f"{component} != 0.0" for component in program.excluded)
        lines.append(f"    if ({condition}) return 1;")
    lines += [
        f"    for (i = 0; i < {p * p}; i++) M[i] = C[i] = K[i] = 0.0;",
        f"    for (i = 0; i < {p}; i++) f[i] = 0.0;",
    ]
    for output, row, column, value in program.entries:
        place = row if output == "f" else row * p + column
        lines.append(f"    {output}[{place}] = {printer.doprint(value)};")
    lines += ["    return 0;", "}"]
    return "\n".join(lines) + "\n"


def _c_power(base: str, power: str) -> str:
    """A whole power as a product, so that no library is needed."""
    factor = base if base.replace("_", "").isalnum() or base.endswith("]") else f"({base})"
    product = "*".join([factor] * abs(int(power)))
    return f"({product})" if int(power) > 0 else f"(1.0/({product}))"


def _program(derivation: Derivation) -> _Program:
    outputs: tuple[tuple[str, Matrix], ...] = (
        ("M", derivation.mass),
        ("C", derivation.total_damping),
        ("K", derivation.total_stiffness),
        ("f", derivation.total_load),
    )
    components = _components(derivation)
    places = [
        (output, row, column)
        for output, matrix in outputs
        for row in range(matrix.rows)
        for column in range(matrix.cols)
        if matrix[row, column] != 0
    ]
    matrices = dict(outputs)
    values = [matrices[output][row, column].xreplace(components) for output, row, column in places]
    common, reduced = cse(values, symbols=numbered_symbols(TEMPORARY), order="canonical")
    needed = _needed_definitions(derivation, values)
    assignments = (*needed, *((symbol.name, value) for symbol, value in common))
    motion = {name: getattr(derivation.motion, name) for name in MOTION_ARGUMENTS}
    return _Program(
        arguments=tuple(symbol.name for symbol in derivation.parameters),
        assignments=assignments,
        entries=tuple((*place, value) for place, value in zip(places, reduced, strict=True)),
        excluded=tuple(f"{name}[{i}]" for name in MOTION_ARGUMENTS for i in range(3) if motion[name][i] is None),
        size=derivation.mass.rows,
    )


def _components(derivation: Derivation) -> dict[Symbol, Symbol]:
    """ω_3 → omega[2], and so on."""
    return {
        symbol: Symbol(f"{name}[{i}]", real=True)
        for name in MOTION_ARGUMENTS
        for i, symbol in enumerate(getattr(derivation.motion, name))
        if symbol is not None
    }


def _needed_definitions(
    derivation: Derivation, values: Sequence[Expression]
) -> tuple[tuple[str, Expression], ...]:
    """The definitions that the values use."""
    used = {symbol for value in values for symbol in value.free_symbols}
    return tuple((symbol.name, value) for symbol, value in derivation.definitions if symbol in used)


def _plain(derivation: Derivation) -> str:
    """One line without letters outside ASCII."""
    title = f"{derivation.element.title}, {derivation.motion.space} motion, {derivation.authors}"
    return title.replace("–", "-")


def _explanation(derivation: Derivation) -> list[str]:
    """What the arguments are."""
    lines = [
        f"Coordinates delta: {', '.join(derivation.element.dofs)}.",
        "omega, epsilon = d(omega)/dt and a_O, three components each in the element frame, are the motion",
        "of that frame. C contains the Coriolis term, K the elastic, Euler and centrifugal stiffness"
        + (" and the geometric one." if "geometric" in derivation.stiffness else "."),
    ]
    if not derivation.damping.is_zero_matrix:
        lines.append("C also holds the material damping beta*k.")
    for remark in derivation.element.remarks:
        plain = remark.replace("ξ", "xi").replace("η", "eta")
        lines.append(f"{plain[0].upper()}{plain[1:]}.")
    return lines
