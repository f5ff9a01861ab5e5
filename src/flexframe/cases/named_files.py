"""The files that a case names."""

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from pydantic import BaseModel

from flexframe.entries.fields import FileName
from flexframe.entries.problems import Problems
from flexframe.errors import FieldPath, InputError
from flexframe.files import Folder, MissingFileError, RefusedFileError


def named_files(value: Any, path: FieldPath = ()) -> Iterator[tuple[FieldPath, FileName]]:
    """The names of files in a document, or in a part of it, with their fields."""
    if isinstance(value, FileName):
        yield path, value
    elif isinstance(value, BaseModel):
        for key in type(value).model_fields:
            yield from named_files(getattr(value, key), (*path, key))
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from named_files(part, (*path, key))
    elif isinstance(value, tuple | list):
        for index, part in enumerate(value):
            yield from named_files(part, (*path, index))


def check_files(document: BaseModel, folder: Folder, problems: Problems) -> None:
    """Note each file that cannot be opened, at its field."""
    for path, name in named_files(document):
        with problems.at(*path):
            folder.require(name)


def find_files(document: BaseModel, folder: Folder, problems: Problems) -> list[str]:
    """The files that a document names and what they include, where they exist; CaseError for refused ones."""
    found: dict[str, None] = {}
    for path, name in named_files(document):
        try:
            found |= dict.fromkeys(with_included(name, folder))
        except RefusedFileError as error:
            problems.add(path, str(error))
        except MissingFileError:
            continue
    problems.raise_if_any()
    return list(found)


def with_included(name: str, folder: Folder) -> list[str]:
    """A file and what it includes, by their names from the folder; a damaged file includes nothing."""
    from flexframe.exchange.formats import FORMATS

    with folder.open(name) as file:
        for form in FORMATS:
            if form.includes is None or file.suffix not in form.endings:
                continue
            try:
                return [name, *((PurePosixPath(name).parent / other).as_posix() for other in form.includes(file))]
            except RefusedFileError:
                raise
            except InputError:
                return [name]
    return [name]
