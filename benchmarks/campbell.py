"""A Campbell diagram of 100 speeds and 20 modes against scipy's sparse eigensolver at each speed.

Both start from the same body. The peer gets M, C(Ω), K(Ω), factorises K(Ω) with SuperLU (a symmetric ordering, its
fastest) and runs scipy's `eigs` on the inverse of the linearised problem, as a careful user would. It is timed at
a few of the speeds and its time is taken as that for all. flexframe is timed as a whole: projection, error bounds,
count that no mode is missing, branches, both frames and critical speeds.

Usage: python -m benchmarks.campbell [unknowns] [repetitions]
"""

import sys
from time import perf_counter

import numpy as np
from benchmarks.harness import Comparison, write
from scipy.sparse.linalg import LinearOperator, eigs, splu

from flexframe.analyses.campbell import campbell_diagram
from flexframe.analyses.rotation.spinning_equations import SpinningEquations, spinning_equations
from flexframe.assembly.discrete import DiscreteBody, discretise
from flexframe.elements.properties import STEEL
from flexframe.maths.arrays import Array
from flexframe.mesh.builders import annulus
from flexframe.model.body import Body
from flexframe.model.supports import Clamp

SPEEDS = 2 * np.pi * np.linspace(0.0, 500.0, 100)
MODES = 20


def disc(unknowns: int) -> DiscreteBody:
    """A disc on a hub with about this many unknowns."""
    rings = max(3, round(np.sqrt(unknowns / 18)))
    mesh = annulus(0.05, 0.3, (rings, 3 * rings), order=2)
    return discretise(Body.plane("disc", mesh, material=STEEL, thickness=0.01, supports=(Clamp("inner"),)))


def peer_frequencies(equations: SpinningEquations, speed: float) -> Array:
    """The lowest frequencies [Hz] at one speed by scipy alone."""
    M, C, K = (equations.combined(rate, speed) for rate in (2, 1, 0))
    size, scale = equations.size, 2 * np.pi * 1000.0
    factors = splu(K.tocsc(), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0, options={"SymmetricMode": True})

    def inverse(state: Array) -> Array:
        first, second = state[:size], state[size:]
        return np.concatenate([-factors.solve(scale * (M @ second) + C @ first), first / scale])

    operator = LinearOperator((2 * size, 2 * size), matvec=inverse, dtype=np.float64)
    theta = eigs(operator, 2 * MODES, which="LM", return_eigenvectors=False)
    frequencies = np.abs((1 / theta).imag) / (2 * np.pi)
    return np.sort(frequencies)[::2]


def compared(unknowns: int, repetitions: int = 1, sampled: int = 3) -> Comparison:
    """Time both in turns; the frequencies of the two agree."""
    discrete = disc(unknowns)
    equations = spinning_equations(discrete)
    places = np.linspace(0, len(SPEEDS) - 1, sampled).astype(int)
    ours, theirs, notes = [], [], []
    for _ in range(repetitions):
        start = perf_counter()
        diagram = campbell_diagram(discrete, SPEEDS, modes=MODES)
        ours.append(perf_counter() - start)
        start = perf_counter()
        found = [peer_frequencies(equations, float(SPEEDS[place])) for place in places]
        theirs.append((perf_counter() - start) * len(SPEEDS) / sampled)
        difference = max(
            float(np.abs(np.sort(diagram.frequencies_hz[place])[:MODES] / peer - 1).max())
            for place, peer in zip(places, found, strict=True)
        )
        # scipy's own tolerance is machine precision in the inverse, some 1e-9 for the highest of 20 modes
        assert difference < 1e-7, f"frequencies differ by {difference:.1e}"
        assert diagram.confirmed and diagram.guaranteed
        notes.append(
            f"bound {np.nanmax(diagram.errors):.1e}, difference {difference:.1e}, {diagram.method}; "
            f"peer timed at {sampled} of {len(SPEEDS)} speeds"
        )
    name = f"Campbell diagram, {equations.size} unknowns, {len(SPEEDS)} speeds, {MODES} modes"
    return Comparison(name, "scipy eigs at each speed", ours, theirs, note=notes[-1])


if __name__ == "__main__":
    unknowns = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    repetitions = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    write("campbell", [compared(unknowns, repetitions)])
