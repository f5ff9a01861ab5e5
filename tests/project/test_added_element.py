"""The worked example of CONTRIBUTING.md is a working element."""

import numpy as np
from rounding import ROUNDING

from flexframe.elements.contract import ElementBatch, Family
from flexframe.elements.integration import stiffness
from flexframe.elements.properties import STEEL, PlaneProperty
from flexframe.elements.quadrilaterals import Quadrilateral4
from flexframe.maths.arrays import Array

from .repository import ROOT, code_blocks

PLATE = PlaneProperty(STEEL, 0.01)
DISTORTED = [[0.0, 0, 0], [1, 0, 0], [0.6, 0.5, 0], [0, 1, 0]]


def added_family() -> Family:
    """What the page defines, made from its text."""
    (source,) = code_blocks((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), "python")
    names: dict[str, object] = {"__name__": "fine_quadrilateral"}
    exec(source, names)
    family = names["FineQuadrilateral4"]
    assert callable(family)
    return family()


def stiffness_on(family: Family, corners: list[list[float]]) -> Array:
    batch = ElementBatch(family, PLATE, np.arange(4)[None], np.array([corners]), np.zeros(1, np.int64))
    return stiffness(batch)[0].transpose(0, 2, 1, 3).reshape(8, 8)


def integrated(corners: list[list[float]], points: int) -> Array:
    """∫BᵀDB of the bilinear quadrilateral, written out with a rule of its own."""
    xi, weights = np.polynomial.legendre.leggauss(points)
    signs = np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]])
    total = np.zeros((8, 8))
    for a, weight_a in zip(xi, weights, strict=True):
        for b, weight_b in zip(xi, weights, strict=True):
            slopes = np.array([[s * (1 + t * b), t * (1 + s * a)] for s, t in signs]) / 4
            jacobian = np.array(corners)[:, :2].T @ slopes
            gradient = slopes @ np.linalg.inv(jacobian)
            B = np.zeros((3, 8))
            B[0, 0::2] = B[2, 1::2] = gradient[:, 0]
            B[1, 1::2] = B[2, 0::2] = gradient[:, 1]
            volume = weight_a * weight_b * np.linalg.det(jacobian) * PLATE.thickness
            total += volume * B.T @ STEEL.plane_elasticity("stress") @ B
    return total


def test_rectangle_is_the_usual_one() -> None:
    """On a rectangle 2 × 2 points are exact already; both sums agree to round-off."""
    rectangle = [[0.0, 0, 0], [2, 0, 0], [2, 1, 0], [0, 1, 0]]
    fine, usual = stiffness_on(added_family(), rectangle), stiffness_on(Quadrilateral4(), rectangle)
    assert np.abs(fine - usual).max() < ROUNDING * np.abs(usual).max()


def test_distorted_cell_is_integrated_better() -> None:
    """The rule is the page's, and it is closer to the converged integral (30 × 30 points) than 2 × 2."""
    fine, exact = stiffness_on(added_family(), DISTORTED), integrated(DISTORTED, 30)
    scale = np.abs(exact).max()
    assert np.abs(fine - integrated(DISTORTED, 3)).max() < ROUNDING * scale  # the same sum, round-off
    error, usual = (np.abs(k - exact).max() / scale for k in (fine, stiffness_on(Quadrilateral4(), DISTORTED)))
    assert error < usual / 4
