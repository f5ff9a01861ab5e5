"""Free flight with the energy and both momenta kept: collocation in spatial momenta.

The mass centre moves on its parabola. About it every body has its angular momentum, fixed in space, and its
elastic coordinates with their momenta; they are advanced by energy-preserving collocation of order 2s on the
nodes of Gauss, solved to round-off and added up with compensation. Nothing depends on the size of the step but
accuracy.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from time import perf_counter
from typing import Any, ClassVar

import numpy as np

from flexframe.dynamics import gauss_kernels
from flexframe.dynamics.contract import (
    DynamicBody,
    DynamicState,
    DynamicSystem,
    Progress,
    Simulation,
    SimulationOptions,
    Statistics,
)
from flexframe.dynamics.gauss_coefficients import GaussCoefficients, gauss_coefficients
from flexframe.dynamics.momenta import (
    CentralInertia,
    body_momenta,
    central_inertia,
    field_coordinates,
)
from flexframe.dynamics.momentum_kernels import gradient, scratch
from flexframe.dynamics.sampled import StateBlocks, bent_too_far, simulation_of
from flexframe.dynamics.step_sizes import equal_steps
from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import rotation_from_quaternion
from flexframe.model.system_loads import SystemGravity

_CHUNK = 20_000  # steps between two reports of progress
_LOOKED = 500  # the same, where every step is looked at


@dataclass(eq=False)
class _Flight:
    """One body under way; the arrays are advanced in place."""

    body: DynamicBody
    inertia: CentralInertia
    coefficients: GaussCoefficients
    y: Array  # L, z, p: (3 + 2m,)
    lost: Array  # what rounding took from y
    quaternion: Array  # (4,)
    slopes: Array  # of the last step: (s, 3 + 2m)
    sums: Array  # angle about z, work of damping
    reference: Array  # angular momentum in space, energy
    centre: Array  # of mass at the start: (3,)
    drift: Array  # velocity of the mass centre at the start: (3,)
    begun: float  # time of the start
    watch: Array  # largest departures of energy and angular momentum
    linear: Array | None = None
    linear_step: float = 0.0

    MEMORY: ClassVar = ("y", "lost", "quaternion", "slopes", "sums", "reference", "centre", "drift", "watch")

    @property
    def sizes(self) -> Array:
        """|L|, √2H and H, or one where they vanish."""
        length, energy = float(np.linalg.norm(self.reference[:3])), float(self.reference[3])
        return np.array([length or 1.0, np.sqrt(2 * energy) or 1.0, energy or 1.0])

    def advance(self, step: float, count: int) -> tuple[int, int, int]:
        """Take steps; gives the outcome, the steps done and the iterations."""
        if self.linear is None or self.linear_step != step:
            self.linear, self.linear_step = _oscillators(self.inertia, self.coefficients, step), step
        return gauss_kernels.advance(
            self.inertia.tables,
            self.coefficients.tables,
            self.linear,
            self.inertia.frequencies,
            step,
            count,
            (self.y, self.lost, self.quaternion, self.slopes, self.sums),
            self.reference,
            self.sizes,
            self.watch,
        )

    def pose(self, time: float, gravity: Array) -> tuple[Array, Array, Array]:
        """r_O in space, δ, and (v, ω, δ̇) in body components."""
        m, inertia = self.body.size, self.inertia
        slope = np.empty(3 + 2 * m)
        L, z, p = self.y[:3], self.y[3 : 3 + m], self.y[3 + m :]
        gradient(inertia.tables, L, z, p, slope, scratch(len(inertia.shape_products), m))
        delta, rates, omega = inertia.modes @ z, inertia.modes @ slope[3 : 3 + m], slope[:3]
        eta, slopes = field_coordinates(self.body, delta)
        arm = (self.body.first_moment + self.body.origin_coupling @ eta) / self.body.mass
        R, elapsed = rotation_from_quaternion(self.quaternion), time - self.begun
        centre = self.centre + elapsed * (self.drift + elapsed * gravity / 2)
        velocity = R.T @ (self.drift + elapsed * gravity) - np.cross(omega, arm)
        velocity -= self.body.origin_coupling @ (slopes @ rates) / self.body.mass
        return centre - R @ arm, delta, np.concatenate([velocity, omega, rates])


@dataclass(frozen=True)
class Conserving:
    """Energy-preserving Gauss collocation of order 2s in spatial momenta, for bodies in free flight."""

    stages: int = 3
    points: int = 4  # of the mean of ∇H
    name: ClassVar[str] = "conserving"

    def __post_init__(self) -> None:
        if not 1 <= self.stages <= 6 or self.points < self.stages:
            raise InputError(
                f"the conserving integrator has {self.stages} stages and {self.points} points of the mean; give "
                "1 to 6 stages and at least as many points"
            )

    def run(  # noqa: PLR0917 - the order of the contract
        self,
        system: DynamicSystem,
        start: DynamicState,
        times: Array,
        options: SimulationOptions,
        progress: Progress | None = None,
        checkpoint: Callable[[DynamicState], None] | None = None,
    ) -> Simulation:
        """The motion at the wanted times, with steps that end on them."""
        require_free(system)
        step_asked = options.equal_step
        if step_asked is None:
            raise InputError("the conserving integrator has a fixed step; give a step in seconds")
        coefficients = gauss_coefficients(self.stages, self.points)
        flights = [_flight(system, number, start, coefficients) for number in range(len(system.bodies))]
        states, works = [_state(system, flights, start.time)], [_works(flights)]
        for flight in flights:
            flight.advance(step_asked, 0)  # only compiles, where that is needed
        seen = None if options.observe is None else StateBlocks(system, self.name, options.observe)
        if seen is not None:
            seen.take(states[0], works[0])
        begun = perf_counter()
        reason, steps, iterations, evaluations = None, 0, 0, 0
        for before, after in pairwise(times):
            (step, count), done = equal_steps(float(before), float(after), step_asked), 0
            while done < count and reason is None:
                part = min(_CHUNK if seen is None else _LOOKED, count - done)
                if seen is None:
                    taken = [flight.advance(step, part) for flight in flights]
                else:
                    taken = _looked_at(system, flights, (float(before) + step * done, step), part, seen)
                iterations += sum(used for _, _, used in taken)
                evaluations += sum(used * self.points + own for _, own, used in taken)
                done += part
                steps += min(own for _, own, _ in taken)
                now = float(before + step * done if done < count else after)
                reason = _trouble(system, flights, [outcome for outcome, _, _ in taken], step, now)
                if progress is not None:
                    progress(float((now - times[0]) / (times[-1] - times[0])))
            if reason is not None:
                break
            states.append(_state(system, flights, float(after)))
            works.append(_works(flights))
            if checkpoint is not None:
                checkpoint(states[-1])
        if seen is not None:
            seen.flush()
        statistics = Statistics(
            steps=steps,
            rejected=0,
            iterations=iterations,
            factorisations=evaluations,
            evaluations=evaluations,
            seconds=perf_counter() - begun,
        )
        return simulation_of(
            system, self.name, states, works=np.array(works), statistics=statistics, reason=reason
        )


def _looked_at(
    system: DynamicSystem, flights: "list[_Flight]", clock: tuple[float, float], count: int, seen: StateBlocks
) -> list[tuple[int, int, int]]:
    """Steps one by one from a time, each shown to `seen`; outcome, steps and iterations of every body."""
    time, step = clock
    total = np.zeros((len(flights), 3), dtype=np.int64)
    for number in range(count):
        for body, flight in enumerate(flights):
            outcome, own, used = flight.advance(step, 1)
            total[body] = outcome, total[body, 1] + own, total[body, 2] + used
        if total[:, 0].any():
            break
        seen.take(_state(system, flights, time + (number + 1) * step, remember=False), _works(flights))
    return [(int(outcome), int(own), int(used)) for outcome, own, used in total]


def _trouble(
    system: DynamicSystem, flights: "list[_Flight]", outcomes: list[int], step: float, time: float
) -> str | None:
    """Why the run cannot go on, or None."""
    for flight, outcome in zip(flights, outcomes, strict=True):
        if outcome == gauss_kernels.DIVERGED:
            return f"a step of {step:g} s did not converge before t = {time:.6g} s; take a smaller one"
        if outcome == gauss_kernels.INDEFINITE:
            return (
                f"the mass matrix of {flight.body.name} lost its definiteness before t = {time:.6g} s: it is "
                "deformed beyond what its displacement field describes; divide the body, or stiffen it"
            )
    return bent_too_far(system, _state(system, flights, time))


def require_free(system: DynamicSystem) -> None:
    """Refuse what would change momenta or energy in a way that the integrator does not follow."""
    if system.rows:
        raise InputError(
            f"the conserving integrator is for bodies in free flight, and {system.owners[0]} holds one; "
            "use generalised_alpha"
        )
    loads = [load.name for load in system.system.loads if not isinstance(load, SystemGravity)]
    loads += [f"the load of body {body.name}" for body in system.bodies if body.loads is not None]
    if loads:
        raise InputError(
            f"the conserving integrator knows no load but gravity, and {loads[0]} acts; use generalised_alpha"
        )


def _flight(system: DynamicSystem, number: int, start: DynamicState, coefficients: GaussCoefficients) -> _Flight:
    """A body at its start, or where the memory of the state left it."""
    body = system.bodies[number]
    inertia = central_inertia(body, planar=system.planar)
    m, stages = body.size, len(coefficients.weights)
    saved = {name: start.memory.get(f"conserving_{number}_{name}") for name in _Flight.MEMORY}
    begun = start.memory.get("conserving_begun")
    slopes = saved["slopes"]
    if begun is not None and slopes is not None and slopes.shape == (stages, 3 + 2 * m):
        copies: dict[str, Any] = {name: np.array(value) for name, value in saved.items()}
        return _Flight(body=body, inertia=inertia, coefficients=coefficients, begun=float(begun[0]), **copies)
    part = system.elastic(number)
    delta = start.deformation[part]
    u = np.concatenate([start.velocities[number], start.angular_velocities[number], start.rates[part]])
    momenta = body_momenta(body, delta, u)
    z = np.linalg.solve(inertia.modes, delta) if m else delta
    y = np.concatenate([momenta.angular, z, inertia.modes.T @ momenta.elastic])
    if system.planar:
        y[:2] = 0.0
    R, quaternion = rotation_from_quaternion(start.quaternions[number]), start.quaternions[number].copy()
    slope = np.empty(3 + 2 * m)
    work = scratch(body.fields, m)
    energy = gradient(inertia.tables, y[:3], y[3 : 3 + m], y[3 + m :], slope, work)
    if not np.isfinite(energy):
        raise InputError(f"body {body.name} is deformed too much at the start; give a smaller deformation")
    return _Flight(
        body=body,
        inertia=inertia,
        coefficients=coefficients,
        y=y,
        lost=np.zeros_like(y),
        quaternion=quaternion,
        slopes=np.zeros((stages, 3 + 2 * m)),
        sums=np.array([start.angles[number] if system.planar else 0.0, 0.0]),
        reference=np.concatenate([R @ y[:3], [energy]]),
        centre=start.positions[number] + R @ momenta.centre,
        drift=R @ momenta.linear / body.mass,
        begun=start.time,
        watch=np.zeros(2),
    )


def _oscillators(inertia: CentralInertia, coefficients: GaussCoefficients, step: float) -> Array:
    """Inverse of the equations of a step for each natural coordinate at rest: (m, 2s, 2s)."""
    A, one = step * coefficients.stages, np.eye(len(coefficients.weights))
    frequencies, damping = inertia.frequencies, np.diagonal(inertia.damping)
    blocks = [
        np.linalg.inv(np.block([[one, -A], [w**2 * A, one + d * A]]))
        for w, d in zip(frequencies, damping, strict=True)
    ]
    return np.array(blocks).reshape(len(frequencies), 2 * len(one), 2 * len(one))


def _state(system: DynamicSystem, flights: list[_Flight], time: float, *, remember: bool = True) -> DynamicState:
    """All bodies at a time; with what it takes to go on from there, unless it is only looked at."""
    poses = [flight.pose(time, system.mechanism.gravity) for flight in flights]
    u = [velocities for _, _, velocities in poses]
    memory = {}
    if remember:
        memory = {
            f"conserving_{number}_{name}": np.array(getattr(flight, name))
            for number, flight in enumerate(flights)
            for name in _Flight.MEMORY
        }
        memory["conserving_begun"] = np.array([flights[0].begun])
    return DynamicState(
        time=time,
        positions=np.array([position for position, _, _ in poses]),
        quaternions=np.array([flight.quaternion for flight in flights]),
        deformation=np.concatenate([delta for _, delta, _ in poses]),
        velocities=np.array([part[:3] for part in u]),
        angular_velocities=np.array([part[3:6] for part in u]),
        rates=np.concatenate([part[6:] for part in u]),
        angles=np.array([flight.sums[0] for flight in flights]),
        memory=memory,
    )


def _works(flights: list[_Flight]) -> Array:
    """Work of drives and of loads, and what was dissipated, all bodies together."""
    return np.array([0.0, 0.0, sum(float(flight.sums[1]) for flight in flights)])
