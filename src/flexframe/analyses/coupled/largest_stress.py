"""The largest stress of an elastic body over a coupled motion, and where and when it occurs.

In solids, plane bodies and shells stress is linear in the coordinates: it is recovered once for each of them. In
beams the inertia of the frame acts between the nodes, too; there stress is recovered at some instants.
"""

import numpy as np

from flexframe.analyses.coupled.elastic_parts import ElasticPart
from flexframe.analyses.coupled.observed import Observed
from flexframe.analyses.coupled.stress_rows import equivalent_stress, is_linear
from flexframe.assembly.stress_recovery import recovered_stress
from flexframe.elements.properties import BeamProperty
from flexframe.maths.arrays import Array, IntArray
from flexframe.mechanisms.elastic.link_history import LinkHistory
from flexframe.mechanisms.elastic.recovery import StressHistory, stress_history
from flexframe.results.coupled_motion import PICTURES
from flexframe.results.transient import thinned

_NUMBERS = 20_000_000  # stress components that are formed at once, and in all a tenfold of them
_BEAM_WORK = 200_000  # degrees of freedom times instants at which the stress of beams is recovered


def largest_stress(part: ElasticPart, seen: Observed) -> StressHistory | None:
    """Largest fibre stress of beams or von Mises' stress; None for a body without stress."""
    if any(isinstance(batch.prop, BeamProperty) for batch in part.discrete.batches):
        return _in_beams(part, seen)
    coordinates, times = seen.bodies[part.name].deformation, seen.motion.times
    recovered = [recovered_stress(part.discrete, vector) for vector in part.reduced.basis.vectors.T]
    best: StressHistory | None = None
    for number, batch in enumerate(part.discrete.batches):
        first = recovered[0][number]
        names = [name for name in first.measures if is_linear(name)]
        # rows of each component at all points: (points, m)
        rows = {name: np.stack([r[number].measures[name].ravel() for r in recovered], axis=1) for name in names}
        points = first.positions.reshape(-1, 3)
        per_instant = max(len(names) * len(points), 1)
        kept = thinned(len(times), max(2, 10 * _NUMBERS // per_instant))
        largest, places = np.zeros(len(kept)), np.zeros(len(kept), dtype=np.int64)
        stride = max(1, _NUMBERS // per_instant)
        for begin in range(0, len(kept), stride):
            some = slice(begin, begin + stride)
            values = {name: block @ coordinates[kept[some]].T for name, block in rows.items()}
            size = equivalent_stress(batch.prop, values)
            places[some] = np.argmax(size, axis=0)
            largest[some] = size.max(axis=0)
        if best is None or largest.max() > best.value:
            cells = np.repeat(first.cells, points.shape[0] // max(len(first.cells), 1))
            best = _history(part.name, times[kept], largest, points[places], cells[places])
    return best


def _history(body: str, times: Array, largest: Array, places: Array, cells: IntArray) -> StressHistory:
    worst = int(np.argmax(largest))
    return StressHistory(
        body=body,
        measure="von_mises",
        times=times,
        largest=largest,
        value=float(largest[worst]),
        time=float(times[worst]),
        place=places[worst],
        cell=int(cells[worst]),
    )


def _in_beams(part: ElasticPart, seen: Observed) -> StressHistory | None:
    count = int(np.clip(_BEAM_WORK // part.discrete.dofs.count, 40, PICTURES))
    kept = thinned(len(seen.motion.times), count)
    moving = seen.motion.body(part.name)
    history = LinkHistory(
        times=seen.motion.times,
        angular_velocities=moving.in_body(moving.angular_velocities),
        angular_accelerations=moving.in_body(moving.angular_accelerations),
        origin_accelerations=moving.in_body(moving.accelerations - seen.motion.mechanism.gravity),
    )
    coordinates = seen.bodies[part.name].deformation[kept]
    return stress_history(part.stressed, history.at(kept), part.reduced.basis.expand(coordinates))
