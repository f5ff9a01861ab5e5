"""The text of an Abaqus input file as keywords with parameters and data lines."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from flexframe.errors import InputError


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

    def required(self, parameter: str) -> str:
        """Value of a parameter that the keyword cannot do without."""
        value = self.parameters.get(parameter, "")
        if not value:
            raise InputError(f"{self.place}: *{self.name} has no {parameter}; write {parameter}=...")
        return value

    def has(self, parameter: str) -> bool:
        """Whether a parameter is present, with or without a value."""
        return parameter in self.parameters


def read_keywords(path: Path) -> Iterator[Keyword]:
    """Keywords in order, the files of *INCLUDE and INPUT= among them; these must lie in the file's folder."""
    folder = path.resolve().parent
    yield from _keywords(path.resolve(), folder, ())


def _keywords(path: Path, folder: Path, opened: tuple[Path, ...]) -> Iterator[Keyword]:
    current: Keyword | None = None
    for place, text in _joined(_lines(path)):
        if not text.startswith("*"):
            if current is None:
                raise InputError(f"{place}: data before the first keyword; an Abaqus file starts with *KEYWORD")
            current.data.append(DataLine(place, text))
            continue
        if current is not None:
            yield current
            current = None
        keyword = _parsed(place, text)
        if keyword.name == "INCLUDE":
            other = _neighbour(keyword, folder, (*opened, path))
            yield from _keywords(other, folder, (*opened, path))
            continue
        if keyword.has("INPUT"):
            other = _neighbour(keyword, folder, (*opened, path))
            keyword.data.extend(DataLine(where, data) for where, data in _lines(other))
        current = keyword
    if current is not None:
        yield current


def _lines(path: Path) -> Iterator[tuple[str, str]]:
    """Place and text of the lines that are neither blank nor comments."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); check the path") from error
    if b"\0" in raw:
        raise InputError(f"{path}: is not text; give an Abaqus input file (.inp)")
    try:
        content = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        content = raw.decode("latin-1")
    for number, line in enumerate(content.splitlines(), start=1):
        text = line.strip()
        if text and not text.startswith("**"):
            yield f"{path.name}:{number}", text


def _joined(lines: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Keyword lines that end with a comma put together with the line after."""
    for place, text in lines:
        whole = text
        while whole.startswith("*") and whole.endswith(","):
            following = next(lines, None)
            if following is None or following[1].startswith("*"):
                raise InputError(f"{place}: the keyword line ends with a comma but nothing follows it")
            whole += following[1]
        yield place, whole


def _parsed(place: str, text: str) -> Keyword:
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


def _neighbour(keyword: Keyword, folder: Path, opened: tuple[Path, ...]) -> Path:
    named = keyword.required("INPUT")
    other = (folder / named).resolve()
    if not other.is_relative_to(folder):
        raise InputError(f"{keyword.place}: '{named}' lies outside the file's folder; copy it there")
    if other in opened:
        raise InputError(f"{keyword.place}: '{named}' includes itself; remove one of the two")
    return other
