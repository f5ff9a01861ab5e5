"""No two routes give two answers: every pair of features by every route, against the closed form.

A route that refuses a feature must say so with the reason below; it is then compared on the same body without it.

| route | refuses |
|---|---|
| six formalisms | multipliers of inertia terms |
| Whittaker | damping and dampers; motion that changes |
| coupled motion, linearised | multipliers other than 1 |
| cycle spectrum | loads of the body itself |
| Campbell diagram | motion that changes |

Rounding: entries of VᵀAV are sums of products that p roundings meet at most, and k_g comes from a static solution.
Both are bounded by units of rounding times |V|ᵀ|A||V|, and by the condition of the scaled static problem for k_g.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, product

import numpy as np
import pytest
from scipy import linalg

import flexframe as ff
from flexframe.formalisms.registry import numeric_formalisms
from flexframe.maths.arrays import Array

from . import routes
from .bodies import DESIGN, FEATURES, Sample, sample
from .routes import STEADY, UNSTEADY, Matrices, Ready

EPSILON = np.finfo(float).eps
ROUNDINGS = 4.0  # in each of the p parts of an entry: two products and two sums


@dataclass(frozen=True)
class Route:
    """A way to M, C, K, f with the features that it refuses and its reasons."""

    make: Callable[[Ready, ff.FrameMotion], Matrices]
    refuses: tuple[tuple[str, str], ...] = ()
    steady_only: str = ""  # its reason
    factor: float = 1.0  # roundings of its own beside those of the others


_INERTIA = ("term multipliers", "derives the complete inertia terms")
ROUTES = {
    **{
        f.name: Route(routes.by_formalism(f.name), (_INERTIA,))
        for f in numeric_formalisms()
        if f.name != "whittaker"
    },
    # C and f are differences of accelerations, of which elastic forces are by far the largest part
    "whittaker": Route(
        routes.by_formalism("whittaker"),
        (_INERTIA, ("damping", "the body is damped"), ("springs", "the body is damped")),
        "changes in the body frame",
        1e5,
    ),
    "transient": Route(routes.transient),
    "reduced body": Route(routes.reduced),
    "coupled motion, linearised": Route(
        routes.coupled, (("term multipliers", "cannot be changed where the motion is unknown"),)
    ),
    "cycle spectrum": Route(routes.link, (("prestress loads", "has loads of its own"),)),
    "Campbell diagram": Route(routes.campbell, steady_only="steady spin"),
}


def without(given: Sample, feature: str) -> Sample:
    """The same body without what a route refuses; of springs only their dampers."""
    if feature == "springs":
        still = tuple(
            replace(spring, damping=(0, 0, 0), rotational_damping=(0, 0, 0)) for spring in given.body.springs
        )
        return replace(given, body=replace(given.body, springs=still))
    if feature == "term multipliers":
        return replace(given, terms=ff.Terms())
    changes = {"damping": ff.Damping()} if feature == "damping" else {"loads": ()}
    return replace(given, body=replace(given.body, **changes))


@cache
def made(number: int) -> Sample:
    return sample(DESIGN[number])


@cache
def prepared(number: int, dropped: tuple[str, ...] = ()) -> Ready:
    given = made(number)
    for feature in dropped:
        given = without(given, feature)
    return Ready.of(given.body, given.terms)


def test_every_pair_of_features_occurs_in_all_four_ways() -> None:
    for first, second in combinations(FEATURES, 2):
        assert {(first in row, second in row) for row in DESIGN} == set(product((True, False), repeat=2))


@pytest.mark.parametrize("name", ROUTES)
@pytest.mark.parametrize("number", range(len(DESIGN)), ids=[made(i).title for i in range(len(DESIGN))])
def test_routes_agree(number: int, name: str) -> None:
    route, ready = ROUTES[name], prepared(number)
    dropped: tuple[str, ...] = ()
    for feature, reason in route.refuses:
        if feature in DESIGN[number]:
            with pytest.raises(ff.FlexframeError, match=reason):
                route.make(ready, STEADY)
            dropped = (*dropped, feature)
            ready = prepared(number, dropped)
    for motion in (STEADY, UNSTEADY):
        if motion is UNSTEADY and route.steady_only:
            with pytest.raises(ff.FlexframeError, match=route.steady_only):
                route.make(ready, motion)
            continue
        compare(ready, motion, route)


def compare(ready: Ready, motion: ff.FrameMotion, route: Route) -> None:
    """All entries within the bound of rounding."""
    found, reference = route.make(ready, motion), closed_form(ready, motion)
    for what, bound, a, b in zip("MCKf", bounds(ready, motion), found, reference, strict=True):
        if a is not None and b is not None:
            error = float((np.abs(a - b) / np.maximum(bound, np.finfo(float).tiny)).max())
            assert error <= ROUNDINGS * ready.discrete.dofs.count * route.factor, (
                f"{what}: {error:.3g} units of rounding"
            )


@cache
def closed_form(ready: Ready, motion: ff.FrameMotion) -> Matrices:
    return routes.closed_form(ready, motion)


@cache
def bounds(ready: Ready, motion: ff.FrameMotion) -> tuple[Array, ...]:
    """One unit of rounding of M, C, K and f."""
    equations = ff.bodies.equations_of_motion(ready.discrete, motion, ready.terms)
    V = np.abs(ready.basis)
    condition = static_condition(ready)

    def entries(matrix: object) -> Array:
        return V.T @ np.asarray(abs(matrix) @ V)  # type: ignore[operator]

    M = entries(equations.mass)
    C = sum((entries(part) for part in equations.damping_parts.values()), 0 * M)
    K = sum(
        (
            (condition if name == "geometric" else 1.0) * entries(part)
            for name, part in equations.stiffness_parts.items()
        ),
        0 * M,
    )
    f = sum((V.T @ np.abs(part) for part in equations.load_parts.values()), np.zeros(len(M)))
    return tuple(EPSILON * np.maximum(part, 1e-3 * part.max()) for part in (M, C, K, f))


def static_condition(ready: Ready) -> float:
    """Of the static problem, scaled to a unit diagonal, without rigid motions."""
    K = ready.discrete.equilibrium.stiffness.toarray()
    scale = 1 / np.sqrt(np.diagonal(K))
    values = linalg.eigvalsh(K * np.outer(scale, scale))
    return float(values[-1] / values[ready.discrete.equilibrium.rigid.shape[1]])


@pytest.mark.parametrize("number", [1, 4], ids=[made(i).title for i in (1, 4)])
def test_eigenvalues_agree(number: int) -> None:
    """Modes by closed form and formalism, and the Campbell diagram, against the dense problem in all coordinates.

    Eigenvalues of the dense problem are good to rounding times its norm over theirs, 1e-8; the projection of the
    diagram may miss by its tolerance.
    """
    given = made(number)
    discrete, spin = ff.discretise(given.body), ff.FrameMotion.spin(STEADY.speed, STEADY.angular_velocity)
    equations = ff.bodies.equations_of_motion(discrete, spin)
    M, C, K = (
        discrete.supports.reduce_matrix(a).toarray()
        for a in (equations.mass, equations.damping, equations.stiffness)
    )
    size, unit = len(M), np.eye(len(M))
    companion = np.block([[0 * M, unit], [-np.linalg.solve(M, K), -np.linalg.solve(M, C)]])
    values = linalg.eigvals(companion)
    values = values[values.imag > 1e-6 * np.abs(values)]
    expected = values[np.argsort(np.abs(values))][:6]
    assert size > 20
    found = {
        "modes": ff.modes(discrete, spin, count=12).eigenvalues,
        "lagrange": ff.modes(discrete, spin, count=12, formalism="lagrange").eigenvalues,
        "campbell": ff.campbell_diagram(
            discrete, [spin.speed], axis=STEADY.angular_velocity, modes=12, tolerance=1e-8
        ).eigenvalues[0],
    }
    for name, values in found.items():
        for value in expected:
            assert np.abs(values - value).min() <= 1e-7 * abs(value), name
