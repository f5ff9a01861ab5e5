"""The motion of a system by a formalism: one integrator for all of them, with control of the error.

The state is coordinates and the variables of the formalism, velocities or momenta, and the states of controllers
and friction, which are the same by all routes. All are stabilised alike: after each step positions and velocities
are put back onto the joints. The gap that a step leaves before that is the drift of the formalism. What sampled
controllers hold does not change.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import pairwise
from time import perf_counter
from typing import Any, ClassVar, cast

import numpy as np
from scipy.integrate import DOP853

from flexframe.errors import AnalysisError, InputError
from flexframe.formalisms.contract import SystemInstant
from flexframe.formalisms.formalism import Formalism
from flexframe.formalisms.mass_points import Work
from flexframe.formalisms.point_systems import Coordinates, PointSystem, point_system
from flexframe.formalisms.registry import formalism_named
from flexframe.maths.arrays import Array
from flexframe.maths.solver_settings import limited_threads
from flexframe.multibody.contract import (
    DynamicState,
    DynamicSystem,
    Follows,
    Progress,
    Simulation,
    SimulationOptions,
    Statistics,
)
from flexframe.multibody.equations import equations_at, laws_at, place_of
from flexframe.multibody.integrators.recording import (
    WORKS,
    StateBlocks,
    bent_too_far,
    powers_at,
    simulation_of,
    state_rates_at,
)
from flexframe.multibody.start import consistent_start
from flexframe.stages import begin_work

STEPS = 1_000_000
TOLERANCE = 1e-9  # relative, unless another is asked for
PARTS = 8  # of a step that are looked at
_ROUNDING = 2e-15  # of a strain, a difference of numbers near one
_MEMORY = "formalism_step"


@dataclass(frozen=True, eq=False)
class FormalismRun:
    """A motion by one formalism, and what it took."""

    simulation: Simulation
    drift: float  # largest gap of joints after a step, before anything is put back, in lengths and radians
    operations: int


@dataclass(eq=False)
class Route:
    """The equations of a system by a formalism, as an integrator wants them."""

    points: PointSystem
    formalism: Formalism
    coordinates: Coordinates
    most_steps: int = STEPS
    work: Work = field(default_factory=Work)
    evaluations: int = 0
    last: DynamicState | None = None  # where angles were counted, and held values are taken from

    @property
    def extra(self) -> int:
        """Numbers of a vector after the variables of the formalism."""
        return len(self.system.network.tables.initial_states) + WORKS

    @property
    def system(self) -> DynamicSystem:
        return self.points.system

    def instant(self, state: DynamicState) -> SystemInstant:
        """The system at a state."""
        self.evaluations += 1
        return self.points.at(state)

    def pack(self, state: DynamicState) -> Array:
        """Coordinates, then the variables of the formalism, then states of controllers, then the works."""
        second = self.formalism.variables.of(self.points.at(state), self.work)
        works = state.memory.get("formalism_works", np.zeros(WORKS))
        states = place_of(self.system, state).states
        return np.concatenate([self.coordinates.pack(state), second, states, works])

    def state(self, time: float, y: Array) -> DynamicState:
        """The state that a vector stands for."""
        size, second = self.coordinates.size, y[self.coordinates.size : -self.extra]

        def at_rest() -> SystemInstant:
            return self.points.at(self.coordinates.state(time, y[:size], np.zeros_like(second)))

        velocity = self.formalism.variables.velocity(at_rest, second, self.work)
        state = self.coordinates.state(time, y[:size], velocity)
        if self.last is None:
            return state
        states = y[-self.extra : -WORKS].copy()
        counted = state.counted if len(state.counted) else self.last.counted
        return replace(state, states=states, held=self.last.held, counted=counted)

    def slope(self, time: float, y: Array) -> Array:
        """ẏ."""
        state = self.state(time, y)
        instant = self.instant(state)
        motion = self.formalism.system_motion(instant, self.work)
        second = self.formalism.variables.rates(instant, motion, self.work)
        z_rates = state_rates_at(self.system, state) if self.extra > WORKS else ()
        return np.concatenate([self.coordinates.rates(state), second, z_rates, powers_at(self.system, state)])

    def tolerances(self, start: DynamicState, relative: float) -> Array:
        """Absolute tolerances of a vector."""
        places, velocities = self.coordinates.scales(), self.system.tables.scales
        instant = self.points.at(start)
        speed = max(float(np.abs(instant.velocity / velocities).max(initial=0.0)), 1e-3)
        speed = max(speed, unsure_speed(instant) / relative)
        mass = np.diagonal(equations_at(self.system, start).mass)
        second = self.formalism.variables.sizes(velocities * speed, mass)
        states = np.maximum(np.abs(place_of(self.system, start).states), 1.0)
        works = np.full(WORKS, np.inf)  # they follow
        return np.concatenate([relative * places, relative * second, relative * states, works])


def unsure_speed(instant: SystemInstant) -> float:
    """Speeds, in lengths of the system and radians, that rounding of the strains of exact beams brings."""
    squares = [beam.fastest_square() for beam in instant.beams]
    return _ROUNDING * float(np.sqrt(max(squares, default=0.0)))


@dataclass(frozen=True, eq=False)
class SystemTask:
    """A motion that is asked of a formalism; `observe` sees the states along its steps."""

    route: Route
    start: DynamicState
    times: Array
    tolerance: float  # relative
    progress: Progress | None = None
    checkpoint: Callable[[DynamicState], None] | None = None
    observe: Callable[[Simulation], None] | None = None


@dataclass(frozen=True)
class ByFormalism:
    """An integrator with control of the error whose equations come from a formalism."""

    follows: ClassVar[Follows] = "states"
    formalism: str

    @property
    def name(self) -> str:
        return formalism_named(self.formalism).name

    def run(  # noqa: PLR0917 - the order of the contract
        self,
        system: DynamicSystem,
        start: DynamicState,
        times: Array,
        options: SimulationOptions,
        progress: Progress | None = None,
        checkpoint: Callable[[DynamicState], None] | None = None,
    ) -> Simulation:
        """The motion at the wanted times, steps ending on them."""
        system.require_turns_counted("a formalism", "formalism")
        tolerance = TOLERANCE if options.tolerance is None else options.tolerance
        return formalism_run(
            system,
            start,
            times,
            formalism=self.formalism,
            tolerance=tolerance,
            progress=progress,
            checkpoint=checkpoint,
            observe=options.observe,
        ).simulation


def formalism_run(
    system: DynamicSystem,
    start: DynamicState,
    times: Array,
    *,
    formalism: str | Formalism = "kane",
    tolerance: float = TOLERANCE,
    most_steps: int = STEPS,
    progress: Progress | None = None,
    checkpoint: Callable[[DynamicState], None] | None = None,
    observe: Callable[[Simulation], None] | None = None,
) -> FormalismRun:
    """A motion by a formalism with what it took; steps are long, and `observe` sees eight parts of each."""
    chosen = formalism_named(formalism) if isinstance(formalism, str) else formalism
    reason = chosen.system_refusal(system)
    if reason is not None:
        raise AnalysisError(f"the formalism of {chosen.title} does not apply: {reason}", field="formalism")
    if not 1e-14 <= tolerance < 1:
        raise InputError(
            f"a relative tolerance of {tolerance:g} cannot be met; give 1e-13 to 1e-2", field="tolerance"
        )
    ready = laws_at(system, float(times[0]), float(times[-1]))
    begun = start if start.memory else consistent_start(ready, start)
    begin_work()
    route = Route(point_system(ready), chosen, Coordinates(ready), most_steps)
    with limited_threads():
        return chosen.system_run(SystemTask(route, begun, times, tolerance, progress, checkpoint, observe))


def integrate(task: SystemTask) -> FormalismRun:
    """Steps with control of the error that end on the times asked for."""
    route, start, times, tolerance = task.route, task.start, task.times, task.tolerance
    began, system, name = perf_counter(), route.system, route.formalism.name
    seen = None if task.observe is None else StateBlocks(system, name, task.observe)
    kept = start.memory.get("formalism_tolerances")
    absolute = route.tolerances(start, tolerance) if kept is None else kept
    states, drift, steps, reason = [start], 0.0, 0, None
    route.last = start
    y = route.pack(start)
    size = float(start.memory[_MEMORY][0]) if _MEMORY in start.memory else float(times[1] - times[0]) / 100
    for before, after in pairwise(times):
        size = min(size, float(after - before))
        solver = DOP853(
            cast(Any, route.slope),
            float(before),
            y,
            float(after),
            rtol=max(tolerance, 2.5e-14),
            atol=cast(Any, absolute),
            first_step=size,
        )
        while solver.status == "running" and reason is None:
            message = solver.step()
            steps += 1
            if str(solver.status) == "failed" or not np.isfinite(solver.y).all() or steps > route.most_steps:
                reason = (
                    f"the motion cannot be continued after t = {solver.t:.6g} s ({message or 'too many steps'})"
                )
                break
            size = float(solver.h_abs if solver.status == "running" else max(size, solver.h_abs))
            if seen is not None:
                _look(route, solver, seen)
            y, state, gap = _put_back(route, solver)
            drift, reason = max(drift, gap), bent_too_far(system, state)
        if reason is not None:
            break
        memory = {
            _MEMORY: np.array([size]),
            "formalism_works": y[-WORKS:].copy(),
            "formalism_tolerances": absolute,
        }
        states.append(replace(state, time=float(after), memory=memory))
        if task.checkpoint is not None:
            task.checkpoint(states[-1])
        if task.progress is not None:
            task.progress(float((after - times[0]) / (times[-1] - times[0])))
    if seen is not None:
        seen.flush()
    statistics = Statistics(steps, 0, 0, route.evaluations, route.evaluations, perf_counter() - began)
    works = np.array([state.memory.get("formalism_works", np.zeros(WORKS)) for state in states])
    simulation = simulation_of(system, name, states, works=works, statistics=statistics, reason=reason)
    return FormalismRun(simulation, drift, route.work.operations)


def _look(route: Route, solver: "DOP853[np.float64]", seen: StateBlocks) -> None:
    """States inside the last step, put onto the joints."""
    dense, begin = solver.dense_output(), float(solver.t_old)
    for part in range(PARTS + 1):
        time = begin + (float(solver.t) - begin) * part / PARTS
        y = np.asarray(dense(time))
        seen.take(consistent_start(route.system, route.state(time, y)), y[-WORKS:])


def _put_back(route: Route, solver: "DOP853[np.float64]") -> tuple[Array, DynamicState, float]:
    """The state after a step put onto the joints, and the gap that was there before."""
    state = route.state(float(solver.t), solver.y)
    gap = joint_gap(route.system, state)
    route.last = state = consistent_start(route.system, state)
    y = np.concatenate([route.pack(state)[:-WORKS], solver.y[-WORKS:]])
    solver.y = y
    if solver.status == "running":
        solver.f = solver.fun(solver.t, y)
    return y, state, gap


def joint_gap(system: DynamicSystem, state: DynamicState) -> float:
    """Largest gap of the constraint equations on positions, in lengths of the system and radians."""
    gap = equations_at(system, state).gap * system.tables.rows.scales
    return float(np.abs(gap).max(initial=0.0))
