"""Run-up of a rotor through its critical speeds: motion in time while the speed grows.

The turning frame sees M δ̈ + (D + ΩG)δ̇ + (K + ΩN + Ω²S + ε E)δ = Ω²f₁ + ε f₂ with Ω(t) and ε = Ω̇ given: an
unbalance m e turns with the body and acts with Ω² m e along itself and with −ε a × m e across. Bearings that
differ in two directions add their parts at twice the angle.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np
from numpy.typing import ArrayLike

from flexframe.analyses.floquet.gauss import NODES, STAGES, step_maps
from flexframe.analyses.floquet.modal_basis import modal_basis
from flexframe.analyses.judging import judged
from flexframe.analyses.rotation.bearings import Bearing, turning_bearings
from flexframe.analyses.rotation.harmonic_loads import Unbalance, across, unbalance_vector
from flexframe.analyses.rotation.spinning_equations import SpinningEquations, spinning_equations
from flexframe.assembly.discrete import DiscreteBody, discretised
from flexframe.assembly.equations import Terms
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.model.body import Body
from flexframe.model.supports import NodeSelection
from flexframe.motion.frame import PLANAR_AXIS, FrameMotion
from flexframe.results.run_up import Orbit, RunUp

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


@dataclass(frozen=True, eq=False)
class _Small:
    """The equations on M-orthonormal shapes."""

    parts: Mapping[str, Array]
    euler: Array  # for each rad/s²
    cosine: tuple[Array, Array, Array]  # stiffness, damping, circulatory of cos 2θ
    sine: tuple[Array, Array, Array]
    along: Array  # force of the unbalance for Ω² = 1
    beside: Array  # and for ε = 1

    @property
    def size(self) -> int:
        """Number of shapes r."""
        return len(self.along)

    def steady(self, speed: float) -> Array:
        """The shape that stays at a steady speed, bearings taken at the mean of their directions: (r,)."""
        nothing = np.zeros_like(self.euler)
        powers = {"stiffness": 1.0, "circulatory": speed, "spin_stiffness": speed**2}
        K = sum((amount * self.parts.get(name, nothing) for name, amount in powers.items()), nothing)
        return np.asarray(np.linalg.solve(K, speed**2 * self.along))

    def coefficients(self, angle: Array, speed: Array, acceleration: Array) -> tuple[Array, Array, Array]:
        """C, K (t, r, r) and f (t, r)."""

        def part(name: str) -> Array:
            return self.parts.get(name, np.zeros_like(self.euler))

        omega, epsilon = speed[:, None, None], acceleration[:, None, None]
        cosine, sine = (wave(2 * angle)[:, None, None] for wave in (np.cos, np.sin))
        C = part("damping") + omega * part("gyroscopic") + cosine * self.cosine[1] + sine * self.sine[1]
        K = part("stiffness") + omega * part("circulatory") + omega**2 * part("spin_stiffness")
        K = K + epsilon * self.euler + cosine * self.cosine[0] + sine * self.sine[0]
        K = K + omega * (cosine * self.cosine[2] + sine * self.sine[2])
        return C, K, speed[:, None] ** 2 * self.along + acceleration[:, None] * self.beside


@judged
def run_up(
    body: Body | DiscreteBody,
    ramp: SpeedRamp,
    unbalance: Sequence[Unbalance],
    sensors: Mapping[str, NodeSelection],
    *,
    hold: float = 0.0,
    axis: ArrayLike = PLANAR_AXIS,
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
    ...     {"middle": (0.3, 0, 0)},
    ...     axis=(1, 0, 0),
    ...     modes=4,
    ... )
    >>> round(float(found.speeds[-1]), 6)  # rad/s
    20.0
    """
    if not unbalance:
        raise InputError("no unbalance is given; give at least one")
    if not (np.isfinite(hold) and hold >= 0):
        raise InputError(f"the time at the last speed is {hold:g} s; give zero or more")
    began = perf_counter()
    discrete = discretised(body)
    equations = spinning_equations(discrete, axis, terms=terms, bearings=bearings, mean=True)
    frequencies, V = modal_basis(equations.stiffness, equations.mass, modes)
    small = _small(discrete, equations, V, bearings, unbalance)
    direction = equations.axis
    end = ramp.duration + hold
    fastest = max(abs(ramp.start), abs(ramp.end))
    rate = max(float(frequencies[-1]) + fastest, samples_per_turn * fastest / (2 * np.pi))
    steps = int(np.ceil(end * rate / _PHASE))
    times, y = _integrated(small, ramp, end, steps)
    angle, speed, _ = ramp.at(times)
    first, second = across(direction)
    orbits = {}
    for name, on in sensors.items():
        rows = _rows(discrete, on, first, second) @ np.asarray(discrete.supports.basis @ V)
        seen = y @ rows.T
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
    )


def _small(
    discrete: DiscreteBody,
    equations: SpinningEquations,
    V: Array,
    bearings: Sequence[Bearing],
    unbalance: Sequence[Unbalance],
) -> _Small:
    supports, axis, terms = discrete.supports, equations.axis, equations.terms

    def small(matrix: SparseMatrix) -> Array:
        return np.asarray(V.T @ np.asarray(supports.reduce_matrix(matrix) @ V))

    spin_up = FrameMotion(angular_acceleration=axis)
    euler = terms.euler * discrete.inertia.contraction(spin_up.E)
    for load, amount in discrete.geometric.coefficients(spin_up).items():
        if load[0] == "euler":
            euler = euler + terms.geometric * amount * discrete.geometric.invariant(load)
    turning = turning_bearings(discrete, bearings, axis)
    pairs = (turning.stiffness, turning.damping, turning.circulatory)
    # −ε a × (m e): the unbalance a quarter of a turn behind
    behind = [replace(each, angle=each.angle - np.pi / 2) for each in unbalance]
    along, beside = (
        V.T @ supports.reduce_vector(unbalance_vector(discrete, u, axis)) for u in (unbalance, behind)
    )
    return _Small(
        {c.name: np.asarray(V.T @ np.asarray(c.matrix @ V)) for c in equations.coefficients},
        small(euler),
        (small(pairs[0][0]), small(pairs[1][0]), small(pairs[2][0])),
        (small(pairs[0][1]), small(pairs[1][1]), small(pairs[2][1])),
        along,
        beside,
    )


def _integrated(small: _Small, ramp: SpeedRamp, end: float, steps: int) -> tuple[Array, Array]:
    """Times and coordinates at the kept ends of steps: (t,) and (t, r)."""
    r = small.size
    # steps end where the ramp does, where the load jumps
    before = max(1, round(steps * ramp.duration / end))
    after = max(1, steps - before) if end > ramp.duration else 0
    bounds = [(0.0, ramp.duration, before)] + ([(ramp.duration, end, after)] if after else [])
    x = np.concatenate([small.steady(ramp.start), np.zeros(r)])
    times, path = [0.0], [x[:r].copy()]
    every = max(1, (before + after) // _KEPT)
    number = 0
    for low, high, count in bounds:
        h = (high - low) / count
        for first in range(0, count, _CHUNK):
            some = min(_CHUNK, count - first)
            starts = low + h * np.arange(first, first + some, dtype=float)
            # stages of the last step stay on this side of the end
            stages = np.minimum((starts[:, None] + h * NODES).ravel(), high - 1e-12 * h)
            C, K, f = small.coefficients(*ramp.at(np.maximum(stages, low + 1e-12 * h)))
            shape = (some, STAGES, r)
            maps, offsets = step_maps(C.reshape(*shape, r), K.reshape(*shape, r), h, f.reshape(shape))
            for start, map_, offset in zip(starts, maps, offsets, strict=True):
                x = map_ @ x + offset
                number += 1
                if number % every == 0:
                    times.append(float(start + h))
                    path.append(x[:r].copy())
    return np.array(times), np.array(path)


def _rows(discrete: DiscreteBody, on: NodeSelection, first: Array, second: Array) -> Array:
    """Mean displacement of nodes along the two directions: (2, p)."""
    nodes = discrete.body.selected_nodes(on)
    numbers = discrete.dofs.numbers[nodes, :3]
    rows = np.zeros((2, discrete.dofs.count))
    for place, direction in enumerate((first, second)):
        weights = np.broadcast_to(direction / len(nodes), numbers.shape)
        present = numbers >= 0
        np.add.at(rows[place], numbers[present], weights[present])
    return rows
