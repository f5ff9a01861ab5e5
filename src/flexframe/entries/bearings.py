"""Bearings, seals and supports of a rotor in a case, and their tables."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, model_validator

from flexframe.entries import quantities as q
from flexframe.entries.entry import Entry, refusal, refusal_at
from flexframe.entries.fields import Angle, Checked, FileName, Force, Name, Selection, quantity
from flexframe.entries.films import FilmEntry
from flexframe.entries.parameters import any_value
from flexframe.entries.problems import did_you_mean, show_value
from flexframe.entries.tables import ByShape, CsvFile, read_csv
from flexframe.errors import InputError, at_field
from flexframe.files import Folder
from flexframe.maths.arrays import Array
from flexframe.model.bearings import COLUMNS, IMPEDANCES

if TYPE_CHECKING:
    from flexframe.model.bearings import Bearing, BearingTable, Pedestal

_INPUTS = {
    "speed": q.ANGULAR_VELOCITY,
    "frequency": q.Dimension("a frequency", "rad/s", (0, 0, -1), "50 Hz", turns=True),
}
_ALIASES = {"rpm": "speed", "omega": "speed", "speeds": "speed", "freq": "frequency", "frequencies": "frequency"}
_UNITS = {"rpm": "rpm"}  # of columns whose names say it
_HEADER = re.compile(r"\s*([^\[\](){}]*?)\s*(?:[\[({]\s*([^\[\](){}]*?)\s*[\])}])?\s*")
_LETTERS = {
    "k": ("a stiffness", "N/m", -2),
    "c": ("a damping", "N s/m", -1),
    "m": ("a mass", "kg", 0),
    "h": ("a dynamic stiffness", "N/m", -2),
}


def _dimension(column: str) -> q.Dimension:
    """What a column measures: kxx N/m, cxa N s (of a tilt), mbb kg m² …"""
    if column in _INPUTS:
        return _INPUTS[column]
    name, unit, seconds = _LETTERS[column[0]]
    tilts = sum(axis in "ab" for axis in column[1:3])
    unit += ("", " m", " m^2")[tilts]
    return q.Dimension(name, unit, (tilts, 1, seconds), f"1 {unit}")


# ---------------------------------------------------------------------- one value, two, or a matrix


def _values(dimension: q.Dimension, sizes: tuple[int, ...]) -> Checked:
    """A value for all directions, one for each of two, or a square matrix of one of the sizes."""
    one, entry = quantity(dimension, "not negative"), quantity(dimension)

    def check(value: Any) -> Any:
        if not isinstance(value, list | tuple):
            return one.check(value)
        if not any(isinstance(row, list | tuple) for row in value):
            if len(value) != 2:
                raise refusal(
                    f"{show_value(value)} has {len(value)} values; give one, two across the axis, or a matrix "
                    "such as [[1e7, 2e6], [-2e6, 1e7]]"
                )
            return tuple(one.check(part) for part in value)
        size = len(value)
        if size not in sizes or any(not isinstance(row, list | tuple) or len(row) != size for row in value):
            wanted = " or ".join(f"{n} × {n}" for n in sizes)
            raise refusal(
                f"{show_value(value)} is no matrix of {wanted}; give its rows, such as [[1e7, 0], [0, 1e7]]"
            )
        return tuple(tuple(entry.check(part) if size == 2 else _any(part) for part in row) for row in value)

    numbers = list(entry.schema["anyOf"])
    row = {"type": "array", "items": {"anyOf": numbers}, "minItems": 2, "maxItems": max(sizes)}
    both = {"type": "array", "items": {"anyOf": [*numbers, row]}, "minItems": 2, "maxItems": max(sizes)}
    name = f"{dimension.name[0].upper()}{dimension.name[1:]}"
    return Checked(
        check, {"description": f"{name} in all directions, along x and y, or a matrix", "anyOf": [*numbers, both]}
    )


def _any(value: Any) -> float:
    """An entry of a matrix with tilts, whose units differ."""
    try:
        return any_value(value)
    except InputError as error:
        raise refusal(str(error)) from None


Values = float | tuple[float, ...] | tuple[tuple[float, ...], ...]
_Stiffness = Annotated[Values, _values(q.FORCE_PER_LENGTH, (2, 4))]
_Damping = Annotated[Values, _values(q.DAMPING, (2, 4))]
_Mass = Annotated[Values, _values(q.MASS, (2, 4))]
_TiltStiffness = Annotated[Values, _values(q.MOMENT, (2,))]
_TiltDamping = Annotated[Values, _values(q.TORSION_DAMPING, (2,))]


# ---------------------------------------------------------------------- tables


class BearingTableEntry(Entry):
    """Coefficients over the speed or the frequency: a CSV file with a header, or columns in lists.

    Columns are `speed`, `frequency`, and kxx, kxy, kyx, kyy, cxx …, mxx …, with a and b in place of x and y for
    the tilts about them; kyy, cyy and myy are kxx, cxx and mxx unless they are given. Units stand in brackets in
    the header, or in `units`; without one a column is in SI. hxx_re, hxx_im … are a dynamic stiffness over the
    frequency.
    """

    file: FileName | None = None
    columns: dict[str, Annotated[tuple[Any, ...], Field(min_length=1, strict=False)]] | None = None
    units: dict[str, str] = Field(default_factory=dict)
    over: Literal["speed", "frequency"] | None = None
    interpolation: Literal["cubic", "linear"] = "cubic"
    beyond: Literal["refuse", "hold"] = "refuse"
    load: Annotated[tuple[Force, ...], Field(min_length=2, max_length=2, strict=False)] | None = None

    @model_validator(mode="after")
    def _one_source(self) -> "BearingTableEntry":
        if (self.file is None) == (self.columns is None):
            raise refusal_at("file", "give either the file of a table or its columns")
        for name in self.columns or {}:
            if _known_column(name) is None:
                raise refusal_at(("columns", name), _unknown(name))
        return self

    def table(self, folder: Folder) -> "BearingTable":
        """The table; a file is found from the folder of the case."""
        from flexframe.model.bearings import BearingTable

        columns = self._from_file(folder) if self.file is not None else self._from_lists()
        if self.over is not None:
            inputs = [name for name in _INPUTS if name in columns]
            if len(inputs) != 1:
                raise InputError(
                    f"the table has {len(inputs)} columns of speeds and frequencies; leave over out", field="over"
                )
            columns[self.over] = columns.pop(inputs[0])
        load = None if self.load is None else (self.load[0], self.load[1])
        return BearingTable.from_columns(
            columns, interpolation=self.interpolation, beyond=self.beyond, load=load, source=self.file or ""
        )

    def _from_lists(self) -> dict[str, Any]:
        out = {}
        for given, values in (self.columns or {}).items():
            name = _known_column(given)
            assert name is not None, "checked above"
            check = quantity(_dimension(name)).check
            out[name] = [
                check(value if isinstance(value, str) else _with_unit(value, self.units.get(given)))
                for value in values
            ]
        return out

    def _from_file(self, folder: Folder) -> dict[str, Array]:
        assert self.file is not None
        file = read_csv(Path(self.file), folder)
        found: dict[str, tuple[int, float]] = {}
        for place, text in enumerate(file.names):
            name, unit = _header(text)
            if name is None:
                raise InputError(f"{self.file}:{file.header}: {_unknown(text)}")
            if name in found:
                raise InputError(f"{self.file}:{file.header}: column {name} stands there twice; remove one")
            unit = self.units.get(text, self.units.get(name, unit))
            found[name] = place, _factor(file, name, unit)
        numbers = file.columns([place for place, _ in found.values()])
        return {name: factor * numbers[:, k] for k, (name, (_, factor)) in enumerate(found.items())}


def _with_unit(value: Any, unit: str | None) -> Any:
    return value if unit is None else f"{value} {unit}"


def _header(text: str) -> tuple[str | None, str]:
    """The column that a header stands for, None if it is not known, and its unit."""
    match = _HEADER.fullmatch(text)
    written, unit = (match[1], match[2] or "") if match else (text, "")
    return _known_column(written), unit or _UNITS.get(written.strip().lower(), "")


def _known_column(name: str) -> str | None:
    """The column of that name, in capitals or not."""
    plain = name.strip().lower().replace(" ", "_")
    plain = _ALIASES.get(plain, plain)
    return plain if plain in _INPUTS or plain in COLUMNS or plain in IMPEDANCES else None


def _unknown(name: str) -> str:
    near = did_you_mean(name.lower(), [*_INPUTS, *COLUMNS])
    return (
        f"'{name}' is no column of a bearing{near}; the columns are speed, frequency, kxx, kxy, kyx, kyy, cxx …, "
        "mxx …, hxx_re, hxx_im …, and a, b in place of x, y for tilts"
    )


def _factor(file: CsvFile, name: str, unit: str) -> float:
    """SI units in a unit of a column."""
    dimension = _dimension(name)
    try:
        return q.si_value(f"1 {unit}", dimension) if unit else 1.0
    except InputError as error:
        raise InputError(f"{file.path.name}:{file.header}: column {name}: {error}") from None


_Table = Annotated[FileName | BearingTableEntry | None, ByShape(BearingTableEntry, FileName | None)]


def _made_table(given: FileName | BearingTableEntry | None, folder: Folder) -> "BearingTable | None":
    if given is None:
        return None
    with at_field("table"):
        return (given if isinstance(given, BearingTableEntry) else BearingTableEntry(file=given)).table(folder)


# ---------------------------------------------------------------------- bearings


class PedestalEntry(Entry):
    """What a bearing stands on: a mass that moves across the axis, and what holds it in space.

    Without a mass the table is the whole dynamic stiffness over the frequency, mass included.
    """

    mass: _Mass | None = None
    stiffness: _Stiffness = 0.0
    damping: _Damping = 0.0
    table: _Table = None

    def pedestal(self, folder: Folder) -> "Pedestal":
        """The pedestal that is described."""
        from flexframe.model.bearings import Pedestal

        with at_field("pedestal"):
            return Pedestal(self.mass, self.stiffness, self.damping, _made_table(self.table, folder))


class BearingFields(Entry):
    """What a bearing does: K, C and M of one value, two, 2 × 2 or 4 × 4, and a table that adds to them.

    One value holds in all directions, two hold along x and y, a matrix of two rows is that of x and y, one of four
    rows has the tilts about x and y too; matrices may be unsymmetric and have negative entries. x and y are the
    directions of space that the first body axes across the spin axis have at t = 0, turned by `angle`. The
    table of a `film` is computed.
    """

    stiffness: _Stiffness = 0.0
    damping: _Damping = 0.0
    tilt_stiffness: _TiltStiffness = 0.0
    tilt_damping: _TiltDamping = 0.0
    mass: _Mass = 0.0
    table: _Table = None
    film: FilmEntry | None = None
    angle: Angle = 0.0

    @model_validator(mode="after")
    def _one_table(self) -> "BearingFields":
        if self.film is not None and self.table is not None:
            raise refusal_at("film", "a bearing has one table; give either a film or a table")
        return self

    def make(self, folder: Folder, **place: Any) -> "Bearing":
        """The bearing that is described, at a place; tables are found from the folder of the case."""
        from flexframe.model.bearings import Bearing

        fields = {
            name: getattr(self, name) for name in BearingFields.model_fields if name not in ("table", "film")
        }
        table = _made_table(self.table, folder) if self.film is None else self.film.table()
        return Bearing(**fields, table=table, **place)


class BearingEntry(BearingFields):
    """A bearing, seal or support at each selected node: forces across the spin axis that stay in space.

    One value holds in all directions, two hold along x and y, a matrix of two rows is that of x and y, one of four
    rows has the tilts about x and y too; matrices may be unsymmetric and have negative entries. x and y are the
    directions of space that the first body axes across the spin axis have at t = 0, turned by `angle`. A table
    adds to the values; that of a `film` is computed. With `to` the other end is a node of the body instead of
    space; a pedestal moves between both.
    """

    on: Selection
    to: Selection | None = None
    pedestal: PedestalEntry | None = None

    def bearing(self, folder: Folder, name: str = "") -> "Bearing":
        """The bearing that is described."""
        pedestal = None if self.pedestal is None else self.pedestal.pedestal(folder)
        return self.make(folder, on=self.on, to=self.to, name=name, pedestal=pedestal)


Bearings = Annotated[tuple[BearingEntry, ...], Field(strict=False)]
NamedBearings = dict[Name, BearingEntry]


def bearings(entries: Sequence[BearingEntry] | Mapping[str, BearingEntry], folder: Folder) -> "list[Bearing]":
    """The bearings that are described, each error at its place."""
    named = list(entries.items()) if isinstance(entries, Mapping) else [("", entry) for entry in entries]
    made = []
    for number, (name, entry) in enumerate(named):
        with at_field("bearings", name or number):
            made.append(entry.bearing(folder, name))
    return made
