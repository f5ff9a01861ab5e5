"""One body in free flight: its start, its steps in the compiled core, and its pose at any of them.

Coefficients of energy-preserving collocation on the nodes of Gauss.

The motion over a step is a polynomial u(τ) of degree s. Its slope at the nodes c_i is B(u(c_i)) g_i, with g_i
the mean of ∇H(u(τ)) weighted by ℓ_i(τ)/b_i, so that H does not change while B is skew (Cohen and Hairer 2011).
The mean is taken by Gauss's formula with K ≥ s points; K = s gives the method of Gauss itself. The order is
2s.

Displacements are linear in the fields of a body: u = F η with η = (δ, ½ δᵀZ_j δ). With

    T = ½ ∫ρ |v + ω × (x + Fη) + F η̇|²,      η̇ = (∂η/∂δ) δ̇,

the velocity v of the frame leaves T when places and fields are counted from the mass centre, x − S/m and F −
M_O/m. What remains depends on L, the angular momentum about the mass centre, on δ and on p = ∂T/∂δ̇ only:

    H = ½ (L, p)ᵀ M_c(δ)⁻¹ (L, p) + ½ δᵀkδ,      M_c = [I_c, M_r; M_rᵀ, m_c] .
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.polynomial import Polynomial
from numpy.polynomial.legendre import leggauss
from scipy import linalg

from flexframe._core import Collocation, FlightOutcome, FreeFlight, Hamiltonian
from flexframe.assembly.inertia import CYCLIC
from flexframe.errors import AnalysisError, InputError
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import rotation_from_quaternion, skew
from flexframe.multibody.contract import DynamicBody, DynamicState, DynamicSystem


@dataclass(frozen=True, eq=False)
class GaussCoefficients:
    """Nodes and weights on 0 … 1; s stages, K points of the mean."""

    weights: Array  # b_i: (s,)
    stages: Array  # a_ij = ∫_0^{c_i} ℓ_j: (s, s)
    points: Array  # ∫_0^{γ_q} ℓ_j at the points of the mean: (K, s)
    means: Array  # β_q ℓ_i(γ_q)/b_i: (s, K)
    ahead: Array  # ℓ_j(1 + c_i), the slope of the last step carried on: (s, s)

    @cached_property
    def method(self) -> Collocation:
        """The coefficients in the compiled core."""
        return Collocation(
            weights=self.weights,
            node_integrals=self.stages,
            point_integrals=self.points,
            means=self.means,
            ahead=self.ahead,
        )


def gauss_coefficients(stages: int, points: int) -> GaussCoefficients:
    """The coefficients for s stages and K points of the mean."""
    nodes, weights = _unit_rule(stages)
    at, at_weights = _unit_rule(points)
    basis = [_lagrange(nodes, i) for i in range(stages)]
    integrals = [part.integ() for part in basis]
    return GaussCoefficients(
        weights=weights,
        stages=np.array([[whole(c) for whole in integrals] for c in nodes]),
        points=np.array([[whole(c) for whole in integrals] for c in at]),
        means=np.array([part(at) * at_weights / b for part, b in zip(basis, weights, strict=True)]),
        ahead=np.array([[part(1 + c) for part in basis] for c in nodes]),
    )


def _unit_rule(count: int) -> tuple[Array, Array]:
    nodes, weights = leggauss(count)
    return (nodes + 1) / 2, weights / 2


def _lagrange(nodes: Array, which: int) -> Polynomial:
    product = Polynomial([1.0])
    for other in np.delete(nodes, which):
        product = product * Polynomial([-other, 1.0]) / (nodes[which] - other)
    return product


@dataclass(frozen=True, eq=False)
class CentralInertia:
    """A free body about its mass centre in natural coordinates z, δ = modes · z.

    At rest and undeformed the motion in z with momenta p is that of oscillators, p = ż and ṗ = −ω²z.
    """

    planar: bool
    modes: Array  # Φ: (m, m)
    frequencies: Array  # ω in rad/s: (m,)
    second_moment: Array  # (3, 3)
    position_coupling: Array  # X_ab: (9, n)
    shape_products: Array  # Y_abᵀ: (9, n, n)
    rate_products: Array  # C_aᵀ, with C_a = Y_cb − Y_bc, and the field mass: (4, n, n)
    products: Array  # Z: (n − m, m, m)
    stiffness: Array  # (m, m)
    damping: Array  # (m, m)

    @cached_property
    def hamiltonian(self) -> Hamiltonian:
        """H and its gradient, compiled."""
        return Hamiltonian(
            planar=self.planar,
            frequencies=self.frequencies,
            second_moment=self.second_moment,
            position_coupling=self.position_coupling,
            shape_products=self.shape_products,
            rate_products=self.rate_products,
            products=np.ascontiguousarray(self.products.transpose(1, 0, 2)),
            stiffness=self.stiffness,
            damping=self.damping,
        )

    def energy_gradient(self, states: Array) -> tuple[Array, Array]:
        """H and ∂H/∂(L, p, z) at states (L, z, p), one in each row: (T,) and (T, 3 + 2m).

        H is not finite where M_c is not positive definite.
        """
        energies, gradients = np.empty(len(states)), np.empty(states.shape)
        self.hamiltonian.evaluate(np.ascontiguousarray(states), energies, gradients)
        return energies, gradients


@dataclass(frozen=True, eq=False)
class BodyMomenta:
    """Momenta of one body: the linear one in body axes, the angular one about the mass centre, and p of δ̇."""

    linear: Array  # m v_c: (3,)
    angular: Array  # L: (3,)
    elastic: Array  # ∂T/∂δ̇ at a given motion of the mass centre: (m,)
    centre: Array  # of mass, from the frame origin in body axes: (3,)


def field_coordinates(body: DynamicBody, deformation: Array) -> tuple[Array, Array]:
    """η = (δ, z) and ∂η/∂δ: (n,) and (n, m)."""
    eta = np.concatenate([deformation, body.amplitudes(deformation)])
    return eta, np.concatenate([np.eye(body.size), body.slopes(deformation)])


def body_mass_matrix(body: DynamicBody, deformation: Array) -> Array:
    """M(δ) of (v, ω, δ̇) in body components, all terms of the field kept: (6 + m, 6 + m)."""
    eta, slopes = field_coordinates(body, deformation)
    X, Y = body.position_coupling, body.shape_products
    s = skew(body.first_moment + body.origin_coupling @ eta)
    arms = X + np.einsum("abtr,t->abr", Y, eta)  # ∫ρ (x + u)_a F_b
    moments = body.second_moment + X @ eta + (arms @ eta).T
    inertia = np.trace(moments) * np.eye(3) - (moments + moments.T) / 2
    M_O = body.origin_coupling @ slopes
    M_r = np.array([arms[b, c] - arms[c, b] for _, b, c in CYCLIC]) @ slopes
    elastic = slopes.T @ np.einsum("kkrt->rt", Y) @ slopes
    return np.block([[body.mass * np.eye(3), -s, M_O], [s, inertia, M_r], [M_O.T, M_r.T, elastic]])


def body_momenta(body: DynamicBody, deformation: Array, velocities: Array) -> BodyMomenta:
    """Momenta at velocities (v, ω, δ̇) in body components."""
    eta, slopes = field_coordinates(body, deformation)
    centre = (body.first_moment + body.origin_coupling @ eta) / body.mass
    P = body_mass_matrix(body, deformation) @ velocities
    elastic = P[6:] - (body.origin_coupling @ slopes).T @ P[:3] / body.mass
    return BodyMomenta(P[:3], P[3:6] - np.cross(centre, P[:3]), elastic, centre)


def central_inertia(body: DynamicBody, *, planar: bool) -> CentralInertia:
    """Count everything from the mass centre and turn to natural coordinates."""
    mass, S, M_O = body.mass, body.first_moment, body.origin_coupling
    J = body.second_moment - np.outer(S, S) / mass
    X = body.position_coupling - np.einsum("a,br->abr", S, M_O) / mass
    Y = body.shape_products - np.einsum("ar,bt->abrt", M_O, M_O) / mass
    m, n = body.size, body.fields
    modes, squares = _natural_modes(body, J, X[..., :m], Y[..., :m, :m], planar=planar)
    change = linalg.block_diag(modes, np.eye(n - m)) if m else np.eye(n)
    X = X @ change
    Y = np.einsum("rp,abrt,tq->abpq", change, Y, change, optimize=True)
    Y = (Y + Y.transpose(1, 0, 3, 2)) / 2
    return CentralInertia(
        planar=planar,
        modes=modes,
        frequencies=np.sqrt(np.maximum(squares, 0.0)),
        second_moment=_symmetric(J),
        position_coupling=np.ascontiguousarray(X).reshape(9, n),
        shape_products=np.ascontiguousarray(Y.swapaxes(2, 3)).reshape(9, n, n),
        rate_products=np.array([*((Y[c, b] - Y[b, c]).T for _, b, c in CYCLIC), np.einsum("kkrt->rt", Y)]),
        products=_symmetric(np.einsum("ra,krt,tb->kab", modes, body.products, modes, optimize=True)),
        stiffness=_symmetric(modes.T @ body.stiffness @ modes),
        damping=_symmetric(modes.T @ body.damping @ modes),
    )


def _natural_modes(body: DynamicBody, J: Array, X: Array, Y: Array, *, planar: bool) -> tuple[Array, Array]:
    """Φ and ω² of kΦ = (m − dᵀI⁻¹d)Φ ω²: what a free undeformed body does when nothing turns it."""
    if not body.size:
        return np.empty((0, 0)), np.empty(0)
    axes = slice(2, 3) if planar else slice(0, 3)
    d = np.array([X[b, c] - X[c, b] for _, b, c in CYCLIC])[axes]
    inertia = (np.trace(J) * np.eye(3) - J)[axes, axes]
    free = np.einsum("kkrt->rt", Y) - d.T @ np.linalg.solve(inertia, d)
    try:
        squares, modes = linalg.eigh(_symmetric(body.stiffness), _symmetric(free))
    except linalg.LinAlgError:
        raise AnalysisError(
            f"body {body.name}: its shapes contain motions of the whole body, so that its mass matrix is "
            "singular; clamp the frame to a place of the body or use mean axes"
        ) from None
    return np.asarray(modes), np.asarray(squares)


def _symmetric(matrix: Array) -> Array:
    return np.ascontiguousarray((matrix + matrix.swapaxes(-1, -2)) / 2)


_PATIENCE = 0.05  # seconds in the core until Python looks whether the run is to be stopped


class Taken(NamedTuple):
    """What came of some steps."""

    outcome: FlightOutcome
    steps: int
    iterations: int


class Poses(NamedTuple):
    """Where a body is and how it moves, at T instants."""

    positions: Array  # r_O in space: (T, 3)
    quaternions: Array  # (T, 4)
    deformation: Array  # δ: (T, m)
    velocities: Array  # v, ω, δ̇ in body components: (T, 6 + m)
    angles: Array  # of a planar body about z: (T,)
    dissipated: Array  # work of damping: (T,)


@dataclass(frozen=True, eq=False)
class Flight:
    """One body under way; `core` holds what is advanced."""

    body: DynamicBody
    inertia: CentralInertia
    core: FreeFlight
    centre: Array  # of mass at the start: (3,)
    drift: Array  # velocity of the mass centre at the start: (3,)
    begun: float  # time of the start

    STATE: ClassVar = ("y", "lost", "quaternion", "slopes", "sums", "reference", "watch")
    MEMORY: ClassVar = (*STATE, "centre", "drift")

    @property
    def memory(self) -> dict[str, Array]:
        """What it takes to go on with the same bits."""
        own = {name: np.array(getattr(self.core, name)) for name in self.STATE}
        return own | {"centre": self.centre, "drift": self.drift}

    @property
    def row(self) -> Array:
        """The present as a trace of one step: (1, 3 + 2m + 6)."""
        core = self.core
        return np.concatenate([core.y, core.quaternion, core.sums])[None]

    def advance(
        self, step: float, count: int, between: Callable[[int], None], trace: Array | None = None
    ) -> Taken:
        """Take steps; `between` is called with their number so far, often enough to stop a run by raising.

        The rows of `trace` are filled with the state after each step.
        """
        steps = iterations = 0
        while True:
            rows = None if trace is None else trace[steps:]
            outcome, own, used = self.core.advance(step, count - steps, _PATIENCE, rows)
            steps, iterations = steps + own, iterations + used
            between(steps)
            if outcome is not FlightOutcome.PAUSED:
                return Taken(outcome, steps, iterations)

    def poses(self, times: Array, trace: Array, gravity: Array) -> Poses:
        """The body at times, of which the trace tells the states; no row knows of the others."""
        body, m = self.body, self.body.size
        y, quaternions = trace[:, : 3 + 2 * m], trace[:, 3 + 2 * m : 7 + 2 * m]
        _, gradients = self.inertia.energy_gradient(y)
        omega, modes = gradients[:, :3], self.inertia.modes
        delta, rates = _apply(modes, y[:, 3 : 3 + m]), _apply(modes, gradients[:, 3 : 3 + m])
        slopes = _apply(body.products, delta[:, None])  # ∂z/∂δ: (T, k, m)
        eta = np.concatenate([delta, _apply(slopes, delta) / 2], axis=1)
        eta_rates = np.concatenate([rates, _apply(slopes, rates)], axis=1)
        arm = (body.first_moment + _apply(body.origin_coupling, eta)) / body.mass  # of the mass centre
        R, elapsed = rotation_from_quaternion(quaternions), (times - self.begun)[:, None]
        centre = self.centre + elapsed * (self.drift + elapsed * gravity / 2)
        velocity = _apply(R.swapaxes(1, 2), self.drift + elapsed * gravity) - np.cross(omega, arm)
        velocity -= _apply(body.origin_coupling, eta_rates) / body.mass
        return Poses(
            positions=centre - _apply(R, arm),
            quaternions=quaternions,
            deformation=delta,
            velocities=np.concatenate([velocity, omega, rates], axis=1),
            angles=trace[:, -2],
            dissipated=trace[:, -1],
        )


def begin_flight(
    system: DynamicSystem, number: int, start: DynamicState, coefficients: GaussCoefficients
) -> Flight:
    """A body at its start, or where the memory of the state left it."""
    body = system.bodies[number]
    inertia = central_inertia(body, planar=system.planar)
    core = FreeFlight(inertia.hamiltonian, coefficients.method)
    keys = {name: f"conserving_{number}_{name}" for name in Flight.MEMORY}
    saved = {name: start.memory[key] for name, key in keys.items() if key in start.memory}
    if len(saved) == len(keys) and saved["slopes"].size == core.slopes.size:
        for name in Flight.STATE:
            getattr(core, name)[:] = saved[name].ravel()
        begun = float(start.memory["conserving_begun"][0])
        return Flight(body, inertia, core, saved["centre"].copy(), saved["drift"].copy(), begun)
    part = system.elastic(number)
    delta = start.deformation[part]
    u = np.concatenate([start.velocities[number], start.angular_velocities[number], start.rates[part]])
    momenta = body_momenta(body, delta, u)
    z = np.linalg.solve(inertia.modes, delta) if body.size else delta
    core.y[:] = np.concatenate([momenta.angular, z, inertia.modes.T @ momenta.elastic])
    core.quaternion[:] = start.quaternions[number]
    if system.planar:
        core.y[:2] = 0.0
        core.sums[0] = start.angles[number]
    if not np.isfinite(core.keep_invariants()):
        raise InputError(f"body {body.name} is deformed too much at the start; give a smaller deformation")
    R = rotation_from_quaternion(start.quaternions[number])
    centre, drift = start.positions[number] + R @ momenta.centre, R @ momenta.linear / body.mass
    return Flight(body, inertia, core, centre, drift, start.time)


def _apply(matrices: Array, vectors: Array) -> Array:
    """Matrix times vector, each by itself: one product for all would sum in an order that depends on how many."""
    return np.asarray((matrices @ vectors[..., None])[..., 0])
