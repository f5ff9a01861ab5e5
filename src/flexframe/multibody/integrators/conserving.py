"""Energy and both momenta kept: collocation in spatial momenta of free bodies, balances over steps of all else.

Fixed steps that keep energy and momenta of rigid bodies, exact beams and joints, of second order.

Over a step every body moves by one twist, and forces are differences of energies over it in place of derivatives,
so that joints, drives, springs, beams and weight work exactly as far as energies change, and act on two bodies by
equal and opposite wrenches (`core/include/flexframe/step_balance.hpp`).

The mass centre of a body in free flight moves on its parabola. About it the body has its angular momentum, fixed
in space, and its elastic coordinates with their momenta; they are advanced by energy-preserving collocation of
order 2s on the nodes of Gauss, solved to round-off and added up with compensation. Nothing depends on the size of
the step but accuracy. Systems with joints, loads or exact beams take `energy_momentum`.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from time import perf_counter
from typing import ClassVar

import numpy as np

from flexframe import _core
from flexframe._core import FlightOutcome
from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.model.system_loads import SystemGravity
from flexframe.model.transmissions.contract import elements_of
from flexframe.multibody.contract import (
    DynamicState,
    DynamicSystem,
    Follows,
    Progress,
    Simulation,
    SimulationOptions,
    Statistics,
)
from flexframe.multibody.division.pieces import whole_name
from flexframe.multibody.integrators.fixed_steps import FixedSteps, fixed_step
from flexframe.multibody.integrators.free_flight import Flight, Poses, Taken, begin_flight, gauss_coefficients
from flexframe.multibody.integrators.recording import StateBlocks, bent_too_far, equal_steps, simulation_of
from flexframe.multibody.laws import SIGNAL
from flexframe.stages import begin_work


def keep_energy(  # noqa: PLR0917 - the order of the contract
    name: str,
    system: DynamicSystem,
    start: DynamicState,
    times: Array,
    options: SimulationOptions,
    progress: Progress | None,
    checkpoint: Callable[[DynamicState], None] | None,
) -> Simulation:
    """The motion at the wanted times, with steps that end on them."""
    require_kept(system)
    run = _core.EnergyMomentum(system.compiled)
    return FixedSteps(name, system, run, start, times, options, progress).simulate(checkpoint)


def require_kept(system: DynamicSystem) -> None:
    """Refuse what has no balance over a step."""
    described, tables = system.system, system.tables
    elastic = [whole_name(described, body.name) for body in system.bodies if body.size]
    transmissions = [element.name for element in elements_of(described.joints)]
    following = [system.owners[k] for k in np.flatnonzero(tables.rows.leading[:, 1])]
    of_forces, of_loads = (tables.forces.laws.ravel(), tables.forces.actuators), (tables.loads.laws,)
    laws = np.concatenate([*of_forces, *of_loads, tables.fields.laws, tables.beams.laws])
    reasons = {
        f"the small deflections of {elastic[0]}": "make it exact (reduction: exact, of beams) or rigid"
        for _ in elastic[:1]
    }
    reasons |= {f"the contact {found.name}": "" for found in described.all_contacts[:1]}
    reasons |= {f"the transmission {found}": "" for found in transmissions[:1]}
    reasons |= {f"{found}, which follows other coordinates": "" for found in following[:1]}
    reasons |= {f"the lock of {system.owners[k]}": "" for k in np.flatnonzero(tables.rows.locks[:, 0] >= 0)[:1]}
    if (tables.laws.kinds[laws[laws >= 0]] == SIGNAL).any():
        reasons["forces that follow the state"] = ""
    for what, remedy in reasons.items():
        raise InputError(
            "the conserving integrator keeps energy and momenta of rigid bodies and exact beams with joints, "
            f"drives, springs and loads of time; it does not know {what}; "
            + (f"{remedy}, or " if remedy else "")
            + "use generalised_alpha",
            field="integrator",
        )


_SEGMENT = 20_000  # steps between two looks at the deflections
_LOOKED = 500  # the same, where every step is looked at


@dataclass(frozen=True)
class Conserving:
    """Energy-preserving Gauss collocation of order 2s in spatial momenta for bodies in free flight.

    Rigid bodies and exact beams with joints, drives, springs and loads take balances over steps, of second order.
    """

    stages: int = 3
    points: int = 4  # of the mean of ∇H
    name: ClassVar[str] = "conserving"
    follows: ClassVar[Follows] = "nothing"

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
        if not flies_free(system):
            return keep_energy(self.name, system, start, times, options, progress, checkpoint)
        third = [body.name for body in system.bodies if body.quartic is not None]
        if third:
            raise InputError(
                f"the conserving integrator does not know the terms of third order of {third[0]}; leave order out "
                "of its reduction, make it exact (reduction: exact), or use generalised_alpha",
                field="integrator",
            )
        step_asked = fixed_step(options, self.name)
        coefficients = gauss_coefficients(self.stages, self.points)
        flights = [begin_flight(system, number, start, coefficients) for number in range(len(system.bodies))]
        begin_work()
        run = _Run(system, flights, _no_report if progress is None else progress, times)
        states, works = [run.state(start.time)], [run.works]
        if options.observe is not None:
            run.seen = StateBlocks(system, self.name, options.observe)
            run.seen.take(states[0], works[0])
        begun = perf_counter()
        for before, after in pairwise(times):
            state = run.interval(float(before), float(after), step_asked)
            if state is None:
                break
            states.append(state)
            works.append(run.works)
            if checkpoint is not None:
                checkpoint(state)
        if run.seen is not None:
            run.show()
            run.seen.flush()
        evaluations = run.iterations * self.points + run.body_steps
        statistics = Statistics(
            steps=run.steps,
            rejected=0,
            iterations=run.iterations,
            factorisations=evaluations,
            evaluations=evaluations,
            seconds=perf_counter() - begun,
        )
        return simulation_of(
            system, self.name, states, works=np.array(works), statistics=statistics, reason=run.reason
        )


@dataclass(eq=False)
class _Run:
    """Bodies under way together, what was done, and why it ended early."""

    system: DynamicSystem
    flights: list[Flight]
    progress: Progress
    times: Array
    seen: StateBlocks | None = None
    pending: list[tuple[Array, list[Array]]] = field(default_factory=list)  # times and traces still to be shown
    steps: int = 0
    body_steps: int = 0  # of all bodies together
    iterations: int = 0
    reason: str | None = None

    @property
    def works(self) -> Array:
        """Work of drives and of loads, and what was dissipated, all bodies together."""
        return np.array([0.0, 0.0, sum(float(flight.core.sums[1]) for flight in self.flights), 0.0])

    def state(self, time: float) -> DynamicState:
        """All bodies at present, with what it takes to go on from there."""
        memory = {
            f"conserving_{number}_{name}": value
            for number, flight in enumerate(self.flights)
            for name, value in flight.memory.items()
        }
        memory["conserving_begun"] = np.array([self.flights[0].begun])
        now = np.array([time])
        poses = [flight.poses(now, flight.row, self.system.mechanism.gravity) for flight in self.flights]
        return _states(poses, now, memory)[0]

    def interval(self, before: float, after: float, step_asked: float) -> DynamicState | None:
        """The state at the end of steps from one sample to the next; None where the run cannot go on."""
        (step, count), done = equal_steps(before, after, step_asked), 0
        while True:
            part = min(_SEGMENT if self.seen is None else _LOOKED, count - done)
            begin = before + step * done
            taken = self._segment(begin, step, part)
            done += part
            self.steps += min(own.steps for own in taken)
            self.body_steps += sum(own.steps for own in taken)
            self.iterations += sum(own.iterations for own in taken)
            self.reason = _failure(self.flights, taken, begin, step)
            if self.reason is not None:
                return None
            state = self.state(before + step * done if done < count else after)
            self.reason = bent_too_far(self.system, state)
            if self.reason is not None:
                return None
            if done == count:
                return state

    def _segment(self, begin: float, step: float, count: int) -> list[Taken]:
        """Take so many steps with one body after the other, and keep them for who wants to see all."""
        first, whole, bodies = self.times[0], self.times[-1] - self.times[0], len(self.flights)
        taken = []
        rows = 0 if self.seen is None else count
        traces = [np.empty((rows, flight.row.shape[1])) for flight in self.flights]
        for number, flight in enumerate(self.flights):

            def report(steps: int, number: int = number) -> None:
                self.progress(float((begin - first + step * (number * count + steps) / bodies) / whole))

            taken.append(flight.advance(step, count, report, traces[number] if rows else None))
        if self.seen is not None:
            fewest = min(own.steps for own in taken)
            times = np.array([begin + step * number for number in range(1, fewest + 1)])
            self.pending.append((times, [trace[:fewest] for trace in traces]))
            if sum(len(some) for some, _ in self.pending) >= _LOOKED:
                self.show()
        return taken

    def show(self) -> None:
        """Give the states of the last steps to who wants to see them."""
        if self.seen is None or not self.pending:
            return
        times = np.concatenate([some for some, _ in self.pending])
        traces = [np.concatenate(own) for own in zip(*(rows for _, rows in self.pending), strict=True)]
        self.pending = []
        gravity = self.system.mechanism.gravity
        poses = [flight.poses(times, trace, gravity) for flight, trace in zip(self.flights, traces, strict=True)]
        dissipated = np.sum([own.dissipated for own in poses], axis=0)
        for state, work in zip(_states(poses, times, {}), dissipated, strict=True):
            self.seen.take(state, np.array([0.0, 0.0, work, 0.0]))


def _no_report(fraction: float) -> None:
    """Nobody wants to know."""


def _states(poses: list[Poses], times: Array, memory: dict[str, Array]) -> list[DynamicState]:
    """All bodies at each of the times."""
    positions = np.stack([own.positions for own in poses], axis=1)
    quaternions = np.stack([own.quaternions for own in poses], axis=1)
    velocities = np.stack([own.velocities[:, :6] for own in poses], axis=1)
    deformation = np.concatenate([own.deformation for own in poses], axis=1)
    rates = np.concatenate([own.velocities[:, 6:] for own in poses], axis=1)
    angles = np.stack([own.angles for own in poses], axis=1)
    return [
        DynamicState(
            time=float(time),
            positions=positions[k],
            quaternions=quaternions[k],
            deformation=deformation[k],
            velocities=velocities[k, :, :3],
            angular_velocities=velocities[k, :, 3:],
            rates=rates[k],
            angles=angles[k],
            memory=memory,
        )
        for k, time in enumerate(times)
    ]


def _failure(flights: list[Flight], taken: list[Taken], begin: float, step: float) -> str | None:
    """Why a body could not finish its steps, or None."""
    for flight, own in zip(flights, taken, strict=True):
        time = begin + step * (own.steps + 1)
        if own.outcome is FlightOutcome.DIVERGED:
            return f"a step of {step:g} s did not converge before t = {time:.6g} s; take a smaller one"
        if own.outcome is FlightOutcome.INDEFINITE:
            return (
                f"the mass matrix of {flight.body.name} lost its definiteness before t = {time:.6g} s: it is "
                "deformed beyond what its displacement field describes; divide the body, or stiffen it"
            )
    return None


def flies_free(system: DynamicSystem) -> bool:
    """Whether nothing but constant gravity acts on bodies that nothing joins."""
    described = system.system
    bound = (
        system.rows or described.all_contacts or elements_of(described.joints) or len(system.tables.beams.bodies)
    )
    loads = [
        load
        for load in described.loads
        if not (isinstance(load, SystemGravity) and load.constant_factor is not None)
    ]
    return not (bound or loads or any(body.loads is not None for body in system.bodies))


def describe_conserving(system: DynamicSystem) -> tuple[str, str]:
    """What the integrator does with a system, in words, and whose equations it solves."""
    if flies_free(system):
        return "Gauss collocation in momenta", "hamilton"
    return "balances of energy and momenta over steps", "lagrange"
