"""What is asked of one state: its equations, its accelerations, or the nearest state on the constraints."""

from typing import Any

from flexframe.dynamics.addresses import Addressed, addressed
from flexframe.dynamics.compiling import entry
from flexframe.dynamics.equation_kernels import accelerations, fill_matrix, residual
from flexframe.dynamics.measure_kernels import measure
from flexframe.dynamics.projection_kernels import CLOSED, project
from flexframe.dynamics.tables import Place, Tables, Work
from flexframe.maths.arrays import Array

EQUATIONS, ACCELERATIONS, PROJECTION = range(3)


def at_state(  # noqa: PLR0917
    tables: Tables | Addressed,
    place: Place | Addressed,
    time: float,
    x: Array,
    multipliers: Array,
    u: Array,
    spare: Place | Addressed,
    measures: Array,
    task: int,
    work: Work | Addressed,
) -> bool:
    """Do a task at a place; results are in the arrays, and true where it succeeded.

    Whatever serves for several calls may come by its address already.
    """
    here, free = addressed(place), addressed(spare)
    return bool(_at_state(addressed(tables), here, time, x, multipliers, u, free, measures, task, addressed(work)))


@entry
def _at_state(  # noqa: PLR0917
    tables: Any,
    place: Any,
    time: float,
    x: Any,
    multipliers: Any,
    u: Any,
    spare: Any,
    measures: Any,
    task: int,
    work: Any,
) -> bool:
    """`at_state` in compiled form."""
    if task == EQUATIONS:
        work.drifting[0] = 1
        residual(tables, place, time, x, multipliers, work)
        work.drifting[0] = 0
        fill_matrix(tables, place, work, 0.0, 0.0)
        measure(tables, place, work, measures)
        return True
    if task == ACCELERATIONS:
        return accelerations(tables, place, time, x, multipliers, work)
    return project(tables, place, time, u, spare, CLOSED, work)
