"""The equations of a body in steady rotation as a polynomial of its speed.

M δ̈ + (D + ΩG) δ̇ + (K + ΩN + Ω²S) δ = f

G = 2c is the Coriolis matrix of unit speed, S = k(ω²) + k_g the softening and the stiffness of the stress of unit
speed, N what dampers that stay in space add. Each is combined once from the invariants of the body.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.equations import Terms, equations_of_motion
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.motion.frame import PLANAR_AXIS, REST, FrameMotion, vector3
from flexframe.spectra.rotation.bearings import Bearing, bearing_matrices


@dataclass(frozen=True, eq=False)
class Coefficient:
    """A matrix and the powers of λ and Ω that multiply it in P(λ, Ω)."""

    name: str
    matrix: SparseMatrix
    rate: int  # power of λ
    spin: int  # power of Ω

    def factor(self, eigenvalue: complex, speed: float) -> complex:
        """λ^rate Ω^spin."""
        return complex(eigenvalue**self.rate * speed**self.spin)


@dataclass(frozen=True, eq=False)
class SpinningEquations:
    """Coefficients on the coordinates that the supports leave: (n, n) each, those that vanish left out."""

    coefficients: tuple[Coefficient, ...]
    axis: Array
    terms: Terms

    @property
    def size(self) -> int:
        """Number of unknowns n."""
        return int(self.mass.shape[0])

    def part(self, name: str) -> SparseMatrix | None:
        """mass, stiffness, gyroscopic, spin_stiffness, damping or circulatory; None where it vanishes."""
        return next((c.matrix for c in self.coefficients if c.name == name), None)

    @property
    def mass(self) -> SparseMatrix:
        """M."""
        matrix = self.part("mass")
        assert matrix is not None
        return matrix

    @property
    def stiffness(self) -> SparseMatrix:
        """K at rest."""
        matrix = self.part("stiffness")
        assert matrix is not None
        return matrix

    @property
    def conservative(self) -> bool:
        """Whether neither damping nor circulatory forces act."""
        return self.part("damping") is None and self.part("circulatory") is None

    def combined(self, rate: int, speed: float) -> SparseMatrix:
        """The matrix of λ^rate at a speed: K(Ω) for 0, C(Ω) for 1, M for 2."""
        total = 0.0 * self.mass
        for c in self.coefficients:
            if c.rate == rate:
                total = total + speed**c.spin * c.matrix
        return total

    def at(self, eigenvalue: complex, speed: float) -> SparseMatrix:
        """P = λ²M + λC(Ω) + K(Ω)."""
        total = (0.0 * eigenvalue) * self.mass
        for c in self.coefficients:
            total = total + c.factor(eigenvalue, speed) * c.matrix
        return total


def unit_axis(axis: ArrayLike) -> Array:
    """The direction of a spin axis."""
    return FrameMotion.spin(1.0, axis).angular_velocity


def spinning_equations(
    discrete: DiscreteBody,
    axis: ArrayLike = PLANAR_AXIS,
    *,
    terms: Terms | None = None,
    bearings: Sequence[Bearing] = (),
    mean: bool = False,
) -> SpinningEquations:
    """Combine the invariants of a body for rotation at any steady speed about an axis through its origin.

    With `mean`, bearings whose directions differ give the mean of both.
    """
    terms = terms or Terms()
    direction = unit_axis(vector3(axis, "spin axis"))
    if discrete.body.space == "planar" and np.abs(direction[:2]).max() > 1e-12:
        raise InputError(
            f"body {discrete.body.name} is planar and spins about {direction.tolist()}; "
            "a planar body spins about z"
        )
    at_rest = equations_of_motion(discrete, REST, terms)
    reduce = discrete.supports.reduce_matrix
    parts: dict[str, SparseMatrix] = {"mass": at_rest.mass, "stiffness": at_rest.stiffness}
    if at_rest.damping_parts:
        parts["damping"] = at_rest.damping
    parts |= _unit_spin(discrete, FrameMotion.spin(1.0, direction), terms)
    if bearings:
        added = bearing_matrices(discrete, bearings, direction, mean=mean)
        parts["stiffness"] = parts["stiffness"] + added.stiffness
        if added.damping.nnz:
            parts["damping"] = parts["damping"] + added.damping if "damping" in parts else added.damping
            parts["circulatory"] = added.circulatory
    powers = {
        "mass": (2, 0),
        "damping": (1, 0),
        "gyroscopic": (1, 1),
        "stiffness": (0, 0),
        "circulatory": (0, 1),
        "spin_stiffness": (0, 2),
    }
    coefficients = (Coefficient(name, reduce(matrix), *powers[name]) for name, matrix in parts.items())
    return SpinningEquations(tuple(coefficients), direction, terms)


def _unit_spin(discrete: DiscreteBody, spin: FrameMotion, terms: Terms) -> dict[str, SparseMatrix]:
    """G and S of 1 rad/s; beside the elastic stiffness they would drown, so they are never differences of it."""
    parts: dict[str, SparseMatrix] = {}
    if terms.coriolis:
        parts["gyroscopic"] = 2 * terms.coriolis * discrete.inertia.contraction(spin.W)
    total: SparseMatrix | None = None
    if terms.centrifugal:
        total = terms.centrifugal * discrete.inertia.contraction(spin.W @ spin.W)
    if terms.geometric:
        for load, amount in discrete.geometric.coefficients(spin).items():
            if load[0] == "centrifugal":
                added = terms.geometric * amount * discrete.geometric.invariant(load)
                total = added if total is None else total + added
    if total is not None:
        parts["spin_stiffness"] = total
    return parts
