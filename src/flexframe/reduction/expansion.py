"""From reduced coordinates back to the mesh: displacements at nodes, and stress."""

import numpy as np

from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.stress_recovery import AccelerationField, RecoveredStress, recovered_stress
from flexframe.maths.arrays import Array
from flexframe.reduction.basis import ReductionBasis


def nodal_displacements(discrete: DiscreteBody, basis: ReductionBasis, coordinates: Array) -> Array:
    """ux … rz at the nodes of one state (m,) → (nodes, 6), or of a history (times, m) → (times, nodes, 6).

    Parameters
    ----------
    discrete
        The body that was reduced.
    basis
        Its basis.
    coordinates
        Amplitudes of the fields, which give displacements [m, rad]: one state (m,) or a history (times, m).

    Returns
    -------
    Array
        Displacements [m] and rotations [rad] relative to the frame.

    Examples
    --------
    >>> blade = ff.Body.beam(
    ...     "blade", length=1.2, divisions=10, section=ff.Rectangle(0.04, 0.01), material=ff.STEEL
    ... )
    >>> attached = ff.reduction.attach(blade, reference=ff.reduction.MeanAxes())
    >>> basis = ff.reduction.reduction_basis(attached, ff.reduction.Modal(3))
    >>> ff.reduction.nodal_displacements(attached.discrete, basis, np.array([0.01, 0.0, 0.0])).shape
    (11, 6)
    """
    nodal = discrete.dofs.nodal(np.ascontiguousarray(basis.expand(coordinates).T))
    return nodal if coordinates.ndim == 1 else np.moveaxis(nodal, -1, 0)


def reduced_stress(
    discrete: DiscreteBody,
    basis: ReductionBasis,
    coordinates: Array,
    acceleration: AccelerationField | None = None,
) -> tuple[RecoveredStress, ...]:
    """Stress of one state (m,) for each batch of elements, as `recovered_stress` of its displacements.

    Parameters
    ----------
    discrete
        The body that was reduced.
    basis
        Its basis.
    coordinates
        Amplitudes of the fields, which give displacements [m, rad]: (m,).
    acceleration
        Acceleration of material points (n, 3) [m/s²] that loads the elements themselves.

    Returns
    -------
    tuple of RecoveredStress
        Stress [Pa] of each batch of elements.

    Examples
    --------
    >>> blade = ff.Body.beam(
    ...     "blade", length=1.2, divisions=10, section=ff.Rectangle(0.04, 0.01), material=ff.STEEL
    ... )
    >>> attached = ff.reduction.attach(blade, reference=ff.reduction.MeanAxes())
    >>> basis = ff.reduction.reduction_basis(attached, ff.reduction.Modal(3))
    >>> len(ff.reduction.reduced_stress(attached.discrete, basis, np.array([0.01, 0.0, 0.0])))
    1
    """
    return recovered_stress(discrete, basis.expand(coordinates), acceleration)
