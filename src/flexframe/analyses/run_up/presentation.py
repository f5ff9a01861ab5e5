"""How a run-up is shown: size of the orbits over time and speed, and the orbits in space."""

import numpy as np

from flexframe.analyses.run_up.record import RunUp
from flexframe.presentation.blocks import Axis, Check, Column, Notice, Plot, Series, Table, Words
from flexframe.presentation.presentation import DataTable, Figure, Presentation, compact, history
from flexframe.presentation.scenes import Block
from flexframe.results.record import thin

TURN = 2 * np.pi
_POINTS = 3000


class RunUpPresentation(Presentation[RunUp]):
    """Radius over speed and time, orbits in space, peaks."""

    def blocks(self, name: str) -> tuple[Block, ...]:  # noqa: ARG002
        record = self.record
        chosen = thin(len(record.times), _POINTS)
        turns, times = record.speeds[chosen] / TURN, record.times[chosen]
        radii = {key: orbit.radius[chosen] for key, orbit in record.orbits.items()}
        rising = np.flatnonzero(np.diff(record.speeds[chosen], prepend=record.speeds[chosen][0] - 1.0) != 0)
        blocks: list[Block] = [
            _peaks(record),
            *(Notice("info", text) for text in record.notices),
        ]
        if record.acceleration:
            blocks.append(
                Plot(
                    x=Axis("speed", "turns/s"),
                    y=Axis("distance from the axis", "m"),
                    series=tuple(Series(key, turns[rising], values[rising]) for key, values in radii.items()),
                    title="Passing the critical speeds",
                    caption="While the speed changes. The peak comes after the critical speed and stays below "
                    "that of a steady speed; behind it the free vibration beats with the forced one.",
                )
            )
        blocks += [
            Plot(
                x=Axis("time", "s"),
                y=Axis("distance from the axis", "m"),
                series=tuple(Series(key, times, values) for key, values in radii.items()),
                title="Over time",
                height=260,
            ),
            *(_orbit(record, key) for key in record.orbits),
        ]
        return tuple(blocks)

    def overview(self) -> tuple[Table, ...]:
        """Peaks of the orbits."""
        table = _peaks(self.record)
        return (compact(table, without=["turns"], rows=len(table.rows)),)

    def quality(self) -> tuple[Check, ...]:
        record = self.record
        return (
            Check("first speed", float(record.speeds[0]), "rad/s", digits=5),
            Check("last speed", float(record.speeds[-1]), "rad/s", digits=5),
            Check("acceleration", record.acceleration, "rad/s²", digits=4),
            Check("steps", record.steps),
            Check("method", record.method),
        )

    def data(self) -> DataTable:
        """Speed [rad/s] and radius [m] of every orbit over time."""
        radii = {f"{name}.radius": orbit.radius for name, orbit in self.record.orbits.items()}
        return history(self.record.times, {"speed_rad_s": self.record.speeds, **radii})

    def figure(self) -> Figure:
        """Radius of every orbit over the speed, over time where the speed is steady."""
        if not self.record.acceleration:
            over = [Series(key, self.record.times, orbit.radius) for key, orbit in self.record.orbits.items()]
            return Plot(Axis("time", "s"), Axis("radius of the orbit", "m"), tuple(over))
        series = [Series(key, self.record.speeds, orbit.radius) for key, orbit in self.record.orbits.items()]
        return Plot(Axis("speed", "rad/s"), Axis("radius of the orbit", "m"), tuple(series))


def _orbit(record: RunUp, key: str) -> Plot:
    """The path in space around the largest radius, eight turns."""
    orbit = record.orbits[key]
    place = int(np.argmax(orbit.radius))
    near = np.abs(record.angles - record.angles[place]) < 4 * TURN
    path = orbit.in_space(record.angles)[near]
    size = 1.1 * float(np.abs(path).max() or 1.0)
    return Plot(
        x=Axis("e₁", "m", minimum=-1.6 * size, maximum=1.6 * size),
        y=Axis("e₂", "m", minimum=-size, maximum=size),
        series=(Series("path in space", path.real, path.imag),),
        title=f"Orbit of {key} around its peak",
        caption=Words(
            f"Eight turns around {record.times[place]:.5g} s, {{}}.",
            (float(record.speeds[place]) / TURN,),
            "turns/s",
        ),
        height=420,
    )


def _peaks(record: RunUp) -> Table:
    rows = []
    for key in record.orbits:
        radius, speed, time = record.peak(key)
        last = float(record.orbits[key].radius[-1])
        rows.append((key, radius, speed, speed / TURN, time, last))
    columns = (
        Column("sensor"),
        Column("largest distance", "m", 6),
        Column("at speed", "rad/s", 6),
        Column("turns", "turns/s", 6),
        Column("at time", "s", 6),
        Column("last distance", "m", 6),
    )
    return Table(columns, tuple(rows), caption="Peaks.")
