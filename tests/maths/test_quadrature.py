"""Every rule integrates every monomial up to its degree: the moments are known in factorials."""

from itertools import product
from math import factorial

import numpy as np
import pytest
from scipy.special import roots_jacobi
from tests.rounding import ROUNDING

from flexframe.errors import InputError
from flexframe.maths.quadrature import (
    Quadrature,
    _gauss_jacobi,
    gauss_cube,
    gauss_line,
    gauss_square,
    tetrahedron,
    triangle,
    wedge,
)


def moment(rule: Quadrature, exponents: tuple[int, ...]) -> float:
    return float(rule.weights @ np.prod(rule.points ** np.array(exponents), axis=1))


def exponents_up_to(degree: int, dimension: int) -> list[tuple[int, ...]]:
    return [e for e in product(range(degree + 1), repeat=dimension) if sum(e) <= degree]


def simplex_moment(exponents: tuple[int, ...]) -> float:
    """∫ x^a y^b … over the unit simplex = a! b! … / (a+b+…+d)!."""
    numerator = np.prod([float(factorial(e)) for e in exponents])
    return float(numerator / factorial(sum(exponents) + len(exponents)))


def line_moment(exponent: int) -> float:
    return 0.0 if exponent % 2 else 2.0 / (exponent + 1)


@pytest.mark.parametrize("points", [1, 2, 3, 4, 5, 8])
@pytest.mark.parametrize(("rule", "dimension"), [(gauss_line, 1), (gauss_square, 2), (gauss_cube, 3)])
def test_gauss_box_is_exact_to_degree_2n_minus_1_in_each_coordinate(rule, dimension, points):
    q = rule(points)
    assert q.points.shape == (points**dimension, dimension)
    for exponents in product(range(min(2 * points, 8)), repeat=dimension):
        exact = np.prod([line_moment(e) for e in exponents])
        assert abs(moment(q, exponents) - exact) < 10 * ROUNDING


@pytest.mark.parametrize("degree", range(1, 15))
def test_triangle_is_exact(degree):
    q = triangle(degree)
    for exponents in exponents_up_to(degree, 2):
        assert abs(moment(q, exponents) - simplex_moment(exponents)) < ROUNDING


@pytest.mark.parametrize("degree", range(1, 11))
def test_tetrahedron_is_exact(degree):
    q = tetrahedron(degree)
    for exponents in exponents_up_to(degree, 3):
        assert abs(moment(q, exponents) - simplex_moment(exponents)) < ROUNDING


@pytest.mark.parametrize("degree", range(1, 9))
def test_wedge_is_exact_in_its_base_and_along_its_axis(degree):
    q = wedge(degree)
    for base in exponents_up_to(degree, 2):
        for axial in range(degree + 1):
            exact = simplex_moment(base) * line_moment(axial)
            assert abs(moment(q, (*base, axial)) - exact) < 2 * ROUNDING


@pytest.mark.parametrize("degree", range(1, 13))
@pytest.mark.parametrize("rule", [triangle, tetrahedron])
def test_simplex_weights_are_positive_and_points_inside(rule, degree):
    q = rule(degree)
    assert q.weights.min() > 0.0
    assert q.points.min() > 0.0
    assert q.points.sum(axis=1).max() < 1.0


def test_rules_of_the_hot_path_are_compact():
    assert [len(triangle(d).weights) for d in range(1, 9)] == [1, 3, 6, 6, 7, 12, 15, 16]
    assert [len(tetrahedron(d).weights) for d in range(1, 7)] == [1, 4, 8, 14, 14, 24]


@pytest.mark.parametrize(("rule", "degrees"), [(triangle, range(1, 9)), (tetrahedron, range(1, 7))])
def test_simplex_rules_do_not_prefer_a_vertex(rule, degrees):
    """The point set is the same after exchanging two barycentric coordinates, to rounding of 1−2a−b."""
    for degree in degrees:
        q = rule(degree)
        full = np.column_stack([1.0 - q.points.sum(axis=1), q.points, q.weights])
        swapped = full.copy()
        swapped[:, [0, 1]] = full[:, [1, 0]]
        order = lambda a: a[np.lexsort(np.round(a, 10).T)]  # noqa: E731
        np.testing.assert_allclose(order(full), order(swapped), atol=ROUNDING)


def test_results_are_shared_and_read_only():
    assert triangle(4) is triangle(4)
    with pytest.raises(ValueError, match="read-only"):
        triangle(4).weights[0] = 1.0


@pytest.mark.parametrize("rule", [gauss_line, gauss_cube, triangle, tetrahedron, wedge])
def test_degree_zero_is_refused(rule):
    with pytest.raises(InputError, match="use 1 or more"):
        rule(0)


@pytest.mark.parametrize("k", [0, 1, 2])
@pytest.mark.parametrize("count", [1, 2, 5, 9])
def test_gauss_jacobi_against_scipy(count: int, k: int) -> None:
    """Points of scipy's rule to a few roundings; weights to some more, the smallest being 1e-4 of the largest."""
    x, w = roots_jacobi(count, float(k), 0.0)
    points, weights = _gauss_jacobi(count, k)
    assert points == pytest.approx((1 + x) / 2, abs=ROUNDING)
    assert weights == pytest.approx(w / 2 ** (k + 1), rel=1e-12)
