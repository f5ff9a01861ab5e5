"""The friction of a joint in a case: its limit, or all that is known of it."""

from typing import Annotated, Any

from flexframe.entries import quantities as q
from flexframe.entries.entry import Entry
from flexframe.entries.fields import Number, one_of, quantity, quantity_or_state
from flexframe.entries.tables import ByShape
from flexframe.maths.formula import Formula
from flexframe.model.bristles import FrictionModel
from flexframe.model.clearance import JointFriction

FRICTION_LIMIT = Annotated[float | Formula, quantity_or_state((q.FORCE, q.MOMENT), "not negative", "0.3*press")]
"""A force or a torque, or a formula of t, sensors and controllers."""


class JointFrictionEntry(Entry):
    """Friction with the fields that a load has: limit, model and the numbers of its bristles."""

    limit: FRICTION_LIMIT
    model: FrictionModel | None = None
    static: FRICTION_LIMIT | None = None
    stiffness: Annotated[float, one_of((q.FORCE_PER_LENGTH, q.MOMENT), "positive")] | None = None
    damping: Annotated[float, one_of((q.DAMPING, q.TORSION_DAMPING), "not negative")] | None = None
    viscous: Annotated[float, one_of((q.DAMPING, q.TORSION_DAMPING), "not negative")] = 0.0
    stribeck: Annotated[float, one_of((q.VELOCITY, q.ANGULAR_VELOCITY), "positive")] = 1e-3
    break_away: Number = 0.9
    presliding: Annotated[float, one_of((q.LENGTH, q.ANGLE), "positive")] | None = None
    relaxation: Annotated[float, quantity(q.TIME, "not negative")] | None = None
    regularisation: Annotated[float, one_of((q.VELOCITY, q.ANGULAR_VELOCITY), "positive")] | None = None

    def friction(self) -> JointFriction:
        """The friction that is described."""
        given: dict[str, Any] = dict(self)
        return JointFriction(velocity=given.pop("regularisation"), **given)


AnyJointFriction = Annotated[FRICTION_LIMIT | JointFrictionEntry, ByShape(JointFrictionEntry, FRICTION_LIMIT)]
