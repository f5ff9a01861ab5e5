"""Stiffness of given axial forces and torques in beams, with the kind of moment that turns their ends.

The forces are there before the body deforms, whatever makes them: k_g = ∫Γᵀ(N H_ε + T H_κ)Γ with the second-order
strains of the beam. With rotation vectors as coordinates this k_g belongs to *semitangential* end moments, which
turn half as much as the section; a moment M on a section that turns by θ has the virtual work M·(δθ + ½ θ × δθ),
so that

    a moment of fixed direction (axial)       adds  −½ T x̃,
    a moment that follows the section         adds  +½ T x̃      (tangential)

on the rotations of the section on which T acts about x; neither is symmetric. Between elements with the same
torque the terms cancel. Reference: H. Ziegler, Principles of Structural Stability, 1968.
"""

import numpy as np
from scipy import sparse

from flexframe.assembly.dofs import DofMap
from flexframe.assembly.pattern import assembled
from flexframe.elements.contract import ElementBatch, is_beam, is_structural
from flexframe.elements.integration import structural_geometric
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.maths.rotations import skew
from flexframe.model.body import Body, Prestress

_SENSES = {"axial": -0.5, "semitangential": 0.0, "tangential": 0.5}


def prestress_matrices(
    body: Body, batches: tuple[ElementBatch, ...], dofs: DofMap
) -> tuple[SparseMatrix, SparseMatrix] | None:
    """The symmetric stiffness of the given forces and the skew one of their ends: (p, p) each; None without."""
    if not body.prestress:
        return None
    size = dofs.count
    symmetric, ends = sparse.csr_array((size, size)), sparse.csr_array((size, size))
    for number, given in enumerate(body.prestress):
        chosen = None if given.cells is None else body.mesh.cells_of(given.cells)
        for batch in batches:
            kept = np.ones(batch.count, dtype=bool) if chosen is None else np.isin(batch.cells, chosen)
            if not kept.any():
                continue
            if not is_beam(batch.family):
                raise InputError(
                    f"body {body.name}: a given axial force or torque acts on cells that are no beams; name "
                    "those of beams",
                    field=("prestress", number, "cells"),
                )
            part = batch.take(np.flatnonzero(kept))
            numbers = dofs.of_elements(part)
            symmetric = symmetric + assembled(_geometric(part, given), numbers, size)
            if given.torque and _SENSES[given.ends]:
                ends = ends + assembled(_turned_ends(part, given), numbers, size)
    return sparse.csr_array(symmetric), sparse.csr_array(ends)


def _geometric(batch: ElementBatch, given: Prestress) -> Array:
    """(elements, 12, 12)."""
    family = batch.family
    assert is_structural(family)
    points = family.strain_fields(batch.coordinates, batch.prop).weights.shape[1]
    resultants = np.zeros((batch.count, points, 6))
    resultants[..., 0], resultants[..., 3] = given.axial_force, given.torque
    return structural_geometric(family, batch, resultants, np.zeros((3, 3)))


def _turned_ends(batch: ElementBatch, given: Prestress) -> Array:
    """−T at the first node of each element and T at its last one: (elements, 12, 12)."""
    along = batch.coordinates[:, 1] - batch.coordinates[:, 0]
    turn = _SENSES[given.ends] * given.torque * skew(along / np.linalg.norm(along, axis=1)[:, None])
    out = np.zeros((batch.count, 12, 12))
    out[:, 3:6, 3:6], out[:, 9:, 9:] = -turn, turn
    return out
