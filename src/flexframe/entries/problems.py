"""What is wrong with a case file, reported by file, line and field."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any, Protocol

from flexframe.errors import AnalysisError, FieldPath, FlexframeError, InputError


def shown_path(path: FieldPath) -> str:
    """A path as a user writes it: bodies.disc.supports[0].direction."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            name = "".join(c if c.isprintable() else repr(c)[1:-1] for c in part)
            text += f".{name}" if text else name
    return text


@dataclass(frozen=True)
class Problem:
    """One thing to correct; without a line the file as a whole is meant."""

    file: str
    line: int | None
    path: FieldPath
    message: str

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return ": ".join(part for part in (place, shown_path(self.path), self.message) if part)

    def as_json(self) -> dict[str, Any]:
        """The parts by name."""
        return {"file": self.file, "line": self.line, "field": shown_path(self.path), "message": self.message}


MOST_PROBLEMS = 100
"""So many are listed; a file with more of them is corrected in rounds."""


class CaseError(InputError):
    """A case file with problems, one line each; beyond `MOST_PROBLEMS` they are counted."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        if len(self.problems) > MOST_PROBLEMS + 1:
            last = self.problems[MOST_PROBLEMS]
            more = len(self.problems) - MOST_PROBLEMS - 1
            told = f"{last.message} (and {more:,} more problems, which are not listed)"
            self.problems = (*self.problems[:MOST_PROBLEMS], replace(last, message=told))
        super().__init__("\n".join(str(problem) for problem in self.problems))


class CaseAnalysisError(AnalysisError):
    """Analyses of a case that cannot be done, one line each, with the field that it is about."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class LineFinder(Protocol):
    """Knows the line of every field of a case."""

    def line_of(self, path: FieldPath) -> int | None: ...


@dataclass
class Problems:
    """Collects problems so that a user sees all of them at once."""

    file: str
    lines: LineFinder
    found: list[Problem] = field(default_factory=list)
    _noted: set[tuple[str, FieldPath]] = field(default_factory=set)  # messages, at their fields and those around

    def add(self, path: FieldPath, message: str) -> None:
        """Note a problem at a field; a message of several lines becomes several problems.

        What was noted already, at this field or one inside it, is not repeated.
        """
        line = self.lines.line_of(path)
        for text in message.splitlines():
            if (text, path) not in self._noted:
                self._note(Problem(self.file, line, path, text))

    def _note(self, problem: Problem) -> None:
        self.found.append(problem)
        path = problem.path
        self._noted.update((problem.message, path[:length]) for length in range(len(path) + 1))

    @contextmanager
    def at(self, *path: str | int) -> Iterator[None]:
        """Errors of input raised inside belong to this field."""
        try:
            yield
        except CaseError as error:
            for problem in error.problems:
                self._note(problem)
        except InputError as error:
            self.add(error.place(path), str(error))

    def raise_if_any(self) -> None:
        """Stop here when anything was found, in the order of the lines."""
        if self.found:
            raise CaseError(sorted(self.found, key=lambda problem: problem.line or 0))


@contextmanager
def locate_errors(problems: Problems, *path: str | int) -> Iterator[None]:
    """Every error raised inside is reported with the line of the field that it is about, or of this one."""
    try:
        yield
    except (CaseError, CaseAnalysisError):
        raise
    except InputError as error:
        problems.add(error.place(path), str(error))
        problems.raise_if_any()
    except FlexframeError as error:
        place = error.place(path)
        raise CaseAnalysisError(
            [Problem(problems.file, problems.lines.line_of(place), place, str(error))]
        ) from error


def show_value(value: object) -> str:
    """A value as messages show it, in the words of a case file, not too long."""
    match value:
        case None:
            return "nothing"
        case bool():
            return str(value).lower()
        case dict():
            return "a mapping"
        case list() | tuple():
            return "a list"
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "…"


MOST_COMPARED = 200


def did_you_mean(name: str, known: Sequence[str]) -> str:
    """' (did you mean …?)' when a known name is near, else nothing; very many names are not searched."""
    if len(known) > MOST_COMPARED:
        return ""
    near = get_close_matches(name, known, n=1, cutoff=0.6)
    return f" (did you mean '{near[0]}'?)" if near else ""


def unknown_name(kind: str, name: str, known: Sequence[str]) -> str:
    """What to say of a name that stands for nothing."""
    return f"unknown {kind} '{name}'{did_you_mean(name, known)}; known are {list_names(known)}"


MOST_NAMES = 30


def list_names(names: Sequence[str]) -> str:
    """Names with commas; of very many the first, and how many more there are."""
    more = len(names) - MOST_NAMES
    return ", ".join(names) if more <= 1 else f"{', '.join(names[:MOST_NAMES])} and {more:,} more"
