"""Events of a motion: something happens when a formula passes zero; switches that events set."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from flexframe.errors import InputError, at_field
from flexframe.given import Described
from flexframe.model.constraints import Law, state_law
from flexframe.model.controllers.contract import Outputs, SignalBuilder

Passage = Literal["growing", "falling", "both"]


@dataclass(frozen=True)
class Switch(Described):
    """A number that formulas use under its name and that events set; it is constant between them."""

    kind: ClassVar[str] = "switch"
    name: str
    initial: float = 0.0

    def connect(self, builder: SignalBuilder) -> Iterator[Outputs]:
        """One held value."""
        yield {"": builder.held(self.initial)}


@dataclass(frozen=True)
class Event(Described):
    """When a formula of t, sensors and controllers passes zero: the motion stops there, or switches are set.

    A step ends at the instant. `passage` looks at growing or falling values only. An event that neither stops nor
    sets is marked in the record.
    """

    name: str
    when: Law
    passage: Passage = "both"
    stop: bool = False
    set: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__post_init__()
        with at_field("when"):
            state_law(self.when)
        if self.stop and self.set:
            raise InputError(f"event {self.name} stops the motion and sets switches; leave one out", field="stop")
