"""Motion of a rotor in time: while its speed grows through critical speeds, or at a steady speed.

The turning frame sees M δ̈ + (D + ΩG)δ̇ + (K + ΩN + Ω²S + ε E)δ = Ω²f₁ + ε f₂ with Ω(t) and ε = Ω̇ given: an
unbalance m e turns with the body and acts with Ω² m e along itself and with −ε a × m e across. Bearings that
differ in two directions add their parts at twice the angle. A force F₁ + iF₂ of space, which the turning frame
sees as (F₁ + iF₂)e^{−iθ}, adds to the right side. Shafts of several speeds move in space (see `trains`).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from time import perf_counter
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from flexframe.analyses.body_state import displacement_rows
from flexframe.analyses.harmonics import require_own_axis
from flexframe.analyses.judging import judge
from flexframe.analyses.run_up.record import Orbit, RunUp
from flexframe.analyses.run_up.trains import TrainMotion, shaft_ratio, train_motion
from flexframe.equations.affine import AffineEquations
from flexframe.equations.coefficients import ACCELERATION, FREQUENCY, SPEED, Monomial, OperatingPoint, Terms
from flexframe.equations.parts import DAMPING, LOAD, MASS, STIFFNESS, Once, Part
from flexframe.errors import InputError, at_field
from flexframe.keeping import keep_part
from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.model.bearings import Bearing
from flexframe.model.supports import NodeSelection
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
from flexframe.spectra.rotation.harmonic_loads import Unbalance, across, nodal_vector, unbalance_vector
from flexframe.spectra.rotation.rotor_model import Rotor, RotorModel, rotor_model
from flexframe.spectra.rotation.spinning_equations import turning_equations
from flexframe.stages import begin_work

_CHUNK = 2000  # steps made together, as far as their matrices have room
_ROOM = 20_000_000  # numbers
_KEPT = 20_000  # instants
_PHASE = 1.0  # rad of the fastest motion in a step


@dataclass(frozen=True)
class SpeedRamp:
    """Ω = start + acceleration · t up to `end`, then steady; rad/s, rad/s². Equal ends are a steady speed."""

    start: float
    end: float
    acceleration: float = 0.0

    def __post_init__(self) -> None:
        if self.start == self.end and np.isfinite(self.end) and self.acceleration == 0:
            return
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
        return (self.end - self.start) / self.acceleration if self.acceleration else 0.0

    def at(self, times: Array) -> tuple[Array, Array, Array]:
        """Angle, speed and angular acceleration: (t,) each."""
        ramp = np.clip(times, 0.0, self.duration)
        angle = self.start * ramp + self.acceleration * ramp**2 / 2 + self.end * (times - ramp)
        speed = self.start + self.acceleration * ramp
        return angle, speed, np.where(times <= self.duration, self.acceleration, 0.0)


@dataclass(frozen=True)
class SpaceForce:
    """A force [N] across the axis at each selected node that stays in space, from `start` until `end` [s].

    Its components along e₁ and e₂ (see `Unbalance`) are numbers, or functions of the time that take arrays.
    """

    on: NodeSelection
    force: tuple[float | Callable[..., Any], float | Callable[..., Any]]
    start: float = 0.0
    end: float = np.inf

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            raise InputError(
                f"a force acts from {self.start:g} s until {self.end:g} s; give a later end", field="end"
            )

    def at(self, times: Array) -> Array:
        """F₁ and F₂: (2, t)."""
        acts = (times >= self.start) & (times <= self.end)
        values = [part(times) if callable(part) else part for part in self.force]
        return np.array([np.where(acts, value, 0.0) for value in values])


@judge
def run_up(
    body: Rotor,
    ramp: SpeedRamp,
    unbalance: Sequence[Unbalance],
    sensors: Mapping[str, Sensor],
    *,
    forces: Sequence[SpaceForce] = (),
    begin: Literal["steady", "rest"] = "steady",
    hold: float = 0.0,
    axis: ArrayLike | None = None,
    terms: Terms | None = None,
    bearings: Sequence[Bearing] = (),
    modes: int = 12,
    samples_per_turn: int = 12,
) -> RunUp:
    """Motion from the steady answer at the first speed while the speed follows the ramp, then for `hold` seconds.

    With a ramp of equal ends the speed is steady, and the motion is that after a blow, or from rest after a sudden
    unbalance. Sensors show the displacement across the axis in the turning frame and in space.

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
    forces
        Forces [N] across the axis over time [s], in directions of space.
    begin
        "steady" with the answer to the unbalance at the first speed, or "rest" on the axis, as if the unbalance
        came at that instant.
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
    if not unbalance and not forces:
        raise InputError("neither an unbalance nor a force is given; give at least one", field="loads")
    if ramp.duration + hold <= 0:
        raise InputError("the speed is steady and no time is given; say how long it is held", field="hold")
    if not (np.isfinite(hold) and hold >= 0):
        raise InputError(f"the time at the last speed is {hold:g} s; give zero or more", field="hold")
    began = perf_counter()
    model = rotor_model(body, bearings, axis)
    discrete, direction = model.discrete, model.axis
    if discrete.body.axisymmetric:
        require_own_axis(discrete.body, direction, "axis")
    train = None if model.one_speed else train_motion(model, terms, unbalance, _of_space(model, forces))
    equations = _rotor(model, terms, unbalance, forces) if train is None else train.equations
    discrete.require_freedom()
    known = require_known(model.bearings, np.array([ramp.start, ramp.end]))
    watched = displacement_rows("a run-up", discrete, sensors)
    begin_work()
    basis = rest_basis(equations.constant_stiffness, equations.constant_mass, modes)
    frequencies, V = basis.frequencies, basis.vectors
    small = equations.project(V)
    end = ramp.duration + hold
    fastest = max(abs(member.ratio) for member in model.members) * max(abs(ramp.start), abs(ramp.end))
    rate = max(float(frequencies[-1]) + fastest, samples_per_turn * fastest / (2 * np.pi))
    steps = int(np.ceil(end * rate / _PHASE))
    if train is None:
        x = np.concatenate([_steady(small, ramp.start), np.zeros(small.size)])
    else:
        x = train.steady_start(small, ramp.start)
    course = _Course(ramp, tuple(forces), end, train)
    times, y = _integrate(small, course, x if begin == "steady" else 0 * x, steps)
    angle, speed, _ = ramp.at(times)
    sides, expand = np.stack(across(direction)), np.asarray(discrete.supports.basis @ V)
    orbits = {}
    for name, rows in watched.items():
        seen = y @ (sides @ rows @ expand).T
        path = seen[:, 0] + 1j * seen[:, 1]
        ratio = 1.0 if train is None else shaft_ratio(model, rows)
        orbits[name] = Orbit(path if train is None else path * np.exp(-1j * ratio * angle), ratio)
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
        method=f"collocation of order 16, {steps} steps; {V.shape[1]} shapes in "
        + ("the turning frame" if train is None else "space"),
        notices=known + _frequency_notices(model),
    )


def _frequency_notices(model: RotorModel) -> tuple[str, ...]:
    """Notices about tables over the frequency: a motion in time has no single frequency."""
    if any(bearing.table is not None and bearing.table.frequencies is not None for bearing in model.bearings):
        return ("tables over the frequency are taken at that of the speed, which an unbalance excites",)
    return ()


def _rotor(
    model: RotorModel, terms: Terms | None, unbalance: Sequence[Unbalance], forces: Sequence[SpaceForce]
) -> AffineEquations:
    """The equations above on the coordinates that the supports leave; tables take the frequency of the speed."""
    discrete, axis = model.discrete, model.axis
    # −ε a × (m e): the unbalance a quarter of a turn behind
    behind = [replace(each, angle=each.angle - np.pi / 2) for each in unbalance]
    along, beside = (unbalance_vector(discrete, each, axis) for each in (unbalance, behind))
    parts = [
        *bearing_parts(discrete, model.bearings, axis, mean=True),
        *turning_bearing_parts(discrete, model.bearings, axis),
        Part[SparseMatrix].constant("unbalance", LOAD, along, Monomial((SPEED, SPEED))),
        Part[SparseMatrix].constant("unbalance", LOAD, beside, Monomial((ACCELERATION,))),
    ]
    parts += _unit_forces(model, forces)
    body = turning_equations(model, terms).homogeneous.extend(parts)
    synchronous = body.about(axis, steady=False).merge({FREQUENCY: (1j, SPEED)})
    return synchronous.project(discrete.supports)


def _unit_forces(model: RotorModel, forces: Sequence[SpaceForce]) -> Iterator[Part[SparseMatrix]]:
    """Unit forces along e₁ and e₂ with their amounts, supports not eliminated."""
    for number, each in enumerate(forces):
        for side, direction in enumerate(across(model.axis)):
            with at_field("forces", number):
                unit = nodal_vector(
                    model.discrete, each.on, np.concatenate([direction, np.zeros(3)]).astype(complex)
                )
            yield Part[SparseMatrix].constant("forces", LOAD, unit.real, Monomial((_amount(number, side),)))


def _of_space(model: RotorModel, forces: Sequence[SpaceForce]) -> list[Part[SparseMatrix]]:
    """The same on the coordinates that the supports leave."""
    reduce = model.discrete.supports.reduce_vector
    return [replace(part, source=Once(partial(reduce, part.vector))) for part in _unit_forces(model, forces)]


def _steady(small: AffineEquations[Array], speed: float) -> Array:
    """The shape that stays at a steady speed, bearings taken at the mean of their directions: (r,)."""
    point = OperatingPoint.at_speed(speed)
    return np.asarray(np.linalg.solve(small.matrix(STIFFNESS, point), small.load(point)))


def _amount(number: int, side: int) -> str:
    """Of a force along the first or the second axis across of the turning frame."""
    return f"force {number + 1} along e{side + 1}"


@dataclass(frozen=True, eq=False)
class _Course:
    """What happens over time: the speed, and forces of space."""

    ramp: SpeedRamp
    forces: tuple[SpaceForce, ...]
    end: float
    train: TrainMotion | None = None  # in space, in place of the frame that turns

    @property
    def bounds(self) -> Array:
        """Instants at which a load jumps, and the ends: steps end there."""
        inner = [self.ramp.duration, *(t for force in self.forces for t in (force.start, force.end))]
        return np.unique([0.0, *(t for t in inner if 0 < t < self.end), self.end])

    def points(self, times: Array) -> OperatingPoint:
        """What the coefficients depend on: (t,)."""
        angle, speed, acceleration = self.ramp.at(times)
        turned = angle if self.train is None else 0 * angle
        amounts: dict[str, Array] = {COSINE: np.cos(2 * turned), SINE: np.sin(2 * turned)}
        if self.train is not None:
            amounts |= self.train.amounts(angle, speed, acceleration)
        for number, force in enumerate(self.forces):
            first, second = force.at(times)
            seen = (first + 1j * second) * np.exp(-1j * turned)
            amounts |= {_amount(number, 0): seen.real, _amount(number, 1): seen.imag}
        return OperatingPoint(amounts={SPEED: speed, ACCELERATION: acceleration, **amounts})


def _integrate(small: AffineEquations[Array], course: _Course, x: Array, steps: int) -> tuple[Array, Array]:
    """Times and coordinates at the kept ends of steps from (y, ẏ) on: (t,) and (t, r)."""
    r = small.size
    bounds = [
        (low, high, max(1, round(steps * (high - low) / course.end))) for low, high in pairwise(course.bounds)
    ]
    times, path = [0.0], [x[:r].copy()]
    every = max(1, sum(count for _, _, count in bounds) // _KEPT)
    number = 0
    for low, high, count in bounds:
        h = (high - low) / count
        chunk = max(1, min(_CHUNK, _ROOM // (STAGES * r**2)))
        for first in range(0, count, chunk):
            starts = low + h * np.arange(first, min(first + chunk, count), dtype=float)
            steps_ = partial(_steps, small, course, x, starts, h, high)
            states = keep_part("steps of a run-up", (x, starts, h, high), steps_)
            x = states[-1]
            for start, state in zip(starts, states, strict=True):
                number += 1
                if number % every == 0:
                    times.append(float(start + h))
                    path.append(state[:r].copy())
    return np.array(times), np.array(path)


def _steps(  # noqa: PLR0917
    small: AffineEquations[Array], course: _Course, x: Array, starts: Array, h: float, high: float
) -> Array:
    """(y, ẏ) at the ends of steps of the length h that begin with x: (steps, 2r)."""
    r, low = small.size, starts[0]
    # stages of the last step stay on this side of the end, those of the first one of the beginning
    stages = np.minimum((starts[:, None] + h * NODES).ravel(), high - 1e-12 * h)
    points = course.points(np.maximum(stages, low + 1e-12 * h))
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
