"""Which cases a sweep has: every combination of values, or points spread evenly by a Latin hypercube."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any, Literal

import numpy as np

from flexframe.cases.overrides import Override
from flexframe.errors import InputError
from flexframe.sweeps.variations import MAX_VALUES, Variation

Values = tuple[str, ...]
"""The YAML texts of one case, in the order of the variations."""

SHORTEST = 2
TAKEN = frozenset({"case", "status", "reason", "axis", "part"})
"""Names that the dataset of every sweep has."""


@dataclass(frozen=True)
class SweepPlan:
    """The cases of a sweep in their order; the last variation of a grid changes fastest."""

    kind: Literal["grid", "latin_hypercube"]
    variations: tuple[Variation, ...]
    points: tuple[Values, ...]
    seed: int | None = None

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The ends of the paths, as long as it takes to tell them apart."""
        return tuple(_short(variation.path, self.variations) for variation in self.variations)

    @property
    def shape(self) -> tuple[int, ...]:
        """Values of each variation for a grid, else the number of points."""
        if self.kind == "grid":
            return tuple(len(variation.values) for variation in self.variations)
        return (len(self.points),)

    def overrides(self, values: Values) -> tuple[Override, ...]:
        """The fields that a case changes."""
        return tuple(
            Override(variation.path, value) for variation, value in zip(self.variations, values, strict=True)
        )

    def as_json(self) -> dict[str, Any]:
        """Everything that identifies the plan."""
        return {
            "kind": self.kind,
            "seed": self.seed,
            "paths": [variation.name for variation in self.variations],
            "points": [list(point) for point in self.points],
        }


def sweep_plan(
    vary: Mapping[str, str | Sequence[object]] | Sequence[Variation],
    *,
    latin_hypercube: int | None = None,
    seed: int = 0,
) -> SweepPlan:
    """All combinations of the values, or that many points of a Latin hypercube over the ranges."""
    variations = as_variations(vary)
    if not variations:
        raise InputError(
            "nothing is varied; give at least one field, as in --vary bodies.disc.thickness=5mm:9mm:5"
        )
    paths = [variation.path for variation in variations]
    for path in paths:
        if paths.count(path) > 1:
            raise InputError(f"--vary {'.'.join(path)}: this field is varied twice; give all its values at once")
        for other in paths:
            if len(other) > len(path) and other[: len(path)] == path:
                raise InputError(
                    f"--vary {'.'.join(other)}: this lies inside {'.'.join(path)}, which is varied too; "
                    "vary one of them"
                )
    return _grid(variations) if latin_hypercube is None else _hypercube(variations, latin_hypercube, seed)


def as_variations(vary: Mapping[str, str | Sequence[object]] | Sequence[Variation]) -> tuple[Variation, ...]:
    """The fields to vary, from paths and values or as they are."""
    if not isinstance(vary, Mapping):
        return tuple(vary)
    return tuple(Variation.of(Override.parse(f"{path}=").path, values) for path, values in vary.items())


def _grid(variations: tuple[Variation, ...]) -> SweepPlan:
    for variation in variations:
        if not variation.values:
            raise InputError(
                f"--vary {variation.name}: the range has no count; write A:B:N, or draw with --latin-hypercube N"
            )
    total = math.prod(len(variation.values) for variation in variations)
    if total > MAX_VALUES:
        raise InputError(
            f"the grid has {total} cases; give at most {MAX_VALUES}, or draw with --latin-hypercube N"
        )
    return SweepPlan("grid", variations, tuple(product(*(variation.values for variation in variations))))


def _hypercube(variations: tuple[Variation, ...], count: int, seed: int) -> SweepPlan:
    """Each variation is cut into `count` strata of equal size, and each stratum is used once."""
    if not SHORTEST <= count <= MAX_VALUES:
        raise InputError(f"--latin-hypercube {count}: give a number of cases from {SHORTEST} to {MAX_VALUES}")
    if seed < 0:
        raise InputError(f"--seed {seed}: give a whole number from 0 on")
    generator = np.random.default_rng(seed)
    columns: list[Sequence[str]] = []
    for variation in variations:
        fractions = (generator.permutation(count) + generator.random(count)) / count
        if variation.span is None:
            chosen = (fractions * len(variation.values)).astype(int)
            columns.append([variation.values[k] for k in chosen])
        elif variation.values:
            raise InputError(
                f"--vary {variation.name}: a Latin hypercube draws from the range; write A:B without a count"
            )
        else:
            columns.append(variation.span.at(fractions))
    return SweepPlan("latin_hypercube", variations, tuple(zip(*columns, strict=True)), seed)


def _short(path: tuple[str, ...], variations: tuple[Variation, ...]) -> str:
    others = [variation.path for variation in variations if variation.path != path]
    longest = len(path) - (path[0] == "analyses")  # ANALYSIS.FIELD is the name of a result
    for length in range(1, longest):
        name = ".".join(path[-length:])
        clear = not path[-length].isdecimal() and all(other[-length:] != path[-length:] for other in others)
        if clear and name not in TAKEN:
            return name
    return ".".join(path)
