"""The coordinates in which the response of a link is computed."""

from dataclasses import dataclass

import numpy as np
import scipy.linalg

from flexframe.equations.cycle import CycleEquations
from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.maths.eigenproblems import symmetric_modes
from flexframe.maths.factorisation import factorise

_WHOLE = 40  # unknowns up to which nothing is left out
_MODES = 20


@dataclass(frozen=True, eq=False)
class ResponseBasis:
    """M-orthonormal columns V, z = V y."""

    vectors: Array  # (n, r)
    description: str


def response_basis(equations: CycleEquations, modes: int | None = None) -> ResponseBasis:
    """All coordinates of a small link; else the lowest modes at rest and the static shape of every unit load."""
    n = equations.size
    if modes is not None and modes < 1:
        raise InputError(f"the number of modes is {modes}; give at least one")
    if (n <= _WHOLE and modes is None) or (modes is not None and modes >= n):
        _, vectors = scipy.linalg.eigh(equations.stiffness.toarray(), equations.mass.toarray())
        return ResponseBasis(np.asarray(vectors), f"all {n} unknowns")
    count = min(modes or _MODES, n)
    shapes = symmetric_modes(equations.stiffness, equations.mass, count, confirm=False).vectors
    with factorise(equations.stiffness, "spd") as factors:
        static = factors.solve(equations.equations.unit_loads)
    M = equations.mass
    size = np.sqrt(np.einsum("nk,nk->k", static, np.asarray(M @ static)))
    static = static[:, size > 0] / size[size > 0]
    for _ in range(2):
        static = static - shapes @ (shapes.T @ np.asarray(M @ static))
    values, turned = np.linalg.eigh(static.T @ np.asarray(M @ static))
    kept = values > 1e-12
    added = static @ (turned[:, kept] / np.sqrt(values[kept]))
    V = np.hstack([shapes, added])
    # modes of the projected problem, so that K at rest is diagonal
    _, within = scipy.linalg.eigh(V.T @ np.asarray(equations.stiffness @ V), V.T @ np.asarray(M @ V))
    return ResponseBasis(
        V @ within, f"{count} lowest modes at rest and {added.shape[1]} static shapes of the unit loads"
    )
