"""Quantities with units against pint and hand conversion."""

import math
import subprocess
import sys

import pint
import pytest
from tests.rounding import ROUNDING

from flexframe.entries import quantities as q
from flexframe.entries.quantities import Dimension, si_value
from flexframe.errors import InputError

BY_PINT = {"°": "degree", "Nm": "newton meter", "kNm": "kilonewton meter", "%": "percent", "rev": "revolution"}


@pytest.fixture(scope="module")
def registry() -> pint.UnitRegistry:
    return pint.UnitRegistry()


@pytest.mark.parametrize("name", [name for name in q.UNITS if name != "1"])
def test_table_of_units_agrees_with_pint(registry: pint.UnitRegistry, name: str) -> None:
    """Every factor of the fast table is that of pint; both are a few roundings from exact (1e-14)."""
    quantity = registry.Quantity(1.0, BY_PINT.get(name, name)).to_base_units()
    unit = q.UNITS[name]
    powers = tuple(int(quantity.dimensionality.get(base, 0)) for base in ("[length]", "[mass]", "[time]"))
    assert unit.factor == pytest.approx(quantity.magnitude, rel=ROUNDING)
    assert unit.exponents == powers


@pytest.mark.parametrize(
    ("text", "dimension", "expected"),
    [
        ("200 GPa", q.STRESS, 200e9),
        ("7.9 g/cm^3", q.DENSITY, 7900.0),
        ("7900kg/m**3", q.DENSITY, 7900.0),
        ("2 t/m³", q.DENSITY, 2000.0),
        ("-20 mm", q.LENGTH, -0.02),
        ("1e-3 km", q.LENGTH, 1.0),
        (".5 m", q.LENGTH, 0.5),
        ("12 mm²", q.AREA, 12e-6),
        ("30 deg", q.ANGLE, math.pi / 6),
        ("5 N m", q.MOMENT, 5.0),
        ("5 N·mm", q.MOMENT, 5e-3),
        ("5 kN*m", q.MOMENT, 5000.0),
        ("9.81 m / s^2", q.ACCELERATION, 9.81),
        ("0.5 1/s", q.RATE, 0.5),
        ("3 /s", q.RATE, 3.0),
        ("2 bar", q.STRESS, 2e5),
        ("50 N/mm", q.FORCE_PER_LENGTH, 5e4),
        ("3", q.LENGTH, 3.0),
        (3, q.LENGTH, 3.0),
        ("3 inch", q.LENGTH, 0.0762),
        ("10 lbf", q.FORCE, 44.4822161526),
        ("30 ksi", q.STRESS, 206842718.795),
    ],
)
def test_conversion(text: object, dimension: Dimension, expected: float) -> None:
    """Values from the definitions of the units; the pound and inch ones are rounded to 11 digits."""
    assert si_value(text, dimension) == pytest.approx(expected, rel=1e-11)


def test_decimal_factors_leave_no_round_off() -> None:
    """0.01⁻³ in floating point is 999999.9999999999; a density typed in g/cm³ must still be a round number."""
    assert si_value("7.9 g/cm^3", q.DENSITY) == 7900.0


@pytest.mark.parametrize(
    ("text", "rad_s"),
    [
        ("200 Hz", 400 * math.pi),
        ("2 kHz", 4000 * math.pi),
        ("120 rpm", 4 * math.pi),
        ("2 rev/s", 4 * math.pi),
        ("5 rad/s", 5.0),
        ("5 1/s", 5.0),
        ("180 deg/s", math.pi),
        (5, 5.0),
    ],
)
def test_spin_counts_turns(text: object, rad_s: float) -> None:
    """A frequency of a spin is turns per second, a plain number is rad/s."""
    assert si_value(text, q.ANGULAR_VELOCITY) == pytest.approx(rad_s, rel=ROUNDING)


def test_frequency_elsewhere_is_not_multiplied() -> None:
    """Only a spin turns: a rate of 3 Hz is 3/s."""
    assert si_value("3 Hz", q.RATE) == 3.0


@pytest.mark.parametrize(
    ("value", "dimension", "words"),
    [
        ("20 kg", q.LENGTH, ("a mass", "a length is expected", "20 mm")),
        ("200 mm", q.STRESS, ("a length", "a stress is expected")),
        ("3 m^5 s", q.LENGTH, ("m^5 s^1",)),
        ("20 furlongg", q.LENGTH, ("'furlongg' is unknown",)),
        ("20 Mpa", q.STRESS, ("did you mean 'MPa'",)),
        ("20 degC", q.LENGTH, ("zero of its own",)),
        ("3 dB", q.PURE, ("logarithmic",)),
        ("5 A", q.FORCE, ("not a mechanical unit",)),
        ("3 m^9^9^9^9", q.LENGTH, ("cannot be read",)),
        ("3 (m)", q.LENGTH, ("cannot be read",)),
        ("3 m//s", q.VELOCITY, ("cannot be read",)),
        ("mm 3", q.LENGTH, ("not a length",)),
        ("9" * 5000, q.LENGTH, ("not a length",)),
        ("", q.LENGTH, ("not a length",)),
        ("nan", q.LENGTH, ("not a length",)),
        ("1e999 m", q.LENGTH, ("finite",)),
        (float("nan"), q.LENGTH, ("finite",)),
        (float("inf"), q.LENGTH, ("finite",)),
        (10**400, q.LENGTH, ("finite",)),
        (1e61, q.LENGTH, ("too large",)),
        (True, q.LENGTH, ("true is not a length",)),
        (None, q.LENGTH, ("nothing is not a length",)),
        ([1], q.LENGTH, ("not a length",)),
    ],
)
def test_refusals(value: object, dimension: Dimension, words: tuple[str, ...]) -> None:
    """What is no quantity of the dimension is refused, with what was expected."""
    with pytest.raises(InputError) as caught:
        si_value(value, dimension)
    for word in words:
        assert word in str(caught.value)


def test_common_units_do_not_import_pint() -> None:
    """pint takes half a second to import; cases in usual units must not pay for it."""
    code = (
        "import sys; from flexframe.entries.quantities import *;"
        "si_value('7.9 g/cm^3', DENSITY); si_value('200 Hz', ANGULAR_VELOCITY); si_value('5 N m', MOMENT);"
        "assert 'pint' not in sys.modules"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
