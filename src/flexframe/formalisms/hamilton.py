"""Hamilton: δ̇ = ∂H/∂p, ṗ = −∂H/∂δ + Q, with H = p·δ̇ − L as a function of δ and p = ∂L/∂δ̇.

The Lagrangian of bodies, their canonical equations, and a symplectic integration of them.

Independent coordinates z and momenta p = mż + cz + s obey ż = ∂H/∂p, ṗ = −∂H/∂z. The implicit midpoint rule
keeps the canonical structure for any H(z, p, t); for a quadratic H without time it keeps H itself. The
invariant gauge is used, so that the motion of the frame enters through ω, ε and a only.

In the natural gauge L holds the whole kinetic energy, p = mδ̇ + cδ + s, s = ∫ρNᵀ(v + Wx), and the equations
need only the velocities v, ω of the frame. In the invariant gauge the total derivative of δᵀs is taken off, p
= mδ̇ + cδ, and the accelerations a, ε appear instead of v. Constraints need independent coordinates before p
exists.

In a system P = ∂T/∂u stand for the velocities and H = ½PᵀM(δ)⁻¹P + V. For the frames the canonical equations take
the form of Poincaré, with u = ∂H/∂P:

    Ṗ_v = P_v × ω + Q_v,      Ṗ_ω = P_ω × ω + P_v × v + Q_ω,      Ṗ_δ = −∂H/∂δ + Q_δ .

Constraint equations on u are equations on M⁻¹P; the multipliers follow from keeping them (Dirac). Accelerations
are the rate of ∂H/∂P: u̇ = H_PP Ṗ + Ḣ_PP P.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from scipy import linalg, sparse

from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.pattern import assembled
from flexframe.formalisms.beam_sections import BeamMotion
from flexframe.formalisms.constraints import (
    RANK,
    orthonormal_basis,
    projection_solver,
    scaled,
    sparse_basis,
    with_factor,
)
from flexframe.formalisms.contract import (
    BoundMotion,
    BoundSolver,
    ElementEquations,
    ElementState,
    MovingElements,
    SystemInstant,
)
from flexframe.formalisms.formalism import BodySize, Formalism, Velocities
from flexframe.formalisms.mass_points import PointMotion, Work, column
from flexframe.formalisms.moving_elements import element_groups, loose_terms
from flexframe.formalisms.time_stepping import BodyInstant, BodyTask
from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.maths.factorisation import Factorisation, factorise
from flexframe.motion.frame import FrameMotion

Gauge = Literal["natural", "invariant"]


@dataclass(frozen=True, eq=False)
class Lagrangian:
    """L = ½δ̇ᵀmδ̇ + δ̇ᵀ(cδ + s) + ½δᵀnδ + δᵀr + L₀ − ½δᵀkδ + δᵀq, and the rates of c and s."""

    mass: Array  # m: (elements, p, p)
    gyroscopic: Array  # c
    gyroscopic_rate: Array  # ċ
    momentum: Array  # s: (elements, p)
    momentum_rate: Array  # ṡ
    quadratic: Array  # n − k: (elements, p, p)
    linear: Array  # r + q: (elements, p)
    constant: Array  # L₀: (elements,)


def lagrangian(elements: MovingElements, motion: FrameMotion, gauge: Gauge, work: Work) -> Lagrangian:
    """The Lagrangian from the velocities of the points."""
    w, N, W = elements.weights, elements.shape, motion.W
    p = elements.size
    with_marker = np.concatenate([N, column(elements.positions)], axis=-1)
    dragged = work.multiply(W, with_marker)  # WN, Wx
    changed = work.multiply(motion.E, with_marker)  # EN, Ex
    if gauge == "natural":
        dragged[..., -1] += motion.origin_velocity
        changed[..., -1] += motion.origin_acceleration - W @ motion.origin_velocity
    mixed = work.integral(w, N, np.concatenate([N, dragged, changed], axis=-1))
    square = work.integral(w, dragged, dragged)
    m, c, s = mixed[..., :p], mixed[..., p : 2 * p], mixed[..., 2 * p]
    c_rate, s_rate = mixed[..., 2 * p + 1 : -1], mixed[..., -1]
    r = square[:, :p, -1]
    if gauge == "invariant":
        # L − d/dt(δᵀs): what is left of the terms in δ is −δᵀ∫ρNᵀ(Ex + a) + δᵀ∫ρ(WN)ᵀWx
        push = np.broadcast_to(motion.origin_acceleration, elements.positions.shape)
        r = work.sum(r, -s_rate, -work.integral(w, N, column(push))[..., 0])
        s, s_rate = np.zeros_like(s), np.zeros_like(s)
    return Lagrangian(
        mass=m,
        gyroscopic=c,
        gyroscopic_rate=c_rate,
        momentum=s,
        momentum_rate=s_rate,
        quadratic=work.sum(square[:, :p, :p], -elements.stiffness),
        linear=work.sum(r, elements.load),
        constant=square[:, -1, -1] / 2,
    )


@dataclass(frozen=True, eq=False)
class CanonicalBody:
    """L = ½żᵀmż + żᵀ(cz + s) + ½zᵀnz + zᵀr at one instant, and forces −dż that have no potential."""

    mass: SparseMatrix  # m: (n, n)
    gyroscopic: SparseMatrix  # c
    quadratic: SparseMatrix  # n
    damping: SparseMatrix  # d
    momentum: Array  # s: (n,)
    linear: Array  # r: (n,)

    def momenta(self, z: Array, rates: Array) -> Array:
        """p = mż + cz + s."""
        return np.asarray(self.mass @ rates + self.gyroscopic @ z + self.momentum)

    def hamiltonian(self, z: Array, rates: Array) -> float:
        """H = ½żᵀmż − ½zᵀnz − zᵀr, the value at the momenta of ż."""
        return float(rates @ (self.mass @ rates) / 2 - z @ (self.quadratic @ z) / 2 - z @ self.linear)


def canonical_body(discrete: DiscreteBody, motion: FrameMotion, *, geometric: float = 1.0) -> CanonicalBody:
    """Lagrangians of all elements added up, supports eliminated."""
    size, supports = discrete.dofs.count, discrete.supports
    total: list[SparseMatrix] = []
    momentum, linear = np.zeros(size), np.zeros(size)
    for group in element_groups(discrete, motion, geometric=geometric):
        L = lagrangian(group.elements, motion, "invariant", Work())
        blocks = (L.mass, L.gyroscopic, L.quadratic, group.elements.damping)
        parts = [assembled(block, group.numbers, size) for block in blocks]
        total = [sparse.csr_array(a + b) for a, b in zip(total, parts, strict=True)] if total else parts
        kept = group.numbers >= 0
        np.add.at(momentum, group.numbers[kept], L.momentum[kept])
        np.add.at(linear, group.numbers[kept], L.linear[kept])
    loose = loose_terms(discrete, motion, geometric=geometric)
    total[2], total[3] = sparse.csr_array(total[2] - loose.stiffness), sparse.csr_array(total[3] + loose.damping)
    linear += loose.load
    mass, gyroscopic, quadratic, damping = (supports.reduce_matrix(part) for part in total)
    vectors = (supports.reduce_vector(momentum), supports.reduce_vector(linear))
    return CanonicalBody(mass, gyroscopic, quadratic, damping, *vectors)


@dataclass(frozen=True, eq=False)
class Midpoint:
    """The implicit midpoint rule of one size of step with the coefficients of one instant."""

    body: CanonicalBody  # at the middle of the step
    step: float
    factors: Factorisation

    @classmethod
    def prepare(cls, body: CanonicalBody, step: float) -> "Midpoint":
        """Factorise m/h + (c − cᵀ + d)/2 − hn/4, what is left of both equations when Δp is eliminated."""
        c = body.gyroscopic
        matrix = body.mass / step + (c - c.T + body.damping) / 2 - step / 4 * body.quadratic
        return cls(body, step, factorise(sparse.csr_array(matrix), "general"))

    def advance(self, z: Array, p: Array) -> tuple[Array, Array]:
        """(z, p) one step on."""
        body, h = self.body, self.step
        c, n = body.gyroscopic, body.quadratic
        pull = n @ z + body.linear
        moved = self.factors.solve(np.asarray(p - c @ z - body.momentum + h / 2 * pull))
        pushed = c.T @ moved + h * (pull + n @ moved / 2) - body.damping @ moved
        return z + moved, np.asarray(p + pushed)

    def propagator(self) -> tuple[Array, Array]:
        """The step as (z, p) → P (z, p) + g, written out: (2n, 2n) and (2n,)."""
        size = self.body.mass.shape[0]
        zero = np.zeros(size)
        constant = np.concatenate(self.advance(zero, zero))
        unit = np.eye(2 * size)
        columns = [np.concatenate(self.advance(e[:size], e[size:])) - constant for e in unit]
        return np.array(columns).T, constant


@dataclass(frozen=True, eq=False)
class CanonicalMotion:
    """Hamilton's (δ, p) by the implicit midpoint rule."""

    whole: ClassVar[bool] = True
    description: ClassVar[str] = "implicit midpoint rule in (δ, p), symplectic, supports eliminated"
    task: BodyTask
    notices: tuple[str, ...] = ()

    @property
    def steps(self) -> int:
        return self.task.steps

    def _body(self, motion: FrameMotion) -> CanonicalBody:
        return canonical_body(self.task.discrete, motion, geometric=self.task.geometric)

    def motion(self, displacements: Array, rates: Array) -> Iterator[BodyInstant]:
        """The body at every time, the first one among them."""
        task, supports = self.task, self.task.discrete.supports
        ends = task.law.at(float(task.times[0]))
        body = self._body(ends)
        factors = factorise(body.mass, "spd")
        z = supports.reduce_vector(displacements)
        p = body.momenta(z, supports.reduce_vector(rates))
        yield BodyInstant(displacements, rates)
        middles = task.prepare_steps(0.5, lambda motion: Midpoint.prepare(self._body(motion), task.step))
        for start, midpoint in zip(task.times[:-1], middles, strict=True):
            z, p = midpoint.advance(z, p)
            arrived = task.law.at(float(start + task.step))
            if not arrived.acts_like(ends):
                body, ends = self._body(arrived), arrived
            v = factors.solve(np.asarray(p - body.gyroscopic @ z - body.momentum))
            yield BodyInstant(supports.expand(z), supports.expand(v))


_NONE, _NO_FORCE = np.zeros(()), np.zeros((1, 12))  # where only matrices are gathered


@dataclass(frozen=True, eq=False)
class Hamiltonian:
    """H = ½ (p, δ, 1)ᵀ 𝓗 (p, δ, 1) in blocks, and the rates of the blocks that depend on the frame."""

    pp: Array  # (elements, p, p)
    pd: Array
    dd: Array
    p1: Array  # (elements, p)
    d1: Array
    constant: Array  # (elements,)
    pd_rate: Array
    p1_rate: Array


def hamiltonian(function: Lagrangian, work: Work) -> Hamiltonian:
    """The Legendre transform H = ½(p − cδ − s)ᵀm⁻¹(p − cδ − s) − ½δᵀ(n − k)δ − δᵀ(r + q) − L₀."""
    c, s = function.gyroscopic, function.momentum[..., None]
    inverse = work.inverse(function.mass)
    moved = work.product(inverse, np.concatenate([c, s], axis=-1))
    moved_rate = work.product(
        inverse, np.concatenate([function.gyroscopic_rate, function.momentum_rate[..., None]], axis=-1)
    )
    bent = work.product(np.concatenate([c, s], axis=-1).swapaxes(1, 2), moved)
    return Hamiltonian(
        pp=inverse,
        pd=-moved[..., :-1],
        dd=work.sum(bent[:, :-1, :-1], -function.quadratic),
        p1=-moved[..., -1],
        d1=work.sum(bent[:, :-1, -1], -function.linear),
        constant=work.sum(bent[:, -1, -1] / 2, -function.constant),
        pd_rate=-moved_rate[..., :-1],
        p1_rate=-moved_rate[..., -1],
    )


class Momenta(Velocities):
    """What stands beside the coordinates in the state of a system: the momenta P = ∂T/∂u."""

    def of(self, instant: SystemInstant, work: Work) -> Array:
        """P = Σ w (∂ṙ/∂u)ᵀṙ of all bodies: (n,)."""
        bodies = np.concatenate([body.sum(body.partial, body.velocities, work) for body in instant.bodies])
        return bodies + instant.spread_forces(
            [beam.sum(beam.partial, beam.velocities, work) for beam in instant.beams]
        )

    def velocity(self, at_rest: Callable[[], SystemInstant], values: Array, work: Work) -> Array:
        """u = ∂H/∂P."""
        inverse = inverse_mass(at_rest(), work)
        return np.asarray(inverse.matrix @ (values + inverse.shift))

    def rates(self, instant: SystemInstant, motion: BoundMotion, work: Work) -> Array:
        """Ṗ with joint forces: (n,)."""
        return momentum_rates(instant, work) + motion.joint_forces

    def sizes(self, velocities: Array, mass: Array) -> Array:
        """M u on the diagonal; where there is no mass, that of the largest."""
        return np.asarray(velocities * np.where(mass > 0, mass, mass.max(initial=1.0)))


@dataclass(frozen=True)
class Hamilton(Formalism):
    """q̇ = ∂H/∂p, ṗ = −∂H/∂q + Q + Aᵀλ, where H = p·q̇ − L is a function of q and p = ∂L/∂q̇."""

    gauge: Gauge = "natural"
    title: ClassVar[str] = "Hamilton"
    primitive: ClassVar[str] = "Hamilton's function H and momenta p"
    system_primitive: ClassVar[str] = "Hamilton's function H and momenta P"
    energy_kind: ClassVar[str] = "hamiltonian"
    needs_mass: ClassVar[bool] = True
    variables: ClassVar[Velocities] = Momenta()

    def element_equations(self, elements: MovingElements, motion: FrameMotion, work: Work) -> ElementEquations:
        """Eliminate p: δ̈ = 𝓗_pp ṗ + d𝓗_pδ/dt δ + 𝓗_pδ δ̇ + d𝓗_p1/dt, with p from δ̇ = 𝓗_pp p + 𝓗_pδ δ + 𝓗_p1."""
        H = hamiltonian(lagrangian(elements, motion, self.gauge, work), work)
        M = work.inverse(H.pp)
        # p = M δ̇ + P δ + P₁
        P, P_one = -work.product(M, H.pd), -work.product(M, H.p1[..., None])
        H_dp = H.pd.swapaxes(1, 2)
        P_rate, P_one_rate = -work.product(M, H.pd_rate), -work.product(M, H.p1_rate[..., None])
        return ElementEquations(
            mass=M,
            damping=work.sum(P, work.product(H_dp, M), elements.damping),
            stiffness=work.sum(P_rate, work.product(H_dp, P), H.dd),
            load=-work.sum(P_one_rate[..., 0], work.product(H_dp, P_one)[..., 0], H.d1),
        )

    def energy(self, elements: MovingElements, motion: FrameMotion, state: ElementState) -> Array:
        """H of every element at the momenta of a state, in the natural gauge."""
        work = Work()
        function = lagrangian(elements, motion, "natural", work)
        H = hamiltonian(function, work)
        d, v = state.displacements, state.rates
        p = (
            np.einsum("eij,ej->ei", function.mass, v)
            + np.einsum("eij,ej->ei", function.gyroscopic, d)
            + function.momentum
        )
        quadratic = (
            np.einsum("ei,eij,ej->e", p, H.pp, p) / 2
            + np.einsum("ei,eij,ej->e", p, H.pd, d)
            + np.einsum("ei,eij,ej->e", d, H.dd, d) / 2
        )
        return np.asarray(quadratic + np.einsum("ei,ei->e", p, H.p1) + np.einsum("ei,ei->e", d, H.d1) + H.constant)

    def bound(self, mass: SparseMatrix, constraint: SparseMatrix) -> BoundSolver:
        return projection_solver(mass, constraint, sparse_basis(constraint, orthonormal_basis))

    def body_unknowns(self, size: BodySize) -> int:
        """δ and p."""
        return 2 * size.free

    def body_motion(self, task: BodyTask) -> CanonicalMotion:
        return CanonicalMotion(task)

    def system_unknowns(self, size: int, rank: int, rows: int) -> int:  # noqa: ARG002
        return 2 * size

    def system_motion(self, instant: SystemInstant, work: Work) -> BoundMotion:
        """u̇ = d/dt(H_PP P) = H_PP Ṗ − H_PP Ṁ H_PP P, with multipliers that keep A u̇ + γ = 0."""
        inverse = inverse_mass(instant, work)
        halves, _ = instant.gather(
            [(body.sum(body.partial_rate, body.partial, work), _NONE) for body in instant.bodies],
            [(beam.sum(beam.partial_rate, beam.partial, work), _NO_FORCE) for beam in instant.beams],
        )
        rates = halves + halves.T  # Ṁ
        u = inverse.matrix @ (self.variables.of(instant, work) + inverse.shift)  # ∂H/∂P
        work.count(3 * len(u) ** 2)
        free = inverse.matrix @ (momentum_rates(instant, work) - rates @ u - inverse.bias)
        return _with_inverse_mass(inverse.matrix, free, instant.constraint, instant.bias, work)


@dataclass(frozen=True, eq=False)
class InverseMass:
    """H_PP, with u = H_PP (P + shift) and u̇ = H_PP (Ṗ − … − bias).

    Where a body has no inertia of its own but is held, ½|A u + b|² is added to T: it is zero for every motion that
    A u + b = 0 allows, and makes H_PP exist (Dirac's extended function). Shift and bias are what it brings.
    """

    matrix: Array  # (n, n)
    shift: Array  # (n,)
    bias: Array  # (n,)


def inverse_mass(instant: SystemInstant, work: Work) -> InverseMass:
    """H_PP of all bodies."""
    n = len(instant.velocity)
    mass, _ = instant.gather(
        [(body.sum(body.partial, body.partial, work), _NONE) for body in instant.bodies],
        [(beam.sum(beam.partial, beam.partial, work), _NO_FORCE) for beam in instant.beams],
    )
    work.count(sum((place.stop - place.start) ** 3 for place in instant.places))
    problem = scaled(mass, np.zeros(n), instant.constraint, instant.bias)
    definite, factor = with_factor(problem)
    matrix = linalg.cho_solve((factor, True), np.eye(n)) * np.outer(problem.unit, problem.unit)
    if definite is problem:
        return InverseMass(matrix, np.zeros(n), np.zeros(n))
    work.count(n**3)
    drives = scaled(mass, np.zeros(n), instant.constraint, instant.drive)  # b in the same rows; A u = −b
    A = problem.constraint / problem.unit
    return InverseMass(matrix, -A.T @ drives.bias, A.T @ problem.bias)


def momentum_rates(instant: SystemInstant, work: Work) -> Array:
    """Ṗ without joint forces, at the velocities of the instant: (n,)."""
    bodies = np.concatenate([_momentum_rate(body, work) for body in instant.bodies])
    beams = instant.spread_forces([_beam_momentum_rate(beam, work) for beam in instant.beams])
    return work.sum(bodies, beams, instant.forces_of_potential)


def _momentum_rate(body: PointMotion, work: Work) -> Array:
    linear = (body.weights * body.shares) @ body.velocities
    angular = body.weights @ np.cross(body.places, body.velocities)
    # ∂H/∂δ at fixed P is −½uᵀ(∂M/∂δ)u = −Σ w ṙ·∂ṙ/∂δ
    dragged = np.cross(body.spin, body.shapes, axisb=1, axisc=1) + body.shape_rates
    work.count(9 * len(body.weights))
    carried = np.concatenate(
        [
            np.cross(linear, body.spin),
            np.cross(angular, body.spin) + np.cross(linear, body.velocity),
            body.sum(dragged, body.velocities, work),
        ]
    )
    return np.asarray(carried[body.columns])


def _beam_momentum_rate(beam: BeamMotion, work: Work) -> Array:
    """The same of beams, whose H depends on the places of both bodies: −∂H/∂q at fixed P is Σ w ṙ·∂ṙ/∂q."""
    momenta, u = (x.reshape(-1, 2, 6) for x in (beam.sum(beam.partial, beam.velocities, work), beam.velocity))
    linear, angular, v, spin = momenta[..., :3], momenta[..., 3:], u[..., :3], u[..., 3:]
    carried = np.concatenate([np.cross(linear, spin), np.cross(angular, spin) + np.cross(linear, v)], axis=-1)
    work.count(18 * len(u))
    return work.sum(beam.sum(beam.dragged, beam.velocities, work), carried.reshape(-1, 12))


def _with_inverse_mass(inverse: Array, free: Array, constraint: Array, bias: Array, work: Work) -> BoundMotion:
    """u̇ = a + M⁻¹Aᵀλ with λ that keep A u̇ + γ = 0 (Dirac); the mass matrix is not used."""
    if not len(constraint):
        return BoundMotion(free, np.zeros_like(free))
    pull = inverse @ constraint.T
    coupling = constraint @ pull
    size = 1 / np.sqrt(np.diagonal(coupling))
    work.count(len(free) ** 2 * len(size) + len(free) * len(size) ** 2 + len(size) ** 3)
    found, forces = free, np.zeros_like(free)
    inner = np.linalg.pinv(coupling * np.outer(size, size), rcond=RANK, hermitian=True)
    for _ in range(2):  # the second time removes the round-off of the first
        multipliers = -size * (inner @ (size * (constraint @ found + bias)))
        found, forces = found + pull @ multipliers, forces + constraint.T @ multipliers
    return BoundMotion(found, forces)
