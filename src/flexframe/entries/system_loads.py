"""Loads and contacts of the bodies of a system in a case; their fields follow from the classes of the model."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, fields
from math import inf
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Union, cast, get_origin, get_type_hints

from pydantic import AfterValidator, Field

from flexframe.entries import quantities as q
from flexframe.entries.contact_laws import RUBBING, AnyFriction, AnyLaw, build_friction
from flexframe.entries.entry import ByKeys, Entry, checker, refusal
from flexframe.entries.fields import (
    AccelerationVector,
    Angle,
    AngularVelocity,
    AnyQuantity,
    Checked,
    Coordinate,
    Direction,
    FileName,
    Force,
    ForceVector,
    Length,
    LengthOrZero,
    Moment,
    MomentVector,
    Name,
    Number,
    OneOrList,
    Velocity,
    count,
    formula_of,
    quantity,
    quantity_of,
    quantity_or_formula,
)
from flexframe.entries.links import Markers, derived_entry
from flexframe.entries.problems import show_value
from flexframe.entries.recordings import StateLawEntry, build_law
from flexframe.entries.tables import ByShape, ColumnEntry, read_grid
from flexframe.errors import at_field
from flexframe.files import Folder
from flexframe.maths.formula import Formula
from flexframe.model.characteristics import ForceTable
from flexframe.model.contacts import CONTACTS, Contact
from flexframe.model.system_loads import SYSTEM_LOADS, SystemLoad

IMPULSE = q.Dimension("a damping between displacement and rotation", "N s", (1, 1, -1), "2 N s")

_TWO_OR_THREE = Field(min_length=2, max_length=3, strict=False)
_THREE = Field(min_length=3, max_length=3, strict=False)
_TWO_OR_MORE = Field(min_length=2, strict=False)

_FORMULA = Annotated[
    Formula,
    formula_of(
        ("s", "v", "t"),
        "Force over stretch s, rate v, t and names of sensors and controllers, in SI units",
        "-1e4*s - 20*v",
        open_to_names=True,
    ),
]
_TORQUE = Annotated[
    Formula,
    formula_of(
        ("v", "t"),
        "Torque over speed v, t and names of sensors and controllers, in SI units",
        "50 - 0.2*v",
        open_to_names=True,
    ),
]


def _list_of(one: Any) -> Any:
    """A list of quantities, or a column of a CSV file."""
    several = Annotated[tuple[one, ...], _TWO_OR_MORE]
    return Annotated[several | ColumnEntry, ByShape(ColumnEntry, several)]


def _rows_of(one: Any) -> Any:
    """A list of quantities or of such lists, or a column of a CSV file."""
    either = Annotated[Any, OneOrList(one, Annotated[tuple[one, ...], _TWO_OR_MORE])]
    several = Annotated[tuple[either, ...], _TWO_OR_MORE]
    return Annotated[several | ColumnEntry, ByShape(ColumnEntry, several)]


class _Table:
    """A table of forces: places, and the force at each of them."""

    over: Any
    values: Any
    rates: Any

    def build(self, folder: Folder) -> ForceTable:
        """The table, of lists or of columns of a CSV file."""
        over, values, rates = (
            part.build(folder) if isinstance(part, ColumnEntry) else part
            for part in (self.over, self.values, self.rates)
        )
        return ForceTable(over, values, rates)


class ForceTableEntry(_Table, Entry):
    """Forces [N] over stretches [m], increasing: a monotone cubic spline, straight beyond its ends.

    With `rates` [m/s] a table over both, a row of values for each stretch, held beyond its ends.
    """

    leads: ClassVar[tuple[str, ...]] = ("over",)
    over: _list_of(Coordinate)  # type: ignore[valid-type]  # made from a type
    values: _rows_of(Force)  # type: ignore[valid-type]
    rates: _list_of(Velocity) | None = None  # type: ignore[valid-type]


class TorqueTableEntry(_Table, Entry):
    """Torques [N m] over angles [rad], increasing: a monotone cubic spline, straight beyond its ends.

    With `rates` [rad/s] a table over both, a row of values for each angle, held beyond its ends.
    """

    leads: ClassVar[tuple[str, ...]] = ("over",)
    over: _list_of(Angle)  # type: ignore[valid-type]
    values: _rows_of(Moment)  # type: ignore[valid-type]
    rates: _list_of(AngularVelocity) | None = None  # type: ignore[valid-type]


class TableFileEntry(Entry):
    """A CSV file of forces over stretch and rate, in three columns or as a grid, held beyond its ends.

    A grid has the stretches in its first column and the rates in its header. `scales` of stretch, rate and force
    turn the numbers into SI units.
    """

    leads: ClassVar[tuple[str, ...]] = ("table",)
    table: FileName
    scales: Annotated[tuple[AnyQuantity, ...], _THREE] | None = None

    def build(self, folder: Folder) -> ForceTable:
        """The table; the file is found from the folder of the case."""
        (stretches, rates), forces = read_grid(self.table, folder, 2, self.scales)
        return ForceTable(tuple(stretches), tuple(map(tuple, forces)), tuple(rates))


def _characteristic(inline: type[Entry]) -> Any:
    either: Any = inline | TableFileEntry
    table = Annotated[either, ByKeys("table of forces")]
    return Annotated[_FORMULA | table, ByShape(table, _FORMULA)]


def _row(of: Sequence[Any]) -> Any:
    return Annotated[tuple[tuple(of)], Field(strict=False)]  # type: ignore[misc]  # made from values


def _mount(displacement: q.Dimension, both: q.Dimension, rotation: q.Dimension, what: str) -> Any:
    """Numbers of a bushing for displacements and rotations, in the plane or in space, or a matrix of them all."""
    u, c, r = (Annotated[float, quantity(dimension)] for dimension in (displacement, both, rotation))
    checkers = {}
    for size in (2, 3):
        turns = 1 if size == 2 else 3
        above, below = [u] * size + [c] * turns, [c] * size + [r] * turns
        checkers[size + turns, False] = checker(_row([u] * size + [r] * turns))
        checkers[size + turns, True] = checker(_row([_row(above)] * size + [_row(below)] * turns))

    def check(value: Any) -> Any:
        shape = (len(value), bool(value) and isinstance(value[0], list | tuple)) if _is_list(value) else (0, False)
        if shape not in checkers:
            raise refusal(
                f"{show_value(value)} is no {what}; give three numbers in the plane, six in space, or a matrix"
            )
        return checkers[shape].validate_python(value)

    units = f"{displacement.unit}, {rotation.unit}"
    about = (
        f"{what.capitalize()} of displacements and rotations [{units}]: 3 in the plane, 6 in space, or a matrix"
    )
    return Annotated[tuple[Any, ...], Checked(check, {"description": about, "type": "array", "minItems": 3})]


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple)


_MOMENT = Annotated[tuple[StateLawEntry, ...], _THREE]


def _about_z(value: Any) -> Any:
    """A single law is about z, as in the plane."""
    return value if isinstance(value, tuple) else (Formula.parse("0"), Formula.parse("0"), value)


_MEASURES: Mapping[str, Any] = {
    "acceleration": AccelerationVector,
    "force": Annotated[tuple[StateLawEntry, ...], _TWO_OR_THREE],
    "moment": Annotated[Any, OneOrList(StateLawEntry, _MOMENT), AfterValidator(_about_z)],
    "force_before": ForceVector,
    "moment_before": MomentVector,
    "on": str,
    "body": Name,
    "factor": StateLawEntry,
    "law": StateLawEntry,
    "factor_before": Number,
    "law_before": Number,
    "stiffness": Annotated[float, quantity(q.FORCE_PER_LENGTH, "not negative")],
    "torsion_spring.stiffness": Annotated[float, quantity(q.MOMENT, "not negative")],
    "free": Coordinate,
    "torsion_spring.free": Angle,
    "damping": Annotated[float | Formula, quantity_or_formula(q.DAMPING, "not negative", "v")],
    "torsion_spring.damping": Annotated[
        float | Formula, quantity_or_formula(q.TORSION_DAMPING, "not negative", "v")
    ],
    "preload": Force,
    "torsion_spring.preload": Moment,
    "clearance": LengthOrZero,
    "torsion_spring.clearance": Annotated[float, quantity(q.ANGLE, "not negative")],
    "characteristic": _characteristic(ForceTableEntry),
    "torsion_spring.characteristic": _characteristic(TorqueTableEntry),
    "bushing.stiffness": _mount(q.FORCE_PER_LENGTH, q.FORCE, q.MOMENT, "stiffness"),
    "bushing.damping": _mount(q.DAMPING, IMPULSE, q.TORSION_DAMPING, "damping"),
    "bushing.preload": _mount(q.FORCE, q.FORCE, q.MOMENT, "preload"),
    "axis": Direction,
    **{f"friction.{name}": what for name, what in RUBBING.items()},
    "motor.law": _TORQUE,
    "speeds": _list_of(AngularVelocity),
    "torques": _list_of(Moment),
}
"""What the fields of loads measure: by name, or by kind and name where a kind has its own. Choices need none."""

_WRITTEN: Mapping[str, str] = {
    "gravity.acceleration": "gravity",
    "body_loads.body": "body_loads",
    "spring.free": "free_length",
    "torsion_spring.free": "free_angle",
    "spring.characteristic": "force",
    "torsion_spring.characteristic": "force",
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
    """The value of a field, with laws of time, tables and columns in place of what describes them."""
    if isinstance(value, tuple):
        return tuple(_with_laws(part, folder) for part in value)
    if isinstance(value, _Table | TableFileEntry | ColumnEntry):
        return value.build(folder)
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
    placed = [field for field in fields(kind) if not field.kw_only][3 if between else 1 :]
    for field in (*placed, *(field for field in fields(kind) if field.kw_only)):
        key = _WRITTEN.get(f"{kind.kind}.{field.name}", field.name)
        own[key] = _case_field(kind, field, hints[field.name], required=leads == (key,))
        written[field.name] = key
    entry: Any = derived_entry(LoadedEntry, kind, own)
    entry.leads, entry.written = leads, written
    return cast("type[Entry]", entry)


def _case_field(kind: type[Any], field: Any, hint: Any, *, required: bool) -> tuple[Any, Any]:
    """What a case may write in a field, and what stands for nothing; formulas have no default of their own."""
    what = _MEASURES.get(f"{kind.kind}.{field.name}", _MEASURES.get(field.name, quantity_of(field)))
    if what is None:
        known = get_origin(hint) is Literal
        assert known, f"{kind.__name__}.{field.name} needs a unit or a word in _MEASURES"
        what = hint
    if required or field.default is MISSING:
        return what, ...
    formula = field.name in ("force", "moment", "factor")
    return (what | None, None) if formula or field.default is None else (what, field.default)


if TYPE_CHECKING:
    SystemLoadEntry = LoadedEntry
else:
    SystemLoadEntry = Annotated[Union[tuple(map(load_entry, SYSTEM_LOADS))], ByKeys("load")]  # noqa: UP007


_TWO = Field(min_length=2, max_length=2, strict=False)
Pair = Annotated[tuple[Length, ...], _TWO]
CurvePoint = Annotated[tuple[Coordinate, ...], _TWO]
Divisions = Annotated[int, count(4)]


_CONTACT_MEASURES: Mapping[str, Any] = {
    "radius": LengthOrZero,
    "radii": Pair,
    "clearance": Length,
    "length": Length,
    "normal": Direction,
    "axis": Direction,
    "points": Annotated[tuple[CurvePoint, ...], Field(min_length=2, strict=False)],
    "closed": bool,
}
"""What the fields of contacts measure; choices need none."""


class TouchingEntry:
    """Two markers, the fields that the contact has in the model, law and friction; made from a class there."""

    leads: ClassVar[tuple[str, ...]]
    made: ClassVar[Callable[..., Contact]]

    def contact(self, name: str) -> Contact:
        """The contact that is described."""
        given = {key: value for key, value in dict(cast("Entry", self)).items() if value is not None}
        first, second = given.pop(self.leads[0])
        with at_field("law"):
            law = given.pop("law").law(_radii(given, self.leads[0]))
        friction = build_friction(given.pop("friction", None))
        return type(self).made(name=name, first=first, second=second, law=law, friction=friction, **given)


def _radii(given: Mapping[str, Any], kind: str) -> tuple[float, float] | None:
    """Radii of curvature where two spheres, or a sphere and a plane, touch."""
    match kind:
        case "sphere_plane" if given["radius"] > 0:
            return inf, given["radius"]
        case "sphere_sphere":
            return given["radii"][0], given["radii"][1]
        case "sphere_in_sphere":
            return -given["radius"] - given["clearance"], given["radius"]
    return None


def contact_entry(kind: type[Contact]) -> type[Entry]:
    """What a case says of a kind of contact: `KIND: [marker, marker]`, its fields, law and friction."""
    hints = get_type_hints(kind)
    own: dict[str, tuple[Any, Any]] = {kind.kind: (Markers, ...)}
    shared = {field.name for field in fields(Contact)}
    for field in fields(kind):
        if field.name in shared:
            continue
        what = _CONTACT_MEASURES.get(field.name, hints[field.name])
        own[field.name] = (what, ... if field.default is MISSING else field.default)
    own |= {"law": (AnyLaw, ...), "friction": (AnyFriction | None, None), "divisions": (Divisions, 40)}
    return derived_entry(TouchingEntry, kind, own)


if TYPE_CHECKING:
    ContactEntry = TouchingEntry
else:
    ContactEntry = Annotated[Union[tuple(map(contact_entry, CONTACTS))], ByKeys("contact")]  # noqa: UP007
