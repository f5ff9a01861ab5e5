"""What acts between the bodies of an elastic mechanism besides its joints' constraints.

Springs and dampers have stiffness and damping along their coordinate; forces in springs and in joints whose
directions turn with a body have a geometric stiffness on their two markers.

A constraint s with multiplier λ adds −λ ∂²s/∂q² to the stiffness, a force F along its coordinate s
−F ∂²s/∂q² − (∂F/∂s) aaᵀ with a = ∂s/∂q. Displacements u and rotations φ are those of the two places.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flexframe.maths.arrays import Array
from flexframe.maths.rotations import skew
from flexframe.model.constraints import Along, Displacement, Distance, Perpendicular
from flexframe.model.system import GROUND
from flexframe.multibody.constraints import BoundFrames, ConstraintSet
from flexframe.multibody.inverse_dynamics import MechanismForces
from flexframe.multibody.links.joined_bodies import JoinedBody, both_markers, marker_rows
from flexframe.multibody.motion import MechanismMotion
from flexframe.multibody.states import Configuration

_U1, _R1, _U2, _R2 = (slice(3 * i, 3 * i + 3) for i in range(4))


def curvature(bound: BoundFrames, c: Configuration, *, planar: bool) -> Array | None:  # noqa: PLR0911
    """∂²s/∂(u₁, φ₁, u₂, φ₂)² in space axes, (T, 12, 12); None where it vanishes.

    Torques of drives in space and rolling contacts are taken as fixed in direction, so they have none either.
    """
    constraint, ground = bound.constraint, c.positions.shape[1] - 1
    R1, R2 = c.rotations[:, bound.first], c.rotations[:, bound.second]
    reach = c.positions[:, bound.second] + R2 @ bound.second_point
    reach = reach - c.positions[:, bound.first] - R1 @ bound.first_point
    H = np.zeros((c.count, 12, 12))
    match constraint:
        case Along(direction=direction, in_space=in_space):
            if in_space or bound.first == ground:
                return None
            return _turned_direction(R1 @ (bound.first_axes @ _unit3(direction)), reach)
        case Displacement(translation=translation):
            # as above, with weights for directions; the turning of the vector of rotation itself is left out
            if bound.first == ground or not any(translation):
                return None
            d = R1 @ (bound.first_axes @ np.array(translation))
            return _turned_direction(d, reach)
        case Distance():
            length = np.linalg.norm(reach, axis=1)[:, None, None]
            n = reach[:, :, None] / length
            across = (np.eye(3) - n @ np.swapaxes(n, 1, 2)) / length
            H[:, _U1, _U1] = H[:, _U2, _U2] = across
            H[:, _U1, _U2] = H[:, _U2, _U1] = -across
            return H
        case Perpendicular(first=first, second=second):
            if planar:
                return None  # the sine of an angle that is zero
            x1, x2 = R1 @ (bound.first_axes @ _unit3(first)), R2 @ (bound.second_axes @ _unit3(second))
            H[:, _R1, _R2] = -skew(x1) @ skew(x2)
            H[:, _R1, _R1] = H[:, _R2, _R2] = _rotate(x1, x2) / 2
            return H + np.swapaxes(H, 1, 2)
    return None


def _turned_direction(d: Array, reach: Array) -> Array:
    """∂²/∂q² of (exp(φ₁) d)·(Δ + u₂ − u₁): (T, 12, 12)."""
    H = np.zeros((len(d), 12, 12))
    H[:, _R1, _U2] = skew(d)
    H[:, _R1, _U1] = -skew(d)
    H[:, _R1, _R1] = _rotate(d, reach) / 2
    return H + np.swapaxes(H, 1, 2)


def _unit3(direction: tuple[float, ...]) -> Array:
    vector = np.zeros(3)
    vector[: len(direction)] = direction
    return vector / np.linalg.norm(vector)


def _rotate(d: Array, v: Array) -> Array:
    """H of φ ↦ v·(½ φ × (φ × d)): ½(dvᵀ + vdᵀ) − (d·v) 1."""
    product = d[:, :, None] * v[:, None, :]
    trace = np.trace(product, axis1=1, axis2=2)[:, None, None]
    return np.asarray((product + np.swapaxes(product, 1, 2)) / 2 - trace * np.eye(3))


@dataclass(frozen=True, eq=False)
class Interaction:
    """A rank-one spring and damper along a row, and a stiffness on two markers."""

    rows: Array  # (T, q)
    spring: Array  # N/m: (T,)
    damper: Array  # N s/m: (T,)
    curved: Array | None  # (T, 12, 12)
    markers: Array  # (12, q)

    def add(self, instant: int, damping: Array, stiffness: Array) -> None:
        """Add to C and K of all coordinates at one instant: (q, q) each."""
        row = self.rows[instant]
        used = np.flatnonzero(row)
        product = np.outer(row[used], row[used])
        damping[np.ix_(used, used)] += self.damper[instant] * product
        stiffness[np.ix_(used, used)] += self.spring[instant] * product
        if self.curved is not None:
            used = np.flatnonzero(self.markers.any(axis=0))
            markers = self.markers[:, used]
            stiffness[np.ix_(used, used)] += markers.T @ self.curved[instant] @ markers

    def forces(self, displacements: Array, rates: Array) -> Array:
        """On all coordinates, of q and q̇ at all instants: (T, q)."""
        along = self.spring * np.einsum("tq,tq->t", self.rows, displacements)
        along = along + self.damper * np.einsum("tq,tq->t", self.rows, rates)
        total = -along[:, None] * self.rows
        if self.curved is not None:
            at_markers = np.einsum("tij,tj->ti", self.curved, displacements @ self.markers.T)
            total = total - at_markers @ self.markers
        return np.asarray(total)


def interactions(
    motion: MechanismMotion, forces: MechanismForces | None, parts: Sequence[JoinedBody], geometric: float
) -> tuple[Interaction, ...]:
    """Of all force elements and joints; without forces the mechanism stands still and is not stressed."""
    ready, c = motion.mechanism, motion.configuration
    stressed = forces is not None and geometric != 0
    found = []
    if ready.forces.count:
        value, _ = ready.forces.values(c)
        rate = np.zeros_like(value) if forces is None else ready.forces.rates(c, motion.velocities)[0]
        rows = marker_rows(motion, parts, ready.forces)
        for i, law in enumerate(ready.force_laws):
            force = geometric * law.force(value[:, i], rate[:, i])
            curved = _curved(motion, parts, ready.forces, row=i, force=force) if stressed else None
            found.append(_interaction(rows[:, i], law.slopes(value[:, i], rate[:, i]), curved))
    if forces is not None and stressed:
        nothing = np.zeros(c.count)
        for row in range(ready.constraints.count):
            force = geometric * forces.multipliers[:, row]
            curved = _curved(motion, parts, ready.constraints, row=row, force=force)
            if curved is not None:
                found.append(_interaction(np.zeros((c.count, parts[-1].columns.stop)), (nothing, nothing), curved))
    return tuple(found)


def _interaction(rows: Array, slopes: tuple[Array, Array], curved: tuple[Array, Array] | None) -> Interaction:
    stiffness, markers = (None, np.zeros((12, rows.shape[1]))) if curved is None else curved
    return Interaction(rows, *slopes, stiffness, markers)


def _curved(
    motion: MechanismMotion, parts: Sequence[JoinedBody], table: ConstraintSet, *, row: int, force: Array
) -> tuple[Array, Array] | None:
    """−force ∂²s/∂(markers)² in body axes (T, 12, 12), and the markers as rows on q (12, q)."""
    c, bound, system = motion.configuration, table.entries[row], motion.mechanism.system
    H = curvature(bound, c, planar=motion.mechanism.planar) if force.any() else None
    if H is None:
        return None
    turn = np.zeros_like(H)
    for side, number in enumerate((bound.first, bound.second)):
        for start in (6 * side, 6 * side + 3):
            turn[:, start : start + 3, start : start + 3] = c.rotations[:, number]
    lift = np.zeros((12, parts[-1].columns.stop))
    for side, marker in enumerate(both_markers(motion)[table.owners[row]]):
        name, frame = system.frame(marker)
        if name != GROUND:
            part = next(part for part in parts if part.name == name)
            lift[6 * side : 6 * side + 6, part.columns] = np.nan_to_num(part.twist(system, marker, frame))
    return -force[:, None, None] * (np.swapaxes(turn, 1, 2) @ H @ turn), lift
