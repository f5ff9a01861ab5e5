"""The text of an Abaqus input file as keywords with parameters and data lines."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

from flexframe.errors import InputError
from flexframe.files import Folder, OpenFile


@dataclass(frozen=True)
class DataLine:
    """One data line: where it stands and what it says."""

    place: str
    text: str

    @property
    def fields(self) -> list[str]:
        """Values between the commas; a comma at the end adds none."""
        return [value.strip() for value in self.text.rstrip().rstrip(",").split(",")]


@dataclass(frozen=True)
class Keyword:
    """A keyword in capitals, its parameters (names in capitals, flags with value ""), and its data."""

    place: str
    name: str
    parameters: dict[str, str]
    data: list[DataLine] = field(default_factory=list)

    def required_value(self, parameter: str) -> str:
        """Value of a parameter that the keyword cannot do without."""
        value = self.parameters.get(parameter, "")
        if not value:
            raise InputError(f"{self.place}: *{self.name} has no {parameter}; write {parameter}=...")
        return value

    def has(self, parameter: str) -> bool:
        """Whether a parameter is present, with or without a value."""
        return parameter in self.parameters


def read_keywords(file: OpenFile) -> Iterator[Keyword]:
    """Keywords in order, the files of *INCLUDE and INPUT= among them; these must lie in the file's folder."""
    yield from _keywords(file, file.folder, (_identity(file),))


def included_files(file: OpenFile) -> list[str]:
    """The files that an Abaqus file includes, directly or through others, by their names from its folder."""
    found: list[str] = []
    for _ in _keywords(file, file.folder, (_identity(file),), found):
        pass
    return list(dict.fromkeys(found))


def _keywords(
    file: OpenFile, folder: Folder, opened: tuple[tuple[int, int], ...], included: list[str] | None = None
) -> Iterator[Keyword]:
    """Keywords of a file; `opened` are the files that include it, `included` takes the names of those in it."""
    current: Keyword | None = None
    for place, text in _join(_lines(file)):
        if not text.startswith("*"):
            if current is None:
                raise InputError(f"{place}: data before the first keyword; an Abaqus file starts with *KEYWORD")
            current.data.append(DataLine(place, text))
            continue
        if current is not None:
            yield current
            current = None
        keyword = _parse(place, text)
        if keyword.name == "INCLUDE" or keyword.has("INPUT"):
            with _neighbour(keyword, folder, opened) as other:
                if included is not None:
                    included.append(other.name)
                if keyword.name == "INCLUDE":
                    yield from _keywords(other, folder, (*opened, _identity(other)), included)
                    continue
                keyword.data.extend(DataLine(where, data) for where, data in _lines(other))
        current = keyword
    if current is not None:
        yield current


def _lines(file: OpenFile) -> Iterator[tuple[str, str]]:
    """Place and text of the lines that are neither blank nor comments."""
    raw = file.stream.read()
    if b"\0" in raw:
        raise InputError(f"{file.name}: is not text; give an Abaqus input file (.inp)")
    try:
        content = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        content = raw.decode("latin-1")
    for number, line in enumerate(content.splitlines(), start=1):
        text = line.strip()
        if text.strip("*>") and not text.lstrip(">").startswith("**"):
            yield f"{file.short}:{number}", text


def _join(lines: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Keyword lines that end with a comma put together with the line after, where parameters can follow there."""
    waiting: tuple[str, str] | None = None
    while (line := waiting or next(lines, None)) is not None:
        place, whole = line
        waiting = None
        while whole.startswith("*") and whole.endswith(","):
            waiting = next(lines, None)
            if waiting is None:
                raise InputError(f"{place}: the keyword line ends with a comma but nothing follows it")
            if not waiting[1][0].isalpha():  # a keyword, or data of numbers
                break
            whole += waiting[1]
            waiting = None
        yield place, whole


def _parse(place: str, text: str) -> Keyword:
    head, *rest = text[1:].split(",")
    name = " ".join(head.upper().split())
    if not name or not name[0].isalpha():
        raise InputError(f"{place}: '{text[:40]}' is not a keyword; write *KEYWORD, PARAMETER=value")
    parameters = {}
    for part in rest:
        key, _, value = part.partition("=")
        if key.strip():
            parameters[" ".join(key.upper().split())] = value.strip().strip('"')
    return Keyword(place, name, parameters)


@contextmanager
def _neighbour(keyword: Keyword, folder: Folder, opened: tuple[tuple[int, int], ...]) -> Iterator[OpenFile]:
    named = keyword.required_value("INPUT")
    with ExitStack() as held:
        try:
            other = held.enter_context(folder.open(named))
        except InputError as error:
            raise type(error)(f"{keyword.place}: {error}") from None
        if _identity(other) in opened:
            raise InputError(f"{keyword.place}: '{named}' includes itself; remove one of the two")
        yield other


def _identity(file: OpenFile) -> tuple[int, int]:
    """What two names of the same file have in common."""
    found = os.fstat(file.stream.fileno())
    return found.st_dev, found.st_ino
