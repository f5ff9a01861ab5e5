"""Records of motion in CSV files."""

import csv
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from flexframe.cases.problems import did_you_mean
from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.motion.laws import Signal
from flexframe.motion.samples import Sampled

MAX_BYTES = 200_000_000


def sampled_columns(path: Path, time: str, wanted: Sequence[str]) -> dict[str, Signal]:
    """The wanted columns of a CSV file as functions of its time column."""
    names, values = _table(path)
    for name in (time, *wanted):
        if name not in names:
            raise InputError(
                f"{path.name} has no column '{name}'{did_you_mean(name, names)}; it has {', '.join(names)}"
            )
    times = values[:, names.index(time)]
    return {name: Sampled(times, values[:, names.index(name)]) for name in wanted}


def _table(path: Path) -> tuple[list[str], Array]:
    """Column names and numbers (rows, columns); the separator is a comma, semicolon or tab."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise InputError(f"{path.name} is larger than {MAX_BYTES // 10**6} MB; take fewer samples")
        with path.open(encoding="utf-8-sig", newline="") as file:
            first = file.readline()
            separator = max(",;\t", key=first.count)
            names = [name.strip() for name in next(csv.reader([first], delimiter=separator), [])]
            rows = [row for row in csv.reader(file, delimiter=separator) if any(cell.strip() for cell in row)]
    except FileNotFoundError:
        raise InputError(f"there is no file {path}; give its path from the folder of the case") from None
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path.name} cannot be read ({error}); give a CSV file with a header") from None
    if len(set(names)) < len(names) or not all(names):
        raise InputError(f"{path.name} has a header with empty or repeated names; name each column once")
    values = np.empty((len(rows), len(names)))
    for number, row in enumerate(rows):
        try:
            values[number] = [float(cell) for cell in row]
        except ValueError:
            raise InputError(f"{path.name}: data row {number + 1} is not {len(names)} numbers; mend it") from None
    return names, values
