"""The disc in a general displacement field: shells and solids beside each other and beside Kirchhoff's plate."""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import ivp, jvp, kvp, yvp

from flexframe.analyses.mode_comparison.analysis import mode_comparison
from flexframe.analyses.mode_comparison.record import ModeComparison
from flexframe.cases.case import Case, load_case
from flexframe.elements.properties import STEEL
from flexframe.errors import InputError
from flexframe.mesh.builders import block
from flexframe.model.body import Body
from flexframe.presentation.blocks import Table
from flexframe.presentation.scenes import Row, Scene
from flexframe.reports.build import report_document

EXAMPLE = Path(__file__).parents[2] / "examples" / "disc_shell_solid.yaml"
INNER, OUTER, THICKNESS, NU = 0.02, 0.2, 0.01, 0.3
RIGIDITY = 200e9 * THICKNESS**3 / (12 * (1 - NU**2))


@cache
def case() -> Case:
    return load_case(EXAMPLE, [f"analyses.{name}.count=16" for name in ("at_rest", "spinning")])


@cache
def comparison(analysis: str) -> ModeComparison:
    return case().analyses[analysis].run(case())


def summary(analysis: str) -> dict[str, Any]:
    return comparison(analysis).summary()


def edge_conditions(n: int, k: float, r: float) -> np.ndarray:
    """Mr r²/D and Vr r³/D of J, Y, I, K(k r) cos nθ: rows of the determinant of a free edge."""
    rows = np.zeros((2, 4))
    for column, (function, sign) in enumerate(((jvp, -1), (yvp, -1), (ivp, 1), (kvp, 1))):
        w, w1, w2 = (function(n, k * r, order) * k**order for order in range(3))
        rows[0, column] = r**2 * w2 + NU * (r * w1 - n**2 * w)
        # ∇²w = ± k² w of each of the functions
        laplace = sign * k**2 * w1
        rows[1, column] = r**3 * laplace + (1 - NU) * n**2 * (-r * w1 + w)
    return rows


def kirchhoff(n: int) -> float:
    """Lowest elastic frequency [Hz] of the free annulus with n nodal diameters."""

    def determinant(k: float) -> float:
        matrix = np.vstack([edge_conditions(n, k, INNER), edge_conditions(n, k, OUTER)])
        return float(np.linalg.det(matrix / np.abs(matrix).max(axis=0)))

    grid = np.linspace(1.5, 8, 400) / OUTER
    values = [determinant(k) for k in grid]
    first = next(i for i in range(len(grid) - 1) if values[i] * values[i + 1] < 0)
    k = brentq(determinant, grid[first], grid[first + 1])
    return float(k**2 * np.sqrt(RIGIDITY / (7900 * THICKNESS)) / (2 * np.pi))


def test_rest_against_kirchhoff() -> None:
    """Shear and rotary inertia lower the thin-plate values by (kt)²-terms: up to 2 % for n = 1 with k t = 0.23."""
    modes = [mode for mode in summary("at_rest")["modes"] if mode["motion"] == "across" and mode["order"] == 1]
    found = {mode["nodal_diameters"]: mode["frequencies_hz"] for mode in modes}
    for n, loss in ((2, 0.006), (0, 0.008), (3, 0.012), (1, 0.025)):
        exact = kirchhoff(n)
        for value in found[n].values():
            assert exact * (1 - loss) < value < 1.005 * exact


def test_models_agree() -> None:
    """All ten elastic modes, at rest and at 200 turns per second: within 0.3 %, the error of the meshes."""
    for analysis in ("at_rest", "spinning"):
        record = summary(analysis)
        elastic = [mode for mode in record["modes"] if mode["motion"] != "rigid"]
        assert len(elastic) == 10
        assert all(None not in mode["frequencies_hz"].values() for mode in elastic)
        assert record["largest_difference"] < 0.003


def test_rigid_motions_in_space() -> None:
    """Rotation and lift at 0, translation and tilt at Ω, wobble at Ω(C/A − 1), both models.

    Multiple eigenvalues to the root of round-off.
    """
    found = [mode["frequencies_hz"] for mode in summary("spinning")["modes"] if mode["motion"] == "rigid"]
    square = (INNER**2 + OUTER**2) / 4
    wobble = 200 * (2 * square / (square + THICKNESS**2 / 12) - 1)
    for model in ("shell", "solid"):
        values = np.array([mode[model] for mode in found])
        # polygons of 64 chords and curved solids: moments of inertia within 1e-4
        np.testing.assert_allclose(values, [0, 0, wobble, 200, 200, 200], atol=0.02)


def test_stress_of_rotation() -> None:
    """Hoop stress at the bore of a thin free ring, ρω²[(3+ν)b² + (1−ν)a²]/4, from averages at the nodes: 3 %."""
    exact = 7900 * (400 * np.pi) ** 2 * ((3 + NU) * OUTER**2 + (1 - NU) * INNER**2) / 4
    for name, measure in (("stress_of_shell", "sxx_top"), ("stress_of_solid", "sxx")):
        record = case().analyses[name].run(case())
        node = record.mesh.nearest_node((0.0, INNER, THICKNESS / 2 if "solid" in name else 0.0))  # type: ignore[attr-defined]
        assert record.nodal_stress[measure][node] == pytest.approx(exact, rel=0.05)  # type: ignore[attr-defined]
        assert 0.005 < record.summary()["stress_error"]["relative"] < 0.06


def test_report_has_one_table_and_both_shapes() -> None:
    """A column for each model, scenes beside each other with the same modes in the same order."""
    record = comparison("spinning")
    document = report_document("", description="", case_name="", case_text="", records={"spinning": record})
    blocks = document.sections[0].blocks
    (table,) = (b for b in blocks if isinstance(b, Table))
    assert [c.header for c in table.columns] == ["shape", "no.", "shell", "solid", "solid beside shell"]
    assert len(table.rows) == 16
    (row,) = (b for b in blocks if isinstance(b, Row))
    first, second = (scene.content for scene in row.blocks if isinstance(scene, Scene))
    assert [m.label for m in first.modes] == [m.label for m in second.modes]


def test_bodies_that_are_no_wheels() -> None:
    """A bar meshed twice: bending in y and z, paired by axis; the same mesh gives no difference."""

    def bar(divisions):
        return Body.solid("bar", block((1.0, 0.1, 0.05), divisions), material=STEEL)

    record = mode_comparison({"a": bar((6, 1, 1)), "b": bar((6, 1, 1)), "c": bar((12, 2, 2))}, count=10)
    elastic = [mode for mode in record.matched if mode.shape.motion != "rigid"]
    assert [mode.shape.motion for mode in elastic[:2]] == ["z", "y"]
    for mode in elastic[:2]:
        assert mode.differences[1] == pytest.approx(0, abs=1e-9)
        assert -0.01 < mode.differences[2] < 0  # quadratic solids converge from above
    assert list(record.to_dataframe().columns) == ["shape", "a", "b", "c"]
    with pytest.raises(InputError, match="two bodies at least"):
        mode_comparison({"a": bar((1, 1, 1))})
