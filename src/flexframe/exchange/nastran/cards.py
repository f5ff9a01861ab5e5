"""Bulk data of Nastran as tables of cards: small, large and free fields, continuation lines, included files.

Lines are taken apart many at a time: a table holds the characters of all cards of one name, and whoever needs them
as numbers converts whole columns. Cards in free fields, and those with lines of several kinds, go one by one.
"""

import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from flexframe.errors import InputError
from flexframe.exchange.columns import Characters, Place, integers, is_blank, reals, text_lines
from flexframe.files import Folder, OpenFile
from flexframe.maths.arrays import Array, BoolArray, IntArray

_WIDTH = 80  # columns of a line; the tenth field of a small-field line ends there
_WIDEST = 4000  # columns of a line in free fields
_AT_ONCE = 200_000  # lines
_SMALL, _LARGE, _FREE = 0, 1, 2
_FIELD = 16  # characters of the fields of cards that go one by one
_BLANK = ord(" ")
_BULK = re.compile(rb"^[ \t]*BEGIN[ \t]+(BULK|SUPER\b.*|[^\s]+)?.*$", re.IGNORECASE | re.MULTILINE)
_END = re.compile(rb"^[ \t]*ENDDATA", re.IGNORECASE | re.MULTILINE)
_CONTROL = re.compile(rb"^[ \t]*(CEND|SOL[ \t]+\w|ID[ \t]+\w)", re.IGNORECASE | re.MULTILINE)
_INCLUDE = re.compile(rb"^[ \t]*INCLUDE\b[ \t]*=?[ \t]*", re.IGNORECASE | re.MULTILINE)
_HYPERMESH_NAMES = re.compile(rb'^\$HMNAME (PROP|MAT)\s+(\d+)\s*"([^"\n]+)"', re.MULTILINE)
_HYPERMESH = re.compile(rb'^\$HMSET\s+(\d+)\s+\d+\s*"([^"\n]+)"', re.MULTILINE)
_ANSA = re.compile(rb"^\$ANSA_NAME_COMMENT;(\d+);SET;([^;\n]+);", re.MULTILINE)
_MOST_INCLUDED = 1000
MOST_LABELS = 100_000_000  # of a range a THRU b


@dataclass(frozen=True, eq=False)
class Source:
    """Lines of several files behind each other: which file a line is from, and its number there."""

    files: tuple[str, ...]  # of each piece
    first: IntArray  # number of a piece's first line through all pieces
    local: IntArray  # its number in its file, from 1

    def place(self, line: int) -> str:
        """File and line for messages."""
        piece = int(np.searchsorted(self.first, line, side="right")) - 1
        return f"{self.files[piece]}:{line - int(self.first[piece]) + int(self.local[piece])}"


@dataclass(frozen=True)
class Card:
    """One card: its place, and its fields in capitals; fields count from 1, the one behind the name."""

    name: str
    place: str
    fields: tuple[str, ...]

    def text(self, field: int) -> str:
        """What a field says, "" where it is blank."""
        return self.fields[field - 1] if field <= len(self.fields) else ""

    def integer(self, field: int, default: int | None = None) -> int:
        """A whole number; a blank field is the default, and without one it is refused."""
        text = self.text(field)
        if text.isascii() and text.isdigit() and len(text) < 10:  # as nearly all are: sets have very many
            return int(text)
        return int(integers(self._characters(field), self._place(field), default)[0])

    def real(self, field: int, default: float | None = None) -> float:
        """A number, likewise."""
        return float(reals(self._characters(field), self._place(field), default)[0])

    def reals(self, first: int, count: int, default: float = 0.0) -> list[float]:
        """Numbers of so many fields."""
        return [self.real(field, default) for field in range(first, first + count)]

    def labels(self, first: int) -> list[int]:
        """Whole numbers from a field on to the last; `a THRU b` and `a THRU b BY c` stand for all between."""
        found: list[int] = []
        words = [(field, self.text(field)) for field in range(first, len(self.fields) + 1) if self.text(field)]
        at = 0
        while at < len(words):
            field, word = words[at]
            if word != "THRU":
                found.append(self.integer(field))
                at += 1
                continue
            if not found or at + 1 >= len(words):
                raise InputError(f"{self.place}: {self.name}: THRU stands between two numbers; complete it")
            last, step = self.integer(words[at + 1][0]), 1
            at += 2
            if at + 1 < len(words) and words[at][1] == "BY":
                step = self.integer(words[at + 1][0])
                at += 2
            if not 0 < last - found[-1] < MOST_LABELS or step < 1:
                raise InputError(f"{self.place}: {self.name}: {found[-1]} THRU {last} BY {step} is no range")
            found += range(found[-1] + step, last + 1, step)
        return found

    def _characters(self, field: int) -> Characters:
        return np.frombuffer(self.text(field).encode("latin-1", "replace") or b" ", dtype=np.uint8)[None]

    def _place(self, field: int) -> Place:
        return lambda _: f"{self.place}: {self.name}, field {field + 1}"


@dataclass(frozen=True, eq=False)
class CardTable:
    """All cards of one name; fields count from 1, the one behind the name, through continuation lines."""

    name: str
    pieces: tuple[Characters, ...]  # (cards, fields, width) each
    lines: tuple[IntArray, ...]  # where each card begins
    source: Source

    @property
    def count(self) -> int:
        """Number of cards."""
        return sum(len(piece) for piece in self.pieces)

    @property
    def width(self) -> int:
        """Number of fields of the longest card."""
        return max(piece.shape[1] for piece in self.pieces)

    @cached_property
    def _order(self) -> IntArray:
        return np.argsort(np.concatenate(self.lines), kind="stable")

    def place(self, card: int) -> str:
        """File and line where a card begins."""
        return self.source.place(int(np.concatenate(self.lines)[self._order[card]]))

    def blank(self, *fields: int) -> BoolArray:
        """Which cards have nothing in these fields: (cards,)."""
        found = [
            np.logical_and.reduce([is_blank(piece[:, f - 1]) for f in fields if f <= piece.shape[1]])
            * np.ones(len(piece), dtype=bool)
            for piece in self.pieces
        ]
        return np.concatenate(found)[self._order]

    def has_point(self, field: int) -> BoolArray:
        """Which cards have a decimal point in a field, as reals have: (cards,)."""
        found = [(self._columns(k, (field,)) == ord(".")).any(axis=(1, 2)) for k in range(len(self.pieces))]
        return np.concatenate(found)[self._order]

    def integers(self, *fields: int, default: int | None = None) -> IntArray:
        """Whole numbers of one field (cards,), or of several (cards, fields)."""
        parts = [
            integers(self._columns(number, fields), self._place(number, len(fields)), default)
            for number in range(len(self.pieces))
        ]
        found = np.concatenate(parts)[self._order]
        return found[:, 0] if len(fields) == 1 else found

    def reals(self, *fields: int, default: float | None = None) -> Array:
        """Numbers of one field (cards,), or of several (cards, fields)."""
        parts = [
            reals(self._columns(number, fields), self._place(number, len(fields)), default)
            for number in range(len(self.pieces))
        ]
        found = np.concatenate(parts)[self._order]
        return found[:, 0] if len(fields) == 1 else found

    def words(self, field: int) -> "np.ndarray":
        """What a field says, in capitals, as an array of byte strings: (cards,)."""
        found = []
        for number in range(len(self.pieces)):
            chars = self._columns(number, (field,))[:, 0]
            found.append(
                np.char.strip(np.char.upper(np.ascontiguousarray(chars).view(f"S{chars.shape[1]}").ravel()))
            )
        return np.concatenate(found)[self._order]

    def cards(self) -> Iterator["Card"]:
        """Every card by itself, in order."""
        numbers = np.concatenate([np.arange(len(piece)) for piece in self.pieces])
        owners = np.repeat(np.arange(len(self.pieces)), [len(piece) for piece in self.pieces])
        for card, at in enumerate(self._order.tolist()):
            row = self.pieces[owners[at]][numbers[at]]
            fields = [entry.tobytes().decode("latin-1").strip().upper() for entry in row]
            while fields and not fields[-1]:
                fields.pop()
            yield Card(self.name, self.place(card), tuple(fields))

    def _columns(self, number: int, fields: tuple[int, ...]) -> Characters:
        """Characters of some fields (cards, fields, width), blank where a card is shorter."""
        piece = self.pieces[number]
        out = np.full((len(piece), len(fields), piece.shape[2]), _BLANK, dtype=np.uint8)
        for k, f in enumerate(fields):
            if f <= piece.shape[1]:
                out[:, k] = piece[:, f - 1]
        return out

    def _place(self, number: int, columns: int) -> Place:
        return lambda entry: f"{self.source.place(int(self.lines[number][entry // columns]))}: {self.name}"


@dataclass(frozen=True, eq=False)
class Deck:
    """A Nastran file: the lines before the bulk data with their places, and the cards by name."""

    control: tuple[tuple[str, str], ...]
    cards: Mapping[str, CardTable]
    superelements: str = ""  # where the bulk data of a superelement begin, if there are any
    set_names: Mapping[int, str] = field(default_factory=dict)  # that pre-processors keep in comments
    names: Mapping[tuple[str, int], str] = field(default_factory=dict)  # of properties (PROP) and materials (MAT)
    notices: tuple[str, ...] = ()

    def of(self, *names: str) -> Iterator[Card]:
        """Every card of these names by itself."""
        for name in names:
            if name in self.cards:
                yield from self.cards[name].cards()


def read_deck(file: OpenFile) -> Deck:
    """Everything in a file and in the files that it includes, which must lie in its folder."""
    pieces = list(_include(file, file.folder, (_identity(file),)))
    data, source = _join(pieces)
    if b"\0" in data:
        raise InputError(f"{file.name}: is not text; give Nastran bulk data")
    if b"\n-CONT-" in data[:20_000]:
        raise InputError(
            f"{file.name}: is a punch file of results; matrices (DMIG) are read from such, modes from OP2"
        )
    data = data.expandtabs(8) if b"\t" in data else data
    start, control, more = _bulk_start(file, data)
    end = _END.search(data, start)
    if end is None and start and not pieces[-1][2].endswith(b"\n"):
        raise InputError(
            f"{file.name}: has no ENDDATA and ends within a line, so it seems to be cut off; write it again, or "
            "add that line"
        )
    stop = end.start() if end else len(data)
    first = data.count(b"\n", 0, start)
    lines = tuple(
        (source.place(number), text)
        for number, line in enumerate(control.decode("latin-1").split("\n"))
        if (text := line.partition("$")[0].strip())
    )
    collected = _Collector()
    for chars, numbers in _line_blocks(data, start, stop, first):
        collected.take(chars, numbers, source)
    listed = [*(_HYPERMESH.findall(data) if b"$HMSET" in data else ())]
    listed += _ANSA.findall(data) if b"$ANSA_NAME" in data else ()
    names = {int(number): name.decode("latin-1") for number, name in listed}
    notices: tuple[str, ...] = ()
    if end is None and start:
        notices = (f"{file.short} has no ENDDATA; if it was cut off, what stood behind its last line is missing",)
    superelements = source.place(more) if more is not None else ""
    return Deck(lines, collected.tables(source), superelements, names, _named_numbers(data, names), notices)


def _named_numbers(data: bytes, set_names: Mapping[int, str]) -> dict[tuple[str, int], str]:
    """Names of properties and materials in comments, those that name one thing."""
    if b"$HMNAME" not in data:
        return {}
    found = {
        (kind.decode("ascii"), int(number)): name.decode("latin-1")
        for kind, number, name in _HYPERMESH_NAMES.findall(data)
    }
    taken = Counter((kind, name) for (kind, _), name in found.items())
    taken.update(("PROP", name) for name in set_names.values())
    return {key: name for key, name in found.items() if taken[key[0], name] == 1}


def included_files(file: OpenFile) -> list[str]:
    """The files that a Nastran file includes, directly or through others, by their names from its folder."""
    names = [name for name, _, _ in _include(file, file.folder, (_identity(file),))]
    return [name for name in dict.fromkeys(names) if name != file.name]


def _bulk_start(file: OpenFile, data: bytes) -> tuple[int, bytes, int | None]:
    """Where the bulk data begin, the text before, and the line where those of a superelement begin."""
    found = list(_BULK.finditer(data))
    if not found:
        if _CONTROL.search(data):
            raise InputError(f"{file.name}: has no BEGIN BULK; give a whole Nastran file (is it cut off?)")
        return 0, b"", None
    begin = found[0]
    more = data.count(b"\n", 0, found[1].start()) if len(found) > 1 else None
    return min(data.find(b"\n", begin.end()) + 1 or len(data), len(data)), data[: begin.start()], more


def _identity(file: OpenFile) -> tuple[int, int]:
    """What two names of the same file have in common."""
    found = os.fstat(file.stream.fileno())
    return found.st_dev, found.st_ino


def _include(
    file: OpenFile, folder: Folder, opened: tuple[tuple[int, int], ...]
) -> Iterator[tuple[str, int, bytes]]:
    """File, number of the first line, and text of every piece in the order in which they are read."""
    if len(opened) > _MOST_INCLUDED:
        raise InputError(f"{file.name}: files include each other too deeply; put them together")
    data = file.stream.read().replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    done, line = 0, 1
    for found in _INCLUDE.finditer(data):
        if found.start() < done:
            continue
        yield file.name, line, data[done : found.start()]
        line += data.count(b"\n", done, found.start())
        place = f"{file.short}:{line}"
        name, end = _included_name(data, found.end(), place)
        with ExitStack() as held:
            try:
                other = held.enter_context(folder.open(name))
            except InputError as error:
                raise type(error)(f"{place}: {error}") from None
            if _identity(other) in opened:
                raise InputError(f"{place}: '{name}' includes itself; remove one of the two")
            yield from _include(other, folder, (*opened, _identity(other)))
        line += data.count(b"\n", found.start(), end)
        done = end
    yield file.name, line, data[done:]


def _included_name(data: bytes, start: int, place: str) -> tuple[str, int]:
    """The name behind INCLUDE, which in quotes may go over several lines, and where it ends."""
    quote = data[start : start + 1]
    if quote in (b"'", b'"'):
        end = data.find(quote, start + 1)
        if end < 0 or end - start > 4000:
            raise InputError(f"{place}: the name behind INCLUDE has no closing quote; add it")
        parts = [part.strip() for part in data[start + 1 : end].decode("latin-1").split("\n")]
        return "".join(parts), end + 1
    end = data.find(b"\n", start)
    end = len(data) if end < 0 else end
    name = data[start:end].decode("latin-1").partition("$")[0].strip()
    if not name:
        raise InputError(f"{place}: INCLUDE names no file; add its name in quotes")
    return name, end


def _join(pieces: list[tuple[str, int, bytes]]) -> tuple[bytes, Source]:
    """All pieces as one text, each ending with its line, and where they are from."""
    texts, first, count = [], [], 0
    for _, _, text in pieces:
        whole = text if not text or text.endswith(b"\n") else text + b"\n"
        texts.append(whole)
        first.append(count)
        count += whole.count(b"\n")
    files = tuple(Path(name).name for name, _, _ in pieces)
    local = np.array([line for _, line, _ in pieces], dtype=np.int64)
    return texts[0] if len(texts) == 1 else b"".join(texts), Source(files, np.array(first, dtype=np.int64), local)


def _line_blocks(data: bytes, start: int, stop: int, first: int) -> Iterator[tuple[Characters, IntArray]]:
    """Characters of many lines at a time without comments and empty lines (lines, 80), and their numbers.

    A block ends before a line that begins a card, so that the lines of a card stay together.
    """
    text = np.frombuffer(data, dtype=np.uint8)
    while start < stop:
        found = data.find(b"\n", min(start + _AT_ONCE * 48, stop), stop)
        end = stop if found < 0 else found
        end = _before_card(data, end, stop)
        part = text[start:end]
        comments = np.flatnonzero(part == ord("$"))
        chars, used = text_lines(part, _WIDTH, comments)
        yield _with_long_lines(chars, part, used, comments), first + used
        first += data.count(b"\n", start, end) + 1
        start = end + 1


def _before_card(data: bytes, end: int, stop: int) -> int:
    """The end of the line before the next one that begins with a letter in its first column."""
    while end < stop:
        following = data[end + 1 : end + 2]
        if not following or following.isalpha():
            return end
        found = data.find(b"\n", end + 1, stop)
        end = stop if found < 0 else found
    return min(end, stop)


def _has_comma(chars: Characters) -> BoolArray:
    return np.asarray((chars == ord(",")).any(axis=1))


def _with_long_lines(chars: Characters, part: Characters, used: IntArray, comments: IntArray) -> Characters:
    """Wider rows where lines in free fields are longer than a card; fixed fields end at column 80."""
    breaks = np.flatnonzero(part == 10)
    lengths = np.diff(breaks, prepend=-1, append=len(part))[used] - 1
    long = (lengths > _WIDTH) & _has_comma(chars)
    if not long.any() or lengths[long].max() > _WIDEST:
        return chars
    wide, _ = text_lines(part, int(lengths[long].max()), comments)
    wide[~long, _WIDTH:] = _BLANK
    return wide


@dataclass
class _Collector:
    """Cards of all blocks of lines so far."""

    pieces: dict[str, list[Characters]] = field(default_factory=dict)
    lines: dict[str, list[IntArray]] = field(default_factory=dict)
    single: dict[tuple[str, int], list[tuple[list[bytes], int]]] = field(default_factory=dict)

    def tables(self, source: Source) -> dict[str, CardTable]:
        """The cards by name."""
        for (name, count), cards in self.single.items():
            width = max([_FIELD, *(len(value) for fields, _ in cards for value in fields)])
            text = b"".join(value.ljust(width) for fields, _ in cards for value in fields)
            table = np.frombuffer(text, dtype=np.uint8).reshape(len(cards), count, width)
            self._add(name, table, np.array([line for _, line in cards]))
        return {
            name: CardTable(name, tuple(pieces), tuple(self.lines[name]), source)
            for name, pieces in self.pieces.items()
        }

    def take(self, chars: Characters, numbers: IntArray, source: Source) -> None:
        """Add the cards of a block of lines."""
        if not len(chars):
            return
        free = _has_comma(chars)
        first = chars[:, :8].copy()
        comma = first == ord(",")
        first[np.maximum.accumulate(comma, axis=1)] = _BLANK  # a name in free fields ends at the comma
        first = np.where((first >= 97) & (first <= 122), first - 32, first)
        lead = np.where((first != _BLANK).any(axis=1), np.argmax(first != _BLANK, axis=1), 0)
        head = first[np.arange(len(first)), lead]
        follows = (head == _BLANK) | (head == ord("+")) | (head == ord("*"))
        starred = (first == ord("*")).any(axis=1)
        kind = np.where(free, _FREE, np.where(starred, _LARGE, _SMALL))
        begins = np.flatnonzero(~follows)
        if not begins.size or begins[0] > 0:
            raise InputError(
                f"{source.place(int(numbers[0]))}: a continuation line stands before any card; check the file"
            )
        counts = np.diff(np.append(begins, len(chars)))
        names = np.ascontiguousarray(first[begins]).view("S8").ravel()
        card = np.repeat(np.arange(len(begins)), counts)
        least, most = (np.full(len(begins), start) for start in (9, -1))
        np.minimum.at(least, card, kind)
        np.maximum.at(most, card, kind)
        uniform = (least == most) & (most != _FREE)
        self._take_uniform(chars, numbers, names, begins, counts, np.where(uniform, most, _FREE))
        formulas = names == b"DEQATN  "[: names.dtype.itemsize]
        for number in np.flatnonzero(~uniform & ~formulas).tolist():
            rows = slice(int(begins[number]), int(begins[number] + counts[number]))
            self._take_single(names[number], chars[rows], kind[rows], numbers[rows], source)

    def _take_uniform(  # noqa: PLR0917 - columns of one table
        self,
        chars: Characters,
        numbers: IntArray,
        names: "np.ndarray",
        begins: IntArray,
        counts: IntArray,
        kinds: IntArray,
    ) -> None:
        for kind, width in ((_SMALL, 8), (_LARGE, 16)):
            members = np.flatnonzero(kinds == kind)
            if not members.size:
                continue
            found, group = np.unique(names[members], return_inverse=True)
            for index, name in enumerate(found):
                of_name = members[group == index]
                for count in np.unique(counts[of_name]):
                    cards = of_name[counts[of_name] == count]
                    rows = begins[cards][:, None] + np.arange(count)
                    fields = chars[rows, 8:72].reshape(len(cards), -1, width)
                    self._add(_card_name(name), fields, numbers[begins[cards]])

    def _take_single(
        self, name: bytes, chars: Characters, kinds: IntArray, numbers: IntArray, source: Source
    ) -> None:
        fields: list[bytes] = []
        for row, kind, number in zip(chars, kinds, numbers, strict=True):
            if kind == _FREE:
                fields += _free_fields(row.tobytes(), source, int(number))
            else:
                width = 16 if kind == _LARGE else 8
                text = row[8:72].tobytes()
                fields += [text[i : i + width] for i in range(0, 64, width)]
        stripped = [value.strip() for value in fields]
        self.single.setdefault((_card_name(name), len(stripped)), []).append((stripped, int(numbers[0])))

    def _add(self, name: str, fields: Characters, lines: IntArray) -> None:
        self.pieces.setdefault(name, []).append(fields)
        self.lines.setdefault(name, []).append(np.asarray(lines, dtype=np.int64))


def _card_name(name: bytes) -> str:
    return name.decode("latin-1").strip().rstrip("*").strip()


def _free_fields(line: bytes, source: Source, number: int) -> list[bytes]:
    """The fields between commas of one line; the mark of a continuation behind them is left out.

    Lines with more fields than a card has go on where they would in the next line.
    """
    name, *fields = line.rstrip().rstrip(b",").rstrip().split(b",")
    size = 4 if b"*" in name else 8
    if len(fields) > size and fields[size].strip()[:1] in (b"", b"+", b"*"):
        del fields[size]
    if len(fields) > 8 * size:
        raise InputError(f"{source.place(number)}: the line has {len(fields)} fields; divide it")
    return [*fields, *[b""] * (-len(fields) % size)] or [b""] * size
