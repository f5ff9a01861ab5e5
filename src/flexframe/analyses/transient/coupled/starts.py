"""The state in which a coupled motion starts, as the deformation at the start is chosen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from flexframe.analyses.transient.coupled.segments import run_segments
from flexframe.analyses.transient.free_starts import left_behind
from flexframe.analyses.transient.motion_start import Cycle, MotionStart
from flexframe.errors import AnalysisError, InputError
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import rotation_from_quaternion
from flexframe.model.contacts import SphereInSphere
from flexframe.model.system import InitialDeformation, System
from flexframe.multibody.contract import DynamicState, DynamicSystem, Simulation, SimulationOptions
from flexframe.multibody.division.pieces import whole_name
from flexframe.multibody.equilibria.elastic import elastic_equilibrium
from flexframe.multibody.equilibria.rest import has_exact_beams, loaded_equilibrium, loaded_start
from flexframe.multibody.forces import places_of_contacts
from flexframe.multibody.integrators.periodic import PeriodicStart, elastic_cycle
from flexframe.multibody.integrators.recording import bent_too_far, gaps_at
from flexframe.multibody.laws import system_before
from flexframe.multibody.motion import (
    period_of_drives,
    require_repeating_drives,
    require_repeating_loads,
)
from flexframe.multibody.start import consistent_start, initial_state, rigid_start, velocity_changes

_OVERLAP = 1e-9  # of shapes at the start, beside the size of the system, that is rounding


def motion_start(system: DynamicSystem, way: InitialDeformation) -> tuple[DynamicState, MotionStart]:
    """The state at t = 0, and how it was found; of a cycle the state near which it is searched."""
    record = MotionStart(way)
    exact = has_exact_beams(system)
    if way == "at_rest":
        state, record = _resting_start(system)
    elif way == "undeformed" or not (system.elastic_starts[-1] or exact):
        state = initial_state(system)
    elif exact:
        state, path = loaded_start(system)
        record = replace(record, iterations=sum(len(step.corrections) for step in path.steps))
    elif way == "periodic":
        try:
            state = elastic_equilibrium(system, rigid_start(system)).state
        except AnalysisError:
            state = initial_state(system)
    else:
        found = elastic_equilibrium(system, rigid_start(system))
        state = found.state
        reason = bent_too_far(system, state)
        if reason is not None:
            raise AnalysisError(f"in equilibrium with its loads {reason}")
        record = replace(
            record,
            moved=float(found.moved.max()),
            turned=float(found.turned.max()),
            iterations=found.iterations,
            eigenvalue=found.eigenvalue,
        )
    changes = velocity_changes(system, state)
    return state, replace(
        record,
        velocity_changes={whole_name(system.system, c.body): (c.linear, c.angular) for c in reversed(changes)},
        left_behind=left_behind(system, state),
    )


def _resting_start(system: DynamicSystem) -> tuple[DynamicState, MotionStart]:
    """Every body where it rests under the loads before the start, with the velocities that are described."""
    begin = rigid_start(system)
    found = loaded_equilibrium(system_before(system, 0.0), begin)
    if found.stability == "unstable":
        raise AnalysisError(
            "the position at rest that is found is unstable: the least disturbance leads away from it; begin "
            "nearer to a stable one"
        )
    before, after = (rotation_from_quaternion(state.quaternions) for state in (begin, found.state))
    kept = np.einsum("bji,bjk->bik", after, before)  # velocities in axes of the bodies, of space the same
    state = replace(
        found.state,
        velocities=np.einsum("bij,bj->bi", kept, begin.velocities),
        angular_velocities=np.einsum("bij,bj->bi", kept, begin.angular_velocities),
    )
    return consistent_start(system, state), MotionStart(
        "at_rest",
        moved=float(found.moved.max(initial=0.0)),
        turned=float(found.turned.max(initial=0.0)),
        iterations=found.iterations,
        eigenvalue=float(found.eigenvalues[0].real) if len(found.eigenvalues) else np.inf,
    )


@dataclass(frozen=True, eq=False)
class MotionEnd:
    """Where a motion ended: its state, and the bases of elastic bodies in which that is."""

    state: DynamicState
    bases: Mapping[str, Array]  # V: (p, m) each

    def begin(self, system: DynamicSystem, bases: Mapping[str, Array]) -> tuple[DynamicState, MotionStart]:
        """The same in another system of the same bodies, put on its joints and drives; nearest in other bases."""
        old = self.state
        if len(old.positions) != len(system.bodies) or self.bases.keys() != bases.keys():
            raise InputError(
                "the motion before has other bodies, or other parts of them; take the same reductions"
            )
        parts: dict[str, list[Array]] = {"deformation": [], "rates": []}
        begun = 0
        for number, body in enumerate(system.bodies):
            own = system.elastic_starts[number + 1] - system.elastic_starts[number]
            before = self.bases[body.name].shape[1] if body.name in bases else own
            for name, found in parts.items():
                values = getattr(old, name)[begun : begun + before]
                if body.name in bases and not np.array_equal(bases[body.name], self.bases[body.name]):
                    values = np.linalg.lstsq(bases[body.name], self.bases[body.name] @ values, rcond=None)[0]
                found.append(values)
            begun += before
        signals = system.tables.signals
        fresh = {
            "states": signals.initial_states,
            "held": signals.initial_held,
            "counted": initial_state(system).counted,
        }
        same = {name: getattr(old, name) for name, new in fresh.items() if getattr(old, name).shape == new.shape}
        joined = {name: np.concatenate([np.zeros(0), *found]) for name, found in parts.items()}
        carried: dict[str, Any] = {**joined, **fresh, **same}
        state = replace(old, **carried, memory={})
        record = MotionStart("undeformed", continued=old.time)
        changes = velocity_changes(system, state)
        words = {whole_name(system.system, c.body): (c.linear, c.angular) for c in reversed(changes)}
        return state, replace(record, velocity_changes=words)


def require_sound_start(alone: Simulation) -> None:
    """Refuse signals without a value at the start, and shapes that overlap there as their law does not know."""
    network, system = alone.system.network, alone.system.system
    controllers = {controller.name for controller in system.controllers}
    for each in network.reported:
        what = "controllers" if each.name in controllers else "loads"
        _require_values(alone.signals[0, list(each.signals)], (what, each.name))
    for event in network.events[: len(system.events)]:  # behind them are stops and impacts
        _require_values(alone.signals[0, [event.signal]], ("events", event.name))
    impacts = [event for event in network.events if event.touch >= 0]
    gaps = gaps_at(alone.system, alone.end) if system.all_contacts else np.zeros(0)
    places = places_of_contacts(alone.system.tables.contacts)
    _require_inside(system, [float(gaps[own].min()) for own in places])
    for event in impacts:
        overlap = -float(gaps[event.touch])
        if overlap > _OVERLAP * alone.system.mechanism.length:
            what = "contacts" if any(event.name == each.name for each in system.contacts) else "joints"
            raise InputError(
                f"the shapes of {event.name} overlap by {overlap:.4g} m at the start, and an impulsive law acts "
                "only where shapes meet; start with a gap, or take a law with a stiffness",
                part=(what, event.name),
            )


def _require_inside(system: System, gaps: Sequence[float]) -> None:
    """Refuse a ball or journal that lies outside its socket, where a law would push it ever further."""
    for contact, gap in zip(system.all_contacts, gaps, strict=True):
        if isinstance(contact, SphereInSphere) and -gap > 2 * contact.radius > 0:
            what = "contacts" if any(contact.name == each.name for each in system.contacts) else "joints"
            raise InputError(
                f"{contact.second} starts outside its socket at {contact.first}, {contact.clearance - gap:.4g} m "
                f"from its middle; start it inside, where the play is {contact.clearance:g} m",
                part=(what, contact.name),
            )


def _require_values(values: Array, part: tuple[str, str]) -> None:
    if not np.isfinite(values).all():
        number = float(values[~np.isfinite(values)][0])
        words = "no number" if np.isnan(number) else "infinite"
        raise InputError(
            f"{part[1]} is {words} at the start; give a formula with a value there, such as max(t, 1e-3) for t",
            part=part,
        )


def steady_start(system: DynamicSystem, near: DynamicState, options: SimulationOptions) -> PeriodicStart:
    """The start of the cycle next to a state, of the integration with these options."""
    period = options.period or period_of_drives(system.mechanism)
    require_repeating_drives(system.mechanism, 0.0, period)
    require_repeating_loads(system.mechanism, 0.0, period)
    return elastic_cycle(system, near, period, lambda state, times: run_segments(system, state, times, options)[0])


def steady_cycle(
    system: DynamicSystem, near: DynamicState, options: SimulationOptions
) -> tuple[DynamicState, MotionStart]:
    """The same, with the largest multiplier of the cycle."""
    found = steady_start(system, near, options)
    largest = float(np.abs(found.multipliers).max(initial=0.0))
    return found.state, MotionStart(
        "periodic", cycle=Cycle(found.period, found.residual, largest, found.iterations)
    )


def with_displacements(start: MotionStart, shapes: Mapping[str, Array]) -> MotionStart:
    """The start with its largest elastic displacement; `shapes` (nodes, 6) of each body are those at t = 0."""
    sizes = {name: float(np.linalg.norm(nodes[:, :3], axis=1).max()) for name, nodes in shapes.items()}
    if not sizes:
        return start
    body = max(sizes, key=lambda name: sizes[name])
    return replace(start, largest_displacement=sizes[body], body=body)
