"""C, K and f of a supported body along a motion, combined from invariants that were reduced once."""

from dataclasses import dataclass, field

import numpy as np
from scipy import sparse

from flexframe.assembly.couplings import reference_nodes
from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.equations import Terms
from flexframe.assembly.pattern import assembled
from flexframe.assembly.projection import Projection
from flexframe.maths.arrays import Array, IntArray, SparseMatrix
from flexframe.motion.frame import FrameMotion

Unit = tuple[str, int, int]


@dataclass(frozen=True, eq=False)
class MotionCoefficients:
    """C, K and f at one instant in the coordinates that the supports leave."""

    damping: SparseMatrix
    stiffness: SparseMatrix
    load: Array


def unsupported(discrete: DiscreteBody) -> Projection:
    """The map that leaves every degree of freedom."""
    size = discrete.dofs.count
    return Projection(sparse.csr_array(sparse.eye_array(size)), np.arange(size))


@dataclass(eq=False)
class CombinedCoefficients:
    """Invariants, reduced by supports, on one common pattern: a new motion costs a few sums of arrays."""

    discrete: DiscreteBody
    terms: Terms
    supports: Projection
    _keys: IntArray = field(init=False)
    _pattern: SparseMatrix = field(init=False)
    _known: dict[Unit, Array] = field(default_factory=dict)
    _loads: dict[Unit, Array] = field(default_factory=dict)
    _last: tuple[FrameMotion, MotionCoefficients] | None = None

    def __post_init__(self) -> None:
        size, basis = self.discrete.dofs.count, abs(self.supports.basis)
        pattern = sparse.csr_array(sparse.eye_array(size))
        # every pair of coordinates that share an element: whatever the motion adds fits into it
        for batch in self.discrete.batches:
            ones = np.ones((batch.count, batch.element_dofs, batch.element_dofs))
            pattern = sparse.csr_array(pattern + assembled(ones, self.discrete.dofs.of_elements(batch), size))
        discrete = self.discrete
        alone = discrete.dofs.numbers[reference_nodes(discrete.body)]  # nodes that may belong to no element
        ones = np.ones((len(alone), 6, 6))
        pattern = sparse.csr_array(pattern + assembled(ones, alone, size))
        # damping of a free body by its mass couples all
        pattern = sparse.csr_array(pattern + abs(discrete.dissipation))
        self._pattern = sparse.csr_array(basis.T @ (pattern @ basis))
        self._pattern.sort_indices()
        width = self._pattern.shape[0]
        rows = np.repeat(np.arange(width), np.diff(self._pattern.indptr))
        self._keys = rows * width + self._pattern.indices

    @property
    def structural_damping(self) -> SparseMatrix:
        """d, the part of C that loses energy."""
        return self._matrix(self._own("structural", 0, 0))

    def at(self, motion: FrameMotion) -> MotionCoefficients:
        """The coefficients of an instant; those of the last one are kept."""
        if self._last is None or not self._last[0].acts_like(motion):
            self._last = (motion, self._combined(motion))
        return self._last[1]

    def _combined(self, motion: FrameMotion) -> MotionCoefficients:
        terms, geometric = self.terms, self.discrete.geometric
        omega, epsilon = motion.angular_velocity, motion.angular_acceleration
        damping = self._own("structural", 0, 0).copy()
        stiffness = self._own("elastic", 0, 0).copy()
        load = self._load("applied", 0, 0).copy()
        for i in range(3):
            if omega[i]:
                damping += 2 * terms.coriolis * omega[i] * self._own("coriolis", i, 0)
            if epsilon[i]:
                stiffness += terms.euler * epsilon[i] * self._own("coriolis", i, 0)
                load -= terms.euler * epsilon[i] * self._load("euler", i, 0)
            if motion.origin_acceleration[i]:
                load -= motion.origin_acceleration[i] * self._load("origin", i, 0)
            for j in range(3):
                if omega[i] * omega[j]:
                    amount = terms.centrifugal * omega[i] * omega[j]
                    stiffness += amount * self._own("centrifugal", i, j)
                    load -= amount * self._load("centrifugal", i, j)
        if terms.geometric:
            for unit, amount in geometric.coefficients(motion).items():
                stiffness += terms.geometric * amount * self._own(f"geometric {unit[0]}", unit[1], unit[2])
        return MotionCoefficients(self._matrix(damping), self._matrix(stiffness), load)

    def _matrix(self, data: Array) -> SparseMatrix:
        return sparse.csr_array((data, self._pattern.indices, self._pattern.indptr), shape=self._pattern.shape)

    def _own(self, kind: str, i: int, j: int) -> Array:
        """A reduced invariant on the common pattern."""
        if (kind, i, j) not in self._known:
            matrix = sparse.coo_array(self.supports.reduce_matrix(self._invariant(kind, i, j)))
            matrix.sum_duplicates()
            data = np.zeros(len(self._keys))
            keys = matrix.row.astype(np.int64) * self._pattern.shape[0] + matrix.col
            places = np.searchsorted(self._keys, keys)
            assert np.array_equal(self._keys[places], keys), f"the pattern lacks entries of {kind}"
            data[places] = matrix.data
            self._known[kind, i, j] = data
        return self._known[kind, i, j]

    def _invariant(self, kind: str, i: int, j: int) -> SparseMatrix:
        discrete = self.discrete
        if kind == "elastic":
            return discrete.stiffness
        if kind == "structural":
            return discrete.dissipation
        if kind == "coriolis":
            return discrete.inertia.coriolis_invariant(i)
        if kind == "centrifugal":
            return discrete.inertia.centrifugal_invariant(i, j)
        return discrete.geometric.invariant((kind.removeprefix("geometric "), i, j))

    def _load(self, kind: str, i: int, j: int) -> Array:
        if (kind, i, j) not in self._loads:
            inertia = self.discrete.inertia
            if kind == "applied":
                vector = self.discrete.loads.forces
            elif kind == "euler":
                vector = inertia.euler_load_invariant(i)
            elif kind == "origin":
                vector = inertia.origin_load(np.eye(3)[i])
            else:
                vector = inertia.centrifugal_load_invariant(i, j)
            self._loads[kind, i, j] = self.supports.reduce_vector(vector)
        return self._loads[kind, i, j]
