"""What is kept of a state, in compiled loops."""

from typing import Any

from flexframe.dynamics.compiling import inner
from flexframe.dynamics.constraint_kernels import gaps
from flexframe.dynamics.copying_kernels import copy1, copy2, copy_place
from flexframe.dynamics.equation_kernels import accelerations
from flexframe.dynamics.measure_kernels import measure
from flexframe.dynamics.projection_kernels import CLOSED, project, set_velocities, speed

NOTHING, SAMPLE, STEP = range(3)  # what is kept at the end of an interval


@inner
def keep_step(  # noqa: PLR0917
    tables: Any, place: Any, u: Any, rates: Any, multipliers: Any, works: Any, samples: Any, k: int, work: Any
) -> None:
    """Step k as the integrator has it: nothing is solved again, so that this costs little beside the step."""
    copy2(place.positions, samples.positions[k])
    copy2(place.quaternions, samples.quaternions[k])
    copy2(place.deformation, samples.deformations[k])
    copy1(place.angles, samples.angles[k])
    copy1(u, samples.velocities[k])
    copy1(rates, samples.accelerations[k])
    copy1(multipliers, samples.multipliers[k])
    samples.springs[k] = work.springs[0]
    samples.gaps[k], samples.slips[k] = 0.0, 0.0
    copy1(works, samples.works[k])
    measure(tables, place, work, samples.measures[k])


@inner
def take_sample(  # noqa: PLR0917
    tables: Any, place: Any, u: Any, works: Any, time: float, spares: Any, samples: Any, k: int, work: Any
) -> bool:
    """Sample k: the state put on the constraints, with the accelerations and multipliers that belong to it."""
    state, other, velocity = spares
    copy1(u, velocity)
    copy_place(place, state)
    solved = project(tables, state, time, velocity, other, CLOSED, work)
    set_velocities(tables, velocity, state)
    copy2(state.positions, samples.positions[k])
    copy2(state.quaternions, samples.quaternions[k])
    copy2(state.deformation, samples.deformations[k])
    copy1(state.angles, samples.angles[k])
    copy1(velocity, samples.velocities[k])
    solved = accelerations(tables, state, time, samples.accelerations[k], samples.multipliers[k], work) and solved
    samples.springs[k] = work.springs[0]
    samples.gaps[k], slip = gaps(tables, work)
    samples.slips[k] = slip / max(1.0, speed(tables, velocity))
    copy1(works, samples.works[k])
    measure(tables, state, work, samples.measures[k])
    return solved
