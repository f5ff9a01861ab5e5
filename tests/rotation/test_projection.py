"""The projection: its error bounds hold, nothing is missing, and it is much smaller than the body."""

import numpy as np
import pytest
from scipy import linalg
from tests.dynamic_matrix import dynamic_matrix

from flexframe.analyses.campbell.analysis import campbell_diagram
from flexframe.analyses.modes.analysis import modes
from flexframe.assembly.discrete import DiscreteBody, discretise
from flexframe.elements.properties import STEEL
from flexframe.equations.affine import AffineEquations
from flexframe.maths.arrays import Array
from flexframe.mesh.builders import annulus, tube
from flexframe.model.bearings import Bearing
from flexframe.model.body import Body
from flexframe.model.supports import Clamp
from flexframe.motion.frame import FrameMotion
from flexframe.spectra.rotation.completeness import confirmation, negative_eigenvalues
from flexframe.spectra.rotation.error_bounds import clustered, errors
from flexframe.spectra.rotation.free_motions import free_motions
from flexframe.spectra.rotation.rotor_model import rotor_model
from flexframe.spectra.rotation.small_spectra import SmallModes
from flexframe.spectra.rotation.speed_projection import SpeedProjection
from flexframe.spectra.rotation.speed_sweep import sweep
from flexframe.spectra.rotation.spinning_equations import spinning_equations

TURN = 2 * np.pi
WANTED = 8


@pytest.fixture(scope="module")
def body() -> DiscreteBody:
    mesh = annulus(0.06, 0.3, (2, 12))
    return discretise(Body.plane("disc", mesh, material=STEEL, thickness=0.01, supports=(Clamp("inner"),)))


def _projection(body: DiscreteBody, fastest: float, **bearings) -> SpeedProjection:
    equations = spinning_equations(rotor_model(body, **bearings))
    return SpeedProjection(equations, free_motions(rotor_model(body), equations), WANTED + 2, fastest)


def _exact(equations: AffineEquations, speed: float) -> Array:
    """All ω > 0 of the full equations by LAPACK's Hermitian solver, another route than the linearisation."""
    K, G, M = (equations.at_speed(rate, speed).toarray() for rate in (0, 1, 2))
    zero = np.zeros_like(K)
    left = np.block([[-1j * G, M + 0j], [M + 0j, zero]])
    nu = linalg.eigh(left, np.block([[K, zero], [zero, M]]) + 0j, eigvals_only=True)
    return np.sort(1 / nu[nu > 0])


def test_bounds_hold_while_the_projection_is_poor(body: DiscreteBody) -> None:
    """From the modes at rest alone to the enriched basis: the true error never exceeds its bound."""
    speeds = TURN * np.array([0.0, 700.0, 1500.0])
    projection = _projection(body, speeds[-1])
    exact = {speed: _exact(projection.equations, speed) for speed in speeds}
    assert projection.equations.size > 5 * WANTED
    poor = 0.0
    for tolerance in (0.05, 1e-3, 1e-5, 1e-7):
        swept = sweep(projection, speeds, WANTED, tolerance)
        for found, error in zip(swept.modes, swept.errors, strict=True):
            true = np.abs(found.eigenvalues.imag[:WANTED] / exact[found.speed][:WANTED] - 1)
            assert error.guaranteed
            # rounding of the exact ones: the highest eigenvalue is 1e4 times the lowest
            assert (true <= error.relative[:WANTED] + 1e-11).all()
            # Rayleigh–Ritz values of a Hermitian pencil come from above
            assert (found.eigenvalues.imag[:WANTED] >= exact[found.speed][:WANTED] * (1 - 1e-11)).all()
            poor = max(poor, float(true.max()))
        assert swept.worst <= tolerance
    assert poor > 1e-6, "the first rounds must be poor enough to test anything"


def test_residuals_include_their_rounding(body: DiscreteBody) -> None:
    """‖L⁻¹r‖ with K̂ = LLᵀ, r multiplied out in full, is never above the norm that the projection states.

    The kept columns know it to √(ε|φ|ᵀ|K̂||φ|) only, which is far above the residual of modes that are found well.
    """
    speeds = TURN * np.array([0.0, 700.0, 1500.0])
    projection = _projection(body, speeds[-1])
    factor = linalg.cholesky(projection.equations.stiffness.toarray(), lower=True)
    unseen = 0
    for tolerance in (1e-3, 1e-7):
        for found in sweep(projection, speeds, WANTED, tolerance).modes:
            r = np.column_stack(
                [
                    dynamic_matrix(projection.equations, value, found.speed) @ (projection.basis @ vector)
                    for value, vector in zip(found.eigenvalues, found.vectors.T, strict=True)
                ]
            )
            true = np.linalg.norm(linalg.solve_triangular(factor, r, lower=True), axis=0)
            seen = projection.residuals(found.eigenvalues, found.speed, found.vectors)
            _, solved, rounding = projection.solved_residuals(found.eigenvalues, found.speed, found.vectors)
            assert (true <= seen.norms).all() and (true <= solved).all()
            # what is solved for is known to ε in place of √ε
            assert (solved - true <= 2 * rounding).all()
            assert (rounding < 1e-5 * seen.rounding).all()
            unseen += np.count_nonzero(true < 0.01 * seen.rounding)
    assert unseen, "some residuals must be below the rounding of the columns to test anything"


@pytest.mark.parametrize("tolerance", [1e-9, 1e-10])
def test_what_is_asked_is_met(body: DiscreteBody, tolerance: float) -> None:
    """Far below √ε, where the kept columns say nothing of residuals, bounds hold and reach the tolerance."""
    speeds = TURN * np.array([0.0, 700.0, 1500.0])
    projection = _projection(body, speeds[-1])
    swept = sweep(projection, speeds, WANTED, tolerance)
    assert swept.guaranteed and swept.worst <= tolerance
    assert projection.size < projection.equations.size
    for found, error in zip(swept.modes, swept.errors, strict=True):
        exact = _exact(projection.equations, found.speed)[:WANTED]
        # rounding of the exact ones as above
        assert (np.abs(found.eigenvalues.imag[:WANTED] / exact - 1) <= error.relative[:WANTED] + 1e-11).all()


def test_what_rounding_does_not_allow_is_said(body: DiscreteBody) -> None:
    """No arithmetic with 16 digits gives 1e-15 of an eigenvalue 1e4 times below the highest: a notice says so."""
    speeds = TURN * np.array([0.0, 700.0])
    diagram = campbell_diagram(body, speeds, modes=WANTED, engine_orders=(2,), tolerance=1e-15)
    assert np.nanmax(diagram.errors) > 1e-15
    assert [notice for notice in diagram.notices if "frequency may be off" in notice]
    met = campbell_diagram(body, speeds, modes=WANTED, engine_orders=(2,), tolerance=1e-9)
    assert not [notice for notice in met.notices if "may be off" in notice]
    assert all(critical.error <= 1e-9 for critical in met.critical_speeds)


def test_sums_over_clusters_bound_the_error() -> None:
    """Random Hermitian matrices: |ν − ν̃| ≤ Σ(ην̃)²/d for Ritz values of a subspace that is nearly invariant."""
    random = np.random.default_rng(4)
    for _ in range(20):
        values = np.concatenate([[3.0, 3.0 + 1e-6, 2.0, 1.5], random.uniform(0.01, 1.0, 16)])
        turn, _ = np.linalg.qr(random.standard_normal((20, 20)))
        A = turn * values @ turn.T
        trial, _ = np.linalg.qr(turn[:, :8] + 1e-3 * random.standard_normal((20, 8)))
        ritz, small = np.linalg.eigh(trial.T @ A @ trial)
        order = np.argsort(-ritz)
        ritz, vectors = ritz[order], trial @ small[:, order]
        eta = np.linalg.norm(A @ vectors - vectors * ritz, axis=0) / ritz
        bound = clustered(ritz, eta)[:4]
        true = np.abs(ritz[:4] / np.sort(values)[::-1][:4] - 1)
        assert (true <= bound).all()
        assert (bound < eta[:4]).all()


@pytest.mark.parametrize("supported", [True, False], ids=["on a hub", "free"])
def test_diagram_is_that_of_single_speeds(supported: bool) -> None:
    """Every frequency as the quadratic eigensolver gives it speed by speed; tolerance 1e-6, errors its square."""
    supports = (Clamp("inner"),) if supported else ()
    mesh = tube(0.06, 0.3, 0.03, (2, 10, 1))
    body = discretise(Body.solid("disc", mesh, material=STEEL, supports=supports))
    speeds = TURN * np.array([0.0, 60.0, 200.0])
    diagram = campbell_diagram(body, speeds, modes=9, engine_orders=())
    for k, speed in enumerate(speeds):
        reference, found = (
            np.sort(values[values > 1.001 * speed / TURN + 1.0])
            for values in (modes(body, FrameMotion.spin(speed), count=9).frequencies_hz, diagram.frequencies_hz[k])
        )
        count = min(len(reference), len(found))
        assert count >= 2
        assert found[:count] == pytest.approx(reference[:count], rel=1e-7)
    assert diagram.confirmed
    assert f"{body.supports.size} unknowns" in diagram.method


def test_count_finds_what_is_missing(body: DiscreteBody) -> None:
    """Sylvester's count is the number of modes below, and one mode taken away is noticed."""
    speed = TURN * 1200.0
    projection = _projection(body, speed)
    exact = _exact(projection.equations, speed)
    for below in (1, 4, 9):
        cut = 0.5 * (exact[below - 1] + exact[below])
        assert negative_eigenvalues(projection.equations, speed, cut) == below
    swept = sweep(projection, np.array([speed]), WANTED, 1e-6)
    found = swept.modes[0]
    complete = confirmation(projection, found, WANTED)
    assert complete.confirmed and complete.method == "Sylvester's count"
    kept = [k for k in range(len(found.eigenvalues)) if k != 3]
    short = SmallModes(speed, found.eigenvalues[kept], found.vectors[:, kept])
    assert confirmation(projection, short, WANTED).confirmed is False


def test_damped_body(body: DiscreteBody) -> None:
    """Dampers in space on the rim: eigenvalues of the full equations by LAPACK; estimates instead of bounds."""
    bearings = [Bearing("outer", damping=2e3)]
    speeds = TURN * np.array([0.0, 300.0])
    diagram = campbell_diagram(body, speeds, modes=6, bearings=bearings, engine_orders=())
    equations = spinning_equations(rotor_model(body, bearings=bearings))
    for k, speed in enumerate(speeds):
        K, C, M = (equations.at_speed(rate, speed).toarray() for rate in (0, 1, 2))
        size = len(K)
        A = np.block([[np.zeros((size, size)), np.eye(size)], [-np.linalg.solve(M, K), -np.linalg.solve(M, C)]])
        values = np.linalg.eigvals(A)
        for value in diagram.eigenvalues[k, :6]:
            # LAPACK's own error is 1e-16 of the highest eigenvalue, 1e-10 of the lowest
            assert np.abs(values - value).min() < 1e-7 * abs(value)
    assert not diagram.guaranteed and diagram.confirmed
    assert (diagram.damping_ratios[:, :6] > 0).all()
    assert diagram.summary()["errors"]["kind"] == "estimate"


def test_errors_of_a_complete_basis_vanish(body: DiscreteBody) -> None:
    """A body of few unknowns is not projected: no error is claimed, and all its modes are there."""
    small = annulus(0.06, 0.3, (1, 6), order=1)
    tiny = discretise(Body.plane("ring", small, material=STEEL, thickness=0.01, supports=(Clamp("inner"),)))
    projection = _projection(tiny, 1000.0)
    assert projection.whole and projection.size == tiny.supports.size
    found = projection.modes_at(1000.0, 6)
    assert errors(projection, found, np.full(6, 1e-6)).relative.max() == 0
    exact = _exact(projection.equations, 1000.0)
    assert found.eigenvalues.imag == pytest.approx(exact[:6], rel=1e-10)
