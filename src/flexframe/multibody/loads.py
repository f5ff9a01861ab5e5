"""Tables of the loads that act on the bodies themselves, constant in their axes or as the system says."""

from collections.abc import Sequence

import numpy as np

from flexframe.assembly.discrete import discretise
from flexframe.model.body import Body
from flexframe.model.constraints import Fixed, TimeLaw
from flexframe.model.rigid_body import RigidBody
from flexframe.model.system import System
from flexframe.model.system_loads import BodyLoads
from flexframe.multibody.contract import DynamicBody
from flexframe.multibody.laws import LawCollection, value_before
from flexframe.multibody.signals import SignalNetwork
from flexframe.multibody.tables import LoadTables
from flexframe.reduction.loads import ReducedLoads, has_loads, reduced_loads


def rigid_loads(body: Body | RigidBody) -> ReducedLoads | None:
    """The loads of a meshed body that moves as a rigid one."""
    if not isinstance(body, Body) or not body.loads:
        return None
    discrete = discretise(body)
    return reduced_loads(discrete, np.zeros((discrete.dofs.count, 0))) if has_loads(discrete) else None


def load_tables(
    system: System, bodies: Sequence[DynamicBody], laws: LawCollection, network: SignalNetwork, *, geometric: bool
) -> LoadTables:
    """Flat tables, one load for each body on which something acts."""
    loaded = [(number, body.loads) for number, body in enumerate(bodies) if body.loads is not None]
    ways = {
        name: load for load in system.loads if isinstance(load, BodyLoads) for name in system.pieces_of(load.body)
    }
    count, M = len(loaded), max(1, *(body.size for body in bodies))
    t = LoadTables(
        bodies=np.array([number for number, _ in loaded], dtype=np.int64),
        laws=np.zeros(count, dtype=np.int64),
        before=np.ones(count),
        in_space=np.zeros(count, dtype=np.int64),
        used=np.zeros((count, 3, 3), dtype=np.int64),
        force=np.zeros((count, 3)),
        moment=np.zeros((count, 3)),
        positions=np.zeros((count, 3, 3)),
        rows=np.zeros((count, 3, 3, M)),
        quadratic=np.zeros((count, 3, 3, M, M)),
        work_rows=np.zeros((count, 3, 3, M)),
        work_quadratic=np.zeros((count, 3, 3, M, M)),
    )
    always: TimeLaw = Fixed(1.0)
    for k, (number, loads) in enumerate(loaded):
        m, way = bodies[number].size, ways.get(bodies[number].name)
        factor = always if way is None else network.laws_of(way)[0]
        t.laws[k] = laws.number(factor)
        t.before[k] = value_before(factor, None if way is None else way.factor_before)
        t.in_space[k] = way is not None and way.axes == "space"
        t.force[k], t.moment[k], t.positions[k] = loads.force, loads.moment, loads.positions
        t.rows[k, ..., :m], t.work_rows[k, ..., :m] = loads.rows, loads.rows + loads.turn_rows
        if geometric:
            t.quadratic[k, ..., :m, :m] = loads.quadratic
            t.work_quadratic[k, ..., :m, :m] = loads.quadratic + loads.turn_quadratic
        there = (loads.positions != 0) | (t.work_rows[k] != 0).any(axis=-1) | (t.rows[k] != 0).any(axis=-1)
        t.used[k] = there | (t.work_quadratic[k] != 0).any(axis=(-2, -1))
    return t
