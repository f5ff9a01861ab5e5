"""Linear models of anything that moves: a body, a rotor at speed, a system at a point or along a cycle."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from flexframe.analyses.judging import judge
from flexframe.analyses.linear_model.body import body_model
from flexframe.analyses.linear_model.cycle import problem_model
from flexframe.analyses.linear_model.record import LinearModel
from flexframe.analyses.linear_model.system import Point, cycle_model, question, spinning_model, system_model
from flexframe.analyses.stability.body_cycle import BodyCycle
from flexframe.analyses.stability.rotor_cycle import RotorCycle
from flexframe.analyses.transient.coupled.elastic_parts import ReductionChoice
from flexframe.assembly.discrete import DiscreteBody, ensure_discrete
from flexframe.equations.coefficients import Terms
from flexframe.errors import InputError
from flexframe.given import numbers
from flexframe.model.bearings import Bearing
from flexframe.model.body import Body
from flexframe.model.loads import NodeForce
from flexframe.model.supports import NodeSelection
from flexframe.model.system import System
from flexframe.motion.frame import REST, FrameMotion
from flexframe.reduction.flexible_solid import flexible_solid, frame_boundary
from flexframe.sensors.contract import Sensor
from flexframe.stages import begin_work


@judge
def linearise(
    target: System | Body | DiscreteBody | BodyCycle | RotorCycle,
    motion: FrameMotion = REST,
    *,
    at: Mapping[str, float] | None = None,
    inputs: Sequence[str] | None = None,
    outputs: Sequence[str] | None = None,
    sensors: Mapping[str, Sensor] | None = None,
    forces: Mapping[str, NodeForce] | None = None,
    point: Point = "equilibrium",
    time: float = 0.0,
    step: float | None = None,
    tolerance: float | None = None,
    drive: str | None = None,
    speed: float | None = None,
    period: float | None = None,
    instants: int = 64,
    terms: Terms | None = None,
    bearings: Sequence[Bearing] = (),
    modes: int | None = None,
    frames: Mapping[str, NodeSelection] | None = None,
    reductions: Mapping[str, ReductionChoice | Literal["rigid"]] | None = None,
    discrete: Mapping[str, DiscreteBody] | None = None,
    frequencies_hz: ArrayLike | None = None,
    duration: float | None = None,
) -> LinearModel:
    """ẋ = A x + B w, y = C x + D w with names and units: small changes of a body or system about a point.

    Parameters
    ----------
    target
        A body on a frame whose motion is frozen, or a system; or a `BodyCycle` or `RotorCycle` of `ff.cycles`.
    motion, at
        Of the frame of a body, at rest if not given; values of the parameters of a cycle.
    inputs
        Of a system: names of its `inputs`, `loads.NAME` (a factor of the load), `drives.NAME` (the offset of
        its law: the input is the second derivative, two states carry the offset) and `base.x`, `base.y`, `base.z`
        (acceleration of the ground with all that is on it). Of a body: names of `forces`,
        and `base.x` … `base.rz` (accelerations of its frame). All `inputs` of a system, all `forces` of a body if
        not given.
    outputs
        Names of sensors and controllers; all sensors if not given.
    sensors
        More of them, by name.
    forces
        Unit loads of a body, by name; an input is a factor of them.
    point, time
        Where a system is linearised: in "equilibrium" with drives and loads as they are at `time` [s], at the
        "start" of its motion, or in "motion" at `time`.
    step, tolerance
        How the motion up to `time` is integrated; a tolerance of 1e-9 if none is given.
    drive, speed
        Instead of a point: the steady rotation at a speed [rad/s] by a drive (the only one without a name).
    period, instants
        Instead of a point: the steady cycle of a system with this period [s]; how many models along a cycle.
    terms, bearings, modes, frames
        Of a body: multipliers of terms, springs and dampers to space, number of modes that are kept, and interface
        frames for `write_simscape`, by name.
    reductions, discrete
        Of the meshed bodies of a system, as in `simulate`.
    frequencies_hz, duration
        Where a report shows the frequency response [Hz], and how long the step response [s].

    Returns
    -------
    LinearModel
        A, B, C, D, names and units, poles; SI units.

    Examples
    --------
    >>> rod = ff.RigidBody.rod("rod", length=1.0, mass=2.0)
    >>> pendulum = ff.System([rod], [ff.Revolute("A", "ground", "rod")], loads=[ff.SystemGravity()])
    >>> ff.linearise(pendulum).frequencies_hz.round(4)  # (3 g/2 l)^½/2π
    array([0.6105, 0.6105])
    """
    shown = np.zeros(0) if frequencies_hz is None else numbers(frequencies_hz, "frequencies")
    if duration is not None and not duration > 0:
        raise InputError(f"the duration is {duration:g} s; give a positive time", field="duration")
    if isinstance(target, System):
        asked = question(
            target,
            inputs=inputs,
            outputs=outputs,
            sensors=sensors or {},
            reductions=reductions or {},
            discrete=discrete,
            geometric=bool((terms or Terms()).geometric),
        )
        if period is not None:
            made = cycle_model(asked, period=period, instants=instants, step=step, tolerance=tolerance)
        elif speed is not None:
            made = spinning_model(asked, drive=drive, speed=speed).model
        else:
            made = system_model(asked, point=point, time=time, step=step, tolerance=tolerance).model
    elif isinstance(target, BodyCycle | RotorCycle):
        begin_work()
        made = problem_model(
            target,
            at or {},
            forces=forces or {},
            inputs=inputs,
            sensors=_choose_outputs(sensors or {}, outputs),
            instants=instants,
        )
    else:
        ready = ensure_discrete(target)
        chosen = _choose_outputs(sensors or {}, outputs)
        if frames:
            frame_boundary(ready, frames)  # refuses what cannot be a frame
        made = body_model(
            ready,
            motion,
            forces=forces or {},
            inputs=inputs,
            sensors=chosen,
            terms=terms or Terms(),
            bearings=bearings,
            modes=modes,
        )
        if frames:
            made = replace(made, flexible_solid=flexible_solid(ready, frames, modes))
    if not made.order:
        raise InputError("nothing of it can move; free a coordinate, or let a body be elastic", field="kind")
    return replace(made, frequencies=shown, duration=duration)


def _choose_outputs(sensors: Mapping[str, Sensor], outputs: Sequence[str] | None) -> Mapping[str, Sensor]:
    """The sensors that are outputs."""
    for place, name in enumerate(outputs or ()):
        if name not in sensors:
            raise InputError(f"'{name}' is no sensor; give it among sensors", field=("outputs", place))
    return sensors if outputs is None else {name: sensors[name] for name in outputs}
