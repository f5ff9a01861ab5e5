"""One body in free flight: its start, its steps in the compiled core, and its pose at any of them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from flexframe._core import FlightOutcome, FreeFlight
from flexframe.dynamics.contract import DynamicBody, DynamicState, DynamicSystem
from flexframe.dynamics.gauss_coefficients import GaussCoefficients
from flexframe.dynamics.momenta import CentralInertia, body_momenta, central_inertia
from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import rotation_from_quaternion

_PATIENCE = 0.05  # seconds in the core until Python looks whether the run is to be stopped


class Taken(NamedTuple):
    """What came of some steps."""

    outcome: FlightOutcome
    steps: int
    iterations: int


class Poses(NamedTuple):
    """Where a body is and how it moves, at T instants."""

    positions: Array  # r_O in space: (T, 3)
    quaternions: Array  # (T, 4)
    deformation: Array  # δ: (T, m)
    velocities: Array  # v, ω, δ̇ in body components: (T, 6 + m)
    angles: Array  # of a planar body about z: (T,)
    dissipated: Array  # work of damping: (T,)


@dataclass(frozen=True, eq=False)
class Flight:
    """One body under way; `core` holds what is advanced."""

    body: DynamicBody
    inertia: CentralInertia
    core: FreeFlight
    centre: Array  # of mass at the start: (3,)
    drift: Array  # velocity of the mass centre at the start: (3,)
    begun: float  # time of the start

    STATE: ClassVar = ("y", "lost", "quaternion", "slopes", "sums", "reference", "watch")
    MEMORY: ClassVar = (*STATE, "centre", "drift")

    @property
    def memory(self) -> dict[str, Array]:
        """What it takes to go on with the same bits."""
        own = {name: np.array(getattr(self.core, name)) for name in self.STATE}
        return own | {"centre": self.centre, "drift": self.drift}

    @property
    def row(self) -> Array:
        """The present as a trace of one step: (1, 3 + 2m + 6)."""
        core = self.core
        return np.concatenate([core.y, core.quaternion, core.sums])[None]

    def advance(
        self, step: float, count: int, between: Callable[[int], None], trace: Array | None = None
    ) -> Taken:
        """Take steps; `between` is called with their number so far, often enough to stop a run by raising.

        The rows of `trace` are filled with the state after each step.
        """
        steps = iterations = 0
        while True:
            rows = None if trace is None else trace[steps:]
            outcome, own, used = self.core.advance(step, count - steps, _PATIENCE, rows)
            steps, iterations = steps + own, iterations + used
            between(steps)
            if outcome is not FlightOutcome.PAUSED:
                return Taken(outcome, steps, iterations)

    def poses(self, times: Array, trace: Array, gravity: Array) -> Poses:
        """The body at times, of which the trace tells the states; no row knows of the others."""
        body, m = self.body, self.body.size
        y, quaternions = trace[:, : 3 + 2 * m], trace[:, 3 + 2 * m : 7 + 2 * m]
        _, gradients = self.inertia.energy_gradient(y)
        omega, modes = gradients[:, :3], self.inertia.modes
        delta, rates = _apply(modes, y[:, 3 : 3 + m]), _apply(modes, gradients[:, 3 : 3 + m])
        slopes = _apply(body.products, delta[:, None])  # ∂z/∂δ: (T, k, m)
        eta = np.concatenate([delta, _apply(slopes, delta) / 2], axis=1)
        eta_rates = np.concatenate([rates, _apply(slopes, rates)], axis=1)
        arm = (body.first_moment + _apply(body.origin_coupling, eta)) / body.mass  # of the mass centre
        R, elapsed = rotation_from_quaternion(quaternions), (times - self.begun)[:, None]
        centre = self.centre + elapsed * (self.drift + elapsed * gravity / 2)
        velocity = _apply(R.swapaxes(1, 2), self.drift + elapsed * gravity) - np.cross(omega, arm)
        velocity -= _apply(body.origin_coupling, eta_rates) / body.mass
        return Poses(
            positions=centre - _apply(R, arm),
            quaternions=quaternions,
            deformation=delta,
            velocities=np.concatenate([velocity, omega, rates], axis=1),
            angles=trace[:, -2],
            dissipated=trace[:, -1],
        )


def begin_flight(
    system: DynamicSystem, number: int, start: DynamicState, coefficients: GaussCoefficients
) -> Flight:
    """A body at its start, or where the memory of the state left it."""
    body = system.bodies[number]
    inertia = central_inertia(body, planar=system.planar)
    core = FreeFlight(inertia.hamiltonian, coefficients.method)
    keys = {name: f"conserving_{number}_{name}" for name in Flight.MEMORY}
    saved = {name: start.memory[key] for name, key in keys.items() if key in start.memory}
    if len(saved) == len(keys) and saved["slopes"].size == core.slopes.size:
        for name in Flight.STATE:
            getattr(core, name)[:] = saved[name].ravel()
        begun = float(start.memory["conserving_begun"][0])
        return Flight(body, inertia, core, saved["centre"].copy(), saved["drift"].copy(), begun)
    part = system.elastic(number)
    delta = start.deformation[part]
    u = np.concatenate([start.velocities[number], start.angular_velocities[number], start.rates[part]])
    momenta = body_momenta(body, delta, u)
    z = np.linalg.solve(inertia.modes, delta) if body.size else delta
    core.y[:] = np.concatenate([momenta.angular, z, inertia.modes.T @ momenta.elastic])
    core.quaternion[:] = start.quaternions[number]
    if system.planar:
        core.y[:2] = 0.0
        core.sums[0] = start.angles[number]
    if not np.isfinite(core.keep_invariants()):
        raise InputError(f"body {body.name} is deformed too much at the start; give a smaller deformation")
    R = rotation_from_quaternion(start.quaternions[number])
    centre, drift = start.positions[number] + R @ momenta.centre, R @ momenta.linear / body.mass
    return Flight(body, inertia, core, centre, drift, start.time)


def _apply(matrices: Array, vectors: Array) -> Array:
    """Matrix times vector, each by itself: one product for all would sum in an order that depends on how many."""
    return np.asarray((matrices @ vectors[..., None])[..., 0])
