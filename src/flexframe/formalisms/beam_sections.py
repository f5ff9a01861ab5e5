"""Exact beams as the formalisms see them: mass points of sections that ride on the ends, and the energy of strain.

Motions of frames d = (U, Ω) between the ends, real or complex, are power series and nothing else. Accelerations of
mass points follow from their places alone, in complex time.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from scipy import linalg

from flexframe.formalisms.mass_points import Work
from flexframe.maths.arrays import Array, IntArray
from flexframe.maths.rotations import rotation_from_quaternion

if TYPE_CHECKING:
    from flexframe.multibody.contract import DynamicState, DynamicSystem


STEP = 1e-30  # imaginary; its square is lost beside one
_SMALLEST = 1e-17  # term of a series that does not count any more


def cross_matrix(vectors: Array) -> Array:
    """ṽ with ṽ w = v × w: (..., 3) → (..., 3, 3)."""
    x, y, z = (vectors[..., i] for i in range(3))
    zero = np.zeros_like(x)
    rows = [np.stack(row, axis=-1) for row in ((zero, -z, y), (z, zero, -x), (-y, x, zero))]
    return np.stack(rows, axis=-2)


def adjoint(d: Array) -> Array:
    """ad_d: (..., 6) → (..., 6, 6)."""
    shift, turn = cross_matrix(d[..., :3]), cross_matrix(d[..., 3:])
    out = np.zeros((*d.shape, 6), dtype=d.dtype)
    out[..., :3, :3] = out[..., 3:, 3:] = turn
    out[..., :3, 3:] = shift
    return out


def _mean_power(matrix: Array, size: float) -> Array:
    """Σ matrixⁿ/(n + 1)! for matrices whose powers grow as n·sizeⁿ⁻¹."""
    last, term = 1, 1.0
    while term > _SMALLEST:
        last += 1
        term *= size / last
    one = np.eye(matrix.shape[-1])
    total = one + matrix / (last + 2)
    for n in range(last, 0, -1):
        total = one + matrix @ total / (n + 1)
    return np.asarray(total)


def tangent(d: Array) -> Array:
    """T(d) = Σ (−ad)ⁿ/(n + 1)!: (..., 6) → (..., 6, 6)."""
    return _mean_power(-adjoint(d), _largest(d[..., 3:]))


def rates_between(d: Array) -> Array:
    """P = [−T⁻¹(−d), T⁻¹(d)] of ḋ = P (η_A, η_B), with T⁻¹(−d) = T⁻¹(d) − ad: (..., 6, 12)."""
    ahead = np.linalg.inv(tangent(d))
    return np.concatenate([adjoint(d) - ahead, ahead], axis=-1)


def section_twists(d: Array, along: Array) -> Array:
    """Q of η(ξ) = Q (η_A, η_B), e^(−ξ ad) η_A + ξ T(ξd) P: d (..., 6), ξ (points,) → (..., points, 6, 12)."""
    at = d[..., None, :] * along[:, None]
    T = tangent(at)
    Q = along[:, None, None] * (T @ rates_between(d)[..., None, :, :])
    Q[..., :6] += np.eye(6) - adjoint(at) @ T
    return np.asarray(Q)


def logarithm(quaternion: Array, place: Array) -> Array:
    """d of a frame at a place with an attitude: (..., 4) and (..., 3) → (..., 6), less than half a revolution.

    Ω = 2 v atan(|v|/c)/|v| of the quaternion (c, v), and U = A⁻¹ p with A = Σ Ω̃ⁿ/(n + 1)!.
    """
    c, v = quaternion[..., :1], quaternion[..., 1:]
    square = (v * v).sum(axis=-1, keepdims=True) / c**2
    tiny = np.abs(square) < 1e-20
    sine = np.sqrt(np.where(tiny, 1.0, square))
    turn = 2 * v / c * np.where(tiny, 1 - square / 3, np.arctan(sine) / sine)
    A = _mean_power(cross_matrix(turn), _largest(turn))
    return np.concatenate([np.linalg.solve(A, place[..., None])[..., 0], turn], axis=-1)


def exponential(d: Array) -> Array:
    """exp d as a matrix of homogeneous coordinates: (..., 6) → (..., 4, 4)."""
    turn = cross_matrix(d[..., 3:])
    A = _mean_power(turn, _largest(d[..., 3:]))
    out = np.zeros((*d.shape[:-1], 4, 4), dtype=d.dtype)
    out[..., :3, :3] = np.eye(3) + turn @ A
    out[..., :3, 3] = (A @ d[..., :3, None])[..., 0]
    out[..., 3, 3] = 1.0
    return out


def quaternion_product(first: Array, second: Array) -> Array:
    """first ∘ second of quaternions that may be complex: (..., 4)."""
    a, u, b, v = first[..., :1], first[..., 1:], second[..., :1], second[..., 1:]
    scalar = a * b - (u * v).sum(axis=-1, keepdims=True)
    return np.concatenate([scalar, a * v + b * u + np.cross(u, v)], axis=-1)


def _largest(vectors: Array) -> float:
    return float(np.sqrt((np.abs(vectors) ** 2).sum(axis=-1)).max(initial=0.0))


GAUSS = 0.5 + np.array([-0.5, 0.5]) / np.sqrt(3.0)
_NOTHING = 1e-15  # relative, what is left by rounding


@dataclass(frozen=True, eq=False)
class BeamSections:
    """All exact beams of a system, prepared once for many states; both ends are sections fixed in bodies."""

    bodies: IntArray  # (beams, 2)
    places: Array  # of the ends in their bodies: (beams, 2, 3)
    quaternions: Array  # (beams, 2, 4)
    lengths: Array  # L: (beams,)
    references: Array  # d₀: (beams, 6)
    flexibilities: Array  # F₀: (beams, 6, 6)
    bending: Array  # C: (beams, 3, 3)
    damping: Array  # (beams, 6, 6)
    weights: Array  # of the points of both sections: (beams, 2, 4)
    shares: Array  # of the section's translation: (beams, 4)
    points: Array  # in axes of the section: (beams, 4, 3)
    columns: IntArray  # of both bodies' (v, ω) that are in use
    numbers: IntArray  # of these velocities in u: (beams, columns)

    def forces(self, d: Array) -> Array:
        """f = F(d)⁻¹(d − d₀)/L, real or complex: (..., beams, 6)."""
        strain = (d - self.references) / self.lengths[:, None]
        return np.asarray(np.linalg.solve(self._flexibility(d), strain[..., None])[..., 0])

    def _flexibility(self, d: Array) -> Array:
        """F(d): (..., beams, 6, 6)."""
        fixed = np.broadcast_to(cross_matrix(self.references[:, :3]), (*d.shape[:-1], 3, 3))
        arms = np.concatenate([fixed, cross_matrix(d[..., 3:])], axis=-2)
        return np.asarray(self.flexibilities + arms @ self.bending @ np.swapaxes(arms, -1, -2) / 12)

    @cached_property
    def to_ends(self) -> Array:
        """Twists of both ends by those of their bodies, [Fᵀ, −Fᵀp̃; 0, Fᵀ] of each: (beams, 12, 12)."""
        back = np.swapaxes(rotation_from_quaternion(self.quaternions), -1, -2)
        out = np.zeros((len(self.lengths), 12, 12))
        for end in (0, 1):
            at = slice(6 * end, 6 * end + 3), slice(6 * end + 3, 6 * end + 6)
            out[:, at[0], at[0]] = out[:, at[1], at[1]] = back[:, end]
            out[:, at[0], at[1]] = -back[:, end] @ cross_matrix(self.places[:, end])
        return out


def beam_sections(system: "DynamicSystem", rigid: IntArray) -> tuple[BeamSections, ...]:
    """The beams of a system; `rigid` are the velocities (v, ω) of a body that are in use. None, or one batch."""
    t = system.tables.beams
    if not len(t.lengths):
        return ()
    # points at shares s and places x with Σ w (s, x)(s, x)ᵀ = ∫ρ (1, x)(1, x)ᵀ of half an element
    half = t.lengths[:, None, None] / 2 * t.mass
    moments = np.zeros((len(half), 4, 4))
    moments[:, 0, 0] = half[:, 0, 0]
    first = np.stack([half[:, 5, 1], half[:, 3, 2], half[:, 4, 0]], axis=-1)
    moments[:, 0, 1:] = moments[:, 1:, 0] = first
    inertia = half[:, 3:, 3:]
    moments[:, 1:, 1:] = np.einsum("eii->e", inertia)[:, None, None] / 2 * np.eye(3) - inertia
    diagonal = np.abs(np.einsum("eii->ei", moments))
    size = np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
    squares, directions = np.linalg.eigh(moments / (size[:, :, None] * size[:, None]))
    rows = np.sqrt(np.abs(squares))[:, :, None] * np.swapaxes(directions, 1, 2) * size[:, None]
    kept = np.abs(squares) > _NOTHING * np.abs(squares).max(axis=1, keepdims=True)
    weights = np.where(kept, np.sign(squares), 0.0)
    firsts = np.asarray(system.rigid_starts)[t.bodies]
    numbers = (firsts[:, :, None] + np.arange(len(rigid))).reshape(len(half), -1)
    return (
        BeamSections(
            bodies=t.bodies,
            places=t.places,
            quaternions=t.quaternions,
            lengths=t.lengths,
            references=t.references,
            flexibilities=t.flexibilities,
            bending=t.bending,
            damping=t.damping,
            weights=np.stack([weights, weights], axis=1),
            shares=rows[:, :, 0],
            points=rows[:, :, 1:],
            columns=np.concatenate([rigid, 6 + rigid]),
            numbers=numbers.astype(np.int64),
        ),
    )


@dataclass(frozen=True, eq=False)
class BeamMotion:
    """Beams at one instant; fields of the mass points are in axes of their sections."""

    sections: BeamSections
    first: Array  # R of the section at the first end: (beams, 3, 3)
    origin: Array  # its place: (beams, 3)
    quaternion: Array  # of the second end in the first: (beams, 4)
    place: Array  # (beams, 3)
    d: Array  # (beams, 6)
    twist: Array  # Q of both sections: (beams, 2, 6, 12)
    velocity: Array  # (v, ω) of both bodies: (beams, 12)
    gravity: Array  # (3,)

    @property
    def weights(self) -> Array:
        """(beams, points)."""
        return self.sections.weights.reshape(len(self.d), -1)

    @property
    def strain(self) -> Array:
        """ε = (d − d₀)/L: (beams, 6)."""
        return np.asarray((self.d - self.sections.references) / self.sections.lengths[:, None])

    @cached_property
    def strain_rates(self) -> Array:
        """P with ḋ = P (v, ω): (beams, 6, 12)."""
        return np.asarray(rates_between(self.d) @ self.sections.to_ends)

    @cached_property
    def d_rate(self) -> Array:
        return np.asarray((self.strain_rates @ self.velocity[..., None])[..., 0])

    @cached_property
    def spins(self) -> Array:
        """ω of the sections at all points: (beams, points, 3)."""
        spin = (self.twist @ self.velocity[:, None, :, None])[:, :, 3:, 0]
        return np.repeat(spin, self.sections.weights.shape[2], axis=1)

    @cached_property
    def partial(self) -> Array:
        """∂ṙ/∂(v, ω) = s Q_v − x̃ Q_ω: (beams, points, 3, 12)."""
        return self._at_points(self.twist)

    @cached_property
    def velocities(self) -> Array:
        """ṙ: (beams, points, 3)."""
        return np.asarray((self.partial @ self.velocity[:, None, :, None])[..., 0])

    @cached_property
    def twist_rate(self) -> Array:
        """Q̇, along ḋ: (beams, 2, 6, 12)."""
        return np.asarray(self._twists(self.d + 1j * STEP * self.d_rate).imag / STEP)

    @cached_property
    def partial_rate(self) -> Array:
        """d/dt of `partial` in axes of the sections: (beams, points, 3, 12)."""
        return self._at_points(self.twist_rate)

    @cached_property
    def bending(self) -> Array:
        """(d/dt `partial`) u: (beams, points, 3)."""
        return np.asarray((self.partial_rate @ self.velocity[:, None, :, None])[..., 0])

    @cached_property
    def dragged(self) -> Array:
        """∂ṙ/∂q along changes of position in the axes of the bodies, u fixed: (beams, points, 3, 12)."""
        steps = 1j * STEP * np.eye(6)[:, None]  # in d, one after the other
        changes = self._twists(self.d + steps).imag / STEP  # (6, beams, 2, 6, 12)
        by_d = np.einsum("kexij,ej->exik", changes, self.velocity)
        return self._at_points(by_d @ self.strain_rates[:, None])

    def sum(self, left: Array, right: Array, work: Work) -> Array:
        """Σ w LᵀR of (beams, points, 3, k) and (beams, points, 3, l), or of vectors: (beams, k, l), (beams, k)."""
        wide = right if right.ndim == 4 else right[..., None]
        total = work.integral(self.weights, left, wide)
        return total if right.ndim == 4 else total[..., 0]

    def slow(self, factor: float) -> "BeamMotion":
        """The same place with all velocities multiplied."""
        return replace(self, velocity=factor * self.velocity)

    def fastest_square(self) -> float:
        """ω² of the fastest free beam, which all together do not exceed; motions without inertia do not count."""
        own, P = self.sections, self.strain_rates
        stiffness = np.swapaxes(P, 1, 2) @ np.linalg.inv(own._flexibility(self.d) * own.lengths[:, None, None]) @ P
        mass = self.sum(self.partial, self.partial, Work())
        used = np.ix_(own.columns, own.columns)
        found = np.concatenate([linalg.eigvals(K[used], M[used]) for K, M in zip(stiffness, mass, strict=True)])
        return float(found[np.isfinite(found)].real.max(initial=0.0))

    @property
    def potential(self) -> float:
        """½ L εᵀF⁻¹ε less the work of gravity."""
        energy = np.einsum("e,ei,ei->", self.sections.lengths / 2, self.strain, self.sections.forces(self.d))
        return float(energy) - float(np.einsum("ep,epi,i->", self.weights, self._first_moments(), self.gravity))

    def force_along_strains(self) -> Array:
        """−Pᵀ(f + (L/12) (0, m × C b) + D ε̇) and weight, b = n × U₀ + m × Ω: (beams, 12)."""
        own = self.sections
        stress = own.forces(self.d)
        n, m = stress[:, :3], stress[:, 3:]
        b = np.cross(n, own.references[:, :3]) + np.cross(m, self.d[:, 3:])
        stress[:, 3:] = m + own.lengths[:, None] / 12 * np.cross(m, np.einsum("eij,ej->ei", own.bending, b))
        return self._loss_and_weight() - np.einsum("eik,ei->ek", self.strain_rates, stress)

    def force_of_potential(self) -> Array:
        """−∂V/∂q of the strain energy as a function of both places, with losses and weight: (beams, 12)."""
        own = self.sections
        # both ends moved by imaginary steps of their bodies: exp(−π_A) (H_A⁻¹H_B) exp(π_B)
        step = 1j * STEP * np.swapaxes(own.to_ends, 1, 2)  # (beams, directions, 12)
        a, b = step[..., :6], step[..., 6:]
        ones = np.ones((*step.shape[:2], 1))
        turned = quaternion_product(
            quaternion_product(np.concatenate([ones, -a[..., 3:] / 2], axis=-1), self.quaternion[:, None]),
            np.concatenate([ones, b[..., 3:] / 2], axis=-1),
        )
        R = rotation_from_quaternion(self.quaternion)
        p = self.place[:, None] + np.einsum("eij,ekj->eki", R, b[..., :3])
        d = np.swapaxes(logarithm(turned, p - np.cross(a[..., 3:], p) - a[..., :3]), 0, 1)  # (12, beams, 6)
        energy = np.einsum("kei,kei->ek", d - own.references, own.forces(d)) / 2
        return self._loss_and_weight() - energy.imag / STEP

    def _loss_and_weight(self) -> Array:
        """−Pᵀ D ε̇ and Σ w s g·∂ṙ/∂u: (beams, 12)."""
        own = self.sections
        rate = self.d_rate / own.lengths[:, None]
        loss = np.einsum("eik,eij,ej->ek", self.strain_rates, own.damping, rate)
        shares = self.weights * np.concatenate([own.shares, own.shares], axis=1)
        down = np.einsum("exji,j->exi", self._rotations(), self.gravity)
        down = np.repeat(down, own.weights.shape[2], axis=1)
        return np.asarray(np.einsum("ep,epik,epi->ek", shares, self.partial, down) - loss)

    def _twists(self, d: Array) -> Array:
        """Q of both sections by the velocities of the bodies: (..., beams, 2, 6, 12)."""
        return np.asarray(section_twists(d, GAUSS) @ self.sections.to_ends[:, None])

    def _at_points(self, twists: Array) -> Array:
        """s η_v − x̃ η_ω of twists (beams, 2, 6, k): (beams, points, 3, k)."""
        own = self.sections
        moved = np.einsum("eg,exik->exgik", own.shares, twists[:, :, :3])
        turned = np.einsum("egij,exjk->exgik", cross_matrix(own.points), twists[:, :, 3:])
        return np.asarray(moved - turned).reshape(len(self.d), -1, 3, twists.shape[-1])

    def _frames(self) -> Array:
        """Both sections as matrices of homogeneous coordinates in space: (beams, 2, 4, 4)."""
        start = np.zeros((len(self.d), 1, 4, 4))
        start[:, 0, :3, :3], start[:, 0, :3, 3], start[:, 0, 3, 3] = self.first, self.origin, 1.0
        return np.asarray(start @ exponential(self.d[:, None] * GAUSS[:, None]))

    def _rotations(self) -> Array:
        return self._frames()[..., :3, :3]

    def _first_moments(self) -> Array:
        """s (s r + R x) of all points, first moments for each weight: (beams, points, 3)."""
        own, frames = self.sections, self._frames()
        moved = np.einsum("exij,egj->exgi", frames[..., :3, :3], own.points)
        moved = moved + np.einsum("exi,eg->exgi", frames[..., :3, 3], own.shares)
        return np.asarray(moved * own.shares[:, None, :, None]).reshape(len(self.d), -1, 3)


def beam_motion(sections: BeamSections, state: "DynamicState", gravity: Array) -> BeamMotion:
    """The beams at a state of the system."""
    bodies = sections.bodies
    R = rotation_from_quaternion(state.quaternions)[bodies]
    ends = state.positions[bodies] + np.einsum("eaij,eaj->eai", R, sections.places)
    attitudes = quaternion_product(state.quaternions[bodies], sections.quaternions)
    first = rotation_from_quaternion(attitudes[:, 0])
    conjugate = attitudes[:, 0] * np.array([1.0, -1.0, -1.0, -1.0])
    quaternion = quaternion_product(conjugate, attitudes[:, 1])
    place = np.einsum("eji,ej->ei", first, ends[:, 1] - ends[:, 0])
    d = logarithm(quaternion, place)
    velocity = np.concatenate([state.velocities[bodies], state.angular_velocities[bodies]], axis=-1)
    return BeamMotion(
        sections=sections,
        first=first,
        origin=ends[:, 0],
        quaternion=quaternion,
        place=place,
        d=d,
        twist=np.asarray(section_twists(d, GAUSS) @ sections.to_ends[:, None]),
        velocity=velocity.reshape(len(d), 12),
        gravity=gravity,
    )


CIRCLE = 24  # points; the first derivative taken for the second is the 26th
_WIDE = 0.3  # rad, or parts of a beam, that ends move on the circle


def path_accelerations(beam: BeamMotion, accelerations: Array) -> Array:
    """r̈ in axes of the sections for (v̇, ω̇) of both bodies (beams, 12): (beams, points, 3)."""
    own, count = beam.sections, len(beam.d)
    twist = (own.to_ends @ beam.velocity[..., None])[..., 0].reshape(count, 2, 6)
    rate = (own.to_ends @ accelerations[..., None])[..., 0].reshape(count, 2, 6)
    v, spin, turn = twist[..., :3], twist[..., 3:], rate[..., 3:]
    second = rate[..., :3] + np.cross(spin, v)
    length = own.lengths[:, None, None]
    apart = v[:, 1:] - v[:, :1]  # of both ends, as far as it bends the beam
    swift = max(
        float(np.abs(spin).max()),
        float(np.sqrt(np.abs(turn).max())),
        float(np.sqrt((np.abs(second) / length).max())),
        float((np.abs(apart) / length).max()),
        float((np.abs(v) / length).max()),
        1e-3,
    )
    radius = _WIDE / swift
    still = _places(
        beam, *(np.zeros((1, *x.shape), dtype=complex) for x in (v, spin))
    )  # drops out with its rounding
    steps = np.exp(2j * np.pi * np.arange(CIRCLE) / CIRCLE)
    t = (radius * steps)[:, None, None, None]
    moved = _places(beam, v * t + second * t**2 / 2, spin * t + turn * t**2 / 2) - still
    total = np.einsum("t,tepi->epi", steps**-2, moved)
    back = np.swapaxes(_rotations(beam), -1, -2)
    local = np.einsum("exij,exgj->exgi", back, (2 * total.real / (CIRCLE * radius**2)).reshape(count, 2, -1, 3))
    return np.asarray(local).reshape(count, -1, 3)


def _places(beam: BeamMotion, shifts: Array, turns: Array) -> Array:
    """s r + R x in axes of the first end for ends that were shifted and turned: (times, beams, points, 3)."""
    own = beam.sections
    half = turns / 2
    size = np.sqrt((half * half).sum(axis=-1, keepdims=True))
    small = np.abs(size) < 1e-9
    sine = np.where(small, 1.0, np.sin(size) / np.where(small, 1.0, size))
    turned = np.concatenate([np.cos(size), sine * half], axis=-1)  # quaternions of both ends: (times, beams, 2, 4)
    a, b = turned[:, :, 0], turned[:, :, 1]
    back = a * np.array([1.0, -1.0, -1.0, -1.0])
    relative = quaternion_product(quaternion_product(back, beam.quaternion[None]), b)
    R = rotation_from_quaternion(beam.quaternion)
    end = beam.place + np.einsum("eij,tej->tei", R, shifts[:, :, 1])
    start = np.zeros((*a.shape[:2], 4, 4), dtype=complex)
    start[..., :3, :3], start[..., :3, 3], start[..., 3, 3] = _matrix(a), shifts[:, :, 0], 1.0
    apart = np.einsum("teji,tej->tei", start[..., :3, :3], end - shifts[:, :, 0])
    d = logarithm(relative, apart)
    frames = start[:, :, None] @ exponential(d[:, :, None] * GAUSS[:, None])
    places = np.einsum("texij,egj->texgi", frames[..., :3, :3], own.points)
    places = places + np.einsum("texi,eg->texgi", frames[..., :3, 3], own.shares)
    return np.asarray(places).reshape(*a.shape[:2], -1, 3)


def _matrix(quaternion: Array) -> Array:
    """R of a quaternion with c² + v·v = 1 that may be complex: (..., 3, 3)."""
    c, v = quaternion[..., :1, None], quaternion[..., 1:]
    cross = cross_matrix(v)
    return np.asarray(np.eye(3) + 2.0 * (c * cross + cross @ cross))


def _rotations(beam: BeamMotion) -> Array:
    """R of both sections in the first end: (beams, 2, 3, 3)."""
    return exponential(beam.d[:, None] * GAUSS[:, None])[..., :3, :3]
