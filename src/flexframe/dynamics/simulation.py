"""Two-way dynamics in one call: from a start to an end by an integrator."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from flexframe.dynamics.conserving import Conserving
from flexframe.dynamics.contract import (
    DynamicState,
    DynamicSystem,
    Integrator,
    Progress,
    Simulation,
    SimulationOptions,
    require_complete,
)
from flexframe.dynamics.embedded_pair import EmbeddedPair
from flexframe.dynamics.equations import tables_at
from flexframe.dynamics.generalised_alpha import GeneralisedAlpha
from flexframe.dynamics.start import consistent_start, initial_state
from flexframe.errors import InputError
from flexframe.maths.arrays import Array

INTEGRATORS: tuple[Integrator, ...] = (GeneralisedAlpha(), EmbeddedPair(), Conserving())
"""Every integrator; adding one is one file and its name here."""

_SAMPLES = 501


def integrator_named(name: str) -> Integrator:
    """The integrator of this name."""
    for integrator in INTEGRATORS:
        if integrator.name == name:
            return integrator
    known = ", ".join(integrator.name for integrator in INTEGRATORS)
    raise InputError(f"unknown integrator '{name}'; known are {known}")


def simulate(
    system: DynamicSystem,
    start: DynamicState | None = None,
    *,
    duration: float | None = None,
    step: float | None = None,
    tolerance: float | None = None,
    integrator: str | Integrator = "generalised_alpha",
    samples: int | ArrayLike | None = None,
    spectral_radius: float = 0.8,
    progress: Progress | None = None,
    checkpoint: Callable[[DynamicState], None] | None = None,
    observe: Callable[[Simulation], None] | None = None,
    partial: bool = False,
) -> Simulation:
    """Integrate the motion from a start, the described one unless another is given.

    `samples` is their number over the duration, or their times, the first being that of the start. A run that is
    continued from the `end` of another (or from a state given to `checkpoint`) with the times that are left
    repeats the uninterrupted run bit by bit. `observe` is called with every step of the integrator, in blocks.
    A run that ends early raises, or with `partial` returns what there is with its reason.
    """
    begun = initial_state(system) if start is None else start
    times = _times(begun.time, duration, samples)
    ready = _with_laws(system, float(times[0]), float(times[-1]))
    if not begun.memory:
        begun = consistent_start(ready, begun)
    chosen = integrator_named(integrator) if isinstance(integrator, str) else integrator
    options = SimulationOptions(step, tolerance, spectral_radius, observe)
    result = chosen.run(ready, begun, times, options, progress, checkpoint)
    return result if partial else require_complete(result)


def _with_laws(system: DynamicSystem, begin: float, end: float) -> DynamicSystem:
    """The system with laws that hold over the run."""

    return replace(system, tables=tables_at(system, begin, end))


def _times(begin: float, duration: float | None, samples: int | ArrayLike | None) -> Array:
    given = _SAMPLES if samples is None else samples
    if isinstance(given, int):
        if duration is None or not (np.isfinite(duration) and duration > 0):
            raise InputError("a simulation needs a duration in seconds, more than zero; give one")
        if given < 2:
            raise InputError(f"{given} samples are too few; give two at least, for the start and the end")
        return begin + np.linspace(0.0, duration, given)
    times = np.array(given, dtype=float)
    if times.ndim != 1 or len(times) < 2 or not np.isfinite(times).all() or (np.diff(times) <= 0).any():
        raise InputError("the times of the samples must increase; sort them, two at least")
    if abs(times[0] - begin) > 1e-9 * max(1.0, abs(begin)):
        raise InputError(
            f"the samples start at {times[0]:g} s but the motion at {begin:g} s; begin with the start"
        )
    if duration is not None and abs(times[-1] - begin - duration) > 1e-9 * duration:
        raise InputError("the samples do not end with the duration; leave one of them out")
    return times
