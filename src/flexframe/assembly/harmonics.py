"""A body of revolution with one number n of nodal diameters, as a body with real coordinates of its own.

The displacement in the axes of the meridian at the angle θ is Re[(u_x, u_y, i w) e^{inθ}] with complex amounts
u_x, u_y, w at the nodes of the section. Their real parts stand before their imaginary ones, so that there are two
coordinates for each degree of freedom of the section: waves of the form cos nθ, and the same turned by a quarter
of a period. With n = 0 the coordinates are u_x, u_y and u_z themselves. The matrices are those of the whole
circumference: the energy of the coordinates is that of the body.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from scipy import sparse

from flexframe.assembly.angular import AngularContent
from flexframe.assembly.attachments import spring_matrix
from flexframe.assembly.axisymmetric import AXIS, on_axis
from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.equilibrium import Equilibrium, allowed_rigid_motions
from flexframe.assembly.geometric import UnitLoad
from flexframe.assembly.pattern import BlockMatrix, expand_scalar
from flexframe.assembly.projection import Projection, eliminate, support_rows
from flexframe.elements.continuum import harmonic_geometric, harmonic_stiffness, harmonic_strain
from flexframe.elements.contract import ElementBatch, InterpolatedFamily, is_interpolated
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, BoolArray, ComplexArray, SparseMatrix
from flexframe.maths.rotations import skew
from flexframe.mesh.extrusion import SweptSurface
from flexframe.model.body import Body
from flexframe.phases import phase

Powers = tuple[SparseMatrix, SparseMatrix, SparseMatrix]
"""What multiplies 1, n and n²."""

_Integral = Callable[[InterpolatedFamily, ElementBatch], Array]
_COLUMNS = np.arange(3)
_NOTHING = 1e-12


@dataclass(frozen=True, eq=False)
class Harmonics:
    """The integrals of a section from which those of every n follow: K₀ + n K₁ + n² K₂ on (u_x, u_y, w)."""

    section: DiscreteBody
    _known: dict[int, "HarmonicBody"] = field(default_factory=dict)
    _contractions: dict[tuple[bool, bytes], SparseMatrix] = field(default_factory=dict)
    _supports: dict[int, Projection] = field(default_factory=dict)

    @cached_property
    def stiffness(self) -> Powers:
        """Of the elastic stiffness: (p, p) each."""
        return self._powers(harmonic_stiffness)

    def springs(self, which: str, n: int) -> SparseMatrix | None:
        """Stiffness or damping of springs, spread evenly around their rings: (p, p), None where there is none."""
        found = spring_matrix(self.section.body, self.section.dofs, which)
        return found if found is None or n == 0 else _both(sparse.csr_array(found))

    @cached_property
    def spin_displacements(self) -> Array:
        """Displacements by a rotation with 1 rad/s: (p,)."""
        load = -self.section.inertia.position_load(skew(AXIS) @ skew(AXIS))
        return np.asarray(self.at(0).equilibrium.solve(load).displacements[:, 0])

    @cached_property
    def geometric(self) -> Powers:
        """Of the geometric stiffness of the stress that a rotation with 1 rad/s makes: (p, p) each."""
        moved, numbers = self.spin_displacements, self.section.dofs.of_elements
        return self._powers(lambda family, batch: harmonic_geometric(family, batch, moved[numbers(batch)]))

    @cached_property
    def spin_strain(self) -> float:
        """The largest component of the strain that a rotation with 1 rad/s makes, at the integration points."""
        moved, numbers = self.spin_displacements, self.section.dofs.of_elements
        batches = [(b.family, b) for b in self.section.batches if is_interpolated(b.family)]
        return max(float(np.abs(harmonic_strain(f, b, moved[numbers(b)])).max()) for f, b in batches)

    @phase("assembly")
    def _powers(self, integral: _Integral) -> Powers:
        section = self.section
        sums = [BlockMatrix.zeros(section.pattern, section.dofs, _COLUMNS) for _ in range(3)]
        for batch in section.batches:
            assert is_interpolated(batch.family)
            for part in batch.pieces():
                for total, blocks in zip(sums, integral(batch.family, part), strict=True):
                    total.add(part.nodes, blocks)
        return sums[0].matrix, sums[1].matrix, sums[2].matrix

    def power_sum(self, powers: Powers, n: int) -> SparseMatrix:
        """K₀ + n K₁ + n² K₂ for both waves; all three have one pattern."""
        zeroth, first, second = powers
        data = zeroth.data + n * first.data + n**2 * second.data
        if n == 0:
            return sparse.csr_array((data, zeroth.indices, zeroth.indptr), shape=zeroth.shape)
        return _both(sparse.csr_array((data, zeroth.indices, zeroth.indptr), shape=zeroth.shape))

    def contraction(self, factor: Array, *, waves: bool) -> SparseMatrix:
        """∫ρ NᵀAN of a matrix A that is the same in the axes of every meridian, alike for all `waves`; kept."""
        turn = skew(AXIS)
        assert np.abs(turn @ factor - factor @ turn).max() < _NOTHING, "about the axis of symmetry"
        key = (waves, factor.tobytes())
        if key not in self._contractions:
            self._contractions[key] = self.contract(self.section.inertia.scalar, factor, waves=waves)
        return self._contractions[key]

    def contract(self, scalar: SparseMatrix, factor: Array, *, waves: bool) -> SparseMatrix:
        """The same of a mass m_ab between nodes."""
        dofs = self.section.dofs
        if not waves:
            return expand_scalar(scalar, factor, dofs, _COLUMNS)
        even, about = (factor + factor.T) / 2, float(factor[0, 2] - factor[2, 0]) / 2
        if not about:
            return _both(expand_scalar(scalar, even, dofs, _COLUMNS))
        assert not even.any(), "symmetric or skew"
        # ū·(y × u) of u = (u_x, u_y, i w) is i(ū_x w + w̄ u_x): the real parts meet the imaginary ones
        crossed = expand_scalar(scalar, about / 2 * (np.eye(3)[[2, 1, 0]] * [1, 0, 1]), dofs, _COLUMNS)
        return sparse.csr_array(sparse.block_array([[None, -crossed], [crossed, None]]))

    def supports(self, n: int) -> Projection:
        """The coordinates of one wave that supports leave, and the regularity of displacements on the axis."""
        kind = min(n, 2)
        if kind not in self._supports:
            self._supports[kind] = Projection(*eliminate(self.support_rows(n)))
        return self._supports[kind]

    def support_rows(self, n: int) -> SparseMatrix:
        """Rows a·δ = 0 of one wave by supports and by the regularity of displacements on the axis: (m, p).

        Where r = 0 the displacement is a shift along the axis (n = 0), one across it (n = 1, u_x = −w), or none.
        """
        body, dofs = self.section.body, self.section.dofs
        nodes = np.flatnonzero(on_axis(body) & (dofs.numbers[:, 0] >= 0))
        rows = {0: [(1.0, 0, 0), (0, 0, 1.0)], 1: [(0, 1.0, 0), (np.sqrt(0.5), 0, np.sqrt(0.5))]}
        constraints = np.array(rows.get(n, np.eye(3)))
        columns = np.broadcast_to(dofs.numbers[nodes, None, :3], (len(nodes), *constraints.shape))
        rows_held = np.arange(len(nodes) * len(constraints)).reshape(-1, len(constraints), 1)
        numbers = np.broadcast_to(rows_held, columns.shape)
        values = np.broadcast_to(constraints, columns.shape)
        held = sparse.csr_array(
            (values.ravel(), (numbers.ravel(), columns.ravel())), (len(nodes) * len(constraints), dofs.count)
        )
        return support_rows(body, dofs, held)

    def at(self, n: int) -> "HarmonicBody":
        """The body with n nodal diameters; kept."""
        if n not in self._known:
            self._known[n] = HarmonicBody(self, n)
        return self._known[n]


def _both(matrix: SparseMatrix) -> SparseMatrix:
    """A matrix of the section for both waves, ∫cos² = ∫sin² = π of the 2π of the section."""
    size = matrix.shape[0]
    data = np.concatenate([matrix.data, matrix.data]) / 2
    indices = np.concatenate([matrix.indices, matrix.indices + matrix.indices.dtype.type(size)])
    starts = np.concatenate([matrix.indptr, matrix.indptr[1:] + matrix.indptr[-1]])
    return sparse.csr_array((data, indices, starts), shape=(2 * size, 2 * size))


@dataclass(frozen=True, eq=False)
class HarmonicBody:
    """The matrices of one n, before supports are applied; coordinates as the module says."""

    harmonics: Harmonics
    n: int

    @property
    def section(self) -> DiscreteBody:
        """The section."""
        return self.harmonics.section

    @property
    def body(self) -> Body:
        """The body as it is described."""
        return self.section.body

    @property
    def size(self) -> int:
        """Number of coordinates."""
        return self.section.dofs.count * (1 if self.n == 0 else 2)

    @cached_property
    def stiffness(self) -> SparseMatrix:
        """Elastic k, with the springs: (p, p)."""
        springs, own = self.harmonics.springs("stiffness", self.n), self.element_stiffness
        return own if springs is None else sparse.csr_array(own + springs)

    @cached_property
    def element_stiffness(self) -> SparseMatrix:
        """Elastic k of the elements alone: (p, p)."""
        return self.harmonics.power_sum(self.harmonics.stiffness, self.n)

    @property
    def spring_damping(self) -> SparseMatrix | None:
        """Dampers to the frame: (p, p)."""
        return self.harmonics.springs("damping", self.n)

    @cached_property
    def mass(self) -> SparseMatrix:
        """m: (p, p)."""
        return self.mass_matrix()

    @property
    def element_mass(self) -> SparseMatrix:
        """m without point masses: (p, p)."""
        if not self.body.point_masses:
            return self.mass
        scalar = self.section.without_point_masses.scalar
        return self.harmonics.contract(scalar, np.eye(3), waves=self.n > 0)

    # --- what has inertia in a moving frame --------------------------------------------------------------------

    def mass_matrix(self) -> SparseMatrix:
        """∫ρ NᵀN: (p, p)."""
        return self.contraction(np.eye(3))

    def contraction(self, factor: Array) -> SparseMatrix:
        """∫ρ NᵀAN of a matrix A that is the same in the axes of every meridian: (p, p)."""
        return self.harmonics.contraction(factor, waves=self.n > 0)

    def position_load(self, factor: Array) -> Array:
        """∫ρ NᵀAx of such a matrix, which is alike all around: (p,)."""
        return self.section.inertia.position_load(factor) if self.n == 0 else np.zeros(self.size)

    def origin_load(self, acceleration: Array) -> Array:
        """∫ρ Nᵀa: (p,)."""
        return np.asarray(self.mass @ (self.rigid_fields(0.0)[:, :3] @ acceleration))

    def geometric_stiffness(self, load: UnitLoad) -> SparseMatrix:
        """k_g of a rotation about the axis with 1 rad/s: (p, p).

        The inertia of a speed that changes is that of a rigid rotation, which no stress resists in a body that is
        free to turn.
        """
        if load == ("euler", 1, 0):
            if not self.harmonics.at(0).equilibrium.rigid_frame[4].any():
                raise InputError(
                    f"body {self.body.name} is axisymmetric and its supports hold it where it is driven, so that "
                    "a change of its speed makes shear stress, whose stiffness is not known for a section; hold "
                    "it by bearings alone, or keep the speed steady",
                    part=("bodies", self.body.name, "supports"),
                )
            return sparse.csr_array((self.size, self.size))
        assert load == ("centrifugal", 1, 1), "about the axis of symmetry"
        return self.harmonics.power_sum(self.harmonics.geometric, self.n)

    # --- supports and rigid motions ----------------------------------------------------------------------------

    @cached_property
    def supports(self) -> Projection:
        """The coordinates that supports and the regularity on the axis leave."""
        one = self.harmonics.supports(self.n)
        if self.n == 0:
            return one
        kept = None if one.kept is None else np.concatenate([one.kept, one.kept + self.section.dofs.count])
        return Projection(sparse.csr_array(sparse.block_diag([one.basis, one.basis])), kept)

    @property
    def around_circumference(self) -> BoolArray:
        """Which independent coordinates of n = 0 are displacements along the circumference."""
        across = np.zeros(self.size)
        across[self.section.dofs.numbers[:, 2]] = 1.0
        return np.asarray(abs(self.supports.basis).T @ across > 0)

    def rigid_fields(self, height: float) -> Array:
        """Small rigid motions along and about x, y, z through y = `height`, as far as they have n: (p, 6)."""
        x, y = self.body.mesh.points[:, 0], self.body.mesh.points[:, 1] - height
        parts = np.zeros((1 if self.n == 0 else 2, len(x), 3, 6))  # of real and imaginary ones: (nodes, dof, 6)
        if self.n == 0:
            parts[0, :, 1, 1] = 1.0
            parts[0, :, 2, 4] = -x
        elif self.n == 1:
            shift, tilt = np.array([1.0, 0, -1.0]), np.stack([y, -x, -y], axis=-1)
            parts[0, :, :, 0], parts[1, :, :, 2] = shift, shift
            parts[1, :, :, 3], parts[0, :, :, 5] = tilt, -tilt
        numbers = self.section.dofs.numbers[:, :3]
        return np.concatenate([part[numbers >= 0] for part in parts])

    @cached_property
    def turning_fields(self) -> Array:
        """Displacements that show how fast the frame turns, C of them being 2ω × M: (p, t)."""
        if self.n:
            return self.rigid_fields(0.0)[:, [0, 2]]
        turn = self.rigid_fields(0.0)[:, 4]
        widening = np.zeros_like(turn)
        numbers = self.section.dofs.numbers
        used = numbers[:, 0] >= 0
        widening[numbers[used, 0]] = self.body.mesh.points[used, 0]
        return np.column_stack([turn, widening])

    @cached_property
    def equilibrium(self) -> Equilibrium:
        """Static solver of the supported body, and its free rigid motions."""
        height = float(self.section.inertia.centre_of_mass[1])
        springs = self.harmonics.springs("stiffness", self.n)
        fields = self.rigid_fields(height)
        rigid, frame = allowed_rigid_motions(self.supports, fields, self.section.size, springs)
        reduce = self.supports.reduce_matrix
        return Equilibrium(
            reduce(self.stiffness), reduce(self.mass), self.supports, rigid, frame, self.section.dofs
        )

    # --- displacements around the axis -------------------------------------------------------------------------

    def content(self, fields: ComplexArray, axis: Array) -> AngularContent:
        """How waves (p, m) run about the axis, ±y: with u e^{inθ} goes i n u e^{inθ}."""
        squared = np.full(fields.shape[1], float(self.n) ** 2)
        if self.n == 0:
            return AngularContent(np.zeros_like(squared), squared)
        half = len(fields) // 2
        moved = np.asarray(self.mass @ fields).conj()
        size = np.einsum("pm,pm->m", moved, fields).real
        change = np.einsum("pm,pm->m", moved, np.concatenate([-fields[half:], fields[:half]])).imag
        return AngularContent(float(axis[1]) * self.n * change / size, squared)

    def displacements(self, fields: ComplexArray, surface: SweptSurface) -> ComplexArray:
        """Of the nodes of a surface that the section sweeps, in body axes: (points, 3, m)."""
        turn = surface.angles[surface.meridians][:, None]
        cos, sin = np.cos(self.n * turn), np.sin(self.n * turn)
        dofs, rows = self.section.dofs, surface.nodes
        if self.n == 0:
            x, y, z = (dofs.nodal(fields)[rows, i] for i in range(3))
        else:
            half = len(fields) // 2
            real, imaginary = (dofs.nodal(part)[rows] for part in (fields[:half], fields[half:]))
            # Re[(a + i b) e^{inθ}] in the section, Re[i (a + i b) e^{inθ}] across it
            x, y = (cos * real[:, i] - sin * imaginary[:, i] for i in range(2))
            z = -sin * real[:, 2] - cos * imaginary[:, 2]
        c, s = np.cos(turn), np.sin(turn)
        return np.stack([c * x + s * z, y, c * z - s * x], axis=1)
