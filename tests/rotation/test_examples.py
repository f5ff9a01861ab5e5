"""The examples of this subject run and give their pinned numbers, in records, summaries and reports."""

import json
from dataclasses import replace

import numpy as np
import pytest

from flexframe.analyses.campbell.entry import CampbellEntry
from flexframe.analyses.frequency_response.entry import FrequencyResponseEntry
from flexframe.presentation.blocks import Plot, VerticalLine
from flexframe.presentation.scenes import Modes, Scene
from flexframe.reports.document import Document, Section, render_html

from .example_cases import record

TURN = 2 * np.pi
ANALYSES = [
    ("jeffcott", "campbell"),
    ("jeffcott", "unbalance"),
    ("jeffcott", "instability"),
    ("jeffcott", "unequal"),
    ("three_disc_rotor", "campbell"),
    ("three_disc_rotor", "unbalance"),
    ("campbell_disc", "campbell"),
    ("campbell_disc", "campbell of the shell"),
    ("campbell_disc", "response"),
]
# The mass of the shaft, 5e-11 kg, is 2e-11 of that of the disc.
LIGHT = 1e-10


def test_jeffcott_frequencies() -> None:
    """10 Hz ∓ Ω on the rotor, 10 Hz in space, critical at 10 turns per second."""
    summary = record("jeffcott", "campbell").summary()
    turns = np.array(summary["speeds_rad_s"]) / TURN
    found = np.array(summary["frequencies_hz"])
    assert found[:, 0] == pytest.approx(
        np.abs(10 - turns), rel=LIGHT, abs=1e-5
    )  # at 10 a zero, to the root of eps
    assert found[:, 1] == pytest.approx(10 + turns, rel=LIGHT)
    away = np.abs(turns - 10) > 1e-6
    assert np.array(summary["inertial_frequencies_hz"])[away] == pytest.approx(10.0, rel=LIGHT)
    assert summary["whirl"] == ["forward", "backward"]
    assert summary["critical_speeds_rad_s"] == pytest.approx([TURN * 10], rel=LIGHT)
    assert summary["frame"] == "rotating" and summary["confirmed"] is True


def test_jeffcott_in_unequal_bearings() -> None:
    """√(ω₀² + k/m) in space at every speed, k = 1500 and 4500 N/m, m = 2 kg; the same are the critical speeds."""
    summary = record("jeffcott", "unequal").summary()
    exact = np.sqrt((TURN * 10) ** 2 + np.array([1500.0, 4500.0]) / 2.0)
    assert TURN * np.array(summary["frequencies_hz"]) == pytest.approx(np.tile(exact, (21, 1)), rel=1e-8)
    assert summary["critical_speeds_rad_s"] == pytest.approx(exact, rel=1e-8)
    assert summary["frame"] == "inertial"


def test_disc_of_shells() -> None:
    """Shells and solids of the same disc: the coarse solid mesh is 1 to 2 % stiff, shells about 1 %."""
    solid, shell = (record("campbell_disc", name) for name in ("campbell", "campbell of the shell"))
    for k in (0, -1):
        lowest = [np.sort(each.frequencies_hz[k])[:9] for each in (solid, shell)]
        assert lowest[1] == pytest.approx(lowest[0], rel=0.02)
    assert shell.confirmed and shell.guaranteed


def test_jeffcott_unbalance() -> None:
    """e r²/√((1 − r²)² + (2ζr)²) with e = 1 mm, ζ = 0.05, and the angle behind the unbalance."""
    summary = record("jeffcott", "unbalance").summary()
    r = np.array(summary["speeds_rad_s"]) / (TURN * 10)
    expected = 1e-3 * r**2 / (1 - r**2 + 0.1j * r)
    sensor = summary["sensors"]["disc"]
    assert sensor["amplitude"] == pytest.approx(np.abs(expected), rel=1e-9)
    assert sensor["phase_deg"] == pytest.approx(np.degrees(np.angle(expected)), rel=1e-9)
    assert summary["peaks"]["disc"]["amplitude"] == pytest.approx(0.01, rel=1e-2)


def test_jeffcott_instability() -> None:
    """Ω/ω₀ = 1 + c_ext/c_int = 2.5."""
    summary = record("jeffcott", "instability").summary()
    assert summary["stability_limits_rad_s"] == pytest.approx([TURN * 25], rel=1e-9)
    assert any("unstable" in notice for notice in summary["notices"])
    # at rest both dampings act alike: (c_ext + c_int)/2m
    assert summary["stability_margins"][0] == pytest.approx(10 / 4, rel=1e-9)


def test_disc() -> None:
    """Pinned frequencies; in space f ± nΩ; critical speeds where the backward wave of n diameters stands still."""
    summary = record("campbell_disc", "campbell").summary()
    first, last = np.array(summary["frequencies_hz"])[[0, -1]]
    assert first[:9] == pytest.approx(
        [135.37274, 135.37274, 145.42466, 179.54220, 179.54220, 350.04569, 350.04569, 608.45064, 608.45064],
        rel=1e-7,
    )
    assert summary["nodal_diameters"][:9] == [1, 1, 0, 2, 2, 3, 3, 4, 4]
    assert summary["critical_speeds_rad_s"] == pytest.approx([866.43479, 972.04203, 1200.71399], rel=1e-7)
    for critical in summary["critical_speeds"]:
        if critical["excited_by"]:
            assert critical["nodal_diameter"] == critical["engine_order"]
            assert critical["inertial_frequency_hz"] == 0
    sign = np.array([{"forward": 1, "backward": -1, "": 0}[word] for word in summary["whirl"]])
    expected = np.abs(last + sign * np.array(summary["nodal_diameters"]) * 200)
    assert summary["inertial_frequencies_hz"][-1] == pytest.approx(expected, rel=1e-12)
    assert summary["errors"]["kind"] == "guaranteed bound" and summary["errors"]["largest"] <= 1e-6


def test_mesh_error_of_the_disc() -> None:
    """What the example says of its mesh: 2 % with one nodal diameter, about 1 % and less with two and four.

    The finer one is 20 × 64 elements: 133.52, 177.93 and 601.63 Hz.
    """
    first = record("campbell_disc", "campbell").frequencies_hz[0]
    for branch, finer, error in ((0, 133.52, 0.02), (3, 177.928, 0.012), (7, 601.63, 0.012)):
        assert 0 < first[branch] / finer - 1 < error


def test_disc_response() -> None:
    """Undamped resonances between 100 and 700 Hz at 50 turns per second are those of the diagram."""
    response = record("campbell_disc", "response")
    diagram = record("campbell_disc", "campbell")
    row = diagram.frequencies_hz[np.argmin(np.abs(diagram.speeds - TURN * 50))]
    for k in response.snapshots:
        assert np.abs(row - response.abscissa[k]).min() <= 1.0  # samples are 1 Hz apart
    assert response.error <= 1e-6


@pytest.mark.parametrize(("name", "analysis"), ANALYSES)
def test_records_can_be_kept(name: str, analysis: str) -> None:
    made = record(name, analysis)
    json.dumps(made.summary(), allow_nan=False)
    dataset = made.to_xarray()
    assert dataset.attrs["kind"] == made.kind
    assert "shape" in dataset


def _blocks(section, kind):
    return [block for block in section.blocks if isinstance(block, kind)]


def test_report_of_a_diagram() -> None:
    """Every point plays the mode of its own branch at the nearest speed with a picture; critical speeds show."""
    made = record("campbell_disc", "campbell")
    section = Section("campbell", made.presentation().blocks("campbell"))
    plots, (scene,) = _blocks(section, Plot), _blocks(section, Scene)
    assert isinstance(scene.content, Modes)
    assert [plot.y.label for plot in plots] == ["frequency, rotating frame", "frequency, inertial frame"]
    branches = len(made.labels)
    for plot in plots:
        assert [line.x * TURN for line in plot.reference_lines if isinstance(line, VerticalLine)] == pytest.approx(
            made.critical_speeds_rad_s
        )
        for b, series in enumerate(plot.series):
            assert (series.links.modes % branches == b).all()
            shown = [scene.content.modes[k].frequency for k in series.links.modes]
            speeds = made.speeds[made.snapshots]
            for k, text in enumerate(shown):
                nearest = made.snapshots[np.argmin(np.abs(speeds - made.speeds[k]))]
                assert text == f"{made.frequencies_hz[nearest, b]:.6g} Hz"
    page = render_html(Document("diagram", (section,)))
    assert len(page) < 8e6


def test_reports_of_responses_and_growth() -> None:
    pages = [
        Section(name, record(case, name).presentation().blocks(name))
        for case, name in (("jeffcott", "unbalance"), ("campbell_disc", "response"), ("jeffcott", "instability"))
    ]
    assert [plot.title for plot in _blocks(pages[0], Plot)] == ["Amplitude", "Phase", "Forces of bearings"]
    assert "Growth rates" in [plot.title for plot in _blocks(pages[2], Plot)]
    assert "<html" in render_html(Document("responses", tuple(pages)))


def test_diagram_can_be_plotted(monkeypatch: pytest.MonkeyPatch) -> None:
    import matplotlib

    monkeypatch.setattr(matplotlib, "use", matplotlib.use)
    matplotlib.use("agg")
    axes = record("jeffcott", "campbell").plot(frame="inertial")
    assert axes.get_ylabel() == "frequency, inertial frame [Hz]"
    bare = replace(record("jeffcott", "campbell"), inertial_frequencies_hz=None)
    assert bare.plot().get_xlabel() == "speed [turns/s]"
    matplotlib.pyplot.close("all")


@pytest.mark.parametrize(
    ("entry", "data", "message"),
    [
        (CampbellEntry, {"kind": "campbell", "speeds": {"start": 2, "end": 1}}, "end is not above start"),
        (
            FrequencyResponseEntry,
            {
                "kind": "frequency_response",
                "loads": [{"unbalance": 0.1, "on": "end"}],
                "sensors": {"a": {"on": "end"}},
                "frequencies": {"end": 5},
            },
            "give speeds",
        ),
        (
            FrequencyResponseEntry,
            {
                "kind": "frequency_response",
                "loads": [{"force": [1, 0], "on": "end"}],
                "sensors": {"a": {"on": "end"}},
                "speeds": {"end": 5},
            },
            "give frequencies",
        ),
        (
            FrequencyResponseEntry,
            {
                "kind": "frequency_response",
                "loads": [{"force": [1, 0], "on": "end"}, {"unbalance": 0.1, "on": "end"}],
                "sensors": {"a": {"on": "end"}},
                "speeds": {"end": 5},
            },
            "two analyses",
        ),
    ],
)
def test_entries_are_checked(entry, data: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        entry.model_validate(data)


def test_three_disc_rotor_of_the_literature() -> None:
    """Lalanne and Ferraris print five digits, found with other beam elements and shear factor: within 0.1 %."""
    summary = record("three_disc_rotor", "campbell").summary()
    labels = np.array(summary["labels"])
    bending = np.flatnonzero(labels == "")
    fastest = np.array(summary["frequencies_hz"])[-1]
    printed = [55.408, 67.209, 157.90, 193.71, 249.90, 407.62, 446.62, 715.03]
    assert np.sort(fastest[bending]) == pytest.approx(printed, rel=1e-3)
    assert [summary["whirl"][k] for k in bending] == ["backward", "forward"] * 4
    assert 60 / TURN * np.array(summary["critical_speeds_rad_s"]) == pytest.approx(
        [3620.4, 3798.1, 10018.0, 11279.0, 16785.0, 24406.0], rel=1e-3
    )


def test_torsion_and_stretch_do_not_whirl() -> None:
    """They are not excited by an unbalance and do not depend on the speed."""
    diagram = record("three_disc_rotor", "campbell")
    straight = [k for k, label in enumerate(diagram.labels) if label in ("torsion", "axial")]
    assert [diagram.labels[k] for k in straight] == ["torsion", "torsion", "axial"]
    assert all(diagram.inertial_whirl[-1][k] == "" for k in straight)
    found = diagram.frequencies_hz[:, straight]
    assert found == pytest.approx(np.tile(found[0], (len(found), 1)), rel=1e-9)  # solver tolerance
    torsional = TURN * found[0]
    excited = {c.speed_rad_s: c.excited_by for c in diagram.critical_speeds}
    assert [excited[min(excited, key=lambda speed: abs(speed - w))] for w in torsional[:2]] == ["", ""]
