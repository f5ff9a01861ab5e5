"""How frequencies along the cycle of a mechanism are shown."""

from typing import ClassVar

import numpy as np

from flexframe.analyses.cycle_spectrum.record import CycleSpectrum
from flexframe.maths.arrays import Array
from flexframe.presentation.blocks import (
    Axis,
    Check,
    Column,
    Cursor,
    Notice,
    Plot,
    PointLinks,
    Series,
    Table,
)
from flexframe.presentation.mechanism_scene import mechanism_scene, shown_instants
from flexframe.presentation.presentation import DataTable, Figure, Presentation, history
from flexframe.presentation.scenes import Block, Row

POINTS = 1500  # of a curve
_ROUND_OFF = 1e-6  # part of the largest eigenvalue


class CycleSpectrumPresentation(Presentation[CycleSpectrum]):
    """Frequencies over the crank's position beside the moving mechanism, growth rates, ranges of the branches."""

    axes = ("instant", "branch")
    lists: ClassVar = {"range_hz": ("branch", "bound"), "bodies": ("body",), "ambiguous*": ("meeting",)}
    telling = ("range_hz",)

    def blocks(self, name: str) -> tuple[Block, ...]:
        record = self.record
        scene = f"spectrum-{name}"
        frequencies = record.frequencies_hz
        growth = record.growth_rates
        plots: list[Block] = [
            _over_cycle(record, scene, frequencies, title="Natural frequencies", label="frequency", unit="Hz")
        ]
        change = 100 * (frequencies / frequencies.mean(axis=0) - 1)
        plots.append(
            _over_cycle(
                record, scene, change, title="Change against the mean of each branch", label="change", unit="%"
            )
        )
        if np.abs(growth).max() > _rounding(record):
            plots.append(
                _over_cycle(record, scene, growth, title="Frozen growth rates", label="growth rate", unit="1/s")
            )
        blocks: list[Block] = [
            *self.overview(),
            *(Notice("info", text) for text in record.notices),
            Row((mechanism_scene(scene, record.motion), plots[0])),
            *plots[1:],
        ]
        return tuple(blocks)

    def overview(self) -> tuple[Table, ...]:
        """The range of every frequency over the cycle, and how much it changes."""
        record = self.record
        rows = tuple(
            (
                k + 1,
                float(f[0]),
                float(f.min()),
                float(f.max()),
                100 * float(f.max() / f.min() - 1) if f.min() else None,
                float(g.max()) if np.abs(g).max() > _rounding(record) else None,
            )
            for k, (f, g) in enumerate(zip(record.frequencies_hz.T, record.growth_rates.T, strict=True))
        )
        columns = (
            Column("branch"),
            Column("at the first position", "Hz", 7),
            Column("lowest", "Hz", 7),
            Column("highest", "Hz", 7),
            Column("range", "%", 3),
            Column("largest growth rate", "1/s", 3),
        )
        where = "at rest in each position" if record.at_rest else "in motion"
        elastic = f"{', '.join(record.bodies)} elastic, {where}"
        caption = f"Natural frequencies; branches are counted at the first position; {elastic}."
        return (Table(columns, rows, caption=caption),)

    def quality(self) -> tuple[Check, ...]:
        record = self.record
        crossed = "branches could be exchanged there; take more instants"
        return (
            Check("error of the reduced basis", record.error_estimate, "", 1e-3, "take more modes"),
            Check("doubtful steps of following branches", len(record.ambiguous), "", 0, crossed),
            Check("positions", len(record.times)),
            Check("unknowns", record.unknowns),
            Check("method", record.method),
        )

    def data(self) -> DataTable:
        """Frequencies over time, a column for each branch."""
        branches = enumerate(self.record.frequencies_hz.T, start=1)
        return history(self.record.times, {f"branch_{i}_hz": values for i, values in branches})

    def figure(self) -> Figure:
        """Frequencies of the frozen equations over the crank angle, or over time where no angle is driven."""
        record, angle = self.record, self.record.crank_angle_deg
        x = record.times if angle is None else angle
        branches = enumerate(record.frequencies_hz.T, start=1)
        return Plot(
            Axis("time", "s") if angle is None else Axis("crank angle", "°"),
            Axis("frequency", "Hz", minimum=0.0),
            tuple(Series(f"branch {i}", x, values) for i, values in branches),
        )


def _rounding(record: CycleSpectrum) -> float:
    """Growth rates up to which they are rounding of the eigenvalues [1/s]."""
    return _ROUND_OFF * float(np.abs(record.eigenvalues).max())


def _over_cycle(record: CycleSpectrum, scene: str, values: Array, *, title: str, label: str, unit: str) -> Plot:
    """Branches over the crank angle where it grows, else over time; a click shows the position."""
    angle = record.crank_angle_deg
    turning = angle is not None and bool((np.diff(angle) > 0).all())
    x = angle if angle is not None and turning else record.times
    kept = np.unique(np.round(np.linspace(0, len(x) - 1, min(len(x), POINTS))).astype(np.int64))
    frames = shown_instants(len(x))
    return Plot(
        x=Axis("crank angle", "°") if turning else Axis("time", "s"),
        y=Axis(label, unit),
        series=tuple(
            Series(f"branch {k + 1}", x[kept], column[kept], links=PointLinks(scene, times=record.times[kept]))
            for k, column in enumerate(values.T)
        ),
        title=title,
        cursor=Cursor(scene, record.times[frames], x[frames]),
    )
