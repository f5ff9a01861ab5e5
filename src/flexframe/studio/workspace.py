"""The folder in which the studio works: case files and the files that they name, and nothing outside it."""

import os
import re
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from secrets import token_hex

from flexframe.cases.source import MAX_BYTES, decode_text
from flexframe.errors import FlexframeError, InputError
from flexframe.exchange.formats import FORMATS
from flexframe.files import Folder, MissingFileError, leads_outside

OTHER_ENDINGS = (".dof", ".csv", ".txt", ".nc")  # rows of CalculiX' matrices, recordings
CASE_NAME = r"^[A-Za-z0-9][A-Za-z0-9 ._\-]{0,79}\.yaml$"
DATA_ENDINGS = tuple(
    dict.fromkeys([*(end for form in FORMATS if form.read for end in form.endings), *OTHER_ENDINGS])
)
"""Endings of parts, meshes, matrices and recordings."""
DATA_NAME = (
    rf"^[A-Za-z0-9][A-Za-z0-9 ._\-]{{0,79}}\.(?i:{'|'.join(ending.lstrip('.') for ending in DATA_ENDINGS)})$"
)
KEPT = "flexframe-studio"
"""Folder for what the studio keeps: its runs."""

MAX_CASES = 500
_ANALYSES = re.compile(r"^analyses\s*:", re.MULTILINE)


class NotThereError(FlexframeError):
    """Something that was asked for by name does not exist."""


class ConflictError(FlexframeError):
    """Something else is there already, or was changed meanwhile."""


@dataclass(frozen=True)
class CaseText:
    """A case file as it is on the disk."""

    name: str
    text: str

    @property
    def sha256(self) -> str:
        """Hash by which a later change is noticed."""
        return sha256(self.text.encode()).hexdigest()


@dataclass(frozen=True)
class Workspace:
    """A folder with cases; what is read is opened by `files`, what is written is checked by `inside`."""

    folder: Path

    @classmethod
    def at(cls, folder: Path) -> "Workspace":
        """The folder, which must exist."""
        resolved = folder.resolve()
        if not resolved.is_dir():
            raise InputError(f"{folder}: there is no such folder; give one that exists")
        return cls(resolved)

    @property
    def files(self) -> Folder:
        """Opens the files of the workspace, and no others."""
        return Folder(self.folder, confined=True)

    @property
    def kept(self) -> Path:
        """Where the runs are."""
        return self.inside(KEPT)

    def inside(self, relative: str) -> Path:
        """The path of a file of the workspace; InputError when it leads outside, also through links."""
        if leads_outside(relative):
            raise InputError(f"'{relative}' leads out of the workspace; name a file inside it")
        try:
            path = (self.folder / relative).resolve()
        except (OSError, ValueError, RuntimeError):  # endless links, zero bytes
            raise InputError(f"'{relative}' is no name of a file; give another") from None
        if not path.is_relative_to(self.folder):
            raise InputError(f"'{relative}' is a link that leads out of the workspace; copy the file into it")
        return path

    def cases(self) -> list[str]:
        """Names of the case files, sorted."""
        found: list[str] = []
        for path in sorted(self.folder.glob("*.yaml")):
            if len(found) == MAX_CASES:
                break
            if re.fullmatch(CASE_NAME, path.name) and self._is_case(path):
                found.append(path.name)
        return found

    def _is_case(self, path: Path) -> bool:
        try:
            return bool(_ANALYSES.search(self._text(path.name)))
        except InputError:
            return False

    def _text(self, name: str) -> str:
        return decode_text(self.files.read(name, MAX_BYTES + 1), name)

    def data_files(self) -> list[str]:
        """Meshes and recordings beside the cases and one folder down, by the names that a case gives them."""
        found: list[str] = []
        for path in sorted([*self.folder.glob("*.*"), *self.folder.glob("[!.]*/*.*")]):
            name = path.relative_to(self.folder).as_posix()
            if len(found) == MAX_CASES:
                break
            if name.startswith(KEPT) or not re.fullmatch(DATA_NAME, path.name):
                continue
            if self.files.has(name):
                found.append(name)
        return found

    def read_case(self, name: str) -> CaseText:
        """A case file."""
        self._case_path(name)
        try:
            return CaseText(name, self._text(name))
        except MissingFileError:
            raise NotThereError(f"{name}: there is no such case in the workspace; choose another") from None

    def save_case(self, name: str, text: str, replaces: str | None) -> CaseText:
        """Write a case, whole or not at all.

        `replaces` is the hash of the text that may be lost, None for a new file; ConflictError otherwise.
        """
        path = self._case_path(name)
        now = self.read_case(name).sha256 if path.exists() else None
        if now is not None and now not in (replaces, CaseText(name, text).sha256):
            raise ConflictError(
                f"{name}: the file was changed by another program; load it again or save under another name"
            )
        self._write(path, text.encode())
        return CaseText(name, text)

    def add_files(self, source: Folder, names: list[str]) -> None:
        """Copy files that are not there yet from a folder; one with other content is a conflict."""
        for name in names:
            content = source.read(name)
            if self.inside(name).exists() and self.files.read(name, len(content) + 1) != content:
                raise ConflictError(f"{name}: the workspace has another file of this name; rename that one")
        for name in names:
            path = self.inside(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            self._write(path, source.read(name))

    def add_case(self, name: str, text: str) -> CaseText:
        """A new case under this name, or under the next free one where another has it."""
        stem = name.removesuffix(".yaml")
        for number in range(1, 1000):
            free = f"{stem}.yaml" if number == 1 else f"{stem}-{number}.yaml"
            path = self._case_path(free)
            if not path.exists():
                return self.save_case(free, text, None)
            if self.read_case(free).text == text:
                return CaseText(free, text)
        raise ConflictError(f"{name}: there are a thousand copies already; remove some")

    def store(self, name: str, content: bytes, *, replace: bool) -> None:
        """Keep a mesh or a recording."""
        if not re.fullmatch(DATA_NAME, name):
            raise InputError(f"'{name}' is no name of a mesh or a recording; rename the file, as in part.inp")
        path = self.inside(name)
        if path.exists() and not replace:
            if self.files.read(name, len(content) + 1) == content:
                return
            raise ConflictError(f"{name}: there is such a file already; rename one of the two")
        self._write(path, content)

    def _case_path(self, name: str) -> Path:
        if not re.fullmatch(CASE_NAME, name):
            raise InputError(f"'{name}' is no name of a case; use letters, digits, '-' and '_', and end in .yaml")
        return self.inside(name)

    def _write(self, path: Path, content: bytes) -> None:
        """Through a new file beside it, so that nobody reads half of it."""
        new = path.with_name(f".{path.name}.{token_hex(4)}")
        try:
            with new.open("xb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            new.replace(path)
        finally:
            new.unlink(missing_ok=True)
