"""Arrays of records are read-only, wherever they are in it: what was computed cannot be changed by accident."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache

import numpy as np
import pytest

import flexframe as ff
from flexframe.analyses.kinds import KINDS
from flexframe.cases.examples import example_paths
from flexframe.cases.run import run_case
from flexframe.results.record import Record, keep_from_writing

EXAMPLES = ("four_bar", "rectangle_element", "mathieu", "reduced_beam", "jeffcott", "rotating_beam")

COMPUTED = (
    *("flexframe.analyses.", "flexframe.results."),
    *("flexframe.multibody.motion", "flexframe.multibody.states", "flexframe.multibody.inverse_dynamics"),
)


def arrays_of(value: object, path: str = "") -> Iterator[tuple[str, np.ndarray]]:
    """Arrays of a record, of the mappings and tuples in it, and of the parts of it that are records of numbers."""
    if isinstance(value, np.ndarray):
        yield path, value
    elif isinstance(value, Mapping):
        for key, part in value.items():
            yield from arrays_of(part, f"{path}[{key}]")
    elif isinstance(value, tuple):
        for place, part in enumerate(value):
            yield from arrays_of(part, f"{path}[{place}]")
    elif is_dataclass(value) and type(value).__module__.startswith(COMPUTED):
        for field in fields(value):
            yield from arrays_of(getattr(value, field.name), f"{path}.{field.name}")


@cache
def records(example: str) -> dict[str, Record]:
    return dict(run_case(ff.load_case(example_paths()[example])).records)


@pytest.mark.parametrize("example", EXAMPLES)
def test_no_array_of_a_record_can_be_written(example: str) -> None:
    for name, record in records(example).items():
        found = dict(arrays_of(record, name))
        assert found
        assert [path for path, array in found.items() if array.flags.writeable] == []
        with pytest.raises(ValueError, match="read-only"):
            next(array for array in found.values() if array.size)[...] = 0


def test_most_kinds_are_among_them() -> None:
    """The base of records does it, so that a new kind needs nothing; these examples show most of them."""
    kinds = {record.kind for example in EXAMPLES for record in records(example).values()}
    assert len(kinds & set(KINDS)) >= 9


def test_a_replaced_record_is_read_only_too() -> None:
    record = next(iter(records("rectangle_element").values()))
    again = replace(record, vectors={"load": np.zeros(3)})  # type: ignore[type-var]
    assert not again.vectors["load"].flags.writeable  # type: ignore[attr-defined]


def test_parts_that_refer_to_each_other_end() -> None:
    around: list[object] = [np.zeros(2)]
    around.append(around)
    keep_from_writing(around)
    assert not around[0].flags.writeable  # type: ignore[attr-defined]
