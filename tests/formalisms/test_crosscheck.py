"""The crosscheck on bodies of every family, on large meshes, and what its record says."""

import json
from dataclasses import dataclass, replace

import numpy as np
import pytest
from tests.contracts.samples import body_of, rigid_mesh

from flexframe.analyses.crosscheck.analysis import crosscheck
from flexframe.assembly.discrete import discretise
from flexframe.elements.contract import Family
from flexframe.elements.families import FAMILIES
from flexframe.elements.properties import STEEL
from flexframe.mesh.builders import rectangle
from flexframe.model.body import Body, Damping, PointMass
from flexframe.model.supports import FrameSpring
from flexframe.motion.frame import FrameMotion, planar

from .samples import blade

STEADY = FrameMotion((0.0, 0.0, 25.0), origin_velocity=(2.0, 1.0), origin_acceleration=(3.0, 4.0))


@pytest.mark.parametrize("family", FAMILIES, ids=lambda f: f.name)
def test_every_family_agrees(family: Family) -> None:
    """All six on every element of a free body: round-off times condition numbers of small matrices, 1e-11."""
    record = crosscheck(
        discretise(body_of(family, rigid_mesh(family))), FrameMotion((0, 0, 0.7), (0, 0, 0), (1, 2))
    )
    assert record.agrees
    assert [check.applicable for check in record.checks] == [True] * 6
    assert max(check.max_relative_difference for check in record.checks) < 1e-11
    assert record.closed_form_difference < 1e-12


def test_general_motion_in_space_with_point_mass() -> None:
    """Five formalisms agree to 1e-11; Whittaker is refused with the term that forbids it."""
    plain = blade(4, space="spatial", force=(1.0, 2.0, 3.0))
    discrete = discretise(replace(plain.body, point_masses=(PointMass("end", 0.3),)))
    motion = FrameMotion((3.0, -2.0, 30.0), (4.0, 5.0, -60.0), (70.0, 8.0, 9.0), (10.0, 11.0, 12.0))
    record = crosscheck(discrete, motion)
    assert record.agrees
    by_name = {check.name: check for check in record.checks}
    assert "direction of ω" in by_name["whittaker"].reason
    assert not by_name["whittaker"].applicable
    assert max(check.max_relative_difference for check in record.checks if check.applicable) < 1e-11
    assert record.elements == {"timoshenko_beam": (4, 4), "point mass": (1, 1)}
    # 30 dofs, 6 held; five nodes with six dofs; 4 beams side by side
    unknowns = {name: check.unknowns for name, check in by_name.items()}
    assert unknowns == {
        "lagrange": 36,
        "gibbs_appell": 30,
        "hamilton": 48,
        "maggi": 48,
        "kane": 24,
        "whittaker": 0,
    }


def test_large_mesh_is_sampled_and_says_so() -> None:
    """900 elements: a stated number of them, chosen by seed, and the whole body in a stated basis: 1e-10."""
    mesh = rectangle(1.0, 0.5, (30, 30), order=2, shape="quad")
    body = Body.plane("plate", mesh, material=STEEL, thickness=0.01)
    record = crosscheck(body, STEADY, sample=5, seed=3)
    assert record.elements == {"quadrilateral8": (5, 900)}
    assert "5 of 900" in record.compared[0]
    assert "seed 3" in record.compared[0]
    assert "6 lowest modes at rest" in record.compared[1]
    assert record.agrees
    assert max(check.max_relative_difference for check in record.checks) < 1e-10
    again = crosscheck(body, STEADY, sample=5, seed=3)
    assert [c.differences for c in again.checks] == [c.differences for c in record.checks]


def test_summary_is_complete_and_json() -> None:
    """Keys of the published summary; operations of Kane on 3 beams by hand.

    Kane, 3 elements, 16 points, p = 12 (shape (3, 16, 3, 12)): three products with W or E of N (1728 numbers) and
    two of x (144), one of 25 columns (3600), the integral of 12 by 37 columns, and sums.
    """
    record = crosscheck(blade(3), STEADY)
    summary = json.loads(json.dumps(record.summary()))
    assert summary["kind"] == "crosscheck"
    assert list(summary["formalisms"]) == ["lagrange", "gibbs_appell", "hamilton", "maggi", "kane", "whittaker"]
    for entry in summary["formalisms"].values():
        assert set(entry) >= {"max_relative_difference", "applicable", "reason", "operations", "seconds"}
    kane = summary["formalisms"]["kane"]["operations"]
    points = record.checks[4]
    assert points.name == "kane"
    turned = 3 * (2 * 1728 + 2 * 144 + 3600)
    assert kane["multiplications"] == turned + 3 * 16 * 3 * 12 * (1 + 37)
    assert record.to_xarray()["relative_difference"].shape[0] == 6


def test_damping_refuses_whittaker_and_joins_the_others() -> None:
    """Rayleigh damping enters every route; the energy integral is gone."""
    plain = blade(3)
    record = crosscheck(replace(plain.body, damping=Damping(2.0, 1e-4)), FrameMotion((0, 0, 20.0)))
    assert record.agrees
    assert "damped" in record.checks[-1].reason


def test_a_damper_at_a_node_refuses_whittaker_too() -> None:
    """Energy is lost in a single damper as well; the other five carry it (round-off)."""
    plain = blade(3)
    damper = FrameSpring("end", stiffness=(1e3, 1e3, 0.0), damping=(10.0, 10.0, 0.0))
    record = crosscheck(replace(plain.body, springs=(damper,)), FrameMotion((0, 0, 20.0)))
    assert record.agrees
    assert "damped" in record.checks[-1].reason


def test_one_free_element() -> None:
    """Nothing is joined and nothing held: Maggi's constraints have no rows; all six agree to round-off."""
    mesh = rectangle(0.03, 0.02, (1, 1), order=1, shape="quad")
    record = crosscheck(Body.plane("cell", mesh, material=STEEL, thickness=0.005), STEADY)
    assert [check.applicable for check in record.checks] == [True] * 6
    assert max(check.max_relative_difference or 0.0 for check in record.checks) < 1e-11


@dataclass(frozen=True)
class _Ramp:
    def jet(self, t: float) -> tuple[float, float, float]:
        return 5 * t**2, 10 * t, 10.0


def test_law_at_a_time() -> None:
    """A law is read at the given time, and its change refuses Whittaker."""
    record = crosscheck(blade(3), planar(_Ramp()), time=2.0)
    assert record.speed_rad_s == pytest.approx(20.0)
    assert "speed of rotation" in record.checks[-1].reason
    assert record.agrees


def test_body_at_rest() -> None:
    """Nothing but mass remains, and all agree; differences of what is zero are exactly zero."""
    record = crosscheck(blade(3), FrameMotion())
    assert record.agrees
    for check in record.checks:
        assert check.differences["coriolis"] == 0.0
    assert np.isfinite(record.closed_form_difference)
