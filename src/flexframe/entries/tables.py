"""Tables in a case: numbers in lists, in columns of a CSV file, or in a whole file over one input or two."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Annotated, Any, ClassVar

import numpy as np
from pydantic import Field, GetCoreSchemaHandler, TypeAdapter
from pydantic_core import CoreSchema

from flexframe.entries.entry import Entry, by_choice, checker
from flexframe.entries.fields import AnyQuantity, FileName, FormulaOfState, OneOrList
from flexframe.entries.problems import did_you_mean
from flexframe.errors import InputError
from flexframe.files import Folder
from flexframe.maths.arrays import Array
from flexframe.maths.smoothing import LARGEST_SAMPLE
from flexframe.model.state_laws import Table

MAX_BYTES = 200_000_000


@dataclass(frozen=True)
class CsvFile:
    """A CSV file with a header: its column names, and its lines with their numbers."""

    path: Path
    header: int  # number of its line
    names: list[str]
    lines: list[tuple[int, list[str]]]

    def columns(self, places: Sequence[int]) -> Array:
        """The numbers of some columns: (lines, columns)."""
        return np.array([_numbers(self.path, number, cells, self.names, places) for number, cells in self.lines])


def read_csv(path: Path, folder: Folder) -> CsvFile:
    """A file with a header; lines that are empty or begin with # do not count."""
    data = folder.read(path, MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise InputError(f"{path.name} is larger than {MAX_BYTES // 10**6} MB; take fewer samples")
    try:
        lines = list(enumerate(StringIO(data.decode("utf-8-sig"), newline=""), start=1))
    except UnicodeDecodeError as error:
        number = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"{path.name}:{number}: is not UTF-8 text; give a CSV file with a header") from None
    kept = [(number, line) for number, line in lines if line.strip() and not line.lstrip().startswith("#")]
    if not kept:
        raise InputError(f"{path.name} is empty; give a header and one line for each sample")
    separator = max(",;\t", key=kept[0][1].count)
    names = _cells(kept[0][1], separator)
    samples = [(number, _cells(line, separator)) for number, line in kept[1:]]
    if not samples:
        raise InputError(f"{path.name} has a header but no samples; give one line for each")
    return CsvFile(path, kept[0][0], names, samples)


def read_columns(path: Path, folder: Folder, wanted: Sequence[str]) -> tuple[list[int], Array]:
    """Numbers of the lines with samples, and the wanted columns: (lines, columns)."""
    file = read_csv(path, folder)
    for name in wanted:
        if name not in file.names:
            raise InputError(
                f"{path.name}:{file.header}: has no column '{name}'{did_you_mean(name, file.names)}; "
                f"it has {', '.join(file.names)}"
            )
    return [number for number, _ in file.lines], file.columns([file.names.index(name) for name in wanted])


def _cells(line: str, separator: str) -> list[str]:
    return [cell.strip() for cell in next(csv.reader([line], delimiter=separator), [])]


def _numbers(path: Path, number: int, cells: list[str], names: list[str], places: Sequence[int]) -> list[float]:
    if len(cells) != len(names):
        raise InputError(
            f"{path.name}:{number}: {len(cells)} cells under {len(names)} column names; correct the line"
        )
    values = []
    for place in places:
        try:
            value = float(cells[place])
        except ValueError:
            value = np.nan
        if not abs(value) <= LARGEST_SAMPLE:
            wrong = "too large for a measurement" if np.isfinite(value) else "not a number"
            raise InputError(
                f"{path.name}:{number}: '{cells[place]}' under {names[place]} is {wrong}; correct or drop the line"
            )
        values.append(value)
    return values


@dataclass(frozen=True)
class ByShape:
    """Annotation of a union: a mapping is an entry (or a choice of them), anything else the plain type."""

    entry: Any
    plain: Any

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        plain = TypeAdapter(self.plain).validate_python
        one = isinstance(self.entry, type)
        entry = self.entry.model_validate if one else checker(self.entry).validate_python

        def choose(value: Any) -> Any:
            return (entry if isinstance(value, dict | Entry) else plain)(value)

        return by_choice(choose, lambda: source, handler)


class ColumnEntry(Entry):
    """The numbers of a column of a CSV file with a header; `scale` turns them into SI units."""

    leads: ClassVar[tuple[str, ...]] = ("samples",)
    samples: FileName
    column: str
    scale: AnyQuantity = 1.0

    def build(self, folder: Folder) -> tuple[float, ...]:
        """The numbers in SI; the file is found from the folder of the case."""
        _, table = read_columns(Path(self.samples), folder, (self.column,))
        return tuple((self.scale * table[:, 0]).tolist())


Points = tuple[Array, ...]

_Numbers = Annotated[tuple[AnyQuantity, ...], Field(min_length=2, strict=False)]
_Rows = Annotated[tuple[Annotated[Any, OneOrList(AnyQuantity, _Numbers)], ...], Field(min_length=2, strict=False)]
_Inputs = Annotated[tuple[FormulaOfState, ...], Field(min_length=1, max_length=2, strict=False)]


class PointsEntry(Entry):
    """Points of one input or two, increasing, and values: of two inputs a row for each point of the first."""

    over: _Rows
    values: _Rows


class TableEntry(Entry):
    """Values over one input or two, of a CSV file or in lists: cubic without overshoot, held beyond its ends.

    A file has a column for each input and then one of the values, or, of two inputs, a grid: the points of the
    first input in its first column and those of the second in its header. `scales` turn the columns into SI units.
    """

    leads: ClassVar[tuple[str, ...]] = ("table",)
    table: Annotated[FileName | PointsEntry, ByShape(PointsEntry, FileName)]
    inputs: Annotated[Any, OneOrList(FormulaOfState, _Inputs)]
    scales: _Numbers | None = None

    def law(self, folder: Folder) -> Table:
        """The table; a file is found from the folder of the case."""
        inputs = self.inputs if isinstance(self.inputs, tuple) else (self.inputs,)
        if isinstance(self.table, PointsEntry):
            over = self.table.over if len(inputs) > 1 else (self.table.over,)
            return Table(inputs, over, self.table.values)
        points, values = read_grid(self.table, folder, len(inputs), self.scales)
        return Table(inputs, tuple(part.tolist() for part in points), values.tolist())


def read_grid(name: FileName, folder: Folder, inputs: int, scales: Sequence[float] | None) -> tuple[Points, Array]:
    """Points of each input and the values over them, in SI, of a CSV file with columns or with a grid."""
    file = read_csv(Path(name), folder)
    if scales is not None and len(scales) != inputs + 1:
        raise InputError(
            f"{len(scales)} scales are given; give one for each input and one of the values",
            field="scales",
        )
    points, values = _grid(file) if inputs == 2 and _is_grid(file) else _columns(file, inputs)
    factors = (1.0,) * (inputs + 1) if scales is None else scales
    return tuple(c * x for c, x in zip(factors, points, strict=False)), factors[-1] * values


def _is_grid(file: CsvFile) -> bool:
    """Whether the header has numbers after its first cell."""
    try:
        return all(np.isfinite(float(name)) for name in file.names[1:])
    except ValueError:
        return False


def _grid(file: CsvFile) -> tuple[Points, Array]:
    table = file.columns(range(len(file.names)))
    return (table[:, 0], np.array([float(name) for name in file.names[1:]])), table[:, 1:]


def _columns(file: CsvFile, inputs: int) -> tuple[Points, Array]:
    """Points that stand in lines, in any order; those of two inputs fill a grid."""
    name = file.path.name
    if len(file.names) != inputs + 1:
        wanted = "its points and values" if inputs == 1 else "both points and values, or numbers in its header"
        raise InputError(
            f"{name}:{file.header}: has {len(file.names)} columns, and a table of {inputs} "
            f"input{'s' * (inputs > 1)} has {inputs + 1}, {wanted}"
        )
    table = file.columns(range(inputs + 1))
    if inputs == 1:
        return (table[:, 0],), table[:, 1]
    (x, row), (y, column) = (np.unique(table[:, k], return_inverse=True) for k in range(2))
    values = np.full((len(x), len(y)), np.nan)
    for line, i, j, value in zip(file.lines, row, column, table[:, 2], strict=True):
        if not np.isnan(values[i, j]):
            raise InputError(f"{name}:{line[0]}: the point {x[i]:g}, {y[j]:g} stands there twice; remove one line")
        values[i, j] = value
    missing = np.argwhere(np.isnan(values))
    if missing.size:
        i, j = missing[0]
        raise InputError(
            f"{name}: the points fill no grid, {x[i]:g}, {y[j]:g} is missing; give a value for every pair"
        )
    return (x, y), values
