"""What a case may say of loads follows from the classes of the model."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import pytest
from pydantic import TypeAdapter, ValidationError

from flexframe.entries.entry import ByKeys
from flexframe.entries.system_loads import SystemLoadEntry, load_entry
from flexframe.errors import InputError
from flexframe.files import Folder
from flexframe.maths.formula import Formula
from flexframe.model.characteristics import ForceTable
from flexframe.model.constraints import Direction
from flexframe.model.elasticity import Bushing
from flexframe.model.friction import Friction
from flexframe.model.system_loads import (
    SYSTEM_LOADS,
    Actuator,
    BodyLoads,
    MarkerForce,
    Motor,
    Spring,
    SystemGravity,
    SystemLoad,
    TorsionSpring,
)

HERE = Folder(Path())


@dataclass(frozen=True)
class Buffer:
    """A buffer with a stiffness, a choice, and a field that names its unit."""

    kind: ClassVar[str] = "buffer"
    name: str
    first: str
    second: str
    stiffness: float
    side: Literal["left", "right"] = "left"
    axis: Direction = (0.0, 1.0, 0.0)
    oil: float = field(default=0.0, metadata={"unit": "N s^2/m^2"})


def test_a_new_load_is_one_class() -> None:
    """Its entry has the fields with units, choices and defaults, explains itself, and makes the load."""
    entry: Any = load_entry(Buffer)
    made = entry.model_validate({"buffer": ["a.A", "b.B"], "stiffness": "3 kN/m"})
    assert made.load("s", HERE) == Buffer("s", "a.A", "b.B", 3000.0)
    assert (
        entry.model_validate({"buffer": ENDS, "stiffness": 1, "oil": "3 kN s^2/m^2"}).load("s", HERE).oil == 3000.0
    )
    with pytest.raises(ValidationError, match="'2 kg' is a mass, but an oil is expected"):
        entry.model_validate({"buffer": ENDS, "stiffness": 1, "oil": "2 kg"})
    schema = entry.model_json_schema()
    assert schema["description"] == Buffer.__doc__
    assert schema["required"] == ["buffer", "stiffness"] and schema["additionalProperties"] is False
    chosen: Any = TypeAdapter(Annotated[entry | load_entry(Spring), ByKeys("load")])
    assert isinstance(chosen.validate_python({"buffer": ["a", "b"], "stiffness": 1}), entry)


ENDS = ["a.A", "b.B"]
GIVEN: list[tuple[dict[str, Any], SystemLoad]] = [
    ({"gravity": [0, "-2 m/s^2"]}, SystemGravity("x", (0.0, -2.0))),
    ({"force": ["2*t", 1], "on": "a.A"}, MarkerForce("x", "a.A", (Formula.parse("2*t"), Formula.parse("1")))),
    ({"body_loads": "a", "axes": "space"}, BodyLoads("x", "a", axes="space")),
    (
        {"spring": ENDS, "stiffness": 5, "free_length": "3 mm", "damping": "2 N s/m"},
        Spring("x", *ENDS, 5.0, 3e-3, 2.0),  # type: ignore[call-arg]
    ),
    ({"torsion_spring": ENDS, "stiffness": 5, "free_angle": 0.25}, TorsionSpring("x", *ENDS, 5.0, 0.25)),  # type: ignore[call-arg]
    (
        {"friction": ENDS, "limit": "3 N m", "regularisation": 0.5, "of": "rotation"},
        Friction("x", *ENDS, 3.0, velocity=0.5, of="rotation"),  # type: ignore[call-arg]
    ),
    (
        {"friction": ENDS, "limit": "3 N", "static": 5, "stiffness": "2 kN/m", "model": "lugre", "damping": 4},
        Friction("x", *ENDS, 3.0, model="lugre", static=5.0, stiffness=2000.0, damping=4.0),  # type: ignore[call-arg]
    ),
    (
        {"actuator": ENDS, "law": "2*gap - tip.x*t", "along": "line"},
        Actuator("x", *ENDS, Formula.parse("2*gap - tip.x*t", open_to_names=True), along="line"),  # type: ignore[call-arg]
    ),
    (
        {
            "bushing": ENDS,
            "stiffness": ["1 kN/m", 2, "3 N m"],
            "damping": [[1, 0, 0], [0, 1, 0], [0, 0, "2 N m s"]],
        },
        Bushing("x", *ENDS, (1000.0, 2.0, 3.0), ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 2.0))),  # type: ignore[call-arg]
    ),
    (
        {"spring": ENDS, "force": "-2*s^3", "damping": "2 + abs(v)"},
        Spring(
            "x",
            *ENDS,
            characteristic=Formula.parse("-2*s^3", ("s", "v", "t")),
            damping=Formula.parse("2 + abs(v)", ("v", "t")),
        ),
    ),
    (
        {"torsion_spring": ENDS, "force": {"over": [-1, 0, 1], "values": [2, 0, "-3 N m"]}},
        TorsionSpring("x", *ENDS, characteristic=ForceTable((-1.0, 0.0, 1.0), (2.0, 0.0, -3.0))),
    ),
    ({"motor": ENDS, "speeds": [0, 2], "torques": [1, 0]}, Motor("x", *ENDS, (0.0, 2.0), (1.0, 0.0))),  # type: ignore[call-arg]
]


@pytest.mark.parametrize(("given", "wanted"), GIVEN, ids=[load.kind for _, load in GIVEN])
def test_every_load_has_its_fields(given: dict[str, Any], wanted: SystemLoad) -> None:
    entry: Any = TypeAdapter(SystemLoadEntry).validate_python(given)
    assert entry.load("x", HERE) == wanted


def test_every_kind_is_tried() -> None:
    assert {type(load) for _, load in GIVEN} == set(SYSTEM_LOADS)


def test_columns_of_a_file(tmp_path: Path) -> None:
    """Tables and motors from a CSV file, in SI by their scales; a column that is not there is said."""
    (tmp_path / "test.csv").write_text("x;F\n-5;-900\n0;0\n5;700\n", encoding="utf-8")
    folder = Folder(tmp_path)
    over = {"samples": "test.csv", "column": "x", "scale": "1 mm"}
    values = {"samples": "test.csv", "column": "F", "scale": -1}
    check = TypeAdapter(SystemLoadEntry).validate_python
    made: Any = check({"spring": ENDS, "force": {"over": over, "values": values}})
    table = ForceTable((-5e-3, 0.0, 5e-3), (900.0, 0.0, -700.0))
    assert made.load("x", folder) == Spring("x", *ENDS, characteristic=table)
    motor: Any = check({"motor": ENDS, "speeds": over | {"scale": 1}, "torques": values})
    assert motor.load("x", folder) == Motor("x", *ENDS, (-5.0, 0.0, 5.0), (900.0, 0.0, -700.0))  # type: ignore[call-arg]
    wrong: Any = check({"motor": ENDS, "speeds": over | {"column": "X"}, "torques": values})
    with pytest.raises(InputError, match=r"test.csv:1: has no column 'X'; it has x, F"):
        wrong.load("x", folder)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"stiffness": 1, "force": "-s"}, "has a characteristic of its own and stiffness as well"),
        ({"stiffness": 1, "preload": 2, "clearance": 0.1}, "has a preload and a clearance"),
        ({"damping": 1, "acts": "tension"}, "acts in tension only but has no stiffness"),
        ({"damping": "-1"}, "give a value that is not negative"),
        ({"force": {"over": [0, 0], "values": [1, 2]}}, "do not increase"),
        ({"force": {"over": [0, 1, 2], "values": [1, 2]}}, "3 points have 2 values"),
    ],
)
def test_refusals(given: dict[str, Any], says: str) -> None:
    with pytest.raises((InputError, ValidationError), match=says):
        made: Any = TypeAdapter(SystemLoadEntry).validate_python({"spring": ENDS} | given)
        made.load("x", HERE)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"stiffness": [1, 2]}, "is no stiffness; give three numbers in the plane, six in space, or a matrix"),
        ({"stiffness": [[1, 2, 0], [0, 1, 0], [0, 0, 1]]}, "is not symmetric"),
        ({"stiffness": [[1, 2, 0], [2, 1, 0], [0, 0, 1]]}, "has a negative eigenvalue"),
        ({"stiffness": [1, 2, "3 N"]}, "'3 N' is a force, but a moment is expected"),
        ({"stiffness": [1, 2, 3], "preload": [1, 2, 3, 4, 5, 6]}, "has 6 components; give 3"),
    ],
)
def test_refusals_of_bushings(given: dict[str, Any], says: str) -> None:
    with pytest.raises((InputError, ValidationError), match=says):
        made: Any = TypeAdapter(SystemLoadEntry).validate_python({"bushing": ENDS} | given)
        made.load("x", HERE)
