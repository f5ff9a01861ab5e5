"""Bodies of an elastic mechanism: their coordinates, how markers move with them, and what acts between them.

A rigid body among elastic ones has six small displacements, with the same terms of the moving frame:
u = d + φ × x, and ½ φ × (φ × x) on which the forces do work: its geometric stiffness; z = (d, φ) in body axes.

What acts between the bodies of an elastic mechanism besides its joints' constraints.

Springs and dampers have stiffness and damping along their coordinate; forces in springs and in joints whose
directions turn with a body have a geometric stiffness on their two markers.

A constraint s with multiplier λ adds −λ ∂²s/∂q² to the stiffness, a force F along its coordinate s
−F ∂²s/∂q² − (∂F/∂s) aaᵀ with a = ∂s/∂q. Displacements u and rotations φ are those of the two places.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.geometric import UnitLoad
from flexframe.assembly.inertia import centrifugal_factor, euler_factor
from flexframe.equations.affine import AffineEquations
from flexframe.equations.bodies import frame_parts
from flexframe.equations.coefficients import Monomial, Terms
from flexframe.equations.cycle import CycleEquations, along
from flexframe.equations.parts import LOAD, STIFFNESS, Part
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, IntArray, SparseMatrix
from flexframe.maths.rotations import skew
from flexframe.model.constraints import Along, Displacement, Distance, Perpendicular
from flexframe.model.drives import Drive
from flexframe.model.joints import Joint
from flexframe.model.rigid_body import BodyFrame
from flexframe.model.system import GROUND, System
from flexframe.model.system_loads import CoordinateForce
from flexframe.multibody.constraints import BoundFrames, ConstraintSet
from flexframe.multibody.inverse_dynamics import MechanismForces
from flexframe.multibody.links.link import (
    ElasticLink,
    LinkHistory,
    MarkerLoad,
    link_history,
    marker_nodes,
    resting_history,
)
from flexframe.multibody.motion import MechanismMotion
from flexframe.multibody.states import Configuration, cross

_UNIT_SKEW = skew(np.eye(3))


@dataclass(frozen=True, eq=False)
class RigidPart:
    """Mass, S = ∫ρx and J = ∫ρxxᵀ about the origin of the frame; `columns` are the displacements that exist."""

    mass: float
    first_moment: Array  # (3,)
    second_moment: Array  # (3, 3)
    columns: IntArray  # of (d, φ): all six, or three in the plane

    @classmethod
    def of(cls, mass: float, centre: Array, inertia: Array, columns: IntArray) -> "RigidPart":
        """From the inertia tensor about the origin: J = ½ tr(I) 1 − I."""
        return cls(mass, mass * centre, np.trace(inertia) / 2 * np.eye(3) - inertia, columns)

    def contraction(self, factor: Array) -> SparseMatrix:
        """∫ρ NᵀAN with N = [1, −x̃]."""
        S, A = skew(self.first_moment), factor
        turning = -np.einsum("kl,kab,bc,lcd->ad", self.second_moment, _UNIT_SKEW, A, _UNIT_SKEW)
        matrix = np.block([[self.mass * A, -A @ S], [S @ A, turning]])
        return sparse.csr_array(matrix[np.ix_(self.columns, self.columns)])

    def position_load(self, factor: Array) -> Array:
        """∫ρ NᵀAx."""
        turning = np.einsum("kl,kab,bl->a", self.second_moment, _UNIT_SKEW, factor)
        return np.concatenate([factor @ self.first_moment, turning])[self.columns]

    def origin_load(self, acceleration: Array) -> Array:
        """∫ρ Nᵀa."""
        turning = np.cross(self.first_moment, acceleration)
        return np.concatenate([self.mass * acceleration, turning])[self.columns]

    def mass_matrix(self) -> SparseMatrix:
        """∫ρ NᵀN."""
        return self.contraction(np.eye(3))

    def geometric_stiffness(self, load: UnitLoad) -> SparseMatrix:
        """Of a unit of inertia load −ρAx or −ρe_i: P = −AJ or −e_iSᵀ."""
        kind, i, j = load
        if kind == "origin":
            return self.geometric(-np.outer(np.eye(3)[i], self.first_moment))
        factor = euler_factor(i) if kind == "euler" else centrifugal_factor(i, j)
        return self.geometric(-factor @ self.second_moment)

    def geometric(self, product: Array) -> SparseMatrix:
        """tr(P) 1 − sym P on φ, P = Σ f xᵀ of all forces f at x."""
        matrix = np.zeros((6, 6))
        matrix[3:, 3:] = np.trace(product) * np.eye(3) - (product + product.T) / 2
        return sparse.csr_array(matrix[np.ix_(self.columns, self.columns)])

    def twist(self, point: Array) -> Array:
        """Displacement and rotation of the marker at a point: (6, columns)."""
        matrix = np.eye(6)
        matrix[:3, 3:] = -skew(point)
        return matrix[:, self.columns]

    def equations(self, history: LinkHistory, terms: Terms) -> CycleEquations:
        """The equations along a history."""
        parts, amounts = [*frame_parts(self)], dict[str, Array]()
        for number, load in enumerate(history.loads, 1):
            for name, wrench in (("force", load.force), ("moment", load.moment)):
                amounts |= {_amount(number, name, i): wrench[:, i] for i in range(3)}
            parts += self._marker_parts(number, load)
        body = AffineEquations(len(self.columns), tuple(parts), terms)
        return along(body, history.points(amounts), history.times)

    def _marker_parts(self, number: int, load: MarkerLoad) -> Iterator[Part[SparseMatrix]]:
        """Unit forces and moments at a marker, and the stiffness that the forces make."""
        rows = self.twist(load.point)
        for i in range(3):
            force, moment = (Monomial((_amount(number, name, i),)) for name in ("force", "moment"))
            stress = self.geometric(np.outer(np.eye(3)[i], load.point))
            yield Part.constant("geometric", STIFFNESS, stress, force)
            yield Part.constant("marker", LOAD, rows[i], force)
            yield Part.constant("marker", LOAD, rows[3 + i], moment)


def _amount(number: int, name: str, axis: int) -> str:
    """What a component of the wrench at a marker is called."""
    return f"{name} {'xyz'[axis]} of load {number}"


@dataclass(frozen=True, eq=False)
class JoinedBody:
    """Elastic (`discrete`) or rigid; `columns` are its coordinates among those of all bodies."""

    name: str
    discrete: DiscreteBody | None
    rigid: RigidPart | None
    columns: slice  # among all coordinates

    def equations(self, motion: MechanismMotion, forces: MechanismForces | None, terms: Terms) -> CycleEquations:
        """Along the motion, or at rest in each position when no forces are given."""
        history = resting_history(motion.times) if forces is None else link_history(forces, self.name)
        if self.rigid is not None:
            return self.rigid.equations(history, terms)
        assert self.discrete is not None
        return ElasticLink(self.discrete).equations(history, terms)

    def twist(self, system: System, marker: str, frame: BodyFrame) -> Array:
        """Displacement and rotation of a marker in body axes (6, coordinates); NaN where it has no rotation."""
        if self.rigid is not None:
            return self.rigid.twist(frame.point)
        assert self.discrete is not None
        nodes = marker_nodes(system.body(self.name), marker)
        numbers = self.discrete.dofs.numbers[nodes]
        rows = np.zeros((6, self.discrete.dofs.count))
        for column in range(6):
            present = numbers[:, column] >= 0
            if present.all() and (column < 3 or len(nodes) == 1):
                np.add.at(rows[column], numbers[:, column], 1.0 / len(nodes))
            elif column >= 3 and not _held_by_plane(self.discrete, column):
                rows[column] = np.nan
        return (
            np.asarray(rows @ self.discrete.supports.basis) if not np.isnan(rows).any() else _through(rows, self)
        )


def _held_by_plane(discrete: DiscreteBody, column: int) -> bool:
    """Rotations out of the plane do not exist and do not matter in it."""
    return discrete.body.space == "planar" and column < 5


def _through(rows: Array, part: JoinedBody) -> Array:
    assert part.discrete is not None
    missing = np.isnan(rows).any(axis=1)
    turned = np.asarray(np.nan_to_num(rows) @ part.discrete.supports.basis)
    turned[missing] = np.nan
    return turned


def both_markers(motion: MechanismMotion) -> dict[str, tuple[str, str]]:
    """The markers of every joint, drive and force element."""
    ready = motion.mechanism
    links: list[Joint | Drive | CoordinateForce] = [*ready.system.joints, *ready.system.drives]
    links += ready.force_laws
    return {link.name: (link.first, link.second) for link in links}


def marker_rows(motion: MechanismMotion, parts: Sequence[JoinedBody], table: ConstraintSet) -> Array:
    """∂s/∂q of constraints or coordinates, q the coordinates of all parts: (T, rows, q)."""
    mechanism, c = motion.mechanism, motion.configuration
    system, markers = mechanism.system, both_markers(motion)
    by_name = {part.name: part for part in parts}
    if table.following.size:
        owner = table.owners[int(table.following[0])]
        raise InputError(
            f"{owner} couples coordinates, which the response of elastic links on a rigid motion does not follow; "
            "take a transient analysis",
            part=system.parts.get(owner, ()),
        )
    _, full = table.values(c, motion.times)
    A = np.zeros((c.count, table.count, parts[-1].columns.stop))
    for row, owner in enumerate(table.owners):
        for marker in markers[owner]:
            name, frame = system.frame(marker)
            if name == GROUND:
                continue
            number = mechanism.names.index(name)
            R = c.rotations[:, number]
            on_origin = full[:, row, number]
            turning = on_origin[:, 3:] - cross(R @ frame.point, on_origin[:, :3])
            both = np.hstack([np.einsum("tj,tji->ti", v, R) for v in (on_origin[:, :3], turning)])  # body axes
            twist = by_name[name].twist(system, marker, frame)
            missing = np.isnan(twist).any(axis=1)
            if missing.any() and np.abs(both[:, missing]).max() > 1e-9 * max(1.0, float(np.abs(both).max())):
                raise InputError(
                    f"{owner} holds a rotation of '{marker}', which has none; tie the nodes to a reference "
                    "node by a coupling and link that one",
                    part=system.parts.get(owner, ()),
                )
            A[:, row, by_name[name].columns] += both[:, ~missing] @ twist[~missing]
    return A


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
            curved = _curvature(motion, parts, ready.forces, row=i, force=force) if stressed else None
            found.append(_interaction(rows[:, i], law.slopes(value[:, i], rate[:, i]), curved))
    if forces is not None and stressed:
        nothing = np.zeros(c.count)
        for row in range(ready.constraints.count):
            force = geometric * forces.multipliers[:, row]
            curved = _curvature(motion, parts, ready.constraints, row=row, force=force)
            if curved is not None:
                found.append(_interaction(np.zeros((c.count, parts[-1].columns.stop)), (nothing, nothing), curved))
    return tuple(found)


def _interaction(rows: Array, slopes: tuple[Array, Array], curved: tuple[Array, Array] | None) -> Interaction:
    stiffness, markers = (None, np.zeros((12, rows.shape[1]))) if curved is None else curved
    return Interaction(rows, *slopes, stiffness, markers)


def _curvature(
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
