"""A body of revolution by its section, as analyses of rotors know a shaft: coordinates that nodes have.

Each node of the section stands for a ring. `wave_body` has the displacements of the section where it lies, at the
angle zero, as those of its nodes: u_x = Re a, u_y = Re b and u_z = −Im w of the wave (a, b, i w)e^{inθ}.

`section_rotor` has, of one nodal diameter, the mean displacement of every ring across the axis: a shift s along
x and t along z of the whole ring is (a, w) = (s + i t)(1, −1), so that s + i t = (a − w)/2. What the ring does
beside that, d = (a + w)/2 and b, are coordinates without a node.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from flexframe.assembly.axisymmetric import AXIS, on_axis
from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.dofs import DofMap
from flexframe.assembly.equilibrium import Equilibrium
from flexframe.assembly.harmonics import HarmonicBody
from flexframe.assembly.projection import Projection, eliminate
from flexframe.maths.arrays import Array, ComplexArray, IntArray, SparseMatrix
from flexframe.mesh.extrusion import SweptSurface, swept_surface
from flexframe.mesh.mesh import Mesh

_MERIDIANS, _OF_A_WAVE = 48, 12  # at least, and in each period of a wave


def section_surface(section: DiscreteBody, waves: int) -> SweptSurface:
    """The surface of the body, fine enough for so many nodal diameters."""
    meridians = max(_MERIDIANS, _OF_A_WAVE * waves)
    return swept_surface(section.body.mesh, meridians, on_axis(section.body))


@dataclass(frozen=True, eq=False)
class SectionBody(DiscreteBody):
    """Waves of one number of nodal diameters in coordinates z of their own, δ = T z."""

    harmonic: HarmonicBody | None = None
    turned: SparseMatrix | None = None  # T: (p, p)

    @property
    def waves(self) -> HarmonicBody:
        """The waves δ."""
        assert self.harmonic is not None
        return self.harmonic

    @property
    def map(self) -> Projection:
        """δ = T z."""
        assert self.turned is not None
        return Projection(self.turned, None)

    @cached_property
    def back(self) -> Projection:
        """z = T⁻¹ δ; the columns of T are orthogonal."""
        T = self.map.basis
        squares = np.asarray((T.multiply(T)).sum(axis=0)).ravel()
        return Projection(sparse.csr_array(sparse.diags_array(1 / squares) @ T.T), None)

    @cached_property
    def mass(self) -> SparseMatrix:
        return self.map.reduce_matrix(self.waves.mass)

    @property
    def element_mass(self) -> SparseMatrix:
        return self.map.reduce_matrix(self.waves.element_mass)

    @cached_property
    def turning_fields(self) -> Array:
        return self.back.expand(self.waves.turning_fields)

    @cached_property
    def equilibrium(self) -> Equilibrium:
        own = self.waves.equilibrium
        rigid = self.supports.reduce_vector(self.back.expand(self.waves.supports.expand(own.rigid)))
        reduce = self.supports.reduce_matrix
        return Equilibrium(
            reduce(self.stiffness), reduce(self.mass), self.supports, rigid, own.rigid_frame, self.dofs
        )

    def generator(self, axis: Array) -> SparseMatrix:
        """J of waves seen from space, A e^{−inΩt} for A, so that JA = −inA about the axis: (p, p)."""
        half = sparse.eye_array(self.waves.size // 2) * (self.waves.n * float(axis @ AXIS))
        J = sparse.csr_array(sparse.block_array([[None, half], [-half, None]]))
        return sparse.csr_array(self.back.basis @ J @ self.map.basis)

    @cached_property
    def surface(self) -> SweptSurface:
        """The surface that is drawn."""
        return section_surface(self.waves.section, self.waves.n)

    def drawn(self, full: ComplexArray) -> ComplexArray:
        """Displacements of the nodes of the surface, without rotations: (points, 6) or (points, 6, m)."""
        block = full.reshape(len(full), -1)
        moved = self.waves.displacements(self.map.expand(block), self.surface)
        out = np.zeros((len(moved), 6, block.shape[1]), dtype=complex)
        out[:, :3] = moved
        return out if full.ndim > 1 else out[..., 0]


def wave_body(harmonic: HarmonicBody) -> SectionBody:
    """Waves with the displacements of the section where it lies as those of its nodes."""
    own, size = harmonic.section.dofs, harmonic.size
    signs = np.ones(size)
    numbers = own.numbers.copy()
    used = numbers[:, 0] >= 0
    if harmonic.n:
        across = numbers[used, 2] + own.count
        signs[across] = -1.0
        numbers[used, 2] = across
    return _section_body(harmonic, sparse.csr_array(sparse.diags_array(signs)), numbers)


def section_rotor(section: DiscreteBody) -> SectionBody:
    """Waves of one nodal diameter with the mean displacement of every ring as that of its node."""
    own = section.dofs
    used = own.numbers[:, 0] >= 0
    x, w = own.numbers[used, 0], own.numbers[used, 2]
    values = sparse.coo_array(
        (
            np.repeat([1.0, 1.0, -1.0, 1.0], len(x)),
            (np.concatenate([x, x, w, w]), np.concatenate([x, w, x, w])),
        ),
        shape=(own.count, own.count),
    )
    others = np.ones(own.count)
    others[x] = others[w] = 0.0
    one = sparse.csr_array(sparse.csr_array(values) + sparse.diags_array(others))
    numbers = np.full_like(own.numbers, -1)
    numbers[used, 0], numbers[used, 2] = x, x + own.count
    return _section_body(section.harmonics.at(1), sparse.csr_array(sparse.block_diag([one, one])), numbers)


def _section_body(harmonic: HarmonicBody, turned: SparseMatrix, numbers: IntArray) -> SectionBody:
    section, half = harmonic.section, harmonic.section.dofs.count
    rows = harmonic.harmonics.support_rows(harmonic.n)
    blocks = [turned[k : k + half, k : k + half] for k in range(0, harmonic.size, half)]
    bases, kept = zip(*(eliminate(sparse.csr_array(rows @ block)) for block in blocks), strict=True)
    numbered = [None if one is None else one + k * half for k, one in enumerate(kept)]
    selects = (
        None
        if any(one is None for one in numbered)
        else np.concatenate([one for one in numbered if one is not None])
    )
    change = Projection(turned, None)
    return SectionBody(
        body=section.body,
        batches=(),
        dofs=DofMap(numbers, harmonic.size),
        pattern=section.pattern,
        stiffness=change.reduce_matrix(harmonic.stiffness),
        element_stiffness=change.reduce_matrix(harmonic.element_stiffness),
        inertia=section.inertia,
        supports=Projection(sparse.csr_array(sparse.block_diag(bases)), selects),
        loads=section.loads,
        harmonic=harmonic,
        turned=turned,
    )


def drawn_mesh(discrete: DiscreteBody) -> Mesh:
    """What is drawn of a body: its mesh, or the surface that its section sweeps."""
    return discrete.surface.mesh if isinstance(discrete, SectionBody) else discrete.body.mesh


def drawn_displacements(discrete: DiscreteBody, full: ComplexArray) -> ComplexArray:
    """Of the nodes of that mesh, by coordinates (p,) or (p, m): (nodes, 6) or (nodes, 6, m)."""
    return discrete.drawn(full) if isinstance(discrete, SectionBody) else discrete.dofs.nodal(full)
