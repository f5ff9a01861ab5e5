"""A long motion in segments, each kept when it is done, so that an interrupted computation can go on."""

from collections.abc import Callable, Mapping
from dataclasses import astuple, fields, replace
from time import monotonic
from typing import Any, Protocol

import numpy as np

from flexframe.errors import StopRequest
from flexframe.keeping import current_keeper, fingerprint
from flexframe.maths.arrays import Array
from flexframe.multibody.contract import (
    DynamicState,
    DynamicSystem,
    Occurrence,
    Simulation,
    SimulationOptions,
    Statistics,
)
from flexframe.multibody.integrators.recording import HISTORIES
from flexframe.multibody.integrators.simulation import integrate

SEGMENT_SECONDS = 0.5  # of a segment; shorter ones grow, longer ones shrink
EVEN_SEGMENTS = 25  # of integrators that begin afresh with each, whose results must not depend on the clock


class StepWatch(Protocol):
    """Sees every step, and can go on after an interruption."""

    @property
    def key(self) -> str:
        """What the remembered numbers belong to."""
        ...

    def take(self, run: Simulation) -> None:
        """The next steps."""
        ...

    def arrays(self) -> Mapping[str, Array]:
        """Everything that is remembered, as copies."""
        ...

    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Remember such numbers."""
        ...


def run_segments(
    system: DynamicSystem,
    start: DynamicState,
    times: Array,
    options: SimulationOptions,
    *,
    watch: StepWatch | None = None,
    progress: Callable[[float], None] | None = None,
    even: bool = False,
    keeps: bool = True,
    partial: bool = True,
) -> tuple[Simulation, float | None]:
    """The motion at the times, and the time at which an interrupted computation was taken up, if it was.

    Every step is shown to `watch`, where there is one. Finished segments are kept, all but the last one; where a
    request to stop says so, and with `partial`, they are the result. `even` segments are the same on every
    machine, for integrators that do not go on bit by bit; those that cannot go on at all keep nothing.
    """
    keeper = current_keeper() if keeps else None
    if keeper is None:
        return _segment(system, start, times, options, progress, watch), None
    key = f"motion {_fingerprint(system, start, times, options, watch)}"
    kept: dict[str, Array] | None = keeper.find(key)
    done: Simulation | None = None
    resumed = None
    if kept is not None:
        start = DynamicState.from_arrays({name[4:]: v for name, v in kept.items() if name.startswith("end_")})
        resumed = start.time
        if watch is not None:
            watch.restore({name[6:]: v for name, v in kept.items() if name.startswith("watch_")})
    last = len(times) - 1
    count, size = (0 if kept is None else len(kept["times"]) - 1), -(-last // EVEN_SEGMENTS) if even else 1
    try:
        while count < last:
            end, begun = min(count + size, last), monotonic()
            share = _share(progress, count / last, (end - count) / last)
            piece = _segment(system, start, times[count : end + 1], options, share, watch)
            done = _join(kept if done is None else _arrays(done), piece)
            count, start = count + len(piece.times) - 1, piece.end
            if piece.reason is not None or has_ended(piece):
                break
            if count < last:
                seen = {} if watch is None else {f"watch_{n}": v for n, v in watch.arrays().items()}
                keeper.keep(key, _arrays(done) | seen)
            if not even:
                size = _next_size(size, monotonic() - begun)
    except KeyboardInterrupt as request:
        found = _stop(done, keeper.find(key), request, partial=partial)
        keeper.save()
        return found, resumed
    assert done is not None, "the last segment is never kept"
    return done, resumed


def _stop(
    done: Simulation | None, kept: Mapping[str, Array] | None, request: KeyboardInterrupt, *, partial: bool
) -> Simulation:
    """What there is, where a bound asks for it; else the request is raised again, with the time that is kept."""
    if isinstance(request, StopRequest):
        if request.keeps_results and partial and done is not None and done.reason is None:
            request.reached = _reach_text(done.times)
            return replace(done, reason=str(request))
        if kept is not None:
            request.reached = _reach_text(kept["times"])
    raise request


def _reach_text(times: Array) -> str:
    return f"t = {times[-1]:.6g} s"


def _next_size(size: int, seconds: float) -> int:
    """Samples of the next segment after one that took so long."""
    if seconds < SEGMENT_SECONDS:
        return 2 * size
    return max(1, int(size * SEGMENT_SECONDS / seconds)) if seconds > 2 * SEGMENT_SECONDS else size


def _segment(  # noqa: PLR0917
    system: DynamicSystem,
    start: DynamicState,
    times: Array,
    options: SimulationOptions,
    progress: Callable[[float], None] | None,
    watch: StepWatch | None,
) -> Simulation:
    watched = options if watch is None else replace(options, observe=watch.take)
    return integrate(system, watched, start, times=times, progress=progress, partial=True)


def _share(
    progress: Callable[[float], None] | None, before: float, share: float
) -> Callable[[float], None] | None:
    """Tells a part of a segment as a part of the whole."""
    if progress is None:
        return None
    tell = progress
    return lambda fraction: tell(before + share * fraction)


def _arrays(simulation: Simulation) -> dict[str, Array]:
    """A simulation so far as plain arrays."""
    arrays: dict[str, Array] = {name: getattr(simulation, name) for name in HISTORIES}
    arrays["occurrences"] = np.array(
        [[np.nan if part is None else part for part in astuple(each)[1:]] for each in simulation.occurrences],
        dtype=float,
    ).reshape(len(simulation.occurrences), len(fields(Occurrence)) - 1)
    arrays["statistics"] = np.array(
        [getattr(simulation.statistics, f.name) for f in fields(Statistics)], dtype=float
    )
    return arrays | {f"end_{name}": value for name, value in simulation.end.arrays().items()}


def _join(before: dict[str, Array] | None, piece: Simulation) -> Simulation:
    """A segment after those before it, whose last sample is its first."""
    if before is None:
        return piece
    joined: dict[str, Any] = {name: np.concatenate([before[name], getattr(piece, name)[1:]]) for name in HISTORIES}
    figures = zip(fields(Statistics), before["statistics"], strict=True)
    total = {f.name: float(value) + getattr(piece.statistics, f.name) for f, value in figures}
    whole = {name: value if name == "seconds" else round(value) for name, value in total.items()}
    happened = (*_occurrences(piece.system, before["occurrences"]), *piece.occurrences)
    counts: Any = Statistics(**whole)
    return replace(piece, **joined, statistics=counts, occurrences=happened)


def _occurrences(system: DynamicSystem, rows: Array) -> tuple[Occurrence, ...]:
    """Events that happened, from the rows of a file."""
    found = []
    for number, time, ends, *more in rows:
        name = system.network.events[int(number)].name
        speed, impulse, lost, turning, rests, closes = (None if np.isnan(part) else float(part) for part in more)
        impact = (speed, impulse, lost)
        found.append(Occurrence(name, int(number), float(time), bool(ends), *impact, bool(turning), rests, closes))
    return tuple(found)


def has_ended(simulation: Simulation) -> bool:
    """Whether an event ended the motion."""
    return bool(simulation.occurrences) and simulation.occurrences[-1].ends


def _fingerprint(
    system: DynamicSystem, start: DynamicState, times: Array, options: SimulationOptions, watch: StepWatch | None
) -> str:
    """Hash of everything that decides a motion and what is seen of it."""
    seen = None if watch is None else watch.key
    network = (*system.network.samplings, *system.network.events)
    return fingerprint(repr(options), seen, system.tables, network, system.bodies, start.arrays(), times)
