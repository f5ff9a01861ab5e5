"""A Campbell diagram of 100 speeds and 20 modes against scipy's sparse eigensolver at each speed.

Both start from the same body. The peer gets M, C(Ω), K(Ω) and is run in two ways: `plain` gives the linearised
problem of twice the size to `eigs` with a shift, as its documentation suggests; `careful` factorises K(Ω) alone,
with the ordering that suits it best, and gives `eigs` the inverse as an operator. A peer is timed at some of the
speeds and its time is taken as that for all. flexframe is timed as a whole: projection, error bounds, count that
no mode is missing, branches, both frames and critical speeds.

Usage: python -m benchmarks.campbell [unknowns] [repetitions]
"""

import sys
from collections.abc import Callable
from time import perf_counter

import numpy as np
from benchmarks.harness import Comparison, write
from scipy import sparse
from scipy.sparse.linalg import LinearOperator, eigs, splu

from flexframe.analyses.campbell.analysis import campbell_diagram
from flexframe.assembly.discrete import DiscreteBody, discretise
from flexframe.elements.properties import STEEL
from flexframe.equations.affine import AffineEquations
from flexframe.maths.arrays import Array, ComplexArray
from flexframe.mesh.builders import annulus
from flexframe.model.body import Body
from flexframe.model.supports import Clamp
from flexframe.spectra.rotation.rotor_model import rotor_model
from flexframe.spectra.rotation.spinning_equations import spinning_equations

SPEEDS = 2 * np.pi * np.linspace(0.0, 500.0, 100)
MODES = 20
Peer = Callable[[AffineEquations, float], Array]


def disc(unknowns: int) -> DiscreteBody:
    """A disc on a hub with about this many unknowns."""
    rings = max(3, round(np.sqrt(unknowns / 18)))
    mesh = annulus(0.05, 0.3, (rings, 3 * rings), order=2)
    return discretise(Body.plane("disc", mesh, material=STEEL, thickness=0.01, supports=(Clamp("inner"),)))


def plain(equations: AffineEquations, speed: float) -> Array:
    """The lowest frequencies [Hz] at one speed: A z = λ B z with z = (φ, λφ), shifted to zero."""
    M, C, K = (equations.at_speed(rate, speed) for rate in (2, 1, 0))
    one = sparse.eye_array(equations.size)
    A = sparse.csc_array(sparse.block_array([[None, one], [-K, -C]]))
    B = sparse.csc_array(sparse.block_array([[one, None], [None, M]]))
    return _frequencies(eigs(A, 2 * MODES, M=B, sigma=0.0, return_eigenvectors=False))


def careful(equations: AffineEquations, speed: float) -> Array:
    """The same by the inverse of the linearised problem, which needs the factors of K(Ω) only."""
    M, C, K = (equations.at_speed(rate, speed) for rate in (2, 1, 0))
    size, scale = equations.size, 2 * np.pi * 1000.0
    factors = splu(K.tocsc(), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0, options={"SymmetricMode": True})

    def inverse(state: Array) -> Array:
        first, second = state[:size], state[size:]
        return np.concatenate([-factors.solve(scale * (M @ second) + C @ first), first / scale])

    operator = LinearOperator((2 * size, 2 * size), matvec=inverse, dtype=np.float64)
    return _frequencies(1 / eigs(operator, 2 * MODES, which="LM", return_eigenvectors=False))


def _frequencies(eigenvalues: ComplexArray) -> Array:
    return np.sort(np.abs(eigenvalues.imag))[::2] / (2 * np.pi)


def compared(unknowns: int, repetitions: int = 1) -> list[Comparison]:
    """Time all in turns; their frequencies agree."""
    discrete = disc(unknowns)
    equations = spinning_equations(rotor_model(discrete))
    peers: dict[str, tuple[Peer, list[int]]] = {"plain": (plain, [60]), "careful": (careful, [20, 60, 99])}
    ours: list[float] = []
    theirs: dict[str, list[float]] = {name: [] for name in peers}
    notes = {}
    for _ in range(repetitions):
        start = perf_counter()
        diagram = campbell_diagram(discrete, SPEEDS, modes=MODES)
        ours.append(perf_counter() - start)
        assert diagram.confirmed and diagram.guaranteed
        for name, (peer, places) in peers.items():
            start = perf_counter()
            found = [peer(equations, float(SPEEDS[place])) for place in places]
            theirs[name].append((perf_counter() - start) * len(SPEEDS) / len(places))
            lowest = [np.sort(diagram.frequencies_hz[place])[:MODES] for place in places]
            difference = float(np.abs(np.array(lowest) / found - 1).max())
            # a bound of 1e-6 leaves errors of its square; scipy's own are some 1e-9 for the highest of 20 modes
            assert difference < 1e-7, f"frequencies differ by {difference:.1e}"
            notes[name] = (
                f"bound {np.nanmax(diagram.errors):.1e}, difference {difference:.1e}, {diagram.method}; "
                f"peer timed at {len(places)} of {len(SPEEDS)} speeds"
            )
    work = f"Campbell diagram, {equations.size} unknowns, {len(SPEEDS)} speeds, {MODES} modes"
    return [Comparison(work, f"scipy eigs, {name}", ours, theirs[name], note=notes[name]) for name in peers]


if __name__ == "__main__":
    unknowns = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    repetitions = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    write("campbell", compared(unknowns, repetitions))
