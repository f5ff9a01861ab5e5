"""Geometric stiffness as an expansion in the motion: one invariant matrix for each unit load.

k_g = Σ ω_a ω_b k_g^ab + Σ ε_a k_g^a + Σ a_i k_g^(i) + k_g(applied loads), where each k_g comes from the stress
that the unit inertia load, or the applied load, causes in the supported body.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy import sparse

from flexframe.assembly.attachments import PointBodies
from flexframe.assembly.couplings import RigidJoin, rigid_kernel
from flexframe.assembly.dofs import DofMap
from flexframe.assembly.equilibrium import Equilibrium
from flexframe.assembly.inertia import (
    InertiaInvariants,
    centrifugal_factor,
    displacement_columns,
    euler_factor,
)
from flexframe.assembly.loads import AppliedLoads
from flexframe.assembly.pattern import NodePattern, assembled, expand_scalar
from flexframe.assembly.projection import Projection
from flexframe.elements.contract import ElementBatch, is_interpolated, is_structural
from flexframe.elements.integration import (
    scalar_geometric,
    stiffness_points,
    stress,
    structural_geometric,
)
from flexframe.errors import AnalysisError
from flexframe.maths.arrays import Array, IntArray, SparseMatrix
from flexframe.maths.rotations import skew
from flexframe.model.matrices import BodyMatrices
from flexframe.motion.frame import FrameMotion

UnitLoad = tuple[str, int, int]
"""("centrifugal", a, b), ("euler", a, 0), ("origin", i, 0) or ("applied", 0, 0)."""


@dataclass(frozen=True, eq=False)
class _BodyForce:
    """A force per mass b + A x inside the elements, in body axes."""

    constant: Array  # b: (3,)
    gradient: Array  # A: (3, 3)

    def at(self, positions: Array) -> Array:
        """(..., 3) → (..., 3)."""
        return self.constant + positions @ self.gradient.T


@dataclass(frozen=True, eq=False)
class _Prestress:
    """Geometric stiffness of one unit load: node scalars and, for structural elements, a full matrix."""

    scalar: Array
    full: SparseMatrix | None


def given_geometric(given: BodyMatrices, constant: Array, gradient: Array, forces: Array) -> Array:
    """k_g = −∫ f·G of a body force b + A x per mass and forces on the rows (r,), from known integrals: (m, m)."""
    known = given.quadratic
    assert known is not None
    inside = np.einsum("i,irt->rt", constant, known.origin) + np.einsum("ba,abrt->rt", gradient, known.position)
    return np.asarray(-inside - np.einsum("k,krt->rt", forces, known.rows))


@dataclass(frozen=True, eq=False)
class GeometricInvariants:
    """Geometric stiffness for unit loads, each computed when first needed and then kept."""

    batches: Sequence[ElementBatch]
    dofs: DofMap
    pattern: NodePattern
    inertia: InertiaInvariants
    equilibrium: Equilibrium
    applied: AppliedLoads
    elastic: SparseMatrix
    supports: Projection
    joins: tuple[RigidJoin, ...] = ()
    point_bodies: PointBodies | None = None
    given: BodyMatrices | None = None
    _known: dict[UnitLoad, _Prestress] = field(default_factory=dict)

    def coefficients(self, motion: FrameMotion) -> dict[UnitLoad, float]:
        """How much of each unit load a motion brings, zeros left out."""
        omega, epsilon, a = (
            motion.angular_velocity,
            motion.angular_acceleration,
            motion.origin_acceleration,
        )
        amounts: dict[UnitLoad, float] = {}
        for i in range(3):
            amounts["euler", i, 0] = float(epsilon[i])
            amounts["origin", i, 0] = float(a[i])
            for j in range(i, 3):
                amounts["centrifugal", i, j] = float(omega[i] * omega[j] * (1 if i == j else 2))
        amounts["applied", 0, 0] = 1.0 if self.applied.forces.any() else 0.0
        return {load: amount for load, amount in amounts.items() if amount}

    def invariant(self, load: UnitLoad) -> SparseMatrix:
        """k_g of one unit load: (p, p)."""
        part = self.prestress(load)
        columns = displacement_columns(self.dofs)
        matrix = expand_scalar(self.pattern.scalar(part.scalar), np.eye(len(columns)), self.dofs, columns)
        return matrix if part.full is None else sparse.csr_array(matrix + part.full)

    def prestress(self, load: UnitLoad) -> _Prestress:
        """Stress of a unit load and the geometric stiffness it makes."""
        if load not in self._known:
            self._known[load] = self._compute(load)
        return self._known[load]

    def _compute(self, load: UnitLoad) -> _Prestress:
        if self.given is not None and self.given.quadratic is not None:
            return self._from_integrals(self.given, *self._unit_load(load))
        if not self.batches:
            raise AnalysisError(
                "geometric stiffness does not follow from imported matrices; import the mesh, or set the term "
                "geometric to 0 where stress does not stiffen the body"
            )
        vector, force = self._unit_load(load)
        solution = self.equilibrium.solve(vector)
        relief = solution.relief[:, 0]
        balanced = _BodyForce(force.constant + relief[:3], force.gradient + skew(relief[3:]))
        displacements = solution.displacements[:, 0]
        made = self._from_displacements(displacements, balanced, line=load[0] == "applied")
        vector = vector + self.inertia.origin_load(relief[:3]) + self.inertia.position_load(skew(relief[3:]))
        kernels = self._at_references(np.asarray(self.elastic @ displacements) - vector)
        if self.point_bodies is not None:
            kernels.append(
                (self.point_bodies.numbers[:, 3:], self.point_bodies.geometric_kernel(balanced.gradient))
            )
        full = made.full
        for numbers, blocks in kernels:
            added = assembled(blocks, numbers, self.dofs.count)
            full = added if full is None else sparse.csr_array(full + added)
        return _Prestress(made.scalar, full)

    def _from_integrals(self, given: BodyMatrices, vector: Array, force: "_BodyForce") -> _Prestress:
        """What the known quadratic field makes of a load, whose forces beside the body force act at nodes."""
        nodal = vector - self.inertia.origin_load(force.constant) - self.inertia.position_load(force.gradient)
        numbers = self.dofs.numbers[given.rows[:, 0], given.rows[:, 1]]
        known = given_geometric(given, force.constant, force.gradient, nodal[numbers])
        last = np.arange(self.dofs.count - given.size, self.dofs.count)
        return _Prestress(self.pattern.zeros(), assembled(known[None], last[None], self.dofs.count))

    def _at_references(self, forces: Array) -> list[tuple[IntArray, Array]]:
        """Geometric stiffness of the rigid couplings that carry the forces (p,)."""
        carried = self.supports.carry(forces)
        return [(join.rotations[None], rigid_kernel(join, carried)[None]) for join in self.joins]

    def _unit_load(self, load: UnitLoad) -> tuple[Array, _BodyForce]:
        """Nodal forces, and the body force among them."""
        kind, i, j = load
        if kind == "centrifugal":
            factor = centrifugal_factor(i, j)
            return -self.inertia.position_load(factor), _BodyForce(np.zeros(3), -factor)
        if kind == "euler":
            factor = euler_factor(i)
            return -self.inertia.position_load(factor), _BodyForce(np.zeros(3), -factor)
        if kind == "origin":
            unit = np.eye(3)[i]
            return -self.inertia.origin_load(unit), _BodyForce(-unit, np.zeros((3, 3)))
        return self.applied.forces, _BodyForce(self.applied.gravity, np.zeros((3, 3)))

    def _from_displacements(self, displacements: Array, force: _BodyForce, *, line: bool) -> _Prestress:
        padded = np.append(displacements, 0.0)
        scalar = self.pattern.zeros()
        full: SparseMatrix | None = None
        for batch in self.batches:
            if is_interpolated(batch.family):
                for part in batch.pieces():
                    values = stress(part, padded[self.dofs.of_elements(part)]).values
                    self.pattern.add(part.nodes, scalar_geometric(batch.family, part, values), scalar)
                continue
            assert is_structural(batch.family)
            numbers = self.dofs.of_elements(batch)
            density = batch.prop.material.density * force.at(stiffness_points(batch))
            constant = np.broadcast_to(force.constant, (batch.count, 3))
            if line:
                along = self.applied.line_density(batch)
                density = density + along[:, None]
                constant = constant + along / batch.prop.material.density
            resultants = stress(batch, padded[numbers], density, force.gradient).values
            blocks = structural_geometric(batch.family, batch, resultants, force.gradient, constant)
            added = assembled(blocks, numbers, self.dofs.count)
            full = added if full is None else sparse.csr_array(full + added)
        return _Prestress(scalar, full)
