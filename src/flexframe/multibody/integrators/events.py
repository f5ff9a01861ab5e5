"""What happens at certain instants of a motion: held values are sampled, signals pass zero."""

from collections.abc import Mapping, Sequence

import numpy as np

from flexframe import _core
from flexframe.errors import AnalysisError, InputError
from flexframe.maths.arrays import Array
from flexframe.multibody.contract import DynamicState, DynamicSystem, Occurrence
from flexframe.multibody.equations import no_inertia
from flexframe.multibody.places import place_of
from flexframe.multibody.signals import FunctionSampling, Sampling, SignalEvent

_MOST_INSTANTS = 10_000_000


def sampling_instants(
    samplings: Sequence[Sampling | FunctionSampling], begin: float, times: Array, *, resumed: bool
) -> Mapping[float, int]:
    """Instants from a begin to the last of some times at which groups are sampled; one bit for each group.

    A motion that is resumed has sampled at its begin already. Instants of different groups, and of the times, that
    are equal but for rounding are one.
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
    return {t: found[t] for t in sorted(found) if t > begin or (t == begin and not resumed)}


def _nearest(times: Array, instant: float, close: float) -> float:
    """The time next to an instant where it is close to it, else the instant."""
    after = int(np.searchsorted(times, instant))
    near = min(times[max(after - 1, 0) : after + 1], key=lambda time: abs(time - instant))
    return float(near) if abs(near - instant) <= close else instant


def happen(
    system: DynamicSystem, run: _core.GeneralisedAlpha, event: SignalEvent, time: float, step: float
) -> Occurrence:
    """Do what an event asks for; the motion is where it happens."""
    if event.coordinate >= 0:
        found, impulse, lost, speed = run.impact(event.coordinate, event.restitution, time, step)
        if not found:
            raise AnalysisError(f"{event.name}: {no_inertia(system)}")
        return Occurrence(event.name, time, speed=speed, impulse=impulse, lost=lost)
    for number, value in event.held:
        if not run.hold(number, value, time, step):
            raise AnalysisError(f"{event.name}: {no_inertia(system)}")
    return Occurrence(event.name, time, ends=event.stop)


def call_functions(
    system: DynamicSystem, run: _core.GeneralisedAlpha, state: DynamicState, called: int, step: float
) -> None:
    """Hold what functions of Python return at the state of a run; `called` has one bit for each of them."""
    evaluation, place = _core.Evaluation(system.compiled), place_of(system, state)
    evaluation.evaluate(place, state.time, np.zeros(system.size), np.zeros(system.rows), False)
    signals = evaluation.signals()
    for number, each in enumerate(system.network.functions):
        if not called >> number & 1:
            continue
        found = each.function(state.time, *(float(signals[k]) for k in each.inputs))
        values = np.atleast_1d(np.asarray(found, dtype=float))
        if values.shape != (len(each.held),) or not np.isfinite(values).all():
            raise AnalysisError(
                f"{each.name} returned {found!r} at t = {state.time:g} s; return {len(each.held)} finite numbers"
            )
        for held, value in zip(each.held, values, strict=True):
            if not run.hold(held, float(value), state.time, step):
                raise AnalysisError(f"{each.name}: {no_inertia(system)}")
