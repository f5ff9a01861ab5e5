"""Names, units and values of the states and event indicators that a unit for model exchange has."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from flexframe import _core
from flexframe.analyses.stepping import Simulation
from flexframe.errors import InputError
from flexframe.model.friction import Friction
from flexframe.multibody.contract import DynamicSystem
from flexframe.multibody.equations import place_of

_SHAPE = "m kg^0.5"  # of shapes with unit mass
_AXES = "xyz"


@dataclass(frozen=True)
class StateVariable:
    """A continuous state at the start."""

    name: str
    unit: str
    value: float
    nominal: float
    words: str


@dataclass(frozen=True, eq=False)
class ExchangedStates:
    """What an integrator outside sees of a system."""

    states: tuple[StateVariable, ...]
    indicators: tuple[str, ...]  # what they look at


def exchanged_states(sim: Simulation) -> ExchangedStates:
    """The states of a system as equations with events; an InputError says why it cannot be such."""
    dynamic = sim.dynamic
    for jump in dynamic.network.jumps:
        raise InputError(
            f"{jump.text} of {jump.owner} may slide along its jump, which changes the number of states; take "
            "co-simulation, or write tanh(…) with a width in its place",
            field="interface",
        )
    start = replace(sim.state, states=np.zeros(0))  # the initial ones: our integrator has bent bristles already
    try:
        own = _core.ContinuousSystem(dynamic.compiled, sim.stepping, place_of(dynamic, start), sim.time)
    except ValueError as error:
        raise InputError(str(error), field="interface") from None
    described = [
        *(_position(dynamic, number) for number in own.positions),
        *(_velocity(dynamic, number) for number in own.velocities),
        *_memories(dynamic),
    ]
    states = [
        StateVariable(name, unit, value, nominal, words)
        for (name, unit, words), value, nominal in zip(described, own.states, own.nominals, strict=True)
    ]
    contacts = [each.name for each in dynamic.system.all_contacts]
    indicators = [
        dynamic.network.events[event].name
        if event >= 0
        else (f"gap of {contacts[contact]}" if contact >= 0 else "other coordinates become the independent ones")
        for event, contact in own.watched
    ]
    return ExchangedStates(tuple(states), tuple(indicators))


def _owner(dynamic: DynamicSystem, number: int) -> tuple[str, int]:
    """The body of a coordinate, and which of its own it is: 0–2 places, 3–5 rotations, then shapes."""
    numbers = dynamic.tables.bodies.numbers
    for name, own in zip(dynamic.names, numbers.tolist(), strict=True):
        if number in own:
            return name, own.index(number)
    raise AssertionError("every coordinate has a body")


def _position(dynamic: DynamicSystem, number: int) -> tuple[str, str, str]:
    body, own = _owner(dynamic, number)
    if own < 3:
        return f"{body}.{_AXES[own]}", "m", f"Where the frame of {body} is in space, along {_AXES[own]}"
    if own >= 6:
        return f"{body}.shape_{own - 5}", _SHAPE, f"Deformation of {body} by its shape {own - 5} of unit mass"
    if dynamic.planar:
        return f"{body}.angle", "rad", f"Angle of {body}, through all turns"
    axis = _AXES[own - 3]
    words = f"Rotation vector of {body} from its reference attitude, that at the start, along its own {axis}"
    return f"{body}.turn_{axis}", "rad", words


def _velocity(dynamic: DynamicSystem, number: int) -> tuple[str, str, str]:
    body, own = _owner(dynamic, number)
    if own < 3:
        return f"{body}.v{_AXES[own]}", "m/s", f"Velocity of the frame of {body} in space, along {_AXES[own]}"
    if own >= 6:
        return f"{body}.shape_{own - 5}_rate", f"{_SHAPE}/s", f"Rate of shape {own - 5} of {body}"
    if dynamic.planar:
        return f"{body}.angular_velocity", "rad/s", f"Angular velocity of {body}"
    axis = _AXES[own - 3]
    return f"{body}.omega_{axis}", "rad/s", f"Angular velocity of {body} about its own {axis}"


def _memories(dynamic: DynamicSystem) -> Iterator[tuple[str, str, str]]:
    """States of controllers and friction, then those of bristles of contacts."""
    seen: Counter[str] = Counter()
    friction = {number: load for load, number in dynamic.network.bristles.items()}
    for number, owner in enumerate(dynamic.network.state_owners):
        if not owner:
            load = next(each for each in dynamic.network.loads if each.name == friction[number])
            unit = "rad" if isinstance(load, Friction) and load.of == "rotation" else "m"
            yield f"{load.name}.bristle", unit, f"Bending of the bristles of {load.name}"
            continue
        seen[owner] += 1
        yield f"{owner}.state_{seen[owner]}", "", f"State {seen[owner]} of the controller {owner}"
    contacts = dynamic.tables.contacts
    points = dict(zip(_core.contact_pairs(), _core.contact_points(), strict=True))
    for contact, model in zip(dynamic.system.all_contacts, contacts.frictions.tolist(), strict=True):
        if not model:
            continue
        for place in range(points[contact.kind]):
            for axis in _AXES:
                name = f"{contact.name}.bristle_{place + 1}{axis}"
                yield name, "m", f"Bending of the bristles of {contact.name}, along {axis} of its first shape"
