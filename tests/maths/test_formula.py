"""Formulas against Python's own arithmetic and sympy's derivatives, and against hostile texts."""

import math

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.rounding import ROUNDING

from flexframe.errors import InputError
from flexframe.maths.formula import MAX_DEPTH, MAX_LENGTH, Formula, Operation


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + 2*3", 7.0),
        ("(1 + 2)*3", 9.0),
        ("2^3^2", 512.0),
        ("2**-1", 0.5),
        ("-2^2", -4.0),
        ("2 - 3 - 4", -5.0),
        ("24/4/2", 3.0),
        ("--3", 3.0),
        ("+-+3", -3.0),
        ("2*-3", -6.0),
        (".5e1 + 1.e-1", 5.1),
        ("pi", math.pi),
        ("e^2", math.e**2),
        ("sin(pi/6)", 0.5),
        ("atan2(-1, -1)", -3 * math.pi / 4),
        ("min(3, 1, 2)", 1.0),
        ("max(3, 1, 7, 2)", 7.0),
        ("step(-1e-9) + step(0) + step(2)", 2.0),
        ("mod(-1, 3)", 2.0),
        ("pow(2, 10)", 1024.0),
        ("sign(-3)*abs(-3)", -3.0),
        ("sqrt(2)*sqrt(2)", 2.0),
        ("log(exp(3))", 3.0),
        ("sinh(1)^2 - cosh(1)^2", -1.0),
        ("asin(1) + acos(1)", math.pi / 2),
        ("tanh(0.3) - tan(atan(0.3))", math.tanh(0.3) - 0.3),
    ],
)
def test_arithmetic(text, expected):
    """Each within a few roundings of the value worked out by hand."""
    assert float(Formula.parse(text)(0.0)) == pytest.approx(expected, rel=ROUNDING, abs=ROUNDING)


def test_evaluation_is_vectorised_and_keeps_the_shape():
    f = Formula.parse("2*sin(3*t) + t^2")
    t = np.linspace(-1.0, 2.0, 12).reshape(3, 4)
    np.testing.assert_allclose(f(t), 2.0 * np.sin(3.0 * t) + t**2, rtol=ROUNDING)
    assert f(0.5).shape == ()
    assert Formula.parse("3")(t).shape == (3, 4)
    assert [part.shape for part in Formula.parse("3").jet(t)] == [(3, 4)] * 3
    unchanged = Formula.parse("t")(t)
    unchanged[0, 0] = 99.0
    assert t[0, 0] == -1.0


def test_other_variables():
    f = Formula.parse("a*t + b^2*t^2", variables=("a", "t", "b"))
    value, slope, curvature = f.jet(2.0, np.array([1.0, 3.0]), 5.0)
    np.testing.assert_allclose(value, [27.0, 231.0])
    np.testing.assert_allclose(slope, [52.0, 152.0])
    np.testing.assert_allclose(curvature, [50.0, 50.0])
    assert float(Formula.parse("e + 1", variables=("e",))(2.0)) == 3.0  # a variable hides a constant
    assert float(Formula.parse("x^3", variables=("x",)).jet(2.0)[2]) == 12.0
    assert float(Formula.parse("2*pi", variables=())()) == 2.0 * math.pi


def test_the_tape_is_flat_postfix():
    f = Formula.parse("2*t - sin(t)/(1 + 2)")
    assert [Operation(int(c)).name for c in f.opcodes] == [
        "NUMBER", "VARIABLE", "MULTIPLY", "VARIABLE", "SIN", "NUMBER", "DIVIDE", "SUBTRACT",
    ]  # fmt: skip
    np.testing.assert_array_equal(f.operands, [2.0, 0.0, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0])
    assert f.stack_size == 3
    assert f == Formula.parse("2*t - sin(t)/(1 + 2)")
    assert hash(f) != hash(Formula.parse("t"))
    with pytest.raises(ValueError, match="read-only"):
        f.operands[0] = 1.0


# --- derivatives against sympy ---------------------------------------------------------------------------

SMOOTH_CALLS = ["sin", "cos", "tan", "atan", "sinh", "cosh", "tanh", "exp"]


def expressions():
    """Texts of random smooth expressions of t, with arguments kept within every function's domain."""
    leaves = st.one_of(
        st.just("t"),
        st.integers(1, 9).map(str),
        st.floats(0.1, 3.0).map(lambda x: f"{x:.3f}"),
    )

    def grow(inner):
        pair = st.tuples(inner, inner)
        return st.one_of(
            st.tuples(pair, st.sampled_from("+-*")).map(lambda p: f"({p[0][0]} {p[1]} {p[0][1]})"),
            pair.map(lambda p: f"({p[0]})/(1.5 + tanh({p[1]}))"),
            st.tuples(st.sampled_from(SMOOTH_CALLS), inner).map(lambda p: f"{p[0]}(sin({p[1]}))"),
            inner.map(lambda x: f"sqrt(2 + cos({x}))"),
            inner.map(lambda x: f"log(2 + sin({x}))"),
            inner.map(lambda x: f"asin(0.7*sin({x}))"),
            inner.map(lambda x: f"acos(0.7*cos({x}))"),
            pair.map(lambda p: f"atan2(2 + sin({p[0]}), cos({p[1]}))"),
            pair.map(lambda p: f"(2 + sin({p[0]}))^cos({p[1]})"),
            st.tuples(inner, st.integers(-3, 4)).map(lambda p: f"(2 + sin({p[0]}))^({p[1]})"),
            inner.map(lambda x: f"-({x})^2"),
        )

    return st.recursive(leaves, grow, max_leaves=6)


@settings(max_examples=60, deadline=None)
@given(expressions())
def test_jets_are_sympys_derivatives(text):
    """Random expressions: differences are rounding, amplified by the conditioning of the expression.

    sympy differentiates the text symbolically and evaluates with 30 digits; products of up to six factors
    and two derivatives keep the loss below 1e-9 of the largest of the three numbers.
    """
    t = sympy.Symbol("t", real=True)
    exact = sympy.sympify(text.replace("^", "**"), locals={"t": t})
    derivatives = [exact, sympy.diff(exact, t), sympy.diff(exact, t, 2)]
    places = [-1.3, 0.4, 2.1]
    jet = Formula.parse(text).jet(np.array(places))
    np.testing.assert_array_equal(Formula.parse(text)(np.array(places)), jet[0])
    for i, place in enumerate(places):
        expected = np.array([float(d.evalf(30, subs={t: sympy.Float(place, 30)})) for d in derivatives])
        if not np.abs(expected).max() < 1e8:
            continue
        computed = np.array([part[i] for part in jet])
        assert np.abs(computed - expected).max() < 1e-9 * (1.0 + np.abs(expected).max())


@pytest.mark.parametrize(
    ("text", "place", "expected"),
    [
        ("t^2", 0.0, (0.0, 0.0, 2.0)),
        ("t^1", 0.0, (0.0, 1.0, 0.0)),
        ("t^0", 0.0, (1.0, 0.0, 0.0)),
        ("(-t)^3", 2.0, (-8.0, -12.0, -12.0)),
        ("t^2.5", 4.0, (32.0, 20.0, 7.5)),
        ("abs(t)", -2.0, (2.0, -1.0, 0.0)),
        ("sign(t)*t^2", -2.0, (-4.0, 4.0, -2.0)),
        ("step(t - 1)*(t - 1)^2", 3.0, (4.0, 4.0, 2.0)),
        ("step(t - 1)*(t - 1)^2", 0.0, (0.0, 0.0, 0.0)),
        ("min(t, t^2)", 0.5, (0.25, 1.0, 2.0)),
        ("min(t, t^2)", 2.0, (2.0, 1.0, 0.0)),
        ("max(t, t^2, 5)", 2.0, (5.0, 0.0, 0.0)),
        ("mod(t, 2)^2", 5.5, (2.25, 3.0, 2.0)),
        ("sqrt(0)*t", 3.0, (0.0, 0.0, 0.0)),
        ("2^t", 3.0, (8.0, 8.0 * math.log(2.0), 8.0 * math.log(2.0) ** 2)),
        ("6*(t/15 - sin(2*pi*t/15)/(2*pi))", 7.5, (3.0, 0.8, 0.0)),
    ],
)
def test_jets_at_chosen_places(text, place, expected):
    """Kinks on one side, zero bases, negative bases, a spin-up law: worked out by hand, to rounding."""
    np.testing.assert_allclose([float(part) for part in Formula.parse(text).jet(place)], expected, atol=1e-13)


def test_outside_the_domain_is_nan_or_inf_without_a_warning():
    t = np.array([-1.0, 0.0, 1.0])
    np.testing.assert_array_equal(np.isfinite(Formula.parse("1/t")(t)), [True, False, True])
    np.testing.assert_array_equal(np.isnan(Formula.parse("log(t)")(t)), [True, False, False])
    np.testing.assert_array_equal(np.isfinite(Formula.parse("sqrt(t)").jet(t)[1]), [False, False, True])
    assert np.isinf(Formula.parse("1/0")(0.0))
    assert np.isnan(Formula.parse("asin(2)").jet(0.0)[0])


# --- what is refused -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the formula is empty"),
        ("   ", "the formula is empty"),
        ("2 +", "column 4: the formula ends too early"),
        ("sin(t", "column 6: the parenthesis opened in column 4 is not closed"),
        ("sin t", "column 1: the function sin has no argument"),
        ("t)", "column 2: this closing parenthesis"),
        ("2t", r"column 2: an operator is missing before 't'; write \* t"),
        ("2 (t)", "column 3: an operator is missing"),
        ("(2 t)", "column 4: an operator is missing"),
        ("30 deg", r"column 4: 'deg' cannot follow a value; .* no units, so 30 deg is 30\*pi/180"),
        ("t(3)", r"column 1: t is not a function; write t \*"),
        ("1,5", "column 2: a comma stands outside a function; use a point"),
        ("sine(t)", "column 1: the name 'sine' is not known; did you mean sin"),
        ("2*time", r"column 3: the name 'time' is not known; .*known here: t, pi, e"),
        ("atan2(t)", r"column 1: atan2 has 1 argument\(s\); give it 2"),
        ("sin(t, t)", r"sin has 2 argument\(s\); give it 1"),
        ("min(t)", "give it 2 or more"),
        ("sin()", "column 5"),
        ("* t", r"column 1: '\*' has nothing to work on"),
        ("t < 3", "column 3: the character '<' is not known; write step"),
        ("2 − t", "column 3: the character '−' is not known; write -"),
        ("2·π", "write *"),
        ("t²", r"write \^2"),
        ("１ + t", "column 1: the character"),
        ("t;t", "column 2: the character ';'"),
        ("1e999", "column 1: 1e999 is too large a number"),
        ("t = 3", "column 3"),
        ("\x00", "column 1"),
    ],
)
def test_mistakes_are_told_with_their_column(text, message):
    with pytest.raises(InputError, match=message):
        Formula.parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')",
        "t.__class__",
        "(lambda: t)()",
        "[x for x in (1,)]",
        "exec(t)",
        "eval(t)",
        "t if t else t",
        "f'{t}'",
        "t; import os",
        "os",
        "print(t)",
        "0x10",
        "1_000",
        "t or t",
        "True",
        "nan",
        "inf",
        "1j",
        "t@t",
        "t//t",
        "~t",
    ],
)
def test_python_is_not_spoken(text):
    with pytest.raises(InputError, match="column"):
        Formula.parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "(" * 60 + "t" + ")" * 60,
        "(" * 999,
        "-" * 900 + "t",
        "2^" * 500 + "2",
        "sin(" * 100 + "t" + ")" * 100,
        "min(t," * 100 + "t" + ")" * 100,
    ],
)
def test_deep_nesting_is_refused(text):
    with pytest.raises(InputError, match=f"column \\d+: nesting is deeper than {MAX_DEPTH}"):
        Formula.parse(text)


def test_limits_are_those_stated():
    assert float(Formula.parse("(" * (MAX_DEPTH - 1) + "t" + ")" * (MAX_DEPTH - 1))(2.0)) == 2.0
    longest = "t" + "+t" * ((MAX_LENGTH - 1) // 2)
    assert float(Formula.parse(longest)(1.0)) == (MAX_LENGTH + 1) // 2
    with pytest.raises(InputError, match=f"use at most {MAX_LENGTH}"):
        Formula.parse("t" + "+t" * MAX_LENGTH)
    with pytest.raises(InputError, match="use at most"):
        Formula.parse("9" * 10_000_000)


def test_a_long_name_is_not_echoed_in_full():
    with pytest.raises(InputError) as caught:
        Formula.parse("a" * 1500)
    assert len(str(caught.value)) < 200


@settings(max_examples=400, deadline=None)
@given(st.text(max_size=60))
def test_any_text_is_parsed_or_refused(text):
    """No other exception, whatever is typed."""
    try:
        formula = Formula.parse(text)
    except InputError as error:
        assert str(error)
    else:
        assert formula(0.5).shape == ()


@settings(max_examples=400, deadline=None)
@given(st.text(alphabet="0123456789.+-*/^(), tesincoxpamod", max_size=40))
def test_nearly_right_text_is_parsed_or_refused(text):
    try:
        formula = Formula.parse(text)
    except InputError as error:
        assert "; " in str(error)
    else:
        assert len(formula.jet(0.5)) == 3
