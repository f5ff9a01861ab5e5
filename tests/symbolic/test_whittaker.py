"""Whittaker's reduction: its own equations, and its refusals."""

import pytest
from sympy import Matrix, N, Rational, Symbol, sqrt

from flexframe.errors import AnalysisError
from flexframe.symbolic import derive

from .samples import derived, exact, values


@pytest.mark.parametrize("element", ["bar", "planar_beam"])
def test_curve_in_configuration_space_obeys_the_reduced_function(element: str) -> None:
    """d/dτ ∂L*/∂z' − ∂L*/∂z = 0 for the explicit L*, along the motion that the second-order equations give.

    z' = ż/τ̇, z'' = (z̈ − z'τ̈)/τ̇², h from the same state. Numbers are evaluated with 40 digits; the sums of about a
    thousand terms keep more than 25 of them.
    """
    derivation = derived(element, "planar", "whittaker")
    known = values(derivation)
    size = derivation.mass.rows
    delta = Matrix([Rational(r + 2, 9 + r) for r in range(size)])
    rate = Matrix([Rational((-1) ** r * (r + 2), 5) for r in range(size)])
    mass, stiffness = exact(derivation.mass, known), exact(derivation.total_stiffness, known)
    load = exact(derivation.total_load, known)
    second = mass.LUsolve(load - exact(derivation.coriolis, known) * rate - stiffness * delta)
    energy = (rate.T * mass * rate / 2 + delta.T * stiffness * delta / 2 - delta.T * load)[0]

    steps = {step.title: step.expression for step in derivation.steps}
    title = next(title for title in steps if title.startswith("reduced function"))
    reduced = steps[title].xreplace(known)
    values_of = [Symbol(f"delta_{i}", real=True) for i in range(1, size + 1)]
    slopes = [Symbol(f"delta'_{i}", real=True) for i in range(2, size + 1)]
    speed = rate[0]
    first = [rate[i] / speed for i in range(1, size)]
    bends = [(second[i] - first[i - 1] * second[0]) / speed**2 for i in range(1, size)]
    here = dict(zip(values_of, delta, strict=True)) | dict(zip(slopes, first, strict=True))
    here[Symbol("h", real=True)] = energy
    along = dict(zip(values_of, (1, *first), strict=True)) | dict(zip(slopes, bends, strict=True))

    assert speed > 0
    tau_rate = steps["time from the energy integral"].xreplace(known).xreplace(here)
    assert abs(N(tau_rate - speed, 40)) < 1e-30 * speed
    for i in range(size - 1):
        momentum = reduced.diff(slopes[i])
        pull = N(reduced.diff(values_of[i + 1]).xreplace(here), 40)
        change = sum(N(momentum.diff(s).xreplace(here), 40) * rate_ for s, rate_ in along.items())
        assert abs(change - pull) < 1e-25 * (1 + abs(pull))


def test_reduced_function_is_the_root_of_twice_the_free_energy_times_the_mass_form() -> None:
    steps = {step.title: step.expression for step in derived("bar", "planar", "whittaker").steps}
    alpha, gamma = steps["quadratic form of the mass matrix"], steps["gyroscopic function"]
    title = next(title for title in steps if title.startswith("reduced function"))
    free = Symbol("h", real=True) - steps["potential"]
    assert (steps[title] - sqrt(2 * free * alpha) - gamma).expand() == 0


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"varying": ("omega",)}, "ω̇ = ε"),
        ({"varying": ("a_O",)}, "ȧ_O"),
        ({"damping": True}, "damping"),
        ({"load": "body", "varying": ("load",)}, "non-potential"),
    ],
)
def test_refused_with_the_term_that_stands_in_the_way(options: dict, named: str) -> None:
    with pytest.raises(AnalysisError, match="Whittaker's reduction needs the energy integral") as caught:
        derive("bar", "planar", "whittaker", **options)
    others = {"ω̇ = ε", "ȧ_O", "damping", "non-potential"} - {named}
    assert named in str(caught.value)
    assert not any(other in str(caught.value) for other in others)


def test_constant_load_is_no_obstacle_and_conditions_are_stated() -> None:
    derivation = derive("bar", "planar", "whittaker", load="body")
    assert not derivation.load["body"].is_zero_matrix
    assert any("ε = ω̇ = 0" in condition for condition in derivation.conditions)
    assert derive("bar", "planar", "lagrange").conditions == ()
