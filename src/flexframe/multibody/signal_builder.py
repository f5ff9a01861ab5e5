"""Signals of a system, made from what its loads, controllers and sensors follow."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike

from flexframe.assembly.discrete import discretise
from flexframe.errors import InputError, at_part
from flexframe.maths.arrays import Array
from flexframe.maths.formula import Formula, Jump, without_jumps
from flexframe.model.body import Body
from flexframe.model.characteristics import Sprung, scales
from flexframe.model.constraints import (
    Along,
    Direction,
    Displacement,
    Fixed,
    Law,
    StateLaw,
    TimeLaw,
    follows_state,
    state_law,
    two_normals,
    unit,
)
from flexframe.model.controllers.contract import Connections, reads_fresh
from flexframe.model.elasticity import Bushing, RowSpring
from flexframe.model.friction import Friction, FrictionInJoint
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
from flexframe.model.system import System, part_of, unknown
from flexframe.model.system_loads import BodyLoads, CoordinateForce, Motor, SystemLoad, TorsionSpring, laws_of
from flexframe.multibody.signals import Kind, Sampling, Signal, SignalJump, SignalLaw
from flexframe.reduction.loads import reduced_loads

_NONE = (0.0, 0.0, 0.0)
_PRODUCT = Formula.parse("a*b", ("a", "b"))


@dataclass(eq=False)
class SignalBuilder:
    """Makes the signals of a system, each once."""

    system: System
    elements: Sequence[CoordinateForce] = ()  # forces along coordinates, by their numbers in the core
    owners: Sequence[str] = ()  # of the constraints
    signals: list[Signal] = field(default_factory=list)
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
        self._inputs = {each.name: self.hold(each.value) for each in self.system.inputs}  # the first held values

    # --- what signals are made of ---------------------------------------------------------------------------

    def number(self, value: float) -> int:
        """A constant."""
        return self._add(Signal(Kind.NUMBER, constant=float(value)))

    def time(self) -> int:
        """The time [s]."""
        return self._add(Signal(Kind.TIME))

    def coordinate(self, measured: MeasuredCoordinate) -> int:
        """A measured coordinate or its rate."""
        plain = MeasuredCoordinate(measured.name, measured.first, measured.second, measured.coordinate)
        if plain not in self.coordinates:
            self.coordinates.append(plain)
        return self._add(Signal(Kind.RATE if measured.rate else Kind.COORDINATE, self.coordinates.index(plain)))

    def state(self, initial: float = 0.0) -> int:
        """A state of a block; `derive` says what its rate is."""
        self.initial_states.append(float(initial))
        self.state_owners.append(self.connections.at_work)
        return self._add(Signal(Kind.STATE, len(self.initial_states) - 1))

    def derive(self, state: int, rate: int) -> None:
        """The rate of a state is a signal."""
        assert self.signals[state].kind is Kind.STATE
        self.derivatives[self.signals[state].source] = rate

    def hold(self, initial: float = 0.0) -> int:
        """A value that is constant between sampling instants; `sample` says what it takes."""
        self.initial_held.append(float(initial))
        return self._add(Signal(Kind.HELD, len(self.initial_held) - 1))

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
        return self._add(Signal(Kind.LINEAR, 0, float(constant), inputs, factors))

    def formula(self, law: TimeLaw, inputs: Sequence[int]) -> int:
        """A formula, table or function of signals, one for each of its variables, or a law of the first one."""
        number = next((k for k, known in enumerate(self.laws) if known is law or known == law), len(self.laws))
        if number == len(self.laws):
            self.laws.append(law)
        return self._add(Signal(Kind.LAW, number, 0.0, tuple(inputs), (0.0,) * len(inputs)))

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
            return self.find(found.name, sampling, instants=instants)
        signals = [
            self.time() if name == "t" else self.find(name, sampling, instants=instants)
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
            own[name] if name in own else self.time() if name == "t" else self.find(name) for name in law.variables
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
        held, _ = (self.signals[self.hold()].source for _ in range(2))
        signal = self._add(Signal(Kind.JUMP, number, 0.0, (argument,), (0.0,)))
        self.jumps.append(SignalJump(jump.text, owner, jump.kind, signal, held))
        return signal

    def dimension(self, law: Law) -> tuple[int, int, int] | None:
        """Powers of m, kg and s of a sensor that a law names alone; None where that is not known."""
        return dimension_of_law(law, self.connections, self.system.measured)

    def find(self, name: str, sampling: tuple[float, float] | None = None, *, instants: bool = False) -> int:
        """The signal of a sensor, controller or input, or of a component as `tip.x`."""
        whole, _, component = name.partition(".")
        if whole not in self.connections:
            return self.measure(self.system.measured(name, instants=instants or sampling is not None))
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

    def measure(self, what: Measured) -> int:
        """A coordinate or its rate, or a force."""
        match what:
            case MeasuredCoordinate():
                return self.coordinate(what)
            case MeasuredLoad(load=load, component=component):
                return self.load_force(load, component)
            case MeasuredContact(contact=contact, quantity=quantity):
                names = [each.name for each in self.system.all_contacts]
                kind = Kind.NORMAL if quantity == "force" else Kind.GAP
                return self._add(Signal(kind, names.index(contact)))
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
        return self._add(Signal(Kind.FORCE, element, 0.0, tuple(inputs), (0.0, 0.0)))

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
        return self._add(Signal(Kind.REACTION, self.reactions.index(one)))

    def _add(self, signal: Signal) -> int:
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
    rate = builder.formula(bristles.rate(), [v, builder.formula(bristles.deflection(), [v, z, *limits])])
    builder.derive(z, rate)
    return builder.formula(bristles.force(), [v, z, rate, *limits[1:]]), builder.signals[z].source


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
        signals.append(builder.measure(what))
    force = builder.formula(law, signals)
    product = Formula.parse("limit + coefficient*force", ("limit", "coefficient", "force"))
    return [
        builder.formula(product, [limit, builder.input(coefficient), force])
        for limit, coefficient in zip(limits, pressed.laws, strict=True)
    ]
