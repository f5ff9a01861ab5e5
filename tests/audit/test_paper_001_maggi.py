"""Paper 001, Maggi's equations (55)-(56): digest entry E14.

For constraints A q̇ + b = 0 Maggi's equations are Bᵀ[d/dt ∂T/∂q̇ - ∂T/∂q - Q] = 0 with A B = 0. The paper
prints the coefficients of A itself in place of B.
"""

import numpy as np
import pytest
from mpmath import mp, mpf
from scipy.integrate import solve_ivp
from scipy.linalg import null_space
from tests.rounding import ROUNDING

from .moving_element import Snapshot
from .precision import array, assert_fails_by, assert_holds, contract, derivative, size, solve


def test_e14_null_space_against_constraint_matrix() -> None:
    """E14, 001 (56): Bᵀ(Mq̈ - Q) = 0 has n - m rows; A(Mq̈ - Q) = AAᵀλ has m rows and is not zero.

    Lower bound: |AAᵀλ| ≥ σ_min(A)² |λ|, so the printed equations hold only if no joint force acts.
    """
    random = np.random.default_rng(14)
    n, m = 7, 3
    root = random.normal(size=(n, n))
    mass = root @ root.T + n * np.eye(n)
    force, A, gamma = random.normal(size=n), random.normal(size=(m, n)), random.normal(size=m)
    # truth: Newton with multipliers, M q̈ = Q + Aᵀλ and A q̈ = γ
    saddle = np.block([[mass, -A.T], [A, np.zeros((m, m))]])
    solution = np.linalg.solve(saddle, np.concatenate([force, gamma]))
    acceleration, multipliers = solution[:n], solution[n:]
    residual = mass @ acceleration - force
    B = null_space(A)
    assert B.shape == (n, n - m)
    # double precision, condition numbers below 1e3: twelve digits
    assert np.abs(B.T @ residual).max() < 1e-12 * np.abs(residual).max()
    printed = A @ residual
    assert printed.shape == (m,)
    smallest = np.linalg.svd(A, compute_uv=False).min()
    assert np.linalg.norm(printed) >= smallest**2 * np.linalg.norm(multipliers) * (1 - 1e-12)
    assert np.linalg.norm(printed) > 0.01 * np.linalg.norm(force)
    # and Maggi determines the motion: q̈ = B z̈ + particular solution
    particular = A.T @ np.linalg.solve(A @ A.T, gamma)
    reduced = np.linalg.solve(B.T @ mass @ B, B.T @ (force - mass @ particular))
    assert np.abs(B @ reduced + particular - acceleration).max() < 1e-12 * np.abs(acceleration).max()


def test_e14_pendulum_in_cartesian_coordinates() -> None:
    """E14, 001 (55)-(56): Maggi gives lθ̈ = -g sin θ; the printed form demands that the string carries nothing.

    Its residual is the string tension m(lθ̇² + g cos θ) times the length.
    """
    mass, length, gravity = mpf(3) / 2, mpf(5) / 4, mpf(981) / 100
    angle, rate = mpf(5) / 8, mpf(7) / 4
    second = -gravity / length * mp.sin(angle)

    def position(t: mpf) -> object:
        swing = angle + rate * t + second * t * t / 2
        return array([length * mp.sin(swing), -length * mp.cos(swing)])

    start = position(mpf(0))
    acceleration = derivative(position, mpf(0), 2)
    residual = mass * acceleration - array([mpf(0), -mass * gravity])
    A = array([start])  # x ẋ + y ẏ = 0
    B = array([-start[1], start[0]])
    assert_holds(B @ residual, mpf(0))
    tension = mass * (length * rate**2 + gravity * mp.cos(angle))
    assert_fails_by(A @ residual, array([mpf(0)]), array([-tension * length]), term=mass * gravity * length)


def test_maggi_with_a_rheonomic_constraint() -> None:
    """001 (55): b ≠ 0. A bead on a rod turning at Ω obeys r̈ = Ω²r; Maggi with B = radial direction gives it.

    The joint force 2mΩṙ does work, so only Bᵀ, never q̇ᵀ, removes it.
    """
    spin, r0, r1, mass = mpf(3) / 2, mpf(3) / 4, mpf(-1) / 4, mpf(2)

    def position(t: mpf) -> object:
        radius = r0 * mp.cosh(spin * t) + r1 / spin * mp.sinh(spin * t)
        return radius * array([mp.cos(spin * t), mp.sin(spin * t)])

    t = mpf(5) / 8
    place, velocity, acceleration = position(t), derivative(position, t), derivative(position, t, 2)
    direction = array([mp.cos(spin * t), mp.sin(spin * t)])
    A = array([-direction[1], direction[0]])
    b = -spin * (place @ direction)
    assert_holds(A @ velocity + b, mpf(0))
    assert_holds(direction @ (mass * acceleration), mpf(0))
    coriolis = 2 * mass * spin * (velocity @ direction)
    assert_fails_by(A @ (mass * acceleration), mpf(0), coriolis, term=mass * acceleration)
    assert_holds((mass * acceleration) @ velocity, -coriolis * b)


def test_maggi_with_a_nonholonomic_constraint() -> None:
    """001 (55)-(56): skate on an incline, Maggi's equations against the exact path.

    Released at rest and spinning at Ω the skate goes down by (g'/2Ω²) sin²Ωt and across by
    (g'/2Ω²)(Ωt - ½ sin 2Ωt).
    """
    slope, spin, mass, inertia = 6.0, 2.0, 1.5, 0.4

    def equations(_: float, state: np.ndarray) -> np.ndarray:
        """State x, y, θ and quasi-velocities (forward speed, turning rate)."""
        angle, speed, turning = state[2:]
        B = np.array([[np.cos(angle), 0.0], [np.sin(angle), 0.0], [0.0, 1.0]])
        B_rate = turning * np.array([[-np.sin(angle), 0.0], [np.cos(angle), 0.0], [0.0, 0.0]])
        M = np.diag([mass, mass, inertia])
        force = np.array([mass * slope, 0.0, 0.0])
        quasi = np.array([speed, turning])
        rates = np.linalg.solve(B.T @ M @ B, B.T @ (force - M @ B_rate @ quasi))
        return np.concatenate([B @ quasi, rates])

    times = np.linspace(0.0, 2.0, 9)
    run = solve_ivp(equations, (0, 2), [0, 0, 0, 0, spin], "DOP853", times, rtol=1e-12, atol=1e-13)
    scale = slope / (2 * spin**2)
    # the integrator works to 1e-12 relative; two orders are left for accumulation over the run
    assert run.y[0] == pytest.approx(scale * np.sin(spin * times) ** 2, abs=1e-10)
    assert run.y[1] == pytest.approx(scale * (spin * times - np.sin(2 * spin * times) / 2), abs=1e-10)


def test_element_equation_is_maggi_on_its_points(space: Snapshot) -> None:
    """001 (55)-(56) on one element: points constrained to y = x + Nδ; B = N stacked gives the element equation.

    N plays the part of the null space: the joint forces that hold the points to the shape drop out.
    """
    element = space.element
    points = contract("g,gi->gi", element.weight, space.local_accelerations).reshape(-1)
    B = element.shape.reshape(-1, len(space.d))
    assert_holds(B.T @ points, space.inertia)
    generalised = space.applied - element.stiffness @ space.d
    applied = B @ solve(B.T @ B, generalised)  # one of the point loads with these generalised forces
    joint = points - applied
    assert_holds(B.T @ joint, 0 * space.d)
    assert size(joint) > size(points) / 100


def test_assembly_is_maggi_with_a_boolean_matrix() -> None:
    """001 (56) for assembly: two bars joined at a node; B of zeros and ones gives the assembled matrices.

    Constraint δ_2 - δ_3 = 0; the nodal joint force f drops out of Bᵀ(...) and is recovered by A.
    """
    bar_mass = np.array([[2.0, 1.0], [1.0, 2.0]]) / 6
    bar_stiffness = np.array([[1.0, -1.0], [-1.0, 1.0]])
    mass = np.kron(np.diag([1.0, 3.0]), bar_mass)
    stiffness = np.kron(np.diag([5.0, 2.0]), bar_stiffness)
    A = np.array([[0.0, 1.0, -1.0, 0.0]])
    B = np.array([[1.0, 0, 0], [0, 1, 0], [0, 1, 0], [0, 0, 1]])
    assert np.array_equal(A @ B, np.zeros((1, 3)))
    assembled = np.array([[5.0, -5, 0], [-5, 7, -2], [0, -2, 2]])
    # sums of halves of small integers: exact in binary arithmetic
    assert np.array_equal(B.T @ stiffness @ B, assembled)
    z, load = np.array([0.1, -0.3, 0.2]), np.array([1.0, 0.5, -2.0])
    split = np.array([1.0, 0.125, 0.375, -2.0])  # the load of the joint shared in any way
    assert np.array_equal(B.T @ split, load)
    second = np.linalg.solve(B.T @ mass @ B, load - assembled @ z)
    joint = mass @ B @ second + stiffness @ B @ z - split
    # a 3x3 system with condition number below 100: fourteen digits
    assert np.abs(B.T @ joint).max() < ROUNDING * np.abs(joint).max()
    multiplier = (A @ joint) / (A @ A.T).item()
    assert joint == pytest.approx(A.T @ multiplier, rel=1e-13, abs=1e-13)
    assert abs((A @ joint).item()) > 0.01 * np.abs(load).max()
