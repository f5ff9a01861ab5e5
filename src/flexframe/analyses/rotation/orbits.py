"""Orbits of a shaft in space: which way its nodes go round, and which of its modes an unbalance can excite."""

from dataclasses import dataclass

import numpy as np

from flexframe.analyses.rotation.harmonic_loads import across
from flexframe.assembly.discrete import DiscreteBody
from flexframe.maths.arrays import Array, BoolArray, ComplexArray
from flexframe.results.records import Whirl

_FLAT = 1e-6  # area of all orbits against that of circles of the same size, below which they are lines
_NONE = 1e-6  # part of squared motion that counts as none


@dataclass(frozen=True, eq=False)
class _Parts:
    """Motion of the nodes along two directions across the axis (nodes, modes), and sums of squares (modes,)."""

    first: ComplexArray
    second: ComplexArray
    across: Array
    along: Array
    turning: Array  # about the axis, times the length of the shaft

    @property
    def whole(self) -> Array:
        return self.across + self.along + self.turning

    @property
    def bends(self) -> BoolArray:
        return self.across > _NONE * self.whole


@dataclass(frozen=True, eq=False)
class Orbits:
    """How the nodes of a shaft move in modes that are given in coordinates of a basis."""

    discrete: DiscreteBody
    basis: Array
    axis: Array

    def whirl(self, vectors: ComplexArray, speed: float) -> tuple[Whirl, ...]:
        """With the spin ("forward") or against it, by the area that all orbits sweep; "" for lines and at rest."""
        parts = self._parts(vectors)
        # Re(u e^{iωt}) of (1, −i) turns from e₁ to e₂
        area = (parts.first * parts.second.conj()).imag.sum(axis=0)
        turns = parts.bends & (np.abs(area) > _FLAT * parts.across / 2)
        words: dict[float, Whirl] = {1.0: "forward", -1.0: "backward", 0.0: ""}
        return tuple(words[float(value)] for value in np.where(turns, np.sign(area) * np.sign(speed), 0.0))

    def follows_unbalance(self, vectors: ComplexArray) -> list[bool]:
        """Whether a mode has a part that turns with the spin: an unbalance does work on no other."""
        parts = self._parts(vectors)
        forward = (np.abs(parts.first + 1j * parts.second) ** 2).sum(axis=0) / 2
        return [bool(value) for value in forward > _NONE * parts.whole]

    def labels(self, vectors: ComplexArray) -> list[str]:
        """Modes in which the axis stays straight: "torsion", "axial"; "" for the others."""
        parts = self._parts(vectors)
        names = np.where(parts.turning > parts.along, "torsion", "axial")
        return [str(name) for name in np.where(parts.bends, "", names)]

    def _parts(self, vectors: ComplexArray) -> _Parts:
        nodal = self.discrete.dofs.nodal(self.discrete.supports.expand(self.basis @ vectors))
        first, second = (np.einsum("nik,i->nk", nodal[:, :3], direction) for direction in across(self.axis))
        along, turning = (np.einsum("nik,i->nk", part, self.axis) for part in (nodal[:, :3], nodal[:, 3:]))
        length = np.ptp(self.discrete.body.mesh.points @ self.axis)
        return _Parts(
            first,
            second,
            (np.abs(first) ** 2 + np.abs(second) ** 2).sum(axis=0),
            (np.abs(along) ** 2).sum(axis=0),
            (np.abs(length * turning) ** 2).sum(axis=0),
        )
