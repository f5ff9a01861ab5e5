"""Angles that were meant in degrees: numbers without a unit that are too large for radians."""

from collections.abc import Iterator
from math import pi

from flexframe.cases.source import Node
from flexframe.entries.parameters import FIELD as PARAMETERS
from flexframe.entries.problems import shown_path
from flexframe.errors import FieldPath

_ANGLES = ("angle", "rotation", "free_angle", "phase")


def angle_doubts(root: Node) -> Iterator[str]:
    """A sentence about every angle of a case that is a plain number of more than one turn."""
    if isinstance(root.value, dict):
        for key, part in root.value.items():
            if key != PARAMETERS:  # which are no angles before a field takes them for one
                yield from _inside(part, (key,), is_angle=False)


def _inside(node: Node, path: FieldPath, *, is_angle: bool) -> Iterator[str]:
    if isinstance(node.value, dict):
        for key, inner in node.value.items():
            yield from _inside(inner, (*path, key), is_angle=key in _ANGLES)
    elif isinstance(node.value, list):
        for place, inner in enumerate(node.value):
            yield from _inside(inner, (*path, place), is_angle=is_angle)
    elif is_angle:
        number = _plain_number(node.value)
        if number is not None and abs(number) > 2 * pi:
            yield (
                f"line {node.line}: {shown_path(path)}: {number:g} has no unit and is taken as radians, "
                f"{abs(number) / (2 * pi):.3g} turns; write {number:g} deg if degrees are meant"
            )


def _plain_number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return float(value)
    except ValueError:
        return None  # with a unit, or a formula
