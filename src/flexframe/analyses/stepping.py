"""A running system as an object: whoever holds it sets inputs, steps, and reads sensors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from flexframe import _core
from flexframe.analyses.transient.coupled.damping import motion_damping
from flexframe.analyses.transient.coupled.division import ElasticSystem, elastic_system
from flexframe.analyses.transient.coupled.elastic_parts import ReductionChoice
from flexframe.analyses.transient.coupled.motion import require_whole_terms
from flexframe.analyses.transient.coupled.observed import Observed
from flexframe.analyses.transient.coupled.starts import motion_start, require_sound_start
from flexframe.equations.coefficients import Terms
from flexframe.errors import AnalysisError, InputError
from flexframe.maths.generalised_alpha import AlphaMethod
from flexframe.model.events import Input
from flexframe.model.system import InitialDeformation, System, unknown
from flexframe.model.system_damping import SystemDamping
from flexframe.multibody.contract import DynamicState, DynamicSystem, Occurrence
from flexframe.multibody.equations import laws_at, no_inertia, place_of, state_of
from flexframe.multibody.integrators.events import call_functions
from flexframe.multibody.integrators.fixed_steps import USUAL_RADIUS
from flexframe.multibody.integrators.recording import DONE, EVENT, NO_INERTIA, reason_of, start_alone
from flexframe.multibody.laws import TABLE, python_errors
from flexframe.multibody.signals import Sampling, SignalEvent
from flexframe.multibody.start import consistent_start
from flexframe.multibody.system import dynamic_system
from flexframe.sensors.contract import Sensor, find_markers, read_all

USUAL_STEP = 1e-3
"""Length of internal steps without another [s]."""


class Output(NamedTuple):
    """A number of a sensor: its name, `tip` or `tip.x`, and its unit."""

    name: str
    unit: str
    signal: int = -1  # number in the core


class Stepping(NamedTuple):
    """What the core needs beside the equations."""

    inputs: Sequence[Input]
    outputs: Sequence[Output]
    samplings: Sequence[Sampling]
    events: Sequence[SignalEvent]
    step: float
    method: Sequence[float]  # α_m, α_f, β, γ
    limit: float


@dataclass(frozen=True)
class _Here:
    """The running system at an instant at which functions of Python are called."""

    stepper: _core.Stepper
    time: float
    step: float

    def signals(self) -> list[float]:
        return self.stepper.signals(self.time)

    def hold(self, number: int, value: float) -> bool:
        return self.stepper.hold(number, value, self.time, self.step)


class Simulation:
    """A system that moves step by step, with inputs that are held over each step.

    Parameters
    ----------
    system
        Bodies, joints, drives, loads and controllers; its `inputs` can be set between steps, the numbers of its
        `sensors` are the outputs.
    step
        Longest internal step [s]; a call of `Simulation.step` takes as many of equal length as it needs.
    spectral_radius, initial_deformation, reductions, damping, terms
        As those of `simulate`.
    outputs
        Names of the sensors that are read; without it all that a formula could read.
    duration
        How far the motion will go at most [s]; only laws that are neither formulas, tables nor polynomials need
        it.

    Examples
    --------
    >>> block = ff.RigidBody("block", 2.0, np.array(0.01))
    >>> system = ff.System(
    ...     [block],
    ...     [ff.Prismatic("guide", "ground", "block", axis=(1.0, 0.0))],
    ...     loads=[ff.MarkerForce("push", "block", ("pull", 0.0))],
    ...     sensors={"x": ff.sensors.MarkerSensor("position", "block", along=(1.0, 0.0))},
    ...     inputs=[ff.Input("pull", 0.0, "N")],
    ... )
    >>> sim = ff.Simulation(system, step=0.01)
    >>> for _ in range(10):
    ...     seen = sim.step(0.1, inputs={"pull": 4.0})
    >>> round(sim.time, 9), round(seen["x"], 9)  # m after 1 s: F t²/2m
    (1.0, 1.0)
    """

    def __init__(
        self,
        system: System,
        *,
        step: float = USUAL_STEP,
        spectral_radius: float | None = None,
        initial_deformation: InitialDeformation | None = None,
        reductions: Mapping[str, ReductionChoice | Literal["rigid"]] | None = None,
        damping: SystemDamping | None = None,
        terms: Terms | None = None,
        outputs: Sequence[str] | None = None,
        duration: float | None = None,
    ) -> None:
        if not (np.isfinite(step) and step > 0):
            raise InputError(f"the step is {step:g} s; give a time above zero", field="step")
        if initial_deformation == "periodic":
            raise InputError(
                "a system that is stepped starts undeformed or in equilibrium; a cycle has no inputs",
                field="initial_deformation",
            )
        terms = terms or Terms()
        require_whole_terms(terms)
        sensors = _sensors(system, outputs)
        names = _sensor_names(system, sensors)
        elastic = elastic_system(system, reductions or {}, watched=find_markers(system, sensors))
        dynamic = dynamic_of(elastic, terms, names)
        with python_errors(dynamic):
            state, _ = motion_start(dynamic, initial_deformation or "equilibrium")
        dynamic, _ = motion_damping(dynamic, state, elastic.parts, damping)
        alone = start_alone(dynamic, state)
        require_sound_start(alone)
        seen = read_all(sensors, Observed.of(alone, elastic.parts))
        ready = laws_at(dynamic, state.time, state.time + _range(dynamic, duration))
        method = AlphaMethod(USUAL_RADIUS if spectral_radius is None else spectral_radius)
        network = ready.network
        self.system = system
        self.stepping = Stepping(
            inputs=network.inputs,
            outputs=[Output(name, seen[name.partition(".")[0]].unit, network.observed[name]) for name in names],
            samplings=network.samplings,
            events=network.events,
            step=float(step),
            method=(method.inertia_weight, method.force_weight, method.beta, method.gamma),
            limit=ready.deflection_limit,
        )
        self.events: list[Occurrence] = []
        self._ready = ready
        self._calls = bool(ready.tables.laws.functions.size)
        self._stepper = _core.Stepper(ready.compiled, self.stepping)
        if any(sampling.function is not None for sampling in network.samplings):
            self._stepper.call(self._call)
        self._inputs = np.array([each.value for each in network.inputs], dtype=float)
        self._places = {each.name: k for k, each in enumerate(network.inputs)}
        self._names = [output.name for output in self.stepping.outputs]
        self._outputs = np.zeros(len(self._names))
        with python_errors(ready):
            begun = consistent_start(ready, state)
            self._begun = place_of(ready, begun)
            self._check(self._stepper.start(self._begun, begun.time, self.stepping.step))
        self._take_happened()
        self._start = self._stepper.save()

    # --- stepping -----------------------------------------------------------------------------------------------

    def step(self, dt: float, inputs: Mapping[str, float] | None = None) -> dict[str, float]:
        """Go on by `dt` [s]; inputs keep their values until they are given again. The outputs after it."""
        if inputs:
            self._set(inputs)
        if not (dt > 0.0 and dt < np.inf):
            raise InputError(f"a step of {dt:g} s is none; give a time above zero", field="dt")
        if self._stepper.status == EVENT:
            raise AnalysisError(
                f"the motion has ended at t = {self.time:.6g} s; restore an earlier state, or reset"
            )
        if self._calls:
            with python_errors(self._ready):
                status = self._stepper.step(dt, self._inputs, self._outputs)
        else:
            status = self._stepper.step(dt, self._inputs, self._outputs)
        if status != DONE:
            self._check(status)
        return dict(zip(self._names, self._outputs.tolist(), strict=True))

    @property
    def dynamic(self) -> DynamicSystem:
        """The equations that are stepped: bodies as they are reduced, with their tables."""
        return self._ready

    @property
    def time(self) -> float:
        """Where the motion is [s]."""
        return self._stepper.time

    @property
    def ended(self) -> bool:
        """Whether an event has stopped the motion."""
        return self._stepper.status == EVENT

    @property
    def outputs(self) -> dict[str, float]:
        """All outputs now."""
        return dict(zip(self._names, self._stepper.outputs, strict=True))

    @property
    def inputs(self) -> dict[str, float]:
        """All inputs as they are set."""
        return dict(zip(self._places, self._inputs.tolist(), strict=True))

    def happened(self) -> list[Occurrence]:
        """Events up to now."""
        self._take_happened()
        return list(self.events)

    # --- states -------------------------------------------------------------------------------------------------

    @property
    def state(self) -> DynamicState:
        """Positions, velocities, deformations and states of controllers, as arrays."""
        place = place_of(self._ready, state_of(self._ready, self._begun, 0.0))
        self._stepper.write(place)
        return state_of(self._ready, place, self.time)

    @state.setter
    def state(self, state: DynamicState) -> None:
        """Begin anew at a state, put on the constraints."""
        with python_errors(self._ready):
            begun = consistent_start(self._ready, state)
            self._check(self._stepper.start(place_of(self._ready, begun), begun.time, self.stepping.step))
        self._inputs[:] = self._stepper.inputs
        self._take_happened()

    def save(self, path: str | Path | None = None) -> _core.RunningState:
        """The running system, to `restore` it and go on bit by bit; also in a file where one is named."""
        if path is not None:
            try:
                self._stepper.write_file(str(path))
            except RuntimeError as error:
                raise InputError(str(error)) from None
        return self._stepper.save()

    def restore(self, saved: "_core.RunningState | str | Path") -> None:
        """Go on from what `save` gave, or from its file."""
        if isinstance(saved, str | Path):
            try:
                found = self._stepper.read_file(str(saved))
            except RuntimeError as error:
                raise InputError(str(error)) from None
        else:
            found = self._stepper.restore(saved)
        if not found:
            raise InputError("this is the state of another system; make the same simulation that saved it")
        self._inputs[:] = self._stepper.inputs

    def reset(self) -> None:
        """Back to the start."""
        self.restore(self._start)
        self.events.clear()

    # --- inside -------------------------------------------------------------------------------------------------

    def _set(self, inputs: Mapping[str, float]) -> None:
        for name, value in inputs.items():
            place = self._places.get(name)
            if place is None:
                raise InputError(unknown("input", name, list(self._places)), field="inputs")
            number = float(value)
            if not np.isfinite(number):
                raise InputError(f"input {name} is {number:g}; give a finite number", field="inputs")
            self._inputs[place] = number

    def _call(self, groups: int, time: float, step: float) -> bool:
        call_functions(self._ready, _Here(self._stepper, time, step), groups, time)
        return True

    def _check(self, status: int) -> None:
        if status in (DONE, EVENT):
            return
        if status == NO_INERTIA:
            raise AnalysisError(no_inertia(self._ready))
        raise AnalysisError(reason_of(self._ready, status, self.time, self._stepper.body))

    def _take_happened(self) -> None:
        for number, time, speed, impulse, lost, closed, rests, parts in self._stepper.take_happened():
            event = self._ready.network.events[number]
            if parts:
                made = Occurrence(event.name, number, time, turning=event.turning, rests=0)
            elif rests and self.ended:  # at one place of a curve, and met at another
                made = Occurrence(event.name, number, time, ends=True, rests=1)
            elif event.touch >= 0 or closed:
                rest = 1 if rests else None
                made = Occurrence(event.name, number, time, False, speed, impulse, lost, event.turning, rest)
            else:
                made = Occurrence(event.name, number, time, ends=event.stop)
            self.events.append(made)


def dynamic_of(elastic: ElasticSystem, terms: Terms, observed: Sequence[str]) -> DynamicSystem:
    """The system of the core with its reduced bodies, and signals of what is observed."""
    parts = elastic.parts
    return dynamic_system(
        elastic.system,
        {name: part.reduced for name, part in parts.items()},
        geometric=bool(terms.geometric),
        modal_damping={name: part.damping_ratio for name, part in parts.items() if part.damping_ratio},
        observed=observed,
    )


def _sensors(system: System, outputs: Sequence[str] | None) -> dict[str, Sensor]:
    """The sensors that are asked for, or those that a formula could read."""
    known = {name: sensor for name, sensor in system.sensors.items() if isinstance(sensor, Sensor)}
    if outputs is not None:
        for name in outputs:
            if name not in known:
                raise InputError(unknown("sensor", name, list(known)), field="outputs")
            known[name].measurements(name, system)  # or its refusal
        return {name: known[name] for name in outputs}
    found = {}
    for name, sensor in known.items():
        try:
            sensor.measurements(name, system)
        except InputError:
            continue  # stress and the like, which whoever steps a system cannot read
        found[name] = sensor
    return found


def _sensor_names(system: System, sensors: Mapping[str, Sensor]) -> list[str]:
    """Names of all numbers of the sensors."""
    return [
        f"{name}.{part}" if part else name
        for name, sensor in sensors.items()
        for part in sensor.measurements(name, system)
    ]


def _range(system: DynamicSystem, duration: float | None) -> float:
    """How far laws are tabulated [s]."""
    if duration is not None:
        if not (np.isfinite(duration) and duration > 0):
            raise InputError(f"the duration is {duration:g} s; give a time above zero", field="duration")
        return duration
    if (system.tables.laws.kinds == TABLE).any():
        raise InputError(
            "a drive or load follows a law that is neither a formula, a table nor a polynomial, and is tabulated; "
            "give the duration of the motion",
            field="duration",
        )
    return 1.0
