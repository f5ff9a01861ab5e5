"""Run-up of a rotor through its critical speeds: motion in time while the speed grows.

The turning frame sees M δ̈ + (D + ΩG)δ̇ + (K + ΩN + Ω²S + ε E)δ = Ω²f₁ + ε f₂ with Ω(t) and ε = Ω̇ given: an
unbalance m e turns with the body and acts with Ω² m e along itself and with −ε a × m e across. Bearings that
differ in two directions add their parts at twice the angle.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter

import numpy as np
from numpy.typing import ArrayLike

from flexframe.analyses.body_state import displacement_rows
from flexframe.analyses.judging import judged
from flexframe.analyses.run_up.record import Orbit, RunUp
from flexframe.equations.affine import AffineEquations
from flexframe.equations.coefficients import Monomial
from flexframe.equations.operating_point import ACCELERATION, FREQUENCY, SPEED, OperatingPoint
from flexframe.equations.parts import DAMPING, LOAD, MASS, STIFFNESS, Part
from flexframe.equations.terms import Terms
from flexframe.errors import InputError
from flexframe.keeping import kept
from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.model.bearings import Bearing
from flexframe.reduction.rest_basis import rest_basis
from flexframe.sensors.contract import Sensor
from flexframe.spectra.floquet.gauss import NODES, STAGES, step_maps
from flexframe.spectra.rotation.bearings import (
    COSINE,
    SINE,
    bearing_parts,
    require_known,
    turning_bearing_parts,
)
from flexframe.spectra.rotation.harmonic_loads import Unbalance, across, unbalance_vector
from flexframe.spectra.rotation.rotor_model import Rotor, RotorModel, rotor_model
from flexframe.spectra.rotation.spinning_equations import turning_equations
from flexframe.stages import begin_work

_CHUNK = 2000  # steps made together
_KEPT = 20_000  # instants
_PHASE = 1.0  # rad of the fastest motion in a step


@dataclass(frozen=True)
class SpeedRamp:
    """Ω = start + acceleration · t up to `end`, then steady; rad/s, rad/s²."""

    start: float
    end: float
    acceleration: float

    def __post_init__(self) -> None:
        if not np.isfinite([self.start, self.end, self.acceleration]).all() or self.acceleration == 0:
            raise InputError("a run-up needs finite speeds and an acceleration other than zero")
        if (self.end - self.start) / self.acceleration <= 0:
            raise InputError(
                f"from {self.start:g} to {self.end:g} rad/s the acceleration {self.acceleration:g} rad/s² leads "
                "the other way; change its sign"
            )

    @property
    def duration(self) -> float:
        """Time until the end is reached [s]."""
        return (self.end - self.start) / self.acceleration

    def at(self, times: Array) -> tuple[Array, Array, Array]:
        """Angle, speed and angular acceleration: (t,) each."""
        ramp = np.clip(times, 0.0, self.duration)
        angle = self.start * ramp + self.acceleration * ramp**2 / 2 + self.end * (times - ramp)
        speed = self.start + self.acceleration * ramp
        return angle, speed, np.where(times <= self.duration, self.acceleration, 0.0)


@judged
def run_up(
    body: Rotor,
    ramp: SpeedRamp,
    unbalance: Sequence[Unbalance],
    sensors: Mapping[str, Sensor],
    *,
    hold: float = 0.0,
    axis: ArrayLike | None = None,
    terms: Terms | None = None,
    bearings: Sequence[Bearing] = (),
    modes: int = 12,
    samples_per_turn: int = 12,
) -> RunUp:
    """Motion from the steady answer at the first speed while the speed follows the ramp, then for `hold` seconds.

    Sensors show the displacement across the axis in the turning frame and in space.

    Parameters
    ----------
    body
        A rotor, described or discretised.
    ramp
        Speed over time [rad/s].
    unbalance
        Masses times eccentricity [kg m] on nodes.
    sensors
        Nodes to watch, by name.
    hold
        Time at the last speed [s].
    axis
        Axis of rotation in body components.
    terms
        Multipliers of the terms; all 1 if not given.
    bearings
        Springs and dampers to space.
    modes
        Number of modes that carry the motion.
    samples_per_turn
        Steps in a revolution at the highest speed, at least.

    Returns
    -------
    RunUp
        Displacements across the axis [m] over time [s] and speed [rad/s].

    Examples
    --------
    >>> shaft = ff.Body.beam(
    ...     "shaft",
    ...     length=0.6,
    ...     divisions=4,
    ...     section=ff.Circle(0.01),
    ...     material=ff.STEEL,
    ...     space="spatial",
    ...     supports=(ff.Fix("start", ("ux", "uy", "uz", "rx")), ff.Fix("end", ("uy", "uz", "rx"))),
    ... )
    >>> found = ff.run_up(
    ...     shaft,
    ...     ff.rotors.SpeedRamp(10.0, 20.0, 100.0),
    ...     [ff.rotors.Unbalance((0.3, 0, 0), 1e-4)],
    ...     {"middle": ff.sensors.DofSensor((0.3, 0, 0))},
    ...     axis=(1, 0, 0),
    ...     modes=4,
    ... )
    >>> round(float(found.speeds[-1]), 6)  # rad/s
    20.0
    """
    if not unbalance:
        raise InputError("no unbalance is given; give at least one", field="loads")
    if not (np.isfinite(hold) and hold >= 0):
        raise InputError(f"the time at the last speed is {hold:g} s; give zero or more", field="hold")
    began = perf_counter()
    model = rotor_model(body, bearings, axis)
    discrete, direction = model.discrete, model.axis
    equations = _rotor(model, terms, unbalance)
    discrete.require_freedom()
    known = require_known(model.bearings, np.array([ramp.start, ramp.end]))
    watched = displacement_rows("a run-up", discrete, sensors)
    begin_work()
    basis = rest_basis(equations.constant_stiffness, equations.constant_mass, modes)
    frequencies, V = basis.frequencies, basis.vectors
    small = equations.project(V)
    end = ramp.duration + hold
    fastest = max(abs(ramp.start), abs(ramp.end))
    rate = max(float(frequencies[-1]) + fastest, samples_per_turn * fastest / (2 * np.pi))
    steps = int(np.ceil(end * rate / _PHASE))
    times, y = _integrated(small, ramp, end, steps)
    angle, speed, _ = ramp.at(times)
    sides, expand = np.stack(across(direction)), np.asarray(discrete.supports.basis @ V)
    orbits = {}
    for name, rows in watched.items():
        seen = y @ (sides @ rows @ expand).T
        orbits[name] = Orbit(seen[:, 0] + 1j * seen[:, 1])
    return RunUp(
        body=discrete.body.name,
        mesh=discrete.body.mesh,
        times=times,
        angles=angle,
        speeds=speed,
        orbits=orbits,
        acceleration=ramp.acceleration,
        steps=steps,
        seconds=perf_counter() - began,
        terms=equations.terms,
        method=f"collocation of order 16, {steps} steps; {V.shape[1]} shapes in the turning frame",
        notices=known + _frequency_notices(model),
    )


def _frequency_notices(model: RotorModel) -> tuple[str, ...]:
    """Notices about tables over the frequency: a motion in time has no single frequency."""
    if any(bearing.table is not None and bearing.table.frequencies is not None for bearing in model.bearings):
        return ("tables over the frequency are taken at that of the speed, which an unbalance excites",)
    return ()


def _rotor(model: RotorModel, terms: Terms | None, unbalance: Sequence[Unbalance]) -> AffineEquations:
    """The equations above on the coordinates that the supports leave; tables take the frequency of the speed."""
    discrete, axis = model.discrete, model.axis
    # −ε a × (m e): the unbalance a quarter of a turn behind
    behind = [replace(each, angle=each.angle - np.pi / 2) for each in unbalance]
    along, beside = (unbalance_vector(discrete, each, axis) for each in (unbalance, behind))
    parts = [
        *bearing_parts(discrete, model.bearings, axis, mean=True),
        *turning_bearing_parts(discrete, model.bearings, axis),
        Part[SparseMatrix].given("unbalance", LOAD, along, Monomial((SPEED, SPEED))),
        Part[SparseMatrix].given("unbalance", LOAD, beside, Monomial((ACCELERATION,))),
    ]
    body = turning_equations(model, terms).homogeneous.extended(parts)
    synchronous = body.about(axis, steady=False).merged({FREQUENCY: (1j, SPEED)})
    return synchronous.project(discrete.supports)


def _steady(small: AffineEquations[Array], speed: float) -> Array:
    """The shape that stays at a steady speed, bearings taken at the mean of their directions: (r,)."""
    point = OperatingPoint.at_speed(speed)
    return np.asarray(np.linalg.solve(small.matrix(STIFFNESS, point), small.load(point)))


def _points(angle: Array, speed: Array, acceleration: Array) -> OperatingPoint:
    """What the coefficients depend on: (t,)."""
    waves = {COSINE: np.cos(2 * angle), SINE: np.sin(2 * angle)}
    return OperatingPoint(amounts={SPEED: speed, ACCELERATION: acceleration, **waves})


def _integrated(small: AffineEquations[Array], ramp: SpeedRamp, end: float, steps: int) -> tuple[Array, Array]:
    """Times and coordinates at the kept ends of steps: (t,) and (t, r)."""
    r = small.size
    # steps end where the ramp does, where the load jumps
    before = max(1, round(steps * ramp.duration / end))
    after = max(1, steps - before) if end > ramp.duration else 0
    bounds = [(0.0, ramp.duration, before)] + ([(ramp.duration, end, after)] if after else [])
    x = np.concatenate([_steady(small, ramp.start), np.zeros(r)])
    times, path = [0.0], [x[:r].copy()]
    every = max(1, (before + after) // _KEPT)
    number = 0
    for low, high, count in bounds:
        h = (high - low) / count
        for first in range(0, count, _CHUNK):
            starts = low + h * np.arange(first, min(first + _CHUNK, count), dtype=float)
            steps_ = partial(_steps, small, ramp, x, starts, h, high)
            states = kept("steps of a run-up", (x, starts, h, high), steps_)
            x = states[-1]
            for start, state in zip(starts, states, strict=True):
                number += 1
                if number % every == 0:
                    times.append(float(start + h))
                    path.append(state[:r].copy())
    return np.array(times), np.array(path)


def _steps(  # noqa: PLR0917
    small: AffineEquations[Array], ramp: SpeedRamp, x: Array, starts: Array, h: float, high: float
) -> Array:
    """(y, ẏ) at the ends of steps of the length h that begin with x: (steps, 2r)."""
    r, low = small.size, starts[0]
    # stages of the last step stay on this side of the end, those of the first one of the beginning
    stages = np.minimum((starts[:, None] + h * NODES).ravel(), high - 1e-12 * h)
    points = _points(*ramp.at(np.maximum(stages, low + 1e-12 * h)))
    C, K = (small.matrices(order, points) for order in (DAMPING, STIFFNESS))
    f = small.loads(points)
    if len(small.of_order(MASS)) > 1:  # masses of bearings that turn or depend on the speed
        M = small.matrices(MASS, points)
        C, K, f = (np.asarray(np.linalg.solve(M, each)) for each in (C, K, f[..., None]))
        f = f[..., 0]
    shape = (len(starts), STAGES, r)
    states = []
    for map_, offset in zip(
        *step_maps(C.reshape(*shape, r), K.reshape(*shape, r), h, f.reshape(shape)), strict=True
    ):
        x = map_ @ x + offset
        states.append(x)
    return np.array(states)
