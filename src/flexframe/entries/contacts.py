"""Contacts of a case: pairs of shapes with their law and friction, as the classes of the model have them."""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from math import inf
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Union, cast, get_type_hints

from pydantic import Field

from flexframe.entries import quantities as q
from flexframe.entries.entry import ByKeys, Entry
from flexframe.entries.fields import (
    Coordinate,
    Direction,
    Length,
    LengthOrZero,
    Modulus,
    Multiplier,
    PositiveNumber,
    count,
    quantity,
)
from flexframe.entries.links import DAMPING, Markers, derived_entry
from flexframe.entries.recordings import ByShape
from flexframe.errors import InputError, at_field
from flexframe.model.contacts import CONTACTS, Contact, ContactFriction, NormalLaw, hertz_stiffness

_TWO = Field(min_length=2, max_length=2, strict=False)
Pair = Annotated[tuple[Length, ...], _TWO]
CurvePoint = Annotated[tuple[Coordinate, ...], _TWO]
Divisions = Annotated[int, count(4)]
Speed = Annotated[float, quantity(q.VELOCITY, "positive")]


class HertzEntry(Entry):
    """Elasticity of both bodies, from which the stiffness follows after Hertz."""

    modulus: Annotated[tuple[Modulus, ...], _TWO]
    poisson: Annotated[tuple[Multiplier, ...], _TWO] = (0.3, 0.3)


class LinearLawEntry(Entry):
    """N = K δ + d δ̇, never tension."""

    leads: ClassVar[tuple[str, ...]] = ("kelvin_voigt",)
    kelvin_voigt: Annotated[float, quantity(q.FORCE_PER_LENGTH, "positive")]
    damping: Annotated[float, quantity(DAMPING, "not negative")] = 0.0

    def law(self, radii: tuple[float, float] | None) -> NormalLaw:  # noqa: ARG002 - as the other
        """The law that is described."""
        return NormalLaw("kelvin_voigt", self.kelvin_voigt, 1.0, damping=self.damping)


class ImpactLawEntry(Entry):
    """N = K δⁿ (1 + c δ̇/v), c by the coefficient of restitution that stands after the name of the law."""

    leads: ClassVar[tuple[str, ...]] = ("restitution", "hunt_crossley", "lankarani_nikravesh", "flores")
    restitution: PositiveNumber | None = None
    hunt_crossley: PositiveNumber | None = None
    lankarani_nikravesh: PositiveNumber | None = None
    flores: PositiveNumber | None = None
    stiffness: PositiveNumber | None = None
    hertz: HertzEntry | None = None
    exponent: PositiveNumber = 1.5
    least_speed: Speed = 1e-3

    def law(self, radii: tuple[float, float] | None) -> NormalLaw:
        """The law that is described, its stiffness by the radii where Hertz is asked for."""
        given = [name for name in self.leads if getattr(self, name) is not None]
        if len(given) != 1:
            raise InputError(f"{' and '.join(given)} are given; give one law")
        if (self.stiffness is None) == (self.hertz is None):
            raise InputError("give the stiffness of a contact as stiffness [N/m^exponent], or as hertz: modulus")
        stiffness = self.stiffness
        if self.hertz is not None:
            if radii is None or self.exponent != 1.5:
                raise InputError("hertz is for spheres and the exponent 1.5; give a stiffness", field="hertz")
            moduli, ratios = self.hertz.modulus, self.hertz.poisson
            stiffness = hertz_stiffness(radii, (moduli[0], moduli[1]), (ratios[0], ratios[1]))
        assert stiffness is not None
        name = cast("Any", given[0])
        return NormalLaw(name, stiffness, self.exponent, getattr(self, name), least_speed=self.least_speed)


class ImpulsiveLawEntry(Entry):
    """No force: where shapes meet their speed is thrown back by the restitution, which stands after the name."""

    leads: ClassVar[tuple[str, ...]] = ("impulsive",)
    impulsive: Multiplier
    least_speed: Speed = 1e-3

    def law(self, radii: tuple[float, float] | None) -> NormalLaw:  # noqa: ARG002 - as the others
        """The law that is described."""
        return NormalLaw("impulsive", restitution=self.impulsive, least_speed=self.least_speed)


class ContactFrictionEntry(Entry):
    """Coulomb's friction with the velocity over which it is smoothed."""

    dynamic: Multiplier
    static: Multiplier | None = None
    regularisation: Speed = 1e-3
    stribeck: Speed = 1e-2


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

if TYPE_CHECKING:
    AnyLaw = LinearLawEntry | ImpactLawEntry | ImpulsiveLawEntry
else:
    AnyLaw = Annotated[LinearLawEntry | ImpactLawEntry | ImpulsiveLawEntry, ByKeys("law of contact")]
AnyFriction = Annotated[Multiplier | ContactFrictionEntry, ByShape(ContactFrictionEntry, Multiplier)]


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
        friction = given.pop("friction", None)
        if isinstance(friction, ContactFrictionEntry):
            friction = ContactFriction(**dict(friction))
        elif friction is not None:
            friction = ContactFriction(friction)
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
