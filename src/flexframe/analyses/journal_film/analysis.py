"""The oil film of a journal bearing at given load, over the speed."""

import numpy as np
from numpy.typing import ArrayLike

from flexframe.analyses.journal_film.record import JournalFilm
from flexframe.films.bearings import FilmBearing
from flexframe.films.states import FilmStates, film_states

_THIN = 0.05  # of the clearance


def journal_film(
    bearing: FilmBearing,
    load: ArrayLike,
    viscosity: ArrayLike,
    speeds: ArrayLike,
    *,
    frequencies: ArrayLike | None = None,
) -> JournalFilm:
    """Where the journal runs, and stiffness, damping, loss, flow and smallest film there.

    Reynolds' equation with constant viscosity. x and y are those of the bearing; the journal turns from x to y.

    Parameters
    ----------
    bearing
        Its geometry.
    load
        On the journal along x and y [N].
    viscosity
        Of the oil, one value or one for each speed [Pa s].
    speeds
        Of the journal [rad/s].
    frequencies
        At which pads that tilt follow, one or one for each speed [rad/s]; that of the speed if none is given.

    Returns
    -------
    JournalFilm
        K [N/m], B [N s/m] and the rest for each speed.

    Examples
    --------
    >>> bearing = ff.rotors.FilmBearing.grooved(
    ...     0.05, 0.05, 100e-6, grooves=[0.0, np.pi], groove_width=np.radians(20)
    ... )
    >>> found = ff.rotors.journal_film(bearing, (0.0, -2155.0), 0.02, 314.16)
    >>> round(float(found.eccentricities[0]), 3)  # Lund and Thomsen: 0.477
    0.477
    """
    states = film_states(bearing, load, viscosity, speeds)
    stiffness, damping = states.coefficients(frequencies)
    return JournalFilm(states, stiffness, damping, _notices(states))


def _notices(states: FilmStates) -> tuple[str, ...]:
    """Pads that lose their film between speeds, where coefficients jump."""
    changes = np.flatnonzero((states.carrying[1:] != states.carrying[:-1]).any(axis=1))
    rpm = states.speeds * 30 / np.pi
    jumps = tuple(
        f"between {rpm[k]:.5g} and {rpm[k + 1]:.5g} rpm the films of pads "
        f"{', '.join(str(pad + 1) for pad in np.flatnonzero(states.carrying[k] != states.carrying[k + 1]))} "
        "begin or end, and the coefficients jump there"
        for k in changes
        if states.bearing.tilting
    )
    thin = states.smallest_films.min() / states.bearing.clearance
    if thin < _THIN:
        jumps += (
            f"the smallest film is {thin:.2g} of the clearance; roughness and heat, which are left out, matter "
            "there",
        )
    return jumps
