"""The worked example of CONTRIBUTING.md is a working element."""

import numpy as np
import pytest

from flexframe.elements.contract import ElementBatch, is_interpolated
from flexframe.elements.integration import scalar_mass, stiffness
from flexframe.elements.properties import STEEL, BarProperty

from .repository import ROOT, code_blocks

LENGTH, AREA = 2.0, 3e-4


@pytest.fixture
def batch() -> ElementBatch:
    """One bar with three nodes along x, of the family that the page defines."""
    (source,) = code_blocks((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), "python")
    names: dict[str, object] = {"__name__": "bar3"}
    exec(source, names)
    make = names["Bar3"]
    assert callable(make)
    coordinates = np.array([[[0.0, 0, 0], [LENGTH, 0, 0], [LENGTH / 2, 0, 0]]])
    return ElementBatch(make(), BarProperty(STEEL, AREA), np.array([[0, 1, 2]]), coordinates, np.array([0]))


def test_mass_is_the_textbook_matrix(batch: ElementBatch) -> None:
    """∫φφ of the quadratic bar, exact in a three-point rule: round-off."""
    assert is_interpolated(batch.family)
    expected = STEEL.density * AREA * LENGTH / 30 * np.array([[4.0, -1, 2], [-1, 4, 2], [2, 2, 16]])
    assert scalar_mass(batch.family, batch)[0] == pytest.approx(expected, rel=1e-14)


def test_stiffness_is_the_textbook_matrix(batch: ElementBatch) -> None:
    """EA/3L (7 1 −8; 1 7 −8; −8 −8 16) along the bar and nothing across it: round-off."""
    blocks = stiffness(batch)[0]
    expected = STEEL.young * AREA / (3 * LENGTH) * np.array([[7.0, 1, -8], [1, 7, -8], [-8, -8, 16]])
    assert blocks[:, :, 0, 0] == pytest.approx(expected, rel=1e-14)
    assert np.abs(blocks[:, :, 1:, :]).max() == 0
