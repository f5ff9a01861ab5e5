"""The Lagrangian of bodies, their canonical equations, and a symplectic integration of them.

Independent coordinates z and momenta p = mż + cz + s obey ż = ∂H/∂p, ṗ = −∂H/∂z. The implicit midpoint rule
keeps the canonical structure for any H(z, p, t); for a quadratic H without time it keeps H itself. The
invariant gauge is used, so that the motion of the frame enters through ω, ε and a only.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from scipy import sparse

from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.pattern import assembled
from flexframe.formalisms.contract import MovingElements
from flexframe.formalisms.moving_elements import element_groups, loose_terms
from flexframe.formalisms.time_stepping import BodyInstant, BodyTask
from flexframe.formalisms.work import Work, column
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
    dragged = work.turned(W, with_marker)  # WN, Wx
    changed = work.turned(motion.E, with_marker)  # EN, Ex
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
    def prepared(cls, body: CanonicalBody, step: float) -> "Midpoint":
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
        middles = task.prepared(0.5, lambda motion: Midpoint.prepared(self._body(motion), task.step))
        for start, midpoint in zip(task.times[:-1], middles, strict=True):
            z, p = midpoint.advance(z, p)
            arrived = task.law.at(float(start + task.step))
            if not arrived.acts_like(ends):
                body, ends = self._body(arrived), arrived
            v = factors.solve(np.asarray(p - body.gyroscopic @ z - body.momentum))
            yield BodyInstant(supports.expand(z), supports.expand(v))
