"""A field that takes a word or a mapping: one line for one mistake, with the field as the file has it."""

import pytest

import flexframe as ff
from flexframe.cases.examples import example_paths
from flexframe.entries.problems import CaseError

FIELD = "bodies.rod.reduction"


@pytest.mark.parametrize(
    ("value", "field", "message"),
    [
        ("{modes: -3}", f"{FIELD}.modes", "is -3; give a whole number"),
        ("{mods: 3}", f"{FIELD}.mods", "unknown field (did you mean 'modes'?)"),
        ("rigd", FIELD, "'rigd' is not a choice (did you mean 'rigid'?)"),
    ],
)
def test_one_line_for_one_mistake(value: str, field: str, message: str) -> None:
    with pytest.raises(CaseError) as caught:
        ff.load_case(example_paths()["slider_crank_flexible"], [f"{FIELD}={value}"])
    (problem,) = caught.value.problems
    assert ".".join(map(str, problem.path)) == field
    assert message in problem.message
