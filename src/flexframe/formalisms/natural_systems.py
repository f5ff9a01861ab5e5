"""Natural systems, L without explicit time, and the energy integral that removes time: what takes it away."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from flexframe.formalisms.contract import MovingElements
from flexframe.formalisms.mass_points import Work, column
from flexframe.maths.arrays import Array
from flexframe.model.characteristics import Sprung
from flexframe.model.constraints import Fixed
from flexframe.model.elasticity import Bushing
from flexframe.model.friction import Friction
from flexframe.model.system_loads import MarkerForce, Motor, SystemGravity, SystemLoad
from flexframe.model.transmissions.contract import TransmissionForce
from flexframe.motion.frame import FrameMotion

if TYPE_CHECKING:
    from flexframe.multibody.contract import DynamicSystem


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
    dragged = work.multiply(motion.W, np.concatenate([N, column(elements.positions)], axis=-1))
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


CONSTANT = 1e-9  # change of ω or a_O, relative to its size, that still counts as constant
_TRIAL_TIMES = np.array([0.0, 0.1, 0.7321, 3.3, 17.9])  # at which a law that never changes shows no rate


def lost_on_frame(motions: Sequence[FrameMotion], *, damped: bool) -> str | None:
    """Why a body on a frame with these instants has no energy (Jacobi) integral, or None."""
    spin = np.array([motion.angular_velocity for motion in motions])
    spin_rate = np.array([motion.angular_acceleration for motion in motions])
    push = np.array([motion.origin_acceleration for motion in motions])
    reason = _changing_spin(spin, spin_rate)
    if reason is None and _changes(push):
        reason = "a_O changes in the body frame (ȧ ≠ 0)"
    if reason is None and damped:
        reason = "the body is damped, so energy is lost"
    return None if reason is None else f"there is no energy (Jacobi) integral: {reason}"


def lost_in_system(system: "DynamicSystem") -> str | None:
    """Why no angle of a system can replace time by an energy integral, or None."""
    if not system.planar:
        return "the system moves in space, where rotations are not coordinates; it is for planar ones"
    reason = _law_of_time(system) or _velocity_constraint(system) or _loss(system)
    return None if reason is None else f"there is no energy integral: {reason}"


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


def _law_of_time(system: "DynamicSystem") -> str | None:
    constraints = system.mechanism.constraints
    for entry, owner in zip(constraints.entries, constraints.owners, strict=True):
        law = getattr(entry.constraint, "law", Fixed())
        if not isinstance(law, Fixed) and np.abs(law.jet(_TRIAL_TIMES)[1]).max() > 0:
            return f"{owner} prescribes a motion in time"
    return None


def _velocity_constraint(system: "DynamicSystem") -> str | None:
    constraints = system.mechanism.constraints
    for owner, holonomic in zip(constraints.owners, constraints.holonomic, strict=True):
        if not holonomic:
            return f"{owner} is a constraint on velocities, so that places do not determine V"
    return None


def _loss(system: "DynamicSystem") -> str | None:
    """Something that takes or gives energy."""
    joined = len(system.tables.joined_damping) > 0
    for body in system.bodies:
        if joined or np.any(body.damping) or body.loads is not None:
            loaded = f"the loads of body {body.name} are not counted as a potential"
            return f"{body.name} is damped" if joined or np.any(body.damping) else loaded
    beams = system.tables.beams
    if beams.damping.any() or len(beams.loaded):
        return (
            "exact beams are damped"
            if beams.damping.any()
            else "loads along exact beams are not counted as a potential"
        )
    laws = system.mechanism.force_laws
    damped = [law for law in laws if isinstance(law, Sprung | TransmissionForce) and law.damped]
    if damped:
        return f"the damper of {damped[0].name} takes energy"
    reasons = (_no_potential(load) for load in system.system.loads)
    return next((reason for reason in reasons if reason is not None), None)


def _no_potential(load: SystemLoad) -> str | None:
    """Why a load has no potential, or None."""
    match load:
        case SystemGravity():
            return f"{load.name} changes with time" if load.constant_factor is None else None
        case Sprung() | Bushing():
            return f"{load.name} follows more than its own coordinate" if load.follows else None
        case Friction() | Motor():
            return f"{load.name} depends on the speed"
        case MarkerForce():
            return f"the force {load.name} is not counted as a potential"
    return f"the load {load.name} has no potential"
