"""What there is to see of a result, said once: terminal, data frame, figure, report and studio draw from it."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from flexframe.maths.arrays import Array
from flexframe.presentation.blocks import Axis, Check, Column, Matrix, Plot, Series, Table
from flexframe.presentation.scenes import Block, Scene

if TYPE_CHECKING:
    import pandas

SHOWN = 12  # rows of a long table that a terminal shows


class Presented(Protocol):
    """A result as its presentation sees it."""

    @property
    def notices(self) -> tuple[str, ...]: ...

    def summary(self) -> dict[str, Any]: ...


Result = TypeVar("Result", bound=Presented)


@dataclass(frozen=True, eq=False)
class DataTable:
    """Columns of numbers as they were computed, one row for each mode, instant, speed or formalism."""

    index_name: str
    index: Sequence[Any] | NDArray[Any] | None  # None: rows are counted from 0
    columns: Mapping[str, Any]

    def to_pandas(self) -> "pandas.DataFrame":
        """The data frame."""
        import pandas

        index = None if self.index is None else pandas.Index(self.index, name=self.index_name or None)
        return pandas.DataFrame(dict(self.columns), index=index)


@dataclass(frozen=True, eq=False)
class SensorCurves:
    """What sensors saw over time, each number by its name with its unit."""

    times: Array  # s: (instants,)
    values: Mapping[str, tuple[str, Array]]  # name → unit, (instants,)


@dataclass(frozen=True)
class Bars:
    """One number for each name, drawn as bars."""

    labels: tuple[str, ...]
    values: tuple[float, ...]
    axis: Axis
    title: str = ""


Figure: TypeAlias = Plot | Scene | Bars | tuple[Plot, ...] | tuple[Matrix, ...]
"""What one picture of matplotlib shows: one thing, or several panels."""


@dataclass(frozen=True, eq=False)
class Presentation(ABC, Generic[Result]):
    """What there is to see of one kind of result; a kind states the blocks of its report and what differs here."""

    axes: ClassVar[
        tuple[str, ...]
    ] = ()  # what positions in lists of its summary count that are as long as the main
    lists: ClassVar[
        Mapping[str, tuple[str, ...]]
    ] = {}  # the same of its other lists, by field; the first that fits
    telling: ClassVar[tuple[str, ...]] = ()  # fields that a sweep draws; none: all single numbers

    record: Result

    @abstractmethod
    def blocks(self, name: str) -> tuple[Block, ...]:
        """What report and studio show, in reading order; scenes are called after the analysis `name`."""

    def overview(self) -> tuple[Table, ...]:
        """The compact tables that a terminal prints; without others, the single values of the summary."""
        rows = tuple(
            (name, value)
            for name, value in self.record.summary().items()
            if isinstance(value, int | float | str) and name not in ("kind", "body", "description")
        )
        return (Table((Column("quantity"), Column("value", "", 6)), rows),)

    def quality(self) -> tuple[Check, ...]:
        """How good the result is: residuals, balances, counts; shown below the answers."""
        return ()

    def data(self) -> DataTable:
        """The numbers that a data frame holds; without others, those of the first compact table."""
        table = self.overview()[0]
        names = [f"{column.header} [{column.unit}]" if column.unit else column.header for column in table.columns]
        cells = list(zip(*table.rows, strict=True)) or [()] * len(names)
        return DataTable(names[0], list(cells[0]), dict(zip(names[1:], cells[1:], strict=True)))

    def sensors(self) -> SensorCurves:
        """What sensors saw over time, by which analyses are compared; nothing where there are none."""
        return SensorCurves(np.zeros(0), {})

    def figure(self) -> Figure:
        """What matplotlib draws; without others, all plots of the report."""
        return tuple(block for block in self.blocks("figure") if isinstance(block, Plot))


def compact(table: Table, *, without: Sequence[str] = (), rows: int = SHOWN, caption: str = "") -> Table:
    """The first rows of a table without some columns, as a terminal has room for; a row of dots for the rest."""
    kept = [k for k, column in enumerate(table.columns) if column.header not in without]
    shown = tuple(tuple(row[k] for k in kept) for row in table.rows[:rows])
    if len(table.rows) > rows:
        shown = (*shown, ("…", *[None] * (len(kept) - 1)))
    return replace(table, columns=tuple(table.columns[k] for k in kept), rows=shown, caption=caption)


def history(times: Array, columns: Mapping[str, Any]) -> DataTable:
    """Columns over time."""
    return DataTable("time_s", times, columns)


def unit_plots(x: Axis, abscissa: Array, curves: Mapping[str, tuple[str, Array]]) -> tuple[Plot, ...]:
    """Named curves (unit, values) over one abscissa: a plot for each unit, since units do not share an axis."""
    units = dict.fromkeys(unit for unit, _ in curves.values())
    return tuple(
        Plot(
            x,
            Axis("" if unit else "value", unit),
            tuple(Series(name, abscissa, values) for name, (own, values) in curves.items() if own == unit),
        )
        for unit in units
    )


def logarithmic_decrement(ratio: float | None) -> float | None:
    """δ = 2πζ/√(1 − ζ²) of a damping ratio: the logarithm of the ratio of two amplitudes a period apart."""
    if ratio is None or not abs(ratio) < 1:
        return None
    return float(2 * np.pi * ratio / np.sqrt(1 - ratio**2))


def sizes(vectors: Array) -> Array:
    """Lengths of vectors: (…, 3) → (…,)."""
    return np.linalg.norm(vectors, axis=-1)


def terms_text(terms: object, names: Sequence[str] = ("coriolis", "euler", "centrifugal", "geometric")) -> str:
    """The multipliers of the terms in words."""
    return ", ".join(f"{name} {getattr(terms, name):g}" for name in names)
