"""Oil films of journal bearings."""

import numpy as np

from flexframe.films.bearings import FilmBearing
from flexframe.films.pad_films import Divisions
from flexframe.films.states import film_states
from flexframe.verification.contract import Check, Reference

_CLEARANCE, _VISCOSITY, _TURNS = 1e-4, 0.02, 50.0
_ROW = (2.67, 3.70, -0.78, 1.75, 6.96, 1.94, 2.40)
_NAMES = ("Kxx", "Kxy", "Kyx", "Kyy", "Bxx", "Bxy", "Byy")


def _two_grooves(refinement: int) -> list[float]:
    """ε, φ [deg], K c/W and B c Ω/W with x along the load and y in the sense of rotation."""
    radius, length, speed = 0.05, 0.05, 2 * np.pi * _TURNS
    load = _VISCOSITY * _TURNS * length * 2 * radius * (radius / _CLEARANCE) ** 2 / 0.580
    bearing = FilmBearing.grooved(
        radius, length, _CLEARANCE, grooves=[np.pi / 2, -np.pi / 2], groove_width=np.radians(20)
    )
    states = film_states(
        bearing, (load, 0.0), _VISCOSITY, speed, divisions=Divisions(40 * refinement, 3 * refinement)
    )
    K, B = (matrix[0] * _CLEARANCE / load for matrix in states.coefficients())
    place = float(states.eccentricities[0]), float(np.degrees(states.attitudes[0]))
    return [*place, *map(float, K.ravel()), *(float(speed * B[i, j]) for i, j in ((0, 0), (0, 1), (1, 1)))]


def _sommerfeld(refinement: int) -> list[float]:
    """ε/… of a long bearing without cavitation: load/(12π µΩRL(R/c)² ε/((2 + ε²)√(1 − ε²)))."""
    bearing = FilmBearing.plain(0.05, 1.0, _CLEARANCE, feed=np.pi / 2, sealed=True, cavitation="none")
    states = film_states(bearing, (0.0, -1e5), _VISCOSITY, 100.0, divisions=Divisions(90 * refinement, 1))
    e = float(states.eccentricities[0])
    carried = 12 * np.pi * _VISCOSITY * 100.0 * 0.05 * 500.0**2 * e / ((2 + e**2) * np.sqrt(1 - e**2))
    torque = (
        4 * np.pi * _VISCOSITY * 100.0 * 0.05**3 / _CLEARANCE * (1 + 2 * e**2) / ((2 + e**2) * np.sqrt(1 - e**2))
    )
    return [1e5 / carried, float(np.degrees(states.attitudes[0])), float(states.torques[0]) / torque]


CHECKS: tuple[Check, ...] = (
    Check(
        "film-two-axial-grooves",
        "Lund & Thomsen 1978, table of the two-axial-groove bearing",
        "two grooves of 20° at ±90° to the load, L/D 0.5, S 0.580, Reynolds' condition, zero pressure in the "
        "grooves; x along the load; K c/W, B cΩ/W, errors as parts of the largest entry",
        (
            Reference("eccentricity ε", 0.477, 3e-3),
            Reference("attitude φ [deg]", 51.01, 3e-3),
            *(
                Reference(name, value, 0.02, scale=max(map(abs, _ROW[:4] if name[0] == "K" else _ROW[4:])))
                for name, value in zip(_NAMES, _ROW, strict=True)
            ),
        ),
        _two_grooves,
    ),
    Check(
        "film-long-bearing",
        "exact: Sommerfeld 1904",
        "sealed bearing, full film, cells of 2°: flow between points is that of one dimension",
        (
            Reference("load over the closed form at its ε", 1.0, 1e-8),
            Reference("attitude [deg]", 90.0, 1e-8),
            Reference("friction over the closed form", 1.0, 1e-8),
        ),
        _sommerfeld,
    ),
)
