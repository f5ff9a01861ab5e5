"""How the film of a journal bearing is shown: coefficients over the speed, pressure over the angle."""

import numpy as np

from flexframe.analyses.journal_film.record import JournalFilm
from flexframe.presentation.blocks import Axis, Check, Column, KeyValue, KeyValues, Notice, Plot, Series, Table
from flexframe.presentation.presentation import DataTable, Figure, Presentation, compact
from flexframe.presentation.scenes import Block

_ENTRIES = (("xx", 0, 0), ("xy", 0, 1), ("yx", 1, 0), ("yy", 1, 1))
_COLOURS = ("blue", "green", "orange")


class JournalFilmPresentation(Presentation[JournalFilm]):
    """Where the journal runs, the pressure around it, K and B over the speed."""

    axes = ("speed",)

    def blocks(self, name: str) -> tuple[Block, ...]:  # noqa: ARG002
        record, states = self.record, self.record.states
        thinnest, hottest = int(np.argmin(states.smallest_films)), int(np.argmax(states.power_losses))
        figures = KeyValues(
            (
                KeyValue(
                    "Smallest film",
                    float(states.smallest_films[thinnest]),
                    "m",
                    f"at {_rpm(record.speeds[thinnest])}",
                ),
                KeyValue(
                    "Largest pressure", float(states.largest_pressures.max()), "Pa", "in the middle of the length"
                ),
                KeyValue(
                    "Largest loss",
                    float(states.power_losses[hottest]),
                    "W",
                    f"at {_rpm(record.speeds[hottest])}",
                ),
            )
        )
        x = Axis("speed", "rad/s")
        return (
            figures,
            *(Notice("info", text) for text in record.notices),
            _pressures(record),
            _path(record),
            *(
                Plot(
                    x,
                    Axis(what, unit),
                    tuple(Series(f"{letter}{entry}", record.speeds, values[:, i, j]) for entry, i, j in _ENTRIES),
                    title=f"{what.capitalize()} over the speed",
                    caption="The force on the journal is −K q − B q̇ with q along x and y of the bearing; the "
                    "journal turns from x to y.",
                )
                for what, unit, letter, values in (
                    ("stiffness", "N/m", "k", record.stiffness),
                    ("damping", "N s/m", "b", record.damping),
                )
            ),
            _table(record),
            _coefficients(record),
        )

    def overview(self) -> tuple[Table, ...]:
        """Places of the journal, then coefficients."""
        return compact(_table(self.record)), compact(_coefficients(self.record))

    def quality(self) -> tuple[Check, ...]:
        states = self.record.states
        cells = states.pressures.shape[-1] - 1
        return (
            Check(
                "force by cells twice as large, a third of the change",
                states.error,
                "",
                0.01,
                "the film is coarse",
            ),
            Check("cells along a pad", cells),
        )

    def data(self) -> DataTable:
        """Everything over the speed [rad/s]."""
        states = self.record.states
        columns = {
            "eccentricity": states.eccentricities,
            "attitude_rad": states.attitudes,
            "smallest_film_m": states.smallest_films,
            "power_loss_W": states.power_losses,
            "side_flow_m3_s": states.side_flows,
        }
        for letter, values in (("k", self.record.stiffness), ("b", self.record.damping)):
            columns |= {f"{letter}{entry}": values[:, i, j] for entry, i, j in _ENTRIES}
        return DataTable("speed_rad_s", self.record.speeds, columns)

    def figure(self) -> Figure:
        """Pressure over the angle."""
        return _pressures(self.record)


def _rpm(speed: float) -> str:
    return f"{speed * 30 / np.pi:.5g} rpm"


def _pressures(record: JournalFilm) -> Plot:
    """At the lowest, a middle and the highest speed; pads are parted by gaps."""
    states = record.states
    n = len(record.speeds)
    chosen = dict.fromkeys((0, n // 2, n - 1))
    # in the order of angles from 0 to 360 deg, each pad in one piece
    order = np.argsort(states.angles[:, 0])
    gaps = np.full((len(order), 1), np.nan)
    degrees = np.degrees(np.hstack([states.angles[order], gaps])).ravel()
    series = tuple(
        Series(
            _rpm(record.speeds[k]),
            degrees,
            np.hstack([states.pressures[k][order], gaps]).ravel(),
            colour=_COLOURS[place],
        )
        for place, k in enumerate(chosen)
    )
    return Plot(
        Axis("angle from x in the sense of rotation", "deg"),
        Axis("pressure above ambient", "Pa"),
        series,
        title="Pressure in the middle of the length",
        caption="Zero where the film is torn (the condition of Reynolds) and in grooves.",
    )


def _path(record: JournalFilm) -> Plot:
    """Places of the journal in the circle of the clearance."""
    c = record.states.bearing.clearance
    around = np.linspace(0.0, 2 * np.pi, 181)
    places = record.states.positions / c
    return Plot(
        Axis("x / clearance", "", minimum=-1.7, maximum=1.7),
        Axis("y / clearance", "", minimum=-1.1, maximum=1.1),
        (
            Series("clearance", np.cos(around), np.sin(around), colour="grey", dashed=True),
            Series("journal", places[:, 0], places[:, 1], colour="blue", markers=True),
        ),
        title="Place of the journal",
        caption=f"From {_rpm(record.speeds[0])} to {_rpm(record.speeds[-1])}; it rises towards the centre.",
        height=420,
    )


def _table(record: JournalFilm) -> Table:
    states = record.states
    columns = (
        Column("speed", "rad/s"),
        Column("Sommerfeld number", "", 4),
        Column("eccentricity", "", 4),
        Column("attitude", "deg", 4),
        Column("smallest film", "m", 4),
        Column("largest pressure", "Pa", 4),
        Column("loss", "W", 4),
        Column("side flow", "m³/s", 4),
    )
    rows = zip(
        states.speeds,
        states.sommerfeld_numbers,
        states.eccentricities,
        np.degrees(states.attitudes),
        states.smallest_films,
        states.largest_pressures,
        states.power_losses,
        states.side_flows,
        strict=True,
    )
    caption = (
        "Place, loss and flow. Eccentricity in clearances; attitude from the load in the sense of rotation; "
        "S = µNLD(R/c)²/W."
    )
    return Table(columns, tuple(tuple(map(float, row)) for row in rows), caption=caption)


def _coefficients(record: JournalFilm) -> Table:
    columns = (
        Column("speed", "rad/s"),
        *(Column(f"k{entry}", "N/m", 4) for entry, _, _ in _ENTRIES),
        *(Column(f"b{entry}", "N s/m", 4) for entry, _, _ in _ENTRIES),
    )
    rows = (
        (float(speed), *map(float, K.ravel()), *map(float, B.ravel()))
        for speed, K, B in zip(record.speeds, record.stiffness, record.damping, strict=True)
    )
    return Table(columns, tuple(rows), caption="Stiffness and damping.")
