"""Types of the fields of a case: quantities in SI, counts, vectors, names, selections of nodes, formulas."""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import Field as ModelField
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    StringConstraints,
)
from pydantic_core import CoreSchema, PydanticCustomError
from pydantic_core.core_schema import (
    no_info_after_validator_function,
    no_info_plain_validator_function,
    str_schema,
)

from flexframe.entries import quantities as q
from flexframe.entries.entry import by_choice, checker, refusal
from flexframe.entries.parameters import NAME_PATTERN as PARAMETER_PATTERN
from flexframe.entries.parameters import any_value, current, field_value
from flexframe.entries.problems import show_value
from flexframe.entries.quantities import Dimension
from flexframe.errors import InputError
from flexframe.maths.formula import Formula

LONGEST_NAME = 1000
_CONTROL = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]")


@dataclass(frozen=True, eq=False)
class Checked:
    """Annotation of a field: a function that returns its value or refuses it, and its JSON schema."""

    check: Callable[[Any], Any]
    schema: Mapping[str, Any]

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return no_info_plain_validator_function(self.check)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return dict(self.schema)


class FileName(str):
    """The path of a file from the folder of the case; the files that a case names are found by this type."""

    __slots__ = ()

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return no_info_after_validator_function(cls._check, str_schema(strict=True))

    @classmethod
    def _check(cls, text: str) -> "FileName":
        if not text.strip() or len(text) > LONGEST_NAME or _CONTROL.search(text):
            raise refusal("is no name of a file; give its path from the folder of the case")
        return cls(text)


# ---------------------------------------------------------------------- quantities

_LIMITS: dict[str, tuple[Callable[[float], bool], dict[str, float]]] = {
    "": (lambda number: True, {}),  # noqa: ARG005 - any value will do
    "positive": (lambda number: number > 0, {"exclusiveMinimum": 0}),
    "not negative": (lambda number: number >= 0, {"minimum": 0}),
}


_EXPRESSION = {"type": "string", "pattern": r"^\s*[-+(]*\s*(\d|\.\d|[A-Za-z_])"}
"""Schema of a text with a unit, the name of a parameter, or an expression."""


def quantity(dimension: Dimension, sign: str = "") -> Checked:
    """A number in SI, a text with a unit of the dimension, or an expression of parameters.

    `sign` is a key of the limits above.
    """
    allowed, limit = _LIMITS[sign]

    def check(value: Any) -> float:
        try:
            number = field_value(value, dimension)
        except InputError as error:
            raise refusal(str(error)) from None
        if not allowed(number):
            raise refusal(f"is {_with_result(value, number, dimension.unit)}; give a value that is {sign}")
        return number

    about = dimension.name[0].upper() + dimension.name[1:]
    unit = f"a number in {dimension.unit}, a text with a unit" if dimension.unit else "a number"
    return Checked(
        check,
        {
            "description": f"{about}: {unit}, or an expression of parameters",
            "anyOf": [{"type": "number", **limit}, _EXPRESSION],
            "examples": [dimension.example if dimension.unit else float(dimension.example)],
        },
    )


def one_of(dimensions: Sequence[Dimension], sign: str = "") -> Checked:
    """A quantity of one of several dimensions."""
    *others, last = (quantity(dimension, sign) for dimension in dimensions)

    def check(value: Any) -> Any:
        for other in others:
            with suppress(PydanticCustomError):
                return other.check(value)
        return last.check(value)

    units = " or ".join(dimension.unit for dimension in dimensions)
    return Checked(
        check, {**last.schema, "description": f"A number in {units}, a text with a unit, or an expression"}
    )


def _with_result(value: Any, number: float, unit: str = "") -> str:
    """A value as it is given; an expression with what it is worth."""
    worth = f"{number:g} {unit}".rstrip()
    return (
        f"{value} = {worth}"
        if isinstance(value, str) and re.search(r"[A-Za-z_]", value.split(" ")[0])
        else f"{value}"
    )


def _any_quantity(value: Any) -> float:
    try:
        return any_value(value)
    except InputError as error:
        raise refusal(str(error)) from None


def quantity_of(field: "ModelField[Any]") -> Any:
    """What a case may write in a field of the model that names its unit: `field(metadata={"unit": "N/m"})`."""
    unit = field.metadata.get("unit")
    if unit is None:
        return None
    name = field.name.replace("_", " ")
    article = "an" if name[0] in "aeiou" else "a"
    return Annotated[float, quantity(Dimension(f"{article} {name}", unit, q.unit_of(unit).exponents, f"2 {unit}"))]


AnyQuantity = Annotated[
    float,
    Checked(
        _any_quantity,
        {
            "description": "A number in SI, a text with any unit, or an expression of parameters",
            "anyOf": [{"type": "number"}, _EXPRESSION],
        },
    ),
]
"""What a formula takes for a name: the SI value of anything."""


Number = Annotated[float, quantity(q.PURE)]
Multiplier = Annotated[float, quantity(q.PURE, "not negative")]
PositiveNumber = Annotated[float, quantity(q.PURE, "positive")]
Coordinate = Annotated[float, quantity(q.LENGTH)]
Length = Annotated[float, quantity(q.LENGTH, "positive")]
LengthOrZero = Annotated[float, quantity(q.LENGTH, "not negative")]
Area = Annotated[float, quantity(q.AREA, "positive")]
AreaMoment = Annotated[float, quantity(q.AREA_MOMENT, "positive")]
Angle = Annotated[float, quantity(q.ANGLE)]
Time = Annotated[float, quantity(q.TIME)]
TimeOrZero = Annotated[float, quantity(q.TIME, "not negative")]
RateOrZero = Annotated[float, quantity(q.RATE, "not negative")]
Frequency = Annotated[float, quantity(q.FREQUENCY, "positive")]
AngularVelocity = Annotated[float, quantity(q.ANGULAR_VELOCITY)]
AngularAcceleration = Annotated[float, quantity(q.ANGULAR_ACCELERATION)]
Velocity = Annotated[float, quantity(q.VELOCITY)]
Acceleration = Annotated[float, quantity(q.ACCELERATION)]
Mass = Annotated[float, quantity(q.MASS, "positive")]
Density = Annotated[float, quantity(q.DENSITY, "positive")]
Force = Annotated[float, quantity(q.FORCE)]
Moment = Annotated[float, quantity(q.MOMENT)]
ForcePerLength = Annotated[float, quantity(q.FORCE_PER_LENGTH)]
Stress = Annotated[float, quantity(q.STRESS)]
Modulus = Annotated[float, quantity(q.STRESS, "positive")]

# ---------------------------------------------------------------------- vectors, from lists

_TWO_OR_THREE = Field(min_length=2, max_length=3, strict=False)
_THREE = Field(min_length=3, max_length=3, strict=False)

Point = Annotated[tuple[Coordinate, ...], _TWO_OR_THREE, AfterValidator(lambda point: (*point, 0.0)[:3])]
Direction = Annotated[tuple[Number, ...], _TWO_OR_THREE]
SectionOffset = Annotated[tuple[Coordinate, ...], Field(min_length=2, max_length=2, strict=False)]
ForceVector = Annotated[tuple[Force, ...], _TWO_OR_THREE]
MomentVector = Annotated[tuple[Moment, ...], _THREE]
StressVector = Annotated[tuple[Stress, ...], _TWO_OR_THREE]
ForcePerLengthVector = Annotated[tuple[ForcePerLength, ...], _TWO_OR_THREE]
VelocityVector = Annotated[tuple[Velocity, ...], _TWO_OR_THREE]
AccelerationVector = Annotated[tuple[Acceleration, ...], _TWO_OR_THREE]

# ---------------------------------------------------------------------- names, counts, selections, formulas

NAME_PATTERN = r"^[^\W_][\w \-]{0,59}$"
Name = Annotated[str, StringConstraints(pattern=NAME_PATTERN)]
Text = Annotated[str, StringConstraints(max_length=20_000)]
ParameterName = Annotated[str, StringConstraints(pattern=PARAMETER_PATTERN)]
ParameterValue = Annotated[
    str | int | float,
    Checked(
        lambda value: value,  # read before the fields that name it
        {
            "description": "A number, a text with a unit, or an expression of other parameters",
            "anyOf": [{"type": "number"}, _EXPRESSION],
            "examples": ["150 rad/s", "2*pi/speed"],
        },
    ),
]


def count(smallest: int = 1, largest: int = 1_000_000) -> Checked:
    """A whole number between limits."""

    def check(value: Any) -> int:
        if isinstance(value, str):
            value = _whole(value)
        if isinstance(value, bool) or not isinstance(value, int):
            raise refusal(f"{show_value(value)} is not a whole number; give one from {smallest} to {largest}")
        if not smallest <= value <= largest:
            raise refusal(f"is {show_value(value)}; give a whole number from {smallest} to {largest}")
        return value

    number = {"type": "integer", "minimum": smallest, "maximum": largest}
    return Checked(check, {"anyOf": [number, {**_EXPRESSION, "description": "An expression of parameters"}]})


def _whole(text: str) -> int:
    """The whole number that an expression of parameters gives."""
    try:
        number = field_value(text, q.PURE)
    except InputError as error:
        raise refusal(str(error)) from None
    near = round(number)
    if abs(number - near) > 1e-9 * max(1.0, abs(number)):
        raise refusal(
            f"{show_value(text)} gives {number:.10g}, which is not a whole number; change the expression"
        )
    return near


@dataclass(frozen=True, eq=False)
class OneOrList:
    """Annotation of a field: a single value of one type, or a list of another."""

    one: Any
    several: Any

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        one, several = checker(self.one), checker(self.several)

        def choose(value: Any) -> Any:
            return (several if isinstance(value, list | tuple) else one).validate_python(value)

        return by_choice(choose, lambda: self.one | self.several, handler)


def _about_z(value: Any) -> Any:
    """A single number is about z, as in the plane."""
    return value if isinstance(value, tuple) else (0.0, 0.0, value)


def _rotation_rate(one: Any) -> OneOrList:
    return OneOrList(one, Annotated[tuple[one, ...], _THREE])


AngularVelocityVector = Annotated[
    tuple[AngularVelocity, ...], _rotation_rate(AngularVelocity), AfterValidator(_about_z)
]
AngularAccelerationVector = Annotated[
    tuple[AngularAcceleration, ...], _rotation_rate(AngularAcceleration), AfterValidator(_about_z)
]
"""About the axes x, y, z; a single number is about z."""

Count = Annotated[int, count()]
Order = Annotated[int, count(1, 2)]
NodeNumber = Annotated[int, count(0, 10**9)]
NodalDiameters = Annotated[tuple[Annotated[int, count(0)], ...], Field(strict=False, min_length=1)]

_point = checker(Point)


def _selection(value: Any) -> str | int | tuple[float, ...]:
    if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    if isinstance(value, list | tuple):
        return _point.validate_python(value)
    raise refusal(f"{show_value(value)} selects no node; give a set name, a node number, or a point like [0.1, 0]")


Selection = Annotated[
    str | int | tuple[float, ...],
    Checked(
        _selection,
        {
            "description": "Name of a set of nodes, facets or cells, number of a node, or a point near the node",
            "anyOf": [
                {"type": "string"},
                {"type": "integer", "minimum": 0},
                {"type": "array", "minItems": 2, "maxItems": 3, "items": {"type": ["number", "string"]}},
            ],
        },
    ),
]


def formula_of(variables: tuple[str, ...], about: str, example: str, *, open_to_names: bool = False) -> Checked:
    """A formula of some variables, and of names of sensors if it is open to them; `about` says what it is."""

    def check(value: Any) -> Formula:
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise refusal(f"{show_value(value)} is not a formula; give a text such as '{example}'")
        try:
            return current().formula(str(value), variables=variables, open_to_names=open_to_names)
        except InputError as error:
            raise refusal(str(error)) from None

    return Checked(check, {"description": about, "type": ["string", "number"]})


FormulaOfTime = Annotated[Formula, formula_of(("t",), "A formula of the time t, in SI units", "0.1*cos(3*t)")]
FormulaOfState = Annotated[
    Formula,
    formula_of(
        ("t",),
        "A formula of the time t and of names of sensors and controllers, in SI units",
        "0.1*cos(3*t)",
        open_to_names=True,
    ),
]


def quantity_or_state(dimensions: Sequence[Dimension], sign: str, example: str) -> Checked:
    """A quantity, or a formula of t, sensors and controllers: a text that is no quantity."""
    number = one_of(dimensions, sign)
    formula = formula_of(("t",), "", example, open_to_names=True)

    def check(value: Any) -> Any:
        return _number_or_formula(number, formula, value)

    about = f"{number.schema['description']}, or a formula of t, sensors and controllers in SI units"
    return Checked(check, {**number.schema, "description": about})


def _number_or_formula(number: Checked, formula: Checked, value: Any) -> Any:
    """What a value is as a number, or as a formula that depends on something."""
    try:
        return number.check(value)
    except PydanticCustomError:
        if not isinstance(value, str):
            raise
        with suppress(PydanticCustomError):
            found = formula.check(value)
            if any(map(found.depends_on, found.variables)):
                return found
        raise


def quantity_or_formula(dimension: Dimension, sign: str, variable: str) -> Checked:
    """A quantity, or a formula of a variable, t, sensors and controllers: a text that is no quantity."""
    number = quantity(dimension, sign)
    formula = formula_of((variable, "t"), "", variable, open_to_names=True)
    names_it = re.compile(rf"\b{variable}\b")

    def check(value: Any) -> Any:
        if isinstance(value, str) and names_it.search(value):
            return formula.check(value)
        return _number_or_formula(number, formula, value)

    about = f"{number.schema['description']}, or a formula of {variable}, t, sensors and controllers in SI units"
    return Checked(check, {**number.schema, "description": about})
