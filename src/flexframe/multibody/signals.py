"""Signals: numbers that follow from the state, which loads and controllers read.

Each signal is found from earlier ones: the time, measured coordinates and their rates, inputs, states and held
values of controllers, sums, formulas, tables and functions, and forces. `core/include/flexframe/signals.hpp`
evaluates them in a motion.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from flexframe.errors import AnalysisError
from flexframe.maths.arrays import Array
from flexframe.maths.formula import Formula, JumpKind, jump_values
from flexframe.model.characteristics import Sprung
from flexframe.model.constraints import StateLaw, TimeLaw
from flexframe.model.elasticity import Bushing
from flexframe.model.events import Input, Passage
from flexframe.model.friction import Friction
from flexframe.model.measured import MeasuredCoordinate
from flexframe.model.state_laws import StateForce
from flexframe.model.system_loads import (
    Actuator,
    CoordinateForce,
    MarkerForce,
    Motor,
    SystemLoad,
    TorsionSpring,
)
from flexframe.model.transmissions.contract import Pull
from flexframe.multibody.tables import SignalTables


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
class Signal:
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
    signals: tuple[Signal, ...]
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
