"""Film bearings against published tables and another program."""

import numpy as np
import pytest

import flexframe as ff

DIAMETER, VISCOSITY, TURNS = 0.1, 0.02, 50.0

# Lund and Thomsen 1978, as petrobras/ross quotes them: L/D, S, ε, φ [deg], Kxx Kxy Kyx Kyy, Bxx Bxy Byy; x along
# the load, y in the sense of rotation; K c/W, B c Ω/W with the clearance of the pads
GROOVED = [
    (0.5, 1.656, 0.244, 65.85, 1.69, 5.06, -2.20, 1.95, 9.93, 2.15, 4.80),
    (0.5, 0.917, 0.372, 57.45, 2.12, 4.01, -1.30, 1.85, 7.70, 2.06, 3.23),
    (0.5, 0.580, 0.477, 51.01, 2.67, 3.70, -0.78, 1.75, 6.96, 1.94, 2.40),
    (0.5, 0.379, 0.570, 45.43, 3.33, 3.64, -0.43, 1.68, 6.76, 1.87, 1.89),
    (0.5, 0.244, 0.655, 40.25, 4.21, 3.74, -0.13, 1.64, 6.87, 1.82, 1.54),
    (1.0, 0.991, 0.150, 70.58, 1.56, 7.29, -2.16, 1.52, 14.66, 1.58, 4.49),
    (1.0, 0.635, 0.224, 63.54, 1.62, 5.33, -1.57, 1.56, 10.80, 1.70, 3.41),
    (1.0, 0.235, 0.460, 49.27, 2.19, 3.57, -0.80, 1.55, 7.36, 1.89, 2.19),
    (1.0, 0.159, 0.559, 44.33, 2.73, 3.36, -0.48, 1.48, 6.94, 1.78, 1.74),
    (1.0, 0.108, 0.650, 39.72, 3.45, 3.34, -0.23, 1.44, 6.89, 1.72, 1.43),
]
ELLIPTICAL = [
    (1.0, 0.211, 0.260, 87.79, 6.65, 4.36, -3.21, 0.86, 13.09, -2.23, 3.70),
    (1.0, 0.161, 0.304, 83.29, 5.63, 3.84, -2.32, 1.01, 10.75, -1.02, 3.07),
    (1.0, 0.120, 0.350, 81.80, 4.99, 3.54, -1.52, 1.14, 9.04, -0.01, 2.49),
    (1.0, 0.097, 0.381, 78.65, 4.82, 3.46, -1.01, 1.21, 8.26, 0.56, 2.10),
]


def compared(bearing: ff.rotors.FilmBearing, clearance: float, row: tuple[float, ...]) -> tuple[float, ...]:
    """Errors of ε, of φ [deg], and of K and B as parts of their largest entries."""
    speed = 2 * np.pi * TURNS
    load = VISCOSITY * TURNS * bearing.length * DIAMETER * (DIAMETER / 2 / clearance) ** 2 / row[1]
    found = ff.rotors.journal_film(bearing, (load, 0.0), VISCOSITY, speed)
    K, B = found.stiffness[0] * clearance / load, found.damping[0] * clearance * speed / load
    assert B[0, 1] == pytest.approx(B[1, 0], rel=1e-12)
    return (
        float(found.eccentricities[0]) * bearing.clearance / clearance - row[2],
        float(np.degrees(found.attitudes[0])) - row[3],
        np.abs(K.ravel() - row[4:8]).max() / np.abs(row[4:8]).max(),
        np.abs(B.ravel()[[0, 1, 3]] - row[8:]).max() / np.abs(row[8:]).max(),
    )


@pytest.mark.parametrize("row", GROOVED, ids=lambda row: f"L/D={row[0]}, S={row[1]}")
def test_two_axial_grooves(row: tuple[float, ...]) -> None:
    """Two grooves of 20 deg at right angles to the load; the table is rounded to 1e-3 of ε and 0.3 % of K."""
    bearing = ff.rotors.FilmBearing.grooved(
        DIAMETER / 2, row[0] * DIAMETER, 1e-4, grooves=[np.pi / 2, -np.pi / 2], groove_width=np.radians(20)
    )
    eccentricity, attitude, stiffness, damping = compared(bearing, 1e-4, row)
    assert abs(eccentricity) < 1e-3  # two units of its last digit
    assert abs(attitude) < 0.2
    assert stiffness < 0.01
    assert damping < 0.01


@pytest.mark.parametrize("row", ELLIPTICAL, ids=lambda row: f"S={row[1]}")
def test_elliptical(row: tuple[float, ...]) -> None:
    """Preload 0.5, lobes of 160 deg; the angles of the table scatter by 2 deg about a smooth curve."""
    bearing = ff.rotors.FilmBearing.elliptical(DIAMETER / 2, row[0] * DIAMETER, 1e-4, preload=0.5, first=0.0)
    eccentricity, attitude, stiffness, damping = compared(bearing, 2e-4, row)
    assert abs(eccentricity) < 3e-3
    assert abs(attitude) < 2.5
    assert stiffness < 0.02
    assert damping < 0.02


def test_five_tilting_pads() -> None:
    """petrobras/ross, tests/data/fluid_film/tilt_5pad_isoviscous.json: rigid pads, load on a pad, synchronous.

    Its film has 20 × 10 elements, which leaves some percent in stiffness; what a coarse film has to first order
    only, the place of the journal, damping and smallest film, agrees to half a percent.
    """
    first, second, colder, warmer = (
        0.01901574061455835,
        0.007715233411055399,
        322.98333333333335,
        352.98333333333335,
    )
    viscosity = first * (second / first) ** ((323.0 - colder) / (warmer - colder))
    clearance, load = 0.000194564, 112814.90696191376
    bearing = ff.rotors.FilmBearing.tilting_pad(0.1999996, 0.263144, clearance, preload=0.3)
    found = ff.rotors.journal_film(bearing, (0.0, -load), viscosity, 94.24777960769379)
    states = found.states
    assert found.eccentricities[0] == pytest.approx(0.6180221, rel=1e-3)
    assert states.smallest_films[0] == pytest.approx(6.188546e-05, rel=5e-3)
    assert states.largest_pressures[0] == pytest.approx(4688392.28, rel=0.015)
    assert np.diag(found.damping[0]) == pytest.approx([5415171.47, 19394951.77], rel=5e-3)
    assert np.diag(found.stiffness[0]) == pytest.approx([322066640.7, 2571076993.9], rel=0.035)
    assert states.side_flows[0] == pytest.approx(0.000202633, rel=0.02)
    assert states.power_losses[0] == pytest.approx(12395.59, rel=0.02)
    assert np.abs(found.stiffness[0][[0, 1], [1, 0]]).max() < 1e-9 * found.stiffness[0].max()  # by symmetry
    # pads beside the load carry alike, those above it nothing
    assert states.carrying[0].tolist() == [True, True, False, False, True]
