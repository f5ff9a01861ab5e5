"""Paper 003, the planar element in matrix form (1)-(24): digest entry E10."""

from .moving_element import Snapshot
from .precision import assert_fails_by, assert_holds, contract


def test_eq17_equation_of_motion(plane: Snapshot) -> None:
    """003 (6), (17)-(19): the equation with RᵀṘ and RᵀR̈ under the integrals, c without 2 and 2c in (18)."""
    element, shape = plane.element, plane.element.shape
    coriolis = element.integral("gir,ik,gkt->rt", shape, plane.R.T @ plane.R1, shape)
    turning = element.integral("gir,ik,gkt->rt", shape, plane.R.T @ plane.R2, shape)
    left = element.m @ plane.d2 + 2 * coriolis @ plane.d1 + (element.stiffness + turning) @ plane.d
    drag = element.integral("gir,i->r", shape, plane.a)
    carried = element.integral("gir,ik,gk->r", shape, plane.R.T @ plane.R2, element.position)
    assert_holds(left, plane.applied - drag - carried)


def test_e10_sign_in_the_centrifugal_matrix(plane: Snapshot) -> None:
    """E10, 003 (22)-(24): k(ω²) = -ω²(m_11 + m_22); the minus printed in (23) is an error of 2ω²m_22."""
    w, eps = plane.W[1, 0], plane.E[1, 0]
    m11, m22 = plane.element.Y[0, :, 0, :], plane.element.Y[1, :, 1, :]
    m12, m21 = plane.element.Y[0, :, 1, :], plane.element.Y[1, :, 0, :]
    truth = plane.element.sandwich(plane.R.T @ plane.R2)
    euler = eps * (m21 - m12)
    assert_holds(euler - w**2 * (m11 + m22), truth)
    assert_fails_by(euler - w**2 * (m11 - m22), truth, 2 * w**2 * m22, term=w**2 * m22)
    assert_holds(w * (m21 - m12), plane.c)


def test_eq23_inertia_loads(plane: Snapshot) -> None:
    """003 (19), (22)-(24): q(ε) + q(ω²) = ε(m_2x - m_1y) - ω²(m_1x + m_2y), with m_1y = ∫ρ N_(1)ᵀ y."""
    w, eps = plane.W[1, 0], plane.E[1, 0]
    m1x, m2x = plane.element.X[0]
    m1y, m2y = plane.element.X[1]
    carried = contract("ik,kir->r", plane.R.T @ plane.R2, plane.element.X)
    assert_holds(eps * (m2x - m1y) - w**2 * (m1x + m2y), carried)
