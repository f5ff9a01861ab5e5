"""Coefficients of time, speed and frequency; parts without symmetry; the tangent of a nonlinear body."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse
from tests.dynamic_matrix import dynamic_matrix
from tests.rounding import rounding

import flexframe as ff
from flexframe.equations.affine import AffineEquations
from flexframe.equations.bodies import affine_equations
from flexframe.equations.coefficients import FREQUENCY, SPEED, TIME, Law, Monomial, OperatingPoint
from flexframe.equations.parts import DAMPING, LOAD, MASS, STIFFNESS, Part
from flexframe.spectra.rotation.free_motions import free_motions
from flexframe.spectra.rotation.rotor_model import rotor_model
from flexframe.spectra.rotation.speed_projection import SpeedProjection

from .samples import assert_equal, body

GAIN, RELAXATION = 0.3, 0.02


def standard_solid(point):
    """g λτ / (1 + λτ): what a modulus of three parameters adds to that of slow deformation."""
    rate = RELAXATION * point.component(FREQUENCY)
    return GAIN * rate / (1 + rate)


def test_a_complex_modulus_over_the_frequency():
    """K(λ) = k (1 + g λτ/(1 + λτ)) in P(λ), before and after projection and at many frequencies together."""
    discrete = body("beam")
    k = discrete.element_stiffness
    part = Part.constant("viscoelastic", STIFFNESS, k, Law("standard solid", standard_solid))
    equations = affine_equations(discrete).extend([part]).project(discrete.supports)
    reduce = discrete.supports.reduce_matrix
    rates = 1j * np.array([0.0, 10.0, 1e3])
    for value in rates:
        P = dynamic_matrix(equations, complex(value), 0.0)
        modulus = GAIN * RELAXATION * value / (1 + RELAXATION * value)
        wanted = value**2 * equations.mass + value * equations.damping + equations.stiffness + modulus * reduce(k)
        assert_equal(P.toarray(), wanted.toarray(), abs(wanted).max())
    points = OperatingPoint(amounts={FREQUENCY: rates})
    V = np.random.default_rng(1).normal(size=(equations.size, 3))
    K = equations.project(V).matrices(STIFFNESS, points)
    assert np.iscomplexobj(K)
    for found, value in zip(K, rates, strict=True):
        whole = V.T @ equations.matrix(STIFFNESS, OperatingPoint(amounts={FREQUENCY: value})).toarray() @ V
        assert_equal(found, whole, np.abs(whole).max(), operations=8 * equations.size)


def test_a_bearing_table_over_the_speed():
    """Cross-coupled stiffness, not symmetric, interpolated from a table; eigenvalues as by hand.

    A point mass m in k 1 + q [0 1; −1 0]: mλ² + k ± iq = 0.
    """
    speeds, table = np.array([0.0, 100.0, 300.0]), np.array([0.0, 40.0, 90.0])
    cross = np.array([[0.0, 1.0], [-1.0, 0.0]])
    law = Law("seal", lambda point: np.interp(point.component(SPEED), speeds, table))
    parts = (
        Part.constant("mass", MASS, 2.0 * np.eye(2)),
        Part.constant("elastic", STIFFNESS, 800.0 * np.eye(2)),
        Part.constant("bearings", STIFFNESS, cross, law),
    )
    equations = AffineEquations(2, parts)
    K = equations.at_speed(STIFFNESS, 200.0)
    q = 65.0
    assert_equal(K, 800.0 * np.eye(2) + q * cross, 800.0)
    found = equations.at(OperatingPoint.at_speed(200.0)).eigenvalues()
    wanted = np.sqrt(-(800.0 + np.array([1j, -1j]) * q) / 2)
    wanted = np.where(wanted.imag > 0, wanted, -wanted)
    # QR of a matrix of four: a few dozen roundings; eigenvalues apart by q / (m |λ|) of their size
    for value in wanted:
        assert np.abs(found - value).min() <= rounding(100, 10) * abs(value)
    stack = equations.matrices(STIFFNESS, OperatingPoint.at_speed(speeds))
    assert_equal(stack, 800.0 * np.eye(2) + table[:, None, None] * cross, 800.0)
    merged = equations.merge()
    assert {part.name for part in merged.parts} == {"mass", "stiffness", "bearings, seal, order 0"}
    assert_equal(merged.at_speed(STIFFNESS, 200.0), K, 800.0)
    assert not equations.conservative


def test_modes_over_the_speed_in_a_tabled_bearing():
    """The projection behind Campbell diagrams takes a table as it takes powers: full eigenvalues at two speeds.

    Both solve unsymmetric problems of 36 states; the spread of the stiffness, 1e7 between bending and stretching,
    is the condition of the lowest eigenvalues.
    """
    discrete = body("beam")
    matrix = sparse.csr_array((discrete.dofs.count, discrete.dofs.count)).tolil()
    y, z = discrete.dofs.numbers[1, 1:3]
    matrix[y, z], matrix[z, y] = 1.0, -1.0
    table = Law("seal", lambda point: np.interp(point.component(SPEED), [0.0, 500.0], [0.0, 2e5]))
    seal = Part.constant("bearings", STIFFNESS, sparse.csr_array(matrix), table)
    turning = affine_equations(discrete).homogeneous.extend([seal]).about((1.0, 0.0, 0.0))
    equations = turning.project(discrete.supports)
    projection = SpeedProjection(equations, free_motions(rotor_model(discrete), equations), 6, 500.0)
    for speed in (100.0, 500.0):
        found = projection.modes_at(speed, 4).eigenvalues
        every = equations.at(OperatingPoint.at_speed(speed)).eigenvalues()
        for value in found:
            assert np.abs(every - value).min() <= rounding(36, 1e7) * abs(value)


def test_coefficients_of_time():
    """A pulsating force and stiffness, (t,) times at once and a single one."""
    pulse = Law("pulse", lambda point: np.cos(3.0 * point.component(TIME)))
    parts = (
        Part.constant("mass", MASS, np.eye(1)),
        Part.constant("elastic", STIFFNESS, 5.0 * np.eye(1)),
        Part.constant("pulsating", STIFFNESS, np.eye(1), pulse),
        Part.constant("applied", LOAD, np.array([2.0]), Monomial((TIME,))),
    )
    equations = AffineEquations(1, parts)
    t = np.linspace(0.0, 2.0, 5)
    points = OperatingPoint(amounts={TIME: t})
    assert_equal(equations.matrices(STIFFNESS, points)[:, 0, 0], 5.0 + np.cos(3.0 * t), 6.0)
    assert_equal(equations.loads(points)[:, 0], 2.0 * t, 4.0)
    one = equations.at(points.some(3))
    assert_equal(one.stiffness, np.array([[5.0 + np.cos(3.0 * t[3])]]), 6.0)


def nonlinear_force(discrete, cubic, u):
    """k u + ∂/∂u of ¼ Σ c u⁴."""
    return np.asarray(discrete.stiffness @ u) + cubic * u**3


@pytest.mark.parametrize("amplitude", [0.0, 1e-3])
def test_the_tangent_of_a_nonlinear_body(amplitude):
    """The tangent about a deformed state is a further part; differences of the forces are its product.

    A complex step has no truncation beyond h² and no cancellation, so that rounding alone is left.
    """
    discrete, rng = body("beam"), np.random.default_rng(3)
    size = discrete.dofs.count
    shape, direction, cubic = rng.normal(size=size), rng.normal(size=size), 1e9 * rng.random(size)
    tangent = np.diag(3 * cubic * shape**2)
    parts = [Part.constant("tangent", STIFFNESS, tangent, Monomial(("amplitude", "amplitude")))]
    equations = affine_equations(discrete).homogeneous.extend(parts)
    spin = OperatingPoint.of(ff.FrameMotion.spin(100.0))
    point = replace(spin, amounts={"amplitude": amplitude})
    frame = equations.at(spin)
    found = equations.matrix(STIFFNESS, point) @ direction
    h = 1e-30
    forces = nonlinear_force(discrete, cubic, amplitude * shape + 1j * h * direction).imag / h
    wanted = forces + (frame.stiffness - discrete.stiffness) @ direction
    bound = (abs(equations.matrix(STIFFNESS, point)) @ np.abs(direction)).max()
    assert_equal(np.asarray(found).ravel(), np.asarray(wanted).ravel(), bound, operations=4 * size)
    assert "tangent" in equations.at(point).stiffness_parts or amplitude == 0.0
    assert not equations.of_order(LOAD)
    assert equations.matrix(DAMPING, point).nnz
