"""What there is to see of a result, as plain records: text, figures, tables, matrices and curves.

Blocks know nothing of HTML, terminals or matplotlib. Colours are names of a palette (`COLOURS`, which follows the
light and dark theme of a page) or `#rrggbb`; an empty colour lets the page choose.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from flexframe.errors import InputError
from flexframe.maths.arrays import Array, IntArray

COLOURS = ("blue", "orange", "green", "red", "purple", "teal", "brown", "grey")

Cell: TypeAlias = str | float | int | bool | None


@dataclass(frozen=True)
class Words:
    """A text with a place {} for numbers, which are shown in the unit of the reader."""

    text: str
    values: tuple[float, ...]
    unit: str
    digits: int = 5

    def __str__(self) -> str:
        return self.show(self.unit, 1.0)

    def show(self, unit: str, factor: float) -> str:
        """The text with its numbers times a factor, and one unit behind them."""
        numbers = ", ".join(f"{value * factor:.{self.digits}g}" for value in self.values)
        return self.text.format(f"{numbers} {unit}")


@dataclass(frozen=True)
class Text:
    """Prose in light markup, as in Markdown: paragraphs parted by blank lines, bold, code, and lists."""

    text: str


@dataclass(frozen=True)
class Notice:
    """A remark the reader must not miss; same light markup as `Text`."""

    level: Literal["info", "warning", "error"]
    text: str


@dataclass(frozen=True)
class KeyValue:
    """One headline figure; `note` is a small line under it."""

    label: str
    value: Cell
    unit: str = ""
    note: str = ""
    digits: int = 5


@dataclass(frozen=True)
class KeyValues:
    """A row of headline figures."""

    items: tuple[KeyValue, ...]


@dataclass(frozen=True)
class Check:
    """One figure of how good a result is: fine up to `limit`; beyond it `otherwise` says what that means.

    Without a limit it only informs.
    """

    label: str
    value: Cell
    unit: str = ""
    limit: float | None = None
    otherwise: str = ""
    digits: int = 2

    @property
    def fine(self) -> bool:
        """Whether the figure is as small as it should be."""
        return self.limit is None or (isinstance(self.value, int | float) and abs(self.value) <= self.limit)


@dataclass(frozen=True)
class Quality:
    """How good a result is, below the answers: a line where all is fine, in words where something is not."""

    checks: tuple[Check, ...]

    @property
    def doubts(self) -> tuple[Check, ...]:
        """What is not fine."""
        return tuple(check for check in self.checks if not check.fine)


@dataclass(frozen=True)
class Column:
    """A table column; numbers are shown to `digits` significant digits.

    `of_row`: its numbers are in the unit that the column "unit" of their row names. `at`: the value, with its
    unit, at which its numbers hold; it stands behind the header.
    """

    header: str
    unit: str = ""
    digits: int = 5
    of_row: bool = False
    at: tuple[float, str] | None = None


@dataclass(frozen=True)
class Table:
    """Rows of cells under named columns; the reader can sort it and copy it as CSV."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""

    def __post_init__(self) -> None:
        for number, row in enumerate(self.rows):
            require(
                len(row) == len(self.columns),
                f"table row {number} has {len(row)} cells; give {len(self.columns)}, one per column",
            )


@dataclass(frozen=True)
class Matrix:
    """A small named matrix of numbers or formulas, with optional row and column labels."""

    name: str
    values: Array | Sequence[Sequence[float | str]]
    row_labels: tuple[str, ...] = ()
    column_labels: tuple[str, ...] = ()
    unit: str = ""
    digits: int = 5
    caption: str = ""

    def __post_init__(self) -> None:
        widths = {len(row) for row in self.values}
        require(len(widths) == 1, f"matrix {self.name!r} has rows of different length; make it rectangular")
        for labels, count in ((self.row_labels, len(self.values)), (self.column_labels, widths.pop())):
            require(
                not labels or len(labels) == count,
                f"matrix {self.name!r} has {len(labels)} labels; give {count} or none",
            )


@dataclass(frozen=True)
class Code:
    """Source text with line numbers, such as the case file."""

    text: str
    language: Literal["yaml", "python", "plain"] = "plain"
    caption: str = ""
    collapsed: bool = False


@dataclass(frozen=True)
class Axis:
    """A plot axis; limits left out follow the data."""

    label: str
    unit: str = ""
    log: bool = False
    minimum: float | None = None
    maximum: float | None = None


@dataclass(frozen=True)
class PointLinks:
    """What a click on each point of a series shows: a mode (−1: nothing) or a time of a scene."""

    scene: str
    modes: IntArray | None = None  # (points,)
    times: Array | None = None  # (points,) s


@dataclass(frozen=True)
class Series:
    """Points (x, y); a NaN interrupts the line."""

    name: str
    x: Array  # (points,)
    y: Array  # (points,)
    colour: str = ""
    line: bool = True
    markers: bool = False
    dashed: bool = False
    links: PointLinks | None = None

    def __post_init__(self) -> None:
        check_colour(self.colour)
        check_shape(self.y, self.x.shape, f"y of series {self.name!r}")
        if self.links is not None:
            for target in (self.links.modes, self.links.times):
                if target is not None:
                    check_shape(target, self.x.shape, f"links of series {self.name!r}")


@dataclass(frozen=True)
class ReferenceLine:
    """y = intercept + slope x, across the whole plot (an engine order, a limit)."""

    label: str
    slope: float = 0.0
    intercept: float = 0.0


@dataclass(frozen=True)
class VerticalLine:
    """x = const, across the whole plot (a critical speed); without a label `digits` of x may stand beside it."""

    label: str
    x: float
    digits: int = 0

    @property
    def words(self) -> str:
        """What stands beside it."""
        return self.label or (f"{self.x:.{self.digits}g}" if self.digits else "")


@dataclass(frozen=True)
class Band:
    """The area between two curves."""

    name: str
    x: Array  # (points,)
    lower: Array  # (points,)
    upper: Array  # (points,)
    colour: str = ""

    def __post_init__(self) -> None:
        check_colour(self.colour)
        for bound in (self.lower, self.upper):
            check_shape(bound, self.x.shape, f"bounds of band {self.name!r}")


@dataclass(frozen=True)
class Cursor:
    """A vertical line that follows a scene's time; `x` is the abscissa at each of `times`."""

    scene: str
    times: Array  # (instants,) s, increasing
    x: Array  # (instants,)

    def __post_init__(self) -> None:
        check_shape(self.x, self.times.shape, "abscissae of a plot cursor")


@dataclass(frozen=True)
class Plot:
    """Curves over one pair of axes."""

    x: Axis
    y: Axis
    series: tuple[Series, ...]
    title: str = ""
    reference_lines: tuple[ReferenceLine | VerticalLine, ...] = ()
    bands: tuple[Band, ...] = ()
    cursor: Cursor | None = None
    caption: str | Words = ""
    height: int = 380  # CSS pixels


def check_shape(values: NDArray[Any], shape: tuple[int, ...], what: str) -> None:
    """Reject an array of another shape."""
    found = np.shape(values)
    require(found == shape, f"{what}: array of shape {found}; give shape {shape}")


def check_colour(colour: str) -> None:
    """Reject a colour that the page does not know."""
    require(
        not colour or colour in COLOURS or re.fullmatch(r"#[0-9a-fA-F]{6}", colour) is not None,
        f"colour {colour!r} is not known; give #rrggbb or one of {', '.join(COLOURS)}",
    )


def require(condition: bool, message: str) -> None:
    """Reject what does not meet a condition."""
    if not condition:
        raise InputError(message)
