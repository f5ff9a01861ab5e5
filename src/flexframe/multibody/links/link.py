"""An elastic link: a body that its supports attach to its frame, moved and loaded by a mechanism.

Frame motion and forces at the markers of the link make, at every instant,

    m δ̈ + 2c(ω) δ̇ + [k + k_g + k(ε) + k(ω²)] δ = −q_i(ε) − q_i(ω²) − M_Oᵀ(a_O − g) + forces at the markers,

with k_g the sum of the geometric stiffness of the inertia field and of the unit forces k_g^(P,i), each computed
once.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike

from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.dofs import rigid_displacements
from flexframe.assembly.loads import AppliedLoads
from flexframe.assembly.projection import Projection
from flexframe.elements.contract import NODE_DOFS
from flexframe.equations.bodies import affine_equations
from flexframe.equations.coefficients import Monomial, OperatingPoint, Terms
from flexframe.equations.cycle import CycleEquations, along
from flexframe.equations.parts import DAMPING, LOAD, STIFFNESS, Once, Part
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, IntArray, SparseMatrix
from flexframe.model.body import Body
from flexframe.model.rigid_body import RigidBody
from flexframe.model.system_loads import MarkerForce
from flexframe.multibody.inverse_dynamics import MechanismForces, require_two_bodies
from flexframe.multibody.mechanism import PlacedForce, law_values
from flexframe.multibody.motion import BodyMotion, MechanismMotion
from flexframe.multibody.states import cross

_COINCIDENT = 1e-9  # distance of a node from a marker, in sizes of the body


@dataclass(frozen=True, eq=False)
class MarkerLoad:
    """A force [N] and a moment about the marker [N m], in body axes; a rigid body has no nodes."""

    name: str
    marker: str
    point: Array  # (3,)
    nodes: IntArray
    force: Array  # (T, 3)
    moment: Array  # (T, 3)


@dataclass(frozen=True, eq=False)
class LinkHistory:
    """Frame motion of a link and the forces at its markers over time, all in body axes.

    `origin_accelerations` are less gravity, a_O − g: both act on every particle alike.
    """

    times: Array  # (T,)
    angular_velocities: Array  # (T, 3)
    angular_accelerations: Array  # (T, 3)
    origin_accelerations: Array  # (T, 3)
    loads: tuple[MarkerLoad, ...] = ()

    def points(self, amounts: Mapping[str, ArrayLike]) -> OperatingPoint:
        """What the coefficients of the equations depend on, with the amounts of unit loads at markers."""
        return OperatingPoint(
            self.angular_velocities, self.angular_accelerations, self.origin_accelerations, amounts
        )

    def at(self, instants: "IntArray | slice") -> "LinkHistory":
        """Some of the instants."""
        return LinkHistory(
            self.times[instants],
            self.angular_velocities[instants],
            self.angular_accelerations[instants],
            self.origin_accelerations[instants],
            tuple(replace(load, force=load.force[instants], moment=load.moment[instants]) for load in self.loads),
        )


def given_history(
    times: ArrayLike,
    *,
    angular_velocity: ArrayLike = (0.0, 0.0, 0.0),
    angular_acceleration: ArrayLike = (0.0, 0.0, 0.0),
    origin_acceleration: ArrayLike = (0.0, 0.0, 0.0),
    loads: tuple[MarkerLoad, ...] = (),
) -> LinkHistory:
    """A history from vectors in body axes, each constant (3,) or over time (T, 3)."""
    t = np.asarray(times, dtype=float)
    shape = (len(t), 3)
    omega, epsilon, a = (
        np.broadcast_to(np.asarray(vector, dtype=float), shape).copy()
        for vector in (angular_velocity, angular_acceleration, origin_acceleration)
    )
    return LinkHistory(t, omega, epsilon, a, loads)


def link_history(forces: MechanismForces, name: str) -> LinkHistory:
    """Frame motion of a body of a mechanism, and all forces on it: of joints, drives and loads."""
    motion = forces.motion
    moving = motion.body(name)
    body = motion.mechanism.system.body(name)
    if isinstance(body, Body):
        require_no_own_loads(body)
    signals = motion.mechanism.signals(motion.configuration, motion.velocities, motion.times)
    gravity = motion.mechanism.gravity_at(motion.times, signals)
    return LinkHistory(
        motion.times,
        moving.in_body(moving.angular_velocities),
        moving.in_body(moving.angular_accelerations),
        moving.in_body(moving.accelerations - gravity),
        (*_joint_loads(forces, moving), *_applied_loads(motion, signals, moving)),
    )


def resting_history(times: Array) -> LinkHistory:
    """No motion and no forces: a mechanism that stands still in each of its positions."""
    return given_history(times)


def marker_nodes(body: RigidBody | Body, marker: str) -> IntArray:
    """Nodes of a marker "body.point", none on a rigid body; the origin of an elastic body must be a node."""
    if isinstance(body, RigidBody):
        return np.empty(0, dtype=np.int64)
    _, _, point = marker.partition(".")
    if point:
        return body.selected_nodes(int(point) if point.isdigit() else point)
    node = body.mesh.nearest_node((0.0, 0.0, 0.0))
    low, high = body.mesh.bounding_box
    if np.linalg.norm(body.mesh.points[node]) > _COINCIDENT * float(np.linalg.norm(high - low)):
        raise InputError(
            f"'{marker}' is the origin of a body that has no node there; name a node set of {body.name} instead",
            part=("bodies", body.name),
        )
    return np.array([node], dtype=np.int64)


def require_no_own_loads(body: Body) -> None:
    """Loads of the body alone would be missing in the balance of the mechanism."""
    if body.loads:
        raise InputError(
            f"body {body.name} has loads of its own, which the mechanism does not know of; give them as loads of "
            "the system (gravity, force at a marker)",
            part=("bodies", body.name, "loads"),
        )


def _at_marker(motion: MechanismMotion, name: str, marker: str, *, force: Array, moment: Array) -> MarkerLoad:
    _, frame = motion.mechanism.system.frame(marker)
    body = motion.mechanism.system.body(marker.partition(".")[0])
    return MarkerLoad(name, marker, frame.point, marker_nodes(body, marker), force, moment)


def _joint_loads(forces: MechanismForces, moving: BodyMotion) -> list[MarkerLoad]:
    motion = forces.motion
    system = motion.mechanism.system
    loads = []
    for link in (*system.joints, *system.drives):
        for marker, sign in ((link.first, -1.0), (link.second, 1.0)):
            if marker.partition(".")[0] != moving.name:
                continue
            require_two_bodies(system, link.name, moving.name)
            found = forces.joints[link.name]
            force, moment = sign * found.force, sign * found.moment
            # the moment is about the marker on the second body, which a slide may have carried away from this one
            moment = moment + cross(found.places - motion.marker(marker)[0], force)
            loads.append(
                _at_marker(motion, link.name, marker, force=moving.in_body(force), moment=moving.in_body(moment))
            )
    return loads


def _applied_loads(motion: MechanismMotion, signals: Array, moving: BodyMotion) -> list[MarkerLoad]:
    """Forces at markers and forces along coordinates (springs, friction, motors) that act on a body."""
    ready = motion.mechanism
    number = ready.names.index(moving.name)
    loads = []
    placed = [load for load in ready.system.loads if isinstance(load, MarkerForce)]
    for load, resolved in zip(placed, ready.placed_forces, strict=True):
        if resolved.body == number:
            force, moment = _place_load(resolved, motion.times, signals, moving)
            loads.append(_at_marker(motion, load.name, load.on, force=force, moment=moment))
    if ready.forces.count:
        value, rows = ready.forces.values(motion.configuration)
        rate, _ = ready.forces.rates(motion.configuration, motion.velocities)
        of_joints = {row for joint in ready.system.joints for row in ready.springs_of_joint(joint.name)}
        for i, law in enumerate(ready.force_laws):
            if i in of_joints:
                continue  # among the forces of joints
            followed = ready.network.law_along(law)
            along = law.force(value[:, i], rate[:, i])
            if followed is not None:
                along = law_values(followed, motion.times, signals)
            for marker in (law.first, law.second):
                if marker.partition(".")[0] == moving.name:
                    wrench = along[:, None] * rows[:, i, number]
                    # from the origin of the body to the marker
                    arm = moving.rotations @ ready.system.frame(marker)[1].point
                    force, moment = wrench[:, :3], wrench[:, 3:] - cross(arm, wrench[:, :3])
                    both = {"force": moving.in_body(force), "moment": moving.in_body(moment)}
                    loads.append(_at_marker(motion, law.name, marker, **both))
    return loads


def _place_load(load: PlacedForce, times: Array, signals: Array, moving: BodyMotion) -> tuple[Array, Array]:
    force = np.stack([law_values(law, times, signals) for law in load.force], axis=-1)
    moment = np.stack([law_values(law, times, signals) for law in load.moment], axis=-1)
    return (force, moment) if load.in_body else (moving.in_body(force), moving.in_body(moment))


_NEGLIGIBLE = 1e-9  # part of the largest force below which a component is rounding


@dataclass(frozen=True)
class UnitLoad:
    """A unit force (column 0, 1, 2) shared by the nodes of a marker, or a unit moment (3, 4, 5) on its node."""

    column: int
    nodes: tuple[int, ...]

    def __str__(self) -> str:
        nodes = ", ".join(str(node) for node in self.nodes)
        return f"{'force' if self.column < 3 else 'moment'} {'xyz'[self.column % 3]} at node {nodes}"


@dataclass(frozen=True, eq=False)
class ElasticLink:
    """A supported body with its unit loads; each unit is computed when first needed and then kept."""

    discrete: DiscreteBody
    _geometric: dict[UnitLoad, SparseMatrix] = field(default_factory=dict)

    @classmethod
    def attach(cls, discrete: DiscreteBody) -> "ElasticLink":
        """A link whose supports hold it in its frame and let it deform; others are refused."""
        discrete.require_freedom()
        if discrete.equilibrium.rigid.shape[1]:
            raise InputError(
                f"body {discrete.body.name} can move in its own frame; give it supports that tie it to the frame, "
                "as few as hold it (a pin at one end, a roller at the other)",
                part=("bodies", discrete.body.name, "supports"),
            )
        return cls(discrete)

    def equations(
        self, history: LinkHistory, terms: Terms | None = None, *, supports: Projection | None = None
    ) -> CycleEquations:
        """The equations along a history; `supports` replaces those of the body (none: every degree of freedom)."""
        require_no_own_loads(self.discrete.body)
        units = marker_amounts(self.discrete, history)
        loads = [part for unit in units for part in self._marker_parts(unit)]
        body = affine_equations(self.discrete, terms).extend(loads)
        found = along(body, self.points(history), history.times)
        return replace(found, equations=found.equations.project(supports or self.discrete.supports))

    def points(self, history: LinkHistory) -> OperatingPoint:
        """What the coefficients depend on along a history."""
        amounts = marker_amounts(self.discrete, history)
        return history.points({str(unit): amount for unit, amount in amounts.items()})

    def _marker_parts(self, unit: UnitLoad) -> Iterator[Part[SparseMatrix]]:
        """A unit force at a marker, and the stiffness of the stress that it causes."""
        coefficient = Monomial((str(unit),))
        yield Part("geometric", STIFFNESS, Once(lambda: self.geometric(unit)), coefficient)
        yield Part("marker", LOAD, Once(lambda: unit_marker_load(self.discrete, unit)), coefficient)

    def geometric(self, unit: UnitLoad) -> SparseMatrix:
        """Geometric stiffness of a unit load at a marker: (p, p)."""
        if unit not in self._geometric:
            known, forces = self.discrete.geometric, unit_marker_load(self.discrete, unit)
            if not self.discrete.supports.reduce_vector(forces).any():
                self._geometric[unit] = self.discrete.stiffness * 0.0  # it goes straight into a support
            else:
                alone = replace(
                    known, applied=AppliedLoads(forces, np.zeros(3), np.zeros_like(known.applied.line)), _known={}
                )
                self._geometric[unit] = alone.invariant(("applied", 0, 0))
        return self._geometric[unit]


def marker_amounts(discrete: DiscreteBody, history: LinkHistory) -> dict[UnitLoad, Array]:
    """How much of each unit load at a marker a history brings, over time; those that never occur are left out."""
    amounts: dict[UnitLoad, Array] = {}
    for load in history.loads:
        _add_marker(discrete, load.name, load.nodes, np.hstack([load.force, load.moment]), amounts)
    return {unit: amount for unit, amount in amounts.items() if amount.any()}


def _add_marker(
    discrete: DiscreteBody, name: str, nodes: IntArray, wrench: Array, amounts: dict[UnitLoad, Array]
) -> None:
    low, high = discrete.body.mesh.bounding_box
    length = float(np.linalg.norm(high - low))
    largest = np.abs(wrench[:, :3]).max(initial=0.0) + np.abs(wrench[:, 3:]).max(initial=0.0) / length
    for column in range(6):
        amount = wrench[:, column]
        if np.abs(amount).max(initial=0.0) <= _NEGLIGIBLE * largest * (1.0 if column < 3 else length):
            continue
        missing = (discrete.dofs.numbers[nodes, column] < 0).any() or (column >= 3 and len(nodes) > 1)
        if missing:
            what = "force" if column < 3 else "moment"
            raise InputError(
                f"{name} puts a {what} along {NODE_DOFS[column]} on body {discrete.body.name}, whose nodes there "
                "cannot take it; tie them to a reference node by a coupling and link that one",
                part=("bodies", discrete.body.name),
            )
        unit = UnitLoad(column, tuple(int(node) for node in nodes))
        amounts[unit] = amounts.get(unit, 0.0) + amount


def unit_marker_load(discrete: DiscreteBody, unit: UnitLoad) -> Array:
    """A unit force shared by the nodes of a marker, or a unit moment on its node: (p,)."""
    vector = np.zeros(discrete.dofs.count)
    numbers = discrete.dofs.numbers[list(unit.nodes), unit.column]
    np.add.at(vector, numbers, 1.0 / len(numbers))
    return vector


@dataclass(frozen=True, eq=False)
class LinkMotion:
    """Displacements of a link relative to its frame, with their rates: (T, p) each."""

    displacements: Array
    rates: Array
    accelerations: Array


def support_forces(
    link: ElasticLink, history: LinkHistory, terms: Terms, motion: LinkMotion, resisting: Array
) -> Array:
    """Nodal forces of the supports beyond the forces that act at the markers, body axes: (T, nodes, 6).

    At a marker that a support holds, the total force of the joint is its rigid value and this one. Springs to the
    frame and damping of rates relative to it push back on the frame, which has no mass of its own: their resultant
    goes to the supports as well. `resisting` is the damping of modes beside that of the body: (T, p).
    """
    whole = link.equations(history, terms, supports=Projection.identity(link.discrete.dofs.count))
    u, v, a = motion.displacements, motion.rates, motion.accelerations
    inner = (whole.damping @ v.T + whole.stiffness @ u.T).T + resisting
    forces = (whole.mass @ a.T).T + inner
    forces = forces + whole.equations.apply(DAMPING, whole.points, v)
    forces = forces + whole.equations.apply(STIFFNESS, whole.points, u)
    forces = forces - whole.load_at(slice(None))
    carried = link.discrete.supports.support_forces(np.asarray(forces).T)
    carried = carried + _reactions(link.discrete, inner.T)
    return np.moveaxis(link.discrete.dofs.nodal(carried), -1, 0)


def _reactions(discrete: DiscreteBody, forces: Array) -> Array:
    """The smallest support forces that balance the resultants of nodal forces (p, T): (p, T)."""
    supports = discrete.supports
    rigid = rigid_displacements(discrete.dofs, discrete.body.mesh.points)
    rigid[:, 3:] /= discrete.size  # rotations of one size with translations
    held = rigid - supports.expand(supports.reduce_vector(rigid))
    return np.asarray(-held @ (np.linalg.pinv(rigid.T @ held, rcond=1e-9, hermitian=True) @ (rigid.T @ forces)))


def at_marker(forces: Array, nodes: IntArray, points: Array, marker: Array) -> tuple[Array, Array]:
    """Resultant and moment about a marker of nodal forces (T, nodes, 6) on some nodes: (T, 3) each."""
    chosen = forces[:, nodes]
    arms = points[nodes] - marker
    moment = chosen[..., 3:].sum(axis=1) + np.cross(arms, chosen[..., :3]).sum(axis=1)
    return chosen[..., :3].sum(axis=1), moment
