"""Nastran OP4: named matrices in text or binary form, dense or by strings of entries.

A matrix has a head (columns, rows, form, type, name) and a record for each column that is not empty: its number,
the first row or 0, the number of words, and values. With 0 come strings: a word that holds length and row, or,
where the number of rows is negative, two words. Types are 1, 2 real of single and double precision, 3, 4 complex.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import numpy as np
from scipy import sparse

from flexframe.errors import InputError
from flexframe.exchange.contract import FiledMatrix, Format, Part, Settings, matrix_in_si
from flexframe.exchange.units import Units
from flexframe.files import OpenFile
from flexframe.maths.arrays import Array, IntArray, SparseMatrix

ROWS = "ROWS"
"""Name of a matrix in which flexframe writes node label and degree of freedom of each row of the others."""

_LARGEST = 100_000_000  # rows or columns
_SQUARE, _RECTANGULAR, _SYMMETRIC = 1, 2, 6


@dataclass(frozen=True)
class _Head:
    name: str
    rows: int
    columns: int
    form: int
    kind: int
    wide: bool  # strings with two words before them


def read_op4(file: OpenFile, settings: Settings) -> Part:
    """Square real matrices by name in SI units; what else there is is listed."""
    reader = _Binary(file) if b"\0" in file.head(200) else _Text(file)
    found: dict[str, SparseMatrix] = {}
    notices = []
    for head, matrix in reader.matrices():
        if head.kind > 2:
            notices.append(f"matrix {head.name} is complex and was not read")
        elif head.name in found:
            raise InputError(f"{file.name}: has two matrices called {head.name}; write them under other names")
        else:
            found[head.name] = matrix
    if not found:
        raise InputError(f"{file.name}: has no real matrix; give an OP4 file of Nastran (is it cut off?)")
    listed = found.pop(ROWS, None)
    if listed is not None and (listed.shape[1] != 2 or abs(listed).max() > _LARGEST):
        raise InputError(f"{file.name}: the labels of its rows are none; write it again")
    rows = None if listed is None else np.rint(listed.toarray()).astype(np.int64)
    matrices = {}
    for name, matrix in found.items():
        if matrix.shape[0] != matrix.shape[1]:
            notices.append(f"matrix {name} is {matrix.shape[0]} × {matrix.shape[1]} and no square one")
            continue
        own = rows if rows is not None and len(rows) == matrix.shape[0] else None
        if own is None and settings.units.length != 1.0:
            notices.append(f"matrix {name} has no labels of its rows; it is taken as if all were displacements")
        known = np.column_stack([np.zeros(len(matrix.indptr) - 1), np.ones(len(matrix.indptr) - 1)]).astype(int)
        scaled = matrix_in_si(matrix, known if own is None else own, name, settings.units)
        matrices[name] = FiledMatrix(scaled, own)
    return Part(matrices=matrices, notices=tuple(notices))


class _Reader:
    """What text and binary files have in common."""

    file: OpenFile

    def refuse(self, reason: str) -> NoReturn:
        """Refuse the file."""
        raise InputError(f"{self.file.name}: is damaged or cut off ({reason}); write it again")

    def head(self, numbers: list[int], name: str) -> _Head:
        """The head of a matrix, if it is possible."""
        columns, rows, form, kind = numbers
        if not 0 < columns < _LARGEST or not 0 < abs(rows) < _LARGEST or not 1 <= kind <= 4:
            self.refuse("a matrix has an impossible size")
        return _Head(name.strip().upper(), abs(rows), columns, form, kind, rows < 0)

    def assemble(self, head: _Head, parts: list[tuple[int, int, Array]]) -> SparseMatrix:
        """Column, first row (from 0) and values of every piece as a matrix; complex ones are not needed."""
        if head.kind > 2:
            return sparse.csr_array((head.rows, head.columns), dtype=float)
        for column, row, values in parts:
            if not 0 <= column < head.columns or not 0 <= row <= row + len(values) <= head.rows:
                self.refuse(f"matrix {head.name} has entries outside of it")
            if not np.isfinite(values).all():
                self.refuse(f"matrix {head.name} has entries that are not finite numbers")
        lengths = [len(values) for _, _, values in parts]
        columns = np.repeat([column for column, _, _ in parts], lengths).astype(np.int64)
        starts = np.repeat([row for _, row, _ in parts], lengths).astype(np.int64)
        inside = np.concatenate([np.empty(0, dtype=np.int64), *(np.arange(count) for count in lengths)])
        data = np.concatenate([np.empty(0), *(values for _, _, values in parts)])
        shape = (head.rows, head.columns)
        matrix = sparse.csr_array(sparse.coo_array((data, (starts + inside, columns)), shape=shape))
        if head.form == _SYMMETRIC and head.rows != head.columns:
            self.refuse(f"matrix {head.name} is symmetric but not square")
        if head.form == _SYMMETRIC and not (sparse.tril(matrix, -1).nnz and sparse.triu(matrix, 1).nnz):
            matrix = sparse.csr_array(matrix + matrix.T - sparse.diags_array(matrix.diagonal()))
        return matrix


@dataclass(eq=False)
class _Binary(_Reader):
    """Fortran records."""

    file: OpenFile
    order: str = "<"

    def matrices(self) -> Iterator[tuple[_Head, SparseMatrix]]:
        """Every matrix of the file."""
        first = self.file.head(4)
        for order in "<>":
            if np.frombuffer(first, dtype=f"{order}i4").tolist() in ([24], [48]):
                self.order = order
                break
        else:
            raise InputError(f"{self.file.name}: is not an OP4 file of Nastran; write it with OUTPUT4")
        while (record := self._record()) is not None:
            if len(record) not in (24, 48):
                self.refuse("a matrix has no head")
            wide = len(record) == 48
            numbers = np.frombuffer(
                record[: 32 if wide else 16], dtype=f"{self.order}i{8 if wide else 4}"
            ).tolist()
            head = self.head(numbers, record[32 if wide else 16 :].decode("latin-1").replace(" ", ""))
            yield head, self._matrix(head, 8 if wide else 4)

    def _record(self) -> bytes | None:
        stream = self.file.stream
        head = stream.read(4)
        if not head:
            return None
        length = int(np.frombuffer(head.ljust(4, b"\xff"), dtype=f"{self.order}i4")[0])
        if not 0 <= length <= self.file.size:
            self.refuse("a record has an impossible length")
        data = stream.read(length + 4)
        if len(data) != length + 4 or data[length:] != head:
            self.refuse("a record has not the length that it says")
        return data[:length]

    def _matrix(self, head: _Head, word: int) -> SparseMatrix:
        parts: list[tuple[int, int, Array]] = []
        each = 1 if head.kind in (1, 3) or word == 8 else 2  # words of a number
        form = f"{self.order}f{word * each}"
        while True:
            record = self._record()
            if record is None or len(record) < 3 * word:
                self.refuse(f"matrix {head.name} has no end")
            column, row, _ = np.frombuffer(record[: 3 * word], dtype=f"{self.order}i{word}").tolist()
            body = record[3 * word :]
            if column > head.columns:
                return self.assemble(head, parts)
            if head.kind > 2:
                continue
            if row > 0:
                values = np.frombuffer(body[: len(body) // (word * each) * (word * each)], dtype=form)
                with np.errstate(invalid="ignore"):  # what is not finite is refused
                    parts.append((column - 1, row - 1, values.astype(float)))
                continue
            words = np.frombuffer(body[: len(body) // word * word], dtype=f"{self.order}i{word}")
            at = 0
            while at < len(words):
                length, start, at = _string(words, at, wide=head.wide)
                if length <= 0 or at + length > len(words):
                    self.refuse(f"a string of matrix {head.name} goes beyond its record")
                values = np.frombuffer(body[word * at : word * (at + length // each * each)], dtype=form)
                parts.append((column - 1, start - 1, values.astype(float)))
                at += length


def _string(words: IntArray, at: int, *, wide: bool) -> tuple[int, int, int]:
    """Words and first row of a string, and where its values begin."""
    if wide:
        if at + 1 >= len(words):
            return 0, 0, at
        return int(words[at]) - 1, int(words[at + 1]), at + 2
    code = int(words[at])
    length = code // 65536 - 1
    return length, code - 65536 * (length + 1), at + 1


@dataclass(eq=False)
class _Text(_Reader):
    """Lines of numbers in columns of fixed width."""

    file: OpenFile

    def matrices(self) -> Iterator[tuple[_Head, SparseMatrix]]:
        """Every matrix of the file."""
        try:
            lines = iter(self.file.stream.read().decode("ascii").splitlines())
        except UnicodeDecodeError:
            raise InputError(f"{self.file.name}: is not an OP4 file of Nastran; write it with OUTPUT4") from None
        for line in lines:
            if not line.strip():
                continue
            try:
                numbers = [int(line[k : k + 8]) for k in (0, 8, 16, 24)]
                width = int(line[40:].partition("E")[2].partition(".")[0])
                each = int(line[40:].partition("E")[0].rpartition(",")[2] or 0)
            except (ValueError, IndexError):
                self.refuse(f"'{line[:50]}' is not the head of a matrix")
            if not 8 <= width <= 40 or not 1 <= each <= 20:
                self.refuse("a matrix has an impossible format")
            head = self.head(numbers, line[32:40])
            yield head, self._matrix(head, lines, width, each)

    def _matrix(self, head: _Head, lines: Iterator[str], width: int, each: int) -> SparseMatrix:
        parts: list[tuple[int, int, Array]] = []
        words = 1 if head.kind in (1, 3) else 2  # of a number
        try:
            while True:
                column, row, count = (int(word) for word in self._line(lines).split())
                if column > head.columns:
                    self._line(lines)
                    return self.assemble(head, parts)
                if row > 0:
                    parts.append((column - 1, row - 1, self._values(lines, count, width, each)))  # counts numbers
                    continue
                while count > 0:
                    if head.wide:
                        length, start = (int(word) for word in self._line(lines).split()[:2])
                        length, count = length - 1, count - 2
                    else:
                        code = int(self._line(lines).split()[0])
                        length = code // 65536 - 1
                        start, count = code - 65536 * (length + 1), count - 1
                    parts.append((column - 1, start - 1, self._values(lines, length // words, width, each)))
                    count -= length
        except (ValueError, IndexError):
            self.refuse(f"a line of matrix {head.name} is not what it should be")

    def _line(self, lines: Iterator[str]) -> str:
        found = next(lines, None)
        if found is None:
            self.refuse("it ends within a matrix")
        return found

    def _values(self, lines: Iterator[str], count: int, width: int, each: int) -> Array:
        if not 0 <= count < _LARGEST:
            self.refuse("a column has an impossible length")
        values: list[float] = []
        while len(values) < count:
            line = self._line(lines)
            here = min(each, count - len(values))
            values += [float(line[k * width : (k + 1) * width].replace("D", "E")) for k in range(here)]
        return np.array(values)


def write_op4(part: Part, path: Path, units: Units) -> tuple[str, ...]:
    """Write matrices as binary, double precision, by strings with wide rows; labels of rows as the matrix ROWS."""
    back = Units(1 / units.length, 1 / units.mass, 1 / units.time)
    made: list[tuple[str, SparseMatrix, int]] = []
    rows: IntArray | None = None
    for name, found in part.matrices.items():
        matrix = found.matrix
        if found.rows is not None:
            matrix = matrix_in_si(matrix, found.rows, name, back)
            if rows is not None and not np.array_equal(rows, found.rows):
                raise InputError("an OP4 file holds matrices of the same rows; write one file for each")
            rows = found.rows
        made.append((name[:8], matrix, _SYMMETRIC if abs(matrix - matrix.T).max() == 0 else _SQUARE))
    if rows is not None:
        made.append((ROWS, sparse.csr_array(rows.astype(float)), _RECTANGULAR))
    with path.open("wb") as stream:
        for name, matrix, form in made:
            stream.write(b"".join(_records(name, matrix, form)))
    return ()


def _records(name: str, matrix: SparseMatrix, form: int) -> Iterator[bytes]:
    by_column = sparse.csc_array(matrix)
    by_column.sort_indices()
    rows, columns = by_column.shape
    head = np.array([columns, -rows, form, 2], dtype="<i4").tobytes() + name.ljust(8).encode("ascii", "replace")
    yield _frame(head)
    for column in range(columns):
        place = slice(by_column.indptr[column], by_column.indptr[column + 1])
        indices, values = by_column.indices[place], by_column.data[place]
        if not len(indices):
            continue
        pieces = np.split(np.arange(len(indices)), np.flatnonzero(np.diff(indices) != 1) + 1)
        body, words = b"", 0
        for piece in pieces:
            string = values[piece].astype("<f8").tobytes()
            body += np.array([2 * len(piece) + 1, indices[piece[0]] + 1], dtype="<i4").tobytes() + string
            words += 2 * len(piece) + 2
        yield _frame(np.array([column + 1, 0, words], dtype="<i4").tobytes() + body)
    last = np.array([columns + 1, 1, 2], dtype="<i4").tobytes() + np.array([1.0], dtype="<f8").tobytes()
    yield _frame(last)


def _frame(data: bytes) -> bytes:
    length = np.array([len(data)], dtype="<i4").tobytes()
    return length + data + length


OP4 = Format(
    name="op4",
    title="Nastran OP4",
    endings=(".op4", ".kgg", ".mgg"),
    reads=("matrices",),
    writes=("matrices",),
    read=read_op4,
    write=write_op4,
)
