"""Orbits of a shaft in space: which way its nodes go round."""

from dataclasses import replace

import numpy as np

from flexframe.analyses.rotation.harmonic_loads import across
from flexframe.assembly.discrete import DiscreteBody
from flexframe.maths.arrays import Array, ComplexArray
from flexframe.results.campbell import CriticalSpeed
from flexframe.results.records import Whirl

_FLAT = 1e-6  # area of all orbits against that of circles of the same size, below which they are lines


def orbit_whirl(
    discrete: DiscreteBody, basis: Array, vectors: ComplexArray, axis: Array, speeds: Array
) -> tuple[tuple[Whirl, ...], ...]:
    """With the spin ("forward") or against it, by the area that all orbits sweep; "" for lines and at rest."""
    first, second = across(axis)
    out = []
    for shapes, speed in zip(vectors, speeds, strict=True):
        nodal = discrete.dofs.nodal(discrete.supports.expand(basis @ shapes))[:, :3]
        along, beside = (np.einsum("nik,i->nk", nodal, direction) for direction in (first, second))
        # Re(u e^{iωt}) of (1, −i) turns from e₁ to e₂
        area = (along * beside.conj()).imag.sum(axis=0)
        size = (np.abs(along) ** 2 + np.abs(beside) ** 2).sum(axis=0) / 2
        turning = np.where(np.abs(area) > _FLAT * size, np.sign(area) * np.sign(speed), 0.0)
        words: dict[float, Whirl] = {1.0: "forward", -1.0: "backward", 0.0: ""}
        out.append(tuple(words[float(value)] for value in turning))
    return tuple(out)


def seen_in_space(critical: CriticalSpeed) -> CriticalSpeed:
    """A critical speed of a diagram in space: order one is an unbalance."""
    excited = "unbalance" if critical.engine_order == 1 else ""
    return replace(critical, inertial_frequency_hz=critical.frequency_hz, excited_by=excited)
