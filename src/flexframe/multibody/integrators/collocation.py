"""Coefficients of energy-preserving collocation on the nodes of Gauss.

The motion over a step is a polynomial u(τ) of degree s. Its slope at the nodes c_i is B(u(c_i)) g_i, with g_i
the mean of ∇H(u(τ)) weighted by ℓ_i(τ)/b_i, so that H does not change while B is skew (Cohen and Hairer 2011).
The mean is taken by Gauss's formula with K ≥ s points; K = s gives the method of Gauss itself. The order is
2s.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.polynomial import Polynomial
from numpy.polynomial.legendre import leggauss

from flexframe._core import Collocation
from flexframe.maths.arrays import Array


@dataclass(frozen=True, eq=False)
class GaussCoefficients:
    """Nodes and weights on 0 … 1; s stages, K points of the mean."""

    weights: Array  # b_i: (s,)
    stages: Array  # a_ij = ∫_0^{c_i} ℓ_j: (s, s)
    points: Array  # ∫_0^{γ_q} ℓ_j at the points of the mean: (K, s)
    means: Array  # β_q ℓ_i(γ_q)/b_i: (s, K)
    ahead: Array  # ℓ_j(1 + c_i), the slope of the last step carried on: (s, s)

    @cached_property
    def method(self) -> Collocation:
        """The coefficients in the compiled core."""
        return Collocation(
            weights=self.weights,
            node_integrals=self.stages,
            point_integrals=self.points,
            means=self.means,
            ahead=self.ahead,
        )


def gauss_coefficients(stages: int, points: int) -> GaussCoefficients:
    """The coefficients for s stages and K points of the mean."""
    nodes, weights = _unit_rule(stages)
    at, at_weights = _unit_rule(points)
    basis = [_lagrange(nodes, i) for i in range(stages)]
    integrals = [part.integ() for part in basis]
    return GaussCoefficients(
        weights=weights,
        stages=np.array([[whole(c) for whole in integrals] for c in nodes]),
        points=np.array([[whole(c) for whole in integrals] for c in at]),
        means=np.array([part(at) * at_weights / b for part, b in zip(basis, weights, strict=True)]),
        ahead=np.array([[part(1 + c) for part in basis] for c in nodes]),
    )


def _unit_rule(count: int) -> tuple[Array, Array]:
    nodes, weights = leggauss(count)
    return (nodes + 1) / 2, weights / 2


def _lagrange(nodes: Array, which: int) -> Polynomial:
    product = Polynomial([1.0])
    for other in np.delete(nodes, which):
        product = product * Polynomial([-other, 1.0]) / (nodes[which] - other)
    return product
