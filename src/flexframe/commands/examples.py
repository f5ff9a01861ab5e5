"""flexframe examples: list the cases that come with flexframe, or copy one."""

import os
from pathlib import Path
from typing import Any

from flexframe.cases.case import case_files
from flexframe.cases.examples import example_paths
from flexframe.cases.source import parse_yaml, read_text
from flexframe.commands.console import console, print_json
from flexframe.entries.problems import did_you_mean
from flexframe.errors import AnalysisError, InputError
from flexframe.files import Folder


def examples(name: str | None, copy_to: Path | None, as_json: bool) -> None:
    """List the examples, show one, or copy it into a folder."""
    known = example_paths()
    if name is None:
        if copy_to is not None:
            raise InputError(f"--copy needs the name of an example; choose one of {', '.join(known)}")
        _print_list(known, as_json)
        return
    name = name.removesuffix(".yaml")
    if name not in known:
        near = did_you_mean(name, list(known))
        raise InputError(f"there is no example '{name}'{near}; choose one of {', '.join(known)}")
    if copy_to is None:
        print(read_text(known[name]), end="")
    else:
        print(_copy(known[name], copy_to))


def _copy(path: Path, folder: Path) -> Path:
    """Copy an example, with the recordings and meshes that it names, without replacing anything."""
    source = Folder(path.parent, confined=True)
    names = [path.name, *case_files(read_text(path), file=path.name, folder=source)]
    taken = [folder / name for name in names if (folder / name).exists()]
    if taken:
        raise InputError(f"{taken[0]}: there is such a file already; copy into another folder")
    for name in names:
        _write_new(folder / name, source.read(name))
    return folder / path.name


def _write_new(target: Path, content: bytes) -> None:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
    except OSError as error:
        raise AnalysisError(f"{target}: cannot be written ({error.strerror}); give another folder") from error
    with os.fdopen(handle, "wb") as file:
        file.write(content)


def _print_list(known: dict[str, Path], as_json: bool) -> None:
    rows: list[dict[str, Any]] = []
    for name, path in known.items():
        document = parse_yaml(read_text(path), path.name).plain()
        rows.append({"name": name, "title": document["title"], "analyses": list(document["analyses"])})
    if as_json:
        print_json(rows)
        return
    from rich.table import Table

    table = Table("name", "title", "analyses")
    for row in rows:
        table.add_row(row["name"], row["title"], ", ".join(row["analyses"]))
    console().print(table)
    print("copy one with: flexframe examples NAME --copy DIR")
