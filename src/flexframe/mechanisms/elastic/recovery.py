"""What follows from the motion of a link: forces of its supports, and stress over time."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.equations import Terms
from flexframe.assembly.liaison_map import LiaisonMap
from flexframe.assembly.stress_recovery import RecoveredStress, recovered_stress
from flexframe.maths.arrays import Array, IntArray
from flexframe.maths.rotations import skew
from flexframe.mechanisms.elastic.link import ElasticLink
from flexframe.mechanisms.elastic.link_history import LinkHistory

_STRESS_INSTANTS = 120
_MEASURES = ("fibre", "von_mises")
_PRINCIPAL = {"principal_max": 1.0, "principal_min": -1.0}  # largest and smallest value


@dataclass(frozen=True, eq=False)
class LinkMotion:
    """Displacements of a link relative to its frame, with their rates: (T, p) each."""

    displacements: Array
    rates: Array
    accelerations: Array


def support_forces(link: ElasticLink, history: LinkHistory, terms: Terms, motion: LinkMotion) -> Array:
    """Nodal forces of the supports beyond the forces that act at the places, body axes: (T, nodes, 6).

    At a place that a support holds, the total force of the liaison is its rigid value and this one.
    """
    size = link.discrete.dofs.count
    free = LiaisonMap(sparse.csr_array(sparse.eye_array(size)), np.arange(size))
    whole = link.equations(history, terms, supports=free)
    u, v, a = motion.displacements, motion.rates, motion.accelerations
    forces = (whole.mass @ a.T + whole.damping @ v.T + whole.stiffness @ u.T).T
    for axis, G in enumerate(whole.gyroscopic):
        forces = forces + whole.spins[:, axis, None] * np.asarray(G @ v.T).T
    for unit, K in enumerate(whole.unit_stiffness):
        forces = forces + whole.amounts[:, unit, None] * np.asarray(K @ u.T).T
    forces = forces - whole.amounts @ whole.unit_loads.T
    carried = link.discrete.supports.support_forces(np.asarray(forces).T)
    return np.moveaxis(link.discrete.dofs.nodal(carried), -1, 0)


@dataclass(frozen=True, eq=False)
class StressPeak:
    """The extreme value of one measure of stress, and where and when it is."""

    measure: str
    value: float  # Pa
    time: float
    place: Array  # body axes, m: (3,)
    cell: int


@dataclass(frozen=True, eq=False)
class StressHistory:
    """Largest stress of a body over time, and where and when it is largest of all."""

    body: str
    measure: str
    times: Array  # s: (instants,)
    largest: Array  # Pa, over the body: (instants,)
    value: float
    time: float
    place: Array  # body axes, m: (3,)
    cell: int
    principal: tuple[
        StressPeak, ...
    ] = ()  # largest and smallest principal stress of plane bodies, shells and solids


def stress_history(discrete: DiscreteBody, history: LinkHistory, displacements: Array) -> StressHistory | None:
    """Stress at evenly spread instants, and at every instant around the largest; None without a stress measure.

    In beams the inertia of the frame motion acts between the nodes too; that of the deformation acts at them.
    """
    T = len(history.times)
    spread = np.unique(np.linspace(0, T - 1, min(T, _STRESS_INSTANTS)).astype(np.int64))
    peaks: dict[str, StressPeak] = {}
    found = _evaluated(discrete, history, displacements, peaks)
    first = found(int(spread[0]))
    if first is None:
        return None
    seen = {int(i): found(int(i)) for i in spread}
    for _ in range(4):  # the largest of what was seen may move when its neighbourhood is looked at
        best = max(seen, key=lambda i: _value(seen[i]))
        place = int(np.searchsorted(spread, best))
        low, high = spread[max(place - 1, 0)], spread[min(place + 1, len(spread) - 1)]
        new = [i for i in range(int(low), int(high) + 1) if i not in seen]
        if not new:
            break
        seen |= {i: found(i) for i in new[:: max(1, len(new) // 50)]}
    best = max(seen, key=lambda i: _value(seen[i]))
    worst = seen[best]
    assert worst is not None
    order = np.array(sorted(seen))
    return StressHistory(
        body=discrete.body.name,
        measure=worst[0],
        times=history.times[order],
        largest=np.array([_value(seen[int(i)]) for i in order]),
        value=worst[1],
        time=float(history.times[best]),
        place=worst[2],
        cell=worst[3],
        principal=tuple(peaks.values()),
    )


_Largest = tuple[str, float, Array, int]


def _value(found: _Largest | None) -> float:
    return 0.0 if found is None else found[1]


def _evaluated(
    discrete: DiscreteBody, history: LinkHistory, displacements: Array, peaks: dict[str, StressPeak]
) -> Callable[[int], _Largest | None]:
    """Largest stress of an instant; `peaks` gathers the extreme principal stresses of all instants asked for."""

    def largest(instant: int) -> _Largest | None:
        W, E = skew(history.angular_velocities[instant]), skew(history.angular_accelerations[instant])
        a, gradient = history.origin_accelerations[instant], E + W @ W

        def body_force(positions: Array) -> Array:
            return -(a + positions @ gradient.T)

        best: _Largest | None = None
        for part in recovered_stress(discrete, displacements[instant], body_force):
            _keep_peaks(peaks, part, float(history.times[instant]))
            for measure in _MEASURES:
                if measure in part.measures:
                    values = np.abs(part.measures[measure])
                    cell, point = np.unravel_index(np.argmax(values), values.shape)
                    if best is None or values[cell, point] > best[1]:
                        place = part.positions[cell, point]
                        best = measure, float(values[cell, point]), place, int(part.cells[cell])
        return best

    return largest


def _keep_peaks(peaks: dict[str, StressPeak], part: RecoveredStress, time: float) -> None:
    for measure, sign in _PRINCIPAL.items():
        if measure in part.measures:
            values = part.measures[measure]
            cell, point = np.unravel_index(np.argmax(sign * values), values.shape)
            value = float(values[cell, point])
            if measure not in peaks or sign * value > sign * peaks[measure].value:
                place = part.positions[cell, point]
                peaks[measure] = StressPeak(measure, value, time, place, int(part.cells[cell]))


def at_place(forces: Array, nodes: IntArray, points: Array, place: Array) -> tuple[Array, Array]:
    """Resultant and moment about a place of nodal forces (T, nodes, 6) on some nodes: (T, 3) each."""
    chosen = forces[:, nodes]
    arms = points[nodes] - place
    moment = chosen[..., 3:].sum(axis=1) + np.cross(arms, chosen[..., :3]).sum(axis=1)
    return chosen[..., :3].sum(axis=1), moment
