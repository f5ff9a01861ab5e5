"""Orbits of a shaft in space: which way its nodes go round, and which of its modes an unbalance can excite."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.section_rotors import SectionBody
from flexframe.maths.arrays import Array, BoolArray, ComplexArray
from flexframe.results.record import Whirl
from flexframe.spectra.rotation.harmonic_loads import across

_FLAT = 1e-6  # area of all orbits against that of circles of the same size, below which they are lines
_MIXED = 0.01  # part of the area swept by orbits against the others, above which a mode is of both kinds
_RPM = 30 / np.pi
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
        """With the spin ("forward") or against it; "mixed" where parts of the shaft go either way.

        "" for lines and at rest. A part counts that sweeps more than a hundredth of the area of all orbits.
        """
        parts = self._parts(vectors)
        # Re(u e^{iωt}) of (1, −i) turns from e₁ to e₂
        areas = (parts.first * parts.second.conj()).imag * np.sign(speed)
        forward, backward = np.maximum(areas, 0.0).sum(axis=0), np.maximum(-areas, 0.0).sum(axis=0)
        swept = forward + backward
        turns = parts.bends & (swept > _FLAT * parts.across / 2)
        words: list[Whirl] = []
        for ahead, back, whole, is_turning in zip(forward, backward, swept, turns, strict=True):
            if not is_turning:
                words.append("")
            elif min(ahead, back) > _MIXED * whole:
                words.append("mixed")
            else:
                words.append("forward" if ahead > back else "backward")
        return tuple(words)

    def follows_unbalance(self, vectors: ComplexArray) -> list[bool]:
        """Whether a mode has a part that turns with the spin: an unbalance does work on no other."""
        parts = self._parts(vectors)
        forward = (np.abs(parts.first + 1j * parts.second) ** 2).sum(axis=0) / 2
        return [bool(value) for value in forward > _NONE * parts.whole]

    def labels(self, vectors: ComplexArray) -> list[str]:
        """Modes in which the axis stays straight: "torsion", "axial"; "" for the others."""
        parts = self._parts(vectors)
        if isinstance(self.discrete, SectionBody):
            return [""] * vectors.shape[1]
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


def mixed_whirl_notices(whirl: Sequence[Sequence[Whirl]] | None, speeds: Array) -> tuple[str, ...]:
    """Which branches are neither forward nor backward, and between which speeds; `whirl` by speed and branch."""
    if whirl is None:
        return ()
    spans = []
    for branch in range(len(whirl[0])):
        where = [speed * _RPM for words, speed in zip(whirl, speeds, strict=True) if words[branch] == "mixed"]
        if where:
            span = f"at {where[0]:.6g}" if len(where) == 1 else f"{min(where):.6g} to {max(where):.6g}"
            spans.append(f"{branch + 1} ({span} rpm)")
    if not spans:
        return ()
    return (
        f"parts of the shaft whirl forward and others backward in branch {', '.join(spans)}: mixed whirl has no "
        "direction of its own",
    )
