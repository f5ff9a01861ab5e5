"""What happens along the steps of a motion: events, sampling, what passes given values, the balance of energy."""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from scipy.interpolate import BarycentricInterpolator
from scipy.optimize import brentq

from flexframe.errors import AnalysisError, InputError
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import rotation_from_quaternion
from flexframe.model.system import MOST_INSTANTS
from flexframe.multibody.constraints import ConstraintSet
from flexframe.multibody.contract import ENERGIES, DynamicState, DynamicSystem, Occurrence, Simulation
from flexframe.multibody.equations import no_inertia
from flexframe.multibody.histories import configuration_of
from flexframe.multibody.signals import Sampling
from flexframe.multibody.states import Configuration, array_poses


@dataclass(frozen=True)
class Instants:
    """Instants at which groups of held values are sampled, in order, one bit for each group."""

    groups: Mapping[float, int] = field(default_factory=dict)
    functions: int = 0  # the groups whose values come from functions of Python

    @staticmethod
    def of(
        samplings: Sequence[Sampling], begin: float, times: Array, *, resumed: bool, ahead: int = 0
    ) -> "Instants":
        """Those from begin to the last of some times; a motion that is resumed has sampled at its begin already.

        Instants of several groups, or of groups and times, that are equal but for rounding are one. So many of
        each group `ahead` of the last time are among them.
        """
        end = float(times[-1])
        found: dict[float, int] = {}
        for group, sampling in enumerate(samplings):
            first = int(np.ceil((begin - sampling.offset) / sampling.period - 1e-9))
            last = int(np.floor((end - sampling.offset) / sampling.period + 1e-9))
            if last - first > MOST_INSTANTS:
                raise InputError(f"{last - first:.2g} sampling instants are too many; take a longer period")
            for k in range(max(first, 0), last + 1 + ahead):
                exact = float(f"{sampling.offset + k * sampling.period:.12e}")
                instant = _nearest(times, exact, 1e-9 * sampling.period)
                found[instant] = found.get(instant, 0) | 1 << group
        kept = {t: found[t] for t in sorted(found) if t > begin or (t == begin and not resumed)}
        functions = sum(1 << group for group, each in enumerate(samplings) if each.function is not None)
        return Instants(kept, functions)


def _nearest(times: Array, instant: float, close: float) -> float:
    """The time next to an instant where it is close to it, else the instant."""
    after = int(np.searchsorted(times, instant))
    near = min(times[max(after - 1, 0) : after + 1], key=lambda time: abs(time - instant))
    return float(near) if abs(near - instant) <= close else instant


class Holding(Protocol):
    """Where a motion is at an instant at which held values jump."""

    def signals(self) -> Sequence[float]:
        """Values of all signals."""
        ...

    def hold(self, number: int, value: float) -> bool:
        """Set a held value; false where a free motion has no inertia."""
        ...


class Place(Holding, Protocol):
    """Where a motion is at an instant at which something jumps."""

    def impact(
        self, touch: int, restitution: float, friction: float, least_speed: float
    ) -> tuple[bool, float, float, float, bool]:
        """Throw the shapes of a touch back: whether it can be, impulse, lost energy, old speed, rest from now."""
        ...

    def rests(self, touch: int) -> bool:
        """Whether the shapes of a touch rest on each other."""
        ...

    def rests_elsewhere(self, touch: int) -> bool:
        """Whether a shape meets a curve at one place while it rests at another: these change their order."""
        ...

    def release(self, touch: int) -> bool:
        """Part shapes that rest; false where a free motion has no inertia."""
        ...

    def lock(self, held: int) -> tuple[bool, bool, float, float, float]:
        """Close or open a lock: whether it can be, whether it is closed, impulse, lost energy, old speed."""
        ...

    def switch_side(self, jump: int) -> bool:
        """What jumps in a formula leaves its side; false where a free motion has no inertia."""
        ...


def call_functions(system: DynamicSystem, place: Holding, groups: int, time: float) -> None:
    """Hold what functions of Python give at an instant."""
    signals = place.signals()
    for group, sampling in enumerate(system.network.samplings):
        if not groups >> group & 1 or sampling.function is None:
            continue
        given = np.ravel(sampling.function(time, *(float(signals[signal]) for signal in sampling.inputs)))
        if len(given) != len(sampling.outputs) or not np.isfinite(given).all():
            raise AnalysisError(
                f"controller {sampling.name} gives {given} at t = {time:g} s; its function must give "
                f"{len(sampling.outputs)} finite number(s)"
            )
        for held, value in zip(sampling.outputs, given, strict=True):
            if not place.hold(held, float(value)):
                raise AnalysisError(f"controller {sampling.name}: {no_inertia(system)}")


def locked_at_start(system: DynamicSystem, place: Place, time: float) -> list[Occurrence]:
    """Close the locks that are closed where a motion starts."""
    locks = [number for number, event in enumerate(system.network.events) if event.lock >= 0]
    if not locks:
        return []
    values = list(place.signals())
    closed = [number for number in locks if values[system.network.events[number].signal] > 0]
    return [happen(system, place, number, time) for number in closed]


def _meet_or_part(system: DynamicSystem, place: Place, number: int, time: float) -> Occurrence:
    """Throw shapes of an impulsive contact back, which may come to rest; or part those that rest."""
    event = system.network.events[number]
    if place.rests(event.touch):
        if not place.release(event.touch):
            raise AnalysisError(f"{event.name}: {no_inertia(system)}")
        return Occurrence(event.name, number, time, turning=event.turning, rests=0)
    if place.rests_elsewhere(event.touch):
        return Occurrence(event.name, number, time, ends=True, rests=1)
    found, impulse, lost, speed, rests = place.impact(
        event.touch, event.restitution, event.friction, event.least_speed
    )
    if not found:
        raise AnalysisError(f"{event.name}: {no_inertia(system)}")
    return Occurrence(event.name, number, time, False, speed, impulse, lost, event.turning, 1 if rests else None)


def happen(system: DynamicSystem, place: Place, number: int, time: float) -> Occurrence:
    """Do what an event asks for; the motion is where it happens."""
    event = system.network.events[number]
    if event.touch >= 0:
        return _meet_or_part(system, place, number, time)
    if event.jump >= 0:
        if not place.switch_side(event.jump):
            raise AnalysisError(f"{event.name}: {no_inertia(system)}")
        return Occurrence(event.name, number, time)
    if event.lock >= 0:
        found, closed, impulse, lost, speed = place.lock(event.lock)
        if not found:
            raise AnalysisError(f"{event.name}: {no_inertia(system)}")
        if not closed or speed == 0.0:  # one that closes on a joint at rest is no impact
            return Occurrence(event.name, number, time, closes=float(closed))
        return Occurrence(event.name, number, time, False, speed, impulse, lost, event.turning, closes=1.0)
    for held, value in event.held:
        if not place.hold(held, value):
            raise AnalysisError(f"{event.name}: {no_inertia(system)}")
    return Occurrence(event.name, number, time, ends=event.stop)


MOST_AT_ONCE = 1000
MOST_EVENTS = 5e6
"""So many events after each other at a pace that would make so many in a motion are a chain without an end."""


@dataclass(eq=False)
class Happenings:
    """What has happened in a motion of some duration [s]: events, and passages of formulas that jump."""

    system: DynamicSystem
    duration: float
    events: list[Occurrence] = field(default_factory=list)
    _last: deque[Occurrence] = field(default_factory=lambda: deque(maxlen=MOST_AT_ONCE))

    def add(self, happened: Occurrence) -> None:
        """One more; a chain without an end, as a relay without a band makes it, is refused."""
        self._last.append(happened)
        if self.system.network.events[happened.number].jump < 0:
            self.events.append(happened)
        if len(self._last) == MOST_AT_ONCE:
            self._require_progress()

    def _require_progress(self) -> None:
        last, passed = list(self._last), self._last[-1].time - self._last[0].time
        if passed * MOST_EVENTS >= MOST_AT_ONCE * self.duration:
            return
        names = ", ".join(dict.fromkeys(happened.name for happened in last))
        remedy = "leave a band between what switches on and what switches off"
        if all(happened.speed is not None or happened.rests is not None for happened in last):
            remedy = "take contacts with a stiffness there, or a larger least_speed"
        elif any(self.system.network.events[happened.number].jump >= 0 for happened in last):
            remedy = "write tanh(…) with a width in the place of a sign, or leave a band between two events"
        raise AnalysisError(
            f"{MOST_AT_ONCE} events within {passed:.3g} s at t = {last[-1].time:.6g} s are a chain without an end "
            f"({names}); {remedy}"
        )


def reason_to_end(happened: Occurrence) -> str | None:
    """Why a motion cannot go on after something happened; None where that was asked for, or it can."""
    if not (happened.ends and happened.rests):
        return None
    return (
        f"the shape of contact {happened.name} rests at one place of its curve and meets it at another; end the "
        "motion before, or take a law with a stiffness for what follows"
    )


@dataclass(eq=False)
class EnergyWatch:
    """Extremes of the energies at the ends of steps up to an end, and of stored energy less work."""

    end: float
    _least: Array = field(default_factory=lambda: np.full(len(ENERGIES) + 1, np.inf))
    _most: Array = field(default_factory=lambda: np.full(len(ENERGIES) + 1, -np.inf))

    def take(self, block: Simulation) -> None:
        """Some steps, each given by its end and its middle; samples, whose times increase, are left out."""
        ends = np.flatnonzero((np.diff(block.times) < 0) & (block.times[:-1] <= self.end))
        if len(ends):
            values = _with_balance(block)[ends]
            self._least = np.minimum(self._least, values.min(axis=0))
            self._most = np.maximum(self._most, values.max(axis=0))

    @property
    def key(self) -> str:
        """What the extremes belong to."""
        return repr(self.end)

    def arrays(self) -> dict[str, Array]:
        """The extremes, as copies."""
        return {"least": self._least.copy(), "most": self._most.copy()}

    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Go on from such extremes."""
        self._least, self._most = arrays["least"], arrays["most"]

    def drift(self, run: Simulation) -> float:
        """Largest change of the balance since the start of a motion, relative to the largest energy involved."""
        start = _with_balance(run)[0]
        changes = np.maximum(np.maximum(self._most, start) - start, start - np.minimum(self._least, start))
        largest = max(float(changes[:-1].max()), float(self._most[0]), float(start[0]))
        return float(changes[-1]) / largest if largest else 0.0


def _with_balance(run: Simulation) -> Array:
    """Energies, and in a last column stored energy less work: (T, 9)."""
    return np.column_stack([run.energies, run.energy_balance])


Motion = Callable[[Array, Callable[[Simulation], None] | None], Simulation]
"""The motion from its start at given times, always by the same steps, which an observer is shown."""

_NODES = 0.5 - 0.5 * np.cos(np.linspace(0.0, np.pi, 17))
"""Chebyshev's, of half a step: far more than the degree of any interpolation."""


@dataclass(frozen=True)
class _Between:
    """A coordinate passes its value between two times of one step."""

    row: int
    before: float
    after: float


class _PassedError(Exception):
    """Enough is seen."""


@dataclass(eq=False)
class _Search:
    """Looks at ends and middles of steps for changes of sign."""

    coordinates: ConstraintSet
    end: float
    once: bool
    last: tuple[float, Array]  # time and gaps
    found: list[_Between] = field(default_factory=list)

    def take(self, block: Simulation) -> None:
        """Some steps, each given by its end and its middle; samples, whose times increase, are left out."""
        if (np.diff(block.times) > 0).all():
            return
        order, gaps = np.argsort(block.times), _gaps(self.coordinates, configuration_of(block), block.times)
        times = np.append(self.last[0], block.times[order])
        gaps = np.concatenate([self.last[1][None], gaps[order]])
        round_the_back = self.coordinates.turns & (np.abs(gaps[:-1] - gaps[1:]) > np.pi)  # of an angle
        changes = (gaps[:-1] * gaps[1:] < 0) & ~round_the_back
        here = [
            _Between(int(row), float(times[k]), float(times[k + 1]))
            for k, row in zip(*np.nonzero(changes), strict=True)
            if times[k] < self.end
        ]
        self.found += here
        self.last = float(times[-1]), gaps[-1]
        if here and self.once:
            raise _PassedError


def passages(
    motion: Motion,
    start: DynamicState,
    end: float,
    coordinates: ConstraintSet,
    *,
    planar: bool,
    once: bool = False,
) -> tuple[tuple[str, float], ...]:
    """Names of the coordinates and times at which they pass their values, in order; `once` looks for the first."""
    span = np.array([start.time, end])
    here = array_poses(
        start.positions[None],
        rotation_from_quaternion(start.quaternions)[None],
        start.angles[None] if planar else None,
    )
    search = _Search(coordinates, end, once, (start.time, _gaps(coordinates, here, span[:1])[0]))
    with suppress(_PassedError):
        motion(span, search.take)
    if not search.found:
        return ()
    nodes = [between.before + (between.after - between.before) * _NODES for between in search.found]
    instants = np.unique(np.concatenate([span[:1], *nodes]))
    found = []
    again = motion(instants, None)
    gaps = _gaps(coordinates, configuration_of(again), again.times)
    for between, own in zip(search.found, nodes, strict=True):
        values = gaps[np.searchsorted(again.times, own), between.row]
        found.append((coordinates.owners[between.row], _root(own, values)))
    happened = sorted((event for event in found if event[1] <= end), key=lambda event: event[1])
    return tuple(happened[:1] if once else happened)


def _root(nodes: Array, values: Array) -> float:
    """Where the polynomial through values at nodes is zero; the nearer end where rounding hides that."""
    if values[0] * values[-1] >= 0:
        return float(nodes[0] if abs(values[0]) < abs(values[-1]) else nodes[-1])
    polynomial = BarycentricInterpolator(nodes, values)
    return float(brentq(lambda time: float(polynomial(time)), nodes[0], nodes[-1], xtol=1e-15))


def _gaps(coordinates: ConstraintSet, configuration: Configuration, times: Array) -> Array:
    """Coordinates less their values: (T, coordinates)."""
    return coordinates.residual(coordinates.values(configuration, times)[0], coordinates.targets(times))
