"""Signals: numbers that follow from the state, which loads and controllers read; their tables for the core.

Each signal is found from earlier ones: the time, measured coordinates and their rates, inputs, states and held
values of controllers, sums, formulas, tables and functions, and forces. `core/include/flexframe/signals.hpp`
evaluates them in a motion.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from flexframe import _core
from flexframe.assembly.discrete import discretise
from flexframe.errors import AnalysisError, InputError, at_field, at_part
from flexframe.maths.arrays import Array
from flexframe.maths.formula import Formula
from flexframe.maths.jumps import Jump, JumpKind, jump_values, without_jumps
from flexframe.model.body import Body
from flexframe.model.characteristics import Sprung, scales
from flexframe.model.constraints import (
    Along,
    Coupled,
    Direction,
    Displacement,
    Fixed,
    Law,
    Rotation,
    StateLaw,
    TimeLaw,
    follows_state,
    state_law,
    two_normals,
    unit,
)
from flexframe.model.controllers.connection import Connections, reads_fresh
from flexframe.model.elasticity import Bushing, RowSpring
from flexframe.model.events import Event, Passage
from flexframe.model.friction import Friction, FrictionInJoint
from flexframe.model.inputs import Input
from flexframe.model.joints import Jointed, lock_coordinates
from flexframe.model.measured import (
    Measured,
    MeasuredContact,
    MeasuredCoordinate,
    MeasuredInput,
    MeasuredLoad,
    MeasuredReaction,
    MeasuredSprings,
    dimension_of_law,
)
from flexframe.model.rubbing import Pressed
from flexframe.model.state_forces import StateForce
from flexframe.model.system import System, part_of, unknown
from flexframe.model.system_loads import (
    Actuator,
    BodyLoads,
    CoordinateForce,
    MarkerForce,
    Motor,
    SystemLoad,
    TorsionSpring,
    laws_of,
)
from flexframe.model.transmissions.forces import FlankForce, Pull
from flexframe.model.transmissions.profiles import Proportional
from flexframe.multibody.tables import SignalTables
from flexframe.reduction.loads import reduced_loads
from flexframe.sensors.kinds import LoadSensor

_PRODUCT = Formula.parse("a*b", ("a", "b"))
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
    FORCE = 8
    NORMAL = 9
    GAP = 10
    REACTION = 11
    JUMP = 12


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
    touch: int = -1  # whose shapes are thrown back, or part where they rest on each other
    restitution: float = 1.0
    friction: float = 0.0
    least_speed: float = 0.0  # of an impact [m/s], below which shapes rest on each other
    turning: bool = False  # whether speeds are those of an angle
    lock: int = -1  # number of the held value that closes a lock
    jump: int = -1  # number of what jumps in a formula and leaves its side


@dataclass(frozen=True)
class Lock:
    """A joint that is locked while a held value is not zero, each of its coordinates at a held value."""

    joint: str
    held: int  # numbers of held values
    places: tuple[int, ...]


@dataclass(frozen=True)
class SignalJump:
    """Something in a formula that jumps: a side of zero or a whole number, which a motion holds between events."""

    text: str  # as in the formula
    owner: str  # of the formula
    kind: JumpKind
    signal: int
    held: int  # number of the first of two held values: how it acts, and its value


@dataclass(eq=False)
class SignalBuilder:
    """Makes the signals of a system, each once."""

    system: System
    elements: Sequence[CoordinateForce] = ()  # forces along coordinates, by their numbers in the core
    owners: Sequence[str] = ()  # of the constraints
    signals: list[_Signal] = field(default_factory=list)
    laws: list[TimeLaw] = field(default_factory=lambda: [Fixed(0.0)])
    coordinates: list[MeasuredCoordinate] = field(default_factory=list)
    initial_states: list[float] = field(default_factory=list)
    state_owners: list[str] = field(default_factory=list)  # blocks whose states they are
    initial_held: list[float] = field(default_factory=list)
    derivatives: dict[int, int] = field(default_factory=dict)
    samplings: dict[tuple[float, float], list[tuple[int, int]]] = field(default_factory=dict)
    functions: list[Sampling] = field(default_factory=list)
    updates: dict[int, tuple[tuple[float, float], int]] = field(default_factory=dict)  # what held values take
    reactions: list[tuple[int, int, bool, tuple[float, ...] | None]] = field(default_factory=list)
    bristles: dict[str, int] = field(default_factory=dict)  # states of friction that sticks, by loads
    followed: dict[str, tuple[TimeLaw, ...]] = field(default_factory=dict)  # by loads
    jumps: list[SignalJump] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.connections = Connections(self.system.controllers, self)
        self._waiting: list[str] = []  # loads whose laws are being found
        self._inputs = {each.name: self.held(each.value) for each in self.system.inputs}  # the first held values

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
        self.state_owners.append(self.connections.at_work)
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
        """A formula, table or function of signals, one for each of its variables, or a law of the first one."""
        number = next((k for k, known in enumerate(self.laws) if known is law or known == law), len(self.laws))
        if number == len(self.laws):
            self.laws.append(law)
        return self._add(_Signal(Kind.LAW, number, 0.0, tuple(inputs), (0.0,) * len(inputs)))

    def input(self, law: Law, sampling: tuple[float, float] | None = None, *, instants: bool = False) -> int:
        """What a number, a law of time or one of t, sensors and controllers is worth.

        Who reads it at sampling instants (period, offset) reads what others sample at the same instant. Forces of
        joints are for those and for who looks at single `instants`.
        """
        found = state_law(law)
        if isinstance(found, StateLaw):
            return self.formula(found, [self.input(each, sampling, instants=instants) for each in found.inputs])
        if isinstance(found, Fixed):
            return self.number(found.value)
        if not isinstance(found, Formula):
            return self.formula(found, [self.time()])
        if found.name is not None:
            return self.named(found.name, sampling, instants=instants)
        signals = [
            self.time() if name == "t" else self.named(name, sampling, instants=instants)
            for name in found.variables
        ]
        if sampling is not None or instants:  # nothing follows it between instants
            return self.formula(found, signals)
        return self._without_jumps(found, signals)

    def of_coordinate(self, law: TimeLaw, own: Mapping[str, int]) -> int:
        """A law of t and names, or a formula of signals of a load's own coordinate as well."""
        if not isinstance(law, Formula) or law.variables[0] not in own:
            return self.input(law)
        signals = [
            own[name] if name in own else self.time() if name == "t" else self.named(name)
            for name in law.variables
        ]
        return self._without_jumps(law, signals)

    def _without_jumps(self, formula: Formula, signals: list[int]) -> int:
        """A formula of signals, with signals of their own for what jumps in it."""
        smooth, jumps = without_jumps(formula)
        for jump in jumps:
            signals.append(self._jump(jump, signals))
        return self.formula(smooth, signals)

    def _jump(self, jump: Jump, signals: Sequence[int]) -> int:
        """The signal of something that jumps with a formula of signals."""
        argument = self.formula(jump.argument, signals)
        for known in self.jumps:
            if known.kind is jump.kind and self.signals[known.signal].inputs == (argument,):
                return known.signal
        number, owner = len(self.jumps), self._waiting[-1] if self._waiting else ""
        held, _ = (self.signals[self.held()].source for _ in range(2))
        signal = self._add(_Signal(Kind.JUMP, number, 0.0, (argument,), (0.0,)))
        self.jumps.append(SignalJump(jump.text, owner, jump.kind, signal, held))
        return signal

    def dimension(self, law: Law) -> tuple[int, int, int] | None:
        """Powers of m, kg and s of a sensor that a law names alone; None where that is not known."""
        return dimension_of_law(law, self.connections, self.system.measured)

    def named(self, name: str, sampling: tuple[float, float] | None = None, *, instants: bool = False) -> int:
        """The signal of a sensor, controller or input, or of a component as `tip.x`."""
        whole, _, component = name.partition(".")
        if whole not in self.connections:
            return self.measured(self.system.measured(name, instants=instants or sampling is not None))
        outputs = self.connections.outputs(whole)
        if component and set(outputs) == {""}:
            raise InputError(f"the controller {whole} has no output '{name}'; write {whole}")
        if component not in outputs:
            raise InputError(unknown(f"output of {whole}", component, list(outputs)))
        signal = outputs[component]
        if signal in self.updates and reads_fresh(sampling, self.updates[signal][0]):
            return self.updates[signal][1]
        return signal

    # --- what sensors measure -------------------------------------------------------------------------------

    def measured(self, what: Measured) -> int:
        """A coordinate or its rate, or a force."""
        match what:
            case MeasuredCoordinate():
                return self.coordinate(what)
            case MeasuredLoad(load=load, component=component):
                return self.load_force(load, component)
            case MeasuredContact(contact=contact, quantity=quantity):
                names = [each.name for each in self.system.all_contacts]
                kind = Kind.NORMAL if quantity == "force" else Kind.GAP
                return self._add(_Signal(kind, names.index(contact)))
            case MeasuredReaction():
                return self._reaction(what)
            case MeasuredInput(name=name):
                return self._inputs[name]
            case MeasuredSprings(joint=joint, parts=parts):
                springs = [
                    number
                    for number, each in enumerate(self.elements)
                    if isinstance(each, RowSpring) and each.of_joint and each.name == joint
                    if isinstance(each.row, Along)
                ]
                return self._sum_of_springs(zip(parts, springs, strict=True))

    def load_force(self, name: str, component: int) -> int:
        """The force of a load: what it follows, or that of its law at its coordinate."""
        load = next(each for each in self.system.loads if each.name == name)
        laws = self.follow(load)
        if isinstance(load, BodyLoads):
            factor = laws[0].signal if isinstance(laws[0], SignalLaw) else self.input(laws[0])
            return self.linear([(float(_resultant(self.system, load)[component]), factor)])
        if isinstance(load, Bushing):
            rows = [(k, each) for k, each in enumerate(self.elements) if _is_spring_of(each, name)]
            parts = [(_translation(each)[component], k) for k, each in rows]
            whole = self._sum_of_springs(parts)
            return self.formula(_PRODUCT, [self.input(load.factor), whole]) if load.follows else whole
        if laws:
            law = laws[-1] if isinstance(load, Sprung | Motor) else laws[component]
            return law.signal if isinstance(law, SignalLaw) else self.input(law)
        element = next(k for k, each in enumerate(self.elements) if each is load)
        return self.element_force(element, self._along(self.elements[element]))

    def _along(self, element: CoordinateForce) -> tuple[int, int]:
        """The coordinate of an element and its rate."""
        rate = MeasuredCoordinate(element.name, element.first, element.second, element.coordinate(), rate=True)
        return self.coordinate(replace(rate, rate=False)), self.coordinate(rate)

    def _sum_of_springs(self, parts: Iterable[tuple[float, int]]) -> int:
        """Σ factor · force of springs, which are elements."""
        found = []
        for factor, number in parts:
            found.append((factor, self.element_force(number, self._along(self.elements[number]))))
        return self.linear([part for part in found if part[0]])

    def element_force(self, element: int, inputs: Sequence[int]) -> int:
        """The force of an element where its coordinate and rate are two signals."""
        return self._add(_Signal(Kind.FORCE, element, 0.0, tuple(inputs), (0.0, 0.0)))

    def follow(self, load: SystemLoad) -> tuple[TimeLaw, ...]:
        """The laws that a load follows, those of state as signals."""
        if load.name in self._waiting:
            raise InputError(
                f"load {load.name} follows its own force at the same instant; put a controller with a state or a "
                "period between them"
            )
        if load.name not in self.followed:
            self._waiting.append(load.name)
            self.followed[load.name] = self._laws(load)
            self._waiting.remove(load.name)
        return self.followed[load.name]

    def _laws(self, load: SystemLoad) -> tuple[TimeLaw, ...]:
        with at_part(*part_of(load)):
            if isinstance(load, Friction):
                force = _friction(self, load)
                if force is None:
                    return ()
                if force[1] is not None:
                    self.bristles[load.name] = force[1]
                return (SignalLaw(force[0]),)
            if isinstance(load, Sprung | Motor | Bushing):
                return self._beside_their_law(load) if load.follows else ()
            return tuple(SignalLaw(self.input(law)) if follows_state(law) else law for law in laws_of(load))

    def _beside_their_law(self, load: Sprung | Motor | Bushing) -> tuple[TimeLaw, ...]:
        """(f − 1) F + f (G − D ṡ) of each element of a load, see `StateForce`; of a single one its whole force."""
        factor = self.input(load.factor) if scales(load.factor) else None
        found = []
        for number in [
            k for k, each in enumerate(self.elements) if each is load or _is_spring_of(each, load.name)
        ]:
            element = self.elements[number]
            s, v = self._along(element)
            plain, more = self.element_force(number, (s, v)), []
            if isinstance(element, Sprung):
                s = self.linear([(1.0, s)], -element.free)
                if isinstance(element, TorsionSpring):
                    s = self.formula(Formula.parse("mod(s + pi, 2*pi) - pi", ("s",)), [s])
            own = {"s": s, "v": v}
            if isinstance(element, Sprung | Motor) and element.state_force is not None:
                more.append((1.0, self.of_coordinate(element.state_force, own)))
            if isinstance(element, Sprung) and element.state_damping is not None:
                damper = self.formula(_PRODUCT, [self.of_coordinate(element.state_damping, own), v])
                more.append((-1.0, damper))
            whole = self.linear([(1.0, plain), *more])
            if factor is not None:
                whole = self.formula(_PRODUCT, [factor, whole])
            found += [self.linear([(1.0, whole), (-1.0, plain)])]
            if not isinstance(load, Bushing):
                found += [whole]
        return tuple(map(SignalLaw, found))

    def _reaction(self, what: MeasuredReaction) -> int:
        rows = [row for row, owner in enumerate(self.owners) if owner == what.joint]
        one: tuple[int, int, bool, tuple[float, ...] | None] = (rows[0] + what.row, 1, False, None)
        if what.direction is not None:
            one = (rows[0], len(rows), what.in_first, what.direction)
        if one not in self.reactions:
            self.reactions.append(one)
        return self._add(_Signal(Kind.REACTION, self.reactions.index(one)))

    def _add(self, signal: _Signal) -> int:
        if signal in self.signals and signal.kind not in (Kind.STATE, Kind.HELD):
            return self.signals.index(signal)
        self.signals.append(signal)
        return len(self.signals) - 1


def _resultant(system: System, load: BodyLoads) -> Array:
    """The force of all loads of a body together, in the axes in which they are given: (3,)."""
    body = system.body(load.body)
    assert isinstance(body, Body), "others have no loads of their own"
    discrete = discretise(body)
    return reduced_loads(discrete, np.zeros((discrete.dofs.count, 0))).force


def _is_spring_of(element: CoordinateForce, bushing: str) -> bool:
    return isinstance(element, RowSpring) and not element.of_joint and element.name == bushing


def _translation(element: CoordinateForce) -> Direction:
    """How a spring of a bushing pulls, in the axes of its first marker."""
    row = element.coordinate()
    assert isinstance(row, Displacement), "as all of a bushing"
    return row.translation


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
    units: Mapping[str, str]  # of controllers, where they are given
    elements: tuple[CoordinateForce, ...]  # forces along coordinates
    load_forces: Mapping[str, tuple[int, ...]]  # signals of loads that sensors measure
    locks: tuple[Lock, ...] = ()
    inputs: tuple[Input, ...] = ()  # the first held values, in this order
    jumps: tuple[SignalJump, ...] = ()
    observed: Mapping[str, int] = field(default_factory=dict)  # signals that whoever steps the system reads
    state_owners: tuple[str, ...] = ()  # controllers of the states, '' of those of friction

    def laws_of(self, load: SystemLoad) -> tuple[TimeLaw, ...]:
        """The laws of a load; those of state as signals."""
        return self.followed[load.name]

    def law_along(self, force: CoordinateForce) -> TimeLaw | None:
        """What a force along a coordinate follows instead of a law of that coordinate."""
        if isinstance(force, StateForce):
            return self.followed[force.name][force.row]
        laws = self.followed[force.name] if isinstance(force, Actuator | Friction | Pull) else ()
        return laws[0] if laws else None

    @property
    def reported(self) -> tuple[Reported, ...]:
        """Outputs of controllers, and forces and moments that follow the state."""
        found = []
        for name, outputs in self.outputs.items():
            # what stands beside a single output, as the rate of a reference, follows from it
            shown = {"": outputs[""]} if "" in outputs else outputs
            parts = () if "" in outputs else tuple(outputs)
            unit = self.units.get(name) or self._unit_of_reader(shown)
            found.append(Reported(name, unit, tuple(shown.values()), parts))
        found += self._followed_by_loads()
        return tuple(found)

    def _unit_of_reader(self, outputs: Mapping[str, int]) -> str:
        """The unit of a load that follows an output alone."""
        for reported in self._followed_by_loads():
            if reported.unit and set(outputs.values()) <= set(reported.signals):
                return reported.unit
        return ""

    def _followed_by_loads(self) -> list[Reported]:
        found = []
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
                case Sprung() | Motor():
                    turning = isinstance(load, TorsionSpring | Motor)
                    found.append(Reported(load.name, "N m" if turning else "N", (signals[-1],)))
                case Bushing():
                    pass  # a part of what its springs do
                case MarkerForce(force=force):
                    for unit, part in (("N", laws[: len(force)]), ("N m", laws[len(force) :])):
                        own = {"xyz"[i]: law.signal for i, law in enumerate(part) if isinstance(law, SignalLaw)}
                        name = load.name if unit == "N" else f"{load.name} moment"
                        if own:
                            found.append(Reported(name, unit, tuple(own.values()), tuple(own)))
                case _:
                    found.append(Reported(load.name, "", (*signals,)))
        return found

    @property
    def has_memory(self) -> bool:
        """Whether controllers or friction have states or held values, those of inputs and jumps apart."""
        held = self.tables.initial_held.size - len(self.inputs) - 2 * len(self.jumps)
        return bool(self.tables.initial_states.size or held)

    def _require_no_memory(self) -> None:
        """Refuse signals that are known in a motion in time only."""
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
        if any(signal.kind in (Kind.NORMAL, Kind.GAP) for signal in self.signals):
            raise AnalysisError(
                "a contact is known in a motion in time only; take a transient analysis, or leave its sensor out"
            )

    @cached_property
    def follows_reactions(self) -> bool:
        """Whether a force follows the reactions of the same instant."""
        reads: list[bool] = []
        for signal in self.signals:
            reads.append(signal.kind is Kind.REACTION or any(reads[i] for i in signal.inputs))
        laws = (law for laws in self.followed.values() for law in laws)
        return any(reads[law.signal] for law in laws if isinstance(law, SignalLaw))

    def values(self, times: Array, coordinates: Array, rates: Array, reactions: Array | None = None) -> Array:
        """All signals at many instants from measured coordinates and rates (T, coordinates): (T, signals).

        Forces that follow reactions want these: (T, reactions).
        """
        self._require_no_memory()
        if self.follows_reactions and reactions is None:
            raise AnalysisError(
                "a force follows the reaction of a joint, which is found with it in a motion or its inverse "
                "dynamics only; take a transient analysis, or give friction a limit"
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
                case Kind.HELD if signal.source < len(self.inputs):  # the others are those of jumps, see below
                    out[:, k] = self.inputs[signal.source].value
                case Kind.LINEAR:
                    out[:, k] = signal.constant + sum(c * x for c, x in zip(signal.factors, given, strict=True))
                case Kind.LAW:
                    out[:, k] = _law_values(self.laws[signal.source], given)
                case Kind.REACTION if reactions is not None:
                    out[:, k] = reactions[:, signal.source]
                case Kind.FORCE:
                    out[:, k] = self.elements[signal.source].force(*given)
                case Kind.JUMP:
                    out[:, k] = jump_values(self.jumps[signal.source].kind, given[0])
        return out


def _law_values(law: TimeLaw, inputs: Sequence[Array]) -> Array:
    match law:
        case StateLaw():
            return law.evaluate(*inputs)
        case Formula():
            return law(*inputs)
    return law.jet(inputs[0])[0]


def signal_network(
    system: System,
    elements: Sequence[CoordinateForce] = (),
    owners: Sequence[str] = (),
    observed: Sequence[str] = (),
) -> SignalNetwork:
    """The signals that the loads of a system follow, those of its controllers, and what its events look at.

    `elements` are the forces along coordinates and `owners` those of the constraints, in the order of the core.
    `observed` are names that become signals whether a formula reads them or not.
    """
    builder = SignalBuilder(system, elements, owners)
    outputs = builder.connections.all_outputs()
    for load in system.loads:
        builder.follow(load)
    for element in elements:
        if isinstance(element, Pull):
            builder.followed[element.name] = (SignalLaw(_pull(builder, element)),)
    load_forces = _load_forces(builder)
    seen = {name: builder.named(name, instants=True) for name in observed}
    locks = _locks(builder)
    found = (*(_watched(builder, event) for event in system.events), *locks.values())
    found = (*found, *_passing_jumps(builder), *_impacts(system, len(builder.signals)))
    samplings = (*(Sampling(*key, tuple(pairs)) for key, pairs in builder.samplings.items()), *builder.functions)
    return SignalNetwork(
        tables=_tables(builder, samplings, found),
        signals=tuple(builder.signals),
        laws=tuple(builder.laws),
        coordinates=tuple(builder.coordinates),
        samplings=samplings,
        events=found,
        outputs=outputs,
        followed=builder.followed,
        bristles=builder.bristles,
        loads=tuple(system.loads),
        units={each.name: getattr(each, "unit", "") for each in system.controllers},
        elements=tuple(elements),
        load_forces=load_forces,
        locks=tuple(locks),
        inputs=tuple(system.inputs),
        jumps=tuple(builder.jumps),
        observed=seen,
        state_owners=tuple(builder.state_owners),
    )


def _passing_jumps(builder: SignalBuilder) -> list[SignalEvent]:
    """Where what jumps in formulas leaves its side."""
    names = [f"{jump.text} of {jump.owner}" if jump.owner else jump.text for jump in builder.jumps]
    return [
        SignalEvent(name, jump.signal, "falling", jump=number)
        for number, (name, jump) in enumerate(zip(names, builder.jumps, strict=True))
    ]


def _load_forces(builder: SignalBuilder) -> dict[str, tuple[int, ...]]:
    """Signals of the loads that sensors of the system measure, whether a formula reads them or not."""
    found = {}
    for name, sensor in builder.system.sensors.items():
        if isinstance(sensor, LoadSensor):
            parts = sensor.measured(name, builder.system).values()
            found[sensor.load] = tuple(builder.measured(part) for part in parts)
    return found


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


_NONE = (0.0, 0.0, 0.0)
_ABOVE_ZERO = 1e-300  # beyond which a lock closes: a switch that is zero leaves it open


def _friction(builder: SignalBuilder, load: Friction) -> tuple[int, int | None] | None:
    """The signal of friction that sticks or follows a formula, and the number of its state."""
    bristles = load.bristles
    if bristles is None and load.changing is None:
        return None
    v = builder.coordinate(MeasuredCoordinate(load.name, load.first, load.second, load.coordinate(), rate=True))
    limits = [builder.input(law) for law in load.changing or ()]
    if isinstance(load, FrictionInJoint) and load.pressed is not None:
        limits = _pressed_limits(builder, load, load.pressed, limits)
    if bristles is None:
        law = Formula.parse("-fc*tanh(v/smoothing)", ("v", "fc"), {"smoothing": load.smoothing})
        return builder.formula(law, [v, limits[0]]), None
    z = builder.state()
    rate = builder.formula(bristles.rate(), [v, builder.formula(bristles.bent(), [v, z, *limits])])
    builder.derive(z, rate)
    return builder.formula(bristles.force(), [v, z, rate, *limits[1:]]), builder.signals[z].source


def _pull(builder: SignalBuilder, pull: Pull) -> int:
    """The force of a transmission beside its own coordinate."""
    if pull.law.variables != ("force",):
        return builder.formula(pull.law, _stretch(builder, pull.joint, pull.coupled))
    flanks = [
        (each.side, builder.element_force(number, _stretch(builder, pull.joint, each.coupled)))
        for number, each in enumerate(builder.elements)
        if isinstance(each, FlankForce) and each.name == pull.joint
    ]
    carried = builder.linear(flanks) if flanks else builder.measured(MeasuredReaction(pull.name, pull.joint))
    return builder.formula(pull.law, [carried])


def _stretch(builder: SignalBuilder, joint: str, coupled: Coupled) -> list[int]:
    """s − f(r) of an elastic transmission, and its rate."""
    law = coupled.law
    assert isinstance(law, Proportional), "gears, racks and belts have one"
    found = []
    for rate in (False, True):
        follower, leader = (
            builder.coordinate(MeasuredCoordinate(joint, side.first, side.second, side.coordinate, rate=rate))
            for side in coupled.sides
        )
        found.append(builder.linear([(1.0, follower), (-law.slope, leader)], 0.0 if rate else -law.offset))
    if isinstance(coupled.follower.coordinate, Rotation):  # whose whole turns do not stretch anything
        found[0] = builder.formula(Formula.parse("mod(s + pi, 2*pi) - pi", ("s",)), found[:1])
    return found


def _pressed_limits(
    builder: SignalBuilder, load: FrictionInJoint, pressed: Pressed, limits: Sequence[int]
) -> list[int]:
    """Limits of sliding and of sticking with what the reaction of the joint adds to them."""
    assert load.axis is not None, "a joint has one"
    a = tuple(unit(load.axis, "axis").tolist())
    u, v = two_normals(load.axis)
    parts = {
        "fu": (u, _NONE),
        "fv": (v, _NONE),
        "fa": (a, _NONE),
        "mu": (_NONE, u),
        "mv": (_NONE, v),
        "ma": (_NONE, a),
    }
    axes = builder.system.frame(load.first, load.name)[1].axes  # of the marker, in its body
    law, signals = pressed.force(), []
    for name in law.variables:
        direction = np.concatenate([axes @ np.array(part) for part in parts[name]])
        what = MeasuredReaction(load.name, load.joint, 0, tuple(direction.tolist()), in_first=True)
        signals.append(builder.measured(what))
    force = builder.formula(law, signals)
    product = Formula.parse("limit + coefficient*force", ("limit", "coefficient", "force"))
    return [
        builder.formula(product, [limit, builder.input(coefficient), force])
        for limit, coefficient in zip(limits, pressed.laws, strict=True)
    ]


def _watched(builder: SignalBuilder, event: Event) -> SignalEvent:
    with at_part("events", event.name):
        held = [(builder.signals[builder.named(name)].source, float(value)) for name, value in event.set.items()]
        signal = builder.input(event.when, instants=True)
        return SignalEvent(event.name, signal, event.passage, event.stop, tuple(held))


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
        reactions=_whole(
            [(first, rows, direction is not None, turns) for first, rows, turns, direction in builder.reactions]
        ).reshape(-1, 4),
        reaction_directions=_real([direction or (0.0,) * 6 for *_, direction in builder.reactions]).reshape(-1, 6),
        jumps=_whole([(jump.kind, jump.signal, jump.held) for jump in builder.jumps]).reshape(-1, 3),
    )


def _whole(values: Sequence[Any]) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    return np.array(values, dtype=np.int64)


def _real(values: Sequence[Any]) -> Array:
    return np.array(values, dtype=float)
