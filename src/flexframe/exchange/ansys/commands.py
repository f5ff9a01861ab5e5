"""The text of a coded database: commands with their fields, and blocks of numbers in columns."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from flexframe.errors import InputError
from flexframe.exchange.columns import Characters, Place, integers, reals, text_lines
from flexframe.files import OpenFile
from flexframe.maths.arrays import Array, IntArray

_BLOCKS = (
    rb"NBLOCK|EBLOCK|CMBLOCK|RLBLOCK|ETBLOCK|SECBLOCK|DBLOCK|FBLOCK|SFEBLOCK|BFBLOCK|BFEBLOCK|CEBLOCK|NUMBLOCK"
)
_LINE = re.compile(
    rb"^[ \t]*(?:(?P<block>" + _BLOCKS + rb")\b|(?P<name>[/*~]?[A-Z_][A-Z0-9_]*))(?P<rest>[^\n]*)$",
    re.IGNORECASE | re.MULTILINE,
)
_FORMAT = re.compile(rb"(\d*)([A-Za-z])(\d+)(?:\.\d+)?(?:[eE]\d+)?")
_AT_ONCE = 200_000  # lines
_WIDEST = 2000  # columns of a line
_BLANK = ord(" ")


@dataclass(frozen=True)
class Command:
    """A line outside blocks: name in capitals, fields stripped, and its place; of a block its first line."""

    name: str
    fields: tuple[str, ...]
    place: str

    def text(self, field: int) -> str:
        """A field counted from 1, "" where there is none."""
        return self.fields[field - 1] if field <= len(self.fields) else ""

    def integer(self, field: int, default: int | None = None) -> int:
        """A whole number; other text is refused."""
        return int(integers(self._characters(field), self._place(field), default)[0])

    def real(self, field: int, default: float | None = None) -> float:
        """A number, likewise."""
        return float(reals(self._characters(field), self._place(field), default)[0])

    def reals(self, first: int) -> list[float]:
        """All numbers from a field on, blank ones as 0."""
        return [self.real(field, 0.0) for field in range(first, len(self.fields) + 1)]

    def _characters(self, field: int) -> Characters:
        return np.frombuffer(self.text(field).encode("latin-1", "replace") or b" ", dtype=np.uint8)[None]

    def _place(self, field: int) -> Place:
        return lambda _: f"{self.place}: {self.name}, field {field}"


@dataclass(frozen=True, eq=False)
class Block:
    """A command that numbers in columns follow: its widths by the format line, and the lines behind that."""

    command: Command
    columns: tuple[tuple[str, int], ...]  # kind (i, e, …) and width of each
    text: "Text"
    start: int
    stop: int
    line: int  # number of the first line of numbers

    def lines(self) -> Iterator[tuple[Characters, IntArray]]:
        """Characters of many lines at a time (lines, width), and the number of each."""
        yield from self.text.line_blocks(self.start, self.stop, self.line)

    def table(self) -> Iterator[tuple[IntArray, Array, IntArray]]:
        """Whole numbers (n, i) and reals (n, r) of many lines at a time, blank ones as 0, and the line of each."""
        starts = np.concatenate([[0], np.cumsum([width for _, width in self.columns])]).tolist()
        for chars, numbers in self.lines():
            whole = self._cut_columns(
                chars, starts, [k for k, (kind, _) in enumerate(self.columns) if kind == "i"]
            )
            other = self._cut_columns(
                chars, starts, [k for k, (kind, _) in enumerate(self.columns) if kind != "i"]
            )
            labels = integers(whole, self._place(numbers, whole.shape[1]), 0)
            yield labels, reals(other, self._place(numbers, other.shape[1]), 0.0), numbers

    def _cut_columns(self, chars: Characters, starts: list[int], chosen: list[int]) -> Characters:
        """Characters of some columns: (lines, columns, width)."""
        width = max((self.columns[k][1] for k in chosen), default=1)
        cut = np.full((len(chars), len(chosen), width), _BLANK, dtype=np.uint8)
        for column, k in enumerate(chosen):
            part = chars[:, starts[k] : starts[k + 1]]
            cut[:, column, : part.shape[1]] = part
        return cut

    def _place(self, numbers: IntArray, columns: int) -> Place:
        return lambda entry: f"{self.text.name}:{int(numbers[entry // columns])}: {self.command.name}"


@dataclass(frozen=True, eq=False)
class Text:
    """The bytes of a file, and how it is called in messages."""

    name: str
    data: bytes

    def place(self, position: int) -> str:
        """File and line of a byte."""
        return f"{self.name}:{self.data.count(10, 0, position) + 1}"

    def line_blocks(self, start: int, stop: int, first: int) -> Iterator[tuple[Characters, IntArray]]:
        """Characters of the lines from one byte to another that are not empty, and their numbers."""
        whole = np.frombuffer(self.data, dtype=np.uint8)
        while start < stop:
            found = self.data.find(b"\n", min(start + _AT_ONCE * 100, stop), stop)
            end = stop if found < 0 else found
            part = whole[start:end]
            breaks = np.flatnonzero(part == 10)
            longest = int(np.diff(breaks, prepend=-1, append=len(part)).max()) - 1
            chars, used = text_lines(part, max(1, min(longest, _WIDEST)))
            yield chars, first + used
            first += len(breaks) + 1
            start = end + 1


def read_commands(file: OpenFile) -> Iterator[Command | Block]:
    """Commands and blocks of a file in order."""
    data = file.stream.read()
    if b"\0" in data:
        raise InputError(f"{file.name}: is not text; give a coded database (.cdb) of Ansys")
    data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    text = Text(file.short, data)
    position, line = 0, 1
    while True:
        found = _LINE.search(data, position)
        if found is None:
            return
        line += data.count(b"\n", position, found.start())
        position = min(found.end() + 1, len(data))
        place = f"{file.short}:{line}"
        line += 1
        name = (found["block"] or found["name"]).decode("latin-1").upper()
        first, *others = found["rest"].partition(b"!")[0].decode("latin-1").split("$")
        command = _command(name, first, place)
        if found["block"] is None:
            yield command
            for other in filter(None, map(str.strip, others)):
                yield _command(*_divide(other), place)
            continue
        stop = _block_end(data, position)
        begin = position
        columns, position = _format(data, position, stop)
        line += data.count(b"\n", begin, position)
        yield Block(command, columns, text, position, stop, line)
        line += data.count(b"\n", position, stop)
        position = stop


def _command(name: str, rest: str, place: str) -> Command:
    fields = tuple(field.strip() for field in rest.strip().lstrip(",").split(",")) if rest.strip(" ,") else ()
    return Command(name, fields, place)


def _divide(text: str) -> tuple[str, str]:
    name, _, rest = text.partition(",")
    return name.strip().upper(), rest


_AFTER = re.compile(rb"^[ \t]*(-1[ \t,]*$|[A-Z/*!~_])", re.IGNORECASE | re.MULTILINE)


def _block_end(data: bytes, position: int) -> int:
    """Where a block ends: before a line that begins with a letter or is -1 alone."""
    found = _AFTER.search(data, position)
    return len(data) if found is None else found.start()


def _format(data: bytes, position: int, stop: int) -> tuple[tuple[tuple[str, int], ...], int]:
    """Kinds and widths of the columns by the format lines, and where the numbers begin."""
    columns: list[tuple[str, int]] = []
    while position < stop and data[position : position + 200].lstrip()[:1] == b"(":
        end = data.find(b"\n", position)
        end = stop if end < 0 else end
        if not columns:
            for count, kind, width in _FORMAT.findall(data[position:end]):
                each = (kind.decode().lower(), int(width))
                columns += [each] * min(int(count or 1), 100)
        position = min(end + 1, stop)
    return tuple(columns), position
