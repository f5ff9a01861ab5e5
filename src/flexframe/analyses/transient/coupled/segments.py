"""A long motion in segments, each kept when it is done, so that an interrupted computation can go on."""

from collections.abc import Callable, Mapping
from dataclasses import astuple, dataclass, field, fields, is_dataclass, replace
from hashlib import sha256
from time import monotonic
from typing import Any, Protocol

import numpy as np

from flexframe.errors import StopRequest
from flexframe.maths.arrays import Array
from flexframe.multibody.contract import (
    DynamicState,
    DynamicSystem,
    Occurrence,
    Simulation,
    SimulationOptions,
    Statistics,
)
from flexframe.multibody.integrators.sampled import HISTORIES
from flexframe.multibody.integrators.simulation import integrate
from flexframe.results.checkpoint import Checkpoint

QUIET_SECONDS = 2.0  # between two savings
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
    checkpoint: Checkpoint | None = None,
    even: bool = False,
    partial: bool = True,
) -> tuple[Simulation, float | None]:
    """The motion at the times, and the time at which an interrupted computation was taken up, if it was.

    Every step is shown to `watch`, where there is one. When the computation is stopped, the finished segments are
    kept; where the request says so, and with `partial`, they are the result. `even` segments are the same on every
    machine, for integrators that do not go on bit by bit.
    """
    if checkpoint is None:
        return _segment(system, start, times, options, progress, watch), None
    key = _fingerprint(system, start, times, options, watch)
    kept = checkpoint.load(key)
    work = _Kept(checkpoint, key, watch)
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
            work.take(_join(kept if work.done is None else _arrays(work.done), piece))
            count, start = count + len(piece.times) - 1, piece.end
            if piece.reason is not None or ended(piece):
                break
            if count < last:
                work.save_now_and_then()
            if not even:
                size = _next_size(size, monotonic() - begun)
    except KeyboardInterrupt as request:
        return work.stopped(request, partial=partial), resumed
    assert work.done is not None, "there is a segment to do after every checkpoint"
    return work.done, resumed


def _next_size(size: int, seconds: float) -> int:
    """Samples of the next segment after one that took so long."""
    if seconds < SEGMENT_SECONDS:
        return 2 * size
    return max(1, int(size * SEGMENT_SECONDS / seconds)) if seconds > 2 * SEGMENT_SECONDS else size


@dataclass(eq=False)
class _Kept:
    """The finished segments and what was seen of them, in memory and now and then in a file."""

    checkpoint: Checkpoint
    key: str
    watch: StepWatch | None
    done: Simulation | None = None
    _seen: Mapping[str, Array] = field(default_factory=dict)
    _saved: float = field(default_factory=monotonic)

    def take(self, done: Simulation) -> None:
        """All segments up to now."""
        seen = {} if self.watch is None else {f"watch_{n}": v for n, v in self.watch.arrays().items()}
        self.done, self._seen = done, seen

    def save_now_and_then(self) -> None:
        """Write the file if the last time is a while ago."""
        if monotonic() - self._saved > QUIET_SECONDS:
            self._save()

    def _save(self) -> None:
        assert self.done is not None
        self.checkpoint.save(self.key, _arrays(self.done) | dict(self._seen))
        self._saved = monotonic()

    def stopped(self, request: KeyboardInterrupt, *, partial: bool) -> Simulation:
        """What there is, kept in the file; the request is raised again unless that shall be the result."""
        if self.done is None or self.done.reason is not None:
            raise request
        self._save()
        if isinstance(request, StopRequest):
            request.reached = f"t = {self.done.times[-1]:.6g} s"
            if request.keeps_results and partial:
                return replace(self.done, reason=str(request))
        raise request


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
    for number, time, ends, *of_impact, turning in rows:
        name = system.network.events[int(number)].name
        speed, impulse, lost = (None if np.isnan(part) else float(part) for part in of_impact)
        found.append(Occurrence(name, int(number), float(time), bool(ends), speed, impulse, lost, bool(turning)))
    return tuple(found)


def ended(simulation: Simulation) -> bool:
    """Whether an event ended the motion."""
    return bool(simulation.occurrences) and simulation.occurrences[-1].ends


def _fingerprint(
    system: DynamicSystem, start: DynamicState, times: Array, options: SimulationOptions, watch: StepWatch | None
) -> str:
    """Hash of everything that decides a motion and what is seen of it."""
    digest = sha256(repr((options, None if watch is None else watch.key)).encode())
    for part in (
        system.tables,
        *system.network.samplings,
        *system.network.events,
        *system.bodies,
        start.arrays(),
        times,
    ):
        _feed(digest.update, part)
    return digest.hexdigest()


def _feed(update: Callable[[bytes], None], part: Any) -> None:
    match part:
        case np.ndarray():
            update(repr((part.shape, part.dtype.str)).encode() + np.ascontiguousarray(part).tobytes())
        case dict():
            for name, value in part.items():
                _feed(update, name)
                _feed(update, value)
        case tuple() | list():
            for value in part:
                _feed(update, value)
        case str() | int() | float() | bool() | None:
            update(repr(part).encode())
        case _ if is_dataclass(part):
            for field in fields(part):
                _feed(update, getattr(part, field.name))
        case _:
            update(repr(part).encode())
