"""Files of comma-separated values: a header, and a line of numbers for each sample."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import numpy as np

from flexframe.entries.problems import did_you_mean
from flexframe.errors import InputError
from flexframe.files import Folder
from flexframe.maths.arrays import Array
from flexframe.maths.smoothing import LARGEST_SAMPLE

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
