"""Stiffness and damping of films against finite differences, identities and loads that change a little."""

import numpy as np
import pytest

import flexframe as ff
from flexframe.films.pad_films import Divisions, pad_films
from flexframe.films.states import film_states

R, L, C, MU, SPEED = 0.05, 0.05, 1e-4, 0.02, 300.0
DEGREES = np.pi / 180


def bearings() -> dict[str, ff.rotors.FilmBearing]:
    make = ff.rotors.FilmBearing
    return {
        "plain": make.plain(R, L, C),
        "grooved": make.grooved(R, L, C, grooves=[0.0, np.pi], groove_width=20 * DEGREES),
        "fed": make.grooved(R, L, C, grooves=[0.0, np.pi], groove_width=20 * DEGREES, groove_pressure=2e5),
        "elliptical": make.elliptical(R, L, C),
        "lobed": make.lobed(R, L, C, pads=3, preload=0.4, offset=0.6, groove_width=10 * DEGREES),
        "tilting": make.tilting_pad(R, L, C, preload=0.4),
        "between pads": make.tilting_pad(
            R, L, C, pads=4, arc=70 * DEGREES, preload=0.5, offset=0.55, first=-45 * DEGREES
        ),
    }


FIXED = [name for name, bearing in bearings().items() if not bearing.tilting]


@pytest.mark.parametrize("cavitation", ["reynolds", "guembel", "none"])
@pytest.mark.parametrize("name", FIXED)
def test_stiffness_by_differences(name: str, cavitation: str) -> None:
    """−∂f/∂x of the discrete film: differences of 1e-4 of the clearance leave about 1e-7.

    With the condition of Reynolds the ends of films move; forces depend on them in second order, and where
    an end passes from cell to cell by what the cells leave.
    """
    given = bearings()[name]
    bearing = ff.rotors.FilmBearing(
        R, L, C, given.pads, cavitation=cavitation, groove_pressure=given.groove_pressure
    )
    step, places = 1e-4 * C, np.array([0.31, -0.37]) * C
    moved = places + step * np.array([[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]])
    films = pad_films(
        bearing, moved[:, None] - bearing.pad_centres, np.full(5, MU), np.full(5, SPEED), Divisions.of(bearing)
    )
    f = films.forces.sum(axis=1)
    differences = -np.column_stack([f[1] - f[2], f[3] - f[4]]) / (2 * step)
    K = films.stiffness[0].sum(axis=0)
    assert np.abs(K - differences).max() < (5e-3 if cavitation == "reynolds" else 1e-5) * np.abs(K).max()


def test_whirl_at_half_the_speed() -> None:
    """A journal that circles at ω sees (1 − 2ω/Ω) of its film: B J x = (2/Ω) f for a circle."""
    bearing = ff.rotors.FilmBearing.plain(R, L, C)
    place = np.array([0.31, -0.37]) * C
    films = pad_films(bearing, place[None, None], np.array([MU]), np.array([SPEED]), Divisions.of(bearing))
    circling = films.damping[0, 0] @ np.array([-place[1], place[0]])
    assert circling == pytest.approx(2 / SPEED * films.forces[0, 0], rel=1e-3)  # of second order in the cells


@pytest.mark.parametrize("name", list(bearings()))
def test_a_little_more_load(name: str) -> None:
    """K at rest times the step of the journal is the step of the load, with pads that follow."""
    bearing, load, step = bearings()[name], np.array([300.0, -2000.0]), 0.5
    states = [
        film_states(bearing, load + change, MU, SPEED)
        for change in ([0, 0], [step, 0], [-step, 0], [0, step], [0, -step])
    ]
    K, _ = states[0].coefficients(0.0)
    x = [found.positions[0] for found in states]
    moves = np.column_stack([x[1] - x[2], x[3] - x[4]]) / (2 * step)
    assert K[0] @ moves == pytest.approx(np.eye(2), abs=5e-3)
    assert states[0].pad_forces[0].sum(axis=0) == pytest.approx(-load, rel=1e-8)


def test_pads_follow_less_at_high_frequencies() -> None:
    """Z of pads that follow, in the limits: without inertia K at rest; heavy pads stand still."""
    bearing = ff.rotors.FilmBearing.tilting_pad(R, L, C, preload=0.4, inertia=1e6)
    states = film_states(bearing, (300.0, -2000.0), MU, SPEED)
    K, B = states.coefficients(SPEED)
    # ω²J/a² is 1e7 times the stiffness of a pad
    assert K[0] == pytest.approx(states.pad_stiffness[0].sum(axis=0), rel=1e-5, abs=1e-5 * np.abs(K).max())
    assert B[0] == pytest.approx(states.pad_damping[0].sum(axis=0), rel=1e-5, abs=1e-5 * np.abs(B).max())


def test_order_of_the_cells() -> None:
    """Forces with cells of 4, 2 and 1 deg: of second order, and the estimate of the record is of their size."""
    bearing = bearings()["grooved"]
    fine = film_states(bearing, (0.0, -2000.0), MU, SPEED, divisions=Divisions(640, 8))
    K0, B0 = (matrix[0] for matrix in fine.coefficients())
    errors = []
    for cells in (40, 80, 160):
        states = film_states(bearing, (0.0, -2000.0), MU, SPEED, divisions=Divisions(cells, 8))
        errors.append(np.hypot(*(states.positions[0] - fine.positions[0])) / C)
    assert errors[1] < 0.4 * errors[0]
    assert errors[2] < 0.4 * errors[1]
    usual = film_states(bearing, (0.0, -2000.0), MU, SPEED)
    K, B = (matrix[0] for matrix in usual.coefficients())
    assert np.abs(K - K0).max() < 2e-3 * np.abs(K0).max()
    assert np.abs(B - B0).max() < 2e-3 * np.abs(B0).max()
    assert 1e-5 < usual.error < 1e-3


@pytest.mark.parametrize("name", ["elliptical", "tilting"])
def test_table_between_its_points(name: str) -> None:
    """A table is as near to what is computed between its points as it was asked to be."""
    bearing = bearings()[name]
    table = ff.rotors.film_table(bearing, (0.0, -1000.0), MU, (300.0, 600.0), tolerance=1e-3)
    for speed in (317.0, 401.0, 555.0):
        K, B = film_states(bearing, (0.0, -1000.0), MU, speed).coefficients()
        at = table.at(speed)
        assert np.abs(at.stiffness[:2, :2] - K[0]).max() < 1e-3 * np.abs(K).max()
        assert np.abs(at.damping[:2, :2] - B[0]).max() < 1e-3 * np.abs(B).max()


def test_table_over_frequency() -> None:
    """Pads that tilt at the frequencies of a table are those of the states; fixed pads do not depend on it."""
    bearing = bearings()["tilting"]
    table = ff.rotors.film_table(
        bearing, (0.0, -1000.0), MU, (300.0, 600.0), frequencies=[100.0, 300.0, 900.0], tolerance=0.01
    )
    states = film_states(bearing, (0.0, -1000.0), MU, 300.0)
    for frequency in (100.0, 900.0):
        K, B = states.coefficients(frequency)
        assert table.at(300.0, frequency).stiffness[:2, :2] == pytest.approx(
            K[0], rel=1e-9, abs=1e-9 * np.abs(K).max()
        )
        assert table.at(300.0, frequency).damping[:2, :2] == pytest.approx(
            B[0], rel=1e-9, abs=1e-9 * np.abs(B).max()
        )
