"""Exact beams as the formalisms see them: mass points of sections that ride on the ends, and the energy of strain.

Between its ends H_A, H_B the section of a beam is at H(ξ) = H_A exp(ξ d), exp d = H_A⁻¹H_B, and it moves with the
twist η(ξ) = Q(ξ) u of the velocities u of both bodies. Its mass, at two points of Gauss, is carried by four points
a section. Its strain ε = (d − d₀)/L stores ½ L εᵀF(d)⁻¹ε with F = F₀ + (1/12) [Ũ₀; Ω̃] C [Ũ₀; Ω̃]ᵀ. Nothing here
comes from the compiled equations.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from scipy import linalg

from flexframe.formalisms.screws import (
    STEP,
    cross_matrix,
    exponential,
    logarithm,
    quaternion_product,
    rates_between,
    section_twists,
)
from flexframe.formalisms.work import Work
from flexframe.maths.arrays import Array, IntArray
from flexframe.maths.rotations import rotation_from_quaternion

if TYPE_CHECKING:
    from flexframe.multibody.contract import DynamicState, DynamicSystem

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

    def slowed(self, factor: float) -> "BeamMotion":
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
        return float(energy) - float(np.einsum("ep,epi,i->", self.weights, self._weighed(), self.gravity))

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

    def _weighed(self) -> Array:
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
