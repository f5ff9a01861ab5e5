"""Records draw themselves: tables hold the numbers of the summary, snapshots the numbers of the table."""

from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest

import flexframe as ff
from flexframe.cases.examples import example_paths
from flexframe.results.record import Record

CASES = {  # small examples that between them make every kind of record of one body and of a mechanism
    "rotating_beam": ("rest", "stretched"),
    "rectangle_element": ("start",),
    "formalisms_beam": ("steady", "released"),
    "slider_crank": ("kinematics", "forces", "rod", "spectrum"),
    "rolling_disc": ("circle",),
    "jeffcott": ("campbell", "unbalance"),
    "reduced_beam": ("guyan",),
}
RECORDS = [(case, name) for case, names in CASES.items() for name in names]


@pytest.fixture(autouse=True)
def _no_windows() -> Iterator[None]:
    import matplotlib

    matplotlib.use("Agg")
    yield
    from matplotlib import pyplot

    pyplot.close("all")


@cache
def record(case: str, name: str) -> Record:
    return ff.run_case(ff.load_case(example_paths()[case])).records[name]


@pytest.mark.parametrize(("case", "name"), RECORDS)
def test_a_record_shows_itself(case: str, name: str) -> None:
    html = record(case, name)._repr_html_()
    assert html.count("<table") == 1
    assert "data:image/png;base64," in html
    for notice in record(case, name).notices:
        assert notice.split("<")[0].split("&")[0].split("'")[0].split('"')[0] in html
    assert "http:" not in html and "https:" not in html  # nothing is loaded from elsewhere


@pytest.mark.parametrize(("case", "name"), RECORDS)
def test_showing_leaves_no_open_figure(case: str, name: str) -> None:
    from matplotlib import pyplot

    record(case, name)._repr_html_()
    assert pyplot.get_fignums() == []


def test_modes_table_holds_the_frequencies_of_the_summary() -> None:
    modes = record("rotating_beam", "rest")
    assert modes.to_dataframe()["frequency_hz"].tolist() == modes.summary()["frequencies_hz"]


def test_sensor_curves_are_the_sensor_values() -> None:
    response = record("slider_crank", "rod")
    lines = {line.get_label(): line for axes in response.plot() for line in axes.lines}
    middle = response.sensors["middle"]  # type: ignore[attr-defined]
    assert np.array_equal(lines["middle"].get_ydata(), 1e3 * middle.values)  # drawn in mm, as they are small
    assert np.array_equal(response.to_dataframe()["middle"], middle.values)


def test_kinematics_table_has_the_closed_form_of_the_slider() -> None:
    """x = r cos θ + sqrt(l² − r² sin² θ) at 60°, one of 361 instants; solved to round-off."""
    table = record("slider_crank", "kinematics").to_dataframe()
    at_60 = table.iloc[60]
    assert at_60["slider.x"] == pytest.approx(0.3454163456598, abs=1e-11)
    assert at_60["slider.vx"] == pytest.approx(-24.889896776072, abs=1e-8)


def test_crosscheck_table_names_the_six() -> None:
    table = record("formalisms_beam", "steady").to_dataframe()
    assert list(table.index) == ["Lagrange", "Gibbs–Appell", "Hamilton", "Maggi", "Kane", "Whittaker"]


def test_campbell_axes_label_their_frame() -> None:
    diagram = record("jeffcott", "campbell")
    assert "rotating frame" in diagram.plot().get_ylabel()
    assert "inertial frame" in diagram.plot(frame="inertial").get_ylabel()
