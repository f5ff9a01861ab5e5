"""Whittaker: the energy integral removes time, and one coordinate τ = q_1 takes its place.

A system without explicit time, L = ½q̇ᵀMq̇ + q̇ᵀg − V, has the integral h = ½q̇ᵀMq̇ + V. With w = (1, z'), q̇ = τ̇ w it
gives τ̇ = ±√(2(h − V)/wᵀMw), and L* = √(2(h − V) wᵀMw) + wᵀg obeys Lagrange's equations in τ for the n − 1 others:

    (M_zz − ββᵀ/α) z'' = −[ν_z − β wᵀν/α] / τ̇²,   α = wᵀMw,   β = (Mw)_z,   dt/dτ = 1/τ̇.

Of an element in a moving frame the integral exists while ω, a_O and the loads are constant in the frame and
nothing is damped. Constraints must have been eliminated.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from flexframe.formalisms.constraints import orthonormal_basis, projected, sparse_basis
from flexframe.formalisms.contract import BoundSolver, ElementEquations, ElementState, MovingElements
from flexframe.formalisms.work import Work, column
from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.motion.frame import FrameMotion

CONSTANT = 1e-9  # change of ω or a_O, relative to its size, that still counts as constant


@dataclass(frozen=True, eq=False)
class NaturalElements:
    """M, Γ = G − Gᵀ of g = Gq, and V = ½qᵀKq − qᵀf of every element; f holds the constant forces."""

    mass: Array  # (elements, p, p)
    gyroscopic: Array  # Γ
    stiffness: Array  # K
    load: Array  # f: (elements, p)


def natural_elements(elements: MovingElements, motion: FrameMotion, work: Work) -> NaturalElements:
    """The relative motion in a steady frame: T of Nδ̇, ½|Wξ|² against V, and a uniform field −a."""
    w, N, p = elements.weights, elements.shape, elements.size
    dragged = work.turned(motion.W, np.concatenate([N, column(elements.positions)], axis=-1))
    push = np.broadcast_to(motion.origin_acceleration, elements.positions.shape)
    mixed = work.integral(w, N, np.concatenate([N, dragged[..., :p], column(push)], axis=-1))
    flung = work.integral(w, dragged[..., :p], dragged)
    G = mixed[..., p : 2 * p]
    return NaturalElements(
        mass=mixed[..., :p],
        gyroscopic=work.sum(G, -G.swapaxes(1, 2)),
        stiffness=work.sum(elements.stiffness, -flung[..., :p]),
        load=work.sum(elements.load, flung[..., p], -mixed[..., -1]),
    )


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
    Mw = times(M, w)
    alpha, beta = dot(w, Mw), Mw[..., 1:]
    speed = tau_rate(h - potential(q), alpha, np.sign(rates[..., 0]))[..., None]
    force = times(system.stiffness[:, None], q) - system.load[:, None]
    nu = speed * times(system.gyroscopic[:, None], w) + force
    along = (dot(w, nu) / alpha)[..., None]
    left = M[..., 1:, 1:] - beta[..., :, None] * beta[..., None, :] / alpha[..., None, None]
    bend = -np.linalg.solve(left, (nu[..., 1:] - beta * along)[..., None])[..., 0] / speed**2
    second = -(speed**2 * dot(beta, bend)[..., None] / alpha[..., None] + along)  # τ̈
    turned = np.concatenate([np.zeros_like(bend[..., :1]), bend], axis=-1)
    return np.asarray(second * w + speed**2 * turned)


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
class Whittaker:
    """d/dτ ∂L*/∂z' − ∂L*/∂z = 0 with τ = q_1, the time from the energy integral."""

    name: ClassVar[str] = "whittaker"
    title: ClassVar[str] = "Whittaker"
    primitive: ClassVar[str] = "energy integral h and the reduced function L*"
    energy_kind: ClassVar[str] = "jacobi"

    def refusal(self, motions: Sequence[FrameMotion], *, damped: bool) -> str | None:
        """The term that breaks the energy integral."""
        spin = np.array([motion.angular_velocity for motion in motions])
        spin_rate = np.array([motion.angular_acceleration for motion in motions])
        push = np.array([motion.origin_acceleration for motion in motions])
        reason = _changing_spin(spin, spin_rate)
        if reason is None and _changes(push):
            reason = "a_O changes in the body frame (ȧ ≠ 0)"
        if reason is None and damped:
            reason = "the body is damped, so energy is lost"
        if reason is None:
            return None
        return f"there is no energy (Jacobi) integral: {reason}"

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
        work.multiplications += solves
        work.additions += solves
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
        return projected(mass, constraint, sparse_basis(constraint, orthonormal_basis))


def _changing_spin(spin: Array, spin_rate: Array) -> str | None:
    """What changes of ω, or None."""
    size = float(np.abs(spin).max(initial=0.0))
    rate = float(np.abs(spin_rate).max(initial=0.0))
    if not _changes(spin) and rate <= CONSTANT * max(size**2, 1e-300):
        return None
    across = np.cross(spin, spin_rate)
    turning = float(np.abs(across).max(initial=0.0)) > CONSTANT * max(size * rate, 1e-300)
    if turning:
        return "the direction of ω changes in the body frame (ε is not parallel to ω)"
    return "the speed of rotation changes (ω̇ = ε ≠ 0)"


def _changes(values: Array) -> bool:
    spread = np.abs(values - values[0]).max(initial=0.0)
    return bool(spread > CONSTANT * np.abs(values).max(initial=0.0))
