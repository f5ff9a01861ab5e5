"""What a mode of a turning system is: which bodies move, along the axis or across it."""

import numpy as np

from flexframe.analyses.campbell.steady_spin import SteadySpin
from flexframe.analyses.campbell.system_spectrum import ModesAtSpeed
from flexframe.maths.arrays import Array, ComplexArray
from flexframe.maths.rotations import rotation_from_quaternion
from flexframe.multibody.contract import DynamicBody
from flexframe.multibody.division.exact import weigh_bodies
from flexframe.multibody.division.pieces import whole_name
from flexframe.multibody.equilibria.turning import SpinAxis

_MOVES = 0.2  # of the energy of the body that moves most
_ASIDE = 0.3  # distance of the centre of mass from the axis over the radius of inertia about it
_ALMOST_ALL = 0.9  # of the energy, for a direction to name the mode


def shape_label(spin: SteadySpin, modes: ModesAtSpeed, number: int) -> str:
    """Along or across the axis where one has nearly all energy (flap or lag of blades), and who moves."""
    dynamic, axis = spin.dynamic, spin.spinning.axis
    state = modes.equilibrium.state
    R = rotation_from_quaternion(state.quaternions)
    parts = [body_part(spin, b, modes.vectors[:, number]) for b in range(len(dynamic.bodies))]
    bodies = weigh_bodies(dynamic.system, dynamic.bodies)
    shares = [direction_energies(body, part) for body, part in zip(bodies, parts, strict=True)]
    totals = np.array([float(np.trace(share)) for share in shares])
    along = sum(float(_along(share, axis, R[b])) for b, share in enumerate(shares)) / max(totals.sum(), 1e-300)
    moving = np.flatnonzero(totals > _MOVES * totals.max())
    blades = all(_is_blade(bodies[b], state.positions[b], R[b], axis) for b in moving)
    words = ("flap", "lag", "flap and lag") if blades else ("axial motion", "lateral motion", "motion")
    word = words[0] if along > _ALMOST_ALL else words[1] if along < 1 - _ALMOST_ALL else words[2]
    names = ", ".join(dict.fromkeys(whole_name(dynamic.system, dynamic.names[b]) for b in moving))
    return f"{'motion' if dynamic.planar else word} of {names}"


def _is_blade(body: DynamicBody, position: Array, rotation: Array, axis: SpinAxis) -> bool:
    """Whether the mass of a body is to one side of the axis."""
    n = axis.direction
    r = position - axis.point
    first = body.mass * r + rotation @ body.first_moment
    # ∫ρ x xᵀ about the point of the axis
    lever = np.outer(r, rotation @ body.first_moment)
    second = body.mass * np.outer(r, r) + lever + lever.T + rotation @ body.second_moment @ rotation.T
    aside = float(first @ first - (first @ n) ** 2)
    return aside > _ASIDE**2 * body.mass * float(np.trace(second) - n @ second @ n)


def _along(energies: Array, axis: SpinAxis, rotation: Array) -> float:
    n = axis.direction @ rotation  # in body axes
    return float(n @ energies @ n)


def body_part(spin: SteadySpin, number: int, vector: ComplexArray) -> ComplexArray:
    """d, θ and δ of one body in a change of position of all: (6 + m,)."""
    numbers = spin.dynamic.tables.bodies.numbers[number][: 6 + spin.dynamic.bodies[number].size]
    return np.where(numbers >= 0, vector[numbers], 0.0)


def direction_energies(body: DynamicBody, part: ComplexArray) -> Array:
    """Re ∫ρ u_a ū_b of the field u = d + θ × x + N δ in body axes: (3, 3)."""
    d, theta, delta = part[:3], part[3:6], part[6:]
    m = body.size
    # u_a = α_a + β_ak x_k + N_a δ with β = θ̃
    alpha = d
    beta = np.array([[0, -theta[2], theta[1]], [theta[2], 0, -theta[0]], [-theta[1], theta[0], 0]])
    first = body.origin_coupling[:, :m] @ delta  # ∫ρ N_a δ
    second = np.einsum("kar,r->ka", body.position_coupling[..., :m], delta)  # ∫ρ x_k N_a δ
    both = body.mass * np.outer(alpha, alpha.conj())
    mixed = np.outer(alpha, (beta @ body.first_moment).conj())
    mixed += np.outer(alpha, first.conj()) + beta @ second.conj()
    both = both + mixed + mixed.conj().T
    both += beta @ body.second_moment @ beta.conj().T
    both += np.einsum("abrt,r,t->ab", body.shape_products[..., :m, :m], delta, delta.conj())
    return np.asarray(both.real)
