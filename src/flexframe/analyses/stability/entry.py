"""Stability of periodic motions: parametric excitation of a body, rotors in unequal bearings, mechanism cycles."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field, model_validator

from flexframe.analyses.contract import Bodies, BodyAnalysisEntry, Misfit, TermsEntry
from flexframe.assembly.discrete import DiscreteBody
from flexframe.entries import quantities as q
from flexframe.entries.analysis_fields import SpeedsEntry
from flexframe.entries.bearings import Bearings, bearings
from flexframe.entries.entry import Entry, refusal, refusal_at
from flexframe.entries.fields import (
    AngularVelocity,
    AnyQuantity,
    Checked,
    Count,
    Direction,
    Name,
    PositiveNumber,
    Selection,
    count,
)
from flexframe.entries.motions import LawSignal, MotionEntry
from flexframe.entries.parameters import Parameters, current, field_value, reading_with
from flexframe.entries.problems import show_value
from flexframe.errors import FieldPath, InputError
from flexframe.maths.arrays import Array
from flexframe.maths.formula import Formula
from flexframe.motion.frame import PLANAR_AXIS, Constant, Prescribed, Signal

if TYPE_CHECKING:
    from flexframe.analyses.stability.analysis import StabilityProblem
    from flexframe.analyses.stability.body_cycle import Excitation
    from flexframe.analyses.stability.record import Stability

_Samples = Annotated[int, count(2, 10_000)]
_PARAMETER = re.compile(r"^[A-Za-z_][A-Za-z0-9_]*$")


@dataclass(frozen=True)
class OpenFormula:
    """A formula of t, of the case's parameters, and of the analysis' own, whose values come later."""

    text: str
    parameters: Parameters

    def at(self, values: Mapping[str, float]) -> Formula:
        """The formula of t that is left when numbers stand for the parameters of the analysis."""
        return self.parameters.formula(self.text, values)

    def duration(self, values: Mapping[str, float]) -> float:
        """The time [s] that it gives where it is no formula of t."""
        with reading_with(self.parameters.beside(values)):
            return field_value(self.text, q.TIME)


def _open_formula(value: Any) -> OpenFormula:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise refusal(f"{show_value(value)} is not a formula; give a text such as 'P*cos(w*t)'")
    return OpenFormula(str(value), current())


ParameterFormula = Annotated[
    OpenFormula,
    Checked(
        _open_formula,
        {"description": "A formula of t and the parameters, in SI units", "type": ["string", "number"]},
    ),
]


class PeriodicForceEntry(Entry):
    """A force [N] in body axes at nodes, as formulas of t and the parameters."""

    on: Selection
    force: Annotated[tuple[ParameterFormula, ...], Field(min_length=2, max_length=3, strict=False)]


class PeriodicFrameEntry(Entry):
    """Angle [rad] about an axis and path [m] of the frame of the body, formulas of t and the parameters."""

    angle: ParameterFormula | None = None
    axis: Direction = PLANAR_AXIS
    path: Annotated[tuple[ParameterFormula, ...], Field(min_length=2, max_length=3, strict=False)] | None = None

    def law(self, parameters: Mapping[str, float]) -> Prescribed:
        """The motion at given parameters."""

        def signal(formula: OpenFormula) -> Signal:
            return LawSignal(formula.at(parameters))

        rotations = () if self.angle is None else ((self.axis, signal(self.angle)),)
        x, y, z = [*map(signal, self.path or ()), Constant(), Constant(), Constant()][:3]
        return Prescribed(rotations, (x, y, z))


class ParameterRangeEntry(Entry):
    """Evenly spread values of a parameter, both ends included."""

    parameter: Name
    start: AnyQuantity
    end: AnyQuantity
    count: _Samples = 101

    @model_validator(mode="after")
    def _increasing(self) -> "ParameterRangeEntry":
        if self.end <= self.start:
            raise refusal_at("end", "end is not above start; give a larger end")
        return self

    def values(self) -> tuple[str, Array]:
        """Name and values: (count,)."""
        return self.parameter, np.linspace(self.start, self.end, self.count)


class FactorsEntry(Entry):
    """Evenly spread factors of the speed of a mechanism, both ends included."""

    start: PositiveNumber
    end: PositiveNumber
    count: _Samples = 51

    @model_validator(mode="after")
    def _increasing(self) -> "FactorsEntry":
        if self.end <= self.start:
            raise refusal_at("end", "end is not above start; give a larger end")
        return self

    def values(self) -> Array:
        """(count,)."""
        return np.linspace(self.start, self.end, self.count)


class StabilityEntry(BodyAnalysisEntry):
    """Floquet's multipliers of one period, and the ranges of a parameter in which disturbances grow.

    Three sorts of systems: a body with `loads` or a `frame` that repeat after `period`; a rotor at a `speed` or
    over `speeds`, its bearings unequal in two directions; else the elastic bodies of the mechanism over one
    `period` of its drives (with `body` that link alone), over `speed_factors` of its speed.
    """

    motion: ClassVar[MotionEntry | None] = None  # `frame` says how the body moves
    takes_exact: ClassVar[bool] = True
    takes_rotors: ClassVar[bool] = True

    kind: Literal["stability"]
    period: ParameterFormula | None = None
    parameters: dict[Name, AnyQuantity] = Field(default_factory=dict)
    loads: Annotated[tuple[PeriodicForceEntry, ...], Field(strict=False)] = ()
    frame: PeriodicFrameEntry | None = None
    scan: ParameterRangeEntry | None = None
    chart: ParameterRangeEntry | None = None
    axis: Direction | None = None
    speed: AngularVelocity | None = None
    speeds: SpeedsEntry | None = None
    bearings: Bearings = ()
    speed_factors: FactorsEntry | None = None
    branch: Count | None = None
    modes: Count | None = None
    terms: TermsEntry = TermsEntry()

    @property
    def is_rotor(self) -> bool:
        """Whether a rotor is meant."""
        return self.speed is not None or self.speeds is not None

    @property
    def is_excited(self) -> bool:
        """Whether a body under periodic loads or on a moving frame is meant."""
        return bool(self.loads) or self.frame is not None

    @property
    def of_body(self) -> bool:
        """Whether one body is meant and not a mechanism."""
        return self.is_rotor or self.is_excited

    @model_validator(mode="after")
    def _one_sort(self) -> "StabilityEntry":
        if self.is_rotor and self.is_excited:
            raise refusal_at(
                "speed" if self.speed is not None else "speeds",
                "a speed of a rotor is given beside loads or a frame; give one of them",
            )
        if self.is_rotor and (self.period is not None or self.speed_factors is not None):
            raise refusal_at(
                "period" if self.period is not None else "speed_factors",
                "a rotor repeats after half a turn; leave out period and speed_factors",
            )
        if not self.is_rotor and self.bearings:
            raise refusal_at("bearings", "bearings are given without a speed; give speed or speeds")
        if not self.is_rotor and self.period is None:
            raise refusal_at("period", "no period is given; give the time after which everything repeats")
        if not self.is_excited and (self.scan or self.chart or self.parameters):
            raise refusal_at(
                next(name for name in ("parameters", "scan", "chart") if getattr(self, name)),
                "parameters belong to formulas of loads or frame; give those, or leave parameters out",
            )
        if self.of_body and (self.speed_factors is not None or self.branch is not None):
            raise refusal_at(
                "branch" if self.branch is not None else "speed_factors",
                "speed_factors and branch belong to a mechanism; leave them out",
            )
        if self.is_excited:
            self._check_parameters()
            self._check_formulas()
        if not self.is_rotor:
            self._check_period()
        return self

    def lacks(self, *, has_system: bool, elastic: bool) -> Iterator[Misfit]:
        """A period alone is that of a mechanism."""
        yield from super().lacks(has_system=has_system, elastic=elastic)
        if not self.of_body and not has_system:
            yield (
                ("period",),
                "a period alone is that of a mechanism, and the case has neither joints nor drives; give loads or "
                "a frame that repeat after it, or a speed for a rotor",
            )

    def _check_parameters(self) -> None:
        for name in self.parameters:
            if name in ("t", "pi", "e") or not _PARAMETER.match(name):
                raise refusal_at(
                    ("parameters", name),
                    f"parameter '{name}' cannot stand in a formula; use letters, digits and _, not t, pi, e",
                )
        for field, asked in (("scan", self.scan), ("chart", self.chart)):
            if asked is not None and asked.parameter not in self.parameters:
                message = f"'{asked.parameter}' is not among the parameters; give its value there"
                raise refusal_at((field, "parameter"), message)
        if self.chart is not None and self.scan is None:
            raise refusal_at("scan", "a chart is given without a scan; give the parameter to scan")

    def _check_formulas(self) -> None:
        for place, formula in self._formulas():
            try:
                formula.at(self.parameters)
            except InputError as error:
                raise refusal_at(place, str(error)) from None

    def _formulas(self) -> Iterator[tuple[FieldPath, OpenFormula]]:
        """The formulas of loads and frame, and where they stand."""
        for number, load in enumerate(self.loads):
            yield from ((("loads", number, "force", i), part) for i, part in enumerate(load.force))
        if self.frame is not None:
            yield from ((("frame", "path", i), part) for i, part in enumerate(self.frame.path or ()))
            if self.frame.angle is not None:
                yield ("frame", "angle"), self.frame.angle

    def _check_period(self) -> None:
        assert self.period is not None, "checked above"
        try:
            period = self.period.duration(self.parameters)
        except InputError as error:
            raise refusal_at("period", str(error)) from None
        if not (np.isfinite(period) and period > 0):
            raise refusal_at("period", f"is {period:g} s; give a positive time")

    def excitation(self, parameters: Mapping[str, float]) -> "Excitation":
        """What one period brings at given parameters."""
        from flexframe.analyses.stability.body_cycle import Excitation, PeriodicForce

        values = {**self.parameters, **parameters}
        forces = [PeriodicForce(load.on, _force([part.at(values) for part in load.force])) for load in self.loads]
        assert self.period is not None, "checked above"
        period = self.period.duration(values)
        if self.frame is None:
            return Excitation(period, forces=forces)
        return Excitation(period, self.frame.law(values), forces)

    def _problem(self, bodies: Bodies) -> "StabilityProblem":
        from flexframe.analyses.stability.body_cycle import BodyCycle
        from flexframe.analyses.stability.mechanism_cycle import MechanismCycle
        from flexframe.analyses.stability.rotor_cycle import RotorCycle

        terms = self.terms.terms()
        single = not self.is_rotor or isinstance(bodies.rotor(self.body), DiscreteBody)
        if self.of_body and single and bodies.frozen(self.body, None, 0.0).exact:
            return self._of_exact_body(bodies.frozen(self.body, None, 0.0).discrete)
        if self.is_rotor:
            held = bearings(self.bearings, bodies.folder)
            return RotorCycle(bodies.rotor(self.body), self.axis, held, self.modes, terms)
        if self.is_excited:
            discrete = bodies.frozen(self.body, None, 0.0).discrete
            return BodyCycle(discrete, self.excitation, self.modes, terms)
        assert self.period is not None, "checked above"
        self._require_small_deflections(bodies)
        return MechanismCycle(
            bodies.system(),
            self.period.duration({}),
            link=self.body,
            modes=self.modes,
            terms=terms,
            branch=self.branch,
            discrete=bodies.discrete_bodies(),
        )

    def _of_exact_body(self, discrete: DiscreteBody) -> "StabilityProblem":
        from flexframe.analyses.exact_bodies import require_whole_physics
        from flexframe.analyses.stability.exact_cycle import ExactBodyCycle

        require_whole_physics(self.terms.terms())
        if self.is_rotor:
            raise InputError(
                f"the stability of a rotor in bearings takes body {discrete.body.name} as one that deflects "
                "little; leave reduction: exact out, or take the campbell diagram of a system with springs",
                field="speed" if self.speed is not None else "speeds",
            )
        return ExactBodyCycle(discrete, self.excitation, self.modes)

    def _require_small_deflections(self, bodies: Bodies) -> None:
        choices = bodies.reductions()
        for name in choices if self.body is None else [self.body]:
            choice = choices.get(name)
            if choice is not None and choice != "rigid" and choice.exact:
                raise InputError(
                    f"the stability of a mechanism over its cycle takes body {name} as one that deflects little; "
                    "leave reduction: exact out, or run a transient with a small disturbance",
                    part=("bodies", name, "reduction"),
                )

    def run(self, bodies: Bodies) -> "Stability":
        from flexframe.analyses.stability.analysis import stability
        from flexframe.analyses.stability.mechanism_cycle import FACTOR
        from flexframe.analyses.stability.rotor_cycle import SPEED

        at = dict(self.parameters)
        over = None if self.scan is None else self.scan.values()
        if self.speeds is not None:
            over = (SPEED, self.speeds.values())
        if self.speed_factors is not None:
            over = (FACTOR, self.speed_factors.values())
            at[FACTOR] = 1.0
        if self.speed is not None:
            at[SPEED] = self.speed
        record = stability(
            self._problem(bodies), at, over=over, chart=None if self.chart is None else self.chart.values()
        )
        extra = () if self.of_body else bodies.recordings()
        return replace(record, notices=(*record.notices, *extra))


def _force(formulas: Sequence[Formula]) -> Any:
    """Times (t,) → force (t, 3)."""

    def force(times: Array) -> Array:
        columns = [formula(times) for formula in formulas]
        columns += [np.zeros_like(times)] * (3 - len(columns))
        return np.stack(columns, axis=1)

    return force
