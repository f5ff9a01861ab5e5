"""Paper 000, the planar element by Lagrange's equations: (5)-(29), digest entries E2 and E3.

``m12[r, t]`` is ∫ρ N_1r N_2t, the reading that makes (26) right; the paper uses the symbol undefined.
"""

import pytest
from mpmath import mpf

from .moving_element import Snapshot
from .precision import Vector, array, assert_fails_by, assert_holds, size


class Planar:
    """The symbols of paper 000 at one instant."""

    def __init__(self, frame: Snapshot) -> None:
        element = frame.element
        self.frame = frame
        self.w, self.eps = frame.W[1, 0], frame.E[1, 0]
        self.v1, self.v2 = frame.v
        self.a1, self.a2 = frame.a
        self.mass, (self.S1, self.S2) = element.total_mass, element.static_moment
        self.J_O = element.second_moment[0, 0] + element.second_moment[1, 1]
        self.mO1, self.mO2 = element.M_O
        self.m11, self.m12x = element.X[0]  # ∫ρ x_1 N_1, ∫ρ x_1 N_2
        self.m21x, self.m22 = element.X[1]  # ∫ρ x_2 N_1, ∫ρ x_2 N_2
        self.m12 = element.Y[0, :, 1, :]
        self.m21 = element.Y[1, :, 0, :]
        self.m, self.d, self.d1, self.d2 = element.m, frame.d, frame.d1, frame.d2

    def kinetic_terms(self) -> dict[str, mpf]:
        """The ten correct terms of (11)."""
        w, d, d1 = self.w, self.d, self.d1
        return {
            "translation": self.mass * (self.v1**2 + self.v2**2) / 2,
            "rotation": w**2 * self.J_O / 2,
            "convected": w**2 * (d @ self.m @ d) / 2,
            "relative": d1 @ self.m @ d1 / 2,
            "static moment": -w * (self.v1 * self.S2 - self.v2 * self.S1),
            "origin and displacement": -w * (self.v1 * self.mO2 - self.v2 * self.mO1) @ d,
            "centrifugal": w**2 * (self.m11 + self.m22) @ d,
            "origin and rate": (self.v1 * self.mO1 + self.v2 * self.mO2) @ d1,
            "rotation and rate": -w * (self.m21x - self.m12x) @ d1,
            "coriolis": -w * (d1 @ (self.m12 - self.m21) @ d),
        }

    def printed_terms(self) -> dict[str, mpf]:
        """The five terms of (11) that differ, as printed."""
        w, d, d1 = self.w, self.d, self.d1
        return {
            "translation": self.mass * (self.v1**2 + self.v1**2) / 2,
            "static moment": -w * (self.v1 * self.S2 - self.v2 * self.S2),
            "origin and displacement": -w * (self.v1 * self.mO2 + self.v2 * self.mO1) @ d,
            "origin and rate": self.v1 * self.mO1 @ d1 + self.v2 * self.mO2 @ (d1 * d1),
            "coriolis": -w * (d @ (self.m12 - self.m21) @ d1),
        }


@pytest.fixture
def planar(plane: Snapshot) -> Planar:
    """Paper 000's symbols for the planar element."""
    return Planar(plane)


def test_kinetic_energy_in_ten_terms(planar: Planar) -> None:
    """000 (5)-(11): the ten terms, mended, are ½∫ρ|ṙ|²."""
    assert_holds(sum(planar.kinetic_terms().values()), planar.frame.kinetic_energy)


@pytest.mark.parametrize(
    "slip", ["translation", "static moment", "origin and displacement", "origin and rate", "coriolis"]
)
def test_each_slip_of_the_kinetic_energy_alone(planar: Planar, slip: str) -> None:
    """000 (11): each of the five slips (i)-(v) alone spoils the kinetic energy."""
    terms = planar.kinetic_terms()
    correct, printed = terms[slip], planar.printed_terms()[slip]
    terms[slip] = printed
    assert_fails_by(sum(terms.values()), planar.frame.kinetic_energy, printed - correct, term=correct)


def test_printed_kinetic_energy(planar: Planar) -> None:
    """000 (11), (23): the five slips together do not compensate each other."""
    terms = planar.kinetic_terms() | planar.printed_terms()
    error = sum(terms.values()) - planar.frame.kinetic_energy
    assert abs(error) > planar.frame.kinetic_energy / 100


def _momentum(p: Planar) -> Vector:
    """(26), mended."""
    gyroscopic = p.w * (p.m12 - p.m21) @ p.d
    return p.m @ p.d1 + p.v1 * p.mO1 + p.v2 * p.mO2 - p.w * (p.m21x - p.m12x) - gyroscopic


def test_eq26_momentum(planar: Planar) -> None:
    """000 (26): ∂L/∂δ̇ with the coordinates δ_t summed; printed δ_r multiplies the sum of a row instead."""
    p = planar
    assert_holds(_momentum(p), p.frame.momentum)
    skew_part = p.m12 - p.m21
    printed = _momentum(p) + p.w * skew_part @ p.d - p.w * p.d * skew_part.sum(axis=1)
    error = p.w * (skew_part @ p.d - p.d * skew_part.sum(axis=1))
    assert_fails_by(printed, p.frame.momentum, error, term=p.w * skew_part @ p.d)


def test_eq27_rate_of_momentum(planar: Planar) -> None:
    """E2, 000 (27): the local velocities change by a - Wv, printed without -Wv (and with ẋ_O for ẍ_O)."""
    p = planar
    truth = p.frame.along(lambda snapshot: snapshot.momentum)
    skew_part = p.m12 - p.m21
    rest = p.m @ p.d2 - p.eps * (p.m21x - p.m12x) - p.eps * skew_part @ p.d - p.w * skew_part @ p.d1
    assert_holds(rest + (p.a1 + p.w * p.v2) * p.mO1 + (p.a2 - p.w * p.v1) * p.mO2, truth)
    transport = p.w * (p.v2 * p.mO1 - p.v1 * p.mO2)
    without_transport = rest + p.a1 * p.mO1 + p.a2 * p.mO2
    assert_fails_by(without_transport, truth, -transport, term=transport)
    with_velocities = rest + p.v1 * p.mO1 + p.v2 * p.mO2
    assert size(with_velocities - truth) > size(transport) / 100


def test_eq28_gradient_of_the_lagrangian(planar: Planar) -> None:
    """000 (28): -ω(v_1 m_O,2 - v_2 m_O,1) and +ω(m_12 - m_21)δ̇; both signs are printed the other way."""
    p = planar
    rest = p.w**2 * p.m @ p.d + p.w**2 * (p.m11 + p.m22)
    origin = -p.w * (p.v1 * p.mO2 - p.v2 * p.mO1)
    gyroscopic = p.w * (p.m12 - p.m21) @ p.d1
    assert_holds(rest + origin + gyroscopic, p.frame.kinetic_gradient)
    assert_fails_by(
        rest + origin - gyroscopic, p.frame.kinetic_gradient, -2 * gyroscopic, term=p.frame.kinetic_gradient
    )
    printed_origin = -p.w * (p.v1 * p.mO2 + p.v2 * p.mO1)
    assert_fails_by(
        rest + printed_origin + gyroscopic, p.frame.kinetic_gradient, -2 * p.w * p.v2 * p.mO1, term=origin
    )


def test_eq29_equation_of_motion_mended(planar: Planar) -> None:
    """000 (29), 002 (A3), 003 (24): the planar equation of motion with C = m_21 - m_12 in both places."""
    p = planar
    C = p.m21 - p.m12
    left = p.m @ p.d2 + 2 * p.w * C @ p.d1 + (p.frame.element.stiffness + p.eps * C - p.w**2 * p.m) @ p.d
    right = p.frame.applied - (p.a1 * p.mO1 + p.a2 * p.mO2) - p.eps * (p.m12x - p.m21x) + p.w**2 * (p.m11 + p.m22)
    assert_holds(left, right)


@pytest.mark.parametrize("reading", ["∫ρ N_1r N_2t", "∫ρ N_2r N_1t"])
def test_e3_no_reading_of_m12_saves_eq29(planar: Planar, reading: str) -> None:
    """E3, 000 (29): +2ω(m_12 - m_21)δ̇ beside -ε(m_12 - m_21)δ; one of the two is wrong in either reading.

    First reading: the Coriolis force has the wrong sign, error 4cδ̇. Second: the Euler term, error 2k(ε)δ.
    """
    p = planar
    c, k_eps = p.frame.c, p.frame.k_eps
    bracket = p.m12 - p.m21 if reading == "∫ρ N_1r N_2t" else p.m21 - p.m12
    printed = 2 * p.w * bracket @ p.d1 - p.eps * bracket @ p.d
    truth = 2 * c @ p.d1 + k_eps @ p.d
    assert_holds(2 * p.w * (p.m21 - p.m12) @ p.d1 + p.eps * (p.m21 - p.m12) @ p.d, truth)
    error = -4 * c @ p.d1 if reading == "∫ρ N_1r N_2t" else -2 * k_eps @ p.d
    assert_fails_by(printed, truth, error, term=truth)


def test_e3_own_equations_27_and_28_cancel_the_coriolis_force(planar: Planar) -> None:
    """E3, 000 (27) minus (28): printed signs give -ω(m_12 - m_21)δ̇ + ω(m_12 - m_21)δ̇ = 0 instead of 2cδ̇."""
    p = planar
    from_27 = -p.w * (p.m12 - p.m21) @ p.d1
    from_28 = -p.w * (p.m12 - p.m21) @ p.d1
    assert_fails_by(from_27 - from_28, 2 * p.frame.c @ p.d1, -2 * p.frame.c @ p.d1, term=p.frame.inertia)


def _residual_of_eq29(frame: Snapshot, *, with_origin_velocity: bool) -> Vector:
    """Left minus right side of (29), mended but for the term with the velocity of the origin."""
    p = Planar(frame)
    left = p.m @ p.d2 + 2 * frame.c @ p.d1 + (frame.element.stiffness + frame.k_eps + frame.k_w2) @ p.d
    right = frame.applied - frame.inertia_loads
    if with_origin_velocity:
        right = right - p.w * (p.v1 * p.mO2 + p.v2 * p.mO1)
    return left - right


def test_e2_printed_equation_violates_galilean_invariance(plane: Snapshot) -> None:
    """E2, 000 (29): the leftover -ω(v_1 m_O,2 + v_2 m_O,1) makes the equation depend on a constant velocity.

    An observer with constant velocity u sees the same forces and the same deformation. The mended equation
    does not notice; the residual of the printed one changes by ω(u_1 m_O,2 + u_2 m_O,1), u in local axes.
    """
    velocity = array([mpf(3) / 2, mpf(-5) / 4])
    moving = Snapshot(plane.element, plane.motion.boosted(velocity), plane.t)
    assert_holds(moving.inertia, plane.inertia)
    zero = mpf(0) * plane.d
    for frame in (plane, moving):
        assert_holds(_residual_of_eq29(frame, with_origin_velocity=False), zero)
    p = Planar(plane)
    leftover = p.w * (p.v1 * p.mO2 + p.v2 * p.mO1)
    printed = _residual_of_eq29(plane, with_origin_velocity=True)
    assert_fails_by(printed, zero, leftover, term=plane.inertia)
    u1, u2 = plane.R.T @ velocity
    change = _residual_of_eq29(moving, with_origin_velocity=True) - printed
    assert_fails_by(change, zero, p.w * (u1 * p.mO2 + u2 * p.mO1), term=plane.inertia)


def test_origin_term_is_legitimate_only_for_differentiated_local_components(plane: Snapshot) -> None:
    """E2, 000 (29): with d(v)/dt for the acceleration the term is -ω(v_1 m_O,2 - v_2 m_O,1), minus inside."""
    p = Planar(plane)
    rate = plane.along(lambda snapshot: snapshot.v)
    through_rates = -(rate[0] * p.mO1 + rate[1] * p.mO2) - p.w * (p.v1 * p.mO2 - p.v2 * p.mO1)
    assert_holds(through_rates, -plane.element.M_O.T @ plane.a)


def test_planar_matrices_from_the_invariants(planar: Planar) -> None:
    """000 (6)-(10): c = ω(m_21 - m_12), k(ε) = ε(m_21 - m_12), k(ω²) = -ω²m and the loads, in the plane."""
    p, frame = planar, planar.frame
    C = p.m21 - p.m12
    assert_holds(p.w * C, frame.c)
    assert_holds(p.eps * C, frame.k_eps)
    assert_holds(-(p.w**2) * p.m, frame.k_w2)
    assert_holds(p.eps * (p.m12x - p.m21x), frame.q_eps)
    assert_holds(-(p.w**2) * (p.m11 + p.m22), frame.q_w2)
    assert_holds(C.T, -C)
