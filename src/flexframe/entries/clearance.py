"""The play of a joint in a case: a length, or all that is known of it."""

from typing import Annotated

from flexframe.entries.contact_laws import AnyFriction, AnyLaw, build_friction
from flexframe.entries.entry import Entry
from flexframe.entries.fields import Length
from flexframe.entries.tables import ByShape
from flexframe.errors import at_field
from flexframe.model.clearance import RADIUS, JointClearance


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
