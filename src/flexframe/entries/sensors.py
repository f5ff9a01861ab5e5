"""Sensors in a case: the fields of every kind of sensor, as a file writes them.

The entries are made from the classes in `flexframe.sensors.kinds.SENSORS`: the first field of a sensor is the key
that names it; where that is its quantity, every choice is a key whose value belongs to the second field.
"""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from functools import reduce
from operator import or_
from types import new_class
from typing import TYPE_CHECKING, Annotated, Any, Literal, Protocol, get_args, get_origin, get_type_hints

from pydantic import model_validator

from flexframe.entries.entry import ByKeys, Entry, choose_lead
from flexframe.entries.fields import Direction, Name, Point, Selection
from flexframe.entries.links import Markers
from flexframe.entries.problems import Problems
from flexframe.errors import FieldPath
from flexframe.model.system import System
from flexframe.sensors.contract import Rate, Sensor
from flexframe.sensors.kinds import SENSORS

_WRITTEN = {
    "name": Name,
    "marker": str,
    "markers": Markers,
    "point": Point,
    "selection": Selection,
    "direction": Direction,
}


class SensorEntry(Protocol):
    """A sensor as a case describes it."""

    def sensor(self) -> Sensor:
        """The sensor that is described."""
        ...


def _case_type(hint: Any) -> Any:
    """The type of a field in a case, from its type in Python."""
    if get_origin(hint) is Annotated:
        return _WRITTEN[hint.__metadata__[0]]
    if hint is type(None) or get_origin(hint) is Literal or not get_args(hint):
        return hint
    return reduce(or_, (_case_type(part) for part in get_args(hint)))


def sensor_entry(kind: type[Sensor]) -> type[Entry]:
    """The entry of one kind of sensor: its fields, and `rate`, which measures the time derivative instead."""
    hints = get_type_hints(kind, include_extras=True)
    first, *others = fields(kind)  # type: ignore[arg-type]  # a sensor is a dataclass
    leads: tuple[str, ...] = (first.name,)
    types: dict[str, Any] = {}
    values: dict[str, Any] = {}
    target = ""
    if first.name == "quantity":
        target, leads = others.pop(0).name, get_args(hints["quantity"])
        for lead in leads:
            types[lead], values[lead] = _case_type(hints[target]) | None, None
    else:
        types[first.name] = _case_type(hints[first.name])
    for field in others:
        types[field.name] = _case_type(hints[field.name])
        if field.default is not MISSING:
            values[field.name] = field.default
    types["rate"], values["rate"] = bool, False

    def sensor(self: Entry) -> Sensor:
        """The sensor that is described."""
        given = {field.name: getattr(self, field.name) for field in others}
        if target:
            lead = _lead(self)
            given |= {"quantity": lead, target: getattr(self, lead)}
        else:
            given[first.name] = getattr(self, first.name)
        made = kind(**given)
        return Rate(made) if getattr(self, "rate", False) else made

    def one(self: Entry) -> Entry:
        if target:
            _lead(self)
        return self

    members = {
        "__doc__": (kind.__doc__ or "").partition("\n")[0],
        "__module__": __name__,
        "__annotations__": types,
        "leads": leads,
        "sensor": sensor,
        "_one": model_validator(mode="after")(one),
    }
    return new_class(f"{kind.__name__}Entry", (Entry,), exec_body=lambda space: space.update(members | values))


def _lead(entry: Entry) -> str:
    """The one lead of an entry that is given."""
    return choose_lead([key for key in entry.leads if getattr(entry, key) is not None], entry.leads, "sensor")


def describe_sensors(entries: Mapping[str, SensorEntry]) -> dict[str, Sensor]:
    """The sensors of an analysis."""
    return {name: entry.sensor() for name, entry in entries.items()}


def check_sensors(entries: Mapping[str, SensorEntry], system: System, problems: Problems, path: FieldPath) -> None:
    """Report sensors that watch something which the system does not have; `path` is that of their analysis."""
    for name, entry in entries.items():
        with problems.at(*path, "sensors", name):
            entry.sensor().markers(system)


ENTRIES = {kind: sensor_entry(kind) for kind in SENSORS}
if TYPE_CHECKING:
    AnySensorEntry = SensorEntry
else:
    AnySensorEntry = Annotated[reduce(or_, ENTRIES.values()), ByKeys("sensor")]
