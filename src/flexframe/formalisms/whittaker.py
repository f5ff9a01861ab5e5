"""Whittaker: the energy integral removes time, and one coordinate τ = q_1 takes its place.

A system without explicit time, L = ½q̇ᵀMq̇ + q̇ᵀg − V, has the integral h = ½q̇ᵀMq̇ + V. With w = (1, z'), q̇ = τ̇ w it
gives τ̇ = ±√(2(h − V)/wᵀMw), and L* = √(2(h − V) wᵀMw) + wᵀg obeys Lagrange's equations in τ for the n − 1 others:

    (M_zz − ββᵀ/α) z'' = −[ν_z − β wᵀν/α] / τ̇²,   α = wᵀMw,   β = (Mw)_z,   dt/dτ = 1/τ̇.

Of an element in a moving frame the integral exists while ω, a_O and the loads are constant in the frame and
nothing is damped. Constraints must have been eliminated. Of a system it exists without laws of time and losses;
in a planar one a rigid angle is τ, along the motions u = B s that the joints allow, s = τ̇ (1, z'), and
ν = τ̇² ν₂(w) − Q gathers what is not acceleration.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from scipy import linalg

from flexframe.equations.bodies import affine_equations
from flexframe.errors import AnalysisError
from flexframe.formalisms.beam_sections import BeamMotion
from flexframe.formalisms.bodies import reduced_elements
from flexframe.formalisms.constraints import (
    RANK,
    Scaled,
    orthonormal_basis,
    projection_solver,
    scaled,
    sparse_basis,
)
from flexframe.formalisms.contract import (
    BoundMotion,
    BoundSolver,
    ElementEquations,
    ElementState,
    MovingElements,
    SystemInstant,
)
from flexframe.formalisms.formalism import BodySize, Formalism
from flexframe.formalisms.mass_points import PointMotion, Work
from flexframe.formalisms.natural_systems import (
    FAR,
    NaturalElements,
    bend,
    lost_in_system,
    lost_on_frame,
    natural_elements,
)
from flexframe.formalisms.time_stepping import BodyInstant, BodyTask
from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.maths.null_spaces import null_space, particular_solution
from flexframe.motion.frame import FrameMotion
from flexframe.reduction.rest_basis import RestBasis, body_basis, static_coverage

if TYPE_CHECKING:
    from flexframe.formalisms.system_motion import FormalismRun, SystemTask
    from flexframe.multibody.contract import DynamicSystem

TURNS = 1e-6  # part of the energy that an angle must have to replace time
PARTS = 8  # samples of an interval that a watched motion is looked at


def tau_rate(kinetic: Array, alpha: Array, sign: Array) -> Array:
    """τ̇ = ±√(2(h − V)/wᵀMw) from the energy integral."""
    return np.asarray(sign * np.sqrt(2 * kinetic / alpha))


def reduced_accelerations(system: NaturalElements, q: Array, rates: Array) -> Array:
    """q̈ by way of z''(τ) at states with q̇_1 ≠ 0: (elements, states, p), each as (elements, states, p)."""
    M = system.mass[:, None]

    def times(matrices: Array, vectors: Array) -> Array:
        return np.matmul(matrices, vectors[..., None])[..., 0]

    def dot(first: Array, second: Array) -> Array:
        return np.einsum("...i,...i->...", first, second)

    def potential(places: Array) -> Array:
        return dot(places, times(system.stiffness[:, None], places)) / 2 - dot(places, system.load[:, None])

    h = dot(rates, times(M, rates)) / 2 + potential(q)
    w = rates / rates[..., :1]
    speed = tau_rate(h - potential(q), dot(w, times(M, w)), np.sign(rates[..., 0]))[..., None]
    force = times(system.stiffness[:, None], q) - system.load[:, None]
    bent = bend(
        np.broadcast_to(M, (*w.shape, w.shape[-1])), w, speed * times(system.gyroscopic[:, None], w) + force
    )
    turned = np.concatenate([np.zeros_like(w[..., :1]), bent.turning], axis=-1)
    return np.asarray(bent.tau_second[..., None] * w + turned)


@dataclass(frozen=True, eq=False)
class _Probe:
    """Rates and places of order one in units of the element, so that no energy drowns another: (elements, p)."""

    rates: Array
    slow_rates: Array  # at which gyroscopic forces do not exceed the constant ones
    places: Array


def _probe(system: NaturalElements) -> _Probe:
    unit = 1 / np.sqrt(np.einsum("eii->ei", system.mass))
    both = unit[:, :, None] * unit[:, None, :]

    def size(values: Array) -> Array:
        return np.abs(values).reshape(len(values), -1).max(axis=1, keepdims=True)

    stiff, pull = size(system.stiffness * both), size(system.load * unit)
    gyroscopic = size(system.gyroscopic * both)
    frequency = np.sqrt(np.where(stiff > 0, stiff, 1.0))
    reach = np.maximum(1.0, pull / frequency**2)
    taper = 1.0 - 0.5 * np.arange(unit.shape[1]) / unit.shape[1]
    rates = frequency * reach * unit * taper
    bounded = (gyroscopic > 0) & (pull > 0)
    slow = np.where(bounded, pull / np.where(bounded, gyroscopic, 1.0), frequency * reach)
    return _Probe(rates, slow * unit * taper, reach * unit)


@dataclass(frozen=True)
class Whittaker(Formalism):
    """d/dτ ∂L*/∂z' − ∂L*/∂z = 0, where τ = q_1 replaces the time, which the energy integral gives back."""

    title: ClassVar[str] = "Whittaker"
    primitive: ClassVar[str] = "energy integral h and the reduced function L*"
    system_primitive: ClassVar[str] = "energy integral h, a rigid angle for the time"
    energy_kind: ClassVar[str] = "jacobi"
    needs_mass: ClassVar[bool] = True
    resumable: ClassVar[bool] = False  # its angle runs through in one piece

    def refusal(self, motions: Sequence[FrameMotion], *, damped: bool) -> str | None:
        """The term that breaks the energy integral."""
        return lost_on_frame(motions, damped=damped)

    def element_equations(self, elements: MovingElements, motion: FrameMotion, work: Work) -> ElementEquations:
        """Undo the reduction: q̈ is affine in (q, q̇), so a set of states shows its coefficients."""
        system = natural_elements(elements, motion, work)
        p = elements.size
        M, index = system.mass, np.arange(p)
        probe = _probe(system)
        rates = np.repeat(probe.rates[:, None], 2 * p + 3, axis=1)
        places = np.zeros_like(rates)
        rates[:, 1 + index, index] *= 1.5
        places[:, 1 + p + index, index] = probe.places
        rates[:, -2], rates[:, -1] = probe.slow_rates, -probe.slow_rates
        found = reduced_accelerations(system, places, rates)
        by_rate = (found[:, 1 : 1 + p] - found[:, :1]) / (0.5 * probe.rates)[:, :, None]
        by_place = (found[:, 1 + p : 1 + 2 * p] - found[:, :1]) / probe.places[:, :, None]
        constant = (found[:, -2] + found[:, -1]) / 2  # gyroscopic forces at opposite rates cancel
        solves = elements.count * (2 * p + 3) * (p**3 // 3 + 4 * p**2)
        work.count(solves)
        return ElementEquations(
            mass=M,
            damping=-work.product(M, by_rate.swapaxes(1, 2)),
            stiffness=-work.product(M, by_place.swapaxes(1, 2)),
            load=work.product(M, constant[..., None])[..., 0],
        )

    def energy(self, elements: MovingElements, motion: FrameMotion, state: ElementState) -> Array:
        """Jacobi's h = ½δ̇ᵀMδ̇ + V of every element."""
        system = natural_elements(elements, motion, Work())
        d, v = state.displacements, state.rates
        return np.asarray(
            np.einsum("ei,eij,ej->e", v, system.mass, v) / 2
            + np.einsum("ei,eij,ej->e", d, system.stiffness, d) / 2
            - np.einsum("ei,ei->e", d, system.load)
        )

    def bound(self, mass: SparseMatrix, constraint: SparseMatrix) -> BoundSolver:
        return projection_solver(mass, constraint, sparse_basis(constraint, orthonormal_basis))

    def body_unknowns(self, size: BodySize) -> int:
        return 2 * size.free - 2

    def body_motion(self, task: BodyTask) -> "WithoutTime":
        return WithoutTime(task, body_basis(task.discrete, task.modes))

    def system_refusal(self, system: "DynamicSystem") -> str | None:
        """What breaks the energy integral, or the rigid angle."""
        return lost_in_system(system)

    def system_unknowns(self, size: int, rank: int, rows: int) -> int:  # noqa: ARG002
        return 2 * (size - rank) - 1  # z, z' and the time

    def system_motion(self, instant: SystemInstant, work: Work) -> BoundMotion:
        return reduced_motion(instant, chart(instant), energy(instant, work), work).motion

    def system_run(self, task: "SystemTask") -> "FormalismRun":
        """The motion in charts; a watched one is sampled along its steps, whose number does not depend on that."""
        from flexframe.formalisms.charts import whittaker_run
        from flexframe.multibody.integrators.recording import some_samples

        times = task.times
        if task.observe is None:
            return whittaker_run(task, times)
        finer = np.interp(np.arange(PARTS * (len(times) - 1) + 1) / PARTS, np.arange(len(times)), times)
        made = whittaker_run(task, finer)
        task.observe(made.simulation)
        return replace(made, simulation=some_samples(made.simulation, slice(None, None, PARTS)))


@dataclass(eq=False)
class WithoutTime:
    """Whittaker's equations of a body in a reduced basis; time is recovered."""

    whole: ClassVar[bool] = False
    task: BodyTask
    basis: RestBasis
    charts: int = 0
    steps: int = 0
    _brakes: int = field(default=0)

    @property
    def description(self) -> str:
        return (
            f"Whittaker's equations in a basis of {self.basis.size} shapes ({self.basis.description}), "
            f"{self.charts} charts, {self._brakes} of them in time at brake points"
        )

    @property
    def notices(self) -> tuple[str, ...]:
        limits = (
            f"motion in a reduced basis, the {self.basis.description}; support forces, which need the whole body, "
            "are left out"
        )
        motion = self.task.law.at(float(self.task.times[0]))
        share = static_coverage(self.task.discrete, self.basis, affine_equations(self.task.discrete).load(motion))
        if share > 0.99:
            return (limits,)
        return (
            limits,
            f"the basis holds only {100 * share:.3g} % of the strain energy that the loads store in the body, so "
            "their effect is mostly lost; ask for more modes",
        )

    def motion(self, displacements: Array, rates: Array) -> Iterator[BodyInstant]:
        """The body at every time, the first one among them."""
        from flexframe.formalisms.natural_motion import whittaker_motion  # it loads an integrator

        task, shapes = self.task, self.basis.vectors
        motion = task.law.at(float(task.times[0]))
        elements = reduced_elements(task.discrete, motion, shapes, geometric=task.geometric)
        system = natural_elements(elements, motion, Work()).first()
        project = shapes.T @ np.asarray(task.discrete.mass @ np.stack([displacements, rates], axis=1))
        found = whittaker_motion(system, project[:, 0], project[:, 1], task.times)
        self.charts, self.steps = len(found.charts), found.steps
        self._brakes = found.charts.count(-1)
        for y, y_rate in zip(found.coordinates, found.rates, strict=True):
            yield BodyInstant(shapes @ y, shapes @ y_rate)


@dataclass(frozen=True, eq=False)
class ReducedMotion:
    """What the reduced equations give at a state."""

    motion: BoundMotion
    tau_rate: float
    tau_second: float
    crowding: float  # wᵀMw over what τ alone has: large near a turning point of τ


def energy(instant: SystemInstant, work: Work) -> float:
    """h = T + V."""
    work.multiplications += sum(4 * len(body.weights) for body in instant.bodies)
    doubled = sum(body.weights @ (body.velocities**2).sum(axis=1) for body in instant.bodies)
    doubled += sum(float(np.einsum("ep,epi->", beam.weights, beam.velocities**2)) for beam in instant.beams)
    return float(doubled / 2) + instant.potential


def chart(instant: SystemInstant) -> int:
    """The rigid angle that turns with most energy of its own; any other velocity where nothing turns."""
    spins = [place.start + 2 for place in instant.places]
    own = np.diagonal(_masses(instant))
    shares = np.sqrt(np.maximum(own, 0.0)) * np.abs(instant.velocity)
    if not shares.any():
        raise AnalysisError(
            "the system is at rest, where no coordinate can take the place of time (a brake point); begin with a "
            "velocity, or use another formalism there"
        )
    turning = int(spins[int(np.argmax(shares[spins]))])
    return turning if shares[turning] ** 2 >= TURNS * float(shares @ shares) else int(np.argmax(shares))


def reduced_motion(instant: SystemInstant, tau: int, total_energy: float, work: Work) -> ReducedMotion:
    """Accelerations by way of z''(τ) at a state; of its velocities only the direction w is used."""
    speed = instant.velocity[tau]
    bodies = [_slow(body, 1 / speed) for body in instant.bodies]  # velocities w = u/τ̇
    mass, bent = instant.gather(
        [_bent_path(body, work) for body in bodies],
        [_bent_beam(beam.slow(1 / speed), work) for beam in instant.beams],
    )
    problem = scaled(mass, instant.forces_of_potential, instant.constraint, instant.bias)
    basis = _tau_basis(problem, tau)
    w = _coordinates(problem, basis, instant.velocity / speed)
    w = w / w[0]
    M = basis.T @ problem.mass @ basis
    alpha, unit = float(w @ M @ w), problem.unit[tau]
    crowding = alpha / float(M[0, 0])
    if not crowding < FAR:
        nothing = np.full(len(instant.velocity), np.nan)
        return ReducedMotion(BoundMotion(nothing, nothing), np.nan, np.nan, crowding)
    # τ̇ in units of the chart from the energy integral; constraint equations bend the path as τ̇²
    rate = np.sign(speed) * np.sqrt(2 * max(total_energy - instant.potential, 0.0) / alpha)
    rest = particular_solution(problem.constraint, problem.bias) * (rate * unit / speed) ** 2
    curved = (rate * unit) ** 2 * (bent * problem.unit)
    work.count(len(w) ** 3 // 3 + len(problem.force) ** 2 * len(w))
    found = bend(M, w, basis.T @ (curved - problem.force + problem.mass @ rest))
    accelerations = basis @ (found.tau_second * w + np.concatenate([[0.0], found.turning])) + rest
    return ReducedMotion(
        motion=problem.restore(accelerations, problem.mass @ accelerations + curved - problem.force),
        tau_rate=float(rate * unit),
        tau_second=float(accelerations[tau] * unit),
        crowding=crowding,
    )


def accelerations_in_time(instant: SystemInstant, work: Work) -> BoundMotion:
    """u̇ and joint forces where no coordinate can replace time, along the motions that the joints allow."""
    mass, bent = instant.gather(
        [_bent_path(body, work) for body in instant.bodies], [_bent_beam(beam, work) for beam in instant.beams]
    )
    problem = scaled(mass, instant.forces_of_potential - bent, instant.constraint, instant.bias)
    basis = null_space(problem.constraint, RANK).basis
    return problem.project(basis, particular_solution(problem.constraint, problem.bias), work)


def _masses(instant: SystemInstant) -> Array:
    """M of all bodies and beams."""
    work = Work()
    return instant.gather(
        [(body.sum(body.partial, body.partial, work), np.zeros(())) for body in instant.bodies],
        [(beam.sum(beam.partial, beam.partial, work), np.zeros((1, 12))) for beam in instant.beams],
    )[0]


def _tau_basis(problem: Scaled, tau: int) -> Array:
    """Columns that span the allowed motions, the first alone with a rate of τ (one), the others without."""
    B = null_space(problem.constraint, RANK).basis
    row = B[tau]
    size = float(row @ row)
    if size < 1e-20:
        raise AnalysisError("the angle that should replace time cannot move; its joints hold it")
    others = null_space(row[None]).basis
    return np.column_stack([B @ row / size, B @ others])


def _coordinates(problem: Scaled, basis: Array, velocity: Array) -> Array:
    """s with B s = velocity, in scaled units."""
    return np.asarray(linalg.lstsq(basis, velocity / problem.unit)[0])


def _slow(body: PointMotion, factor: float) -> PointMotion:
    """The same place with all velocities multiplied."""
    return replace(
        body,
        velocity=factor * body.velocity,
        spin=factor * body.spin,
        rates=factor * body.rates,
        shape_rates=factor * body.shape_rates,
    )


def _bent_path(body: PointMotion, work: Work) -> tuple[Array, Array]:
    """M, and ν₂(w) = Σ w Gᵀ(d²r/dτ² without w'): the paths of the points bend although w does not change."""
    w = np.concatenate([body.velocity, body.spin, body.rates])[body.columns]
    turned = np.cross(body.spin, np.asarray(body.partial @ w)) + np.asarray(body.partial_rate @ w)
    work.count(6 * len(turned))
    return body.sum(body.partial, body.partial, work), body.sum(body.partial, turned, work)


def _bent_beam(beam: BeamMotion, work: Work) -> tuple[Array, Array]:
    """The same of the points of beams."""
    turned = np.cross(beam.spins, beam.velocities) + beam.bending
    work.count(6 * beam.weights.size)
    return beam.sum(beam.partial, beam.partial, work), beam.sum(beam.partial, turned, work)
