"""Harmonic response of a body at a frozen speed, or of a rotor to its unbalance."""

from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field, model_validator

from flexframe.analyses.contract import Bodies, BodyAnalysisEntry, TermsEntry
from flexframe.entries import quantities as q
from flexframe.entries.entry import ByKeys, Entry, refusal_at
from flexframe.entries.fields import (
    Angle,
    Count,
    Direction,
    Force,
    ForceVector,
    MomentVector,
    Name,
    PositiveNumber,
    Selection,
    count,
    quantity,
)
from flexframe.entries.motions import MotionEntry
from flexframe.entries.rotors import Bearings, SpeedsEntry, UnbalanceEntry, bearings
from flexframe.entries.sensors import AnySensorEntry, described
from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.motion.frame import PLANAR_AXIS

if TYPE_CHECKING:
    from flexframe.analyses.frequency_response.record import FrequencyResponse

_NOTHING = (0.0, 0.0, 0.0)
_Samples = Annotated[int, count(2, 100_000)]


class FrequenciesEntry(Entry):
    """Evenly spread frequencies [Hz], both ends included."""

    start: Annotated[float, quantity(q.FREQUENCY, "not negative")] = 0.0
    end: Annotated[float, quantity(q.FREQUENCY, "positive")]
    count: _Samples = 201

    @model_validator(mode="after")
    def _increasing(self) -> "FrequenciesEntry":
        if self.end <= self.start:
            raise refusal_at("end", "end is not above start; give a larger end")
        return self

    def values(self) -> Array:
        """Hz: (count,)."""
        return np.linspace(self.start, self.end, self.count)


class HarmonicForceEntry(Entry):
    """A force and a moment in body axes at each selected node, times cos(ωt + phase)."""

    leads: ClassVar[tuple[str, ...]] = ("force", "moment")
    on: Selection
    force: ForceVector = _NOTHING
    moment: MomentVector = _NOTHING
    phase: Angle = 0.0


class WhirlingForceEntry(Entry):
    """A force across the spin axis that turns in space at the frequency, with or against the spin."""

    leads: ClassVar[tuple[str, ...]] = ("whirling_force",)
    on: Selection
    whirling_force: Force
    whirl: Literal["forward", "backward"] = "forward"


HarmonicLoadEntry = Annotated[HarmonicForceEntry | WhirlingForceEntry | UnbalanceEntry, ByKeys("harmonic load")]


class FrequencyResponseEntry(BodyAnalysisEntry):
    """Amplitude and phase over frequencies at a frozen motion, or over speeds for an unbalance."""

    takes_exact: ClassVar[bool] = True

    kind: Literal["frequency_response"]
    motion: MotionEntry | None = None
    frequencies: FrequenciesEntry | None = None
    speeds: SpeedsEntry | None = None
    axis: Direction = PLANAR_AXIS
    loads: Annotated[tuple[HarmonicLoadEntry, ...], Field(min_length=1, strict=False)]
    sensors: Annotated[dict[Name, AnySensorEntry], Field(min_length=1)]
    bearings: Bearings = ()
    terms: TermsEntry = TermsEntry()
    method: Literal["auto", "direct", "modal"] = "auto"
    modes: Count = 30
    tolerance: PositiveNumber = 1e-6

    @model_validator(mode="after")
    def _one_abscissa(self) -> "FrequencyResponseEntry":
        unbalanced = [isinstance(load, UnbalanceEntry) for load in self.loads]
        if any(unbalanced) and not all(unbalanced):
            raise refusal_at("loads", "an unbalance is given beside other loads; give them in two analyses")
        if all(unbalanced):
            if self.speeds is None or self.frequencies is not None or self.motion is not None:
                given = [name for name in ("frequencies", "motion") if getattr(self, name) is not None]
                raise refusal_at(
                    given[0] if given else "speeds",
                    "an unbalance acts at the speed of rotation; give speeds, no frequencies and no motion",
                )
        elif self.frequencies is None or self.speeds is not None:
            raise refusal_at(
                "frequencies" if self.frequencies is None else "speeds",
                "a harmonic force has a frequency; give frequencies, no speeds",
            )
        return self

    def run(self, bodies: Bodies) -> "FrequencyResponse":
        from flexframe.analyses.frequency_response.analysis import frequency_response, unbalance_response
        from flexframe.spectra.rotation.harmonic_loads import HarmonicForce, Unbalance, WhirlingForce

        frozen = bodies.frozen(self.body, self.motion, 0.0)
        held = bearings(self.bearings)
        if frozen.exact and self.speeds is not None:
            raise InputError(
                f"the unbalance of a rotor over its speed takes body {frozen.discrete.body.name} as one that "
                "deflects little; leave reduction: exact out, or run a transient of a system with it",
                field="speeds",
            )
        if self.speeds is not None:
            return unbalance_response(
                frozen.discrete,
                self.speeds.values(),
                [
                    Unbalance(load.on, load.unbalance, load.angle)
                    for load in self.loads
                    if isinstance(load, UnbalanceEntry)
                ],
                described(self.sensors),
                axis=self.axis,
                terms=self.terms.terms(),
                bearings=held,
                method=self.method,
                modes=self.modes,
                tolerance=self.tolerance,
            )
        assert self.frequencies is not None, "the check above asks for it"
        forces = [
            HarmonicForce(load.on, load.force, load.moment, load.phase)
            if isinstance(load, HarmonicForceEntry)
            else WhirlingForce(load.on, load.whirling_force, load.whirl)
            for load in self.loads
            if not isinstance(load, UnbalanceEntry)
        ]
        return frequency_response(
            frozen.discrete,
            frozen.motion,
            self.frequencies.values(),
            forces,
            described(self.sensors),
            terms=self.terms.terms(),
            bearings=held,
            method=self.method,
            modes=self.modes,
            tolerance=self.tolerance,
            exact=frozen.exact,
        )
