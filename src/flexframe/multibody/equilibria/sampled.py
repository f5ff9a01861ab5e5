"""The rest of a system whose controllers are sampled: nothing moves, and every sample repeats the held values.

With positions ξ that constraints leave free and held values h, both are unknown together,

    v̇(ξ, h) = 0,      S(ξ, h) − h = 0,

S being what sampled controllers take at an instant: a controller that integrates is at rest where its error is
zero. Newton's method has the derivatives of `linear_system`.
"""

from dataclasses import dataclass, replace

import numpy as np

from flexframe.maths.arrays import Array
from flexframe.multibody.contract import DynamicState, DynamicSystem, Simulation
from flexframe.multibody.linearisation import linear_system, rates_of
from flexframe.multibody.places import move_place, place_of, state_of
from flexframe.multibody.start import consistent_start

_ROUNDS = 40
_LARGEST = 0.3  # step of a position that is taken at once, in lengths of the system and radians
_RESTING = 1e-10  # last step, in lengths and radians, and of held values beside their size


@dataclass(frozen=True, eq=False)
class SampledRest:
    """A state at rest, and whether its controllers repeat their held values there."""

    state: DynamicState
    settled: bool


def sampled_rest(system: DynamicSystem, near: DynamicState) -> SampledRest:
    """The rest next to a state, laws of time held; states of continuous controllers stay what they are."""
    tables = system.network.tables
    state = replace(near, held=place_of(system, near).held)
    scales = system.tables.scales
    for _ in range(_ROUNDS):
        found = linear_system(system, state, sampled_signals)
        f, g, _, _ = found.sizes
        columns = [found.held_column(int(k), sampled_signals) for k in tables.sampled_held]
        rates, taken = rates_of(found.at_point, found.velocities_back)[0, :g], found.at_point.signals[0]
        held = state.held[tables.sampled_held]
        residual = np.concatenate([rates, taken[tables.sampled_signals] - held])
        by_held = np.array([np.concatenate([rate[f : f + g], seen]) for rate, seen in columns]).T
        by_held[g:] -= np.eye(len(held))
        slopes = np.hstack([np.vstack([found.A[f : f + g, :f], found.C[:, :f]]), by_held])
        size = np.maximum(np.abs(slopes).max(axis=1), 1e-300)
        step = np.linalg.lstsq(slopes / size[:, None], -residual / size, rcond=1e-12)[0]
        move = found.changes.positions[:, :f] @ step[:f]
        length = float(np.abs(move / scales).max(initial=0.0))
        part = min(1.0, _LARGEST / max(length, _LARGEST))
        state = _moved(system, state, part * move, part * step[f:])
        changed = float((np.abs(step[f:]) / np.maximum(1.0, np.abs(held))).max(initial=0.0))
        if max(length, changed) <= _RESTING:
            return SampledRest(state, settled=bool(np.abs(residual / size).max() <= 1e3 * _RESTING))
    return SampledRest(near, settled=False)


def sampled_signals(run: Simulation) -> Array:
    """What sampled controllers would take at the states of a simulation: (T, pairs)."""
    return np.asarray(run.signals[:, run.system.network.tables.sampled_signals])


def _moved(system: DynamicSystem, state: DynamicState, move: Array, change: Array) -> DynamicState:
    """The state after a move of the positions and a change of the held values, on the constraints and at rest."""
    held = state.held.copy()
    held[system.network.tables.sampled_held] += change
    place = move_place(system, place_of(system, state), move)._replace(held=held)
    place.velocities[:] = 0.0
    return replace(consistent_start(system, state_of(system, place, state.time)), held=held)
