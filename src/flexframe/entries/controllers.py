"""Controllers, inputs and events of a system in a case; fields of controllers follow from the model's classes."""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Union, cast, get_origin, get_type_hints

from pydantic import Field

from flexframe.entries import quantities as q
from flexframe.entries.entry import ByKeys, Entry, refusal
from flexframe.entries.fields import (
    AngularVelocity,
    AnyQuantity,
    Checked,
    FormulaOfState,
    Name,
    Number,
    OneOrList,
    Time,
    TimeOrZero,
    count,
    quantity,
)
from flexframe.entries.links import derived_entry
from flexframe.entries.parameters import any_measured
from flexframe.entries.quantities import Measured
from flexframe.entries.recordings import StateLawEntry, build_law
from flexframe.errors import InputError, at_field
from flexframe.files import Folder
from flexframe.fmi import read_unit
from flexframe.model.controllers.contract import Controller
from flexframe.model.controllers.kinds import CONTROLLERS, PythonFunction
from flexframe.model.controllers.units import FMU
from flexframe.model.events import Event, Input, Passage

Numbers = Annotated[tuple[AnyQuantity, ...], Field(min_length=1, strict=False)]
Matrix = Annotated[tuple[Numbers, ...], Field(min_length=1, strict=False)]
TwoNumbers = Annotated[tuple[AnyQuantity, AnyQuantity], Field(strict=False)]
Laws = Annotated[tuple[StateLawEntry, ...], Field(min_length=1, strict=False)]
LawOrLaws = Annotated[Any, OneOrList(StateLawEntry, Laws)]
PositiveTime = Annotated[float, quantity(q.TIME, "positive")]

_MEASURES: Mapping[str, Any] = {
    "input": StateLawEntry,
    "state_space.input": LawOrLaws,
    "rate": StateLawEntry,
    "setpoint": StateLawEntry,
    "factor": AnyQuantity,
    "kp": AnyQuantity,
    "ki": AnyQuantity,
    "kd": AnyQuantity,
    "gain": AnyQuantity,
    "limits": TwoNumbers,
    "filter": TimeOrZero,
    "tracking": PositiveTime,
    "period": PositiveTime,
    "offset": TimeOrZero,
    "numerator": Numbers,
    "denominator": Numbers,
    "discrete": bool,
    "lead": Time,
    "lag": PositiveTime,
    "frequency": AngularVelocity,
    "width": AnyQuantity,
    "depth": AnyQuantity,
    "time": PositiveTime,
    "order": Annotated[int, count(1, 10)],
    "A": Matrix,
    "B": Matrix,
    "C": Matrix,
    "D": Matrix,
    "components": Annotated[tuple[Name, ...], Field(strict=False)],
    "initial": Numbers,
    "unit": str,
    "switch.initial": AnyQuantity,
    "fmu.file": str,
    "fmu.inputs": dict[str, StateLawEntry],
    "fmu.outputs": dict[Name, str],
    "fmu.parameters": dict[str, AnyQuantity],
}
"""What the fields of controllers measure, by name, or by kind and name where a kind has its own."""


class ControlledEntry:
    """A controller with the fields that it has in the model; every subclass is made from a class there."""

    leads: ClassVar[tuple[str, ...]]
    made: ClassVar[Callable[..., Controller]]
    first: ClassVar[str]  # the field that the kind stands for

    def controller(self, name: str, folder: Folder) -> Controller:
        """The controller that is described; its input is the field of its kind, and files are in the folder."""
        given = {}
        for key, value in dict(cast("Entry", self)).items():
            field = self.first if key == self.leads[0] else key
            if value is not None:
                with at_field(key):
                    given[field] = read_unit(value, folder) if key == FMU.kind else _with_laws(value, folder)
        return type(self).made(name, **given)


def _with_laws(value: Any, folder: Folder) -> Any:
    """The value of a field, with laws in place of what describes them."""
    if isinstance(value, tuple):
        return tuple(_with_laws(part, folder) for part in value)
    if isinstance(value, dict):
        return {key: _with_laws(part, folder) for key, part in value.items()}
    return build_law(cast("Any", value), folder) if isinstance(value, Entry) else value


def controller_entry(kind: type[Any]) -> type[Entry]:
    """What a case says of a kind of controller: `KIND: input`, and its fields."""
    hints = get_type_hints(kind)
    first = fields(kind)[1].name
    own: dict[str, tuple[Any, Any]] = {}
    for field in fields(kind)[1:]:
        what = _MEASURES.get(f"{kind.kind}.{field.name}", _MEASURES.get(field.name))
        if what is None:
            assert get_origin(hints[field.name]) is Literal, f"say in _MEASURES what {field.name} is"
            what = hints[field.name]
        key = kind.kind if field.name == first else field.name
        if field.default_factory is not MISSING:
            own[key] = (what, Field(default_factory=field.default_factory))
        elif field.default is MISSING:
            own[key] = (what, ...)
        else:
            own[key] = (what | None, None) if field.default is None else (what, field.default)
    entry: Any = derived_entry(ControlledEntry, kind, own)
    entry.first = first
    return cast("type[Entry]", entry)


_WRITTEN = tuple(kind for kind in CONTROLLERS if kind is not PythonFunction)  # a case holds no functions

if TYPE_CHECKING:
    ControllerEntry = ControlledEntry
else:
    ControllerEntry = Annotated[Union[tuple(map(controller_entry, _WRITTEN))], ByKeys("controller")]  # noqa: UP007


def _measure(value: Any) -> Measured:
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
    value: Annotated[Measured, Checked(_measure, AnyQuantity.__metadata__[0].schema)]

    def input(self, name: str) -> Input:
        """The input that is described, with the SI unit of its value."""
        return Input(name, self.value.value, self.value.unit)


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
