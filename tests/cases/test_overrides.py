"""Values changed from outside: PATH=VALUE."""

from collections.abc import Callable

import pytest
from tests.cases.sample_cases import PLATE
from tests.rounding import ROUNDING

from flexframe.cases.case import Case
from flexframe.cases.document import Override, overridden
from flexframe.cases.source import parse_yaml
from flexframe.errors import InputError

Parse = Callable[..., Case]
Problems = Callable[..., list[str]]


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        ("a.b=3", {"a": {"b": 3}, "l": [{"x": 1}, 2]}),
        ("a.c=[1, 2 mm]", {"a": {"b": 1, "c": [1, "2 mm"]}, "l": [{"x": 1}, 2]}),
        ("l.1={y: 5}", {"a": {"b": 1}, "l": [{"x": 1}, {"y": 5}]}),
        ("l[0].x=", {"a": {"b": 1}, "l": [{"x": None}, 2]}),
        (" l . 0 . x = p=q ", {"a": {"b": 1}, "l": [{"x": "p=q"}, 2]}),
        ("new=true", {"a": {"b": 1}, "l": [{"x": 1}, 2], "new": True}),
    ],
)
def test_replaced_values(setting: str, expected: object) -> None:
    """The value is YAML; list positions are numbers; a new last key is allowed."""
    root = parse_yaml("a: {b: 1}\nl: [{x: 1}, 2]", "f")
    assert overridden(root, [Override.parse(setting)], "f").plain() == expected
    assert root.plain() == {"a": {"b": 1}, "l": [{"x": 1}, 2]}


def test_shared_values_are_changed_in_one_place_only() -> None:
    """Two fields that alias one value part ways."""
    root = parse_yaml("a: &x {b: 1}\nc: *x", "f")
    assert overridden(root, [Override.parse("c.b=2")], "f").plain() == {"a": {"b": 1}, "c": {"b": 2}}


def test_override_reaches_the_model(parse: Parse) -> None:
    """Thickness 7 mm instead of 5 mm is in the body, and the case remembers it."""
    case = parse(PLATE, "bodies.plate.thickness=7 mm")
    assert case.bodies()["plate"].regions[0].prop.thickness == pytest.approx(7e-3, rel=ROUNDING)  # type: ignore[attr-defined]
    assert [str(override) for override in case.overrides] == ["bodies.plate.thickness=7 mm"]


def test_paths_that_break_are_told_together(problems: Problems) -> None:
    """Each with the place where it broke and the nearest name."""
    found = problems(
        PLATE, "bodies.plat.thickness=1", "bodies.plate.supports.1.clamp=left", "title.x=3", "bodies.plate.mesh=["
    )
    assert found[0] == (
        "case.yaml: --set bodies.plat.thickness=1: there is no 'plat' in bodies (did you mean 'plate'?); "
        "known are plate"
    )
    assert "bodies.plate.supports has entries 0 to 0, not '1'" in found[1]
    assert "title is a single value, it has no 'x'" in found[2]
    assert "--set bodies.plate.mesh=[: not valid YAML" in found[3]


def test_bad_value_is_told_at_the_line_it_replaces(problems: Problems) -> None:
    """The field's own line in the file."""
    assert problems(PLATE, "bodies.plate.thickness=3 kg") == [
        "case.yaml:6: bodies.plate.thickness: '3 kg' is a mass, but a length is expected; "
        "give a number in m or a text with a unit such as 20 mm"
    ]
    assert problems(PLATE, "bodies.plate.thicknes=3") == [
        "case.yaml:3: bodies.plate.thicknes: unknown field (did you mean 'thickness'?); rename or remove it"
    ]


@pytest.mark.parametrize("text", ["", "a", "=3", "a..b=3", ".a=1"])
def test_texts_that_are_no_override(text: str) -> None:
    """Not PATH=VALUE."""
    with pytest.raises(InputError, match="not PATH=VALUE"):
        Override.parse(text)
