"""Motion of a mechanism under its forces."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from flexframe.analyses.judging import judge
from flexframe.analyses.kinematics.analysis import mechanism_sensors
from flexframe.analyses.peak_instants import Seen, peaks_between, with_peaks
from flexframe.analyses.rigid_motion.record import Periodicity, RigidMotion
from flexframe.analyses.transient.coupled.segments import run_segments
from flexframe.analyses.transient.free_starts import left_behind
from flexframe.analyses.transient.motion_start import velocity_notice
from flexframe.analyses.transient.record import SensorHistory
from flexframe.errors import InputError
from flexframe.given import numbers
from flexframe.maths.arrays import Array
from flexframe.model.body import Body
from flexframe.model.drives import Drive
from flexframe.model.joint_contacts import stop_contacts
from flexframe.model.system import System
from flexframe.multibody.contract import (
    LEAST_TOLERANCE,
    MOST_TOLERANCE,
    DynamicState,
    DynamicSystem,
    Integrator,
    Simulation,
    SimulationOptions,
    require_complete,
)
from flexframe.multibody.histories import mechanism_motion
from flexframe.multibody.integrators.error_control import EmbeddedPair, ImplicitRadau, StiffMotionError
from flexframe.multibody.integrators.events import EnergyWatch, passages
from flexframe.multibody.integrators.periodic import PeriodicStart, rigid_cycle
from flexframe.multibody.integrators.recording import HISTORIES, sampled_state, some_samples, start_alone
from flexframe.multibody.integrators.simulation import integrate
from flexframe.multibody.inverse_dynamics import (
    MechanismForces,
    contact_notices,
    inverse_dynamics,
    kinetic_energy,
)
from flexframe.multibody.mechanism import watch_coordinates
from flexframe.multibody.motion import MechanismMotion, require_repeating_drives, require_repeating_loads
from flexframe.multibody.start import initial_state, velocity_changes
from flexframe.multibody.system import dynamic_system
from flexframe.results.checkpoint import Checkpoint, keep_in
from flexframe.sensors.contract import Sensor
from flexframe.sensors.kinds import watched_markers

Method = Literal["automatic", "explicit", "implicit"]
STIFF_STEPS_LEFT = 50_000  # explicit steps that take as long as an implicit motion
_EXPLICIT = "Dormand–Prince 8(5,3)"
_WORDS: dict[Method, str] = {"automatic": _EXPLICIT, "explicit": _EXPLICIT, "implicit": "Radau IIA, order 5"}


def _integrator(method: Method, end: float) -> Integrator:
    if method == "implicit":
        return ImplicitRadau()
    return EmbeddedPair("dormand_prince_853", STIFF_STEPS_LEFT if method == "automatic" else np.inf, end)


@judge
def rigid_motion(
    system: System,
    times: ArrayLike,
    *,
    period: float | None = None,
    settle: int = 5,
    events: Sequence[Drive] = (),
    stop_at_event: bool = False,
    relative_tolerance: float = 1e-9,
    method: Method = "automatic",
    sensors: Mapping[str, Sensor] | None = None,
    progress: Callable[[float], None] | None = None,
    checkpoint: Checkpoint | None = None,
) -> RigidMotion:
    """Integrate the equations of motion from the first of the times [s].

    With `period` the start is not the described one but that of the periodic motion, searched by shooting after
    some periods of settling; drives and loads must have that period. Events are coordinates written like drives;
    the times at which one passes its law are noted.

    Parameters
    ----------
    system
        Rigid bodies with joints, drives and loads.
    times
        Increasing times [s].
    period, settle
        Period [s] of a periodic motion, and how many periods are integrated before it is searched.
    events, stop_at_event
        Coordinates whose passages are noted, and whether the first one ends the motion.
    relative_tolerance
        Of the integration.
    method
        "automatic" begins with explicit steps and begins anew with implicit ones where the motion proves stiff,
        which a notice says; "explicit" and "implicit" stay what they are.
    sensors
        By name, see `flexframe.sensors`.
    progress, checkpoint
        Called with the finished fraction; where an unfinished motion is kept.

    Returns
    -------
    RigidMotion
        Positions [m], rotations [rad], velocities, joint forces [N, N m] and energies [J] over time.

    Examples
    --------
    >>> rod = ff.RigidBody.rod("rod", length=1.0, mass=2.0)
    >>> pendulum = ff.System([rod], [ff.Revolute("A", "ground", "rod")], loads=[ff.SystemGravity()])
    >>> found = ff.rigid_motion(pendulum, [0.0, 0.01, 0.02])
    >>> round(float(found.motion.body("rod").angles[-1]), 5)  # −¾ g t²/L: released from the horizontal
    -0.00294
    """
    t = numbers(times, "times")
    if len(t) < 2:
        raise InputError("a motion needs a start and an end; give two times or more", field="samples")
    if not np.isfinite(t).all() or (np.diff(t) <= 0).any():
        raise InputError("the times of a motion must increase from its start; sort them")
    if not LEAST_TOLERANCE < relative_tolerance < MOST_TOLERANCE:
        raise InputError(
            f"a tolerance of {relative_tolerance:g} cannot be met; give 1e-13 to 1e-2", field="relative_tolerance"
        )
    task = _Task(system, t, period, settle, tuple(events), stop_at_event, relative_tolerance, sensors)
    with keep_in(checkpoint):
        try:
            return _compute(task, method, progress)
        except StiffMotionError as stiff:
            notice = (
                f"the motion is stiff at t = {stiff.time:.4g} s: explicit steps would be bounded by stability "
                "there, so that the implicit integrator was taken for all of it"
            )
        found = _compute(task, "implicit", progress)
    return replace(found, notices=(*found.notices, notice))


@dataclass(frozen=True, eq=False)
class _Task:
    """What is asked for, by whatever integrator."""

    system: System
    times: Array
    period: float | None
    settle: int
    events: tuple[Drive, ...]
    stop_at_event: bool
    tolerance: float
    sensors: Mapping[str, Sensor] | None


def _compute(task: _Task, method: Method, progress: Callable[[float], None] | None) -> RigidMotion:
    """The motion by one integrator."""
    t = task.times
    task.system.require_stops_at_most("a rigid motion")
    task.system.require_free_of_reactions("a rigid motion")
    _require_no_memory(task.system)
    dynamic = dynamic_system(_without_body_loads(task.system))
    _require_no_jumps(dynamic)
    integrator = _integrator(method, float(t[-1]))
    options = SimulationOptions(duration=t[-1] - t[0], tolerance=task.tolerance, integrator=integrator)
    start = initial_state(dynamic, time=float(t[0]))
    changes, behind = velocity_changes(dynamic, start), left_behind(dynamic, start)
    _try_sensors(dynamic, start, task.sensors)
    periodicity = None
    if task.period is not None:
        found = _periodic(dynamic, start, task.period, task.settle, options)
        start, changes, behind = found.state, (), ()
        periodicity = Periodicity(task.period, found.residual, found.multipliers, found.iterations)
    happened = _passages(task, dynamic, options, start)
    if happened and task.stop_at_event:
        t = t[t <= happened[0][1]]
    # up to the event, where it ends the motion between two times
    ended = happened and task.stop_at_event and happened[0][1] > t[-1]
    until = np.append(t, happened[0][1]) if ended else t
    energies = EnergyWatch(float(until[-1]))
    run, _ = run_segments(
        dynamic,
        start,
        until,
        options,
        watch=energies,
        progress=progress,
        even=method == "implicit",
        partial=False,
    )
    require_complete(run)
    sampled = some_samples(run, slice(0, len(t)))
    motion = mechanism_motion(sampled)
    forces = inverse_dynamics(motion, sampled.contacts)

    def sensors(there: MechanismMotion, needed: MechanismForces) -> dict[str, SensorHistory]:
        return mechanism_sensors(task.sensors, there, needed, analysis="a rigid motion")

    def look(instants: Array) -> Seen:
        between = _between(run, options, instants)
        there = mechanism_motion(between)
        needed = inverse_dynamics(there, between.contacts)
        return Seen(there, needed, sensors(there, needed))

    seen = sensors(motion, forces)
    between = peaks_between(Seen(motion, forces, seen), look)
    return RigidMotion(
        forces=forces,
        kinetic_energy=kinetic_energy(motion),
        energy_drift=energies.drift(run),
        steps=run.statistics.steps,
        evaluations=run.statistics.evaluations,
        method=_WORDS[method],
        events=happened,
        periodicity=periodicity,
        sensors=with_peaks(seen, motion.times, between),
        watched=watched_markers(motion.mechanism.system, task.sensors or {}),
        between=between,
        notices=(
            *motion.mobility.notices(),
            *contact_notices(forces),
            *idle_loads(task.system),
            *(velocity_notice(change.body, change.linear, change.angular) for change in changes),
            *behind,
        ),
    )


def _require_no_memory(system: System) -> None:
    """Refuse stops whose damping follows the speed of the impact, which is not known between samples."""
    for joint in system.joints:
        for contact in stop_contacts(joint):
            if contact.law.factor > 0 and contact.law.kind != "kelvin_voigt":
                raise InputError(
                    f"a rigid motion knows no {contact.law.kind} of stops, as {joint.name} has; give it a "
                    "stop_stiffness and a stop_damping, or take kind: transient with reduction: rigid",
                    field="stop_law",
                    part=("joints", joint.name),
                )


def _require_no_jumps(dynamic: DynamicSystem) -> None:
    """Refuse what changes forces at instants: the motion is taken anew between samples, from positions alone."""
    network = dynamic.network
    if network.events or network.samplings:
        what = f"event {network.events[0].name}" if network.events else "sampled controllers"
        raise InputError(
            f"a rigid motion does not follow {what}; take kind: transient with reduction: rigid", field="kind"
        )


def _between(run: Simulation, options: SimulationOptions, instants: Array) -> Simulation:
    """The motion at other times, integrated anew from the sample before each of them."""
    before = np.searchsorted(run.times, instants, side="right") - 1
    first = np.flatnonzero(
        np.diff(before, prepend=-2) > 1
    )  # a run goes on through samples that follow one another
    parts = []
    for group in np.split(np.arange(len(instants)), first[1:]):
        start = sampled_state(run, int(before[group[0]]))
        times = np.concatenate([[start.time], instants[group]])
        found = integrate(run.system, options, start, times=times)
        parts.append(some_samples(found, slice(1, None)))
    joined: dict[str, Any] = {name: np.concatenate([getattr(part, name) for part in parts]) for name in HISTORIES}
    return replace(run, **joined)


def _passages(
    task: _Task, dynamic: DynamicSystem, options: SimulationOptions, start: DynamicState
) -> tuple[tuple[str, float], ...]:
    """Events and their times."""
    if not task.events:
        return ()
    return passages(
        lambda instants, observe: integrate(
            dynamic, replace(options, observe=observe), start, times=instants, partial=True
        ),
        start,
        float(task.times[-1]),
        watch_coordinates(dynamic.mechanism, task.events),
        planar=dynamic.planar,
        once=task.stop_at_event,
    )


def _periodic(
    dynamic: DynamicSystem, start: DynamicState, period: float, settle: int, options: SimulationOptions
) -> PeriodicStart:
    """The start of the periodic motion near a start."""
    if not period > 0:
        raise InputError(f"a period of {period:g} s is not possible; give seconds, more than zero", field="period")
    require_repeating_drives(dynamic.mechanism, start.time, period)
    require_repeating_loads(dynamic.mechanism, start.time, period)
    assert options.tolerance is not None, "a rigid motion is integrated with error control"

    def advance(state: DynamicState, times: Array) -> Simulation:
        return integrate(dynamic, options, state, times=times)

    return rigid_cycle(dynamic, start, period, advance, options.tolerance, settle)


def _try_sensors(dynamic: DynamicSystem, start: DynamicState, sensors: Mapping[str, Sensor] | None) -> None:
    """What sensors ask for is tried at the start, before anything is computed."""
    if sensors:
        alone = start_alone(dynamic, start)
        motion = mechanism_motion(alone)
        mechanism_sensors(sensors, motion, inverse_dynamics(motion, alone.contacts), analysis="a rigid motion")


def _without_body_loads(system: System) -> System:
    """The system with bodies on which only loads of the system act."""
    if not any(isinstance(body, Body) and body.loads for body in system.bodies):
        return system
    bodies = tuple(replace(body, loads=()) if isinstance(body, Body) else body for body in system.bodies)
    return replace(system, bodies=bodies)


def idle_loads(system: System) -> tuple[str, ...]:
    """Notices about loads of the bodies themselves, which rigid mechanisms do not know."""
    return tuple(
        f"the loads of body {body.name} itself do not act in a rigid mechanism; give them as loads of the system, "
        "or take kind: transient with reduction: rigid"
        for body in system.bodies
        if isinstance(body, Body) and body.loads
    )
