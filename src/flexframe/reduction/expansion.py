"""From reduced coordinates back to the mesh: displacements at nodes, and stress."""

import numpy as np

from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.stress_recovery import AccelerationField, RecoveredStress, recovered_stress
from flexframe.maths.arrays import Array
from flexframe.reduction.basis import ReductionBasis


def nodal_displacements(discrete: DiscreteBody, basis: ReductionBasis, coordinates: Array) -> Array:
    """ux … rz at the nodes of one state (m,) → (nodes, 6), or of a history (times, m) → (times, nodes, 6)."""
    nodal = discrete.dofs.nodal(np.ascontiguousarray(basis.expand(coordinates).T))
    return nodal if coordinates.ndim == 1 else np.moveaxis(nodal, -1, 0)


def reduced_stress(
    discrete: DiscreteBody,
    basis: ReductionBasis,
    coordinates: Array,
    acceleration: AccelerationField | None = None,
) -> tuple[RecoveredStress, ...]:
    """Stress of one state (m,) for each batch of elements, as `recovered_stress` of its displacements."""
    return recovered_stress(discrete, basis.expand(coordinates), acceleration)
