"""Which modes grow: positive real parts that are more than rounding.

Entries of K are known to about eps. In λ² of a mode x that leaves an uncertainty of up to eps |x|ᵀ|K||x| / xᴴMx.
It matters where stiffness cancels: the rotation of a free body has λ = 0, and rounding makes it ±√ of that.
"""

import numpy as np

from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.harmonics import HarmonicBody
from flexframe.maths.arrays import Array, BoolArray, ComplexArray
from flexframe.spectra.eigenpairs import modal_energies

UNSTABLE = 1e-6  # growth rate relative to the largest |λ| of the answer, above round-off of the eigensolver
_SUMS = 8.0  # an entry of K is a sum over some elements


def growing(
    discrete: DiscreteBody | HarmonicBody,
    eigenvalues: ComplexArray,
    full: ComplexArray,
    scale: float | None = None,
) -> BoolArray:
    """Whether each mode (column of `full`, all dofs) grows; `scale` is the largest |λ| that was computed."""
    size = np.abs(eigenvalues)
    largest = float(size.max(initial=0.0)) if scale is None else scale
    found = np.asarray(eigenvalues.real > UNSTABLE * largest)
    if found.any():
        chosen = np.flatnonzero(found)
        square = _uncertainty(discrete, full[:, chosen])
        found[chosen] = eigenvalues.real[chosen] > square / np.maximum(size[chosen], np.sqrt(square))
    return found


def _uncertainty(discrete: DiscreteBody | HarmonicBody, full: ComplexArray) -> Array:
    """Of λ² by the rounding of K: (modes,)."""
    stiffness = modal_energies(abs(discrete.stiffness), np.abs(full).astype(complex))
    return _SUMS * float(np.finfo(float).eps) * stiffness / modal_energies(discrete.mass, full)
