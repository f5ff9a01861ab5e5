"""Film bearings in cases: rotors on them, the analysis of a film, and what is refused."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import flexframe as ff
from flexframe.cases.case import load_case, parse_case
from flexframe.commands.tables import record_tables
from flexframe.errors import InputError
from flexframe.reports.build import report_html

EXAMPLE = Path(__file__).parents[2] / "examples" / "film_bearings.yaml"
FILM = (
    "{kind: grooved, diameter: 80 mm, length: 40 mm, clearance: 80 um, viscosity: 20 mPa s, load: [0, -602 N], "
    "speeds: {start: 1000 rpm, end: 9000 rpm}}"
)
CASE = """
materials:
  stiff: {{young: 210 TPa, poisson: 0.3, density: 7850 kg/m^3}}
bodies:
  rotor:
    material: stiff
    shaft: [{{length: 0.5 m, diameter: 80 mm, elements: 4}}]
    discs: {{wheel: {{at: 0.25 m, diameter: 450 mm, thickness: 85 mm, bore: 80 mm}}}}
    bearings:
      left: {{at: 0 m, film: {film}}}
      right: {{at: 0.5 m, film: {film}}}
analyses:
  film: {{kind: journal_film, film: {film}, count: 3}}
  whirl: {{kind: campbell, frame: inertial, speeds: {{start: 1500 rpm, end: 8800 rpm, count: 21}}, modes: 4}}
"""


def computed(folder: Path, analysis: str) -> Any:
    case = parse_case(CASE.format(film=FILM), file="rotor.yaml", folder=folder)
    return case.analyses[analysis].run(case)


def threshold(mass: float) -> float:
    """Speed at which a rigid mass on one film begins to whirl, by Routh's criterion.

    With λ = iν the characteristic polynomial of mλ² + Bλ + K has two equations: mν² = k and
    ν² (det B) = (kxx − k)(kyy − k) − kxy kyx, k = (kxx byy + kyy bxx − kxy byx − kyx bxy)/(bxx + byy).
    """
    bearing = ff.rotors.FilmBearing.grooved(0.04, 0.04, 80e-6, grooves=[0.0, np.pi], groove_width=np.radians(20.0))

    def excess(speed: float) -> float:
        found = ff.rotors.journal_film(bearing, (0.0, -602.0), 0.02, speed)
        K, B = found.stiffness[0], found.damping[0]
        k = (K[0, 0] * B[1, 1] + K[1, 1] * B[0, 0] - K[0, 1] * B[1, 0] - K[1, 0] * B[0, 1]) / np.trace(B)
        squared = ((K[0, 0] - k) * (K[1, 1] - k) - K[0, 1] * K[1, 0]) / np.linalg.det(B)
        return float(k - mass * squared)

    low, high = 300.0, 930.0
    assert excess(low) > 0 > excess(high)
    while high - low > 0.02:
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) > 0 else (low, middle)
    return (low + high) / 2


def test_onset_of_whirl(tmp_path: Path) -> None:
    """A rigid rotor on two equal films; what a table misses (1e-3) and the stiff shaft bends is below 0.5 %."""
    diagram = computed(tmp_path, "whirl")
    volume = np.pi / 4 * (0.08**2 * 0.5 + (0.45**2 - 0.08**2) * 0.085)
    assert diagram.stability_limits[0] == pytest.approx(threshold(7850 * volume / 2), rel=5e-3)


def test_the_film_itself(tmp_path: Path) -> None:
    """The analysis gives the numbers of Python, and shows pressure and coefficients."""
    record = computed(tmp_path, "film")
    bearing = ff.rotors.FilmBearing.grooved(0.04, 0.04, 80e-6, grooves=[0.0, np.pi], groove_width=np.radians(20.0))
    found = ff.rotors.journal_film(bearing, (0.0, -602.0), 0.02, record.speeds)
    summary = record.summary()
    assert summary["stiffness_N_m"] == pytest.approx(found.stiffness, rel=1e-9)
    assert summary["eccentricities"] == pytest.approx(found.eccentricities, rel=1e-9)
    assert record.to_dataframe().shape == (3, 13)
    assert record.to_xarray()["pressure"].shape == found.states.pressures.shape
    place, coefficients = record_tables(record)
    assert place.row_count == coefficients.row_count == 3
    assert len(record.plot().lines) == 3
    page = report_html("film", description="", case_name="film", case_text="", records={"film": record})
    assert "Pressure in the middle of the length" in page
    assert "Stiffness over the speed" in page


@pytest.mark.parametrize(
    ("film", "where", "what"),
    [
        (FILM.replace("grooved", "plain, preload: 0.5"), "film.preload", "leave it out of a plain one"),
        (FILM.replace("grooved", "grooved, pads: 3"), "film.pads", "lobed and tilting_pad"),
        (FILM.replace("grooved", "lobed, preload: 1.5"), "film.preload", "below 1"),
        (FILM.replace("grooved", "lobed, groove_width: 130 deg"), "film.groove_width", "leave nothing of 3 lobes"),
        (FILM.replace("grooved", "tilting_pad, arc: 80 deg"), "film", "lie in one another"),
        (FILM.replace("grooved", "tilting_pad, offset: 1"), "film.offset", "offset inside it"),
        (FILM.replace("80 um", "80 mm"), "film.clearance", "more than a tenth of the radius"),
        (FILM.replace("20 mPa s", "-1 Pa s"), "film.viscosity", "positive"),
        (FILM.replace("20 mPa s", "20 mPa"), "film.viscosity", "Pa s"),
        (FILM.replace("start: 1000 rpm", "start: 0"), "film.speeds.start", "positive"),
        (FILM.replace("-602 N", "0"), "film.load", "give their angles"),
        (FILM.replace("kind: grooved", "kind: grooved, grooves: [0 deg, 10 deg]"), "film", "meet each other"),
        (FILM.replace("-602 N", "-602 GN"), "film.load", "too heavy for a film at 104.7 rad/s"),
    ],
)
def test_impossible_films_are_refused(tmp_path: Path, film: str, where: str, what: str) -> None:
    """In one line, at the field, before anything is computed of the rotor."""
    with pytest.raises(InputError, match=r"rotor\.yaml:\d+: ") as caught:
        parse_case(CASE.format(film=film), file="rotor.yaml", folder=tmp_path)
    (first, *_) = str(caught.value).splitlines()
    assert where in first
    assert what in first


def test_a_film_and_a_table_together_are_refused(tmp_path: Path) -> None:
    text = CASE.format(film=FILM).replace("{at: 0 m,", "{at: 0 m, table: t.csv,")
    with pytest.raises(InputError, match="give either a film or a table"):
        parse_case(text, file="rotor.yaml", folder=tmp_path)


def test_speeds_beyond_the_film_are_refused(tmp_path: Path) -> None:
    """The table ends where the film was computed."""
    case = parse_case(CASE.format(film=FILM).replace("8800 rpm", "9800 rpm"), file="rotor.yaml", folder=tmp_path)
    with pytest.raises(InputError, match="its table ends at 9000 rpm"):
        case.analyses["whirl"].run(case)


def test_example() -> None:
    """Pinned: onset of whirl, and that the elliptical bore moves it up."""
    case = load_case(EXAMPLE)
    found: list[Any] = [case.analyses[name].run(case) for name in ("whirl", "elliptical whirl")]
    limits = [diagram.stability_limits[0] for diagram in found]
    assert limits == pytest.approx([785.2, 884.8], rel=2e-3)  # what a table may miss, twice
