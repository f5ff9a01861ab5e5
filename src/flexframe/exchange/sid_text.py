"""The text of standard input data (SID): objects of named Taylor expansions, one entry to a line.

    part
      new modal = NAME
        refmod … end refmod                     mass, number and names of the coordinates q
        frame
          new node = NUMBER … end node          origin, phi, psi, AP, sigma of each node
        end frame
        mdCM … end mdCM                         and the other objects of the body
      end modal
    end part

An object M(q) = M0 + Σ_k M1_k q_k has its order, its sizes and its structure (0 zero, 1 diagonal, 2 symmetric,
3 any, 4 unit matrix), and those entries m0(i, j) and m1(i, k, j) that are not zero. What stands before `part` is a
comment; programs read the numbers of nodes and of coordinates from its beginning.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NoReturn

import numpy as np

from flexframe.errors import InputError
from flexframe.maths.arrays import Array

_ENTRY = re.compile(r"(m0|m1|mn)\s*\(([\d\s,]+)\)", re.IGNORECASE)
_NAMED = re.compile(r"ielastq\s*\(\s*(\d+)\s*\)", re.IGNORECASE)
_STATED = ("order", "nrow", "ncol", "nq", "nqn", "structure")
_DIAGONAL, _SYMMETRIC, _UNIT = 1, 2, 4


@dataclass(frozen=True, eq=False)
class Taylor:
    """An expansion in the coordinates: M0 (rows, columns), M1 (q, rows, columns) or None where it ends before."""

    constant: Array
    slopes: Array | None = None


@dataclass(eq=False)
class _Object:
    """An expansion as it stands in the file."""

    line: int
    stated: dict[str, int] = field(default_factory=dict)
    entries: dict[tuple[int, ...], tuple[float, int]] = field(default_factory=dict)  # value and line
    higher: bool = False


@dataclass(eq=False)
class SidNode:
    """A node of the frame: its number or name, and its objects by their names in small letters."""

    name: str
    line: int
    objects: dict[str, _Object] = field(default_factory=dict)


@dataclass(eq=False)
class SidText:
    """What a file says, objects of the body by their names in small letters."""

    file: str
    comment: str
    name: str = ""
    mass: float | None = None
    size: int | None = None
    coordinates: dict[int, str] = field(default_factory=dict)  # number → what it is
    nodes: list[SidNode] = field(default_factory=list)
    objects: dict[str, _Object] = field(default_factory=dict)

    def refuse(self, line: int, what: str) -> NoReturn:
        """InputError at a line."""
        raise InputError(f"{self.file}:{line}: {what}")

    def taylor(self, found: Mapping[str, _Object], name: str, shape: tuple[int, int]) -> Taylor | None:
        """An object as arrays, None where the file has none; one of other sizes is refused."""
        one = found.get(name.lower())
        if one is None:
            return None
        m, stated = self.size or 0, one.stated
        lacking = next((key for key in ("order", "nrow", "ncol", "structure") if key not in stated), None)
        if lacking is not None:
            self.refuse(one.line, f"{name} lacks {lacking}; export it again")
        if (stated["nrow"], stated["ncol"]) != shape:
            sizes = f"{stated['nrow']} × {stated['ncol']}"
            self.refuse(one.line, f"{name} is {sizes}, with {m} coordinates it needs {shape[0]} × {shape[1]}")
        structure = stated["structure"]
        constant = np.eye(*shape) if structure == _UNIT else np.zeros(shape)
        slopes = np.zeros((m, *shape)) if stated["order"] > 0 else None
        for at, (value, line) in one.entries.items():
            row, column = at[0], at[-1]
            inside = row <= shape[0] and column <= shape[1] and (len(at) == 2 or at[1] <= m)
            if not inside or min(at) < 1:
                self.refuse(line, f"{name} has no entry {at}; it is {shape[0]} × {shape[1]}")
            if value and not _allows(structure, row == column, value, first=len(at) == 3):
                self.refuse(line, f"{name} has the structure {structure}, which this entry contradicts")
            if len(at) == 3:
                if slopes is None:
                    self.refuse(line, f"{name} has the order 0 and an entry of m1; export it again")
                slopes[at[1] - 1, row - 1, column - 1] = value
                continue
            constant[row - 1, column - 1] = value
            if structure == _SYMMETRIC and (column, row) not in one.entries:
                constant[column - 1, row - 1] = value
        return Taylor(constant, slopes)

    @property
    def higher(self) -> tuple[str, ...]:
        """Names of the objects with terms of second and higher order."""
        everything = [self.objects, *(node.objects for node in self.nodes)]
        return tuple(dict.fromkeys(name for group in everything for name, one in group.items() if one.higher))


def _allows(structure: int, on_diagonal: bool, value: float, *, first: bool) -> bool:
    """Whether an entry that is not zero fits the structure, which is that of M0."""
    if first or structure not in (0, _DIAGONAL, _UNIT):
        return True
    return on_diagonal and (structure == _DIAGONAL or (structure == _UNIT and value == 1.0))


def parse_sid(file: str, text: str) -> SidText:
    """The objects of a file; what is cut off, doubled or no such text is refused with its line."""
    return _Parser(file, text).parse()


class _Parser:
    def __init__(self, file: str, text: str) -> None:
        self._lines = text.splitlines()
        start = next((k for k, line in enumerate(self._lines) if _words(line)[:1] == ["part"]), None)
        if start is None:
            raise InputError(f"{file}: has no line 'part', as standard input data have; export it again")
        self._at = start + 1
        self._found = SidText(file, "\n".join(self._lines[:start]))

    def parse(self) -> SidText:
        found = self._found
        line, key, value = self._next()
        if key != "new modal":
            found.refuse(line, "'new modal' is missing after 'part'; export it again")
        found.name = value
        for line, key, _ in self._until("end modal"):
            if key == "refmod":
                self._read_refmod()
            elif key == "frame":
                self._read_frame()
            else:
                self._read_object(found.objects, line, key)
        line, key, _ = self._next()
        if key != "end part":
            found.refuse(line, f"'{key}' stands after 'end modal', where 'end part' belongs")
        return found

    def _next(self) -> tuple[int, str, str]:
        """The next line with anything in it: its number, what is before '=' with single spaces, what is after."""
        while self._at < len(self._lines):
            key, _, value = self._lines[self._at].partition("=")
            self._at += 1
            if key.strip() or value.strip():
                return self._at, " ".join(_words(key)), value.strip()
        last = len(self._lines)
        return self._found.refuse(last, "the file ends before 'end part': it is cut off; export it again")

    def _until(self, end: str) -> Iterator[tuple[int, str, str]]:
        while True:
            line, key, value = self._next()
            if key == end:
                return
            if key.startswith("end "):
                self._found.refuse(line, f"'{key}' closes nothing here, '{end}' is missing; export it again")
            yield line, key, value

    def _read_refmod(self) -> None:
        found = self._found
        for line, key, value in self._until("end refmod"):
            if key == "mass":
                found.mass = self._real(line, value)
            elif key == "nelastq":
                found.size = self._integer(line, value)
            elif (named := _NAMED.fullmatch(key)) is not None:
                number = int(named[1])
                if number in found.coordinates:
                    found.refuse(line, f"coordinate {number} is named twice; export it again")
                found.coordinates[number] = " ".join(value.split())
            else:
                found.refuse(line, f"'{key}' is not known in refmod; export it again")

    def _read_frame(self) -> None:
        found = self._found
        for line, key, value in self._until("end frame"):
            if key != "new node":
                found.refuse(line, f"'{key}' stands where 'new node' belongs; export it again")
            node = SidNode(value, line)
            if not value or any(other.name == value for other in found.nodes):
                found.refuse(line, f"the node '{value}' has no name of its own; export it again")
            for at, inner, _ in self._until("end node"):
                if inner != "rframe":
                    self._read_object(node.objects, at, inner)
            found.nodes.append(node)

    def _read_object(self, among: dict[str, _Object], start: int, key: str) -> None:
        found, one = self._found, _Object(start)
        if not key.isalpha() or key in among:
            found.refuse(start, f"'{key}' is no object, or there is a second one; export it again")
        for line, inner, value in self._until(f"end {key}"):
            entry = _ENTRY.fullmatch(inner)
            if inner in _STATED:
                one.stated[inner] = self._integer(line, value)
            elif entry is None:
                found.refuse(line, f"'{inner}' is not known in {key}; export it again")
            elif entry[1] == "mn":
                one.higher = True
            else:
                at = tuple(int(word) for word in re.findall(r"\d+", entry[2]))
                if len(at) != (2 if entry[1] == "m0" else 3) or at in one.entries:
                    found.refuse(line, f"an entry of {key} is given twice or has {len(at)} numbers")
                one.entries[at] = (self._real(line, value), line)
        one.higher = one.higher or one.stated.get("order", 0) > 1
        among[key] = one

    def _real(self, line: int, text: str) -> float:
        try:
            value = float(re.sub(r"[dD]", "E", text))
        except ValueError:
            value = np.nan
        if not np.isfinite(value):
            self._found.refuse(line, f"'{text}' is no finite number; export it again")
        return value

    def _integer(self, line: int, text: str) -> int:
        if not text.isascii() or not text.isdigit() or len(text) > 9:
            self._found.refuse(line, f"'{text}' is no count; export it again")
        return int(text)


def _words(line: str) -> list[str]:
    return line.lower().split()


# ---------------------------------------------------------------------- writing


def taylor_lines(name: str, taylor: Taylor, coordinates: int, indent: int) -> Iterator[str]:
    """An object; entries that are zero are left out."""
    constant, slopes = taylor.constant, taylor.slopes
    space = " " * (indent + 5)
    stated = {
        "order": 0 if slopes is None else 1,
        "nrow": constant.shape[0],
        "ncol": constant.shape[1],
        "nq": coordinates,
        "nqn": 0,
        "structure": 3 if constant.any() or (slopes is not None and slopes.any()) else 0,
    }
    yield f"{' ' * indent}{name}"
    yield from (f"{space}{key:<22}= {value:4d}" for key, value in stated.items())
    for i, j in np.argwhere(constant):
        yield _entry(space, "m0", (i, j), constant[i, j])
    for k, i, j in np.argwhere(slopes) if slopes is not None else ():
        assert slopes is not None
        yield _entry(space, "m1", (i, k, j), slopes[k, i, j])
    yield f"{' ' * indent}end {name}"


def _entry(space: str, which: str, at: Sequence[int], value: float) -> str:
    place = f"{which}({','.join(f'{number + 1:3d}' for number in at)})"
    return f"{space}{place:<22}= {fortran(value)}"


def fortran(value: float) -> str:
    """A number with all its digits, its exponent marked by D as in other files of this kind."""
    return f"{value: .16E}".replace("E", "D")
