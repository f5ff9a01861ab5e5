"""Rotations against matrix exponentials, scipy's Rotation, and each other."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm
from scipy.spatial.transform import Rotation
from tests.rounding import ROUNDING, rounding

from flexframe.maths import rotations as ro

rng = np.random.default_rng(11)
directions = rng.standard_normal((6, 3))
directions /= np.linalg.norm(directions, axis=1, keepdims=True)
# Tiny angles, both sides of the change from series to closed form, near π; the last two beyond it.
ANGLES = np.array([0.0, 1e-12, 1e-8, 1e-4, 0.3, 0.4999999, 0.5, 0.5000001, 1.0, 2.0, 3.0, np.pi - 1e-9, 4.0, 6.0])
VECTORS = directions[:, None, :] * ANGLES[:, None]  # (6, 14, 3)


def test_skew_is_the_cross_product_and_axial_undoes_it():
    a, b = rng.standard_normal((2, 5, 4, 3))
    np.testing.assert_allclose((ro.skew(a) @ b[..., None])[..., 0], np.cross(a, b), atol=ROUNDING)
    np.testing.assert_array_equal(ro.axial(ro.skew(a)), a)
    general = rng.standard_normal((5, 3, 3))
    np.testing.assert_allclose(ro.skew(ro.axial(general)), 0.5 * (general - general.swapaxes(1, 2)), atol=ROUNDING)


def test_rotation_is_the_exponential():
    for theta in VECTORS.reshape(-1, 3):
        # expm by Padé with scaling is good to about 1e-15·|θ|.
        np.testing.assert_allclose(ro.rotation_from_vector(theta), expm(ro.skew(theta)), atol=ROUNDING)


def test_rotations_are_orthogonal_and_proper():
    r = ro.rotation_from_vector(VECTORS)
    np.testing.assert_allclose(r @ r.swapaxes(-1, -2), np.broadcast_to(np.eye(3), r.shape), atol=ROUNDING)
    np.testing.assert_allclose(np.linalg.det(r), 1.0, atol=ROUNDING)


def test_axis_angle_and_plane():
    axis = np.array([0.0, 0.0, 5.0])
    np.testing.assert_allclose(
        ro.rotation_from_axis_angle(axis, ANGLES), ro.rotation_about_z(ANGLES), atol=ROUNDING
    )
    assert ro.rotation_about_z(0.3).shape == (3, 3)
    np.testing.assert_allclose(ro.rotation_about_z(np.pi / 2) @ [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], atol=ROUNDING)


def test_logarithm_undoes_the_exponential_up_to_pi():
    below = VECTORS[:, :-2]
    # Near π the angle comes from an arctangent of nearly 1/0 and is still good to a few eps.
    np.testing.assert_allclose(ro.vector_from_rotation(ro.rotation_from_vector(below)), below, atol=ROUNDING)
    beyond = VECTORS[:, -2:]
    again = ro.rotation_from_vector(ro.vector_from_rotation(ro.rotation_from_vector(beyond)))
    np.testing.assert_allclose(again, ro.rotation_from_vector(beyond), atol=ROUNDING)


def test_half_turns():
    """Angle π exactly: the scalar part vanishes and the vector part must still be found."""
    r = 2.0 * directions[:, :, None] * directions[:, None, :] - np.eye(3)
    vectors = ro.vector_from_rotation(r)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), np.pi, rtol=ROUNDING)
    np.testing.assert_allclose(np.abs(np.sum(vectors * directions, axis=1)), np.pi, rtol=ROUNDING)


def test_quaternions_against_scipy():
    r = Rotation.random(50, rng=3)
    theirs = r.as_quat(canonical=True, scalar_first=True)
    np.testing.assert_allclose(ro.quaternion_from_rotation(r.as_matrix()), theirs, atol=ROUNDING)
    np.testing.assert_allclose(ro.rotation_from_quaternion(theirs), r.as_matrix(), atol=ROUNDING)
    np.testing.assert_allclose(ro.rotation_from_quaternion(-3.0 * theirs), r.as_matrix(), atol=ROUNDING)


def test_quaternion_product_is_the_product_of_rotations():
    p, q = rng.standard_normal((2, 40, 4))
    product = ro.rotation_from_quaternion(ro.quaternion_product(p, q))
    expected = ro.rotation_from_quaternion(p) @ ro.rotation_from_quaternion(q)
    np.testing.assert_allclose(product, expected, atol=ROUNDING)


def test_quaternion_exponential():
    q = ro.quaternion_exponential(VECTORS)
    np.testing.assert_allclose(np.linalg.norm(q, axis=-1), 1.0, atol=ROUNDING)
    np.testing.assert_allclose(ro.rotation_from_quaternion(q), ro.rotation_from_vector(VECTORS), atol=ROUNDING)


@pytest.mark.parametrize("angle", [0.0, 1e-5, 0.3, 0.49, 0.51, 2.0, 3.1, 5.0])
def test_tangent_operator_gives_the_angular_velocity(angle):
    """Ṙ by a central difference: error h²/6·|R‴| + eps/h ≈ 1e-10 at h = 1e-5."""
    h = 1e-5
    for direction in directions:
        theta, rate = angle * direction, rng.standard_normal(3)
        derivative = (ro.rotation_from_vector(theta + h * rate) - ro.rotation_from_vector(theta - h * rate)) / (
            2 * h
        )
        omega = ro.axial(ro.rotation_from_vector(theta).T @ derivative)
        np.testing.assert_allclose(ro.tangent_operator(theta) @ rate, omega, atol=2e-9)
        spatial = ro.axial(derivative @ ro.rotation_from_vector(theta).T)
        np.testing.assert_allclose(ro.tangent_operator(theta).T @ rate, spatial, atol=2e-9)


def test_tangent_operator_is_the_mean_of_rotations():
    """T(θ) = ∫₀¹ exp(−s θ̃) ds exactly; 30 Gauss points are exact to rounding for angles up to 6."""
    x, w = np.polynomial.legendre.leggauss(30)
    s, w = 0.5 * (1.0 + x), 0.5 * w
    mean = np.einsum("s,sabij->abij", w, ro.rotation_from_vector(-s[:, None, None, None] * VECTORS))
    np.testing.assert_allclose(ro.tangent_operator(VECTORS), mean, atol=ROUNDING)


@pytest.mark.parametrize("ratio", [ro._cubic_ratio, ro._versine_ratio, ro._sine_ratio])
def test_series_and_closed_form_meet(ratio):
    """The functions are smooth: across the change their difference is that of the argument."""
    below, above = ratio(np.array([0.5 - 1e-12, 0.5 + 1e-12]))
    assert abs(below - above) < 1e-12


def test_tumbling_through_many_turns():
    """Torque-free tumbling of an asymmetric body, 12 turns: angular momentum stays fixed in space.

    The integrator's tolerance is 1e-12 per step over about 4,000 steps; 1e-9 leaves room for its drift.
    """
    inertia = np.array([1.0, 2.0, 3.5])

    def rates(_, state):
        q, omega = state[:4], state[4:]
        turning = 0.5 * ro.quaternion_product(q, np.append(0.0, omega))  # q̇ = ½ q ∘ (0, ω)
        return np.concatenate([turning, -np.cross(omega, inertia * omega) / inertia])

    start = np.concatenate([[1.0, 0.0, 0.0, 0.0], [0.05, 4.0, 0.1]])
    solution = solve_ivp(rates, (0.0, 20.0), start, method="DOP853", rtol=1e-12, atol=1e-13)
    q, omega = solution.y[:4].T, solution.y[4:].T
    momentum = (ro.rotation_from_quaternion(q) @ (inertia * omega)[..., None])[..., 0]
    assert np.abs(momentum - momentum[0]).max() < 1e-9
    assert np.abs(np.linalg.norm(q, axis=1) - 1.0).max() < 1e-9
    assert omega[:, 1].min() < -3.9  # it does turn over: the middle axis is unstable


def test_stepping_with_exponentials_keeps_unit_length():
    """Ten thousand products of unit quaternions, each rounded four times; the same step errs to the same side."""
    q = np.array([1.0, 0.0, 0.0, 0.0])
    step = ro.quaternion_exponential(np.array([0.01, -0.02, 0.005]))
    for _ in range(10_000):
        q = ro.quaternion_product(q, step)
    assert abs(np.linalg.norm(q) - 1.0) < rounding(4 * 10_000)
    exact = ro.rotation_from_vector(10_000 * np.array([0.01, -0.02, 0.005]))
    # the matrix is quadratic in q
    np.testing.assert_allclose(ro.rotation_from_quaternion(q), exact, atol=2 * rounding(4 * 10_000))
