"""Events of a motion in a case."""

from typing import ClassVar

from pydantic import Field

from flexframe.entries.entry import Entry
from flexframe.entries.fields import FormulaOfState, Name, Number
from flexframe.model.events import Event, Passage


class EventEntry(Entry):
    """What happens when a formula of t, sensors and controllers passes zero: a stop, or switches are set."""

    leads: ClassVar[tuple[str, ...]] = ("when",)
    when: FormulaOfState
    passage: Passage = "both"
    stop: bool = False
    set: dict[Name, Number] = Field(default_factory=dict)

    def event(self, name: str) -> Event:
        """The event that is described."""
        return Event(name, self.when, self.passage, self.stop, self.set)
