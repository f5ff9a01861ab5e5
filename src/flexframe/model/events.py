"""Inputs and events of a motion: values from outside, formulas that pass zero, switches that events set."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from flexframe.errors import InputError, at_field
from flexframe.given import Described
from flexframe.model.constraints import Law, state_law
from flexframe.model.controllers.contract import Outputs, SignalBuilder, require_name


@dataclass(frozen=True)
class Input(Described):
    """A number in SI that formulas use under its name, and that whoever steps the system sets between steps.

    In an ordinary run it keeps its value. `unit` is for tables and files.
    """

    name: str
    value: float = 0.0
    unit: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        require_name(self.name)
        if not np.isfinite(self.value):
            raise InputError(f"input {self.name} is {self.value:g}; give a finite number", field="value")


Passage = Literal["growing", "falling", "both"]


@dataclass(frozen=True)
class Switch(Described):
    """A number that formulas use under its name and that events set; it is constant between them."""

    kind: ClassVar[str] = "switch"
    name: str
    initial: float = 0.0

    def connect(self, builder: SignalBuilder) -> Iterator[Outputs]:
        """One held value."""
        yield {"": builder.hold(self.initial)}


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
