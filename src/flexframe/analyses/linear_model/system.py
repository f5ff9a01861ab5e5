"""The linear model of a system: at an equilibrium, at an instant of a motion, or turning steadily."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

import numpy as np

from flexframe.analyses.campbell.steady_spin import steady_spin
from flexframe.analyses.campbell.system_spectrum import SystemSpectrum
from flexframe.analyses.linear_model.record import Channel, LinearModel, PeriodicModels
from flexframe.analyses.linear_model.sampled import (
    hybrid,
    require_known_samplings,
    sampled_matrices,
)
from flexframe.analyses.transient.coupled.division import ElasticSystem, elastic_system
from flexframe.analyses.transient.coupled.elastic_parts import ReductionChoice
from flexframe.analyses.transient.coupled.observed import Observed
from flexframe.analyses.transient.coupled.starts import motion_start, steady_start
from flexframe.assembly.discrete import DiscreteBody
from flexframe.errors import AnalysisError, InputError
from flexframe.maths.arrays import Array
from flexframe.maths.formula import JumpKind
from flexframe.model.drives import AngleDrive
from flexframe.model.supports import NodeSelection
from flexframe.model.system import System, unknown
from flexframe.model.system_loads import SystemGravity
from flexframe.multibody.contract import (
    DynamicState,
    DynamicSystem,
    Simulation,
    SimulationOptions,
)
from flexframe.multibody.equations import laws_at, place_of, velocity_vector
from flexframe.multibody.equilibria.load_path import load_path
from flexframe.multibody.equilibria.rest import has_exact_beams, loaded_equilibrium
from flexframe.multibody.integrators.simulation import integrate
from flexframe.multibody.laws import frozen, require_finite_laws
from flexframe.multibody.linearisation import (
    LinearSystem,
    common_back,
    evaluate,
    linear_system,
    sampled_rest,
    sampled_signals,
)
from flexframe.multibody.signals import Kind
from flexframe.multibody.start import rigid_start
from flexframe.multibody.system import dynamic_system
from flexframe.sensors.contract import Sensor, find_markers, read_all
from flexframe.spectra.floquet.sampled_map import monodromy
from flexframe.stages import begin_work

Point = Literal["equilibrium", "start", "motion"]
_AT_REST = 1e-6  # rate of a controller's state, beside its size, that is rest
_AT_JUMP = 1e-9  # of an argument, in SI: the rounding of an equilibrium
_CYCLE_TOLERANCE = 1e-12  # of a cycle whose integration is not chosen
_DRIVES, _LOADS, _BASE = "drives.", "loads.", "base."


@dataclass(frozen=True, eq=False)
class SystemQuestion:
    """What is asked of a system."""

    system: System
    inputs: tuple[str, ...]
    outputs: tuple[str, ...] | None
    sensors: Mapping[str, Sensor]
    reductions: Mapping[str, ReductionChoice | Literal["rigid"]]
    discrete: Mapping[str, DiscreteBody] | None
    geometric: bool

    @property
    def drives(self) -> tuple[str, ...]:
        """Drives whose offsets are inputs."""
        return tuple(name.removeprefix(_DRIVES) for name in self.inputs if name.startswith(_DRIVES))

    @property
    def watched(self) -> dict[str, dict[str, NodeSelection]]:
        """Points that sensors follow."""
        return find_markers(self.system, self.sensors)


@dataclass(frozen=True, eq=False)
class Ready:
    """A system with its elastic bodies reduced, and its equations with laws held."""

    asked: SystemQuestion
    elastic: ElasticSystem
    linear_theory: bool = False

    def dynamic(self, system: System | None = None) -> DynamicSystem:
        """The equations of the system, or of one that differs in its loads and inputs alone."""
        parts = self.elastic.parts
        return dynamic_system(
            self.elastic.system if system is None else system,
            {name: part.reduced for name, part in parts.items()},
            geometric=self.asked.geometric,
            modal_damping={name: part.damping_ratio for name, part in parts.items() if part.damping_ratio},
            linear_theory=self.linear_theory,
        )

    def at(self, found: LinearSystem, system: System) -> Simulation:
        """The state of a model in a system with other loads or inputs, its laws held at the same time."""
        time = found.state.time
        return evaluate(laws_at(self.dynamic(system), time, time), [found.state])


def question(
    system: System,
    *,
    inputs: Sequence[str] | None,
    outputs: Sequence[str] | None,
    sensors: Mapping[str, Sensor],
    reductions: Mapping[str, ReductionChoice | Literal["rigid"]],
    discrete: Mapping[str, DiscreteBody] | None,
    geometric: bool,
) -> SystemQuestion:
    """What is asked, names checked."""
    system.require_stops_at_most("a linear model")
    system.require_free_of_reactions("a linear model")
    own = {name: sensor for name, sensor in system.sensors.items() if isinstance(sensor, Sensor)}
    seen = {**own, **sensors}
    known = [each.name for each in system.inputs]
    asked = tuple(known) if inputs is None else tuple(inputs)
    names = [*known, *(f"{_DRIVES}{each.name}" for each in system.drives)]
    names += [f"{_LOADS}{each.name}" for each in system.loads]
    names += [f"{_BASE}{axis}" for axis in ("xy" if system.space == "planar" else "xyz")]
    for place, name in enumerate(asked):
        if name.startswith(f"{_BASE}r"):
            raise InputError(
                f"{name}: the base of a system is moved along x, y and z; to turn it, make it a body that a drive "
                "turns, and take that drive",
                field=("inputs", place),
            )
        if name not in names:
            raise InputError(unknown("input", name, names), field=("inputs", place))
    shown = [*seen, *(each.name for each in system.controllers)]
    for place, name in enumerate(outputs or ()):
        if name not in shown:
            raise InputError(unknown("output", name, shown), field=("outputs", place))
    if len(set(asked)) < len(asked):
        raise InputError("an input is named twice; name it once", field="inputs")
    return SystemQuestion(
        system, asked, None if outputs is None else tuple(outputs), seen, reductions, discrete, geometric
    )


@dataclass(frozen=True, eq=False)
class SolvedModel:
    """A linear model, the changes of the system for its states, and the elastic bodies of that."""

    model: LinearModel
    changes: LinearSystem
    elastic: ElasticSystem


def system_model(
    asked: SystemQuestion, *, point: Point, time: float, step: float | None, tolerance: float | None
) -> SolvedModel:
    """The model at an equilibrium, at the start of a motion, or at a time of it."""
    ready = Ready(
        asked, elastic_system(asked.system, asked.reductions, watched=asked.watched, discrete=asked.discrete)
    )
    moving = ready.dynamic()
    require_finite_laws(asked.system, np.array([0.0, time]))
    if point == "equilibrium":
        held = frozen(moving, time)
        start = rigid_start(moving, time)
        require_known_samplings(asked.system, held.network)
        begin_work()
        words = "equilibrium" if not time else f"equilibrium at t = {time:g} s"
        if held.network.samplings:
            if has_exact_beams(held):
                start = load_path(held, start).steps[-1].state
            rest = sampled_rest(held, start)
            return _model(ready, held, rest.state, words, settled=rest.settled)
        return _model(ready, held, loaded_equilibrium(held, start).state, words)
    require_known_samplings(asked.system, moving.network)
    state = motion_start(moving, "equilibrium")[0]
    begin_work()
    words = "start of the motion"
    if point == "motion":
        state, words = _state_at(moving, state, time, step, tolerance), f"motion at t = {time:g} s"
    return _model(ready, laws_at(moving, state.time, state.time), state, words)


def spinning_model(asked: SystemQuestion, *, drive: str | None, speed: float) -> SolvedModel:
    """The model of a system that a drive turns steadily."""
    spin = steady_spin(
        asked.system,
        drive=drive,
        reductions=asked.reductions,
        geometric=asked.geometric,
        discrete=asked.discrete,
        watched=asked.watched,
    )
    spectrum = SystemSpectrum(spin, speed)
    spectrum.require_steady(speed)
    require_known_samplings(asked.system, spin.dynamic.network)
    begin_work()
    state = spectrum.at(speed).equilibrium.state
    ready = Ready(asked, spin.elastic, linear_theory=True)
    return _model(ready, frozen(spin.dynamic, 0.0), state, f"steady rotation at {speed:.6g} rad/s")


def cycle_model(
    asked: SystemQuestion, *, period: float, instants: int, step: float | None, tolerance: float | None
) -> LinearModel:
    """Models along the steady cycle of a system, in coordinates that are the same at all instants."""
    asked.system.require_smooth("a linear model along a cycle")
    ready = Ready(
        asked, elastic_system(asked.system, asked.reductions, watched=asked.watched, discrete=asked.discrete)
    )
    moving = ready.dynamic()
    if moving.network.samplings or not (moving.tables.rows.holonomic == 1).all():
        raise InputError(
            "a cycle with controllers that have a period, or with constraints on velocities, is not linearised; "
            "give the controllers without a period, or take point: motion",
            field="period",
        )
    require_finite_laws(asked.system, np.array([0.0, period]))
    # A(t) follows the deformation of the cycle, in whose errors its largest entries are multiplied
    options = _options(period, step, _CYCLE_TOLERANCE if step is None and tolerance is None else tolerance)
    near = motion_start(moving, "periodic")[0]
    begin_work()
    start = steady_start(moving, near, replace(options, initial_deformation="periodic", period=period)).state
    times = np.linspace(0.0, period, instants + 1)
    states = [start]
    for span in pairwise(times[:-1]):
        ahead = integrate(moving, options, states[-1], times=np.array(span)).end
        states.append(replace(ahead, memory={}))
    back = common_back(laws_at(moving, 0.0, 0.0), states)
    models = [
        _model(ready, laws_at(moving, state.time, state.time), state, "cycle", back).model for state in states
    ]
    A, B, C, D = (np.array([getattr(each, name) for each in models]) for name in "ABCD")
    found = monodromy(A, period)
    return replace(
        models[0],
        point=f"cycle of {period:g} s",
        cycle=PeriodicModels(period, times[:-1], A, B, C, D, found.matrix, found.error),
        error=max(each.error for each in models),
        notices=tuple(dict.fromkeys(text for each in models for text in each.notices)),
    )


def _state_at(
    moving: DynamicSystem, state: DynamicState, time: float, step: float | None, tolerance: float | None
) -> DynamicState:
    """The state of the motion at a time."""
    if not time > 0:
        raise InputError(
            f"the time of the motion is {time:g} s; give one above zero, or point: start", field="time"
        )
    return integrate(moving, _options(time, step, tolerance), state, times=np.array([0.0, time])).end


def _options(duration: float, step: float | None, tolerance: float | None) -> SimulationOptions:
    """How a motion is followed; with error control unless a step is given."""
    if step is None and tolerance is None:
        tolerance = 1e-9
    integrator = "dormand_prince_853" if step is None else "generalised_alpha"
    return SimulationOptions(duration=duration, step=step, tolerance=tolerance, integrator=integrator, samples=2)


# ---------------------------------------------------------------------- matrices, names and units


def _model(
    ready: Ready,
    dynamic: DynamicSystem,
    state: DynamicState,
    words: str,
    back: Array | None = None,
    *,
    settled: bool = True,
) -> SolvedModel:
    """The model about a state; `settled`: sampled controllers repeat what they hold there."""
    asked, elastic = ready.asked, ready.elastic
    reader = _Reader(asked, elastic)
    found = linear_system(dynamic, state, reader.read, asked.drives, back)
    _require_no_jump(found, words)
    columns = [_column(ready, found, reader, name) for name in asked.inputs]
    inputs, into, through = zip(*columns, strict=True) if columns else ((), (), ())
    B = np.array(into).reshape(len(inputs), len(found.A)).T
    D = np.array(through).reshape(len(inputs), len(found.C)).T
    made = LinearModel(
        name=asked.system.name,
        subject="system",
        point=words,
        time=state.time,
        states=_states(found, asked.drives, dynamic),
        inputs=tuple(inputs),
        outputs=reader.channels(found.at_point),
        A=found.A,
        B=B,
        C=found.C,
        D=D,
        error=found.misfit,
        notices=(*elastic.notices, *dynamic.notices, *_notices(found, words, settled=settled)),
    )
    if not dynamic.network.samplings:
        return SolvedModel(made, found, elastic)
    parts = hybrid(dynamic.network, made.state_space, lambda k: found.held_column(k, reader.read))
    sampled = sampled_matrices(parts)
    names = (*made.states, *_held_channels(dynamic, found.state))
    made = replace(
        made,
        states=tuple(names[k] for k in sampled.kept),
        A=sampled.A,
        B=sampled.B,
        C=sampled.C,
        D=sampled.D,
        sample_period=sampled.period,
    )
    return SolvedModel(made, found, elastic)


def _held_channels(dynamic: DynamicSystem, state: DynamicState) -> list[Channel]:
    """Names of the values that sampled controllers hold, outputs by theirs."""
    network, held = dynamic.network, place_of(dynamic, state).held
    names = {
        network.signals[signal].source: f"{name}.{part}" if part else name
        for name, outputs in network.outputs.items()
        for part, signal in outputs.items()
        if network.signals[signal].kind is Kind.HELD
    }
    own = np.unique(network.tables.sampled_held)
    return [Channel(names.get(int(k), f"memory {int(k) + 1}"), "", float(held[k])) for k in own]


def _require_no_jump(found: LinearSystem, words: str) -> None:
    """Refuse a point at which a formula jumps: it has no derivative there."""
    network = found.system.network
    for jump in network.jumps:
        (argument,) = found.at_point.signals[0, list(network.signals[jump.signal].inputs)]
        beyond = argument - np.round(argument) if jump.kind is JumpKind.FLOOR else argument
        if abs(beyond) < _AT_JUMP:
            owner = f" of {jump.owner}" if jump.owner else ""
            raise AnalysisError(
                f"{jump.text}{owner} jumps at the point of the linear model ({words}), without a derivative; "
                "write tanh(…) with a width in its place, or take another point"
            )


@dataclass(frozen=True, eq=False)
class _Reader:
    """Reads what the outputs show at the states of a simulation."""

    asked: SystemQuestion
    elastic: ElasticSystem

    def _columns(self, run: Simulation) -> dict[str, tuple[str, Array]]:
        """Unit and values (T,) of every component of every output."""
        names = self.asked.outputs
        chosen = {name: sensor for name, sensor in self.asked.sensors.items() if names is None or name in names}
        found: dict[str, tuple[str, Array]] = {}
        for name, seen in read_all(chosen, Observed.of(run, self.elastic.parts)).items():
            found |= {part: (seen.unit, values) for part, values in seen.columns(name).items()}
        for each in run.system.network.reported:
            if names is not None and each.name in names:
                parts = each.components or ("",)
                found |= {
                    f"{each.name} {part}".strip(): (each.unit, run.signals[:, signal])
                    for part, signal in zip(parts, each.signals, strict=True)
                }
        return found

    def read(self, run: Simulation) -> Array:
        """Outputs, then what sampled controllers would take: (T, outputs + pairs)."""
        columns = [values for _, values in self._columns(run).values()]
        seen = np.array(columns).reshape(len(columns), len(run.times)).T
        return np.hstack([seen, sampled_signals(run)])

    def channels(self, run: Simulation) -> tuple[Channel, ...]:
        """Names, units and values at the point."""
        return tuple(Channel(name, unit, float(values[0])) for name, (unit, values) in self._columns(run).items())


def _states(found: LinearSystem, drives: Sequence[str], dynamic: DynamicSystem) -> tuple[Channel, ...]:
    f, g, s, d = found.sizes
    modes = [
        Channel(f"mode {k + 1}" if f == g else f"position {k + 1}", "m kg^0.5" if f == g else "") for k in range(f)
    ]
    rates = [Channel(f"rate of mode {k + 1}", "m kg^0.5/s") for k in range(g)]
    own = [Channel(f"controller state {k + 1}", "", float(found.state.states[k])) for k in range(s)] if s else []
    units = [_unit(dynamic, name) for name in drives]
    offsets = [Channel(f"{_DRIVES}{name}", unit) for name, unit in zip(drives, units, strict=True)]
    turned = [Channel(f"rate of {each.name}", f"{each.unit}/s") for each in offsets]
    assert len(offsets) == d
    return (*modes, *rates, *own, *offsets, *turned)


def _unit(dynamic: DynamicSystem, drive: str) -> str:
    found = next(each for each in dynamic.system.drives if each.name == drive)
    return "rad" if isinstance(found, AngleDrive) else "m"


def _column(ready: Ready, found: LinearSystem, reader: _Reader, name: str) -> tuple[Channel, Array, Array]:
    """An input with its columns of B and D."""
    if name.startswith(_DRIVES):
        own = name.removeprefix(_DRIVES)
        place, unit = ready.asked.drives.index(own), _unit(found.system, own)
        return Channel(f"acceleration of {name}", f"{unit}/s²"), found.B[:, place], found.D[:, place]
    system = ready.elastic.system
    if name.startswith(_LOADS):  # forces are proportional to the factor: as it is, less without the load
        own = name.removeprefix(_LOADS)
        without = replace(system, loads=[each for each in system.loads if each.name != own])
        rates, seen = found.column(ready.at(found, without), reader.read)
        return Channel(name, "1", 1.0), -rates, -seen
    if name.startswith(_BASE):  # seen from the ground, all mass is pulled back by what that accelerates
        field = -np.eye(3)["xyz".index(name.removeprefix(_BASE))]
        pulled = replace(system, loads=[*system.loads, SystemGravity(name, tuple(field.tolist()))])
        return Channel(name, "m/s²"), *found.column(ready.at(found, pulled), reader.read)
    place = next(k for k, each in enumerate(system.inputs) if each.name == name)
    given = system.inputs[place]
    return Channel(name, given.unit, given.value), *found.held_column(place, reader.read)


def _notices(found: LinearSystem, words: str, *, settled: bool) -> tuple[str, ...]:
    notices = []
    if found.rough.any():
        notices.append(
            f"the equations have no derivative along {int(found.rough.sum())} of the states (play, friction at "
            "rest, a limit that is reached): the model holds for neither side of it"
        )
    contacts = found.system.system.all_contacts  # of stops alone
    for contact, gap in zip(contacts, found.at_point.contacts[0, :, 0] if contacts else (), strict=True):
        notices.append(f"stop {contact.name} is {'pressed, with its tangent' if gap < 0 else 'open'}")
    u = velocity_vector(found.system, place_of(found.system, found.state))
    if words.startswith("motion") or (words.startswith("start") and u.any()):
        notices.append("the coefficients are frozen at one instant of a motion that changes")
    rates = found.at_point.signals[0, found.system.network.tables.derivatives]
    if words.startswith("equilibrium") and (not settled or np.abs(rates).max(initial=0.0) > _AT_REST):
        notices.append(
            "controllers are not at rest in this equilibrium: their states go on changing; start them there, or "
            "take point: motion at a time after which all has settled"
        )
    return tuple(notices)
