"""The equation of an element in a moving frame against the acceleration of its particles.

Positions r(t) = r_O(t) + R(t)(x + Nδ(t)) are differentiated numerically with fifty digits; nothing of the
theory of moving frames enters that side.
"""

from functools import lru_cache

import numpy as np
import pytest
from mpmath import mp, mpf

from flexframe.elements.contract import Family, is_interpolated
from flexframe.equations.bodies import equations_of_motion
from flexframe.motion.frame import FrameMotion

from .brute_force import particles
from .samples import distorted_element, every_family, one_element_body, sample_property

DIGITS = 50
STEP = mpf(2) ** -27  # fourth order: truncation 1e-32, round-off 1e-50 / 1e-16


def rotation(angles: list[mpf]) -> np.ndarray:
    """R = R_z(α) R_x(β) R_z(γ)."""

    def about(axis: int, angle: mpf) -> np.ndarray:
        c, s = mp.cos(angle), mp.sin(angle)
        i, j = (axis + 1) % 3, (axis + 2) % 3
        matrix = np.array([[mpf(int(a == b)) for b in range(3)] for a in range(3)], dtype=object)
        matrix[i, i] = matrix[j, j] = c
        matrix[i, j], matrix[j, i] = -s, s
        return matrix

    return about(2, angles[0]) @ about(0, angles[1]) @ about(2, angles[2])


@lru_cache(maxsize=64)  # the same few instants for every particle
def frame(t: mpf, planar: bool) -> tuple[np.ndarray, np.ndarray]:
    """r_O(t) and R(t) of a motion in which no term vanishes."""
    tilt = mpf(0) if planar else mpf(1)
    origin = np.array([t**3 - 2 * t, mp.sin(2 * t) + t**2, tilt * mp.exp(-t)], dtype=object)
    angles = [t**2 + mp.sin(t), tilt * (mpf("0.4") + t**2 / 3), tilt * mp.cos(t) * 2]
    return origin, rotation(angles)


@lru_cache(maxsize=64)
def displacements(t: mpf, count: int) -> np.ndarray:
    """δ(t), different in every component."""
    return np.array([mp.sin(mpf(i + 2) * t / 3 + i) / (i + 1) for i in range(count)], dtype=object)


def derivatives(function, t: mpf) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """f, df/dt and d²f/dt² by central differences of fourth order."""
    h = STEP
    f = {k: function(t + k * h) for k in (-2, -1, 0, 1, 2)}
    first = (8 * (f[1] - f[-1]) - (f[2] - f[-2])) / (12 * h)
    second = (16 * (f[1] + f[-1]) - (f[2] + f[-2]) - 30 * f[0]) / (12 * h**2)
    return f[0], first, second


def floats(values: np.ndarray) -> np.ndarray:
    return np.vectorize(float)(values)


@every_family
@pytest.mark.parametrize("planar", [True, False], ids=["planar", "spatial"])
def test_inertia_forces_are_those_of_the_particles(family: Family, planar: bool) -> None:
    """Mδ̈ + 2cδ̇ + [k(ε) + k(ω²)]δ + q_i(ε) + q_i(ω²) + M_Oᵀa = ∫ρ (RN)ᵀ r̈.

    Plane elements take the spatial motion too: the forces in their plane are then the projections. Both sides
    are sums of some thousand products of order one in double precision: 1e-12 of the largest force.
    """
    coordinates = distorted_element(family, np.random.default_rng(13))
    discrete = one_element_body(family, coordinates)
    pieces = particles(family, sample_property(family), coordinates)
    count = discrete.dofs.count
    with mp.workdps(DIGITS):
        t = mpf(47) / 64
        delta, rate, acceleration = derivatives(lambda s: displacements(s, count), t)
        _, origin_velocity, origin_acceleration = derivatives(lambda s: frame(s, planar)[0], t)
        R, R1, R2 = derivatives(lambda s: frame(s, planar)[1], t)
        W = R.T @ R1
        E = R.T @ R2 - W @ W  # RᵀR̈ = E + W²
        motion = FrameMotion(
            angular_velocity=floats(np.array([W[2, 1], W[0, 2], W[1, 0]])),
            angular_acceleration=floats(np.array([E[2, 1], E[0, 2], E[1, 0]])),
            origin_velocity=floats(R.T @ origin_velocity),
            origin_acceleration=floats(R.T @ origin_acceleration),
        )
        places = np.array([p.place for p in pieces])
        shapes = np.array([p.shape for p in pieces])

        def positions(s: mpf) -> np.ndarray:
            origin, turned = frame(s, planar)
            displaced = places + (shapes.reshape(-1, count) @ displacements(s, count)).reshape(-1, 3)
            return origin + displaced @ turned.T

        r2 = derivatives(positions, t)[2]
        along = floats(r2 @ R)  # Rᵀ r̈ of every particle
    force = np.einsum("g,gip,gi->p", np.array([p.mass for p in pieces]), shapes, along)
    equations = equations_of_motion(discrete, motion)
    K = equations.stiffness_parts["euler"] + equations.stiffness_parts["centrifugal"]
    f = sum(equations.load_parts[name] for name in ("euler", "centrifugal", "origin"))
    computed = equations.mass @ floats(acceleration) + equations.damping @ floats(rate) + K @ floats(delta) - f
    assert np.abs(computed - force).max() < 1e-12 * np.abs(force).max()
    if is_interpolated(family):
        assert np.abs(force).max() > 0.1  # the comparison is not between zeros
