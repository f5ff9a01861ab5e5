"""Loads on the bodies of a system in a case; what may be said of them follows from the classes of the model."""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Union, cast, get_origin, get_type_hints

from pydantic import Field

from flexframe.entries import quantities as q
from flexframe.entries.entry import ByKeys, Entry
from flexframe.entries.fields import (
    AccelerationVector,
    Angle,
    AngularVelocity,
    Coordinate,
    Direction,
    ForceVector,
    Moment,
    MomentVector,
    Name,
    Number,
    one_of,
    quantity,
)
from flexframe.entries.links import Markers, derived_entry
from flexframe.entries.recordings import StateLawEntry, build_law
from flexframe.files import Folder
from flexframe.model.system_loads import SYSTEM_LOADS, SystemLoad

DAMPING = q.Dimension("a damping", "N s/m", (0, 1, -1), "20 N s/m")
TORSION_DAMPING = q.Dimension("a damping of rotation", "N m s", (2, 1, -1), "0.1 N m s")

_TWO_OR_THREE = Field(min_length=2, max_length=3, strict=False)
_THREE = Field(min_length=3, max_length=3, strict=False)
_TWO_OR_MORE = Field(min_length=2, strict=False)

_MEASURES: Mapping[str, Any] = {
    "acceleration": AccelerationVector,
    "force": Annotated[tuple[StateLawEntry, ...], _TWO_OR_THREE],
    "moment": Annotated[tuple[StateLawEntry, ...], _THREE],
    "force_before": ForceVector,
    "moment_before": MomentVector,
    "on": str,
    "body": Name,
    "factor": StateLawEntry,
    "law": StateLawEntry,
    "factor_before": Number,
    "stiffness": Annotated[float, quantity(q.FORCE_PER_LENGTH, "not negative")],
    "torsion_spring.stiffness": Annotated[float, quantity(q.MOMENT, "not negative")],
    "free": Coordinate,
    "torsion_spring.free": Angle,
    "damping": Annotated[float, quantity(DAMPING, "not negative")],
    "torsion_spring.damping": Annotated[float, quantity(TORSION_DAMPING, "not negative")],
    "axis": Direction,
    "limit": Annotated[float, one_of((q.FORCE, q.MOMENT), "not negative")],
    "velocity": Annotated[float, one_of((q.VELOCITY, q.ANGULAR_VELOCITY), "positive")],
    "speeds": Annotated[tuple[AngularVelocity, ...], _TWO_OR_MORE],
    "torques": Annotated[tuple[Moment, ...], _TWO_OR_MORE],
}
"""What the fields of loads measure: by name, or by kind and name where a kind has its own. Choices need none."""

_WRITTEN: Mapping[str, str] = {
    "gravity.acceleration": "gravity",
    "body_loads.body": "body_loads",
    "spring.free": "free_length",
    "torsion_spring.free": "free_angle",
    "friction.velocity": "regularisation",
}
"""What a case calls a field where that is not its name in the model."""

_LEADS: Mapping[str, tuple[str, ...]] = {"force": ("force", "moment")}
"""Fields that tell a load from the others where they are not its kind alone."""


class LoadedEntry:
    """A load with the fields that it has in the model; every subclass is made from a class there."""

    leads: ClassVar[tuple[str, ...]]
    made: ClassVar[Callable[..., SystemLoad]]
    written: ClassVar[Mapping[str, str]]  # names in the case, by those in the model

    def load(self, name: str, folder: Folder) -> SystemLoad:
        """The load that is described; what is left out is as in the model, files are found from the folder."""
        given = {key: _with_laws(value, folder) for key, value in dict(cast("Entry", self)).items()}
        ends = given.pop(self.leads[0]) if self.leads[0] not in self.written.values() else ()
        own = {field: given[key] for field, key in self.written.items() if given[key] is not None}
        return type(self).made(name, *ends, **own)


def _with_laws(value: Any, folder: Folder) -> Any:
    """The value of a field, with laws of time in place of what describes them."""
    if isinstance(value, tuple):
        return tuple(_with_laws(part, folder) for part in value)
    return build_law(cast("Any", value), folder) if isinstance(value, Entry) else value


def load_entry(kind: type[Any]) -> type[Entry]:
    """What a case says of a kind of load: `KIND: [marker, marker]` for a force between two, and its fields."""
    hints = get_type_hints(kind)
    own: dict[str, tuple[Any, Any]] = {}
    between = "second" in hints
    leads = _LEADS.get(kind.kind, (kind.kind,))
    if between:
        own[kind.kind] = (Markers, ...)
    written = {}
    for field in fields(kind)[3 if between else 1 :]:
        key = _WRITTEN.get(f"{kind.kind}.{field.name}", field.name)
        own[key] = _case_field(kind, field, hints[field.name], required=leads == (key,))
        written[field.name] = key
    entry: Any = derived_entry(LoadedEntry, kind, own)
    entry.leads, entry.written = leads, written
    return cast("type[Entry]", entry)


def _case_field(kind: type[Any], field: Any, hint: Any, *, required: bool) -> tuple[Any, Any]:
    """What a case may write in a field, and what stands for nothing; formulas have no default of their own."""
    what = _MEASURES.get(f"{kind.kind}.{field.name}", _MEASURES.get(field.name))
    if what is None:
        assert get_origin(hint) is Literal, f"say in _MEASURES what {kind.__name__}.{field.name} measures"
        what = hint
    if required or field.default is MISSING:
        return what, ...
    formula = field.name in ("force", "moment", "factor")
    return (what | None, None) if formula or field.default is None else (what, field.default)


if TYPE_CHECKING:
    SystemLoadEntry = LoadedEntry
else:
    SystemLoadEntry = Annotated[Union[tuple(map(load_entry, SYSTEM_LOADS))], ByKeys("load")]  # noqa: UP007
