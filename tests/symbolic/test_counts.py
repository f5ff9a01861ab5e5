"""The published counting rule, and what the honest counts count."""

import pytest
import sympy
from sympy import QQ, ring

from flexframe.errors import InputError
from flexframe.formalisms.registry import NAMES as FORMALISMS
from flexframe.symbolic import operation_counts, published_counts
from flexframe.symbolic.algebra import operations_text
from flexframe.symbolic.counts import PUBLISHED_ELEMENTS

from .samples import derived

# Paper 004, Table 1: elements, Lagrange, Gibbs–Appell, Kane
TABLE = [
    (5, 288, 120, 10),
    (10, 528, 220, 20),
    (15, 768, 320, 30),
    (20, 1008, 420, 40),
    (25, 1248, 520, 50),
    (30, 1488, 620, 60),
    (40, 1968, 820, 80),
]


def test_published_table() -> None:
    found = [published_counts(n) for n in PUBLISHED_ELEMENTS]
    assert [(c.elements, c.lagrange, c.gibbs_appell, c.kane) for c in found] == TABLE


def test_no_elements_cannot_be_counted() -> None:
    with pytest.raises(InputError, match="at least one"):
        published_counts(0)


def test_operations_are_those_of_the_expression() -> None:
    """SymPy counts the same sum of products: additions and subtractions; products, quotients and powers."""
    _, x, y, z = ring("x, y, z", QQ)
    polynomial = 3 * x**2 * y - x * z / 2 + y + 5
    counted = sympy.count_ops(polynomial.as_expr(), visual=True)
    each = {str(k): int(counted.coeff(k)) for k in counted.free_symbols}
    additions, multiplications = operations_text(polynomial)
    assert additions == each["ADD"] + each["SUB"]
    # x² is one product; −xz/2 is x·z and one division
    assert multiplications == each["MUL"] + each["POW"] + each["DIV"]


def test_lagrange_on_a_planar_bar_by_hand() -> None:
    """4 momenta and 4 gradients of T; V holds 2 coordinates; each momentum holds v, ω, 2 δ and 2 δ̇."""
    operations = derived("bar", "planar", "lagrange").operations
    assert operations.differentiations == 4 + 4 + 2 + 4 * 6
    assert operations.additions == sum(p.additions for p in operations.primitives)


def test_every_formalism_is_counted_on_the_same_element() -> None:
    counts = {c.formalism: c.operations for c in operation_counts("planar_beam", "planar")}
    assert tuple(counts) == FORMALISMS
    assert all(c.additions > 0 and c.multiplications > 0 and c.differentiations > 0 for c in counts.values())
    # no scalar function: Kane writes least; Hamilton expands the inverse mass matrix: it writes most
    written = {name: c.additions + c.multiplications for name, c in counts.items()}
    assert min(written, key=lambda name: written[name]) == "kane"
    assert max(written, key=lambda name: written[name]) == "hamilton"
    assert counts["kane"].differentiations < counts["lagrange"].differentiations
