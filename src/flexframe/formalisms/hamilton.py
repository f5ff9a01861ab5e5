"""Hamilton: δ̇ = ∂H/∂p, ṗ = −∂H/∂δ + Q, with H = p·δ̇ − L as a function of δ and p = ∂L/∂δ̇.

In the natural gauge L holds the whole kinetic energy, p = mδ̇ + cδ + s, s = ∫ρNᵀ(v + Wx), and the equations
need only the velocities v, ω of the frame. In the invariant gauge the total derivative of δᵀs is taken off, p
= mδ̇ + cδ, and the accelerations a, ε appear instead of v. Constraints need independent coordinates before p
exists.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from flexframe.formalisms.constraints import orthonormal_basis, projected, sparse_basis
from flexframe.formalisms.contract import BoundSolver, ElementEquations, ElementState, MovingElements
from flexframe.formalisms.work import Work, column
from flexframe.maths.arrays import Array, SparseMatrix
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


@dataclass(frozen=True)
class Hamilton:
    """δ̇ = ∂H/∂p, ṗ = −∂H/∂δ + Q."""

    gauge: Gauge = "natural"
    name: ClassVar[str] = "hamilton"
    title: ClassVar[str] = "Hamilton"
    primitive: ClassVar[str] = "Hamilton's function H and momenta p"
    energy_kind: ClassVar[str] = "hamiltonian"

    def refusal(self, motions: Sequence[FrameMotion], *, damped: bool) -> None:  # noqa: ARG002
        return None

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
        return projected(mass, constraint, sparse_basis(constraint, orthonormal_basis))
