"""What follows from the motion of a link: forces of its supports."""

from dataclasses import dataclass

import numpy as np

from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.dofs import rigid_displacements
from flexframe.assembly.projection import Projection
from flexframe.equations.parts import DAMPING, STIFFNESS
from flexframe.equations.terms import Terms
from flexframe.maths.arrays import Array, IntArray
from flexframe.mechanisms.elastic.link import ElasticLink
from flexframe.mechanisms.elastic.link_history import LinkHistory


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
    rigid = rigid_displacements(discrete.dofs, discrete.body.mesh.points / discrete.size)
    held = rigid - supports.expand(supports.reduce_vector(rigid))
    return np.asarray(-held @ (np.linalg.pinv(rigid.T @ held, rcond=1e-9, hermitian=True) @ (rigid.T @ forces)))


def at_marker(forces: Array, nodes: IntArray, points: Array, marker: Array) -> tuple[Array, Array]:
    """Resultant and moment about a marker of nodal forces (T, nodes, 6) on some nodes: (T, 3) each."""
    chosen = forces[:, nodes]
    arms = points[nodes] - marker
    moment = chosen[..., 3:].sum(axis=1) + np.cross(arms, chosen[..., :3]).sum(axis=1)
    return chosen[..., :3].sum(axis=1), moment
