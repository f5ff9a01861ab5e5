"""The text of a gmsh file as $Sections of numbered lines."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite

from flexframe.errors import InputError
from flexframe.files import OpenFile

_LARGEST = 2**62


@dataclass
class Section:
    """Lines of one $Section still to be read, with the number of the first."""

    file: str
    name: str
    lines: list[str]
    first: int
    done: int = 0

    @property
    def line(self) -> int:
        """Number of the next line."""
        return self.first + self.done

    @property
    def place(self) -> str:
        """File and number of the next line."""
        return f"{self.file}:{self.line}"

    def integers(self, least: int) -> list[int]:
        """The next line as whole numbers, at least so many."""
        line = self._next()
        try:
            values = [int(value) for value in line]
        except ValueError:
            raise self._wrong("whole numbers", line) from None
        if values and not -_LARGEST < min(values) <= max(values) < _LARGEST:
            raise self._wrong("possible numbers of nodes or cells", line)
        if len(values) < least:
            raise self._wrong(f"{least} numbers or more", line)
        return values

    def reals(self, least: int) -> list[float]:
        """The next line as numbers, at least so many."""
        line = self._next()
        try:
            values = [float(value) for value in line]
        except ValueError:
            raise self._wrong("numbers", line) from None
        if not all(map(isfinite, values)):
            raise self._wrong("finite numbers", line)
        if len(values) < least:
            raise self._wrong(f"{least} numbers or more", line)
        return values

    def labelled_reals(self, least: int) -> tuple[int, list[float]]:
        """The next line as a whole number and numbers, at least so many of these."""
        label, *values = self.reals(least + 1)
        if not label.is_integer() or abs(label) >= 2**53:
            raise self._wrong("a whole number and coordinates", self.lines[self.done - 1].split())
        return int(label), values

    def require(self, count: int) -> None:
        """Refuse a promise of more lines than there are."""
        left = len(self.lines) - self.done
        if not 0 <= count <= left:
            raise InputError(
                f"{self.place}: ${self.name} promises {count} more lines but has {left}; save the mesh again"
            )

    def _next(self) -> list[str]:
        self.require(1)
        self.done += 1
        return self.lines[self.done - 1].split()

    def _wrong(self, wanted: str, line: list[str]) -> InputError:
        self.done -= 1
        return InputError(f"{self.place}: '{' '.join(line)[:40]}' are not {wanted}; save the mesh again")


def read_sections(file: OpenFile) -> Iterator[Section]:
    """The sections of a file in order; InputError where one has no end."""
    text = file.stream.read().decode("utf-8", errors="replace").split("\n")
    opened = None
    for number, line in enumerate(text, start=1):
        word = line.strip()
        if opened is None and word.startswith("$"):
            opened = Section(file.short, word[1:], [], number + 1)
        elif opened is not None and word == f"$End{opened.name}":
            yield opened
            opened = None
        elif opened is not None:
            opened.lines.append(word)
    if opened is not None:
        place = f"{file.short}:{opened.first - 1}"
        raise InputError(f"{place}: ${opened.name} has no end; save the mesh again (is the file cut off?)")
