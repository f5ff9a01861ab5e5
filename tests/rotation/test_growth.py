"""Growth that is rounding alone is not told as an instability; growth that is real is."""

import numpy as np
import pytest

from flexframe.analyses.campbell.analysis import campbell_diagram
from flexframe.analyses.modes.analysis import modes
from flexframe.elements.properties import STEEL
from flexframe.mesh.builders import block, tube
from flexframe.mesh.mesh import Mesh
from flexframe.model.body import Body
from flexframe.motion.frame import FrameMotion

TURN = 2 * np.pi


@pytest.mark.parametrize("shape", ["hexahedron", "tetra", "wedge"])
@pytest.mark.parametrize("kind", ["block", "tube"])
def test_a_free_body_about_its_axis_of_largest_inertia(kind: str, shape: str) -> None:
    """Stable by Euler's equations; its rigid rotation is zero to rounding only, √(eps K/M) about 1e-3 rad/s."""
    mesh: Mesh
    if kind == "block":
        mesh = block((0.4, 0.1, 0.05), (3, 2, 1), order=1, shape=shape)
    else:
        mesh = tube(0.05, 0.2, 0.02, (1, 8, 1), order=1, shape=shape)
    diagram = campbell_diagram(Body.solid("b", mesh, material=STEEL), TURN * np.linspace(0, 50, 4), modes=4)
    assert not any("unstable" in notice for notice in diagram.notices)
    assert not any("divergence" in label or "flutter" in label for label in diagram.labels)
    assert diagram.stability_limits == ()


def test_a_free_body_about_its_middle_axis() -> None:
    """Unstable by Euler's equations, with the growth rate Ω √((B − A)(C − B)/(AC)) of a rigid body."""
    sides = np.array([0.4, 0.1, 0.05])
    body = Body.solid("b", block(tuple(sides), (4, 2, 1), order=2), material=STEEL)
    A, B, C = ((sides**2).sum() - sides**2)[[0, 1, 2]]
    spin = TURN * 5.0
    found = modes(body, FrameMotion.spin(spin, (0, 1, 0)), count=6)
    exact = spin * np.sqrt((B - A) * (C - B) / (A * C))
    assert found.eigenvalues.real.max() == pytest.approx(exact, rel=1e-3)  # the body bends a little
    assert any("unstable" in notice for notice in found.notices)
