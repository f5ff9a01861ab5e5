"""Every axis of a sweep's dataset is named after what it counts, however long it happens to be."""

import pytest

from flexframe.sweeps.dataset import sweep_dataset
from flexframe.sweeps.evaluation import Outcome
from flexframe.sweeps.plan import sweep_plan


def dims(kind: str, fields: dict) -> dict[str, tuple[str, ...]]:
    """Dimensions of the fields in a sweep of two cases, without that of the cases."""
    plan = sweep_plan({"bodies.beam.length": [1, 2]})
    found = {"run.kind": kind, **{f"run.{name}": value for name, value in fields.items()}}
    outcomes = [Outcome(index, "done", 0.0, found) for index in (0, 1)]
    data = sweep_dataset(plan, lambda: outcomes, {})
    return {name: data[f"run.{name}"].dims[1:] for name in fields}


@pytest.mark.parametrize("branches", [2, 3, 4])
@pytest.mark.parametrize("instants", [2, 3, 5])
def test_ranges_of_a_cycle_spectrum(branches: int, instants: int) -> None:
    """Smallest and largest frequency of every branch, also with as many instants or bounds as branches."""
    found = dims(
        "cycle_spectrum",
        {
            "times_s": [0.1 * i for i in range(instants)],
            "frequencies_hz": [[1.0] * branches] * instants,
            "range_hz": [[1.0, 2.0]] * branches,
        },
    )
    assert found["range_hz"] == ("run.branch", "bound")
    assert found["frequencies_hz"] == ("run.instant", "run.branch")


def test_three_of_anything_are_no_vector() -> None:
    found = dims(
        "campbell",
        {
            "speeds_rad_s": [0.0, 1.0, 2.0, 3.0],
            "frequencies_hz": [[1.0, 2.0, 3.0]] * 4,
            "critical_speeds_rad_s": [1.0, 2.0, 3.0],
            "critical_speeds.speed_rad_s": [1.0, 2.0, 3.0, 4.0],
            "whirl": ["forward", "backward", "none"],
            "engine_orders": [1.0, 2.0, 3.0],
            "axis": [0.0, 0.0, 1.0],
        },
    )
    assert found == {
        "speeds_rad_s": ("run.speed",),
        "frequencies_hz": ("run.speed", "run.branch"),
        "critical_speeds_rad_s": ("run.critical_speed",),
        "critical_speeds.speed_rad_s": ("run.crossing",),
        "whirl": ("run.branch",),
        "engine_orders": ("run.engine_order",),
        "axis": ("axis",),
    }


def test_two_eigenvalues_have_parts() -> None:
    found = dims("stability", {"multipliers": [[0.5, 0.0], [0.5, 0.0]]})
    assert found == {"multipliers": ("run.multiplier", "part")}


def test_lists_of_one_name_and_two_lengths_stay_apart() -> None:
    found = dims("campbell", {"speeds_rad_s": [1.0], "frequencies_hz": [[1.0, 2.0]], "labels": ["a", "b", "c"]})
    assert found["labels"] == ("run.labels.0",)
