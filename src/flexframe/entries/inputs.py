"""Inputs of a system in a case: values that come from outside."""

from typing import Annotated, Any, ClassVar

from flexframe.entries.entry import Entry, refusal
from flexframe.entries.fields import AnyQuantity, Checked
from flexframe.entries.measures import Measured
from flexframe.entries.parameters import any_measured
from flexframe.errors import InputError
from flexframe.model.events import Input


def _measured(value: Any) -> Measured:
    try:
        measured = any_measured(value)
    except InputError as error:
        raise refusal(str(error)) from None
    if measured.turns:
        raise refusal("is in Hz, which could mean turns or radians in a formula; give it in rad/s, rpm or 1/s")
    return measured


class InputEntry(Entry):
    """A value that comes from outside, as a name in formulas; in an ordinary run it keeps this value."""

    leads: ClassVar[tuple[str, ...]] = ("value",)
    value: Annotated[Measured, Checked(_measured, AnyQuantity.__metadata__[0].schema)]

    def input(self, name: str) -> Input:
        """The input that is described, with the SI unit of its value."""
        return Input(name, self.value.value, self.value.unit)
