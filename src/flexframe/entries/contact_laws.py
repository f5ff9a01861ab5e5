"""Laws of contact in a case: normal force and friction, of contacts, joints and loads, and the play of a joint."""

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, cast

from pydantic import Field, create_model

from flexframe.entries import quantities as q
from flexframe.entries.entry import ByKeys, Entry
from flexframe.entries.fields import (
    Length,
    Modulus,
    Multiplier,
    Number,
    PositiveNumber,
    one_of,
    quantity,
    quantity_or_state,
)
from flexframe.entries.tables import ByShape
from flexframe.errors import InputError, at_field
from flexframe.maths.formula import Formula
from flexframe.model.clearance import RADIUS, JointClearance
from flexframe.model.contacts import ContactFriction, NormalLaw, hertz_stiffness
from flexframe.model.rubbing import FrictionModel, JointFriction

_TWO = Field(min_length=2, max_length=2, strict=False)
Speed = Annotated[float, quantity(q.VELOCITY, "positive")]


class HertzEntry(Entry):
    """Elasticity of both bodies, from which the stiffness follows after Hertz."""

    modulus: Annotated[tuple[Modulus, ...], _TWO]
    poisson: Annotated[tuple[Multiplier, ...], _TWO] = (0.3, 0.3)


class LinearLawEntry(Entry):
    """N = K δ + d δ̇, never tension."""

    leads: ClassVar[tuple[str, ...]] = ("kelvin_voigt",)
    kelvin_voigt: Annotated[float, quantity(q.FORCE_PER_LENGTH, "positive")]
    damping: Annotated[float, quantity(q.DAMPING, "not negative")] = 0.0

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
        try:
            return NormalLaw(name, stiffness, self.exponent, getattr(self, name), least_speed=self.least_speed)
        except InputError as error:  # the restitution stands in the field of the law
            raise InputError(str(error), field=name if error.field == ("restitution",) else error.field) from None


class ImpulsiveLawEntry(Entry):
    """No force: where shapes meet their speed is thrown back by the restitution, which stands after the name."""

    leads: ClassVar[tuple[str, ...]] = ("impulsive",)
    impulsive: Multiplier
    least_speed: Speed = 1e-3

    def law(self, radii: tuple[float, float] | None) -> NormalLaw:  # noqa: ARG002 - as the others
        """The law that is described."""
        return NormalLaw("impulsive", restitution=self.impulsive, least_speed=self.least_speed)


class ContactFrictionEntry(Entry):
    """Coulomb's friction: smoothed over a velocity, or with bristles that bend before they slip."""

    dynamic: Multiplier
    static: Multiplier | None = None
    model: FrictionModel = "tanh"
    regularisation: Speed | None = None
    stribeck: Speed = 1e-2
    presliding: Length | None = None
    relaxation: Annotated[float, quantity(q.TIME, "not negative")] | None = None
    viscous: Multiplier = 0.0
    break_away: PositiveNumber = 0.9


if TYPE_CHECKING:
    AnyLaw = LinearLawEntry | ImpactLawEntry | ImpulsiveLawEntry
else:
    AnyLaw = Annotated[LinearLawEntry | ImpactLawEntry | ImpulsiveLawEntry, ByKeys("law of contact")]
AnyFriction = Annotated[Multiplier | ContactFrictionEntry, ByShape(ContactFrictionEntry, Multiplier)]


def build_friction(given: "float | ContactFrictionEntry | None") -> ContactFriction | None:
    """The friction that is described."""
    if isinstance(given, ContactFrictionEntry):
        return ContactFriction(**dict(given))
    return None if given is None else ContactFriction(given)


FRICTION_LIMIT = Annotated[float | Formula, quantity_or_state((q.FORCE, q.MOMENT), "not negative", "0.3*press")]
"""A force or a torque, or a formula of t, sensors and controllers."""

_COEFFICIENT = Annotated[float | Formula, quantity_or_state((q.PURE,), "not negative", "0.1 + 0.02*wear")]

RUBBING: Mapping[str, Any] = {
    "limit": FRICTION_LIMIT,
    "static": FRICTION_LIMIT,
    "stiffness": Annotated[float, one_of((q.FORCE_PER_LENGTH, q.MOMENT), "positive")],
    "damping": Annotated[float, one_of((q.DAMPING, q.TORSION_DAMPING), "not negative")],
    "viscous": Annotated[float, one_of((q.DAMPING, q.TORSION_DAMPING), "not negative")],
    "stribeck": Annotated[float, one_of((q.VELOCITY, q.ANGULAR_VELOCITY), "positive")],
    "break_away": Number,
    "presliding": Annotated[float, one_of((q.LENGTH, q.ANGLE), "positive")],
    "relaxation": Annotated[float, quantity(q.TIME, "not negative")],
    "model": FrictionModel,
    "velocity": Annotated[float, one_of((q.VELOCITY, q.ANGULAR_VELOCITY), "positive")],
}
"""What the fields of friction measure, of loads and of joints."""

_PRESSED: Mapping[str, Any] = {
    "coefficient": _COEFFICIENT,
    "static_coefficient": _COEFFICIENT,
    "radius": Length,
    "thrust_radius": Length,
    "length": Length,
    "width": Length,
}


class _Described:
    """Friction of a joint with the fields that it has in the model."""

    def friction(self) -> JointFriction:
        """The friction that is described."""
        given: dict[str, Any] = dict(self)  # type: ignore[call-overload]  # of an entry
        return JointFriction(velocity=given.pop("regularisation"), **given)


def _entry() -> Any:
    measures, own = {**RUBBING, **_PRESSED}, {}
    for field in fields(JointFriction):
        key = "regularisation" if field.name == "velocity" else field.name
        what = measures[field.name]
        own[key] = (what | None if field.default is None else what, field.default)
    create: Any = create_model  # its types allow no base that is not a model
    return create("JointFrictionEntry", __base__=(_Described, Entry), __doc__=JointFriction.__doc__, **own)


if TYPE_CHECKING:
    JointFrictionEntry = _Described
else:
    JointFrictionEntry = _entry()
AnyJointFriction = Annotated[FRICTION_LIMIT | JointFrictionEntry, ByShape(JointFrictionEntry, FRICTION_LIMIT)]


class ClearanceEntry(Entry):
    """Radial clearance, radius of the journal, sizes of a slide or a bearing, law and friction of contact."""

    radial: Length
    radius: Length = RADIUS
    length: Length | None = None
    width: Length | None = None
    law: AnyLaw | None = None
    friction: AnyFriction | None = None

    def clearance(self, *, slide: bool) -> JointClearance:
        """The clearance that is described, in a slide or in a bearing."""
        plain = JointClearance(self.radial, self.radius, self.length)
        law = None
        if self.law is not None:
            with at_field("law"):
                law = self.law.law(plain.radii(slide=slide))
        friction = build_friction(self.friction)
        return JointClearance(self.radial, self.radius, self.length, law, friction, self.width)


AnyClearance = Annotated[Length | ClearanceEntry, ByShape(ClearanceEntry, Length)]
