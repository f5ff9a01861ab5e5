"""Time to derive the equations of a rotating planar beam: SymPy's LagrangesMethod against flexframe.

    python -m benchmarks.derivation [elements] [repetitions]

The beam is a chain of Euler–Bernoulli elements on the x axis of a frame that turns with θ(t) about its origin.
There, T and V of the whole chain are formed with `dynamicsymbols` and `LagrangesMethod` differentiates; flexframe
derives one element symbolically by Lagrange's definition and assembles it. Both are timed alternately in one run,
and their equations are compared at rational data. The numeric route of flexframe runs on the same beam.
"""

import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import sympy as sp
from benchmarks.harness import Comparison, write
from sympy.core.cache import clear_cache
from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols

from flexframe.assembly.discrete import discretise
from flexframe.elements.properties import Material, Rectangle
from flexframe.formalisms.bodies import assembled_equations
from flexframe.formalisms.lagrange import Lagrange
from flexframe.model.body import Body
from flexframe.motion.frame import FrameMotion
from flexframe.symbolic import derive

RHO, E, A, INERTIA, L = sp.symbols("rho E A I L", positive=True)
NODE_DOFS = 3
DATA = {  # a section of 0.3 × 0.2
    RHO: sp.Rational(27, 10),
    E: sp.Integer(70),
    A: sp.Rational(3, 50),
    INERTIA: sp.Rational(9, 20000),
    L: sp.Rational(7, 5),
}
OMEGA, EPSILON = sp.Rational(-3, 2), sp.Rational(5, 7)


def _hermite(s: Any) -> tuple[Any, ...]:
    return (1 - 3 * s**2 + 2 * s**3, L * (s - 2 * s**2 + s**3), 3 * s**2 - 2 * s**3, L * (s**3 - s**2))


def _mean(polynomial: Any, s: Any) -> Any:
    """∫₀¹ of a polynomial in s."""
    return sp.Add(*(c / (power + 1) for (power,), c in sp.Poly(polynomial, s).terms()))


def energies(elements: int) -> tuple[Any, Any, Any]:
    """T and V of the whole beam in the ordinary way, from the velocity of a point; and the coordinates."""
    s, y = sp.symbols("s y", real=True)
    t = dynamicsymbols._t
    spin = dynamicsymbols("theta").diff(t)
    q = dynamicsymbols(f"q:{NODE_DOFS * (elements + 1)}")
    kinetic, potential = sp.Integer(0), sp.Integer(0)
    for e in range(elements):
        u1, v1, r1, u2, v2, r2 = q[NODE_DOFS * e : NODE_DOFS * (e + 2)]
        h = _hermite(s)
        v = h[0] * v1 + h[1] * r1 + h[2] * v2 + h[3] * r2
        u = (1 - s) * u1 + s * u2 - y * v.diff(s) / L
        # velocity in the axes of the turning frame
        velocity = (u.diff(t) - spin * (y + v), v.diff(t) + spin * (L * (e + s) + u))
        density = sp.expand(velocity[0] ** 2 + velocity[1] ** 2)
        strain = sp.expand((u.diff(s) / L) ** 2)
        # ∫dA: 1 → A, y → 0, y² → I
        kinetic += RHO * L / 2 * _mean(density.coeff(y, 0) * A + density.coeff(y, 2) * INERTIA, s)
        potential += E * L / 2 * _mean(strain.coeff(y, 0) * A + strain.coeff(y, 2) * INERTIA, s)
    return sp.expand(kinetic), sp.expand(potential), q


def with_lagranges_method(kinetic: Any, potential: Any, q: Any) -> tuple[Any, Any, Any]:
    """SymPy's Lagrange on given energies; returns M, right side, coordinates."""
    method = LagrangesMethod(kinetic - potential, q)
    method.form_lagranges_equations()
    return method.mass_matrix, method.forcing, q


def with_flexframe(elements: int) -> tuple[Any, Any, Any, Any]:
    """One element by Lagrange's definition, then the chain: M, C, K, f as sparse symbolic matrices."""
    element = derive("planar_beam", "planar", "lagrange")
    omega, epsilon = element.motion.omega[2], element.motion.epsilon[2]
    a_1, a_2, _ = element.motion.a_O
    size = NODE_DOFS * (elements + 1)
    M, C, K = (sp.SparseMatrix(size, size, {}).as_mutable() for _ in range(3))
    f = sp.SparseMatrix(size, 1, {}).as_mutable()
    stiffness, load = element.total_stiffness, element.total_load
    for e in range(elements):
        start = NODE_DOFS * e
        # the frame of element e begins at x = eL, so a_e = (ε̃ + ω̃²) x_e; the beam turns about a fixed point
        here = load.xreplace({a_1: -(omega**2) * e * L, a_2: epsilon * e * L})
        for r in range(2 * NODE_DOFS):
            f[start + r, 0] += here[r]
            for t in range(2 * NODE_DOFS):
                M[start + r, start + t] += element.mass[r, t]
                C[start + r, start + t] += element.coriolis[r, t]
                K[start + r, start + t] += stiffness[r, t]
    return M, C, K, f


def _motion() -> dict[Any, Any]:
    return {sp.Symbol("omega", real=True): OMEGA, sp.Symbol("epsilon", real=True): EPSILON, **DATA}


def largest_difference(theirs: tuple[Any, Any, Any], ours: tuple[Any, Any, Any, Any]) -> Any:
    """max |difference| of mass matrix and right side at rational data; zero means the same equations."""
    mass, forcing, q = theirs
    M, C, K, f = ours
    t, angle = dynamicsymbols._t, dynamicsymbols("theta")
    value = sp.Matrix([sp.Rational(r % 7 - 3, 11) for r in range(len(q))])
    rate = sp.Matrix([sp.Rational(r % 5 - 2, 13) for r in range(len(q))])
    motion = _motion()
    state: dict[Any, Any] = {angle.diff(t, 2): EPSILON, angle.diff(t): OMEGA, **DATA}
    for symbol, u, v in zip(q, value, rate, strict=True):
        state |= {symbol.diff(t): v, symbol: u}
    right = f.xreplace(motion) - C.xreplace(motion) * rate - K.xreplace(motion) * value
    differences = [*(mass.xreplace(DATA) - M.xreplace(motion)), *(forcing.xreplace(state) - right)]
    return max(abs(difference) for difference in differences)


def numeric_route(elements: int) -> tuple[float, Any]:
    """Seconds and equations of the numeric route on the same beam."""
    numbers = {symbol.name: float(value) for symbol, value in DATA.items()}
    material = Material(young=numbers["E"], poisson=0.3, density=numbers["rho"])
    motion = FrameMotion(angular_velocity=[0, 0, float(OMEGA)], angular_acceleration=[0, 0, float(EPSILON)])

    def route() -> Any:
        body = Body.beam(
            "beam",
            length=elements * numbers["L"],
            divisions=elements,
            section=Rectangle(height=0.3, width=0.2),
            material=material,
            theory="euler_bernoulli",
        )
        return assembled_equations(Lagrange(), discretise(body), motion, geometric=0.0)

    seconds, equations = _timed(route)
    return seconds, equations


def _timed(function: Callable[[], Any]) -> tuple[float, Any]:
    """CPU seconds, because other work may share the machine, and the result."""
    start = time.process_time()
    result = function()
    return time.process_time() - start, result


def numeric_difference(numeric: Any, ours: tuple[Any, Any, Any, Any]) -> float:
    """Largest relative difference of M, C, K, f between the numeric route and the symbols at the same data."""
    found = (numeric.mass, numeric.damping, numeric.stiffness)
    pairs = [(matrix.toarray(), symbols) for matrix, symbols in zip(found, ours[:3], strict=True)]
    pairs.append((numeric.load[:, None], ours[3]))
    worst = 0.0
    for mine, symbols in pairs:
        reference = np.array(symbols.xreplace(_motion()).tolist(), dtype=float)
        worst = max(worst, float(np.abs(mine - reference).max() / np.abs(reference).max()))
    return worst


def main(elements: int, repetitions: int) -> None:
    """Time all in turns, check that they agree, write the ratios."""
    seconds: dict[str, list[float]] = {"energies": [], "LagrangesMethod": [], "symbolic": [], "numeric": []}
    with_flexframe(1), with_lagranges_method(*energies(1)), numeric_route(elements)  # imports, tables, compilation
    for turn in range(repetitions):
        clear_cache()
        mine, ours = _timed(lambda: with_flexframe(elements))
        clear_cache()
        forming, (kinetic, potential, q) = _timed(lambda: energies(elements))
        other, theirs = _timed(lambda: with_lagranges_method(kinetic, potential, q))  # noqa: B023
        # as short as it is, the numeric route is taken several times
        numeric = min((numeric_route(elements) for _ in range(5)), key=lambda found: found[0])
        for name, spent in zip(seconds, (forming, other, mine, numeric[0]), strict=True):
            seconds[name].append(spent)
        if turn == 0:
            apart, numeric_apart = largest_difference(theirs, ours), numeric_difference(numeric[1], ours)
            if apart != 0 or numeric_apart > 1e-12:
                raise SystemExit(f"the equations differ: {apart}, {numeric_apart:.1e}")
    work = f"equations of a rotating beam of {elements} elements"
    note = f"processor time; forming T and V for it takes {statistics.median(seconds['energies']):.3g} s more"
    comparisons = [
        Comparison(
            f"{work}, {route}",
            f"SymPy's LagrangesMethod ({route})",
            seconds[route],
            seconds["LagrangesMethod"],
            note,
        )
        for route in ("symbolic", "numeric")
    ]
    write("derivation", comparisons)


if __name__ == "__main__":
    main(*(int(given) for given in [*sys.argv[1:3], *("10", "3")[len(sys.argv[1:3]) :]]))
