"""The examples with solids run and give their pinned numbers."""

from pathlib import Path

import numpy as np
import pytest
from tests.rounding import ROUNDING, rounding

import flexframe as ff

EXAMPLES = Path(__file__).parents[2] / "examples"


def run(name: str, analysis: str):
    """One analysis of an example, through the Python side."""
    case = ff.load_case(EXAMPLES / name)
    entry = case.analyses[analysis]
    frozen = case.frozen(entry.body, entry.motion, entry.time)  # type: ignore[attr-defined]
    return case, frozen, entry


def test_disc_of_solids() -> None:
    """Frequencies at rest and stress as CalculiX gives them on the same mesh (C3D20), 7 digits; the others pinned.

    In rotation pairs split by the Coriolis forces; the stress of rotation raises them.
    """
    _, frozen, _ = run("solid_disc.yaml", "rest")
    rest = ff.modes(frozen.discrete, frozen.motion, count=8)
    calculix = [729.9029, 729.9029, 733.7604, 992.4119, 1306.736, 1306.736, 2833.287, 2833.287]
    np.testing.assert_allclose(rest.frequencies_hz, calculix, rtol=1e-6)
    assert rest.nodal_diameters == (1, 1, 0, 0, 2, 2, 3, 3)
    _, frozen, _ = run("solid_disc.yaml", "spinning")
    spinning = ff.modes(frozen.discrete, frozen.motion, count=6)
    pinned = [733.869, 735.613, 738.575, 995.593, 1312.02, 1318.66]
    np.testing.assert_allclose(spinning.frequencies_hz, pinned, rtol=1e-5)
    stress = ff.statics(frozen.discrete, frozen.motion)
    largest = {maximum.measure: maximum.value for maximum in stress.maxima}
    assert largest["von_mises"] == pytest.approx(52267340.0, rel=1e-6)  # CalculiX, at the same Gauss point
    assert np.linalg.norm(stress.displacements[:, :3], axis=1).max() == pytest.approx(2.03553e-5, rel=1e-5)


def test_imported_part() -> None:
    """Pinned, with what must hold anyway: the mean of the held eye is at rest, the pin moves along y only."""
    case, frozen, _ = run("imported_part.yaml", "pressed")
    discrete, mesh = frozen.discrete, case.bodies()["rod"].mesh
    # volume of the published mesh (0.13792115 kg of steel) in the alloy, and the piston
    assert discrete.inertia.mass == pytest.approx(0.13792115 / 7850 * 2710 + 0.1, rel=1e-7)
    result = ff.statics(discrete, frozen.motion)
    eye = result.displacements[mesh.nodes_of("crank eye"), :3].mean(axis=0)
    assert np.abs(eye).max() < rounding(discrete.dofs.count) * np.abs(result.displacements).max()
    pin = result.displacements[mesh.nodes_of("piston pin")[0]]
    assert pin[0] == pytest.approx(0, abs=ROUNDING * np.abs(result.displacements).max())
    # the support at the crank and the spring share the gas force
    spring = 2e5 * pin[1]
    assert result.support_forces[:, 1].sum() == pytest.approx(500 + spring, rel=1e-9)
    modes = ff.modes(discrete, frozen.motion, count=6)
    pinned = [350.163, 1919.45, 2611.15, 3919.2, 5893.58, 8696.72]
    np.testing.assert_allclose(modes.frequencies_hz, pinned, rtol=1e-5)
