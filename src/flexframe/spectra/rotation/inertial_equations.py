"""A round rotor in axes of space, where its coefficients are constant whatever its bearings are.

A shaft of beams on its axis, with discs on it, looks the same from all sides. With δ = Rᵀw, R turning the
displacements and rotations of every node by Ωt and J its generator (Jδ = a × δ at every node), they become

    M ẅ + (D + Ω(G − 2MJ)) ẇ + (K − ΩDJ + Ω²(S + MJ² − GJ)) w = f :

what damps inside the rotor becomes circulatory, and bearings, which stay in space, only add their matrices. Bodies
that are not round, or whose nodes lie off the axis, have no such form.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from flexframe.assembly.discrete import DiscreteBody
from flexframe.equations.affine import AffineEquations
from flexframe.equations.coefficients import Monomial
from flexframe.equations.operating_point import SPEED
from flexframe.equations.parts import DAMPING, MASS, STIFFNESS, Part
from flexframe.equations.terms import Terms
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.maths.rotations import skew
from flexframe.motion.frame import PLANAR_AXIS
from flexframe.spectra.rotation.bearings import Bearing, bearings_in_space
from flexframe.spectra.rotation.spinning_equations import spinning_equations, unit_axis

_ROUND = 1e-8


def inertial_equations(
    discrete: DiscreteBody,
    axis: ArrayLike = PLANAR_AXIS,
    *,
    terms: Terms | None = None,
    bearings: Sequence[Bearing] = (),
) -> AffineEquations:
    """The equations of a round shaft in axes of space, bearings of any two values; refused for other bodies."""
    turning, direction = spinning_equations(discrete, axis, terms=terms), unit_axis(axis)
    J = _generator(discrete, direction)
    for coefficient in turning.coefficients:
        A = coefficient.matrix
        apart = abs(A @ J - J @ A).max() if A.nnz else 0.0
        if apart > _ROUND * abs(A).max():
            raise InputError(
                f"body {discrete.body.name} is not round about the spin axis ({coefficient.name}), so that its "
                "coefficients are not constant in space; ask for stability, or for the rotating frame",
                part=("bodies", discrete.body.name),
            )
    nothing = 0.0 * turning.mass
    M, K = turning.mass, turning.stiffness
    D, G, S = (
        nothing if part is None else part
        for part in (turning.part(name) for name in ("damping", "gyroscopic", "spin_stiffness"))
    )
    reduce = discrete.supports.reduce_matrix
    spring, damper = (reduce(matrix) for matrix in bearings_in_space(discrete, bearings, direction))
    parts: list[tuple[str, SparseMatrix, int, int]] = [
        ("mass", M, MASS, 0),
        ("stiffness", K + spring, STIFFNESS, 0),
        ("gyroscopic", G - 2 * (M @ J), DAMPING, 1),
        ("spin_stiffness", S + M @ J @ J - G @ J, STIFFNESS, 2),
    ]
    if D.nnz or damper.nnz:
        parts += [("damping", D + damper, DAMPING, 0), ("circulatory", -(D @ J), STIFFNESS, 1)]
    made = (
        Part[SparseMatrix].given(name, order, sparse.csr_array(matrix), Monomial((SPEED,) * power))
        for name, matrix, order, power in parts
    )
    return AffineEquations(turning.size, tuple(made), turning.terms)


def _generator(discrete: DiscreteBody, axis: Array) -> SparseMatrix:
    """J on the coordinates that the supports leave."""
    body, dofs = discrete.body, discrete.dofs
    used = (dofs.numbers >= 0).any(axis=1)
    away = np.abs(body.mesh.points[used] @ skew(axis)).max()
    if body.space == "planar" or away > 1e-9 * discrete.size:
        raise InputError(
            f"body {body.name} has nodes off the spin axis, which turn away from a place in space; a diagram in "
            "the inertial frame needs a shaft of beams on the axis: ask for the rotating frame, or for stability",
            part=("bodies", body.name, "mesh"),
        )
    rows, columns, values = [], [], []
    turn = skew(axis)
    for start in (0, 3):
        numbers = dofs.numbers[:, start : start + 3]
        for i, j in zip(*np.nonzero(turn), strict=True):
            both = (numbers[:, i] >= 0) & (numbers[:, j] >= 0)
            rows.append(numbers[both, i])
            columns.append(numbers[both, j])
            values.append(np.full(int(both.sum()), turn[i, j]))
    places = (np.concatenate(rows), np.concatenate(columns))
    size = dofs.count
    full = sparse.csr_array(sparse.coo_array((np.concatenate(values), places), shape=(size, size)))
    basis = discrete.supports.basis
    J = sparse.csr_array(basis.T @ (full @ basis))
    if abs(full @ basis - basis @ J).max() > _ROUND:
        raise InputError(
            f"the supports of body {body.name} hold one direction across the spin axis and not the other, so that "
            "they turn with it; give them as bearings to keep them in space",
            part=("bodies", body.name, "supports"),
        )
    return J
