"""flexframe describe and flexframe convert: parts in files of other programs."""

from collections.abc import Sequence
from pathlib import Path

from flexframe.commands.console import print_json
from flexframe.errors import InputError
from flexframe.exchange.contract import Part
from flexframe.exchange.describing import describe_part
from flexframe.exchange.reading import read_part
from flexframe.exchange.writing import write_part


def describe(files: Sequence[Path], units: str | None, as_json: bool) -> None:
    """Print what is in files that belong together."""
    found = describe_part(read_part(files, units=units), units=units)
    if as_json:
        print_json({"files": [str(file) for file in files], **found.as_json()})
        return
    print(", ".join(map(str, files)))
    for line in found.lines():
        print(f"  {line}")


def convert(files: Sequence[Path], units: str | None, to_units: str | None, as_json: bool) -> None:
    """Write what the files but the last hold to the last; print what was left out."""
    *sources, target = files
    if not sources:
        raise InputError(f"{target}: is all that was given; give a file to read and one to write")
    for source in sources:
        if target.exists() and source.exists() and target.samefile(source):
            raise InputError(f"{target}: is read and cannot be written; give another name")
    part = read_part(sources, units=units)
    written = to_units or units
    notices = (*_incomplete(part), *part.notices, *write_part(part, target, units=written))
    if as_json:
        print_json({"file": str(target), "units": written or "m, N, s, kg", "notices": notices})
        return
    print(f"{target}: written in {written or 'm, N, s, kg'}")
    for notice in dict.fromkeys(notices):
        print(f"  note: {notice}")


def _incomplete(part: Part) -> tuple[str, ...]:
    """What was not read, and is therefore not written either."""
    return tuple(f"not converted: {hindrance}" for hindrance in part.hindrances)
