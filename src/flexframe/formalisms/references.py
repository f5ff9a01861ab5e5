"""What the formalisms are compared with: the closed form from invariants, and derivatives of positions.

The closed form combines integrals of ρN, ρxN and ρNN by the motion; it is no route itself. Positions use no
formula of relative motion: the frame moves as r_O(t) = vt + ½at², R(t) = exp(ω̃t + ½ε̃t²), which has the given ω, ε,
v, a at t = 0, and the coordinates as δ + δ̇t + ½δ̈t². Positions are entire functions of t, so Cauchy's integral
over a circle in the complex plane gives their derivatives to round-off.
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import expm

from flexframe.formalisms.contract import ElementEquations, ElementState, MovingElements
from flexframe.maths.arrays import Array, ComplexArray
from flexframe.motion.frame import FrameMotion

CIRCLE = 24  # points; the first derivative that is mistaken for the second is the 26th


def closed_form(elements: MovingElements, motion: FrameMotion) -> ElementEquations:
    """m δ̈ + 2c δ̇ + [k + k(ε) + k(ω²)] δ = q − q(ε) − q(ω²) − m_O a of every element, from invariants."""
    w, x, N = elements.weights, elements.positions, elements.shape
    weighted = N * w[..., None, None]
    M_O = weighted.sum(axis=1)  # ∫ρN: (elements, 3, p)
    X = np.einsum("egk,egmp->ekmp", x, weighted, optimize=True)  # ∫ρ x_k N_m
    flat = N.transpose(0, 2, 1, 3)
    Y = np.einsum("ekgp,engq->eknpq", weighted.transpose(0, 2, 1, 3), flat, optimize=True)  # ∫ρ N_k N_n
    W, transport = motion.W, motion.E + motion.W @ motion.W
    return ElementEquations(
        mass=np.einsum("ekkpq->epq", Y),
        damping=2 * np.einsum("ab,eabpq->epq", W, Y) + elements.damping,
        stiffness=np.einsum("ab,eabpq->epq", transport, Y) + elements.stiffness,
        load=elements.load
        - np.einsum("ab,ebap->ep", transport, X)
        - np.einsum("a,eap->ep", motion.origin_acceleration, M_O),
    )


@dataclass(frozen=True, eq=False)
class DifferentiatedPoints:
    """ṙ and r̈ of every point in the axes of space, which are those of the body at the instant: (e, g, 3)."""

    velocities: Array
    accelerations: Array


def differentiated_points(
    elements: MovingElements, motion: FrameMotion, state: ElementState
) -> DifferentiatedPoints:
    """Derivatives of r = r_O + R (x + Nδ) at t = 0."""
    rate = max(motion.speed, float(np.sqrt(np.linalg.norm(motion.angular_acceleration))))
    radius = 0.5 / rate if rate else 1.0
    first = np.zeros(elements.positions.shape, dtype=complex)
    second = np.zeros_like(first)
    for turn in np.exp(2j * np.pi * np.arange(CIRCLE) / CIRCLE):
        places = _positions(elements, motion, state, radius * turn)
        first += places / turn
        second += places / turn**2
    return DifferentiatedPoints(first.real / (CIRCLE * radius), 2 * second.real / (CIRCLE * radius**2))


def _positions(elements: MovingElements, motion: FrameMotion, state: ElementState, t: complex) -> ComplexArray:
    origin = motion.origin_velocity * t + motion.origin_acceleration * t**2 / 2
    rotation = expm(motion.W * t + motion.E * t**2 / 2)
    delta = state.displacements + state.rates * t + state.accelerations * t**2 / 2
    local = elements.positions + np.matmul(elements.shape, delta[:, None, :, None])[..., 0]
    return np.asarray(origin + local @ rotation.T)


def generalised_inertia(elements: MovingElements, points: DifferentiatedPoints) -> Array:
    """∫ρ Nᵀ r̈, what the forces of an element balance (d'Alembert): (elements, p)."""
    weighted = points.accelerations * elements.weights[..., None]
    return np.asarray(np.einsum("egip,egi->ep", elements.shape, weighted, optimize=True))


def balance(elements: MovingElements, motion: FrameMotion, state: ElementState) -> Array:
    """∫ρ Nᵀ r̈ + kδ + dδ̇ − q at any state: zero along a motion that obeys the equations: (elements, p)."""
    inertia = generalised_inertia(elements, differentiated_points(elements, motion, state))
    elastic = np.einsum("eij,ej->ei", elements.stiffness, state.displacements)
    damped = np.einsum("eij,ej->ei", elements.damping, state.rates)
    return np.asarray(inertia + elastic + damped - elements.load)


def reference_energy(kind: str, elements: MovingElements, motion: FrameMotion, state: ElementState) -> Array:
    """The kinetic, acceleration, hamiltonian (p·δ̇ − T + V) or jacobi energy from the points: (elements,)."""
    points = differentiated_points(elements, motion, state)
    w, d = elements.weights, state.displacements
    potential = np.einsum("ei,eij,ej->e", d, elements.stiffness, d) / 2 - np.einsum("ei,ei->e", elements.load, d)

    def half_square(values: Array) -> Array:
        return np.asarray(np.einsum("eg,egi,egi->e", w, values, values) / 2)

    if kind == "acceleration":
        return half_square(points.accelerations)
    relative = np.matmul(elements.shape, state.rates[:, None, :, None])[..., 0]
    if kind == "jacobi":
        # ½∫ρ|Nδ̇|² − ½∫ρ|ω×ξ|² + ∫ρ a·ξ + V, counted from δ = 0
        moved = np.matmul(elements.shape, d[:, None, :, None])[..., 0]
        xi = elements.positions + moved
        whirled, at_rest = xi @ motion.W.T, elements.positions @ motion.W.T
        pushed = np.einsum("eg,egi,i->e", w, moved, motion.origin_acceleration)
        return half_square(relative) - half_square(whirled) + half_square(at_rest) + pushed + potential
    kinetic = half_square(points.velocities)
    if kind == "kinetic":
        return kinetic
    # p·δ̇ = ∫ρ ṙ·Nδ̇
    return np.asarray(np.einsum("eg,egi,egi->e", w, points.velocities, relative) - kinetic + potential)
