"""What a case may say of loads follows from the classes of the model."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, get_args

import pytest
from pydantic import TypeAdapter

from flexframe.entries import system_loads
from flexframe.entries.entry import ByKeys
from flexframe.entries.system_loads import load_entry
from flexframe.files import Folder
from flexframe.maths.formula import Formula
from flexframe.model.constraints import Direction
from flexframe.model.system_loads import (
    SYSTEM_LOADS,
    Actuator,
    BodyLoads,
    Friction,
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
    """A buffer with a stiffness and a choice."""

    kind: ClassVar[str] = "buffer"
    name: str
    first: str
    second: str
    stiffness: float
    side: Literal["left", "right"] = "left"
    axis: Direction = (0.0, 1.0, 0.0)


def test_a_new_load_is_one_class() -> None:
    """Its entry has the fields with units, choices and defaults, explains itself, and makes the load."""
    entry: Any = load_entry(Buffer)
    made = entry.model_validate({"buffer": ["a.A", "b.B"], "stiffness": "3 kN/m"})
    assert made.load("s", HERE) == Buffer("s", "a.A", "b.B", 3000.0)
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
        Spring("x", *ENDS, 5.0, 3e-3, 2.0),
    ),
    ({"torsion_spring": ENDS, "stiffness": 5, "free_angle": 0.25}, TorsionSpring("x", *ENDS, 5.0, 0.25)),
    (
        {"friction": ENDS, "limit": "3 N m", "regularisation": 0.5, "of": "rotation"},
        Friction("x", *ENDS, 3.0, 0.5, of="rotation"),
    ),
    (
        {"actuator": ENDS, "law": "2*gap - tip.x*t", "along": "line"},
        Actuator("x", *ENDS, Formula.parse("2*gap - tip.x*t", open_to_names=True), along="line"),
    ),
    ({"motor": ENDS, "speeds": [0, 2], "torques": [1, 0]}, Motor("x", *ENDS, (0.0, 2.0), (1.0, 0.0))),
]


@pytest.mark.parametrize(("given", "wanted"), GIVEN, ids=[load.kind for _, load in GIVEN])
def test_every_load_has_its_fields(given: dict[str, Any], wanted: SystemLoad) -> None:
    entry = next(e for e in get_args(get_args(system_loads.SystemLoadEntry)[0]) if set(e.leads) & set(given))
    assert entry.model_validate(given).load("x", HERE) == wanted


def test_every_kind_is_tried() -> None:
    assert {type(load) for _, load in GIVEN} == set(SYSTEM_LOADS)
