"""All cases of a sweep as one dataset: a dimension for each variation of a grid, or one for the cases."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

import numpy as np

from flexframe.analyses.kinds import presentation_class
from flexframe.sweeps.evaluation import Outcome, is_word
from flexframe.sweeps.plan import SweepPlan, measure

if TYPE_CHECKING:
    import xarray

CASE = "case"
UNITS = {
    "_hz": "Hz",
    "_rad_s": "rad/s",
    "_1_s": "1/s",
    "_deg": "deg",
    "_kg": "kg",
    "_Pa": "Pa",
    "_N": "N",
    "_J": "J",
}
UNITS |= {"_m": "m", "_s": "s"}
"""Units by how a field's name ends; the first that fits."""

MAIN = ("times_s", "speeds_rad_s", "frequencies_hz")


SHARED: Mapping[str, tuple[str, ...]] = {"axis": ("x", "y", "z"), "part": ("re", "im"), "bound": ("min", "max")}
"""Dimensions that mean the same in every analysis, and their labels."""


@dataclass
class _Layout:
    """The largest shape of a quantity over all cases, and whether it holds texts."""

    shape: tuple[int, ...] = ()
    texts: bool = False
    numbers: bool = False

    def admit(self, value: Any) -> None:
        shape, text, number = _extent(value)
        self.texts |= text
        self.numbers |= number
        length = max(len(shape), len(self.shape))
        mine, other = (s + (1,) * (length - len(s)) for s in (self.shape, shape))
        self.shape = tuple(map(max, mine, other)) if self.shape or length == 0 else shape


@dataclass
class _Layouts:
    """What was seen of all quantities."""

    found: dict[str, _Layout] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)  # kinds and units

    def admit(self, outcome: Outcome) -> None:
        for name, value in outcome.quantities.items():
            if isinstance(value, str) and is_word(name):
                self.words.setdefault(name, value)
            else:
                self.found.setdefault(name, _Layout()).admit(value)


def sweep_dataset(
    plan: SweepPlan,
    read: Callable[[], Iterable[Outcome]],
    attrs: Mapping[str, str],
    units: Sequence[str] | None = None,
) -> "xarray.Dataset":
    """One dataset; `read` is asked twice for the outcomes, first for their shapes, then for their values.

    `units` are those of plain numbers of each variation, where they are known.
    Numbers that a case does not have are NaN, texts are empty. Lists of different length are filled up.
    """
    import xarray

    layouts = _Layouts()
    for outcome in read():
        layouts.admit(outcome)
    count = len(plan.points)
    status = np.full(count, "missing", dtype="<U7")
    reasons = np.full(count, "", dtype=object)
    arrays = {name: _empty(count, layout) for name, layout in layouts.found.items()}
    for outcome in read():
        status[outcome.index], reasons[outcome.index] = outcome.status, outcome.reason
        for name, array in arrays.items():
            array[outcome.index] = "" if array.dtype == object else np.nan
            if name in outcome.quantities:
                _fill(array[outcome.index : outcome.index + 1], [outcome.quantities[name]])
    outer = plan.names if plan.kind == "grid" else (CASE,)
    variables: dict[str, Any] = {
        "status": (outer, status.reshape(plan.shape)),
        "reason": (outer, reasons.reshape(plan.shape)),
    }
    lengths: dict[str, int] = {}
    for name, array in arrays.items():
        # lists of one name and different lengths do not run side by side
        dims = tuple(
            dim if lengths.setdefault(dim, length) == length else f"{name}.{level}"
            for level, (dim, length) in enumerate(zip(_inner(name, layouts), array.shape[1:], strict=True))
        )
        dims = (*outer, *dims)
        variables[name] = (dims, array.reshape(*plan.shape, *array.shape[1:]), _attributes(name, layouts.words))
    coordinates = _coordinates(plan, units or [""] * len(plan.variations))
    used = {dim for dims, *_ in variables.values() for dim in dims}
    coordinates |= {
        name: list(labels) for name, labels in SHARED.items() if name in used and name not in coordinates
    }
    words = layouts.words.items()  # in the order of the case
    kinds = {f"kind_of_{word.removesuffix('.kind')}": kind for word, kind in words if word.endswith(".kind")}
    return xarray.Dataset(variables, coords=coordinates, attrs={**attrs, **kinds})


def _extent(value: Any) -> tuple[tuple[int, ...], bool, bool]:
    """Shape of nested lists (the largest of each level), whether there are texts, whether there are numbers."""
    if not isinstance(value, list):
        return (), isinstance(value, str), isinstance(value, int | float)
    parts = [_extent(part) for part in value]
    depth = max((len(shape) for shape, _, _ in parts), default=0)
    inner = (max((s[k] for s, _, _ in parts if len(s) > k), default=0) for k in range(depth))
    return (len(value), *inner), any(text for _, text, _ in parts), any(number for _, _, number in parts)


def _empty(count: int, layout: _Layout) -> np.ndarray[Any, Any]:
    if layout.texts:
        return np.full((count, *layout.shape), "", dtype=object)
    return np.full((count, *layout.shape), np.nan)


def _fill(array: np.ndarray[Any, Any], value: list[Any]) -> None:
    """Put nested lists into the beginning of an array."""
    for position, part in enumerate(value):
        if isinstance(part, list):
            target = array[position]
            if target.ndim == 1 and target.dtype != object:
                target[: len(part)] = [np.nan if number is None else number for number in part]
            else:
                _fill(target, part)
        elif part is not None:
            array[position] = str(part) if array.dtype == object and not isinstance(part, str) else part


def _inner(name: str, layouts: _Layouts) -> tuple[str, ...]:
    """Names of the dimensions of a quantity itself, shared where its lists run side by side.

    Three at the end are the components of a vector, x, y and z; the two of an eigenvalue are re and im.
    """
    shape = layouts.found[name].shape
    analysis = next((word.removesuffix(".kind") for word in _kinds(layouts) if name.startswith(word[:-4])), "")
    kind = layouts.words.get(f"{analysis}.kind", "")
    field_name = name[len(analysis) + 1 :]
    presented = presentation_class(kind)
    listed = next((found for field, found in presented.lists.items() if fnmatchcase(field_name, field)), None)
    if listed is not None and len(listed) >= len(shape):
        return tuple(
            _dimension(word, analysis, field_name, length) for word, length in zip(listed, shape, strict=False)
        )
    axes = presented.axes
    main = next((f"{analysis}.{key}" for key in MAIN if f"{analysis}.{key}" in layouts.found), "")
    lengths = layouts.found[main].shape if main else ()
    branches = layouts.found[f"{analysis}.frequencies_hz"].shape if "branch" in axes else ()
    names = []
    for level, length in enumerate(shape):
        known = axes[level] if level < len(axes) else ""
        if level == 0 and lengths and length == lengths[0] and known:
            names.append(f"{analysis}.{known}")
        elif level == 1 and known == "branch" and len(branches) == 2 and length == branches[1]:
            names.append(f"{analysis}.branch")
        elif level == len(shape) - 1 and length == 3:
            names.append("axis")
        else:
            names.append(f"{name}.{level}")
    return tuple(names)


def _dimension(word: str, analysis: str, field_name: str, length: int) -> str:
    """The name of a dimension: shared by all analyses where its labels are, else of its own analysis."""
    if word in SHARED and length == len(SHARED[word]):
        return word
    holder = ".".join(field_name.split(".")[1:-1])
    return f"{analysis}.{word.format(holder=holder)}"


def _kinds(layouts: _Layouts) -> list[str]:
    """Names of analyses with '.kind', longest first."""
    return sorted((word for word in layouts.words if word.endswith(".kind")), key=len, reverse=True)


def _attributes(name: str, words: Mapping[str, str]) -> dict[str, str]:
    holder, _, last = name.rpartition(".")
    stated = words.get(f"{holder}.unit")
    if stated is not None and last in ("values", "value", "max", "min", "amplitude"):
        return {"units": stated}
    unit = next((unit for ending, unit in UNITS.items() if last.endswith(ending)), None)
    return {} if unit is None else {"units": unit}


def _coordinates(plan: SweepPlan, units: Sequence[str]) -> dict[str, Any]:
    coordinates: dict[str, Any] = {}
    for place, (name, variation, unit) in enumerate(zip(plan.names, plan.variations, units, strict=True)):
        texts = variation.values if plan.kind == "grid" else [point[place] for point in plan.points]
        numbers = measure(texts)
        attributes = {"path": variation.name}
        if numbers is not None and (numbers[1] or unit):
            attributes["units"] = numbers[1] or unit
        values = np.array(texts, dtype=object) if numbers is None else numbers[0]
        coordinates[name] = ((name if plan.kind == "grid" else CASE), values, attributes)
    if plan.kind != "grid":
        coordinates[CASE] = np.arange(len(plan.points))
    return coordinates
