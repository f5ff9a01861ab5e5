"""A body of an elastic mechanism: its coordinates, and how its markers move with them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flexframe.assembly.discrete import DiscreteBody
from flexframe.equations.cycle import CycleEquations
from flexframe.equations.terms import Terms
from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.mechanisms.constraint_set import ConstraintSet
from flexframe.mechanisms.elastic.link import ElasticLink
from flexframe.mechanisms.elastic.link_history import link_history, marker_nodes, resting_history
from flexframe.mechanisms.elastic.rigid_part import RigidPart
from flexframe.mechanisms.inverse_dynamics import MechanismForces
from flexframe.mechanisms.motion import MechanismMotion
from flexframe.mechanisms.states import cross
from flexframe.model.drives import Drive
from flexframe.model.joints import Joint
from flexframe.model.rigid_body import BodyFrame
from flexframe.model.system import GROUND, System
from flexframe.model.system_loads import CoordinateForce


@dataclass(frozen=True, eq=False)
class Part:
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


def _through(rows: Array, part: Part) -> Array:
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


def marker_rows(motion: MechanismMotion, parts: Sequence[Part], table: ConstraintSet) -> Array:
    """∂s/∂q of constraints or coordinates, q the coordinates of all parts: (T, rows, q)."""
    mechanism, c = motion.mechanism, motion.configuration
    system, markers = mechanism.system, both_markers(motion)
    by_name = {part.name: part for part in parts}
    _, full = table.values(c)
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
                    "node by a coupling and link that one"
                )
            A[:, row, by_name[name].columns] += both[:, ~missing] @ twist[~missing]
    return A
