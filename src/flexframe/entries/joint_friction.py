"""Friction in a case: how faces rub, of loads and joints alike, and what presses those of a joint together."""

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import create_model

from flexframe.entries import quantities as q
from flexframe.entries.entry import Entry
from flexframe.entries.fields import Length, Number, one_of, quantity, quantity_or_state
from flexframe.entries.tables import ByShape
from flexframe.maths.formula import Formula
from flexframe.model.rubbing import FrictionModel, JointFriction

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
