"""Principal stress of a link over time, with sign, place and instant."""

import numpy as np
import pytest

import flexframe as ff
from flexframe.analyses.elastic_response.link_stress import link_stress
from flexframe.assembly.discrete import discretise
from flexframe.equations.coefficients import Terms
from flexframe.mesh.builders import rectangle
from flexframe.multibody.links.link import LinkHistory, LinkMotion


def test_peaks_of_a_growing_and_turning_load() -> None:
    """Displacements a(t) u of a pulled arm: the largest principal stress is at the largest a, the smallest at −a.

    Both are those of statics times the factor, which is 1 at t = 0.3 and −0.5 at t = 0.7; round-off.
    """
    mesh = rectangle(0.5, 0.05, (8, 2), order=2)
    load = ff.loads.Traction("right", (1e6, 2e5))
    arm = ff.Body.plane(
        "arm", mesh, material=ff.STEEL, thickness=0.01, supports=(ff.Clamp("left"),), loads=(load,)
    )
    discrete = discretise(arm)
    static = ff.statics(discrete)
    once = discrete.equilibrium.solve(discrete.loads.forces).displacements[:, 0]
    factors = np.array([0.0, 0.2, 0.6, 1.0, 0.5, 0.1, -0.3, -0.5, -0.4])
    still = np.zeros((len(factors), 3))
    history = LinkHistory(
        times=0.1 * np.arange(len(factors)),
        angular_velocities=still,
        angular_accelerations=still,
        origin_accelerations=still,
    )
    deformed = LinkMotion(np.outer(factors, once), *np.zeros((2, len(factors), len(once))))
    found = link_stress(discrete, history, Terms(), deformed)
    assert found is not None
    largest = {m.measure: m.value for m in static.maxima}
    # of −u/2 the smallest principal stress is half the largest of u, and the other way round
    expected = {
        "principal_max": max(largest["principal_max"], -0.5 * largest["principal_min"]),
        "principal_min": min(largest["principal_min"], -0.5 * largest["principal_max"]),
    }
    peaks = {peak.measure: peak for peak in found.principal}
    assert peaks["principal_max"].value == pytest.approx(expected["principal_max"], rel=1e-9)
    assert peaks["principal_min"].value == pytest.approx(expected["principal_min"], rel=1e-9)
    assert peaks["principal_max"].time == pytest.approx(0.3)
    assert peaks["principal_min"].time == pytest.approx(
        0.3 if expected["principal_min"] == largest["principal_min"] else 0.7
    )
    place = next(m.place for m in static.maxima if m.measure == "principal_max")
    np.testing.assert_allclose(peaks["principal_max"].place, place, atol=1e-12)
