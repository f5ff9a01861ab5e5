"""The example of the spinning plate."""

from pathlib import Path

import numpy as np
import pytest

from flexframe.cases.case import load_case

EXAMPLE = Path(__file__).parents[2] / "examples" / "spinning_plate.yaml"


def test_spinning_plate() -> None:
    """At rest ωa²√(ρt/D) = 13.468, 19.596, 24.270, 34.801 twice (Leissa 1973, ν = 0.3); 24 × 24 elements: 1 %.

    Spinning raises every elastic frequency; the plate at rest in space is seen at the spin frequency.
    """
    case = load_case(EXAMPLE, ["bodies.plate.mesh.quadrilateral.divisions=[24, 24]"])
    rest = case.analyses["at_rest"].run(case).summary()
    rigidity = 210e9 * 0.002**3 / (12 * (1 - 0.3**2))
    scale = np.sqrt(rigidity / (7850 * 0.002)) / (0.4**2 * 2 * np.pi)
    elastic = rest["frequencies_hz"][6:11]
    assert elastic == pytest.approx(np.array([13.468, 19.596, 24.270, 34.801, 34.801]) * scale, rel=0.01)
    assert all(label.startswith("rigid") for label in rest["labels"][:6])
    spinning = case.analyses["spinning"].run(case).summary()
    stiffer = [f for f, label in zip(spinning["frequencies_hz"], spinning["labels"], strict=True) if not label]
    assert all(high > low for high, low in zip(stiffer[:5], elastic, strict=True))
    at_spin = [f for f in spinning["frequencies_hz"] if f == pytest.approx(50, rel=1e-3)]
    assert len(at_spin) >= 3
    statics = case.analyses["centrifugal_stress"].run(case)
    # at the centre of a spinning square plate σ is near that of the inscribed disc, (3+ν)/8 ρω²a²/4
    stress = statics.stress_values["sxx_top"].max()  # type: ignore[attr-defined]
    assert stress == pytest.approx(3.3 / 8 * 7850 * (100 * np.pi) ** 2 * 0.2**2, rel=0.5)
