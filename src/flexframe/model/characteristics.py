"""Characteristics of springs and dampers: linear with preload, clearance and one side only, tables, formulas."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar, Literal, cast

import numpy as np

from flexframe.errors import InputError, at_field
from flexframe.given import Described
from flexframe.maths.arrays import Array, BoolArray
from flexframe.maths.formula import Formula
from flexframe.maths.table_grid import MonotoneCubic, TableGrid
from flexframe.model.constraints import Directed, Law, constant_of, state_law

Acts = Literal["both", "tension", "compression"]
"""Whether a spring pulls and pushes, or does one of them only."""

_SIDES = {"both": 0.0, "tension": 1.0, "compression": -1.0}


@dataclass(frozen=True)
class ForceTable(Described):
    """Forces [N or N m] over stretches [m or rad]: a monotone cubic spline, straight beyond its ends.

    With `rates` [m/s or rad/s] it is a table over both, a row of forces for each stretch: cubic without overshoot,
    and held beyond its ends. What it has at the rate zero is elastic, the rest is not.
    """

    stretches: Sequence[float]
    forces: Sequence[float] | Sequence[Sequence[float]]
    rates: Sequence[float] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rates is None:
            self.curve.slopes  # noqa: B018 - refuses points that make no curve
        else:
            self.grid  # noqa: B018 - refuses points that make no table

    @cached_property
    def curve(self) -> MonotoneCubic:
        """The curve through the points of a table over stretches alone."""
        return MonotoneCubic(self.stretches, cast("Sequence[float]", self.forces))

    @cached_property
    def grid(self) -> TableGrid | None:
        """The table over stretches and rates."""
        if self.rates is None:
            return None
        if len(self.rates) < 2:
            raise InputError("a table has a single rate; give two at least, or leave rates out", field="rates")
        try:
            return TableGrid(self.stretches, self.rates, np.array(self.forces, dtype=float))
        except (TypeError, ValueError):
            raise InputError(
                "a table has rows of different lengths or entries that are not numbers; correct them"
            ) from None


Characteristic = str | Formula | ForceTable
"""Force over stretch: a formula of the stretch s, its rate v, t and names, or a table of s or of s and v."""


@dataclass(frozen=True, eq=False)
class LawParameters:
    """What a law of force in the core is made of."""

    constants: tuple[float, ...] = ()  # six at most
    curve: Array = field(default_factory=lambda: np.zeros((0, 3)))  # place, force and slope: (points, 3)
    force: Formula | None = None  # of s and v
    damping: Formula | None = None  # of v
    grid: TableGrid | None = None  # of force over s and v
    law: str | None = None  # its name in the core, where that is not the kind of the force


class Sprung(Directed):
    """A spring with damper along a coordinate; its fields are those of `Spring`."""

    kind: ClassVar[str]
    name: str
    stiffness: float
    free: float
    damping: float | str | Formula
    preload: float
    acts: Acts
    clearance: float
    characteristic: Characteristic | None
    factor: Law

    def __post_init__(self) -> None:
        super().__post_init__()
        own = {
            "stiffness": self.stiffness != 0,
            "preload": self.preload != 0,
            "acts": self.acts != "both",
            "clearance": self.clearance != 0,
        }
        given = [name for name, there in own.items() if there]
        if self.clearance < 0:
            raise InputError(
                f"{self.name} has a clearance of {self.clearance:g}; give zero or more", field="clearance"
            )
        if self.characteristic is not None and given:
            raise InputError(
                f"{self.name} has a characteristic of its own and {given[0]} as well; write all of it into the "
                "characteristic, such as '-1e4*max(0, s - 0.01)'",
                field=given[0],
            )
        if self.preload and self.clearance:
            raise InputError(
                f"{self.name} has a preload and a clearance, in which it has no force; leave one of them out",
                field="preload",
            )
        if self.acts != "both" and not (self.stiffness or self.preload):
            raise InputError(f"{self.name} acts in {self.acts} only but has no stiffness; give it", field="acts")
        with at_field("force"):
            self.force_formula  # noqa: B018 - refuses what is no formula of s and v
        with at_field("damping"):
            self.damping_formula  # noqa: B018 - refuses what is no formula of v
        with at_field("factor"):
            state_law(self.factor)
        if self.state_damping is not None and (self.acts != "both" or self.clearance):
            raise InputError(
                f"{self.name} works at some stretches only, and its damping follows more than its rate; write all "
                "of it as force, such as '-1e4*max(0, s) - step(s)*brake*v'",
                field="damping",
            )

    @property
    def linear(self) -> bool:
        """Whether its force is preload − stiffness (s − free) − damping ṡ at all stretches."""
        plain = self.characteristic is None and not self.clearance and self.acts == "both"
        return plain and self.damping_formula is None and not self.follows

    @property
    def elastic(self) -> bool:
        """Whether it is more than a damper."""
        return self.characteristic is not None or bool(self.stiffness or self.preload)

    @property
    def damped(self) -> bool:
        """Whether its force depends on the rate."""
        formula = self.force_formula
        by_rate = self._grid is not None or (formula is not None and formula.depends_on("v"))
        return self.damping not in (0, 0.0) or by_rate

    @cached_property
    def force_formula(self) -> Formula | None:
        """The characteristic as a formula of s and v alone."""
        return None if self._given_force is None or _is_open(self._given_force) else self._given_force

    @cached_property
    def damping_formula(self) -> Formula | None:
        """The damping as a formula of v alone."""
        return None if self._given_damping is None or _is_open(self._given_damping) else self._given_damping

    @property
    def state_force(self) -> Formula | None:
        """The characteristic where it is a formula of s, v, t and of names of sensors and controllers."""
        return self._given_force if self._given_force is not None and _is_open(self._given_force) else None

    @property
    def state_damping(self) -> Formula | None:
        """The damping where it is a formula of v, t and of names of sensors and controllers."""
        return self._given_damping if self._given_damping is not None and _is_open(self._given_damping) else None

    @property
    def follows(self) -> bool:
        """Whether its force depends on more than its stretch and rate."""
        return scales(self.factor) or self.state_force is not None or self.state_damping is not None

    @cached_property
    def _given_force(self) -> Formula | None:
        given = self.characteristic
        return None if given is None or isinstance(given, ForceTable) else own_formula(given, ("s", "v"))

    @cached_property
    def _given_damping(self) -> Formula | None:
        return own_formula(self.damping, ("v",)) if isinstance(self.damping, str | Formula) else None

    def stretch(self, value: Array) -> Array:
        """How far the coordinate is from its free value."""
        return value - self.free

    def force(self, value: Array, rate: Array) -> Array:
        """Force [N or N m] on the second body in the direction of growing s."""
        elastic, _, works = self._elastic(self.stretch(value), rate)
        coefficient, _ = self._damping(rate)
        return np.asarray(elastic - np.where(works, coefficient * rate, 0.0))

    def slopes(self, value: Array, rate: Array) -> tuple[Array, Array]:
        """−∂F/∂s and −∂F/∂ṡ."""
        stretch = self.stretch(value)
        _, stiffness, works = self._elastic(stretch, rate)
        coefficient, growth = self._damping(rate)
        damping = np.where(works, coefficient + growth * rate, 0.0)
        if self.force_formula is not None:
            damping = damping - self.force_formula.jet(stretch, rate, along="v")[1]
        if self._grid is not None:
            damping = damping - self._grid.at(stretch, rate)[2]
        return stiffness, np.asarray(damping)

    def parameters(self) -> LawParameters:
        """What its law in the core is made of."""
        damping = 0.0 if isinstance(self.damping, str | Formula) else float(self.damping)
        constants = (self.stiffness, self.free, damping, self.preload, self.clearance, _SIDES[self.acts])
        points = np.zeros((0, 3))
        if isinstance(self.characteristic, ForceTable) and self._grid is None:
            curve = self.characteristic.curve
            points = np.stack([curve.x, curve.y, curve.slopes], axis=1).astype(float)
        return LawParameters(constants, points, self.force_formula, self.damping_formula, self._grid)

    @property
    def _grid(self) -> TableGrid | None:
        """The characteristic as a table over stretch and rate."""
        return self.characteristic.grid if isinstance(self.characteristic, ForceTable) else None

    def _elastic(self, stretch: Array, rate: Array) -> tuple[Array, Array, BoolArray]:
        """Force without the damper, −∂/∂s of it, and where the spring works."""
        everywhere = np.ones(np.shape(stretch), dtype=bool)
        if self.force_formula is not None:
            value, slope, _ = self.force_formula.jet(stretch, rate, along="s")
            return value, -slope, everywhere
        if self._grid is not None:
            value, slope, _ = self._grid.at(stretch, rate)
            return value, -slope, everywhere
        if isinstance(self.characteristic, ForceTable):
            curve = self.characteristic.curve
            return curve.value(stretch), -curve.slope(stretch), everywhere
        beyond = stretch - np.clip(stretch, -self.clearance, self.clearance)
        force = self.preload - self.stiffness * beyond
        side = _SIDES[self.acts]
        works = np.asarray(side * force < 0) if side else everywhere
        if self.clearance:
            works = np.asarray(works & (beyond != 0))
        return np.where(works, force, 0.0), np.where(works, self.stiffness, 0.0), works

    def _damping(self, rate: Array) -> tuple[Array, Array]:
        """The coefficient and its derivative with the rate."""
        if self.damping_formula is not None:
            value, slope, _ = self.damping_formula.jet(rate, along="v")
            return value, slope
        coefficient = 0.0 if isinstance(self.damping, str | Formula) else float(self.damping)
        return np.full(np.shape(rate), coefficient), np.zeros(np.shape(rate))


def half_turns(angle: Array) -> Array:
    """Angles in (−π, π]."""
    return np.asarray(np.pi - np.mod(np.pi - angle, 2 * np.pi))


def own_formula(given: str | Formula, own: tuple[str, ...]) -> Formula:
    """A formula of the variables of a load alone, or of these, t and names of sensors and controllers."""
    found = Formula.parse(given, (*own, "t"), open_to_names=True) if isinstance(given, str) else given
    if found.variables == own:
        return found
    if found.variables[: len(own) + 1] != (*own, "t"):
        raise InputError(
            f"'{found.text}' is a formula of {', '.join(found.variables)}; give one of {' and '.join(own)}, t and "
            "names of sensors and controllers"
        )
    more = any(map(found.depends_on, found.variables[len(own) :]))
    return found if more else replace(found, variables=own)


def _is_open(formula: Formula) -> bool:
    return "t" in formula.variables


def scales(factor: Law) -> bool:
    """Whether a factor is more than one."""
    return constant_of(state_law(factor)) != 1.0
