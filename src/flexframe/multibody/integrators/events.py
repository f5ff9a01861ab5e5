"""What happens at certain instants of a motion: held values are sampled, signals pass zero."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from flexframe import _core
from flexframe.errors import AnalysisError, InputError
from flexframe.maths.arrays import Array
from flexframe.multibody.contract import DynamicSystem, Occurrence
from flexframe.multibody.equations import no_inertia
from flexframe.multibody.signals import Sampling

_MOST_INSTANTS = 10_000_000


@dataclass(frozen=True)
class Instants:
    """Instants at which groups of held values are sampled, in order, one bit for each group."""

    groups: Mapping[float, int] = field(default_factory=dict)
    functions: int = 0  # the groups whose values come from functions of Python

    @staticmethod
    def of(samplings: Sequence[Sampling], begin: float, times: Array, *, resumed: bool) -> "Instants":
        """Those from begin to the last of some times; a motion that is resumed has sampled at its begin already.

        Instants of several groups, or of groups and times, that are equal but for rounding are one.
        """
        end = float(times[-1])
        found: dict[float, int] = {}
        for group, sampling in enumerate(samplings):
            first = int(np.ceil((begin - sampling.offset) / sampling.period - 1e-9))
            last = int(np.floor((end - sampling.offset) / sampling.period + 1e-9))
            if last - first > _MOST_INSTANTS:
                raise InputError(f"{last - first:.2g} sampling instants are too many; take a longer period")
            for k in range(max(first, 0), last + 1):
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


def call_functions(
    system: DynamicSystem, run: _core.GeneralisedAlpha, groups: int, time: float, step: float
) -> None:
    """Hold what functions of Python give at an instant."""
    signals = run.signals(time)
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
            if not run.hold(held, float(value), time, step):
                raise AnalysisError(f"controller {sampling.name}: {no_inertia(system)}")


def locked_at_start(
    system: DynamicSystem, run: _core.GeneralisedAlpha, time: float, step: float
) -> list[Occurrence]:
    """Close the locks that are closed where a motion starts."""
    locks = [number for number, event in enumerate(system.network.events) if event.lock >= 0]
    if not locks:
        return []
    values = list(run.signals(time))
    closed = [number for number in locks if values[system.network.events[number].signal] > 0]
    return [happen(system, run, number, time, step) for number in closed]


def happen(
    system: DynamicSystem, run: _core.GeneralisedAlpha, number: int, time: float, step: float
) -> Occurrence:
    """Do what an event asks for; the motion is where it happens."""
    event = system.network.events[number]
    if event.touch >= 0:
        found, impulse, lost, speed = run.impact(event.touch, event.restitution, event.friction, time, step)
        if not found:
            raise AnalysisError(f"{event.name}: {no_inertia(system)}")
        rests = abs(speed) < event.least_speed
        return Occurrence(event.name, number, time, rests, speed, impulse, lost, event.turning)
    if event.lock >= 0:
        found, closed, impulse, lost, speed = run.lock(event.lock, time, step)
        if not found:
            raise AnalysisError(f"{event.name}: {no_inertia(system)}")
        if not closed:
            return Occurrence(event.name, number, time)
        return Occurrence(event.name, number, time, False, speed, impulse, lost, event.turning)
    for held, value in event.held:
        if not run.hold(held, value, time, step):
            raise AnalysisError(f"{event.name}: {no_inertia(system)}")
    return Occurrence(event.name, number, time, ends=event.stop)
