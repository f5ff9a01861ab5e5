"""Natural systems: L = ½q̇ᵀM(q)q̇ + q̇ᵀg(q) − V(q) without explicit time, so that h = ½q̇ᵀMq̇ + V is an integral."""

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from flexframe.formalisms.contract import MovingElements
from flexframe.formalisms.work import Work, column
from flexframe.maths.arrays import Array
from flexframe.motion.frame import FrameMotion

FAR = 1e8  # wᵀMw over M_jj at which a trial stage is given up


class NaturalSystem(Protocol):
    """n coordinates; of g only the skew Γ_ij = ∂_j g_i − ∂_i g_j acts."""

    def mass(self, q: Array) -> Array:
        """M: (n, n)."""
        ...

    def mass_gradient(self, q: Array) -> Array | None:
        """∂M_ij/∂q_k with k first, (n, n, n); None where M is constant."""
        ...

    def gyroscopic(self, q: Array) -> Array:
        """Γ: (n, n)."""
        ...

    def potential(self, q: Array) -> float:
        """V."""
        ...

    def potential_gradient(self, q: Array) -> Array:
        """∂V/∂q: (n,)."""
        ...


@dataclass(frozen=True, eq=False)
class LinearSystem:
    """M q̈ + Γ q̇ + K q = f with M, K symmetric and Γ skew: constant coefficients, V = ½qᵀKq − qᵀf."""

    inertia: Array  # M: (n, n)
    coriolis: Array  # Γ: (n, n)
    stiffness: Array  # K: (n, n)
    load: Array  # f: (n,)

    def mass(self, q: Array) -> Array:  # noqa: ARG002 - the same everywhere
        return self.inertia

    def mass_gradient(self, q: Array) -> None:  # noqa: ARG002
        return None

    def gyroscopic(self, q: Array) -> Array:  # noqa: ARG002
        return self.coriolis

    def potential(self, q: Array) -> float:
        return float(q @ self.stiffness @ q / 2 - q @ self.load)

    def potential_gradient(self, q: Array) -> Array:
        return np.asarray(self.stiffness @ q - self.load)


@dataclass(frozen=True, eq=False)
class NaturalElements:
    """M, Γ = G − Gᵀ of g = Gq, and V = ½qᵀKq − qᵀf of every element; f holds the constant forces."""

    mass: Array  # (elements, p, p)
    gyroscopic: Array  # Γ
    stiffness: Array  # K
    load: Array  # f: (elements, p)

    def first(self) -> "LinearSystem":
        """The first element, or the only one."""
        return LinearSystem(self.mass[0], self.gyroscopic[0], self.stiffness[0], self.load[0])


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


def kinetic_energy(system: NaturalSystem, q: Array, rates: Array) -> float:
    """½q̇ᵀMq̇."""
    return float(rates @ system.mass(q) @ rates / 2)


def energy(system: NaturalSystem, q: Array, rates: Array) -> float:
    """h = ½q̇ᵀMq̇ + V."""
    return kinetic_energy(system, q, rates) + system.potential(q)


def inertia_forces(system: NaturalSystem, q: Array, rates: Array) -> Array:
    """ν in M q̈ + ν = 0: (∂_k M_ij) q̇_k q̇_j − ½(∂_i M_jk) q̇_j q̇_k + Γ_ij q̇_j + ∂_i V."""
    forces = system.gyroscopic(q) @ rates + system.potential_gradient(q)
    gradient = system.mass_gradient(q)
    if gradient is not None:
        forces = forces + np.tensordot(rates, gradient, 1) @ rates - (gradient @ rates) @ rates / 2
    return np.asarray(forces)


def accelerations(system: NaturalSystem, q: Array, rates: Array) -> Array:
    """q̈ of Lagrange's equations in time."""
    return np.asarray(np.linalg.solve(system.mass(q), -inertia_forces(system, q, rates)))


class Bend(NamedTuple):
    """How a path q(τ) bends, with τ the first coordinate."""

    turning: Array  # τ̇² z'': (…, n − 1)
    tau_second: Array  # τ̈: (…,)


def bend(mass: Array, w: Array, nu: Array) -> Bend:
    """(M_zz − ββᵀ/α) τ̇² z'' = −[ν_z − β wᵀν/α], τ̈ = −(βᵀ τ̇² z'' + wᵀν)/α with α = wᵀMw, β = (Mw)_z, w = (1, z').

    Shapes are (…, n, n) and (…, n).
    """
    Mw = np.matmul(mass, w[..., None])[..., 0]
    alpha, beta = np.einsum("...i,...i->...", w, Mw)[..., None], Mw[..., 1:]
    along = np.einsum("...i,...i->...", w, nu)[..., None] / alpha
    left = mass[..., 1:, 1:] - beta[..., :, None] * beta[..., None, :] / alpha[..., None]
    turning = -np.linalg.solve(left, (nu[..., 1:] - beta * along)[..., None])[..., 0]
    second = -(np.einsum("...i,...i->...", beta, turning) / alpha[..., 0] + along[..., 0])
    return Bend(np.asarray(turning), np.asarray(second))
