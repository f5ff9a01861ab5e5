"""Bearings: springs and dampers that stay in space while the body turns."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from flexframe.assembly.attachments import attached_nodes
from flexframe.assembly.discrete import DiscreteBody
from flexframe.equations.coefficients import Monomial
from flexframe.equations.operating_point import SPEED
from flexframe.equations.parts import DAMPING, STIFFNESS, Part
from flexframe.errors import InputError, at_field
from flexframe.given import Described
from flexframe.maths.arrays import Array, IntArray, SparseMatrix
from flexframe.model.couplings import FrameSpring
from flexframe.model.supports import NodeSelection
from flexframe.spectra.rotation.harmonic_loads import across

Values = float | tuple[float, ...]
_NAMES = ("stiffness", "damping", "tilt_stiffness", "tilt_damping")


@dataclass(frozen=True)
class Bearing(Described):
    """A spring and damper from each selected node to space, across the spin axis.

    Units: N/m, N s/m; `tilt_` values act on the rotations across the axis, N m/rad, N m s/rad. One value holds in
    all directions; two hold along e₁ and e₂ of space, which are those of the body (see `Unbalance`) at t = 0.
    """

    on: NodeSelection
    stiffness: Values = 0.0
    damping: Values = 0.0
    tilt_stiffness: Values = 0.0
    tilt_damping: Values = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in _NAMES:
            given = np.atleast_1d(np.asarray(getattr(self, name), dtype=float))
            if given.size > 2:
                raise InputError(f"bearing: {name} has {given.size} values; give one, or two across the axis")
            bad = given[~(np.isfinite(given) & (given >= 0))]
            if bad.size:
                raise InputError(f"bearing: {name} is {bad[0]:g}; give a finite value from zero up")

    def mean_and_half_difference(self, name: str) -> tuple[float, float]:
        """½(v₁ + v₂) and ½(v₁ − v₂)."""
        values = np.atleast_1d(np.asarray(getattr(self, name), dtype=float))
        return float(values.mean()), float((values[0] - values[-1]) / 2)

    def frame_spring(self, axis: Array) -> FrameSpring:
        """It as a spring to the frame of the body at t = 0, in body axes: exact where e₁ and e₂ are among them."""
        directions = np.abs(np.array(across(axis)))

        def along(name: str) -> tuple[float, ...]:
            values = np.broadcast_to(np.asarray(getattr(self, name), dtype=float), 2)
            return tuple(float(value) for value in values @ directions)

        return FrameSpring(
            self.on, *(along(name) for name in ("stiffness", "tilt_stiffness", "damping", "tilt_damping"))
        )

    @property
    def isotropic(self) -> bool:
        """Whether all directions across the axis are alike."""
        return not any(self.mean_and_half_difference(name)[1] for name in _NAMES)


COSINE, SINE = "cos 2θ", "sin 2θ"
"""Of twice the angle θ by which the body has turned: amounts of the operating point."""


def require_isotropic(bearings: Sequence[Bearing], way_out: str) -> None:
    """Refuse bearings whose directions differ."""
    if not all(bearing.isotropic for bearing in bearings):
        raise InputError(
            "a bearing has two different values across the axis, so that the coefficients of the turning frame "
            f"are periodic; {way_out}",
            field="bearings",
        )


def bearing_parts(
    discrete: DiscreteBody, bearings: Sequence[Bearing], axis: Array, *, mean: bool = False
) -> list[Part[SparseMatrix]]:
    """Forces −kPδ − d(Pδ̇ + Ω a × δ) of bearings as the turning frame sees them, P = 1 − aaᵀ; a is a unit vector.

    With `mean`, unequal directions give their mean.
    """
    if not mean:
        require_isotropic(bearings, "ask for stability, or for a diagram in the inertial frame")
    if not bearings:
        return []
    first, second = across(axis)
    P = np.outer(first, first) + np.outer(second, second)
    J = np.outer(second, first) - np.outer(first, second)
    parts = [Part[SparseMatrix].given("bearings", STIFFNESS, _summed(discrete, bearings, (("stiffness", 0, P),)))]
    damping = _summed(discrete, bearings, (("damping", 0, P),))
    if damping.nnz:
        skew = _summed(discrete, bearings, (("damping", 0, J),))
        parts.append(Part.given("bearings", DAMPING, damping))
        parts.append(Part.given("circulatory", STIFFNESS, skew, Monomial((SPEED,))))
    return parts


def turning_bearing_parts(
    discrete: DiscreteBody, bearings: Sequence[Bearing], axis: Array
) -> list[Part[SparseMatrix]]:
    """What unequal directions add to the turning frame at twice its angle.

    RᵀAR = cos 2θ A − sin 2θ B with A = e₁e₁ᵀ − e₂e₂ᵀ, B = e₁e₂ᵀ + e₂e₁ᵀ; AJ = −B, BJ = A.
    """
    first, second = across(axis)
    A = np.outer(first, first) - np.outer(second, second)
    B = np.outer(first, second) + np.outer(second, first)
    parts: list[Part[SparseMatrix]] = []
    for wave, block, turned in ((COSINE, A, -B), (SINE, -B, -A)):
        for name, order, factor, amounts in (
            ("stiffness", STIFFNESS, block, (wave,)),
            ("damping", DAMPING, block, (wave,)),
            ("damping", STIFFNESS, turned, (SPEED, wave)),
        ):
            matrix = _summed(discrete, bearings, ((name, 1, factor),))
            if matrix.nnz:
                parts.append(Part.given("bearings", order, matrix, Monomial(amounts)))
    return parts


def bearings_in_space(
    discrete: DiscreteBody, bearings: Sequence[Bearing], axis: Array
) -> tuple[SparseMatrix, SparseMatrix]:
    """Stiffness and damping on displacements in axes of space: (p, p) each."""
    first, second = across(axis)
    P = np.outer(first, first) + np.outer(second, second)
    A = np.outer(first, first) - np.outer(second, second)
    stiffness, damping = (
        _summed(discrete, bearings, ((name, 0, P), (name, 1, A))) for name in ("stiffness", "damping")
    )
    return stiffness, damping


def _summed(
    discrete: DiscreteBody, bearings: Sequence[Bearing], terms: Sequence[tuple[str, int, Array]]
) -> SparseMatrix:
    """Σ value × block over bearings, nodes, displacements and rotations; 0 is the mean, 1 the half difference."""
    size = discrete.dofs.count
    total = sparse.csr_array((size, size))
    for number, bearing in enumerate(bearings):
        with at_field("bearings", number):
            nodes = attached_nodes(discrete.body, discrete.dofs, bearing.on, "bearing")
        for columns, prefix in ((slice(0, 3), ""), (slice(3, 6), "tilt_")):
            factor = np.zeros((3, 3))
            for name, which, block in terms:
                factor = factor + bearing.mean_and_half_difference(prefix + name)[which] * block
            if factor.any():
                numbers = discrete.dofs.numbers[nodes, columns]
                with at_field("bearings", number):
                    _require_present(discrete, nodes, numbers, factor, columns.start == 0)
                total = total + _at_nodes(numbers, factor, size)
    return sparse.csr_array(total)


def _require_present(
    discrete: DiscreteBody, nodes: IntArray, numbers: IntArray, factor: Array, linear: bool
) -> None:
    needed = np.abs(factor).max(axis=1) > 1e-12 * np.abs(factor).max()
    missing = (numbers[:, needed] < 0).any(axis=1)
    if missing.any():
        node = discrete.body.mesh.node_label(int(nodes[np.argmax(missing)]))
        what = "displacements" if linear else "rotations"
        raise InputError(
            f"body {discrete.body.name}: a bearing acts on the {what} of node {node}, which has not all of them "
            "across the spin axis; choose another node or leave that part out"
        )


def _at_nodes(numbers: IntArray, block: Array, size: int) -> SparseMatrix:
    """The same 3×3 block at each node; numbers are (nodes, 3), −1 where there is no such coordinate."""
    rows = np.repeat(numbers[:, :, None], 3, axis=2)
    columns = np.repeat(numbers[:, None, :], 3, axis=1)
    values = np.broadcast_to(block, rows.shape)
    kept = (rows >= 0) & (columns >= 0) & (values != 0)
    triplets = (values[kept], (rows[kept], columns[kept]))
    return sparse.csr_array(sparse.coo_array(triplets, shape=(size, size)))
