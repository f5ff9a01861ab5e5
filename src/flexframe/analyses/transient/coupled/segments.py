"""A long motion in segments, each kept when it is done, so that an interrupted computation can go on."""

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from hashlib import sha256
from time import monotonic
from typing import Any

import numpy as np

from flexframe.analyses.transient.coupled.watching import Watch
from flexframe.maths.arrays import Array
from flexframe.multibody.contract import (
    DynamicState,
    DynamicSystem,
    Simulation,
    SimulationOptions,
    Statistics,
)
from flexframe.multibody.integrators.sampled import HISTORIES
from flexframe.multibody.integrators.simulation import integrate
from flexframe.results.checkpoint import Checkpoint

STRETCHES = 25
QUIET_SECONDS = 2.0  # between two savings
LONG_SECONDS = 20.0  # of a segment, beyond which the following ones are made shorter


def run_segments(
    system: DynamicSystem,
    start: DynamicState,
    times: Array,
    options: SimulationOptions,
    *,
    watch: Watch | None = None,
    progress: Callable[[float], None] | None = None,
    checkpoint: Checkpoint | None = None,
) -> tuple[Simulation, float | None]:
    """The motion at the times, and the time at which an interrupted computation was taken up, if it was.

    Every step is shown to `watch`, where there is one.
    """
    if checkpoint is None:
        return _segment(system, start, times, options, progress, watch), None
    key = _fingerprint(system, start, times, options, watch)
    kept = checkpoint.load(key)
    done: Simulation | None = None
    resumed = None
    if kept is not None:
        start = DynamicState.from_arrays({name[4:]: v for name, v in kept.items() if name.startswith("end_")})
        resumed = start.time
        if watch is not None:
            watch.restore({name[6:]: v for name, v in kept.items() if name.startswith("watch_")})
    last = len(times) - 1
    count, size = (0 if kept is None else len(kept["times"]) - 1), -(-last // STRETCHES)
    last_saved = monotonic()
    while count < last:
        end, begun = min(count + size, last), monotonic()
        share = _share(progress, count / last, (end - count) / last)
        piece = _segment(system, start, times[count : end + 1], options, share, watch)
        done = _join(kept, piece) if done is None else _join(_arrays(done), piece)
        kept = None
        count, start = len(done.times) - 1, piece.end
        if piece.reason is not None:
            break
        took = monotonic() - begun
        if took > LONG_SECONDS:  # so that little is lost
            size = max(1, int(size * LONG_SECONDS / (2 * took)))
        if monotonic() - last_saved > QUIET_SECONDS and count < last:
            found = {} if watch is None else watch.arrays()
            seen = {f"watch_{name}": array for name, array in found.items()}
            checkpoint.save(key, _arrays(done) | seen)
            last_saved = monotonic()
    assert done is not None, "there is a segment to do after every checkpoint"
    return done, resumed


def _segment(  # noqa: PLR0917
    system: DynamicSystem,
    start: DynamicState,
    times: Array,
    options: SimulationOptions,
    progress: Callable[[float], None] | None,
    watch: Watch | None,
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
    arrays["statistics"] = np.array(
        [getattr(simulation.statistics, f.name) for f in fields(Statistics)], dtype=float
    )
    return arrays | {f"end_{name}": value for name, value in simulation.end.arrays().items()}


def _join(before: dict[str, Array] | None, piece: Simulation) -> Simulation:
    """A segment after those before it, whose last sample is its first."""
    if before is None:
        return piece
    joined = {name: np.concatenate([before[name], getattr(piece, name)[1:]]) for name in HISTORIES}
    figures = zip(fields(Statistics), before["statistics"], strict=True)
    total = {f.name: float(value) + getattr(piece.statistics, f.name) for f, value in figures}
    whole = {name: value if name == "seconds" else round(value) for name, value in total.items()}
    return replace(piece, **joined, statistics=Statistics(**whole))  # type: ignore[arg-type]  # histories and counts


def _fingerprint(
    system: DynamicSystem, start: DynamicState, times: Array, options: SimulationOptions, watch: Watch | None
) -> str:
    """Hash of everything that decides a motion and what is seen of it."""
    digest = sha256(repr((options, None if watch is None else watch.key)).encode())
    for part in (system.tables, *system.bodies, start.arrays(), times):
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
