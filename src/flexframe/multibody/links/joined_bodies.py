"""Bodies of an elastic mechanism: their coordinates, and how their markers move with them.

A rigid body among elastic ones has six small displacements, with the same terms of the moving frame:
u = d + φ × x, and ½ φ × (φ × x) on which the forces do work: its geometric stiffness; z = (d, φ) in body axes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.geometric import UnitLoad
from flexframe.assembly.inertia import centrifugal_factor, euler_factor
from flexframe.equations.affine import AffineEquations
from flexframe.equations.coefficients import Monomial
from flexframe.equations.cycle import CycleEquations, along
from flexframe.equations.invariants import frame_parts
from flexframe.equations.parts import LOAD, STIFFNESS, Part
from flexframe.equations.terms import Terms
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, IntArray, SparseMatrix
from flexframe.maths.rotations import skew
from flexframe.model.drives import Drive
from flexframe.model.joints import Joint
from flexframe.model.rigid_body import BodyFrame
from flexframe.model.system import GROUND, System
from flexframe.model.system_loads import CoordinateForce
from flexframe.multibody.constraints import ConstraintSet
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
from flexframe.multibody.states import cross

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
            yield Part.given("geometric", STIFFNESS, stress, force)
            yield Part.given("marker", LOAD, rows[i], force)
            yield Part.given("marker", LOAD, rows[3 + i], moment)


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
