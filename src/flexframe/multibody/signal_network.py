"""All signals of a system together: what loads follow, what events look at, and the tables of the core."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from flexframe import _core
from flexframe.errors import at_field, at_part
from flexframe.maths.arrays import Array
from flexframe.maths.formula import Formula
from flexframe.model.constraints import Along, Coupled, Rotation
from flexframe.model.events import Event, Passage
from flexframe.model.joints import Jointed, lock_coordinates
from flexframe.model.measured import MeasuredCoordinate, MeasuredReaction
from flexframe.model.system import System
from flexframe.model.system_loads import CoordinateForce
from flexframe.model.transmissions.contract import FlankForce, Pull
from flexframe.model.transmissions.followers import Proportional
from flexframe.multibody.signal_builder import SignalBuilder
from flexframe.multibody.signals import Lock, Sampling, SignalEvent, SignalLaw, SignalNetwork
from flexframe.multibody.tables import SignalTables
from flexframe.sensors.kinds import LoadSensor

_DIRECTIONS: Mapping[Passage, int] = {"growing": 1, "falling": -1, "both": 0}
_ABOVE_ZERO = 1e-300  # beyond which a lock closes: a switch that is zero leaves it open


def signal_network(
    system: System,
    elements: Sequence[CoordinateForce] = (),
    owners: Sequence[str] = (),
    observed: Sequence[str] = (),
) -> SignalNetwork:
    """The signals that the loads of a system follow, those of its controllers, and what its events look at.

    `elements` are the forces along coordinates and `owners` those of the constraints, in the order of the core.
    `observed` are names that become signals whether a formula reads them or not.
    """
    builder = SignalBuilder(system, elements, owners)
    outputs = builder.connections.all_outputs()
    for load in system.loads:
        builder.follow(load)
    for element in elements:
        if isinstance(element, Pull):
            builder.followed[element.name] = (SignalLaw(_pull(builder, element)),)
    load_forces = _load_forces(builder)
    seen = {name: builder.find(name, instants=True) for name in observed}
    locks = _locks(builder)
    found = (*(_watch(builder, event) for event in system.events), *locks.values())
    found = (*found, *_passing_jumps(builder), *_impacts(system, len(builder.signals)))
    samplings = (*(Sampling(*key, tuple(pairs)) for key, pairs in builder.samplings.items()), *builder.functions)
    return SignalNetwork(
        tables=_tables(builder, samplings, found),
        signals=tuple(builder.signals),
        laws=tuple(builder.laws),
        coordinates=tuple(builder.coordinates),
        samplings=samplings,
        events=found,
        outputs=outputs,
        followed=builder.followed,
        bristles=builder.bristles,
        loads=tuple(system.loads),
        units={each.name: getattr(each, "unit", "") for each in system.controllers},
        elements=tuple(elements),
        load_forces=load_forces,
        locks=tuple(locks),
        inputs=tuple(system.inputs),
        jumps=tuple(builder.jumps),
        observed=seen,
        state_owners=tuple(builder.state_owners),
    )


def _passing_jumps(builder: SignalBuilder) -> list[SignalEvent]:
    """Where what jumps in formulas leaves its side."""
    names = [f"{jump.text} of {jump.owner}" if jump.owner else jump.text for jump in builder.jumps]
    return [
        SignalEvent(name, jump.signal, "falling", jump=number)
        for number, (name, jump) in enumerate(zip(names, builder.jumps, strict=True))
    ]


def _load_forces(builder: SignalBuilder) -> dict[str, tuple[int, ...]]:
    """Signals of the loads that sensors of the system measure, whether a formula reads them or not."""
    found = {}
    for name, sensor in builder.system.sensors.items():
        if isinstance(sensor, LoadSensor):
            parts = sensor.measurements(name, builder.system).values()
            found[sensor.load] = tuple(builder.measure(part) for part in parts)
    return found


def _locks(builder: SignalBuilder) -> dict[Lock, SignalEvent]:
    """Locks of joints, and where they close and open."""
    found = {}
    for joint in builder.system.joints:
        if not isinstance(joint, Jointed) or joint.lock is None:
            continue
        with at_part("joints", joint.name), at_field("lock"):
            rows = lock_coordinates(joint, planar=builder.system.space == "planar")
            held, *places = (builder.signals[builder.hold()].source for _ in range(1 + len(rows)))
            closes = builder.linear([(1.0, builder.input(joint.lock))], -_ABOVE_ZERO)
            turning = not any(isinstance(row, Along) for row in rows)
            event = SignalEvent(f"lock of {joint.name}", closes, turning=turning, lock=held)
            found[Lock(joint.name, held, tuple(places))] = event
    return found


def _pull(builder: SignalBuilder, pull: Pull) -> int:
    """The force of a transmission beside its own coordinate."""
    if pull.law.variables != ("force",):
        return builder.formula(pull.law, _stretch(builder, pull.joint, pull.coupled))
    flanks = [
        (each.side, builder.element_force(number, _stretch(builder, pull.joint, each.coupled)))
        for number, each in enumerate(builder.elements)
        if isinstance(each, FlankForce) and each.name == pull.joint
    ]
    carried = builder.linear(flanks) if flanks else builder.measure(MeasuredReaction(pull.name, pull.joint))
    return builder.formula(pull.law, [carried])


def _stretch(builder: SignalBuilder, joint: str, coupled: Coupled) -> list[int]:
    """s − f(r) of an elastic transmission, and its rate."""
    law = coupled.law
    assert isinstance(law, Proportional), "gears, racks and belts have one"
    found = []
    for rate in (False, True):
        follower, leader = (
            builder.coordinate(MeasuredCoordinate(joint, side.first, side.second, side.coordinate, rate=rate))
            for side in coupled.sides
        )
        found.append(builder.linear([(1.0, follower), (-law.slope, leader)], 0.0 if rate else -law.offset))
    if isinstance(coupled.follower.coordinate, Rotation):  # whose whole turns do not stretch anything
        found[0] = builder.formula(Formula.parse("mod(s + pi, 2*pi) - pi", ("s",)), found[:1])
    return found


def _watch(builder: SignalBuilder, event: Event) -> SignalEvent:
    with at_part("events", event.name):
        held = [(builder.signals[builder.find(name)].source, float(value)) for name, value in event.set.items()]
        signal = builder.input(event.when, instants=True)
        return SignalEvent(event.name, signal, event.passage, event.stop, tuple(held))


def _impacts(system: System, signals: int) -> list[SignalEvent]:
    """Contacts that throw back: their gaps have the numbers after those of all signals."""
    found, touch = [], 0
    points = dict(zip(_core.contact_pairs(), _core.contact_points(), strict=True))
    for contact in system.all_contacts:
        law, friction = contact.law, contact.friction
        for number in range(touch, touch + points[contact.kind]):
            if law.kind == "impulsive":
                found.append(
                    SignalEvent(
                        contact.name,
                        signals + number,
                        "falling",
                        touch=number,
                        restitution=law.restitution,
                        friction=0.0 if friction is None else friction.dynamic,
                        least_speed=law.least_speed,
                        turning=contact.turning,
                    )
                )
        touch += points[contact.kind]
    return found


def _tables(builder: SignalBuilder, samplings: Sequence[Sampling], events: Sequence[SignalEvent]) -> SignalTables:
    signals = builder.signals
    counts = [len(signal.inputs) for signal in signals]
    groups = [len(sampling.pairs) for sampling in samplings]
    pairs = [pair for sampling in samplings for pair in sampling.pairs]
    missing = set(range(len(builder.initial_states))) - builder.derivatives.keys()
    assert not missing, "every state of a controller has a rate"
    return SignalTables(
        kinds=_whole([signal.kind for signal in signals]),
        sources=_whole([signal.source for signal in signals]),
        constants=_real([signal.constant for signal in signals]),
        starts=_whole([0, *np.cumsum(counts)]),
        inputs=_whole([i for signal in signals for i in signal.inputs]),
        factors=_real([c for signal in signals for c in signal.factors]),
        derivatives=_whole([builder.derivatives[k] for k in range(len(builder.initial_states))]),
        initial_states=_real(builder.initial_states),
        initial_held=_real(builder.initial_held),
        sample_starts=_whole([0, *np.cumsum(groups)]),
        sampled_held=_whole([held for held, _ in pairs]),
        sampled_signals=_whole([signal for _, signal in pairs]),
        events=_whole([event.signal for event in events]),
        event_directions=_whole([_DIRECTIONS[event.passage] for event in events]),
        reactions=_whole(
            [(first, rows, direction is not None, turns) for first, rows, turns, direction in builder.reactions]
        ).reshape(-1, 4),
        reaction_directions=_real([direction or (0.0,) * 6 for *_, direction in builder.reactions]).reshape(-1, 6),
        jumps=_whole([(jump.kind, jump.signal, jump.held) for jump in builder.jumps]).reshape(-1, 3),
    )


def _whole(values: Sequence[Any]) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    return np.array(values, dtype=np.int64)


def _real(values: Sequence[Any]) -> Array:
    return np.array(values, dtype=float)
