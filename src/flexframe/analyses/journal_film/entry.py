"""What a case may say of the film of a journal bearing."""

from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np
from pydantic import model_validator

from flexframe.analyses.contract import AnalysisEntry, Bodies
from flexframe.entries.entry import refusal_at
from flexframe.entries.fields import count
from flexframe.entries.films import FilmEntry
from flexframe.errors import at_field
from flexframe.stages import begin_work

if TYPE_CHECKING:
    from flexframe.analyses.journal_film.record import JournalFilm

_Samples = Annotated[int, count(2, 1000)]


class JournalFilmEntry(AnalysisEntry):
    """The oil film of a journal bearing at `count` of its speeds: place of the journal, pressure, stiffness,
    damping, loss and flow.
    """

    kind: Literal["journal_film"]
    film: FilmEntry
    count: _Samples = 21

    @model_validator(mode="after")
    def _one_frequency(self) -> "JournalFilmEntry":
        if len(self.film.frequencies or ()) > 1:
            raise refusal_at(
                ("film", "frequencies"), "has several; this analysis shows one: give one, or leave it out"
            )
        return self

    def is_of_system(self, *, has_system: bool) -> bool:  # noqa: ARG002
        """The bodies of the case do not matter."""
        return False

    def run(self, bodies: Bodies) -> "JournalFilm":  # noqa: ARG002 - a bearing by itself
        from flexframe.analyses.journal_film.analysis import journal_film

        film = self.film
        with at_field("film"):
            bearing = film.bearing()
            begin_work()
            return journal_film(
                bearing,
                film.load,
                film.viscosity,
                np.linspace(film.speeds.start, film.speeds.end, self.count),
                frequencies=None if film.frequencies is None else film.frequencies[0],
            )
