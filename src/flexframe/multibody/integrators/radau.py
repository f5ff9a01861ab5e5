"""Error control for stiff systems: Radau IIA of fifth order on the accelerations of the core, with projection."""

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any, ClassVar, cast

import numpy as np

from flexframe import _core
from flexframe.errors import AnalysisError, InputError
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import quaternion_product, rotation_from_quaternion
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
from flexframe.multibody.equations import no_inertia
from flexframe.multibody.integrators.recording import TOO_SMALL, WORKS, reason_of
from flexframe.multibody.integrators.sampled import StateBlocks, simulation_of
from flexframe.multibody.places import counted_in_plane, place_of, set_velocity, state_of, velocity_vector
from flexframe.multibody.tables import Place
from flexframe.stages import begin_work

_TOLERANCE = 1e-8


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
        y = flat.packed(place_of(system, start), np.zeros(WORKS))
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
            solver.y = flat.projected(float(solver.t), solver.y)
            solver.f = flat.rate(solver.t, solver.y)
            if seen is not None:
                middle = 0.5 * (float(solver.t_old) + float(solver.t))
                seen.take(*flat.state(float(solver.t), solver.y))
                seen.take(*flat.state(middle, np.asarray(dense(middle))))
            if progress is not None:
                progress((float(solver.t) - first) / (last - first))
        if seen is not None:
            seen.flush()
        sampled = [flat.state(float(t), flat.projected(float(t), y)) for t, y in zip(times, kept, strict=False)]
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

    def packed(self, place: Place, works: Array) -> Array:
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

    def projected(self, time: float, y: Array) -> Array:
        """The vector with positions and velocities on the constraints."""
        place = self.place(y)
        if not self._evaluation.project(place, time):
            raise AnalysisError(
                f"the joints cannot be kept together after t = {time:.6g} s; the linkage reaches a dead point, or "
                "a drive asks for the impossible"
            )
        return self.packed(place, y[-WORKS:])

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
