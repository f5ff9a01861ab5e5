"""Instants between those of a record at which something is largest or smallest.

The motion of a mechanism can be had at any time. Where a quantity has a peak among the instants of a record, times
around it are looked at: first a few between the neighbouring instants, then the vertices of parabolas through the
best three. A vertex misses the time of a peak by the square of the distance of the three, and the value by the
square of that.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from flexframe.analyses.transient.record import SensorHistory
from flexframe.maths.arrays import Array
from flexframe.model.body import Body
from flexframe.multibody.inverse_dynamics import JointForce, MechanismForces
from flexframe.multibody.motion import MechanismMotion
from flexframe.results.peaks import peaks_of

_POINTS = 4  # looked at between two instants
_VERTICES = 2  # parabolas one after the other
_CANDIDATES = 3  # local peaks of a quantity that may be the largest
_STILL = 1e-9  # part of its size by which a quantity must change to have a peak


class Seen(NamedTuple):
    """A motion at some times, with its forces and what sensors saw."""

    motion: MechanismMotion
    forces: MechanismForces | None
    sensors: Mapping[str, SensorHistory]


Look = Callable[[Array], Seen]
"""What is seen at increasing times."""


@dataclass(frozen=True, eq=False)
class Between:
    """What was seen between the instants of a record, where something has a peak there.

    `settled` is by how much the last vertices changed a peak, relative to the largest of its quantity, at most.
    """

    seen: Seen
    settled: float


@dataclass(eq=False)
class _Bracket:
    """Times around a peak of one quantity, in their order, with its values there."""

    column: int
    sign: float
    size: float  # largest of the quantity
    times: list[float]
    values: list[float]
    changed: float = field(default=0.0)

    @property
    def best(self) -> int:
        return int(np.argmax(self.values))

    def inner(self) -> list[float]:
        """Even times on both sides of the best."""
        k = self.best
        ends = (self.times[max(k - 1, 0)], self.times[k], self.times[min(k + 1, len(self.times) - 1)])
        share = np.arange(1, _POINTS + 1) / (_POINTS + 1)
        halves = [(low, high) for low, high in pairwise(ends) if high > low]
        return [float(low + part * (high - low)) for low, high in halves for part in share]

    def vertex(self) -> list[float]:
        """Where the parabola through the best and its neighbours has its vertex, if that is inside."""
        k = self.best
        if not 0 < k < len(self.times) - 1:
            return []
        t, y = np.array(self.times[k - 1 : k + 2]), np.array(self.values[k - 1 : k + 2])
        (left, right), (fall, rise) = (t[1] - t[0], t[2] - t[1]), (y[1] - y[0], y[1] - y[2])
        bottom = fall * right + rise * left
        if not bottom > 0:
            return []
        found = float(t[1] + (fall * right**2 - rise * left**2) / (2 * bottom))
        near = 1e-6 * (t[2] - t[0])
        return [found] if min(abs(found - t)) > near and t[0] < found < t[2] else []

    def take(self, times: Array, columns: Array) -> None:
        """Values at further times."""
        before = max(self.values)
        inside = (times > self.times[0]) & (times < self.times[-1]) & ~np.isin(times, self.times)
        both = sorted(
            [
                *zip(self.times, self.values, strict=True),
                *((float(t), float(v)) for t, v in zip(times[inside], self.sign * columns[inside], strict=True)),
            ]
        )
        self.times, self.values = [t for t, _ in both], [v for _, v in both]
        self.changed = (max(self.values) - before) / self.size


def peaks_between(seen: Seen, look: Look) -> Between | None:
    """What there is between the instants, or nothing where the instants have all peaks."""
    times = seen.motion.times
    if len(times) < 3:
        return None
    brackets = list(_brackets(times, seen))
    if not brackets:
        return None
    for number in range(1 + _VERTICES):
        wanted = [time for bracket in brackets for time in (bracket.vertex() if number else bracket.inner())]
        new = np.setdiff1d(wanted, times)
        if not new.size:
            break
        found = _columns(look(new))
        for bracket in brackets:
            bracket.take(new, found[bracket.column].values)
    at = np.setdiff1d([bracket.times[bracket.best] for bracket in brackets], times)
    return Between(look(at), max(bracket.changed for bracket in brackets)) if at.size else None


def with_peaks(
    sensors: Mapping[str, SensorHistory], times: Array, between: Between | None
) -> dict[str, SensorHistory]:
    """Sensors that know their extremes between the instants."""
    if between is None:
        return dict(sensors)
    more = between.seen
    every = np.concatenate([times, more.motion.times])
    return {
        name: replace(s, peaks=peaks_of(every, np.concatenate([s.values, more.sensors[name].values])))
        for name, s in sensors.items()
    }


def joined_forces(forces: MechanismForces, between: Between | None) -> tuple[Array, dict[str, JointForce]]:
    """Times and joint forces of the record, and behind them those between its instants."""
    more = None if between is None else between.seen.forces
    if more is None:
        return forces.motion.times, forces.joints
    joined = {
        name: replace(
            found,
            places=np.concatenate([found.places, more.joints[name].places]),
            force=np.concatenate([found.force, more.joints[name].force]),
            moment=np.concatenate([found.moment, more.joints[name].moment]),
            values=np.concatenate([found.values, more.joints[name].values]),
        )
        for name, found in forces.joints.items()
    }
    return np.concatenate([forces.motion.times, more.motion.times]), joined


class _Column(NamedTuple):
    """A quantity over time, which of its peaks matter (1 the largest, −1 the smallest), and sizes of its kind."""

    values: Array
    signs: tuple[float, ...]
    scale: float


def _columns(seen: Seen) -> list[_Column]:
    """All quantities, in an order that depends on the system alone."""
    found = [_Column(s.values, (1.0, -1.0), 0.0) for s in seen.sensors.values()]
    length = seen.motion.mechanism.length
    joints = [] if seen.forces is None else list(seen.forces.joints.values())
    force = max((_largest(joint.force) for joint in joints), default=0.0)
    moment = max(force * length, max((_largest(joint.moment) for joint in joints), default=0.0))
    for joint in joints:
        found += [_Column(_sizes(joint.force), (1.0,), force), _Column(_sizes(joint.moment), (1.0,), moment)]
        found += [_Column(values, (1.0, -1.0), min(force, moment)) for values in joint.values.T if joint.drive]
    points = list(motions_of_points(seen.motion).values())
    for order in range(3):
        scale = max(length if order == 0 else 0.0, max((_largest(parts[order]) for parts in points), default=0.0))
        for parts in points:
            if order == 0:
                found += [_Column(parts[0][:, i], (1.0, -1.0), scale) for i in range(3)]
            else:
                found.append(_Column(_sizes(parts[order]), (1.0,), scale))
    return found


def _sizes(vectors: Array) -> Array:
    return np.asarray(np.linalg.norm(vectors, axis=1))


def _largest(values: Array) -> float:
    return float(np.abs(values).max(initial=0.0))


def place_names(motion: MechanismMotion) -> tuple[str, ...]:
    """Every named point of the rigid bodies, and those of meshed ones that joints hold."""
    system = motion.mechanism.system
    held = dict.fromkeys(place for joint in system.joints for place in (joint.first, joint.second) if "." in place)
    found: list[str] = []
    for body in system.bodies:
        if isinstance(body, Body):
            found += [place for place in held if place.partition(".")[0] == body.name]
        else:
            found += [f"{body.name}.{point}" for point in body.frames]
    return tuple(found)


def one_of_each(places: Mapping[str, tuple[Array, Array, Array]], near: float) -> dict[str, str]:
    """The first of places that move as one, as the two sides of a pin do, with the names of all of them."""
    named: dict[str, list[str]] = {}
    for name, parts in places.items():
        same = (first for first in named if np.abs(parts[0] - places[first][0]).max(initial=0.0) <= near)
        named.setdefault(next(same, name), []).append(name)
    return {first: ", ".join(names) for first, names in named.items()}


def motions_of_points(motion: MechanismMotion) -> dict[str, tuple[Array, Array, Array]]:
    """Position, velocity and acceleration of every named point, of bodies where none are named: (T, 3) each."""
    names = place_names(motion)
    if names:
        return {name: motion.marker(name) for name in names}
    bodies = [motion.body(name) for name in motion.names]
    return {body.name: (body.positions, body.velocities, body.accelerations) for body in bodies}


def _brackets(times: Array, seen: Seen) -> Iterator[_Bracket]:
    for number, (values, signs, scale) in enumerate(_columns(seen)):
        size = max(_largest(values), scale)
        if not np.isfinite(values).all() or np.ptp(values) <= _STILL * size:
            continue
        for sign in signs:
            for k in _local_peaks(sign * values):
                around = slice(max(k - 1, 0), k + 2)
                yield _Bracket(
                    number, sign, _largest(values), times[around].tolist(), (sign * values[around]).tolist()
                )


def _local_peaks(values: Array) -> list[int]:
    """Instants whose neighbourhood may hold the largest value, the most promising first."""
    padded = np.concatenate([[-np.inf], values, [-np.inf]])
    places = np.flatnonzero((values >= padded[:-2]) & (values >= padded[2:]))
    # a parabola rises above the largest of three even values by at most an eighth of the fall to the smallest
    falls = np.maximum(values - padded[:-2], values - padded[2:])
    reach = values[places] + np.where(np.isfinite(falls[places]), falls[places], 0.0) / 8
    order = places[np.argsort(-reach)][:_CANDIDATES]
    return [int(k) for k, most in zip(order, np.sort(-reach), strict=False) if -most >= values.max()]
