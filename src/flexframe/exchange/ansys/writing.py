"""A part written as a coded database of Ansys."""

from pathlib import Path

from flexframe.exchange.contract import Part
from flexframe.exchange.units import Units


def write_archive(part: Part, path: Path, units: Units) -> tuple[str, ...]:
    """Write what a part has, in these units; what has no place is returned in sentences."""
    raise NotImplementedError((part, path, units))
