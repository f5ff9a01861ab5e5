"""The numbers of a case by name: `ANALYSIS.FIELD` as in summary.json, for one dataset of all cases."""

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

Quantities = dict[str, Any]
"""Dotted name → number, text or nested lists of them, as JSON holds them."""

LEFT_OUT = frozenset(
    {
        "seconds",
        "seconds_by_phase",
        "steps_per_second",
        "resumed_at_s",
        "notices",
        "description",
        "terms",
        "samples",
    }
)
"""Fields that are no results: how long it took differs from run to run, the others repeat the case."""


def quantities(summary: Mapping[str, Any], keep: Sequence[str] = ()) -> Quantities:
    """Every number and list of a summary; with `keep` only those whose names fit one of the patterns."""
    found: Quantities = {}
    for analysis, fields in summary["analyses"].items():
        _collect(fields, analysis, found)
    if not keep:
        return found
    return {name: value for name, value in found.items() if _kept(name, keep)}


def _kept(name: str, keep: Sequence[str]) -> bool:
    return is_word(name) or any(fnmatchcase(name, pattern) for pattern in keep)


def is_word(name: str) -> bool:
    """Whether a field tells how to read the numbers beside it: the kind of an analysis, or a unit."""
    return name.endswith(".unit") or (name.endswith(".kind") and name.count(".") == 1)


def _collect(value: Any, name: str, found: Quantities) -> None:
    last = name.rpartition(".")[2]
    if last in LEFT_OUT:
        return
    match value:
        case Mapping():
            for key, part in value.items():
                _collect(part, f"{name}.{key}", found)
        case [Mapping(), *_]:
            for key in dict.fromkeys(key for entry in value for key in entry):
                _collect([entry.get(key) for entry in value], f"{name}.{key}", found)
        case str():
            if is_word(name):
                found[name] = value
        case _:
            found[name] = value
