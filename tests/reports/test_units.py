"""Results in the units of a reader: the numbers stay what they are, whatever they are shown in."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from flexframe.cases.case import load_case
from flexframe.entries.problems import CaseError
from flexframe.presentation.blocks import (
    Axis,
    Check,
    Column,
    KeyValue,
    KeyValues,
    Plot,
    Quality,
    ReferenceLine,
    Series,
    Table,
    VerticalLine,
    Words,
)
from flexframe.presentation.scenes import Mode, Modes, Scene
from flexframe.presentation.units import SI, DisplayUnits, Scale, in_units

RPM = DisplayUnits({"rad/s": Scale("rpm", 30 / np.pi), "m": Scale("mm", 1e3)})

CASE = """\
{units}
bodies:
  shaft:
    mesh: {{line: {{length: {length}, divisions: 4}}}}
    space: spatial
    material: steel
    section: {{circle: {{diameter: {radius}}}}}
    supports: [{{clamp: start}}]
    motion: {{spin: {spin}}}
analyses:
  shapes: {{kind: modes, count: 2}}
"""


@pytest.fixture
def units_of(tmp_path: Path) -> Callable[..., DisplayUnits]:
    """The units of a case with one line at its top, a length, a radius and a spin."""

    def found(units: str = "", length: str = "1 m", radius: str = "10 mm", spin: str = "20 rad/s") -> DisplayUnits:
        file = tmp_path / "shaft.yaml"
        file.write_text(CASE.format(units=units, length=length, radius=radius, spin=spin), encoding="utf-8")
        return load_case(file).units

    return found


def test_a_case_in_mm_and_rpm_is_answered_in_them(units_of: Callable[..., DisplayUnits]) -> None:
    """30/π rpm are 1 rad/s; a millimetre is 1e-3 m, both exact to rounding of one product."""
    units = units_of(length="900 mm", spin="1500 rpm")
    assert units.scale("m", 5.0) == Scale("mm", pytest.approx(1e3, rel=1e-15))
    assert units.scale("rad/s", 1.0).unit == "rpm"
    assert 50 * np.pi * units.scale("rad/s", 1.0).factor == pytest.approx(1500, rel=1e-15)
    assert units.scale("turns/s", 1.0).factor == pytest.approx(60, rel=1e-15)
    assert units.words(50 * np.pi, "rad/s") == "1500 rpm (157.08 rad/s)"


def test_turns_a_second_are_answered_in_turns_a_second(units_of: Callable[..., DisplayUnits]) -> None:
    """A spin of 50 Hz is 50 turns/s beside 100π rad/s; frequencies in Hz elsewhere make no speed."""
    units = units_of(spin="50 Hz")
    assert units.words(100 * np.pi, "rad/s") == "50 turns/s (314.159 rad/s)"
    table = Table((Column("speed from", "rad/s"), Column("to", "rad/s")), ((2 * np.pi, 4 * np.pi),))
    shown = in_units(table, units)  # of several speeds each stands once
    assert [column.unit for column in shown.columns] == ["turns/s", "turns/s"]
    assert shown.rows[0] == pytest.approx((1, 2), rel=1e-15)


def test_powers_in_units_are_set_as_such() -> None:
    assert SI.scale("m/s^2", 5.0).unit == "m/s²" and SI.words(3.0, "kg m^2/s") == "3 kg m²/s"


def test_the_units_field_goes_before_how_the_case_is_written(units_of: Callable[..., DisplayUnits]) -> None:
    units = units_of("units: {length: cm, stress: kPa}", length="900 mm")
    assert units.scale("m", 1e-6).unit == "cm"
    assert units.scale("Pa", 1e9) == Scale("kPa", pytest.approx(1e-3, rel=1e-15))


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("units: {length: MPa}", "units.length: 'MPa' is no unit of a length; write one such as mm"),
        ("units: {stress: Mpa}", "units.stress: the unit 'Mpa' is unknown"),
        ("units: {lenght: mm}", "units.lenght: unknown field (did you mean 'length'?)"),
    ],
)
def test_wrong_units_are_refused_at_their_field(
    units_of: Callable[..., DisplayUnits], field: str, message: str
) -> None:
    with pytest.raises(CaseError) as refused:
        units_of(field)
    assert f"shaft.yaml:1: {message}" in str(refused.value)


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [
        (1.6e7, "Pa", "16 MPa"),
        (900.0, "Pa", "900 Pa"),
        (5.3e-3, "m", "5.3 mm"),
        (4.2e-6, "m", "4.2 µm"),
        (0.3, "m", "0.3 m"),
        (2.5e5, "N", "250 kN"),
        (-2.5e5, "N m", "-250 kN m"),
        (0.0, "Pa", "0 Pa"),
    ],
)
def test_without_a_choice_the_multiple_fits_the_number(value: float, unit: str, shown: str) -> None:
    assert SI.words(value, unit) == shown


def test_tables_are_converted_by_column_and_by_row() -> None:
    """Rows that name their unit are scaled each by its own largest number; speeds stand in both units."""
    table = Table(
        (Column("sensor"), Column("unit"), Column("largest", "", 6, of_row=True), Column("at", "rad/s")),
        (("root", "Pa", 2e7, 10.0), ("tip", "m", 0.25, 20.0), ("count", "", 3.0, None)),
    )
    shown = in_units(table, RPM)
    assert [(c.header, c.unit) for c in shown.columns] == [
        ("sensor", ""), ("unit", ""), ("largest", ""), ("at", "rpm"), ("", "rad/s"),
    ]  # fmt: skip
    assert shown.rows[0] == ("root", "MPa", pytest.approx(20.0), pytest.approx(300 / np.pi), 10.0)
    assert shown.rows[1][1:3] == ("mm", 250.0)
    assert shown.rows[2][1:] == (None, 3.0, None, None)


def test_a_value_in_a_header_is_in_the_unit_too() -> None:
    table = Table((Column("at", "Hz", 7, at=(50 * np.pi, "rad/s")),), ((12.5,),))
    assert in_units(table, RPM).columns[0].header == "at 1500 rpm"
    assert in_units(table, SI).columns[0].header == "at 157.08 rad/s"


def test_captions_and_groups_are_in_the_unit_too() -> None:
    """25 turns a second are 1500 rpm."""
    caption = Words("At {}.", (0.0, 25.0), "turns/s")
    x = np.array([0.0, 25.0])
    plot = Plot(Axis("speed", "turns/s"), Axis("frequency", "Hz"), (Series("1", x, x),), caption=caption)
    assert in_units(plot, RPM).caption == "At 0, 1500 rpm."
    assert in_units(plot, SI).caption == "At 0, 25 turns/s."
    scene = Scene("s", (), Modes((Mode("1", (), group=caption),)))
    shown = in_units(scene, RPM).content
    assert isinstance(shown, Modes) and shown.modes[0].group == "At 0, 1500 rpm."


def test_turns_are_left_out_beside_a_chosen_unit_and_so_are_empty_columns() -> None:
    columns = (Column("speed", "rad/s"), Column("turns", "turns/s"), Column("nodal diameters"))
    table = Table(columns, ((2 * np.pi, 1.0, None),))
    assert [column.unit for column in in_units(table, SI).columns] == ["rad/s", "turns/s"]
    assert [column.unit for column in in_units(table, RPM).columns] == ["rpm", "rad/s"]
    assert in_units(table, RPM).rows[0] == (pytest.approx(60.0), 2 * np.pi)


def test_plots_keep_their_lines_and_limits_on_the_curves() -> None:
    """The order line y = x/(2π) passes through the point (100 rad/s, 100/2π Hz) before and after."""
    x = np.array([0.0, 100.0])
    plot = Plot(
        Axis("speed", "rad/s", maximum=100.0),
        Axis("frequency", "Hz"),
        (Series("1", x, x / (2 * np.pi)),),
        reference_lines=(ReferenceLine("1 ×", slope=1 / (2 * np.pi)), VerticalLine("critical", 50.0)),
    )
    shown = in_units(plot, RPM)
    line, critical = shown.reference_lines
    assert shown.x.unit == "rpm" and shown.x.maximum == pytest.approx(3000 / np.pi)
    assert line.slope * shown.series[0].x[1] == pytest.approx(100 / (2 * np.pi))
    assert critical.x == pytest.approx(1500 / np.pi)
    np.testing.assert_array_equal(shown.series[0].y, plot.series[0].y)


def test_figures_and_pairs_of_them() -> None:
    shown = in_units((KeyValues((KeyValue("stress", 2.5e8, "Pa"), KeyValue("name", "x", "Pa"))),), SI)
    assert [(item.value, item.unit) for item in shown[0].items] == [(250.0, "MPa"), ("x", "Pa")]


def test_a_check_is_fine_up_to_its_limit() -> None:
    found = Quality((Check("balance", 2e-4, limit=1e-3), Check("steps", 9), Check("joints", -1.0, limit=0.5)))
    assert [check.label for check in found.doubts] == ["joints"]
    assert not Check("gone", float("nan"), limit=1.0).fine
