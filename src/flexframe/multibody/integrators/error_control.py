"""Error control with projection: explicit Runge–Kutta methods, and Radau IIA for what is stiff."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any, ClassVar, NamedTuple, cast

import numpy as np

from flexframe import _core
from flexframe.errors import AnalysisError, InputError
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import quaternion_product, rotation_from_quaternion
from flexframe.model.system import MOST_STEPS
from flexframe.multibody.contract import (
    LEAST_TOLERANCE,
    MOST_TOLERANCE,
    DynamicState,
    DynamicSystem,
    Follows,
    Progress,
    Simulation,
    SimulationOptions,
    Statistics,
)
from flexframe.multibody.equations import (
    counted_in_plane,
    memory_of,
    no_inertia,
    place_of,
    set_velocity,
    state_of,
    velocity_vector,
)
from flexframe.multibody.integrators.events import (
    Happenings,
    Instants,
    call_functions,
    happen,
    locked_at_start,
    reason_to_end,
)
from flexframe.multibody.integrators.recording import (
    DONE,
    EVENT,
    NO_INERTIA,
    RUNNING,
    SECONDS_AT_ONCE,
    STIFF,
    TOO_SMALL,
    WORKS,
    StateBlocks,
    block_of_steps,
    empty_samples,
    reason_of,
    record,
    simulation_of,
)
from flexframe.multibody.tables import Place
from flexframe.stages import begin_work

_STEPS_AT_ONCE = 500
_STEPS_JUDGED = 1000
_TOLERANCE = 1e-8
_MEMORY = "pair_"


class StiffMotionError(AnalysisError):
    """Stability, not accuracy, bounds the steps of an explicit method, and very many are left."""

    def __init__(self, time: float) -> None:
        self.time = time
        super().__init__(
            f"the motion is stiff at t = {time:.6g} s: its explicit steps are bounded by stability; take method: "
            "implicit"
        )


@dataclass(frozen=True)
class EmbeddedPair:
    """Explicit, by the tableau of its name, errors of steps below a tolerance [lengths of the system, radians].

    Where the motion is stiff and more than `stiff_steps_left` steps are left until its `end` [s],
    `StiffMotionError` is raised.
    """

    follows: ClassVar[Follows] = "events"
    name: str = "dormand_prince"
    stiff_steps_left: float = np.inf
    end: float = 0.0

    def run(  # noqa: PLR0917 - as the contract has it
        self,
        system: DynamicSystem,
        start: DynamicState,
        times: Array,
        options: SimulationOptions,
        progress: Progress | None,
        checkpoint: Callable[[DynamicState], None] | None,
    ) -> Simulation:
        tolerance = _TOLERANCE if options.tolerance is None else options.tolerance
        if not LEAST_TOLERANCE < tolerance < MOST_TOLERANCE:
            raise InputError(f"a tolerance of {tolerance:g} cannot be met; give 1e-13 to 1e-2", field="tolerance")
        begin_work()
        run = _core.ExplicitRungeKutta(system.compiled, self.name, tolerance, system.deflection_limit)
        run.end_when_stiff(self.stiff_steps_left, self.end)
        fresh = _begin(system, run, start)
        times = np.ascontiguousarray(times, dtype=float)
        motion = _Motion(system, run, start, times, options, self.name)
        if fresh:
            motion.happened.events += locked_at_start(system, _Here(run), start.time)
        began = perf_counter()
        status, when, body = motion.go(progress, checkpoint)
        steps, rejected, evaluations = run.counts()
        statistics = Statistics(
            steps=steps,
            rejected=rejected,
            iterations=0,
            factorisations=evaluations,
            evaluations=evaluations,
            seconds=perf_counter() - began,
        )
        taken = motion.times[: motion.taken]
        reason = motion.reason if status == DONE else reason_of(system, status, when, body)
        end = _end(system, run, start, float(taken[-1]) if len(taken) else start.time)
        made = record(system, self.name, taken, motion.samples, statistics, end, reason)
        made = replace(made, contact_peaks=run.contact_peaks(), occurrences=tuple(motion.happened.events))
        if options.observe is not None and len(taken):
            options.observe(made)
            seconds = perf_counter() - began
            return replace(made, statistics=replace(statistics, seconds=seconds))
        return made


@dataclass(eq=False)
class _Motion:
    """A motion under way: steps up to where something happens, and what happens there."""

    system: DynamicSystem
    run: _core.ExplicitRungeKutta
    start: DynamicState
    times: Array  # of the samples that are wanted
    options: SimulationOptions
    name: str
    taken: int = 0
    reason: str | None = None  # why a motion ended early

    def __post_init__(self) -> None:
        self.happened = Happenings(self.system, self.options.duration)
        self.samples = empty_samples(self.system, len(self.times))
        room = 0 if self.options.observe is None else 2 * _STEPS_AT_ONCE
        self.block, self.moments = empty_samples(self.system, room), np.zeros(room)
        resumed = bool(memory_of(self.start, _MEMORY))
        self.calls = Instants.of(
            self.system.network.samplings, self.start.time, self.times, resumed=resumed, ahead=1
        )
        self.run.sample_at([*self.calls.groups], [*self.calls.groups.values()], self.calls.functions)

    def go(
        self, progress: Progress | None, checkpoint: Callable[[DynamicState], None] | None
    ) -> tuple[int, float, int]:
        """All steps: how they ended, when, and the body that bends too far."""
        times, status, when, body = self.times, RUNNING, self.start.time, -1
        while status == RUNNING:
            before = self.taken
            status, self.taken, when, body = self.run.run(
                times, self.taken, self.samples, self.block, self.moments, SECONDS_AT_ONCE
            )
            kept = self.run.take_kept()
            if self.options.observe is not None and kept:
                self.options.observe(block_of_steps(self.system, self.name, self.moments[:kept], self.block))
            if status == STIFF:
                raise StiffMotionError(when)
            _require_bounded(self.run.counts()[0], when - float(times[0]), self.options.duration)
            if status == NO_INERTIA and not self.taken:
                raise AnalysisError(no_inertia(self.system))
            if status == EVENT:
                status = self._happen(body, when)
            if checkpoint is not None and self.taken > before:
                checkpoint(_end(self.system, self.run, self.start, float(times[self.taken - 1])))
            if progress is not None:
                progress(float(min(1.0, (when - times[0]) / (times[-1] - times[0]))))
        return status, when, body

    def _happen(self, number: int, when: float) -> int:
        """Call the functions that are due, or do what an event asks for; whether the motion goes on."""
        here = _Here(self.run)
        if number < 0:
            call_functions(self.system, here, self.calls.groups[when] & self.calls.functions, when)
            return RUNNING
        happened = happen(self.system, here, number, when)
        self.happened.add(happened)
        self._show(when)  # the other side of what jumps; the step showed its end
        if not happened.ends:
            return RUNNING
        self.reason = reason_to_end(happened)
        self.taken -= int(self.taken > 0 and self.times[self.taken - 1] == when)  # it is taken again
        self.run.sample_end(self.samples, self.taken)
        self.times = np.append(self.times[: self.taken], when)
        self.taken += 1
        return DONE

    def _show(self, when: float) -> None:
        if self.options.observe is not None and self.run.keep_end(self.block, 0):
            self.options.observe(block_of_steps(self.system, self.name, np.array([when]), self.block))


class _Here(NamedTuple):
    """The end of the last step of a run."""

    run: _core.ExplicitRungeKutta

    def signals(self) -> list[float]:
        return self.run.signals()

    def hold(self, number: int, value: float) -> bool:
        self.run.hold(number, value)
        return True

    def impact(
        self, touch: int, restitution: float, friction: float, least_speed: float
    ) -> tuple[bool, float, float, float, bool]:
        return self.run.impact(touch, restitution, friction, least_speed)

    def rests(self, touch: int) -> bool:
        return self.run.rests(touch)

    def rests_elsewhere(self, touch: int) -> bool:
        return self.run.rests_elsewhere(touch)

    def release(self, touch: int) -> bool:
        return self.run.release(touch)

    def lock(self, held: int) -> tuple[bool, bool, float, float, float]:
        return self.run.lock(held)

    def switch_side(self, jump: int) -> bool:
        return self.run.switch_side(jump)


def _require_bounded(steps: int, passed: float, whole: float) -> None:
    """Refuse a motion that would take far too many steps at the pace of those in the time that has passed."""
    if steps > _STEPS_JUDGED and passed > 0 and steps / passed * whole > MOST_STEPS:
        raise AnalysisError(
            f"the motion takes about {steps / passed * whole:.1g} steps at the pace of {steps:,} of them, more "
            f"than {MOST_STEPS:.0e}; shorten its duration of {whole:g} s, or loosen the tolerance"
        )


def _begin(system: DynamicSystem, run: _core.ExplicitRungeKutta, start: DynamicState) -> bool:
    """At a start, or where the memory of the state left it; whether it is a start."""
    place, own = place_of(system, start), memory_of(start, _MEMORY)
    if own and run.restore(place, own):
        return False
    if not run.start(place, start.time):
        raise AnalysisError(no_inertia(system))
    return True


def _end(system: DynamicSystem, run: _core.ExplicitRungeKutta, start: DynamicState, time: float) -> DynamicState:
    """The state of the last sample; the memory is the start of the step at hand."""
    place = place_of(system, start)
    run.write(place)
    return state_of(system, place, time, {_MEMORY + name: np.array(part) for name, part in run.memory().items()})


@dataclass(frozen=True)
class ImplicitRadau:
    """Implicit, of fifth order, for stiff systems of few coordinates; errors of steps are below a tolerance."""

    name: ClassVar[str] = "radau"
    follows: ClassVar[Follows] = "nothing"

    def run(  # noqa: PLR0917 - as the contract has it
        self,
        system: DynamicSystem,
        start: DynamicState,
        times: Array,
        options: SimulationOptions,
        progress: Progress | None,
        checkpoint: Callable[[DynamicState], None] | None,  # noqa: ARG002 - it starts afresh from any state
    ) -> Simulation:
        tolerance = _TOLERANCE if options.tolerance is None else options.tolerance
        if not LEAST_TOLERANCE < tolerance < MOST_TOLERANCE:
            raise InputError(f"a tolerance of {tolerance:g} cannot be met; give 1e-13 to 1e-2", field="tolerance")
        if system.system.all_contacts:
            raise InputError(
                f"radau does not stop where shapes meet, and {system.system.all_contacts[0].name} is a contact; "
                "use generalised_alpha, or dormand_prince",
                field="integrator",
            )
        system.require_turns_counted("radau", "integrator")
        from scipy.integrate import Radau  # loaded where it is used: not every start pays for it

        begin_work()
        began, flat = perf_counter(), _Flat(system)
        y = flat.pack(place_of(system, start), np.zeros(WORKS))
        first, last = float(times[0]), float(times[-1])
        absolute = cast(Any, 0.1 * tolerance * flat.sizes)  # one for each unknown, which the types do not say
        solver = Radau(flat.rate, first, y, last, rtol=tolerance, atol=absolute)
        seen = None if options.observe is None else StateBlocks(system, self.name, options.observe)
        kept, reason, steps = [y], None, 0
        while solver.status == "running":
            solver.step()
            if str(solver.status) == "failed" or not np.isfinite(solver.y).all():
                reason = reason_of(system, TOO_SMALL, float(solver.t), -1)
                break
            steps += 1
            dense = solver.dense_output()
            while len(kept) < len(times) and times[len(kept)] <= solver.t:
                kept.append(np.asarray(dense(times[len(kept)])))
            solver.y = flat.project(float(solver.t), solver.y)
            solver.f = flat.rate(solver.t, solver.y)
            if seen is not None:
                middle = 0.5 * (float(solver.t_old) + float(solver.t))
                seen.take(*flat.state(float(solver.t), solver.y))
                seen.take(*flat.state(middle, np.asarray(dense(middle))))
            if progress is not None:
                progress((float(solver.t) - first) / (last - first))
        if seen is not None:
            seen.flush()
        sampled = [flat.state(float(t), flat.project(float(t), y)) for t, y in zip(times, kept, strict=False)]
        statistics = Statistics(steps, 0, 0, int(solver.nlu), int(solver.nfev), perf_counter() - began)
        works = np.array([works for _, works in sampled])
        states = [state for state, _ in sampled]
        return simulation_of(system, self.name, states, works=works, statistics=statistics, reason=reason)


class _Flat:
    """Positions, velocities u and works of drives, loads and dissipation of a system as one vector."""

    def __init__(self, system: DynamicSystem) -> None:
        self.system = system
        self._evaluation = _core.Evaluation(system.compiled)
        self._u, self._multipliers = np.zeros(system.size), np.zeros(system.rows)
        bodies, L = len(system.bodies), system.length
        self._width = 3 if system.planar else 7
        positions = np.tile([L, L, 1.0] if system.planar else [L] * 3 + [1.0] * 4, bodies)
        numbered = zip(system.tables.bodies.numbers, system.bodies, strict=True)
        elastic = [system.tables.scales[numbers[6 : 6 + body.size]] for numbers, body in numbered]
        # velocities ten times as far, works not at all
        parts = (positions, *elastic, 10.0 * system.tables.scales, np.full(WORKS, np.inf))
        self.sizes = np.concatenate(parts)

    def pack(self, place: Place, works: Array) -> Array:
        """A place and works as a vector."""
        if self.system.planar:
            poses = np.column_stack([place.positions[:, :2], place.angles])
        else:
            poses = np.concatenate([place.positions, place.quaternions], axis=1)
        elastic = [place.deformation[k, : body.size] for k, body in enumerate(self.system.bodies)]
        return np.concatenate([poses.ravel(), *elastic, velocity_vector(self.system, place), works])

    def place(self, y: Array) -> Place:
        """The place of a vector."""
        numbers, system = self.system.tables.bodies.numbers, self.system
        bodies, width = numbers.shape
        poses = y[: self._width * bodies].reshape(bodies, self._width)
        positions, quaternions, angles = np.zeros((bodies, 3)), np.zeros((bodies, 4)), np.zeros(bodies)
        if system.planar:
            positions[:, :2], angles[:] = poses[:, :2], poses[:, 2]
            quaternions[:, 0], quaternions[:, 3] = np.cos(angles / 2), np.sin(angles / 2)
        else:
            positions[:] = poses[:, :3]
            quaternions[:] = poses[:, 3:] / np.linalg.norm(poses[:, 3:], axis=1, keepdims=True)
        deformation, first = np.zeros((bodies, width - 6)), self._width * bodies
        for k, body in enumerate(system.bodies):
            deformation[k, : body.size] = y[first : first + body.size]
            first += body.size
        made = Place(positions, quaternions, deformation, np.zeros((bodies, width)), angles)
        if system.planar and system.counts:
            made = made._replace(counted=counted_in_plane(system, positions, angles))
        set_velocity(system, y[-WORKS - system.size : -WORKS], made)
        return made

    def state(self, time: float, y: Array) -> tuple[DynamicState, Array]:
        """The state of a vector, and the works."""
        return state_of(self.system, self.place(y), time), np.array(y[-WORKS:])

    def project(self, time: float, y: Array) -> Array:
        """The vector with positions and velocities on the constraints."""
        place = self.place(y)
        if not self._evaluation.project(place, time):
            raise AnalysisError(
                f"the joints cannot be kept together after t = {time:.6g} s; the linkage reaches a dead point, or "
                "a drive asks for the impossible"
            )
        return self.pack(place, y[-WORKS:])

    def rate(self, time: float, y: Array) -> Array:
        """ẏ."""
        place = self.place(y)
        if not self._evaluation.accelerations(place, float(time), self._u, self._multipliers):
            raise AnalysisError(no_inertia(self.system))
        v, w = place.velocities[:, :3], place.velocities[:, 3:6]
        moved = np.einsum("bij,bj->bi", rotation_from_quaternion(place.quaternions), v)
        if self.system.planar:
            poses = np.column_stack([moved[:, :2], w[:, 2]])
        else:
            turned = 0.5 * quaternion_product(place.quaternions, np.column_stack([np.zeros(len(w)), w]))
            poses = np.concatenate([moved, turned], axis=1)
        elastic = [place.velocities[k, 6 : 6 + body.size] for k, body in enumerate(self.system.bodies)]
        return np.concatenate([poses.ravel(), *elastic, self._u, self._evaluation.powers()])
