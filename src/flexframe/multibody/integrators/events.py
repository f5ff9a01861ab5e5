"""What happens at certain instants of a motion: held values are sampled, signals pass zero."""

from collections.abc import Mapping, Sequence

import numpy as np

from flexframe import _core
from flexframe.errors import AnalysisError, InputError
from flexframe.multibody.contract import DynamicSystem, Occurrence
from flexframe.multibody.equations import no_inertia
from flexframe.multibody.signals import Sampling, SignalEvent

_MOST_INSTANTS = 10_000_000


def sampling_instants(
    samplings: Sequence[Sampling], begin: float, end: float, *, resumed: bool
) -> Mapping[float, int]:
    """Instants from begin to end at which groups are sampled, one bit for each group, in order.

    A motion that is resumed has sampled at its begin already. Instants of different groups that are equal but for
    rounding are one.
    """
    found: dict[float, int] = {}
    for group, sampling in enumerate(samplings):
        first = int(np.ceil((begin - sampling.offset) / sampling.period - 1e-9))
        last = int(np.floor((end - sampling.offset) / sampling.period + 1e-9))
        if last - first > _MOST_INSTANTS:
            raise InputError(f"{last - first:.2g} sampling instants are too many; take a longer period")
        for k in range(max(first, 0), last + 1):
            instant = float(f"{sampling.offset + k * sampling.period:.12e}")
            found[instant] = found.get(instant, 0) | 1 << group
    return {t: found[t] for t in sorted(found) if t > begin or (t == begin and not resumed)}


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
