"""Plans: which values a text gives, which cases a plan has."""

import numpy as np
import pytest

from flexframe.errors import InputError
from flexframe.sweeps.plan import Variation, measure, sweep_plan


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("a.b=1:3:3", ("1", "2", "3")),
        ("a.b=0:1:3", ("0", "0.5", "1")),
        ("a.b=5 mm:15 mm:3", ("5 mm", "10 mm", "15 mm")),
        ("a.b=5:15:3 mm", ("5 mm", "10 mm", "15 mm")),
        ("a.b=-1e-3:1e-3 rad/s:2", ("-0.001 rad/s", "0.001 rad/s")),
        ("a.b=1:100:3:log", ("1", "10", "100")),
        ("a.b=1,2.5,steel", ("1", "2.5", "steel")),
        ("a.b=[1, 2],[3, 4]", ("[1, 2]", "[3, 4]")),
        ("a.b='x,y',z", ("'x,y'", "z")),
        ("a.b=7", ("7",)),
    ],
)
def test_texts_give_values(text: str, values: tuple[str, ...]) -> None:
    assert Variation.parse(text).values == values


@pytest.mark.parametrize(
    "text",
    [
        *("a.b", "a.b=", "a.b=1,,2", "a.b=1 mm:2 cm:3", "a.b=1:1:3", "a.b=1:2:1", "a.b=-1:1:3:log", "a.b=1,1"),
        *("a.b=1:2:-3", "a.b=1:2:2.5", "a.b=1:2:3:lin", "a.b=1:inf:3", "a.b=1 mm:", "a.b=1:2:3,4"),
    ],
)
def test_texts_that_make_no_values_are_refused(text: str) -> None:
    with pytest.raises(InputError):
        Variation.parse(text)


def test_ends_of_a_range_are_as_given() -> None:
    numbers = measure(Variation.parse("a=0.1:0.7:7").values)
    assert numbers is not None
    assert numbers[0][0] == 0.1 and numbers[0][-1] == 0.7  # exactly: the ends are not computed


def test_grid_is_every_combination_last_fastest() -> None:
    plan = sweep_plan({"x.y": [1, 2], "x.z": ["a", "b", "c"]})
    assert plan.shape == (2, 3)
    assert plan.points == (("1", "a"), ("1", "b"), ("1", "c"), ("2", "a"), ("2", "b"), ("2", "c"))
    assert plan.names == ("y", "z")


def test_short_names_tell_paths_apart() -> None:
    plan = sweep_plan({"bodies.a.mass": [1, 2], "bodies.b.mass": [1, 2], "loads[0].force": [3]})
    assert plan.names == ("a.mass", "b.mass", "force")
    plan = sweep_plan({"bodies.a.motion.axis": ["[0, 0, 1]"], "analyses.x.count": [1], "analyses.y.count": [1]})
    assert plan.names == ("motion.axis", "analyses.x.count", "analyses.y.count")  # "x.count" is a result of x


def test_latin_hypercube_uses_every_stratum_once() -> None:
    count = 50
    plan = sweep_plan({"a": "2:4", "b": "1:100:log", "c": ["u", "v"]}, latin_hypercube=count, seed=3)
    assert len(plan.points) == count
    first, second = (np.array([float(point[k]) for point in plan.points]) for k in (0, 1))
    strata = np.floor((first - 2) / 2 * count).astype(int)
    logarithmic = np.floor(np.log(second) / np.log(100) * count).astype(int)
    assert sorted(strata) == sorted(logarithmic) == list(range(count))  # one point in each of 50 equal parts
    assert [point[2] for point in plan.points].count("u") == count // 2


def test_seed_decides_the_points() -> None:
    points = [sweep_plan({"a": "0:1"}, latin_hypercube=5, seed=seed).points for seed in (1, 1, 2)]
    assert points[0] == points[1] != points[2]


@pytest.mark.parametrize(
    ("vary", "options"),
    [
        ({}, {}),
        ({"a": "1:2"}, {}),
        ({"a": "1:2:3"}, {"latin_hypercube": 4}),
        ({"a": "1:2"}, {"latin_hypercube": 1}),
        ({"a.b": [1], "a": [2]}, {}),
        ({"a": "1:2:2000", "b": "1:2:2000"}, {}),
    ],
)
def test_plans_without_meaning_are_refused(vary: dict[str, object], options: dict[str, int]) -> None:
    with pytest.raises(InputError):
        sweep_plan(vary, **options)
