"""Film bearings against closed forms: long and short bearings."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq

import flexframe as ff
from flexframe.films.pad_films import Divisions, PadFilms, pad_films
from flexframe.films.states import film_states

R, C, MU, SPEED = 0.05, 1e-4, 0.02, 100.0


def long_films(ratio: float, cavitation: str, cells: int = 180) -> PadFilms:
    """A sealed bearing of 1 m, the journal at x = ratio · clearance, pressure zero where the film is thickest."""
    bearing = ff.rotors.FilmBearing.plain(R, 1.0, C, feed=np.pi, sealed=True, cavitation=cavitation)
    return pad_films(
        bearing, np.array([[[ratio * C, 0.0]]]), np.array([MU]), np.array([SPEED]), Divisions(cells, 1)
    )


@pytest.mark.parametrize("ratio", [0.05, 0.5, 0.9])
def test_sommerfeld(ratio: float) -> None:
    """f = 12π µΩR(R/c)² ε/((2 + ε²)√(1 − ε²)) across the displacement; Gauss points in cells of 2 deg suffice."""
    unit = MU * SPEED * R * (R / C) ** 2
    across = 12 * np.pi * unit * ratio / ((2 + ratio**2) * np.sqrt(1 - ratio**2))
    force = long_films(ratio, "none").forces[0, 0]
    # the film carries the journal from behind: it pushes against the sense of the shift by rotation
    assert np.abs(force[0]) < 1e-10 * across
    assert force[1] == pytest.approx(across, rel=1e-9)


@pytest.mark.parametrize("ratio", [0.05, 0.5, 0.9])
def test_half_sommerfeld(ratio: float) -> None:
    """Half the force across, and −12 µΩR(R/c)² ε²/((2 + ε²)(1 − ε²)) towards the centre."""
    unit = MU * SPEED * R * (R / C) ** 2
    across = 6 * np.pi * unit * ratio / ((2 + ratio**2) * np.sqrt(1 - ratio**2))
    along = -12 * unit * ratio**2 / ((2 + ratio**2) * (1 - ratio**2))
    assert long_films(ratio, "guembel").forces[0, 0] == pytest.approx([along, across], rel=1e-9)


@pytest.mark.parametrize("ratio", [0.2, 0.8])
def test_long_bearing_with_reynolds_condition(ratio: float) -> None:
    """P' = (H − H₂)/H³ from the thickest film to θ₂, where P = P' = 0, by quadrature."""

    def H(angle: float) -> float:
        return 1.0 - ratio * np.cos(angle)

    def pressure(to: float, end: float) -> float:
        return float(quad(lambda a: (H(a) - H(end)) / H(a) ** 3, -np.pi, to, epsabs=1e-13, epsrel=1e-12)[0])

    end = brentq(lambda angle: pressure(angle, angle), 0.01, 2.0, xtol=1e-13)
    along, across = (
        quad(lambda a, part: pressure(a, end) * part(a), -np.pi, end, args=(part,), epsrel=1e-9)[0]
        for part in (np.cos, np.sin)
    )
    unit = 6 * MU * SPEED * R * (R / C) ** 2
    force = [-unit * along, -unit * across]
    films = long_films(ratio, "reynolds")
    assert films.forces[0, 0] == pytest.approx(force, rel=1e-7)
    # fewer cells change nothing: the end of the film lies within a cell
    assert long_films(ratio, "reynolds", 60).forces[0, 0] == pytest.approx(force, rel=1e-6)


def test_friction_of_a_long_bearing() -> None:
    """T = 4π µΩR³L/c (1 + 2ε²)/((2 + ε²)√(1 − ε²)) on the journal."""
    bearing = ff.rotors.FilmBearing.plain(R, 1.0, C, feed=np.pi / 2, sealed=True, cavitation="none")
    states = film_states(bearing, (0.0, -1e5), MU, SPEED)
    e = states.eccentricities[0]
    assert 0.1 < e < 0.9
    factor = (1 + 2 * e**2) / ((2 + e**2) * np.sqrt(1 - e**2))
    assert states.torques[0] == pytest.approx(4 * np.pi * MU * SPEED * R**3 / C * factor, rel=1e-9)


def ocvirk(e: float) -> tuple[np.ndarray, np.ndarray]:
    """K c/W and B c Ω/W of the short bearing with x along the load, y in the sense of rotation."""
    p, r = np.pi, np.sqrt(1 - e**2)
    h = (p**2 * (1 - e**2) + 16 * e**2) ** -1.5
    q = p**2 * (1 + 2 * e**2)
    kyy = 4 * (p**2 * (2 - e**2) + 16 * e**2)
    kyx = -p * (p**2 * (1 - e**2) ** 2 - 16 * e**4) / (e * r)
    kxy = p * (p**2 * (1 - e**2) * (1 + 2 * e**2) + 32 * e**2 * (1 + e**2)) / (e * r)
    kxx = 4 * (q + 32 * e**2 * (1 + e**2) / (1 - e**2))
    byy = 2 * p * r * (q - 16 * e**2) / e
    bxy = 8 * (q - 16 * e**2)
    bxx = 2 * p * (p**2 * (1 - e**2) ** 2 + 48 * e**2) / (e * r)
    return h * np.array([[kxx, kxy], [kyx, kyy]]), h * np.array([[bxx, bxy], [bxy, byy]])


def test_short_bearing() -> None:
    """As L/D falls, ε, φ, K, B and side flow approach Ocvirk's with its square; 0.25 deg leave less than 1e-4."""
    e, errors = 0.5, []
    K, B = ocvirk(e)
    for ratio in (0.1, 0.05, 0.025):
        L = ratio * 2 * R
        unit = MU * SPEED * R * L**3 / C**2
        load = unit * e * np.sqrt(16 * e**2 + np.pi**2 * (1 - e**2)) / (4 * (1 - e**2) ** 2)
        bearing = ff.rotors.FilmBearing.plain(R, L, C)
        states = film_states(bearing, (load, 0.0), MU, SPEED, divisions=Divisions(1440, 6))
        stiffness, damping = states.coefficients()
        errors.append(
            [
                states.eccentricities[0] / e - 1,
                states.attitudes[0] - np.arctan(np.pi * np.sqrt(1 - e**2) / (4 * e)),
                np.abs(stiffness[0] * C / load - K).max() / np.abs(K).max(),
                np.abs(damping[0] * C * SPEED / load - B).max() / np.abs(B).max(),
                states.side_flows[0] / (SPEED * R * L * C * e) - 1,
            ]
        )
    size = np.abs(errors)
    assert (size[-1] < 5e-4).all(), size
    # of second order, less what the cells leave
    assert (size[1:] < 0.3 * size[:-1] + 1e-4).all(), size
