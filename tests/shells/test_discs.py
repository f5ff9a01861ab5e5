"""Discs that vibrate across their plane, at rest and spinning; nodal diameters of shells."""

from dataclasses import replace

import numpy as np
import pytest

from flexframe.analyses.modes.analysis import modes
from flexframe.analyses.modes.record import Modes
from flexframe.assembly.discrete import discretise
from flexframe.elements.properties import Material, ShellProperty
from flexframe.maths.rotations import rotation_from_vector
from flexframe.mesh.builders import disc
from flexframe.model.supports import Clamp
from flexframe.motion.frame import REST, FrameMotion

from .models import every_shape, mapped, shell_body

NU, THIN = 0.3, 0.01  # shear and rotary inertia lower the frequencies used here by 5e-4 at most
UNIT = Material(1.0, NU, 1.0)
SCALE = np.sqrt(THIN**2 / (12 * (1 - NU**2)))  # √(D/ρt) of the unit disc


def computed(
    shape: str,
    divisions: int,
    supports=(),
    motion: FrameMotion = REST,
    *,
    count: int = 20,
    thickness: float = THIN,
) -> Modes:
    mesh = disc(1.0, divisions, order=1, shape=shape)
    return modes(shell_body(mesh, ShellProperty(UNIT, thickness), supports), motion, count=count)


def with_diameters(result: Modes, diameters: int, scale: float = SCALE) -> float:
    """λ² of the first elastic mode across the plane with that number of nodal diameters, mean of a pair."""
    assert result.nodal_diameters is not None
    found = [
        abs(value) / scale
        for value, n, label, shares in zip(
            result.eigenvalues, result.nodal_diameters, result.labels, result.direction_shares, strict=True
        )
        if n == diameters and "rigid" not in label and shares[2] > 0.9
    ]
    return float(np.mean(found[: 2 if diameters else 1]))


@every_shape
def test_free_disc(shape: str) -> None:
    """Kirchhoff's λ² with ν = 0.3: second order from 6 to 10 divisions, extrapolated to 2e-3."""
    exact = {2: 5.35833, 0: 9.00314, 3: 12.43899, 1: 20.47455}
    coarse, fine = (computed(shape, n, count=16) for n in (6, 10))
    for diameters, value in exact.items():
        first, second = with_diameters(coarse, diameters), with_diameters(fine, diameters)
        assert second == pytest.approx(value, rel=7e-3)
        assert second + (second - first) / ((10 / 6) ** 2 - 1) == pytest.approx(value, rel=2e-3)


@every_shape
def test_clamped_disc(shape: str) -> None:
    """λ² = 10.21583, 21.26040, 34.87704: as the free disc; the polygon in the circle is of second order too."""
    coarse, fine = (computed(shape, n, [Clamp("outer")], count=5) for n in (8, 12))
    for diameters, value in {0: 10.21583, 1: 21.26040, 2: 34.87704}.items():
        first, second = with_diameters(coarse, diameters), with_diameters(fine, diameters)
        assert second == pytest.approx(value, rel=1e-2)
        assert second + (second - first) / ((12 / 8) ** 2 - 1) == pytest.approx(value, rel=3e-3)


@every_shape
def test_spinning_free_disc(shape: str) -> None:
    """S = ΩR²√(ρt/D) = 5: n2 9.368641, n0 12.867611, n3 16.050451 in the rotating frame, under refinement."""
    spin = FrameMotion.spin(5 * SCALE)
    coarse, fine = (computed(shape, n, motion=spin, count=14) for n in (7, 10))
    for diameters, value in {2: 9.368641, 0: 12.867611, 3: 16.050451}.items():
        first, second = with_diameters(coarse, diameters), with_diameters(fine, diameters)
        assert second == pytest.approx(value, rel=4e-3)
        assert second + (second - first) / ((10 / 7) ** 2 - 1) == pytest.approx(value, rel=1e-3)


def test_rigid_motions_of_a_spinning_disc() -> None:
    """Rotation and lift at 0; translation and a tilt fixed in space at Ω; the wobble at Ω(I₃ − I₁)/I₁ (Euler).

    These are multiple eigenvalues, which are found to the square root of round-off; a disc of t = 0.2 R wobbles
    well apart from them, up to bending of (Ω/ω elastic)² = 3e-7, and needs the rotary inertia of the fibres.
    """
    thickness, speed = 0.2, 0.01
    result = computed("quad", 4, motion=FrameMotion.spin(speed), count=10, thickness=thickness)
    seen = np.array([abs(v) / speed for v, label in zip(result.eigenvalues, result.labels, strict=True) if label])
    discrete = discretise(shell_body(disc(1.0, 4, order=1), ShellProperty(UNIT, thickness)))
    tensor = discrete.inertia.inertia_tensor
    wobble = tensor[2, 2] / tensor[0, 0] - 1
    assert wobble < 0.98
    assert len(seen) >= 6
    assert np.abs(seen - wobble).min() < 1e-6
    assert np.all((seen < 1e-4) | (np.abs(seen - 1) < 1e-4) | (np.abs(seen - wobble) < 1e-6))


def test_spinning_membrane_limit() -> None:
    """Without bending (ω/Ω)² = [(3+ν)(n+2s)(n+2s+2) − (1+3ν)n²]/8 (Lamb and Southwell): n = 2, s = 0: 2.35.

    At S = 400 bending is 1/S of the stiffness for this smooth mode: within 1 %, and the same for n = 3.
    """
    thickness = 1e-3
    speed = 400 * SCALE * thickness / THIN
    result = computed("quad", 8, motion=FrameMotion.spin(speed), count=24, thickness=thickness)
    for n in (2, 3):
        membrane = np.sqrt(((3 + NU) * n * (n + 2) - (1 + 3 * NU) * n**2) / 8)
        assert with_diameters(result, n, speed) == pytest.approx(membrane, rel=0.01)


def test_disc_anywhere_in_space() -> None:
    """The disc turned in space with its spin axis has the same frequencies and diameters; condition of k 1e8."""
    Q = rotation_from_vector(np.array([0.5, -0.8, 0.3]))
    here = computed("quad", 7, motion=FrameMotion.spin(5 * SCALE), count=14)
    mesh = disc(1.0, 7, order=1).moved(Q)
    body = shell_body(mesh, ShellProperty(UNIT, THIN))
    there = modes(body, FrameMotion.spin(5 * SCALE, Q[:, 2]), count=14)
    for diameters in (2, 0, 3):
        first, second = (
            sorted(
                abs(value)
                for value, n, label in zip(r.eigenvalues, r.nodal_diameters, r.labels, strict=True)
                if n == diameters and "rigid" not in label
            )
            for r in (here, there)
        )
        assert len(first) == (2 if diameters else 1)
        np.testing.assert_allclose(first, second, rtol=1e-6)


def test_diameters_of_a_cylindrical_shell() -> None:
    """Inextensional modes of a free ring of shells: n = 2, 2, 3, 3 with ω ∝ n(n²−1)/√(n²+1) (Rayleigh).

    Rayleigh's and Love's modes (with and without tilt) come in turn; for the short ring the radial ones are those
    without motion along the axis. 72 chords: 1 %.
    """
    t, width = 0.01, 0.05
    sheet = mapped("quad", (72, 1), lambda u, v: (np.cos(2 * np.pi * u), np.sin(2 * np.pi * u), width * (v - 0.5)))
    mesh = replace(sheet, facet_sets={}).merged_nodes(1e-9)
    result = modes(shell_body(mesh, ShellProperty(UNIT, t)), count=14)
    assert result.nodal_diameters is not None
    radial = [
        (n, abs(value))
        for value, n, label, shares in zip(
            result.eigenvalues, result.nodal_diameters, result.labels, result.direction_shares, strict=True
        )
        if "rigid" not in label and shares[2] < 0.01
    ]
    assert [n for n, _ in radial[:4]] == [2, 2, 3, 3]
    for n, value in radial[:4]:
        exact = t / np.sqrt(12) * n * (n**2 - 1) / np.sqrt(n**2 + 1)
        assert value == pytest.approx(exact, rel=0.01)
