"""Contacts of a case: pairs of shapes with their law and friction, as the classes of the model have them."""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from math import inf
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Union, cast, get_type_hints

from pydantic import Field

from flexframe.entries.contact_laws import AnyFriction, AnyLaw, build_friction
from flexframe.entries.entry import ByKeys, Entry
from flexframe.entries.fields import (
    Coordinate,
    Direction,
    Length,
    LengthOrZero,
    count,
)
from flexframe.entries.links import Markers, derived_entry
from flexframe.errors import at_field
from flexframe.model.contacts import CONTACTS, Contact

_TWO = Field(min_length=2, max_length=2, strict=False)
Pair = Annotated[tuple[Length, ...], _TWO]
CurvePoint = Annotated[tuple[Coordinate, ...], _TWO]
Divisions = Annotated[int, count(4)]


_MEASURES: Mapping[str, Any] = {
    "radius": LengthOrZero,
    "radii": Pair,
    "clearance": Length,
    "length": Length,
    "normal": Direction,
    "axis": Direction,
    "points": Annotated[tuple[CurvePoint, ...], Field(min_length=2, strict=False)],
    "closed": bool,
}
"""What the fields of contacts measure; choices need none."""


class TouchingEntry:
    """Two markers, the fields that the contact has in the model, law and friction; made from a class there."""

    leads: ClassVar[tuple[str, ...]]
    made: ClassVar[Callable[..., Contact]]

    def contact(self, name: str) -> Contact:
        """The contact that is described."""
        given = {key: value for key, value in dict(cast("Entry", self)).items() if value is not None}
        first, second = given.pop(self.leads[0])
        with at_field("law"):
            law = given.pop("law").law(_radii(given, self.leads[0]))
        friction = build_friction(given.pop("friction", None))
        return type(self).made(name=name, first=first, second=second, law=law, friction=friction, **given)


def _radii(given: Mapping[str, Any], kind: str) -> tuple[float, float] | None:
    """Radii of curvature where two spheres, or a sphere and a plane, touch."""
    match kind:
        case "sphere_plane" if given["radius"] > 0:
            return inf, given["radius"]
        case "sphere_sphere":
            return given["radii"][0], given["radii"][1]
        case "sphere_in_sphere":
            return -given["radius"] - given["clearance"], given["radius"]
    return None


def contact_entry(kind: type[Contact]) -> type[Entry]:
    """What a case says of a kind of contact: `KIND: [marker, marker]`, its fields, law and friction."""
    hints = get_type_hints(kind)
    own: dict[str, tuple[Any, Any]] = {kind.kind: (Markers, ...)}
    shared = {field.name for field in fields(Contact)}
    for field in fields(kind):
        if field.name in shared:
            continue
        what = _MEASURES.get(field.name, hints[field.name])
        own[field.name] = (what, ... if field.default is MISSING else field.default)
    own |= {"law": (AnyLaw, ...), "friction": (AnyFriction | None, None), "divisions": (Divisions, 40)}
    return derived_entry(TouchingEntry, kind, own)


if TYPE_CHECKING:
    ContactEntry = TouchingEntry
else:
    ContactEntry = Annotated[Union[tuple(map(contact_entry, CONTACTS))], ByKeys("contact")]  # noqa: UP007
