"""Physics that the theory does not cover, or that a model gets wrong: each is found and named.

The messages are part of the documentation (docs/reliability.md), so they are asserted in words.
"""

import numpy as np
import pytest
from scipy.sparse import csr_array

import flexframe as ff
from flexframe.analyses.modes.analysis import RESIDUAL_LIMIT
from flexframe.cases.examples import example_paths
from flexframe.errors import AnalysisError, InputError
from flexframe.mesh.line_builders import line

SIDE = 0.01
AREA, SECOND_MOMENT = SIDE**2, SIDE**4 / 12
EULER = np.pi**2 * ff.STEEL.young * SECOND_MOMENT / 4  # buckling load of a cantilever of 1 m


def beam(*, supports: tuple = (ff.Clamp("start"),), loads: tuple = (), space: str = "planar") -> ff.Body:
    section = ff.Rectangle(width=SIDE, height=SIDE)
    return ff.Body.beam(
        "beam",
        length=1.0,
        divisions=10,
        section=section,
        material=ff.STEEL,
        supports=supports,
        loads=loads,
        space=space,
    )


def test_a_part_that_moves_without_straining_is_named() -> None:
    """Bars in a straight line between two pins have no stiffness across it: a mechanism that no support holds."""
    mesh = line(length=1.0, divisions=4)
    region = ff.Region(ff.materials.BarProperty(ff.STEEL, AREA))
    chain = ff.Body("chain", mesh, (region,), supports=(ff.Pin("start"), ff.Pin("end")))
    with pytest.raises(AnalysisError, match="can move without straining"):
        ff.statics(ff.discretise(chain))


@pytest.mark.parametrize(("part", "buckled"), [(0.98, False), (1.02, True)])
def test_loads_beyond_buckling_are_refused(part: float, buckled: bool) -> None:
    """Euler's load of the cantilever decides; ten elements meet it to 1e-5, shear lowers it by 1e-4."""
    body = ff.discretise(beam(loads=(ff.NodeForce("end", (-part * EULER, 1e-3, 0)),)))
    if not buckled:
        ff.statics(body, second_order=True)
        return
    with pytest.raises(AnalysisError, match="loaded beyond buckling"):
        ff.statics(body, second_order=True)
    assert any("beyond buckling" in notice for notice in ff.modes(body, count=2).notices)


def test_large_strains_are_told_with_their_place() -> None:
    """Tension of 2 % strain: σ/E = F/(EA)."""
    force = 0.02 * ff.STEEL.young * AREA
    notices = ff.statics(ff.discretise(beam(loads=(ff.NodeForce("end", (force, 0, 0)),)))).notices
    assert any("strain of about 2 % at (" in notice for notice in notices)


def test_small_strains_are_not_told() -> None:
    force = 0.009 * ff.STEEL.young * AREA
    notices = ff.statics(ff.discretise(beam(loads=(ff.NodeForce("end", (force, 0, 0)),)))).notices
    assert not any("strain" in notice for notice in notices)


def test_large_displacements_are_told() -> None:
    """FL³/3EI of 20 % of the length."""
    force = 0.2 * 3 * ff.STEEL.young * SECOND_MOMENT
    notices = ff.statics(ff.discretise(beam(loads=(ff.NodeForce("end", (0, force, 0)),)))).notices
    assert any("largest displacement is 20 % of the body's size" in notice for notice in notices)


def test_geometric_stiffness_switched_off_is_told() -> None:
    modes = ff.modes(
        ff.discretise(beam(space="spatial")), ff.FrameMotion.spin(10.0), terms=ff.Terms(geometric=0), count=2
    )
    assert any("geometric stiffness is off on a spinning body" in notice for notice in modes.notices)


def test_an_indefinite_mass_is_refused() -> None:
    """Masses of two nodes with eigenvalues 3 and −1, in three directions."""
    mass = csr_array(np.kron([[1.0, 2.0], [2.0, 1.0]], np.eye(3)))
    stiffness = csr_array(np.kron([[2.0, -1.0], [-1.0, 2.0]], np.eye(3)))
    with pytest.raises(InputError, match="the mass matrix is indefinite \\(3 negative"):
        ff.bodies.matrix_body("bad", stiffness, mass)


@pytest.mark.parametrize("moments", [(1.0, 1.0, 3.0), (0.1, 0.2, 0.31)])
def test_moments_of_inertia_of_no_body_are_refused(moments: tuple[float, float, float]) -> None:
    """∫ρ(y²+z²) ≤ ∫ρ(x²+z²) + ∫ρ(x²+y²): the sum of two is never less than the third."""
    with pytest.raises(InputError, match="belongs to no body"):
        ff.RigidBody("top", mass=1.0, inertia=moments)


def test_redundant_joints_are_told_and_contradictory_ones_refused() -> None:
    """A crank pinned to the ground twice at one place is redundant; at two places 2 m apart it cannot be."""
    crank = ff.RigidBody("crank", mass=1.0, inertia=0.1, points={"A": (0, 0), "B": (1, 0)})

    def system(place: tuple[float, float]) -> ff.System:
        return ff.System(
            (crank,),
            joints=(ff.Revolute("one", "ground.A", "crank.A"), ff.Revolute("two", "ground.B", "crank.A")),
            drives=(ff.AngleDrive("motor", "ground.A", "crank.A", "t"),),
            ground={"A": (0, 0), "B": place},
        )

    notices = ff.kinematics(system((0, 0)), np.array([0.0])).notices
    assert any("redundant" in notice for notice in notices)
    with pytest.raises(AnalysisError):
        ff.kinematics(system((2, 0)), np.array([0.0]))


def test_a_reduction_outside_its_band_is_told() -> None:
    """The fourth mode of the blade is far above what three modes can show."""
    case = ff.load_case(example_paths()["reduced_beam"], ["analyses.guyan.wanted_hz=500"])
    notices = ff.run_case(case).records["guyan"].notices
    assert any("below" in notice and "not up to 500 Hz" in notice for notice in notices)


def test_residuals_have_a_limit_that_is_not_round_off() -> None:
    """A good pair has 1e-10 or less; the limit is where three digits of a frequency may be gone."""
    assert 1e-8 <= RESIDUAL_LIMIT <= 1e-3
