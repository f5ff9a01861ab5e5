"""Nastran OP2: eigenvectors and eigenvalues; other tables are passed over.

A file is a sequence of Fortran records: markers, which are single whole numbers, and data of as many words as the
marker before them says. A table has a name, a trailer and records −3, −4 …; results come as pairs of records, one
that identifies and one of values. Words are of four or eight bytes, in either order.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import numpy as np

from flexframe.errors import InputError
from flexframe.exchange.contract import FiledModes, Format, Part, Settings
from flexframe.exchange.labels import usable_labels
from flexframe.exchange.units import Units
from flexframe.files import OpenFile
from flexframe.maths.arrays import Array, IntArray

_SHAPES = ("OUGV1", "OUGV1PAT", "OUG1", "BOUGV1", "BOPHIG", "BOPHIG1", "OUG2", "OPHIG", "OUGV2", "BOUGV2")
_BASIC = ("BOUGV1", "BOPHIG", "BOPHIG1", "BOUGV2")  # in basic axes, others in those of each point
_VALUES = ("LAMA", "BLAMA", "LAMAS", "LAMAF")
_IDENTITY = 146  # words of a record that identifies
_EIGENVALUE, _EIGENVECTOR = 6, 7  # table codes
_LARGEST = 100_000_000  # label of a grid point
_OF_MODES = 2  # analysis code: real eigenvalues
_WIDTH = 8  # words of a point: label, kind, six numbers
_MOST_WORDS = 2**31


@dataclass(eq=False)
class _Reader:
    """Records of an open file."""

    file: OpenFile
    order: str = "<"
    word: int = 4

    def __post_init__(self) -> None:
        head = self.file.head(4)
        for order in "<>":
            for word in (4, 8):
                if np.frombuffer(head, dtype=f"{order}i4").tolist() == [word]:
                    self.order, self.word = order, word
                    return
        raise InputError(f"{self.file.name}: is not an OP2 file of Nastran; write it with PARAM,POST,-1")

    def refuse(self, reason: str) -> NoReturn:
        """Refuse the file."""
        raise InputError(f"{self.file.name}: is damaged or cut off ({reason}); write it again")

    @property
    def integer(self) -> str:
        return f"{self.order}i{self.word}"

    @property
    def real(self) -> str:
        return f"{self.order}f{self.word}"

    def block(self) -> bytes | None:
        """The next Fortran record; None at the end of the file."""
        stream = self.file.stream
        head = stream.read(4)
        if not head:
            return None
        if len(head) < 4:
            self.refuse("it ends within a record")
        length = int(np.frombuffer(head, dtype=f"{self.order}i4")[0])
        if not 0 <= length <= self.file.size:
            self.refuse("a record has an impossible length")
        data = stream.read(length + 4)
        if len(data) < length + 4 or data[length:] != head:
            self.refuse("a record has not the length that it says")
        return data[:length]

    def marker(self) -> int | None:
        """A single whole number; None at the end of the file."""
        data = self.block()
        if data is None:
            return None
        if len(data) != self.word:
            self.refuse("a marker is missing")
        return int(np.frombuffer(data, dtype=self.integer)[0])

    def required_marker(self) -> int:
        """A marker that must be there."""
        found = self.marker()
        if found is None:
            self.refuse("it ends within a table")
        return found

    def data(self, words: int, more: int = 0) -> bytes:
        """A record of so many words, and of some more that are not counted: rows of the columns of matrices."""
        found = self.block()
        if found is None or len(found) != (words + more) * self.word or words > _MOST_WORDS:
            self.refuse("a record has not as many words as its marker says")
        return found

    def tables(self) -> Iterator[tuple[str, Iterator[bytes]]]:
        """Names of the tables and their records; those that are not asked for are passed over."""
        self._pass_label()
        while True:
            count = self.marker()
            if count is None or count == 0:
                return
            if not 0 < count <= 4:
                self.refuse("a table has no name")
            name = self.data(count)[: 2 * self.word].decode("latin-1")
            name = "".join(name[k * self.word : k * self.word + 4] for k in (0, 1)).strip()  # four letters a word
            records = self._records()
            yield name, records
            for _ in records:
                pass

    def _pass_label(self) -> None:
        """Date and label of the file, where it has them: 3, date, 7, text, 2, label, −1, 0."""
        start = self.file.stream.tell()
        if self.marker() != 3:
            self.file.stream.seek(start)
            return
        count = 3
        while count > 0:
            self.data(count)
            count = self.required_marker()
        self.required_marker()

    def _records(self) -> Iterator[bytes]:
        """Records of a table behind its name and trailer, parts of one put together."""
        count = self.required_marker()
        while count > 0:  # some versions repeat the name
            self.data(count)
            count = self.required_marker()
        if count != -1:
            self.refuse("a table has no trailer")
        self.data(self.required_marker())
        expected = -2
        while True:
            if self.required_marker() != expected:
                self.refuse(f"record {-expected} of a table is missing")
            expected -= 1
            self.required_marker()
            of_matrix = self.required_marker()
            parts: list[bytes] = []
            while True:
                here = self.file.stream.tell()
                count = self.required_marker()
                if count <= 0:
                    break
                parts.append(self.data(count, 1 if of_matrix else 0))
            if count == 0:
                if parts:
                    yield b"".join(parts)
                return
            self.file.stream.seek(here)
            yield b"".join(parts)


def read_op2(file: OpenFile, settings: Settings) -> Part:
    """Frequencies, generalised masses and shapes of the modes in a file."""
    reader = _Reader(file)
    shapes: list[tuple[int, float, IntArray, Array]] = []
    values: dict[int, tuple[float, float]] = {}
    names: list[str] = []
    basic = False
    for name, records in reader.tables():
        names.append(name)
        if name in _VALUES:
            values |= _eigenvalues(reader, list(records))
        elif name in _SHAPES and not (shapes and name in _BASIC):
            found = list(_eigenvectors(reader, records))
            if found:
                shapes, basic = found, name in _BASIC
    if not shapes:
        listed = ", ".join(dict.fromkeys(names)) or "none"
        raise InputError(f"{file.name}: has no eigenvectors (tables: {listed}); write them in a modal solution")
    return Part(modes=_modes(reader, shapes, values, settings, basic=basic))


def _eigenvalues(reader: _Reader, records: list[bytes]) -> dict[int, tuple[float, float]]:
    """Frequency [Hz] and generalised mass by the number of the mode; seven words for each."""
    found = {}
    for data in records[1:]:
        if len(data) == _IDENTITY * reader.word:
            continue
        rows = len(data) // (7 * reader.word)
        whole = np.frombuffer(data, dtype=reader.integer)[: 7 * rows].reshape(-1, 7)
        real = np.frombuffer(data, dtype=reader.real)[: 7 * rows].reshape(-1, 7)
        for number, row in zip(whole[:, 0].tolist(), real, strict=True):
            found[int(number)] = (float(row[4]), float(row[5]))
    return found


def _eigenvectors(reader: _Reader, records: Iterator[bytes]) -> Iterator[tuple[int, float, IntArray, Array]]:
    """Number, eigenvalue, labels and displacements of each mode."""
    identity: bytes | None = None
    subcase = 0
    for data in records:
        if len(data) == _IDENTITY * reader.word:
            identity = data
            continue
        if identity is None:
            continue
        whole, real = (np.frombuffer(identity, dtype=form) for form in (reader.integer, reader.real))
        identity = None
        analysis, table = int(whole[0]) // 10, int(whole[1]) % 1000
        if analysis != _OF_MODES or table not in (_EIGENVECTOR, 1) or whole[3] != (subcase or whole[3]):
            continue
        subcase = int(whole[3])  # of several the first
        if whole[8] != 1 or whole[9] != _WIDTH:
            raise InputError(
                f"{reader.file.name}: its modes are complex; write those of the undamped part at rest"
            )
        rows = len(data) // (_WIDTH * reader.word)
        points = np.frombuffer(data, dtype=reader.integer)[: _WIDTH * rows].reshape(-1, _WIDTH)
        numbers = np.frombuffer(data, dtype=reader.real)[: _WIDTH * rows].reshape(-1, _WIDTH)
        grids = points[:, 1] == 1  # others are scalar points
        labels = points[grids, 0].astype(np.int64) // 10
        yield int(whole[4]), float(real[5]), labels, numbers[grids, 2:].astype(float)


def _modes(
    reader: _Reader,
    shapes: list[tuple[int, float, IntArray, Array]],
    values: dict[int, tuple[float, float]],
    settings: Settings,
    *,
    basic: bool,
) -> FiledModes:
    labels = shapes[0][2]
    if not labels.size or len(np.unique(labels)) < len(labels):
        reader.refuse("its modes have no grid points, or one twice")
    if any(not np.array_equal(own, labels) for _, _, own, _ in shapes):
        raise InputError(
            f"{reader.file.name}: its modes are of different grid points; write all modes of one part"
        )
    units = settings.units
    field = np.array([shape for _, _, _, shape in shapes])
    frequencies, masses = [], []
    for number, eigenvalue, _, _ in shapes:
        usual = (np.sqrt(max(eigenvalue, 0.0)) / (2 * np.pi), 1.0)
        frequency, mass = values.get(number, usual)
        frequencies.append(frequency)
        masses.append(mass if mass > 0 else 1.0)
    found = np.array(frequencies) / units.time
    if not np.isfinite(field).all() or not np.isfinite(found).all() or not np.isfinite(masses).all():
        reader.refuse("its modes are not finite numbers")
    field[..., :3] *= units.length
    scaled = np.array(masses) * units.mass * units.length**2
    there = tuple(bool(np.any(field[..., column])) or column < 3 for column in range(6))
    return FiledModes(found, field, labels, scaled, there, turned=not basic)


# ---------------------------------------------------------------------- writing


def write_op2(part: Part, path: Path, units: Units) -> tuple[str, ...]:
    """Write eigenvalues and shapes as tables LAMA and OUGV1, in words of four bytes."""
    modes = part.modes
    assert modes is not None
    labels = usable_labels(modes.node_labels, len(modes.node_labels), _LARGEST)
    frequencies = modes.frequencies_hz * units.time
    masses = modes.masses / (units.mass * units.length**2)
    omega = 2 * np.pi * frequencies
    values = np.zeros((len(omega), 7), dtype="<i4")
    values[:, :2] = np.arange(1, len(omega) + 1)[:, None]
    values.view("<f4")[:, 2:] = np.stack([omega**2, omega, frequencies, masses, masses * omega**2], axis=1)
    shapes = modes.shapes.copy()
    shapes[..., :3] /= units.length
    records = []
    for number, (shape, eigenvalue) in enumerate(zip(shapes, omega**2, strict=True), start=1):
        points = np.zeros((len(labels), _WIDTH), dtype="<i4")
        points[:, 0], points[:, 1] = 10 * labels + 1, 1  # for plots, and a grid point
        points.view("<f4")[:, 2:] = shape
        records += [_identity(number, _EIGENVECTOR, float(eigenvalue)), points.tobytes()]
    head = _marker(3) + _fortran(np.array([1, 1, 0], dtype="<i4").tobytes())  # a date, the same in all files
    head += _count_frame(b"NASTRAN FORT TAPE ID CODE - ") + _count_frame(b"XXXXXXXX") + _marker(-1) + _marker(0)
    lama = [_identity(1, _EIGENVALUE, float(omega[0] ** 2)), values.tobytes()]
    path.write_bytes(head + _table("LAMA", lama) + _table("OUGV1", records) + _marker(0))
    return ("numbers of OP2 files have seven digits",)


def _fortran(data: bytes) -> bytes:
    length = np.array([len(data)], dtype="<i4").tobytes()
    return length + data + length


def _marker(number: int) -> bytes:
    return _fortran(np.array([number], dtype="<i4").tobytes())


def _count_frame(data: bytes) -> bytes:
    return _marker(len(data) // 4) + _fortran(data)


def _table(name: str, records: list[bytes]) -> bytes:
    letters = name.ljust(8).encode("ascii")
    made = [
        _count_frame(letters),
        _marker(-1),
        _count_frame(bytes(28)),
        _marker(-2),
        _marker(1),
        _marker(0),
        _count_frame(letters),
    ]
    for number, record in enumerate(records, start=3):
        made += [_marker(-number), _marker(1), _marker(0), _count_frame(record)]
    return b"".join([*made, _marker(-3 - len(records)), _marker(1), _marker(0), _marker(0)])


def _identity(number: int, table: int, eigenvalue: float) -> bytes:
    """The record before values: real modes of subcase 1, titles empty."""
    whole = np.zeros(50, dtype="<i4")
    whole[:5] = (10 * _OF_MODES + 1, table, 0, 1, number)
    whole[8:10] = (1, _WIDTH)
    whole.view("<f4")[5] = eigenvalue
    return whole.tobytes() + b" " * (4 * (_IDENTITY - 50))


def knows_op2(head: bytes) -> bool:
    """Whether the first bytes are a marker and what follows it."""
    for order in "<>":
        narrow = [np.array([4, count, 4], dtype=f"{order}i4").tobytes() for count in (2, 3)]
        if head.startswith((*narrow, np.array([8], dtype=f"{order}i4").tobytes())):
            return True
    return False


OP2 = Format(
    name="op2",
    title="Nastran OP2",
    endings=(".op2",),
    reads=("modes",),
    writes=("modes",),
    read=read_op2,
    write=write_op2,
    knows=knows_op2,
)
