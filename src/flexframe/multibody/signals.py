"""Signals: numbers that follow from the state, which loads and controllers read; their tables for the core.

Each signal is found from earlier ones: the time, measured coordinates and their rates, states and held values of
controllers, sums and formulas. `core/include/flexframe/signals.hpp` evaluates them in a motion.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np
from numpy.typing import ArrayLike

from flexframe import _core
from flexframe.errors import AnalysisError, InputError, at_field, at_part
from flexframe.maths.arrays import Array
from flexframe.maths.formula import Formula
from flexframe.model.constraints import Along, Fixed, TimeLaw, follows_state, state_law
from flexframe.model.controllers.connection import Connections, reads_fresh
from flexframe.model.drives import Law
from flexframe.model.events import Event, Passage
from flexframe.model.joints import Jointed, lock_coordinates
from flexframe.model.measured import MeasuredCoordinate
from flexframe.model.system import System, part_of, unknown
from flexframe.model.system_loads import Actuator, CoordinateForce, Friction, MarkerForce, SystemLoad, laws_of
from flexframe.multibody.tables import SignalTables

_DIRECTIONS: Mapping[Passage, int] = {"growing": 1, "falling": -1, "both": 0}


class Kind(IntEnum):
    """What a signal is, in the order of the core."""

    NUMBER = 0
    TIME = 1
    COORDINATE = 2
    RATE = 3
    STATE = 4
    HELD = 5
    LINEAR = 6
    LAW = 7


@dataclass(frozen=True)
class SignalLaw:
    """A law whose value is that of a signal."""

    signal: int

    def jet(self, times: ArrayLike, /) -> tuple[Array, Array, Array]:  # noqa: ARG002 - as the protocol has it
        raise AssertionError("a signal is known in a state, not at a time")


@dataclass(frozen=True)
class _Signal:
    kind: Kind
    source: int = 0
    constant: float = 0.0
    inputs: tuple[int, ...] = ()
    factors: tuple[float, ...] = ()


@dataclass(frozen=True)
class Sampling:
    """Held values that take the values of signals together, every `period` [s] from `offset` [s] on.

    A function of Python is called with the time and its inputs instead, and gives the values of its outputs.
    """

    period: float
    offset: float
    pairs: tuple[tuple[int, int], ...] = ()  # number of the held value, signal
    name: str = ""  # of the controller with a function
    function: Callable[..., ArrayLike] | None = None
    inputs: tuple[int, ...] = ()  # signals
    outputs: tuple[int, ...] = ()  # numbers of held values


@dataclass(frozen=True)
class SignalEvent:
    """Something happens when a signal passes zero."""

    name: str
    signal: int
    passage: Passage = "both"
    stop: bool = False
    held: tuple[tuple[int, float], ...] = ()  # numbers of held values that are set
    touch: int = -1  # whose shapes are thrown back
    restitution: float = 1.0
    friction: float = 0.0
    least_speed: float = 0.0  # of an impact [m/s], below which shapes rest on each other
    turning: bool = False  # whether speeds are those of an angle
    lock: int = -1  # number of the held value that closes a lock


@dataclass(frozen=True)
class Lock:
    """A joint that is locked while a held value is not zero, each of its coordinates at a held value."""

    joint: str
    held: int  # numbers of held values
    places: tuple[int, ...]


@dataclass(eq=False)
class SignalBuilder:
    """Makes the signals of a system, each once."""

    system: System
    signals: list[_Signal] = field(default_factory=list)
    laws: list[TimeLaw] = field(default_factory=lambda: [Fixed(0.0)])
    coordinates: list[MeasuredCoordinate] = field(default_factory=list)
    initial_states: list[float] = field(default_factory=list)
    initial_held: list[float] = field(default_factory=list)
    derivatives: dict[int, int] = field(default_factory=dict)
    samplings: dict[tuple[float, float], list[tuple[int, int]]] = field(default_factory=dict)
    functions: list[Sampling] = field(default_factory=list)
    updates: dict[int, tuple[tuple[float, float], int]] = field(default_factory=dict)  # what held values take

    def __post_init__(self) -> None:
        self.connections = Connections(self.system.controllers, self)

    # --- what signals are made of ---------------------------------------------------------------------------

    def number(self, value: float) -> int:
        """A constant."""
        return self._add(_Signal(Kind.NUMBER, constant=float(value)))

    def time(self) -> int:
        """The time [s]."""
        return self._add(_Signal(Kind.TIME))

    def coordinate(self, measured: MeasuredCoordinate) -> int:
        """A measured coordinate or its rate."""
        plain = MeasuredCoordinate(measured.name, measured.first, measured.second, measured.coordinate)
        if plain not in self.coordinates:
            self.coordinates.append(plain)
        return self._add(_Signal(Kind.RATE if measured.rate else Kind.COORDINATE, self.coordinates.index(plain)))

    def state(self, initial: float = 0.0) -> int:
        """A state of a block; `derive` says what its rate is."""
        self.initial_states.append(float(initial))
        return self._add(_Signal(Kind.STATE, len(self.initial_states) - 1))

    def derive(self, state: int, rate: int) -> None:
        """The rate of a state is a signal."""
        assert self.signals[state].kind is Kind.STATE
        self.derivatives[self.signals[state].source] = rate

    def held(self, initial: float = 0.0) -> int:
        """A value that is constant between sampling instants; `sample` says what it takes."""
        self.initial_held.append(float(initial))
        return self._add(_Signal(Kind.HELD, len(self.initial_held) - 1))

    def sample(self, period: float, offset: float, pairs: Sequence[tuple[int, int]]) -> None:
        """Held values take the values of signals, all together, every `period` [s] from `offset` [s] on."""
        group = self.samplings.setdefault((float(period), float(offset)), [])
        group += [(self.signals[held].source, signal) for held, signal in pairs]
        self.updates |= {held: ((period, offset), signal) for held, signal in pairs}

    def call(  # noqa: PLR0917 - all that a function needs
        self,
        name: str,
        period: float,
        offset: float,
        function: Callable[..., ArrayLike],
        inputs: Sequence[int],
        outputs: Sequence[int],
    ) -> None:
        """Held values take what a function of (t, *inputs) gives, every `period` [s] from `offset` [s] on."""
        held = tuple(self.signals[output].source for output in outputs)
        self.functions.append(Sampling(period, offset, (), name, function, tuple(inputs), held))

    def linear(self, parts: Sequence[tuple[float, int]], constant: float = 0.0) -> int:
        """constant + Σ factor · signal."""
        factors, inputs = tuple(float(c) for c, _ in parts), tuple(signal for _, signal in parts)
        return self._add(_Signal(Kind.LINEAR, 0, float(constant), inputs, factors))

    def formula(self, law: TimeLaw, inputs: Sequence[int]) -> int:
        """A formula of signals, one for each of its variables, or a law of the first one."""
        number = next((k for k, known in enumerate(self.laws) if known is law or known == law), len(self.laws))
        if number == len(self.laws):
            self.laws.append(law)
        return self._add(_Signal(Kind.LAW, number, 0.0, tuple(inputs), (0.0,) * len(inputs)))

    def input(self, law: Law, sampling: tuple[float, float] | None = None) -> int:
        """What a number, a law of time or a formula of t, sensors and controllers is worth.

        Who reads it at sampling instants (period, offset) reads what others sample at the same instant.
        """
        found = state_law(law)
        if isinstance(found, Fixed):
            return self.number(found.value)
        if not isinstance(found, Formula):
            return self.formula(found, [self.time()])
        if found.variables == ("t", *found.names) and len(found.names) == 1 and len(found.opcodes) == 1:
            return self.named(found.names[0], sampling)
        signals = [self.time() if name == "t" else self.named(name, sampling) for name in found.variables]
        return self.formula(found, signals)

    def named(self, name: str, sampling: tuple[float, float] | None = None) -> int:
        """The signal of a sensor or controller, or of a component as `tip.x`."""
        whole, _, component = name.partition(".")
        if whole not in self.connections:
            return self.coordinate(self.system.measured(name))
        outputs = self.connections.outputs(whole)
        if component and set(outputs) == {""}:
            raise InputError(f"the controller {whole} has no output '{name}'; write {whole}")
        if component not in outputs:
            raise InputError(unknown(f"output of {whole}", component, list(outputs)))
        signal = outputs[component]
        if signal in self.updates and reads_fresh(sampling, self.updates[signal][0]):
            return self.updates[signal][1]
        return signal

    def _add(self, signal: _Signal) -> int:
        if signal in self.signals and signal.kind not in (Kind.STATE, Kind.HELD):
            return self.signals.index(signal)
        self.signals.append(signal)
        return len(self.signals) - 1


@dataclass(frozen=True)
class Reported:
    """Signals that a motion reports under one name: the output of a controller, or what a load follows."""

    name: str
    unit: str
    signals: tuple[int, ...]
    components: tuple[str, ...] = ()  # names of the signals, none of a single one


@dataclass(frozen=True, eq=False)
class SignalNetwork:
    """All signals of a system, what loads take from them, and what happens when some of them pass zero."""

    tables: SignalTables
    signals: tuple[_Signal, ...]
    laws: tuple[TimeLaw, ...]
    coordinates: tuple[MeasuredCoordinate, ...]
    samplings: tuple[Sampling, ...]
    events: tuple[SignalEvent, ...]
    outputs: Mapping[str, Mapping[str, int]]
    followed: Mapping[str, tuple[TimeLaw, ...]]  # by loads
    bristles: Mapping[str, int]  # states of friction that sticks, by loads
    loads: tuple[SystemLoad, ...]
    locks: tuple[Lock, ...] = ()

    def laws_of(self, load: SystemLoad) -> tuple[TimeLaw, ...]:
        """The laws of a load; those of state as signals."""
        return self.followed[load.name]

    def law_along(self, force: CoordinateForce) -> TimeLaw | None:
        """What a force along a coordinate follows instead of a law of that coordinate."""
        laws = self.followed[force.name] if isinstance(force, Actuator | Friction) else ()
        return laws[0] if laws else None

    @property
    def reported(self) -> tuple[Reported, ...]:
        """Outputs of controllers, and forces and moments that follow the state."""
        found = []
        for name, outputs in self.outputs.items():
            parts = () if set(outputs) == {""} else tuple(outputs)
            found.append(Reported(name, "", tuple(outputs.values()), parts))
        for load in self.loads:
            laws = self.followed[load.name]
            signals = [law.signal for law in laws if isinstance(law, SignalLaw)]
            if not signals:
                continue
            match load:
                case Actuator(along=along):
                    found.append(Reported(load.name, "N m" if along == "angle" else "N", (*signals,)))
                case Friction(of=of):
                    found.append(Reported(load.name, "N m" if of == "rotation" else "N", (*signals,)))
                case MarkerForce(force=force):
                    for unit, part in (("N", laws[: len(force)]), ("N m", laws[len(force) :])):
                        own = {"xyz"[i]: law.signal for i, law in enumerate(part) if isinstance(law, SignalLaw)}
                        name = load.name if unit == "N" else f"{load.name} moment"
                        if own:
                            found.append(Reported(name, unit, tuple(own.values()), tuple(own)))
                case _:
                    found.append(Reported(load.name, "", (*signals,)))
        return tuple(found)

    @property
    def has_memory(self) -> bool:
        """Whether controllers or friction have states or held values."""
        return bool(self.tables.initial_states.size or self.tables.initial_held.size)

    def values(self, times: Array, coordinates: Array, rates: Array) -> Array:
        """All signals at many instants from measured coordinates and rates (T, coordinates): (T, signals)."""
        if self.bristles:
            name = next(iter(self.bristles))
            raise AnalysisError(
                f"friction {name} sticks: its bristles have a memory, which is known in a motion in time only; "
                "take a transient analysis, or the model tanh"
            )
        if self.has_memory:
            raise AnalysisError(
                "loads follow controllers with a memory, which are known in a motion in time only; take a "
                "transient analysis, or leave the controllers out"
            )
        out = np.zeros((len(times), len(self.signals)))
        for k, signal in enumerate(self.signals):
            given = [out[:, i] for i in signal.inputs]
            match signal.kind:
                case Kind.NUMBER:
                    out[:, k] = signal.constant
                case Kind.TIME:
                    out[:, k] = times
                case Kind.COORDINATE:
                    out[:, k] = coordinates[:, signal.source]
                case Kind.RATE:
                    out[:, k] = rates[:, signal.source]
                case Kind.LINEAR:
                    out[:, k] = signal.constant + sum(c * x for c, x in zip(signal.factors, given, strict=True))
                case Kind.LAW:
                    law = self.laws[signal.source]
                    out[:, k] = law(*given) if isinstance(law, Formula) else law.jet(given[0])[0]
        return out


def signal_network(system: System) -> SignalNetwork:
    """The signals that the loads of a system follow, those of its controllers, and what its events look at."""
    builder = SignalBuilder(system)
    outputs = builder.connections.all_outputs()
    followed: dict[str, tuple[TimeLaw, ...]] = {}
    bristles = {}
    for load in system.loads:
        with at_part(*part_of(load)):
            if isinstance(load, Friction):
                force = _friction(builder, load)
                followed[load.name] = () if force is None else (SignalLaw(force[0]),)
                if force is not None and force[1] is not None:
                    bristles[load.name] = force[1]
                continue
            followed[load.name] = tuple(
                SignalLaw(builder.input(law)) if follows_state(law) else law for law in laws_of(load)
            )
    locks = _locks(builder)
    found = (*(_watched(builder, event) for event in system.events), *locks.values())
    found = (*found, *_impacts(system, len(builder.signals)))
    samplings = (*(Sampling(*key, tuple(pairs)) for key, pairs in builder.samplings.items()), *builder.functions)
    return SignalNetwork(
        tables=_tables(builder, samplings, found),
        signals=tuple(builder.signals),
        laws=tuple(builder.laws),
        coordinates=tuple(builder.coordinates),
        samplings=samplings,
        events=found,
        outputs=outputs,
        followed=followed,
        bristles=bristles,
        loads=tuple(system.loads),
        locks=tuple(locks),
    )


def _locks(builder: SignalBuilder) -> dict[Lock, SignalEvent]:
    """Locks of joints, and where they close and open."""
    found = {}
    for joint in builder.system.joints:
        if not isinstance(joint, Jointed) or joint.lock is None:
            continue
        with at_part("joints", joint.name), at_field("lock"):
            rows = lock_coordinates(joint, planar=builder.system.space == "planar")
            held, *places = (builder.signals[builder.held()].source for _ in range(1 + len(rows)))
            closes = builder.linear([(1.0, builder.input(joint.lock))], -_ABOVE_ZERO)
            turning = not any(isinstance(row, Along) for row in rows)
            event = SignalEvent(f"lock of {joint.name}", closes, turning=turning, lock=held)
            found[Lock(joint.name, held, tuple(places))] = event
    return found


_ABOVE_ZERO = 1e-300  # beyond which a lock closes: a switch that is zero leaves it open


def _friction(builder: SignalBuilder, load: Friction) -> tuple[int, int | None] | None:
    """The signal of friction that sticks or follows a formula, and the number of its state."""
    bristles = load.bristles
    if bristles is None and load.changing is None:
        return None
    v = builder.coordinate(MeasuredCoordinate(load.name, load.first, load.second, load.coordinate(), rate=True))
    limits = [builder.input(law) for law in load.changing or ()]
    if bristles is None:
        law = Formula.parse("-fc*tanh(v/smoothing)", ("v", "fc"), {"smoothing": load.smoothing})
        return builder.formula(law, [v, limits[0]]), None
    z = builder.state()
    rate = builder.formula(bristles.rate(), [v, builder.formula(bristles.bent(), [v, z, *limits])])
    builder.derive(z, rate)
    return builder.formula(bristles.force(), [v, z, rate, *limits[1:]]), builder.signals[z].source


def _watched(builder: SignalBuilder, event: Event) -> SignalEvent:
    with at_part("events", event.name):
        held = [(builder.signals[builder.named(name)].source, float(value)) for name, value in event.set.items()]
        return SignalEvent(event.name, builder.input(event.when), event.passage, event.stop, tuple(held))


def _impacts(system: System, signals: int) -> list[SignalEvent]:
    """Contacts that throw back: their gaps have the numbers after those of all signals."""
    found, touch = [], 0
    points = dict(zip(_core.contact_pairs(), _core.contact_points(), strict=True))
    for contact in system.all_contacts:
        law, friction = contact.law, contact.friction
        for number in range(touch, touch + points[contact.kind]):
            if law.kind == "impulsive":
                found.append(
                    SignalEvent(
                        contact.name,
                        signals + number,
                        "falling",
                        touch=number,
                        restitution=law.restitution,
                        friction=0.0 if friction is None else friction.dynamic,
                        least_speed=law.least_speed,
                        turning=contact.turning,
                    )
                )
        touch += points[contact.kind]
    return found


def _tables(builder: SignalBuilder, samplings: Sequence[Sampling], events: Sequence[SignalEvent]) -> SignalTables:
    signals = builder.signals
    counts = [len(signal.inputs) for signal in signals]
    groups = [len(sampling.pairs) for sampling in samplings]
    pairs = [pair for sampling in samplings for pair in sampling.pairs]
    missing = set(range(len(builder.initial_states))) - builder.derivatives.keys()
    assert not missing, "every state of a controller has a rate"
    return SignalTables(
        kinds=_whole([signal.kind for signal in signals]),
        sources=_whole([signal.source for signal in signals]),
        constants=_real([signal.constant for signal in signals]),
        starts=_whole([0, *np.cumsum(counts)]),
        inputs=_whole([i for signal in signals for i in signal.inputs]),
        factors=_real([c for signal in signals for c in signal.factors]),
        derivatives=_whole([builder.derivatives[k] for k in range(len(builder.initial_states))]),
        initial_states=_real(builder.initial_states),
        initial_held=_real(builder.initial_held),
        sample_starts=_whole([0, *np.cumsum(groups)]),
        sampled_held=_whole([held for held, _ in pairs]),
        sampled_signals=_whole([signal for _, signal in pairs]),
        events=_whole([event.signal for event in events]),
        event_directions=_whole([_DIRECTIONS[event.passage] for event in events]),
    )


def _whole(values: Sequence[int]) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    return np.array(values, dtype=np.int64)


def _real(values: Sequence[float]) -> Array:
    return np.array(values, dtype=float)
