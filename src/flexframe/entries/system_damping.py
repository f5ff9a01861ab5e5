"""Damping of a whole system in a case: ratios of its assembled modes."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from flexframe.entries import quantities as q
from flexframe.entries.entry import Entry, refusal
from flexframe.entries.fields import Checked, Frequency, Multiplier, quantity
from flexframe.errors import InputError

if TYPE_CHECKING:
    from flexframe.model.system_damping import SystemDamping

_TWO = Field(min_length=2, max_length=2, strict=False)
Ratios = Annotated[tuple[Multiplier, ...], _TWO]
Frequencies = Annotated[tuple[Frequency, ...], _TWO]


_time = quantity(q.TIME)
_INSTANT = {"anyOf": [{"const": "start"}, dict(_time.schema)]}


def _instant(value: Any) -> Any:
    if value == "start":
        return value
    try:
        return _time.check(value)
    except PydanticCustomError as error:
        raise refusal(f"{error.message()}, or start") from None


class RayleighFitEntry(Entry):
    """ζ = (α/ω + βω)/2 with two ratios at two frequencies, or at the two lowest assembled modes."""

    ratios: Ratios
    frequencies: Frequencies | None = None


class SystemDampingEntry(Entry):
    """Damping ratios of the assembled system about its start, or about the described start at another time."""

    modal: Multiplier | None = None
    rayleigh: RayleighFitEntry | None = None
    at: Annotated[float | Literal["start"], Checked(_instant, _INSTANT)] = "start"

    @model_validator(mode="after")
    def _possible(self) -> "SystemDampingEntry":
        if (self.modal is None) == (self.rayleigh is None):
            raise refusal("needs one of modal and rayleigh; give a ratio for all modes, or two to fit")
        try:
            self.damping()
        except InputError as error:
            raise refusal(str(error)) from None
        return self

    def damping(self) -> "SystemDamping":
        """The damping that is described."""
        from flexframe.model.system_damping import ModalDamping, RayleighFit

        at = 0.0 if self.at == "start" else self.at
        if self.rayleigh is None:
            assert self.modal is not None
            return ModalDamping(self.modal, at)
        return RayleighFit(self.rayleigh.ratios, self.rayleigh.frequencies, at)
