"""Modes of solids and discs by every solver: the same numbers, and the answer says which solver made them."""

import numpy as np
import pytest

import flexframe as ff
from flexframe.maths import block_lanczos, pardiso
from flexframe.mesh.builders import block, disc
from flexframe.model.body import Body
from flexframe.model.supports import Clamp
from flexframe.motion.frame import REST, FrameMotion

MOTIONS = {"at rest": REST, "spinning": FrameMotion.spin(300.0)}


def solid(*, clamped: bool) -> Body:
    mesh = block((1.0, 0.4, 0.3), (6, 3, 3), order=2)
    return Body.solid("block", mesh, material=ff.STEEL, supports=(Clamp("left"),) if clamped else ())


@pytest.mark.parametrize("clamped", [False, True], ids=["free", "clamped"])
@pytest.mark.parametrize("motion", MOTIONS.values(), ids=MOTIONS.keys())
def test_without_the_fast_solver(monkeypatch, motion, clamped) -> None:
    """SuperLU instead of PARDISO: frequencies equal to the rounding of K, eps·10⁶ of the highest to the lowest."""
    monkeypatch.delenv("FLEXFRAME_SOLVER", raising=False)
    fast = ff.modes(solid(clamped=clamped), motion, count=10)
    monkeypatch.setattr(pardiso, "mkl", lambda: None)
    plain = ff.modes(solid(clamped=clamped), motion, count=10)
    assert "SuperLU" in plain.method
    assert "PARDISO" not in plain.method
    np.testing.assert_allclose(plain.eigenvalues, fast.eigenvalues, atol=1e-8 * abs(fast.eigenvalues[-1]))
    assert plain.confirmed


@pytest.mark.skipif(pardiso.mkl() is None, reason="pypardiso is not installed")
def test_the_fast_solver_is_used_and_named(monkeypatch) -> None:
    monkeypatch.delenv("FLEXFRAME_SOLVER", raising=False)
    body = Body.solid(
        "block", block((1.0, 0.4, 0.3), (9, 4, 4), order=2), material=ff.STEEL, supports=(Clamp("left"),)
    )
    assert "PARDISO (MKL), " in ff.modes(body, count=4).method  # from 2,000 unknowns on


@pytest.mark.parametrize("relative_speed", [0.5, 5.0, 400.0])
def test_thin_free_disc(relative_speed) -> None:
    """t/R = 1e-3: shift and turn at 0; rest, drift and tilt in space at Ω; the wobble just below Ω.

    A thin disc wobbles at Ω(C/A − 1) = Ω(1 − 6.7e-7); below S = ΩR²√(ρt/D) ≈ 1 rounding of the membrane stiffness,
    10⁶ of the bending stiffness, hides even that. All residuals are those of rounding, √eps.
    """
    thickness, material = 1e-3, ff.Material(1.0, 0.3, 1.0)
    speed = relative_speed * np.sqrt(thickness**2 / (12 * (1 - 0.3**2)))
    body = ff.Body.shell("disc", disc(1.0, 5, order=1), material=material, thickness=thickness)
    result = ff.modes(body, FrameMotion.spin(speed), count=9)
    assert (result.eigenvalues[:2] == 0).all()
    np.testing.assert_allclose(result.eigenvalues[2:6] / speed, 1j, atol=2e-6)
    assert (np.abs(result.eigenvalues[6:]) > 1.2 * speed).all()
    assert np.abs(result.eigenvalues.real).max() < 1e-7 * speed
    assert result.residuals.max() < 1e-7
    assert not [notice for notice in result.notices if "residual" in notice or "unstable" in notice]


def test_blocks_need_few_solves(monkeypatch) -> None:
    """Twenty modes of a clamped solid in at most 16 solves of 16 columns; ARPACK needs about 80 single ones."""
    steps = []
    expand = block_lanczos._Basis.expand
    monkeypatch.setattr(block_lanczos._Basis, "expand", lambda self: steps.append(1) or expand(self))
    result = ff.modes(solid(clamped=True), count=20)
    assert result.confirmed
    assert 4 <= len(steps) <= 16
