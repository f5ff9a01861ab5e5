"""Harmonic response of a body at a frozen speed, of a rotor to its unbalance, or of a whole system."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field, model_validator

from flexframe.analyses.contract import Bodies, BodyAnalysisEntry, Misfit, TermsEntry
from flexframe.assembly.discrete import DiscreteBody
from flexframe.entries import quantities as q
from flexframe.entries.analysis_fields import BowEntry, SpeedsEntry, UnbalanceEntry
from flexframe.entries.bearings import Bearings, bearings
from flexframe.entries.entry import ByKeys, Entry, choose_lead, refusal_at
from flexframe.entries.fields import (
    Angle,
    AngularVelocity,
    AnyQuantity,
    Count,
    Direction,
    Force,
    ForceVector,
    Frequency,
    MomentVector,
    Name,
    OneOrList,
    PositiveNumber,
    Selection,
    Time,
    count,
    quantity,
)
from flexframe.entries.motions import MotionEntry
from flexframe.entries.problems import Problems, unknown_name
from flexframe.entries.sensors import AnySensorEntry, check_sensors, describe_sensors
from flexframe.errors import FieldPath, InputError
from flexframe.maths.arrays import Array
from flexframe.model.system import System

if TYPE_CHECKING:
    from flexframe.analyses.frequency_response.balance import BalanceTolerance
    from flexframe.analyses.frequency_response.record import FrequencyResponse
    from flexframe.analyses.frequency_response.system_analysis import SystemExcitation
    from flexframe.analyses.frequency_response.system_record import SystemResponse
    from flexframe.spectra.rotation.harmonic_loads import WaveForce

_NOTHING = (0.0, 0.0, 0.0)
_Samples = Annotated[int, count(2, 100_000)]
_Speed = Annotated[float, quantity(q.ANGULAR_VELOCITY, "positive")]
_OperatingSpeeds = Annotated[
    float | tuple[float, ...],
    OneOrList(_Speed, Annotated[tuple[_Speed, ...], Field(min_length=2, max_length=2, strict=False)]),
]


class FrequenciesEntry(Entry):
    """Evenly spread frequencies [Hz], both ends included."""

    start: Annotated[float, quantity(q.FREQUENCY, "not negative")] = 0.0
    end: Frequency
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
    """A force and a moment in body axes at each selected node, times cos(ωt + phase).

    In a system at a marker `body.point`, in axes of space, of the body where the system turns.
    """

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


class WaveForceEntry(Entry):
    """A force on the rings of a section (along the radius, the axis, z) with periods around them.

    Its wave runs forward or backward in space, or stays on the body; over speeds it rests in space, an engine
    order.
    """

    leads: ClassVar[tuple[str, ...]] = ("wave_force",)
    on: Selection
    wave_force: ForceVector
    nodal_diameters: Annotated[int, count(0, 1000)]
    moves: Literal["forward", "backward", "with body"] | None = None
    phase: Angle = 0.0

    def made(self) -> "WaveForce":
        """The force that is described."""
        from flexframe.spectra.rotation.harmonic_loads import WaveForce

        return WaveForce(self.on, self.wave_force, self.nodal_diameters, self.moves or "forward", self.phase)


class HarmonicSignalEntry(Entry):
    """An `input` of the system, the offset of a `drive` or the factor of a `load`: amplitude · cos(ωt + phase)."""

    leads: ClassVar[tuple[str, ...]] = ("input", "drive", "load")
    input: Name | None = None
    drive: Name | None = None
    load: Name | None = None
    amplitude: AnyQuantity = 1.0
    phase: Angle = 0.0

    @model_validator(mode="after")
    def _one(self) -> "HarmonicSignalEntry":
        choose_lead([name for name in self.leads if getattr(self, name) is not None], self.leads, "harmonic load")
        return self

    @property
    def signal(self) -> str:
        """Its name as linear models have it."""
        if self.drive is not None:
            return f"drives.{self.drive}"
        return f"loads.{self.load}" if self.load is not None else str(self.input)


HarmonicLoadEntry = Annotated[
    HarmonicForceEntry | WhirlingForceEntry | WaveForceEntry | UnbalanceEntry | BowEntry | HarmonicSignalEntry,
    ByKeys("harmonic load"),
]
_OF_BODY = ("axis", "bearings", "operating_speeds", "balance", "method", "modes", "tolerance")
_OF_SYSTEM = ("time", "drive", "speed")


class BalanceEntry(Entry):
    """A balance quality `grade` G [mm/s] of ISO 21940-11, and two bearings that are the tolerance planes.

    Without `planes` these are the two bearings that hold the shaft.
    """

    grade: PositiveNumber
    planes: Annotated[tuple[Name, ...], Field(strict=False)] = ()

    def make(self) -> "BalanceTolerance":
        """The tolerance that is described."""
        from flexframe.analyses.frequency_response.balance import BalanceTolerance

        return BalanceTolerance(self.grade, self.planes)


class FrequencyResponseEntry(BodyAnalysisEntry):
    """Amplitude and phase over frequencies at a frozen motion, or over speeds for an unbalance or a bow.

    In a system (joints, drives, rigid bodies, a start), without `body`, `motion` and `speeds`, small vibrations of
    all bodies together, about the equilibrium with drives and loads as they are at `time`, or about the steady
    rotation at a `speed` by a `drive` (the only one without a name). A body of revolution (plane: axisymmetric)
    answers forces with nodal diameters, over frequencies, or over speeds those that rest in space; with other
    loads its axis moves, as that of a rotor.
    """

    takes_exact: ClassVar[bool] = True
    takes_rotors: ClassVar[bool] = True
    takes_sections: ClassVar[bool] = True

    kind: Literal["frequency_response"]
    motion: MotionEntry | None = None
    frequencies: FrequenciesEntry | None = None
    speeds: SpeedsEntry | None = None
    axis: Direction | None = None
    operating_speeds: _OperatingSpeeds | None = None
    balance: BalanceEntry | None = None
    loads: Annotated[tuple[HarmonicLoadEntry, ...], Field(min_length=1, strict=False)]
    sensors: Annotated[dict[Name, AnySensorEntry], Field(min_length=1)]
    bearings: Bearings = ()
    terms: TermsEntry = TermsEntry()
    method: Literal["auto", "direct", "modal"] = "auto"
    modes: Count = 30
    tolerance: PositiveNumber = 1e-6
    time: Time = 0.0
    drive: Name | None = None
    speed: AngularVelocity | None = None

    @model_validator(mode="after")
    def _one_abscissa(self) -> "FrequencyResponseEntry":
        unbalanced = [isinstance(load, UnbalanceEntry | BowEntry) for load in self.loads]
        if any(unbalanced) and not all(unbalanced):
            raise refusal_at(
                "loads", "an unbalance or a bow is given beside other loads; give them in two analyses"
            )
        self._require_fitting_waves()
        if self.speeds is not None and all(isinstance(load, WaveForceEntry) for load in self.loads):
            if self.frequencies is not None or self.motion is not None:
                raise refusal_at(
                    "motion" if self.frequencies is None else "frequencies",
                    "a force that rests in space acts over the speeds; leave it out, or the speeds",
                )
        elif all(unbalanced):
            if self.speeds is None or self.frequencies is not None or self.motion is not None:
                given = [name for name in ("frequencies", "motion") if getattr(self, name) is not None]
                raise refusal_at(
                    given[0] if given else "speeds",
                    "unbalances and bows act at the speed of rotation; give speeds, no frequencies and no motion",
                )
        elif self.frequencies is None or self.speeds is not None:
            raise refusal_at(
                "frequencies" if self.frequencies is None else "speeds",
                "a harmonic force has a frequency; give frequencies, no speeds",
            )
        elif self.operating_speeds is not None or self.balance is not None:
            raise refusal_at(
                "balance" if self.operating_speeds is None else "operating_speeds",
                "margins and balance are those of a rotor with its unbalance; leave it out",
            )
        if self.balance is not None and self.operating_speeds is None:
            raise refusal_at("operating_speeds", "is missing; the balance is that at a speed of service")
        if isinstance(self.operating_speeds, tuple) and self.operating_speeds[0] > self.operating_speeds[1]:
            raise refusal_at("operating_speeds", "the lowest one is above the highest; exchange them")
        return self

    def _require_fitting_waves(self) -> None:
        """Forces with nodal diameters are alone, and rest in space where speeds are given."""
        waves = [load for load in self.loads if isinstance(load, WaveForceEntry)]
        if waves and len(waves) < len(self.loads):
            raise refusal_at(
                "loads", "forces with nodal diameters are given beside others; give them in two analyses"
            )
        if self.speeds is not None and any(load.moves is not None for load in waves):
            raise refusal_at(
                "loads", "over speeds a force with nodal diameters rests in space; leave out how it moves"
            )

    def _operating(self) -> tuple[float, float] | None:
        """Lowest and highest operating speed [rad/s]."""
        if self.operating_speeds is None:
            return None
        low, high = np.broadcast_to(np.asarray(self.operating_speeds, dtype=float), 2).tolist()
        return low, high

    def is_of_system(self, *, has_system: bool) -> bool:
        """Whether all bodies vibrate."""
        return has_system and self.body is None and self.motion is None and self.speeds is None

    def misfits(self, *, of_system: bool) -> Iterator[Misfit]:
        """Fields that belong to a body or to a system alone, and what to do."""
        for name in _OF_BODY if of_system else _OF_SYSTEM:
            if name in self.model_fields_set:
                other = "one body; leave it out, or name the body" if of_system else "a whole system; leave it out"
                yield (name,), f"belongs to the response of {other}"
        for number, load in enumerate(self.loads):
            if of_system and isinstance(load, WhirlingForceEntry | WaveForceEntry):
                what = "whirling force" if isinstance(load, WhirlingForceEntry) else "force with nodal diameters"
                yield ("loads", number), f"a {what} belongs to one body; name the body, or give a force"
            if not of_system and isinstance(load, HarmonicSignalEntry):
                yield ("loads", number), "names a part of a system; give a force on the body"
        if not of_system:
            return
        if self.drive is not None and self.speed is None:
            yield ("drive",), "names what turns the system; give its speed too"
        for name, value in self.terms:
            if name != "geometric" and value != 1.0:
                yield ("terms", name), "cannot be changed in a system; leave it out, or name the body"
        if self.terms.geometric not in (0.0, 1.0):
            yield ("terms", "geometric"), "is 0 or 1 in a system; give one of them"

    def check_system(self, system: System, problems: Problems, path: FieldPath) -> None:
        drives = [drive.name for drive in system.drives]
        if self.drive not in (None, *drives):
            problems.add((*path, "drive"), unknown_name("drive", str(self.drive), drives))
        check_sensors(self.sensors, system, problems, path)

    def _excitation(self) -> "list[SystemExcitation]":
        from flexframe.spectra.rotation.harmonic_loads import HarmonicForce, HarmonicSignal

        found: list[SystemExcitation] = []
        for load in self.loads:
            if isinstance(load, HarmonicSignalEntry):
                found.append(HarmonicSignal(load.signal, load.amplitude, load.phase))
            elif isinstance(load, HarmonicForceEntry):
                found.append(HarmonicForce(load.on, load.force, load.moment, load.phase))
        return found

    def _of_system(self, bodies: Bodies) -> "SystemResponse":
        from flexframe.analyses.frequency_response.system_analysis import system_response

        assert self.frequencies is not None, "the check above asks for it"
        return system_response(
            bodies.system(),
            self.frequencies.values(),
            self._excitation(),
            describe_sensors(self.sensors),
            time=self.time,
            drive=self.drive,
            speed=self.speed,
            reductions=bodies.reductions(),
            geometric=bool(self.terms.geometric),
            discrete=bodies.discrete_bodies(),
        )

    def run(self, bodies: Bodies) -> "FrequencyResponse | SystemResponse":
        if self.is_of_system(has_system=bodies.has_system):
            return self._of_system(bodies)
        from flexframe.analyses.frequency_response.analysis import frequency_response
        from flexframe.analyses.frequency_response.unbalance import unbalance_response
        from flexframe.analyses.frequency_response.wave_forces import engine_order_response
        from flexframe.spectra.rotation.harmonic_loads import HarmonicForce, WhirlingForce

        held, rotor = bearings(self.bearings, bodies.folder), bodies.rotor(self.body)
        if not isinstance(rotor, DiscreteBody) and self.speeds is None:
            raise InputError(
                "a train of several shafts answers an unbalance over the speed; give speeds and unbalances, or "
                "name one of its bodies",
                field="body",
            )
        frozen = bodies.frozen(self.body, self.motion, 0.0) if isinstance(rotor, DiscreteBody) else None
        if frozen is not None and frozen.exact and self.speeds is not None:
            raise InputError(
                f"the unbalance of a rotor over its speed takes body {frozen.discrete.body.name} as one that "
                "deflects little; leave reduction: exact out, or run a transient of a system with it",
                field="speeds",
            )
        waves = [load.made() for load in self.loads if isinstance(load, WaveForceEntry)]
        if self.speeds is not None and waves:
            if frozen is None:
                raise InputError("a force with nodal diameters is on one body; name it", field="body")
            return engine_order_response(
                frozen.discrete,
                self.speeds.values(),
                waves,
                describe_sensors(self.sensors),
                axis=self.axis,
                terms=self.terms.terms(),
                bearings=held,
                method=self.method,
                modes=self.modes,
                tolerance=self.tolerance,
            )
        if self.speeds is not None:
            return unbalance_response(
                rotor,
                self.speeds.values(),
                [load.make() for load in self.loads if isinstance(load, UnbalanceEntry | BowEntry)],
                describe_sensors(self.sensors),
                axis=self.axis,
                terms=self.terms.terms(),
                bearings=held,
                operating_speeds=self._operating(),
                balance=None if self.balance is None else self.balance.make(),
                method=self.method,
                modes=self.modes,
                tolerance=self.tolerance,
            )
        assert self.frequencies is not None and frozen is not None, "the checks above ask for them"
        forces = [
            HarmonicForce(load.on, load.force, load.moment, load.phase)
            if isinstance(load, HarmonicForceEntry)
            else WhirlingForce(load.on, load.whirling_force, load.whirl)
            for load in self.loads
            if isinstance(load, HarmonicForceEntry | WhirlingForceEntry)
        ]
        return frequency_response(
            frozen.discrete,
            frozen.motion,
            self.frequencies.values(),
            [*forces, *waves],
            describe_sensors(self.sensors),
            terms=self.terms.terms(),
            bearings=held,
            method=self.method,
            modes=self.modes,
            tolerance=self.tolerance,
            exact=frozen.exact,
        )
