"""Formalisms: the papers' count of differentiations, and Whittaker's equations."""

from dataclasses import dataclass

import numpy as np

from flexframe.formalisms.natural_motion import whittaker_motion
from flexframe.formalisms.natural_systems import LinearSystem, energy
from flexframe.maths.arrays import Array
from flexframe.symbolic.counts import published_counts
from flexframe.verification.contract import Check, Reference

# number of elements: Lagrange, Gibbs–Appell, Kane, as printed
_TABLE = {
    5: (288, 120, 10),
    10: (528, 220, 20),
    15: (768, 320, 30),
    20: (1008, 420, 40),
    25: (1248, 520, 50),
    30: (1488, 620, 60),
    40: (1968, 820, 80),
}


def _operation_counts(refinement: int) -> list[float]:  # noqa: ARG001 - a count has no mesh
    rows = [published_counts(elements) for elements in _TABLE]
    return [float(count) for row in rows for count in (row.lagrange, row.gibbs_appell, row.kane)]


@dataclass(frozen=True)
class Kepler:
    """q = (φ, r): M = diag(r², 1), V = −1/r."""

    def mass(self, q: Array) -> Array:
        return np.diag([q[1] ** 2, 1.0])

    def mass_gradient(self, q: Array) -> Array:
        gradient = np.zeros((2, 2, 2))
        gradient[1, 0, 0] = 2 * q[1]
        return gradient

    def gyroscopic(self, q: Array) -> Array:  # noqa: ARG002 - nothing turns
        return np.zeros((2, 2))

    def potential(self, q: Array) -> float:
        return float(-1 / q[1])

    def potential_gradient(self, q: Array) -> Array:
        return np.array([0.0, 1 / q[1] ** 2])


@dataclass(frozen=True)
class DoublePendulum:
    """Points of mass 1 on massless rods of length 1, angles from the vertical, g = 9.81."""

    def mass(self, q: Array) -> Array:
        coupling = np.cos(q[0] - q[1])
        return np.array([[2.0, coupling], [coupling, 1.0]])

    def mass_gradient(self, q: Array) -> Array:
        off = np.sin(q[0] - q[1]) * np.array([[0.0, 1.0], [1.0, 0.0]])
        return np.stack([-off, off])

    def gyroscopic(self, q: Array) -> Array:  # noqa: ARG002 - nothing turns
        return np.zeros((2, 2))

    def potential(self, q: Array) -> float:
        return float(-9.81 * (2 * np.cos(q[0]) + np.cos(q[1])))

    def potential_gradient(self, q: Array) -> Array:
        return 9.81 * np.array([2 * np.sin(q[0]), np.sin(q[1])])


def _tolerance(refinement: int) -> float:
    return 10.0 ** (-4 - 4 * refinement)


def _oscillators(refinement: int) -> list[float]:
    """Slope at the start, h, and y where the orbit has come to x = 0.7."""
    system = LinearSystem(np.eye(2), np.zeros((2, 2)), np.diag([1.0, 4.0]), np.zeros(2))
    start, end = np.arcsin(-0.6), np.arcsin(0.7)
    q = np.array([-0.6, 0.5 * np.sin(2 * start + 0.3)])
    rates = np.array([np.cos(start), np.cos(2 * start + 0.3)])
    found = whittaker_motion(system, q, rates, np.array([end - start]), tolerance=_tolerance(refinement))
    return [q[1], rates[1] / rates[0], energy(system, q, rates), *found.coordinates[0]]


def _orbit(refinement: int) -> list[float]:
    """From perihelion to φ = 1, 2 and π, whose times are those of Kepler's equation."""
    e, semi_axis = 0.6, 1 / (1 - 0.36)
    q, rates = np.array([0.0, 1 / (1 + e)]), np.array([(1 + e) ** 2, 0.0])  # L = r² dφ/dt = 1
    anomaly = 2 * np.arctan(np.sqrt((1 - e) / (1 + e)) * np.tan(np.array([0.5, 1.0])))
    times = [*(semi_axis**1.5 * (anomaly - e * np.sin(anomaly))), np.pi * semi_axis**1.5]
    found = whittaker_motion(Kepler(), q, rates, np.array(times), tolerance=_tolerance(refinement))
    return [found.energy, *found.coordinates.T.reshape(-1)]


def _pendulum(refinement: int) -> list[float]:
    q, rates = np.array([-0.3, 0.2]), np.array([1.5, -0.5])
    found = whittaker_motion(DoublePendulum(), q, rates, np.array([0.2]), tolerance=_tolerance(refinement))
    return [found.energy, *found.coordinates[0]]


CHECKS: tuple[Check, ...] = (
    Check(
        "paper-004-table-1",
        "paper 004, Table 1",
        "differentiations by the paper's rule, which is not like for like (honest: flexframe derive --counts)",
        tuple(
            Reference(f"{formalism}, {elements} elements", float(count), 0.0)
            for elements, counts in _TABLE.items()
            for formalism, count in zip(("Lagrange", "Gibbs–Appell", "Kane"), counts, strict=True)
        ),
        _operation_counts,
    ),
    Check(
        "whittaker-oscillators",
        "closed form, y = B sin(2 asin x + 0.3)",
        "ω = (1, 2), A 1, B 0.5, h = 1, from x = −0.6 to 0.7; coarse is a looser tolerance of the integrator",
        (
            Reference("y(−0.6)", -0.41718869, 5e-9, scale=1.0),
            Reference("dy/dx(−0.6)", 0.68899202, 5e-9, scale=1.0),
            Reference("h", 1.0, 1e-12),
            Reference("x at the time of 0.7", 0.7, 5e-9, scale=1.0),
            Reference("y(0.7)", 0.48052790, 5e-9, scale=1.0),
        ),
        _oscillators,
    ),
    Check(
        "whittaker-kepler",
        "closed form, r = 1/(1 + 0.6 cos φ)",
        "μ = p = 1, e 0.6, from perihelion; times from Kepler's equation; coarse is a looser tolerance",
        (
            Reference("h", -0.32, 1e-12),
            Reference("φ after the time of 1 rad", 1.0, 1e-9),
            Reference("φ after the time of 2 rad", 2.0, 1e-9),
            Reference("φ after half the period", np.pi, 1e-9),
            Reference("r(1)", 0.755183551, 1e-9),
            Reference("r(2)", 1.332779078, 1e-9),
            Reference("r(π)", 2.5, 1e-9),
        ),
        _orbit,
    ),
    Check(
        "whittaker-double-pendulum",
        "independent integration in time, ten digits",
        "m = l = 1, g 9.81, q (−0.3, 0.2), dq/dt (1.5, −0.5); after the recovered time of 0.2 s; coarse is a "
        "looser tolerance",
        (
            Reference("h [J]", -26.641341967, 2e-11),
            Reference("q1 [rad]", 0.1040132000, 5e-10, scale=1.0),
            Reference("q2 [rad]", -0.0434149779, 5e-10, scale=1.0),
        ),
        _pendulum,
    ),
)
