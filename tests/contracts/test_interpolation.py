"""Interpolation of the families that move all components with the same functions."""

from itertools import product

import numpy as np
import pytest
from tests.rounding import ROUNDING

from flexframe.elements.contract import InterpolatedFamily
from flexframe.mesh.shapes import cell_geometry

from .brute_force import reference_points
from .samples import distorted_element, every_interpolated_family, straight_element


def places(family: InterpolatedFamily) -> np.ndarray:
    """Inner points of the reference cell that are nobody's quadrature points."""
    return reference_points(family.cell)[0][::3]


def monomials(degree: int, dimension: int) -> list[tuple[int, ...]]:
    return [powers for powers in product(range(degree + 1), repeat=dimension) if sum(powers) <= degree]


@every_interpolated_family
def test_functions_sum_to_one(family: InterpolatedFamily) -> None:
    """Σφ = 1 and Σ∇φ = 0; the bound is a few roundings of sums of at most twenty terms of order one."""
    xi = places(family)
    np.testing.assert_allclose(family.shape(xi).sum(axis=1), 1, atol=ROUNDING)
    np.testing.assert_allclose(family.shape_gradient(xi).sum(axis=1), 0, atol=ROUNDING)


@every_interpolated_family
def test_functions_interpolate_at_the_nodes(family: InterpolatedFamily) -> None:
    """φ_a(ξ_b) = δ_ab: products of a few small integers, exact up to the last digit."""
    nodes = cell_geometry(family.cell).nodes
    np.testing.assert_allclose(family.shape(nodes), np.eye(family.cell.nodes), atol=ROUNDING)


@every_interpolated_family
def test_gradient_is_that_of_the_functions(family: InterpolatedFamily) -> None:
    """∇φ by a complex step of 1e-30, which has no truncation error in double precision."""
    xi = places(family)
    gradient = family.shape_gradient(xi)
    for i in range(family.cell.dimension):
        step = np.zeros(family.cell.dimension, dtype=complex)
        step[i] = 1e-30j
        numerical = family.shape(xi + step).imag / 1e-30
        np.testing.assert_allclose(gradient[:, :, i], numerical, atol=ROUNDING)


@every_interpolated_family
def test_functions_agree_with_the_geometry_of_the_cell(family: InterpolatedFamily) -> None:
    """The mesh knows the same polynomials by inverting a Vandermonde matrix of condition about 100."""
    xi = places(family)
    np.testing.assert_allclose(family.shape(xi), cell_geometry(family.cell).shape(xi), atol=1e-13)


@every_interpolated_family
@pytest.mark.parametrize("seed", range(3))
def test_reproduces_polynomials_of_its_degree(family: InterpolatedFamily, seed: int) -> None:
    """On affine elements every polynomial of the family's degree is reproduced; values are of order one."""
    rng = np.random.default_rng(seed)
    coordinates, xi = straight_element(family, rng), places(family)
    phi = family.shape(xi)
    inside = phi @ coordinates
    used = 3 if family.cell.dimension == 1 else family.cell.dimension
    for powers in monomials(family.degree, used):
        at_nodes = np.prod(coordinates[:, :used] ** powers, axis=1)
        exact = np.prod(inside[:, :used] ** powers, axis=1)
        np.testing.assert_allclose(phi @ at_nodes, exact, atol=1e-13)


@every_interpolated_family
def test_declared_degree_is_the_largest(family: InterpolatedFamily) -> None:
    """Some polynomial of one degree more is missed, by far more than round-off."""
    rng = np.random.default_rng(5)
    coordinates, xi = straight_element(family, rng), places(family)
    phi = family.shape(xi)
    inside = phi @ coordinates
    worst = 0.0
    for powers in monomials(family.degree + 1, family.cell.dimension):
        d = family.cell.dimension
        missed = phi @ np.prod(coordinates[:, :d] ** powers, axis=1) - np.prod(inside[:, :d] ** powers, axis=1)
        worst = max(worst, float(np.abs(missed).max()))
    assert worst > 1e-3


@every_interpolated_family
@pytest.mark.parametrize("seed", range(3))
def test_distorted_elements_keep_linear_fields(family: InterpolatedFamily, seed: int) -> None:
    """u = Gx + b at the nodes gives ∇u = G everywhere, on curved elements too."""
    rng = np.random.default_rng(seed)
    d = family.cell.dimension
    coordinates, xi = distorted_element(family, rng), places(family)
    G = rng.standard_normal((3, 3))
    nodal = coordinates @ G.T + rng.standard_normal(3)
    for gradient in family.shape_gradient(xi):
        tangents = coordinates.T @ gradient  # ∂x_i/∂ξ_d
        along = nodal.T @ gradient
        # by the chain rule ∂u/∂ξ = G ∂x/∂ξ; order-one numbers
        np.testing.assert_allclose(along, G @ tangents, atol=1e-13)
        assert np.linalg.matrix_rank(tangents) == d
