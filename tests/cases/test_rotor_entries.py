"""Rotors, bearings with tables, trains and unbalances of a case: what they become, and what is refused."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tests.rotors.ross_references import content

import flexframe as ff
from flexframe.cases.case import Case
from flexframe.cases.checking import check_case
from flexframe.cases.run import run_case
from flexframe.entries.problems import CaseError

ROTOR = """
bodies:
  rotor:
    material: steel
    shaft:
      - {length: 200 mm, diameter: 80 mm}
      - {length: 100 mm, diameter: [80 mm, 120 mm], bore: 20 mm}
      - {length: 600 mm, diameter: 120 mm, elements: 4}
    discs:
      wheel: {at: 500 mm, diameter: 300 mm, bore: 120 mm, thickness: 50 mm}
      coupling: {at: 0, mass: 4 kg, polar_inertia: 0.02 kg m^2, diametral_inertia: 0.01 kg m^2}
    bearings:
      left: {at: 100 mm, table: film.csv}
      right:
        at: 900 mm
        stiffness: [[40 MN/m, 5 MN/m], [-8 MN/m, 60 MN/m]]
        damping: 20 kN s/m
        pedestal: {mass: 80 kg, stiffness: 300 MN/m}
    damping: {fixed_stiffness: 1e-5 s}
analyses:
  modes:
    kind: campbell
    speeds: {start: 3000 rpm, end: 9000 rpm, count: 4}
    modes: 4
    engine_orders: [1]
  unbalance:
    kind: frequency_response
    speeds: {start: 3000 rpm, end: 9000 rpm, count: 13}
    operating_speeds: [7000 rpm, 8000 rpm]
    loads:
      - {grade: 2.5, mass: 100 kg, speed: 8000 rpm, on: wheel}
    sensors: {probe: {on: left}}
"""
FILM = """# measured
Speed [rpm]; Kxx [MN/m]; kyy [MN/m]; kxy [MN/m]; cxx [kN s/m]; cyy [kN s/m]
2000; 66; 120; 8; 240; 360
5000; 52; 85; 8.8; 100; 150
10000; 47; 70; 9.6; 54; 76
"""


@pytest.fixture
def film(tmp_path: Path) -> None:
    (tmp_path / "film.csv").write_text(FILM, encoding="utf-8")


def by_hand() -> ff.Body:
    """The same rotor in Python, in SI units."""
    rpm = np.pi / 30
    table = ff.rotors.BearingTable.from_columns(
        {
            "speed": rpm * np.array([2000.0, 5000.0, 10000.0]),
            "kxx": [66e6, 52e6, 47e6],
            "kyy": [120e6, 85e6, 70e6],
            "kxy": [8e6, 8.8e6, 9.6e6],
            "cxx": [240e3, 100e3, 54e3],
            "cyy": [360e3, 150e3, 76e3],
        }
    )
    steel = ff.STEEL
    return ff.rotors.rotor_body(
        "rotor",
        [
            ff.rotors.ShaftPiece(0.2, (ff.rotors.ShaftLayer(0.08),)),
            ff.rotors.ShaftPiece(0.1, (ff.rotors.ShaftLayer((0.08, 0.12), 0.02),)),
            ff.rotors.ShaftPiece(0.6, (ff.rotors.ShaftLayer(0.12),), 4),
        ],
        material=steel,
        discs=[
            ff.rotors.Disc.of_size(0.5, diameter=0.3, bore=0.12, thickness=0.05, material=steel, name="wheel"),
            ff.rotors.Disc(0.0, 4.0, 0.02, 0.01, "coupling"),
        ],
        bearings=[
            ff.rotors.Bearing((0.1, 0, 0), table=table, name="left"),
            ff.rotors.Bearing(
                (0.9, 0, 0),
                ((40e6, 5e6), (-8e6, 60e6)),
                20e3,
                name="right",
                pedestal=ff.rotors.Pedestal(80.0, 300e6),
            ),
        ],
        damping=ff.Damping(fixed_stiffness=1e-5),
    )


@pytest.mark.usefixtures("film")
def test_a_rotor_by_stations_is_the_rotor_of_python(parse: Callable[..., Case]) -> None:
    """Eigenvalues and orbits of both agree to rounding: the same numbers enter the same functions."""
    records = run_case(parse(ROTOR)).records
    speeds = np.linspace(3000, 9000, 4) * np.pi / 30
    diagram = ff.campbell_diagram(by_hand(), speeds, modes=4, engine_orders=[1])
    found = records["modes"].eigenvalues
    known = np.isfinite(diagram.eigenvalues)
    assert found[known] == pytest.approx(diagram.eigenvalues[known], rel=1e-9)
    load = ff.rotors.Unbalance.of_grade("wheel", 2.5, mass=100.0, speed=8000 * np.pi / 30)
    many = np.linspace(3000, 9000, 13) * np.pi / 30
    response = ff.unbalance_response(by_hand(), many, [load], {"probe": ff.sensors.DofSensor("left")})
    orbit, there = records["unbalance"].orbits["probe"], response.orbits["probe"]
    assert orbit.forward == pytest.approx(there.forward, rel=1e-9)
    summary = records["unbalance"].summary()
    assert set(summary["bearing_forces_N"]) == {"left", "right", "pedestal of right"}
    assert summary["operating_speeds_rad_s"] == pytest.approx([7000 * np.pi / 30, 8000 * np.pi / 30])
    assert all(passage["sensor"].startswith("probe along e") for passage in summary["critical_speeds"])


@pytest.mark.usefixtures("film")
@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("grade: 2.5, mass: 100 kg,", "grade: 2.5,", "mass: is missing; a grade holds for a mass and a speed"),
        ("grade: 2.5, mass", "unbalance: 1 g m, mass", "mass: belongs to a grade; leave it out"),
        ("[7000 rpm, 8000 rpm]", "[9000 rpm, 8000 rpm]", "operating_speeds: the lowest one is above the highest"),
        ("thickness: 50 mm", "mass: 3 kg", "give either the mass of a disc, or its diameter and thickness"),
        ("at: 500 mm", "at: 5 m", "x = 5 m is beside the shaft, which goes from 0 to 0.9 m"),
        ("table: film.csv", "table: none.csv", "none.csv: there is no such file"),
        ("[[40 MN/m, 5 MN/m], [-8 MN/m, 60 MN/m]]", "[1, 2, 3]", "has 3 values; give one, two across the axis"),
        (
            "start: 3000 rpm, end: 9000 rpm, count: 4",
            "start: 1000 rpm, end: 9000 rpm, count: 4",
            "ends at 2000 rpm",
        ),
    ],
)
def test_what_is_refused_at_check(parse: Callable[..., Case], old: str, new: str, message: str) -> None:
    """One line with file, line and field, before anything runs."""
    assert ROTOR.count(old) == 1
    with pytest.raises(CaseError) as caught:
        check_case(parse(ROTOR.replace(old, new)))
    first = str(caught.value).splitlines()[0]
    assert first.startswith("case.yaml:") and message in first


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("Speed [rpm]; Kxz [MN/m]; kyy; kxy; cxx; cyy", "'Kxz [MN/m]' is no column of a bearing"),
        ("Speed [rpm]; Kxx [kg]; kyy; kxy; cxx; cyy", "column kxx"),
    ],
)
def test_headers_of_tables(parse: Callable[..., Case], tmp_path: Path, header: str, message: str) -> None:
    """The file and its line stand in the message."""
    lines = FILM.splitlines()
    (tmp_path / "film.csv").write_text("\n".join([lines[0], header, *lines[2:]]), encoding="utf-8")
    with pytest.raises(CaseError) as caught:
        check_case(parse(ROTOR))
    assert "film.csv:2" in str(caught.value) and message in str(caught.value)


def as_toml(tables: dict) -> str:
    """Tables as ROSS writes them."""
    words = {True: "true", False: "false"}

    def value(each: object) -> str:
        if isinstance(each, bool):
            return words[each]
        return repr(each).replace("'", '"')

    out = []
    for key, table in tables.items():
        out.append(f'["{key}"]')
        out += [f"{name} = {value(each)}" for name, each in table.items() if not isinstance(each, dict)]
        for name, inner in table.items():
            if isinstance(inner, dict):
                out.append(f'["{key}".{name}]')
                out += [f"{word} = {value(each)}" for word, each in inner.items()]
    return "\n".join(out)


ROSS = """
bodies:
  rotor: {ross: rotor.toml}
analyses:
  modes: {kind: campbell, speeds: {start: 100 rad/s, end: 800 rad/s, count: 3}, modes: 4, engine_orders: [1]}
  unbalance:
    kind: frequency_response
    speeds: {start: 100 rad/s, end: 800 rad/s, count: 3}
    loads: [{unbalance: 1 g m, on: node 2}]
    sensors: {disc: {on: node 2}}
"""


def test_a_file_of_ross_is_a_body(parse: Callable[..., Case], tmp_path: Path) -> None:
    """The same as its content in Python."""
    (tmp_path / "rotor.toml").write_text(as_toml(content("rotor4")), encoding="utf-8")
    records = run_case(parse(ROSS)).records
    rotor = ff.rotors.ross_rotor(content("rotor4")).rotor
    diagram = ff.campbell_diagram(rotor, [100.0, 450.0, 800.0], modes=4, engine_orders=[1])
    assert records["modes"].frequencies_hz == pytest.approx(diagram.frequencies_hz, rel=1e-9)


def test_files_of_ross_that_are_refused(parse: Callable[..., Case], tmp_path: Path) -> None:
    """Several shafts, and what is no TOML."""
    for text, message in ((as_toml(content("coaxial")), "several shafts"), ("{", "is no TOML file")):
        (tmp_path / "rotor.toml").write_text(text, encoding="utf-8")
        with pytest.raises(CaseError, match=message) as caught:
            check_case(parse(ROSS))
        assert "bodies.rotor.ross" in str(caught.value)


TRAIN = """
bodies:
  wheel:
    material: steel
    shaft: [{length: 400 mm, diameter: 60 mm}]
    discs: {gear: {at: 200 mm, diameter: 400 mm, thickness: 40 mm}}
    bearings: &held
      left: {at: 0, stiffness: 100 MN/m, damping: 5 kN s/m}
      right: {at: 400 mm, stiffness: 100 MN/m, damping: 5 kN s/m}
    motions: all
    supports: [{fix: start, dofs: [ux]}]
  pinion:
    material: steel
    shaft: [{length: 400 mm, diameter: 50 mm}]
    discs: {gear: {at: 200 mm, diameter: 200 mm, thickness: 40 mm}}
    bearings: *held
    motions: all
    supports: [{fix: start, dofs: [ux, rx]}]
trains:
  gearbox:
    members: {wheel: {ratio: 1}, pinion: {at: [0, 300 mm, 0]}}
    gears:
      mesh: {first: wheel.gear, second: pinion.gear, radii: [200 mm, 100 mm], stiffness: 400 MN/m}
analyses:
  modes: {kind: campbell, speeds: {start: 50 rad/s, end: 100 rad/s, count: 2}, modes: 6, engine_orders: [1]}
"""


def test_trains(parse: Callable[..., Case]) -> None:
    """The pinion turns twice as fast the other way; a wrong ratio is refused at its field."""
    case = parse(TRAIN)
    assert run_case(case).records["modes"].eigenvalues.shape[0] == 2
    with pytest.raises(CaseError, match="pinion turns at -3 times the speed"):
        check_case(parse(TRAIN.replace("pinion: {at:", "pinion: {ratio: -3, at:")))
