"""The record of the film of a journal bearing."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from flexframe.films.states import FilmStates
from flexframe.maths.arrays import Array
from flexframe.results.record import NamedArrays, Record


@dataclass(frozen=True, eq=False, repr=False)
class JournalFilm(Record):
    """A film bearing over the speed: place of the journal, coefficients, loss, flow, smallest film."""

    kind: ClassVar[str] = "journal_film"
    presented_by: ClassVar[str] = ".presentation:JournalFilmPresentation"

    states: FilmStates
    stiffness: Array  # N/m: (speeds, 2, 2)
    damping: Array  # N s/m: (speeds, 2, 2)
    notices: tuple[str, ...] = ()

    @property
    def speeds(self) -> Array:
        """rad/s: (speeds,)."""
        return self.states.speeds

    @property
    def eccentricities(self) -> Array:
        """Distance of the journal from the centre, in clearances: (speeds,)."""
        return self.states.eccentricities

    @property
    def attitudes(self) -> Array:
        """Angle from the load to the journal in the sense of rotation [rad]: (speeds,)."""
        return self.states.attitudes

    def summary(self) -> dict[str, Any]:
        states = self.states
        return {
            "kind": self.kind,
            "load_N": states.load.tolist(),
            "speeds_rad_s": states.speeds.tolist(),
            "sommerfeld_numbers": [float(s) if np.isfinite(s) else None for s in states.sommerfeld_numbers],
            "eccentricities": self.eccentricities.tolist(),
            "attitudes_rad": self.attitudes.tolist(),
            "stiffness_N_m": self.stiffness.tolist(),
            "damping_N_s_m": self.damping.tolist(),
            "smallest_films_m": states.smallest_films.tolist(),
            "largest_pressures_Pa": states.largest_pressures.tolist(),
            "power_losses_W": states.power_losses.tolist(),
            "side_flows_m3_s": states.side_flows.tolist(),
            "error_of_cells": states.error,
            "notices": list(self.notices),
        }

    def arrays(self) -> NamedArrays:
        states = self.states
        return NamedArrays(
            {
                "position": (("speed", "axis"), states.positions, {"units": "m"}),
                "stiffness": (("speed", "axis", "by"), self.stiffness, {"units": "N/m"}),
                "damping": (("speed", "axis", "by"), self.damping, {"units": "N s/m"}),
                "smallest_film": ("speed", states.smallest_films, {"units": "m"}),
                "power_loss": ("speed", states.power_losses, {"units": "W"}),
                "side_flow": ("speed", states.side_flows, {"units": "m³/s"}),
                "tilt": (("speed", "pad"), states.tilts, {"units": "rad"}),
                "pressure": (("speed", "pad", "point"), states.pressures, {"units": "Pa"}),
                "angle": (("pad", "point"), states.angles, {"units": "rad"}),
            },
            coords={
                "speed": ("speed", states.speeds, {"units": "rad/s"}),
                "axis": ["x", "y"],
                "by": ["x", "y"],
            },
            attrs={"kind": self.kind},
        )
