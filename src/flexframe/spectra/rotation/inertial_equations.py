"""A round rotor in axes of space, where its coefficients are constant whatever its bearings are.

A shaft of beams on its axis, with discs on it, looks the same from all sides. With δ = Rᵀw, R turning the
displacements and rotations of every node by Ωt and J its generator (Jδ = a × δ at every node), they become

    M ẅ + (D + Ω(G − 2MJ)) ẇ + (K + Ω(N − DJ) + Ω²(S + MJ² − GJ) + Ω̇(E − MJ)) w = f :

what damps inside the rotor becomes circulatory (N = DJ is damping in space), and bearings, which stay in space,
only add their matrices. Each shaft of a train has its own Ω, a ratio times that of the train; what stands still (a
casing, of any shape) has none. Bodies that turn and are not round, or whose nodes lie off the axis, have no such
form.
"""

from collections.abc import Iterator

import numpy as np
from scipy import sparse

from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.dofs import turning_generator
from flexframe.assembly.section_rotors import SectionBody
from flexframe.equations.affine import CROSS_COUPLED, AffineEquations
from flexframe.equations.bodies import affine_equations
from flexframe.equations.coefficients import ACCELERATION, SPEED, Monomial, Terms
from flexframe.equations.parts import DAMPING, MASS, STIFFNESS, Part
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.maths.rotations import skew
from flexframe.model.trains import GearMesh
from flexframe.spectra.rotation.bearings import bearings_in_space
from flexframe.spectra.rotation.rotor_model import Member, RotorModel
from flexframe.spectra.rotation.spinning_equations import require_spin

_ROUND = 1e-8


def inertial_equations(model: RotorModel, *, terms: Terms | None = None, steady: bool = True) -> AffineEquations:
    """The equations of round shafts in axes of space, with bearings of any kind; refused for other bodies.

    Unless the speed is `steady` they have what its change adds.
    """
    size = model.discrete.dofs.count
    parts: list[Part[SparseMatrix]] = []
    for member in model.members:
        parts += _member_parts(member, model.axis, terms, size, steady=steady)
    parts += bearings_in_space(model.discrete, model.bearings, model.axis)
    for gear, first, second in model.gears:
        parts += _gear_parts(model, gear, first, second)
    whole = AffineEquations(size, tuple(parts), terms or Terms())
    return whole.project(model.discrete.supports).merge()


def _member_parts(
    member: Member, axis: Array, terms: Terms | None, size: int, *, steady: bool
) -> Iterator[Part[SparseMatrix]]:
    """A member at its ratio of the speed, on the degrees of freedom of the whole."""
    discrete, ratio = member.discrete, member.ratio
    require_spin(discrete, axis)
    turning = affine_equations(discrete, terms, held_in_space=True).homogeneous.about(axis, steady=steady)
    nothing = sparse.csr_array(turning.mass.shape, dtype=float)
    M, K = turning.mass, turning.constant_stiffness
    D, G, S, N, E, skew_part = (
        nothing if part is None else part
        for part in map(
            turning.part,
            ("damping", "gyroscopic", "spin_stiffness", "circulatory", ACCELERATION, f"{CROSS_COUPLED} stiffness"),
        )
    )
    yield Part.constant("mass", MASS, member.placed(M, size))
    yield Part.constant("stiffness", STIFFNESS, member.placed(K, size))
    if skew_part.nnz:
        yield Part.constant(CROSS_COUPLED, STIFFNESS, member.placed(skew_part, size))
    if D.nnz:
        yield Part.constant("damping", DAMPING, member.placed(D, size))
    if not ratio:
        return
    J = _generator(discrete, axis)
    _require_round(discrete, turning, J)
    for name, matrix, order, amounts in (
        ("gyroscopic", G - 2 * (M @ J), DAMPING, (SPEED,)),
        ("spin_stiffness", S + M @ J @ J - G @ J, STIFFNESS, (SPEED, SPEED)),
        ("circulatory", N - D @ J, STIFFNESS, (SPEED,)),
        ("euler", E - M @ J, STIFFNESS, (ACCELERATION,)),
    ):
        if (name != "circulatory" or D.nnz) and (name != "euler" or not steady):
            placed = member.placed(sparse.csr_array(matrix), size)
            yield Part.constant(name, order, placed, Monomial(amounts, ratio ** len(amounts)))


def _require_round(discrete: DiscreteBody, turning: AffineEquations, J: SparseMatrix) -> None:
    """Refuse a body that does not look the same from all sides, or whose supports turn with it."""
    basis, body = discrete.supports.basis, discrete.body
    reduced = sparse.csr_array(basis.T @ (J @ basis))
    if abs(J @ basis - basis @ reduced).max() > _ROUND:
        raise InputError(
            f"the supports of body {body.name} hold one direction across the spin axis and not the other, so that "
            "they turn with it; give them as bearings to keep them in space",
            part=("bodies", body.name, "supports"),
        )
    for coefficient in turning.project(discrete.supports).coefficients:
        A = coefficient.matrix
        apart = abs(A @ reduced - reduced @ A).max() if A.nnz else 0.0
        if apart > _ROUND * abs(A).max():
            raise InputError(
                f"body {body.name} is not round about the spin axis ({coefficient.name}), so that its "
                "coefficients are not constant in space; ask for stability, or for the rotating frame",
                part=("bodies", body.name),
            )


def lies_on_axis(discrete: DiscreteBody, axis: Array) -> bool:
    """Whether a body moves in space and all its nodes are on the spin axis, as those of a shaft of beams.

    The nodes of the section of a body of revolution stand for rings about it.
    """
    if isinstance(discrete, SectionBody):
        return True
    used = (discrete.dofs.numbers >= 0).any(axis=1)
    away = np.abs(discrete.body.mesh.points[used] @ skew(axis)).max()
    return discrete.body.space != "planar" and bool(away <= 1e-9 * discrete.size)


def _generator(discrete: DiscreteBody, axis: Array) -> SparseMatrix:
    """J on all degrees of freedom: (p, p)."""
    body, dofs = discrete.body, discrete.dofs
    if not lies_on_axis(discrete, axis):
        raise InputError(
            f"body {body.name} has nodes off the spin axis, which turn away from a place in space; a diagram in "
            "the inertial frame needs a shaft of beams on the axis: ask for the rotating frame, or for stability",
            part=("bodies", body.name),
        )
    return discrete.generator(axis) if isinstance(discrete, SectionBody) else turning_generator(dofs, axis)


def _gear_parts(model: RotorModel, gear: GearMesh, first: int, second: int) -> Iterator[Part[SparseMatrix]]:
    """k g gᵀ and c g gᵀ of the approach of the teeth."""
    rows, columns, values = [], [], []
    for node, weights in zip((first, second), gear.rows(model.axis), strict=True):
        numbers = model.discrete.dofs.numbers[node]
        for number, weight in zip(numbers, weights, strict=True):
            if number >= 0 and weight:
                rows.append(number)
                columns.append(0)
                values.append(weight)
    g = sparse.csr_array(sparse.coo_array((values, (rows, columns)), shape=(model.discrete.dofs.count, 1)))
    for order, value in ((STIFFNESS, gear.stiffness), (DAMPING, gear.damping)):
        if value:
            yield Part.constant("gears", order, sparse.csr_array(value * (g @ g.T)))
